// SPDX-License-Identifier: GPL-2.0
/*
 * Processes record events of all kinds while others register and end events, and switch masksets.
 * No payload may be torn, and each write() must succeed or fail with EBADF.
 */
#include <signal.h>

#include "user.h"

#define SECONDS	  5
#define CHAIN_MAX 200 /* bytes of the longest payload */

static unsigned long *written;

/* A payload consists of one byte, repeated. */
static void write_events(int fd, int one, int chain, unsigned char byte)
{
	char payload[CHAIN_MAX];

	memset(payload, byte, sizeof(payload));
	for (unsigned int i = 0;; i++) {
		bool long_one = i % 3 == 0;
		int error = long_one ? user_writev(fd, chain, payload, 40 + i % (CHAIN_MAX - 40)) :
				       user_write(fd, one, payload, 32);

		if (error && error != EBADF)
			wrong("write: %s", strerror(error));
		if (!error)
			__atomic_fetch_add(written, 1, __ATOMIC_RELAXED);
	}
}

/*
 * Register and unregister an event again and again. Each time the event ends, unless another
 * process uses it, too.
 */
static void register_events(unsigned int number)
{
	char text[60];
	int error, index;

	for (unsigned int i = 0;; i++) {
		int fd = user_open();

		snprintf(text, sizeof(text), "turmoil_%u u32 a", (number + i) % 5);
		error = user_register(fd, text, 0, &user_words[0], &index);
		if (error)
			wrong("register: %s", strerror(error));
		error = user_write(fd, index, "abcd", 4);
		if (error && error != EBADF)
			wrong("write of a new event: %s", strerror(error));
		if (i % 2)
			close(fd);
		error = user_unregister(i % 2 ? fd = user_open() : fd, &user_words[0]);
		if (error)
			wrong("unregister: %s", strerror(error));
		close(fd);
	}
}

static void switch_masksets(void)
{
	reopen_lkst();
	for (;;) {
		if (set_maskset(USER_SET) || set_maskset(LKST_MASKSET_ID_RNOTHING))
			wrong("MASKSET_SET: %s", strerror(errno));
	}
}

static bool all_same(const void *bytes, size_t num)
{
	return num < 2 || !memcmp(bytes, (const char *)bytes + 1, num - 1);
}

static void check_records(size_t num, int one, int chain)
{
	for (size_t i = 0; i < num; i++) {
		const struct lkst_log_record *record = &user_records[i];
		const __u64 arg[] = { record->log_arg1, record->log_arg2, record->log_arg3,
				      record->log_arg4 };
		unsigned int bytes = LKST_CHAIN_HEAD_BYTES(arg[0]);

		if (record->posix.log_event_type == one && !all_same(arg, sizeof(arg)))
			wrong("record %zu is torn", i);
		if (record->posix.log_event_type != chain)
			continue;
		if (bytes < 40 || bytes > CHAIN_MAX || !all_same(arg + 1, LKST_CHAIN_BYTES))
			wrong("chain %zu is torn", i);
	}
}

int main(void)
{
	int fd, one, chain;
	pid_t pids[7];
	size_t num;

	wrongs = map(sizeof(*wrongs));
	written = map(sizeof(*written));
	user_begin();
	fd = user_open();
	need(user_register(fd, "turmoil_one char[32] a", 0, &user_words[1], &one), "register");
	need(user_register(fd, "turmoil_chain char[40] a", 0, &user_words[2], &chain), "register");
	make_ring(0, 1, USER_SIZE);
	for (int i = 0; i < 7; i++)
		pids[i] = spawn({
			bail_if(move_to(i % 2), "sched_setaffinity");
			if (i < 4)
				write_events(fd, one, chain, 'a' + i);
			else if (i < 6)
				register_events(i);
			else
				switch_masksets();
		});
	sleep(SECONDS);
	for (int i = 0; i < 7; i++) {
		kill(pids[i], SIGKILL);
		exit_status(pids[i]);
	}
	ok(*written, "events are recorded");
	diag("%lu events", *written);
	num = user_read();
	check_records(num, user_find("user_events:turmoil_one").etype,
		      user_find("user_events:turmoil_chain").etype);
	report_wrongs("all results are right, and no payload is torn");
	for (int i = 0; i < 5; i++) {
		char label[60];

		snprintf(label, sizeof(label), "user_events:turmoil_%d", i);
		ok(user_becomes(label, false), "%s has ended", label);
	}
	need(user_unregister(fd, &user_words[1]), "unregister");
	need(user_unregister(fd, &user_words[2]), "unregister");
	close(fd);
	user_finish();
	return done_testing();
}
