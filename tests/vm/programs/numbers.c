// SPDX-License-Identifier: GPL-2.0
/*
 * Tests what happens when all event type numbers that are meant for events of programs are in use.
 */
#include <sys/stat.h>

#include "user.h"

#define NUM	  (LKST_ETYPE_PROGRAM_MAX - LKST_ETYPE_PROGRAM_MIN + 1)
#define OTHER_SET 101 /* id of another maskset */

/*
 * How many numbers one user without privileges can use, and how many all of these users together
 * must leave free
 */
#define NUM_OF_USER  256
#define NUM_RESERVED 256
#define USERS	     (NUM / NUM_OF_USER + 1)

static uint32_t words[NUM / 32 + 1];

/* Register an event with bit @number of the words. Return 0 or errno. */
static int register_number(int fd, const char *text, unsigned int number)
{
	struct lkst_user_reg reg = {
		.size = sizeof(reg),
		.enable_size = 4,
		.enable_bit = number % 32,
		.enable_addr = (uintptr_t)&words[number / 32],
		.name_args = (uintptr_t)text,
	};

	return ioctl_errno(fd, LKST_USER_REG, &reg);
}

/* Register events until that fails. Return errno; *@num is the number of events. */
static int register_all(int fd, unsigned int *num)
{
	char text[40];
	int error = 0;

	for (*num = 0; *num < NUM && !error; *num += !error) {
		snprintf(text, sizeof(text), "numbers_%u u32 a", *num);
		error = register_number(fd, text, *num);
	}
	snprintf(text, sizeof(text), "numbers_%u u32 a", *num);
	return error ?: register_number(fd, text, NUM);
}

static void unregister_all(int fd, unsigned int num)
{
	for (unsigned int i = 0; i < num; i++)
		need(user_unregister_bit(fd, &words[i / 32], i % 32), "unregister");
}

/* Write a rule of a maskset. Return 0 or errno. */
static int write_rule(int id, int etype, const char *text)
{
	struct lkst_rule_param param = { .id = id, .event_type = etype,
					 .text = (uintptr_t)text, .text_size = strlen(text) };

	return lkst(LKST_IOC_RULE_WRITE, &param);
}

/* Return the event type of the first rule of a maskset, or -1 if it has no rule. */
static int first_rule(int id)
{
	char text[LKST_RULE_TEXT_MAX];
	struct lkst_rule_param param = { .id = id, .text = (uintptr_t)text,
					 .text_size = sizeof(text) };

	return lkst(LKST_IOC_RULE_READ, &param) ? -1 : param.event_type;
}

/* Become a user without privileges, register as many events as possible, and keep them. */
static void use_numbers(unsigned int user, unsigned int *count)
{
	int fd = -1, error = EMFILE;
	unsigned int num;
	char text[40];

	if (!setgroups(0, NULL) && !setgid(10000) && !setuid(10000 + user))
		fd = user_open();
	for (num = 0; fd >= 0 && num <= NUM_OF_USER; num++) {
		snprintf(text, sizeof(text), "numbers_of_%u_%u u32 a", user, num);
		error = register_number(fd, text, num);
		if (error)
			break;
	}
	__atomic_store_n(count, error == EMFILE ? num + 1 : 1000, __ATOMIC_RELEASE);
	pause();
}

/* Several users together must not use up all numbers. */
static void check_reserve(void)
{
	unsigned int *counts = map(USERS * sizeof(*counts)), sum = 0;
	pid_t users[USERS];
	int fd = user_open();
	bool ended = true;
	char label[60];

	for (unsigned int i = 0; i < USERS; i++) {
		users[i] = spawn(use_numbers(i, &counts[i]));
		while (!__atomic_load_n(&counts[i], __ATOMIC_ACQUIRE))
			sleep_ms(10);
		sum += counts[i] - 1;
	}
	equal(counts[0] - 1, NUM_OF_USER, "the number of events of a user without privileges");
	equal(sum, NUM - NUM_RESERVED, "the number of events of all users without privileges");
	gives(register_number(fd, "numbers_reserve u32 a", 0), 0,
	      "root can register an event nevertheless");
	need(user_unregister_bit(fd, &words[0], 0), "unregister");
	close(fd);
	for (unsigned int i = 0; i < USERS; i++) {
		kill(users[i], SIGKILL);
		exit_status(users[i]);
		snprintf(label, sizeof(label), "user_events:numbers_of_%u_%u", i, counts[i] - 2);
		ended &= user_becomes(label, false);
	}
	ok(ended, "the events end with their programs");
}

int main(void)
{
	struct mask one[] = { RECORDED(0) };
	int fd, other, last, first;
	unsigned int num;

	user_begin();
	bail_if(chmod(USER_FILE, 0666), "chmod");
	check_reserve();
	/* Root has used one number of the reserve. */
	first = LKST_ETYPE_PROGRAM_MIN + NUM - NUM_RESERVED + 1;
	fd = user_open();
	gives(register_all(fd, &num), EMFILE, "all numbers can be used, and no more");
	equal(num, NUM, "number of events");
	equal(user_find("user_events:numbers_0").etype, first, "the lowest number that was never used");
	one[0].etype = first;
	need(write_maskset(OTHER_SET, "other", one, 1), "MASKSET_WRITE");
	equal(user_entry_of(OTHER_SET, first), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "a maskset records the first event");
	gives(write_rule(OTHER_SET, first, "a == 1"), 0, "the first event gets a rule");
	unregister_all(fd, num);
	close(fd);
	ok(user_becomes("user_events:numbers_0", false), "the first event ends");
	equal(first_rule(OTHER_SET), first, "an event that has ended keeps its rule");

	fd = user_open();
	gives(value_in_child(as_nobody() ?: register_number(user_open(), "numbers_nobody u32 a", 0)),
	      EMFILE, "a user without privileges does not get the number of another user");
	need(register_number(fd, "numbers_again u32 a", 0), "register");
	equal(user_find("user_events:numbers_again").etype, first,
	      "a new event replaces the one that ended first");
	equal(user_find("user_events:numbers_0").etype, (ull)-1, "that one is no longer listed");
	equal(user_entry_of(OTHER_SET, first), 0,
	      "the new event does not get the entry of the old one");
	equal(first_rule(OTHER_SET), (ull)-1, "the new event does not get the rule of the old one");
	equal(user_entry_of(USER_SET, first), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "it gets the entry for events to come");

	/* An event that is registered again after it has ended continues, and is not replaced. */
	last = user_find("user_events:numbers_1").etype;
	need(register_number(fd, "numbers_1 u32 a", 1), "register");
	other = user_open();
	need(register_number(other, "numbers_more u32 a", 2), "register");
	equal(user_find("user_events:numbers_1").etype, last, "an event continues with its number");
	equal(user_find("user_events:numbers_more").etype, last + 1, "another one is replaced");
	unregister_all(fd, 3);
	close(other);
	close(fd);
	delete_maskset(OTHER_SET);
	bail_if(chmod(USER_FILE, 0600), "chmod");
	user_finish();
	return done_testing();
}
