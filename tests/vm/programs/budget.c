// SPDX-License-Identifier: GPL-2.0
/*
 * A user without privileges has a limit for the number of records per second, and a limit for the
 * number of events.
 */
#include <sys/stat.h>

#include "user.h"

static void set_budget(unsigned int records)
{
	char text[30];
	int fd = open(USER_PARAMETERS "user_events_budget", O_WRONLY);
	int len = snprintf(text, sizeof(text), "%u", records);

	bail_if(fd < 0 || write(fd, text, len) != len, "user_events_budget");
	close(fd);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/*
 * Record @num events of @bytes bytes through @files files, as a user without privileges if @nobody
 * is set. Return the time in seconds, rounded up, or 0 on error.
 */
static int write_as(bool nobody, const char *text, unsigned int num, size_t bytes, int files)
{
	return value_in_child(({
		static char payload[1000];
		double start = now();
		int fd[8], index[8], error = nobody ? as_nobody() : 0;

		for (int i = 0; i < files && !error; i++) {
			fd[i] = user_open();
			error = user_register(fd[i], text, 0, &user_words[i], &index[i]);
		}
		for (unsigned int i = 0; i < num && !error; i++)
			error = user_write(fd[i % files], index[i % files], payload, bytes);
		error ? 0 : (int)(now() - start) + 1;
	}));
}

/*
 * Write an event 3000 times, as a user without privileges if @nobody is set, and otherwise as root.
 * Check that each event is recorded or counted as dropped. The user may record at most @budget
 * records per second, and root must lose no event. An event takes @records_each records.
 */
static void check_budget(bool nobody, const char *name, const char *fields, size_t bytes, int files,
			 unsigned int budget, unsigned int records_each)
{
	unsigned long dropped = user_parameter("user_events_dropped");
	unsigned int num = 3000, count;
	char text[100], label[100];
	int seconds;

	snprintf(text, sizeof(text), "%s %s", name, fields);
	snprintf(label, sizeof(label), "user_events:%s", name);
	/* The budget is for one second. Wait until the second of the previous test has passed. */
	sleep_ms(1100);
	user_record();
	seconds = write_as(nobody, text, num, bytes, files);
	count = user_count(user_read(), user_find(label).etype);
	dropped = user_parameter("user_events_dropped") - dropped;
	ok(seconds > 0, "%s: all writes succeed", name);
	equal(count + dropped, num, "%s: each event is recorded, or counted as dropped", name);
	if (nobody)
		ok(count && count <= (seconds + 1) * budget / records_each,
		   "%s: no more than the budget is recorded", name);
	else
		equal(dropped, 0, "%s: all events are recorded", name);
	diag("%u of %u recorded in %d s", count, num, seconds);
}

static int write_rule(int etype, const char *text)
{
	struct lkst_rule_param param = {
		.id = USER_SET,
		.event_type = etype,
		.text = (uintptr_t)text,
		.text_size = strlen(text),
	};

	return ioctl(lkst_fd, LKST_IOC_RULE_WRITE, &param) ? errno : 0;
}

/*
 * Write an event 500 times as a user without privileges, whose budget is smaller than that, and
 * then once more with other values. The rule of check_rule() drops all of these events except the
 * last one.
 */
static int write_dropped(const char *text, size_t bytes, int ready, int go)
{
	static char payload[100];
	char byte = 0;
	int index, fd, error = as_nobody();

	fd = user_open();
	error = error ?: user_register(fd, text, 0, user_words, &index);
	if (error || write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		return 1;
	for (unsigned int i = 0; i < 500 && !error; i++)
		error = user_write(fd, index, payload, bytes);
	memset(payload, 'x', bytes);
	return (error ?: user_write(fd, index, payload, bytes)) != 0;
}

static void check_rule(const char *name, const char *fields, size_t bytes, const char *rule)
{
	unsigned long dropped = user_parameter("user_events_dropped");
	int ready[2], go[2], etype;
	char text[100], byte = 0;
	pid_t child;

	snprintf(text, sizeof(text), "%s %s", name, fields);
	bail_if(pipe(ready) || pipe(go), "pipe");
	sleep_ms(1100);
	user_record();
	child = spawn(_exit(write_dropped(text, bytes, ready[1], go[0])));
	bail_if(read(ready[0], &byte, 1) != 1, "read");
	snprintf(text, sizeof(text), "user_events:%s", name);
	etype = user_find(text).etype;
	need(write_rule(etype, rule), "RULE_WRITE");
	bail_if(write(go[1], &byte, 1) != 1, "write");
	equal(exit_status(child), 0, "%s: all writes succeed", name);
	equal(user_count(user_read(), etype), 1, "%s: a rule drops all events but one", name);
	equal(user_parameter("user_events_dropped") - dropped, 0,
	      "%s: events that a rule drops take nothing from the budget", name);
	close(ready[0]);
	close(ready[1]);
	close(go[0]);
	close(go[1]);
}

static void check_numbers(void)
{
	equal(value_in_child(({
		int fd, error = as_nobody(), num = 0;
		char text[60];

		fd = user_open();
		while (!error && num < 2000) {
			snprintf(text, sizeof(text), "budget_many%d u32 a", num);
			error = user_register(fd, text, 0, (uint64_t *)((uint32_t *)user_words + num),
					      NULL);
			num += !error;
		}
		/* An exit status has only 8 bits. */
		error == EMFILE && num <= 256 && num > 200;
	})), 1, "a user without privileges can register a limited number of events");
	ok(user_becomes("user_events:budget_many0", false), "these events end with the process");
	equal(value_in_child(({
		int fd, error = as_nobody(), second;

		fd = user_open();
		second = user_register(fd, "budget_again u32 a", 0, user_words, NULL);
		error ?: second;
	})), 0, "then the user can register others");
	equal(user_find("user_events:budget_many0").etype, (ull)-1,
	      "which get the number of the event that ended first");
}

int main(void)
{
	unsigned int before = user_parameter("user_events_budget");

	user_begin();
	bail_if(chmod(USER_FILE, 0666), "chmod");
	equal(before, 1000, "default of the budget");
	set_budget(100);
	check_budget(false, "budget_root", "u32 a", 4, 1, 100, 1);
	check_budget(true, "budget_one", "u32 a", 4, 1, 100, 1);
	check_budget(true, "budget_files", "u32 a", 4, 8, 100, 1);
	check_budget(true, "budget_chain", "char[100] a", 100, 1, 100, 5);
	check_rule("budget_rule", "u32 a", 4, "a != 0");
	check_rule("budget_rule_chain", "char[100] a", 100, "a ~ '?*'");
	set_budget(0);
	sleep_ms(1100);
	check_budget(false, "budget_zero", "u32 a", 4, 1, 0, 1);
	set_budget(before);
	check_numbers();
	bail_if(chmod(USER_FILE, 0600), "chmod");
	user_finish();
	return done_testing();
}
