// SPDX-License-Identifier: GPL-2.0
/*
 * Tests when events of programs begin and end, which numbers they get, and how masksets treat them.
 */
#include <regex.h>
#include <signal.h>
#include <sys/klog.h>
#include <sys/stat.h>

#include "user.h"

#define OTHER_SET 101 /* id of another maskset */

static bool is_set(const uint64_t *word)
{
	return *(const volatile uint64_t *)word & 1;
}

/* Wait up to 10 s until bit 0 of a word has the value @set. Return whether it has this value. */
static bool bit_becomes(const uint64_t *word, bool set)
{
	for (int i = 0; i < 1000 && is_set(word) != set; i++)
		sleep_ms(10);
	return is_set(word) == set;
}

static void check_references(void)
{
	int one = user_open(), other = user_open();

	need(user_register(one, "life_ref u32 a", 0, &user_words[0], NULL), "register");
	need(user_register(other, "life_ref u32 a", 0, &user_words[1], NULL), "register");
	need(user_unregister(one, &user_words[0]), "unregister");
	need(user_unregister(one, &user_words[1]), "unregister");
	ok(user_find("user_events:life_ref").present, "two files have references");
	close(one);
	ok(user_find("user_events:life_ref").present, "one file has a reference");
	close(other);
	ok(!user_find("user_events:life_ref").present, "the event ends when the last file is closed");

	one = user_open();
	need(user_register(one, "life_ref u32 a", 0, &user_words[0], NULL), "register");
	close(one);
	ok(user_find("user_events:life_ref").present, "a bit has a reference");
	other = user_open();
	need(user_unregister(other, &user_words[0]), "unregister");
	ok(!user_find("user_events:life_ref").present, "the event ends with the bit");
	close(other);
}

static void check_processes(void)
{
	pid_t child = spawn({
		int fd = user_open();

		need(user_register(fd, "life_exit u32 a", 0, &user_words[0], NULL), "register");
		close(fd);
		pause();
	});

	ok(user_becomes("user_events:life_exit", true), "a process registers an event");
	kill(child, SIGKILL);
	exit_status(child);
	ok(user_becomes("user_events:life_exit", false), "the event ends when the process is killed");

	child = spawn({
		int fd = user_open();

		need(user_register(fd, "life_exec u32 a", 0, &user_words[0], NULL), "register");
		close(fd);
		sleep_ms(100);
		execl("/bin/sleep", "sleep", "1000", NULL);
	});
	ok(user_becomes("user_events:life_exec", true), "a process registers an event");
	ok(user_becomes("user_events:life_exec", false), "the event ends when the process calls exec");
	kill(child, SIGKILL);
	exit_status(child);
}

static void check_numbers(void)
{
	int fd = user_open(), one, other;

	need(user_register(fd, "life_one u32 a", 0, &user_words[0], NULL), "register");
	need(user_register(fd, "life_other u32 a", 0, &user_words[1], NULL), "register");
	one = user_find("user_events:life_one").etype;
	other = user_find("user_events:life_other").etype;
	equal(other, one + 1, "a new event gets the lowest number that was never used");
	need(user_unregister(fd, &user_words[0]), "unregister");
	need(user_unregister(fd, &user_words[1]), "unregister");
	close(fd);
	equal(user_find("user_events:life_one").etype, one, "an event that has ended is still listed");

	fd = user_open();
	need(user_register(fd, "life_third u32 a", 0, &user_words[0], NULL), "register");
	equal(user_find("user_events:life_third").etype, other + 1,
	      "another event does not get the number of an event that has ended");
	need(user_register(fd, "life_one u32 a", 0, &user_words[1], NULL), "register");
	equal(user_find("user_events:life_one").etype, one,
	      "the same event gets its number again");
	need(user_register(fd, "life_other u64 b", 0, &user_words[2], NULL), "register");
	equal(user_find("user_events:life_other").etype, other + 2,
	      "an event with other fields gets another number");
	for (int i = 0; i < 3; i++)
		need(user_unregister(fd, &user_words[i]), "unregister");
	close(fd);
}

/* Read a maskset, and write it back without a change. */
static void write_back(int id)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_param param = { .id = id, .maskset_size = LKST_MASKSET_SIZE_MAX,
					    .maskset = (uintptr_t)body };

	bail_if(!body, "memory");
	need(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
	need(lkst(LKST_IOC_MASKSET_WRITE, &param), "MASKSET_WRITE");
	free(body);
}

static void check_masksets(void)
{
	const struct mask none[] = { RECORDED(USER_MARK) };
	int fd = user_open(), index, etype;
	struct mask one[] = { RECORDED(0) }, others[] = { RECORDED(USER_NEW), { 0 } };

	need(write_maskset(OTHER_SET, "other", none, 1), "MASKSET_WRITE");
	need(user_register(fd, "life_set u32 a", 0, &user_words[0], &index), "register");
	etype = user_find("user_events:life_set").etype;
	equal(user_entry_of(LKST_MASKSET_ID_RALL, etype), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "\"all\" records it");
	equal(user_entry_of(LKST_MASKSET_ID_RDEFAULT, etype), 0, "\"default\" does not");
	equal(user_entry_of(LKST_MASKSET_ID_RNOTHING, etype), 0, "\"nothing\" does not");
	equal(user_entry_of(USER_SET, etype), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "a maskset that records events to come records it");
	equal(user_entry_of(OTHER_SET, etype), 0, "another maskset does not");
	equal(user_entry_of(LKST_MASKSET_ID_RALL, USER_NEW), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "\"all\" records events to come");

	ok(!is_set(&user_words[0]), "the bit is 0 while the event is not recorded");
	need(set_maskset(USER_SET), "MASKSET_SET");
	gives(user_write(fd, index, "abcd", 4), 0, "recorded as soon as the maskset is selected");
	ok(bit_becomes(&user_words[0], true), "the bit is set when the event is recorded");
	need(set_maskset(OTHER_SET), "MASKSET_SET");
	gives(user_write(fd, index, "abcd", 4), EBADF, "another maskset is selected: not recorded");
	ok(bit_becomes(&user_words[0], false), "the bit is cleared when another maskset is selected");
	one[0].etype = etype;
	need(write_maskset(OTHER_SET, "other", one, 1), "MASKSET_WRITE");
	gives(user_write(fd, index, "abcd", 4), 0, "recorded as soon as the maskset is overwritten");
	ok(bit_becomes(&user_words[0], true), "the bit is set when the maskset is overwritten");
	need(lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
	gives(user_write(fd, index, "abcd", 4), EBADF, "LKST is stopped: not recorded");
	ok(bit_becomes(&user_words[0], false), "the bit is cleared when LKST is stopped");
	need(lkst_number(LKST_IOC_TRC_START, 0), "TRC_START");
	ok(bit_becomes(&user_words[0], true), "the bit is set when LKST is started");

	/* Let the event end, and register it again: the same event then continues. */
	need(user_unregister(fd, &user_words[0]), "unregister");
	ok(!is_set(&user_words[0]), "unregistering clears the bit");
	close(fd);
	equal(user_entry_of(LKST_MASKSET_ID_RALL, etype), -1,
	      "an event that has ended has no entry if it would be like that of events to come");
	equal(user_entry_of(OTHER_SET, etype), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "it has an entry if it is another one");
	write_back(OTHER_SET);
	fd = user_open();
	need(user_register(fd, "life_set u32 a", 0, &user_words[0], &index), "register");
	equal(user_entry_of(OTHER_SET, etype), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "when it is registered again, it has this entry, also if the maskset was written back");
	ok(is_set(&user_words[0]), "the bit is set at once");
	gives(user_write(fd, index, "abcd", 4), 0, "it is recorded at once");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	need(user_unregister(fd, &user_words[0]), "unregister");
	close(fd);

	/*
	 * Write the maskset after the event has ended: first with a handler for the event, then
	 * with the event masked.
	 */
	gives(write_maskset(OTHER_SET, "other", one, 1), 0,
	      "a maskset with an entry for an event that has ended can be written");
	fd = user_open();
	need(user_register(fd, "life_set u32 a", 0, &user_words[0], &index), "register");
	equal(user_entry_of(OTHER_SET, etype), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "when the event is registered again, it has this entry");
	need(user_unregister(fd, &user_words[0]), "unregister");
	close(fd);
	others[1].etype = etype;
	need(write_maskset(OTHER_SET, "other", others, 2), "MASKSET_WRITE");
	fd = user_open();
	need(user_register(fd, "life_set u32 a", 0, &user_words[0], &index), "register");
	equal(user_entry_of(OTHER_SET, etype), 0,
	      "an event that was masked after it had ended stays masked");
	need(user_unregister(fd, &user_words[0]), "unregister");
	close(fd);
	delete_maskset(OTHER_SET);
}

/*
 * Check the counts at the end of the status file. Other tests in the same boot may have left
 * persistent events, and may have dropped events.
 */
static void check_counts(const char *text)
{
	unsigned long dropped = user_parameter("user_events_dropped");
	unsigned int active = 0, busy = 0;
	const char *line, *end;
	char counts[100];
	int len;

	for (line = text; (end = strchr(line, '\n')) && end != line; line = end + 1) {
		const char *used = strstr(line, " # Used by ");

		active++;
		busy += used && used < end;
	}
	len = snprintf(counts, sizeof(counts), "\nActive: %u\nBusy: %u\n", active, busy);
	if (dropped)
		snprintf(counts + len, sizeof(counts) - len, "Dropped: %lu\n", dropped);
	ok(end && !strcmp(end, counts), "status: counts");
}

/* Whether a line of @text matches an ERE. */
static bool has_line(const char *text, const char *pattern)
{
	regex_t regex;
	bool found;

	bail_if(regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB), pattern);
	found = !regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	return found;
}

/* Check the lines of the status file about events whose names begin with "life_status". */
static void check_status(void)
{
	char text[65536] = "";
	int fd = user_open(), status;

	need(user_register(fd, "life_status1 u32 a", 0, &user_words[0], NULL), "register");
	need(user_register(fd, "life_status2 u32 a", LKST_USER_MULTI_FORMAT, &user_words[1], NULL),
	     "register");
	need(user_register(fd, "life_\nother\t\\7 u32 a", 0, &user_words[2], NULL), "register");
	for (int i = 0; i < 2; i++) {
		if (i)
			need(set_maskset(USER_SET), "MASKSET_SET");
		status = open(USER_STATUS, O_RDONLY);
		bail_if(status < 0 || read(status, text, sizeof(text) - 1) < 1, USER_STATUS);
		close(status);
		ok(strstr(text, i ? "life_status1 # Used by lkst\n" : "life_status1\n"),
		   "status: an event that is %srecorded", i ? "" : "not ");
		ok(has_line(text, i ? "^life_status2\\.[0-9a-f]+ # Used by lkst$" :
				      "^life_status2\\.[0-9a-f]+$"),
		   "status: the name and the number of an event with several formats");
		ok(strstr(text, i ? "\nlife_\\012other\\011\\1347 # Used by lkst\n" :
				    "\nlife_\\012other\\011\\1347\n"),
		   "status: a name with control characters");
		check_counts(text);
	}
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	need(user_unregister(fd, &user_words[0]), "unregister");
	need(user_unregister(fd, &user_words[1]), "unregister");
	need(user_unregister(fd, &user_words[2]), "unregister");
	close(fd);
}

/*
 * SysRq-L prints events with their names. A program must not be able to send control characters to
 * the console.
 */
static void check_console(void)
{
	static char text[1 << 20];
	const uint64_t payload[5] = { 0x1122334455667788, 2, 3, 4, 5 };
	int fd = user_open(), index, chain, len, trigger;

	need(user_register(fd, "life_\033[31m\nred u64 a", 0, &user_words[0], &index), "register");
	need(user_register(fd, "life_chain u64 a; u64 b; u64 c; u64 d; u64 e", 0, &user_words[1],
			   &chain), "register");
	user_record();
	gives(user_write(fd, index, payload, 8), 0, "a name with control characters");
	gives(user_write(fd, chain, payload, 40), 0, "a chain");
	trigger = open("/proc/sysrq-trigger", O_WRONLY);
	bail_if(trigger < 0 || write(trigger, "L", 1) != 1, "sysrq-trigger");
	close(trigger);
	len = klogctl(3, text, sizeof(text) - 1);
	bail_if(len < 0, "klogctl");
	text[len] = 0;
	ok(strstr(text, " user_events:life_?[31m?red arg1=0x1122334455667788 arg2=0x0 "),
	   "console: control characters are replaced");
	ok(!strchr(text, '\033'), "console: none is printed");
	ok(strstr(text, " user_events:life_chain data1=0x1122334455667788 data2=0x2 data3=0x3 [cut]"),
	   "console: the first part of a chain");
	user_read();
	need(user_unregister(fd, &user_words[0]), "unregister");
	need(user_unregister(fd, &user_words[1]), "unregister");
	close(fd);
}

int main(void)
{
	struct stat node;

	user_begin();
	ok(!stat(USER_FILE, &node) && (node.st_mode & 0777) == 0600, "mode of the device");
	ok(!stat(USER_STATUS, &node) && (node.st_mode & 0777) == 0440, "mode of the status file");
	check_references();
	check_processes();
	check_numbers();
	check_masksets();
	check_status();
	check_console();
	user_finish();
	return done_testing();
}
