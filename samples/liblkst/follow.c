// SPDX-License-Identifier: LGPL-2.1
/*
 * follow [WORDS...]: prints live events of the running kernel, until it is
 * interrupted. WORDS select event types, as with lkstbuf print -e, for example:
 * follow 'process_*' class:interrupt '!int_hardware_*'
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <lkst/lkst.h>

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	(void)number;
	stop = 1;
}

static int fail(const struct lkst_error *err)
{
	fprintf(stderr, "follow: %s\n", err->text);
	return EXIT_FAILURE;
}

/*
 * Let SIGINT and SIGTERM end the program. Without SA_RESTART, they also
 * interrupt a wait for events.
 */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static int print(struct lkst_follow *follow, const struct lkst_filter *filter,
		 struct lkst_printer *printer, struct lkst_error *err)
{
	const struct lkst_etypes *types = lkst_follow_etypes(follow);
	uint64_t lost, reported = 0;
	struct lkst_event event;
	int ret;

	while (!stop) {
		ret = lkst_follow_next(follow, &event, 1000, err);
		if (ret < 0)
			return -1;
		if (!ret) {
			fflush(stdout);
			continue;
		}
		if (lkst_filter_matches(filter, &event) &&
		    fputs(lkst_printer_line(printer, types, lkst_follow_context(follow), &event),
			  stdout) < 0)
			return 0; /* the reader has closed the output */
		lost = lkst_follow_lost(follow);
		if (lost != reported)
			fprintf(stderr, "follow: %llu events were lost\n",
				(unsigned long long)(lost - reported));
		reported = lost;
	}
	return 0;
}

static int run(struct lkst_follow *follow, char **words, struct lkst_error *err)
{
	struct lkst_filter *filter = lkst_filter_new(err);
	struct lkst_printer *printer = lkst_printer_new(0, err);
	int ret = filter && printer ? 0 : -1;

	for (; !ret && *words; words++)
		ret = lkst_filter_add(filter, lkst_follow_etypes(follow), *words, err);
	if (!ret)
		ret = print(follow, filter, printer, err);
	lkst_printer_free(printer);
	lkst_filter_free(filter);
	return ret;
}

int main(int argc, char **argv)
{
	const struct lkst_follow_options opt = { .cpu = -1 };
	struct lkst_follow *follow = NULL;
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	(void)argc;
	catch_signals();
	setvbuf(stdout, NULL, _IOLBF, 0);
	dev = lkst_device_open(&err);
	if (dev)
		follow = lkst_follow_open(dev, &opt, &err);
	if (follow)
		ret = run(follow, argv + 1, &err);
	lkst_follow_close(follow);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
