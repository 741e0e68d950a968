/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Register and record events of programs, and find them in the buffer of CPU 0. The including
 * program calls user_begin() first, which pins it to that CPU.
 */
#ifndef USER_H
#define USER_H

#include <linux/lkst_user_events.h>
#include <grp.h>
#include <sys/uio.h>

#include "../buffers.h"
#include "../processes.h"

#define USER_FILE	"/dev/lkst_user_events"
#define USER_STATUS	"/proc/lkst_user_events_status"
#define USER_PARAMETERS "/sys/module/lkst/parameters/"
#define USER_NEW	0xeff /* maskset entry for events that are registered later */
#define USER_FIRST	0x200
#define LKST_MORE	0xf0a

#define USER_SET  100 /* id of a maskset that records all events of programs and nothing else */
#define USER_SIZE (4 << 20)

/* Words in which LKST sets bits. Each registration in a test uses a different word. */
__attribute__((weak)) uint64_t user_words[1024];

__attribute__((weak)) struct lkst_trc_status user_before;
__attribute__((weak)) struct lkst_log_record *user_records;

static inline void user_begin(void)
{
	const struct mask mask = RECORDED(USER_NEW);

	open_lkst();
	pin(0);
	user_before = get_status();
	user_records = calloc(USER_SIZE / RECORD_SIZE, sizeof(*user_records));
	bail_if(!user_records, "memory");
	need(write_maskset(USER_SET, "programs", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	make_ring(0, 1, USER_SIZE);
}

static inline void user_finish(void)
{
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	delete_buffers(0);
	delete_maskset(USER_SET);
	need(set_maskset(user_before.current_maskset_id), "MASKSET_SET");
}

static inline int user_open(void)
{
	int fd = open(USER_FILE, O_RDWR | O_CLOEXEC);

	bail_if(fd < 0, USER_FILE);
	return fd;
}

/*
 * Register an event with bit 0 of @word. Return 0 or errno. *@index is set to the number that
 * identifies the event in calls of write().
 */
static inline int user_register(int fd, const char *text, unsigned int flags, uint64_t *word,
				int *index)
{
	struct lkst_user_reg reg = {
		.size = sizeof(reg),
		.enable_size = 4,
		.flags = flags,
		.enable_addr = (uintptr_t)word,
		.name_args = (uintptr_t)text,
		.write_index = -1,
	};
	int error = ioctl_errno(fd, LKST_USER_REG, &reg);

	if (index)
		*index = reg.write_index;
	return error;
}

static inline int user_unregister_bit(int fd, const void *word, unsigned int bit)
{
	struct lkst_user_unreg unreg = { .size = sizeof(unreg),
					 .disable_bit = bit,
					 .disable_addr = (uintptr_t)word };

	return ioctl_errno(fd, LKST_USER_UNREG, &unreg);
}

static inline int user_unregister(int fd, const uint64_t *word)
{
	return user_unregister_bit(fd, word, 0);
}

static inline int user_delete(int fd, const char *name)
{
	return ioctl_errno(fd, LKST_USER_DELETE, (void *)name);
}

/* Record an event. Return 0, errno, or -1 if the result is not the number of bytes. */
static inline int user_write(int fd, int index, const void *payload, size_t bytes)
{
	char *copy = malloc(sizeof(index) + bytes);
	ssize_t done;

	bail_if(!copy, "memory");
	memcpy(copy, &index, sizeof(index));
	memcpy(copy + sizeof(index), payload, bytes);
	done = write(fd, copy, sizeof(index) + bytes);
	free(copy);
	return done < 0 ? errno : done == (ssize_t)(sizeof(index) + bytes) ? 0 : -1;
}

static inline int user_writev(int fd, int index, const void *payload, size_t bytes)
{
	struct iovec part[] = { { &index, sizeof(index) }, { (void *)payload, bytes } };
	ssize_t done = writev(fd, part, 2);

	return done < 0 ? errno : done == (ssize_t)(sizeof(index) + bytes) ? 0 : -1;
}

/* Read a parameter of LKST, which is a number. */
static inline unsigned long user_parameter(const char *name)
{
	char path[100], text[30] = "";
	int fd;

	snprintf(path, sizeof(path), USER_PARAMETERS "%s", name);
	fd = open(path, O_RDONLY);
	bail_if(fd < 0 || read(fd, text, sizeof(text) - 1) < 1, path);
	close(fd);
	return strtoul(text, NULL, 10);
}

/* Become a user without privileges. Return 0 or errno. */
static inline int as_nobody(void)
{
	return setgroups(0, NULL) || setgid(65534) || setuid(65534) ? errno : 0;
}

/* An event in /proc/lkst_etypes */
struct user_line {
	int etype; /* -1: there is none */
	bool present;
	bool chain;
	char mnemonic[32];
	char fields[4096];
};

/* Copy the string number @num of a line, counted from 0. Quotes within strings are escaped. */
static inline void user_quoted(const char *line, unsigned int num, char *to, size_t size)
{
	const char *end;

	for (num *= 2; line && num--;)
		line = strchr(line, '"') ? strchr(line, '"') + 1 : NULL;
	line = line ? strchr(line, '"') : NULL;
	end = line ? strchr(line + 1, '"') : NULL;
	snprintf(to, size, "%.*s", end ? (int)(end - line - 1) : 0, end ? line + 1 : "");
}

/*
 * Find the line of an event, whose @label includes "user_events:". If there are several, take the
 * one that is present.
 */
static inline struct user_line user_find(const char *label)
{
	struct user_line found = { .etype = -1 }, line;
	char text[8192], name[2100], state[20], arg1[20];
	FILE *file = fopen("/proc/lkst_etypes", "r");

	bail_if(!file, "/proc/lkst_etypes");
	while (fgets(text, sizeof(text), file)) {
		memset(&line, 0, sizeof(line));
		user_quoted(text, 0, name, sizeof(name));
		if (strcmp(name, label) || sscanf(text, "%x %31s PROGRAM program %19s", &line.etype,
						  line.mnemonic, state) != 3)
			continue;
		user_quoted(text, 1, arg1, sizeof(arg1));
		user_quoted(text, 5, line.fields, sizeof(line.fields));
		line.present = !strcmp(state, "present");
		line.chain = !strcmp(arg1, "chain:chain");
		if (found.etype < 0 || line.present)
			found = line;
	}
	fclose(file);
	return found;
}

/* Start to record: empty the buffer of CPU 0, and record all events of programs. */
static inline void user_record(void)
{
	make_ring(0, 1, USER_SIZE);
	need(set_maskset(USER_SET), "MASKSET_SET");
}

/* Stop recording, and read the records since user_record(). Return their number. */
static inline size_t user_read(void)
{
	struct lkst_log_buffer param;

	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	need(read_buffer_max(&param, 0, 1, user_records, USER_SIZE / RECORD_SIZE), "BUFFER_READ");
	return param.result_read_size / sizeof(*user_records);
}

/* Count the records of a type among the @num that were read. */
static inline unsigned int user_count(size_t num, int etype)
{
	unsigned int count = 0;

	for (size_t i = 0; i < num; i++)
		count += user_records[i].posix.log_event_type == etype;
	return count;
}

/*
 * Get the payload of the only event of a type among the @num records that were read. Return its
 * number of bytes, or -1 if it is missing or incomplete. *@flags is set to the flags of a chain, or
 * to 0. The payload of a single record has 32 bytes.
 */
static inline int user_payload(size_t num, int etype, bool chain, unsigned char *to,
			       unsigned int *flags)
{
	unsigned int have = 0, bytes = 0, now;
	bool found = false;

	*flags = 0;
	for (size_t i = 0; i < num; i++) {
		const struct lkst_log_record *record = &user_records[i];
		const __u64 arg[] = { record->log_arg1, record->log_arg2, record->log_arg3,
				      record->log_arg4 };
		int type = record->posix.log_event_type;

		if (type == etype && !found && !chain) {
			memcpy(to, arg, sizeof(arg));
			return sizeof(arg);
		}
		if (type == etype && !found) {
			found = true;
			bytes = LKST_CHAIN_HEAD_BYTES(arg[0]);
			*flags = LKST_CHAIN_HEAD_FLAGS(arg[0]);
		} else if (type != LKST_MORE || !found) {
			continue;
		}
		now = bytes - have < LKST_CHAIN_BYTES ? bytes - have : LKST_CHAIN_BYTES;
		memcpy(to + have, arg + 1, now);
		have += now;
	}
	return found && have == bytes ? (int)have : -1;
}

/*
 * Wait up to 10 s until an event exists or, if @present is false, until it has ended. Return
 * whether this has happened.
 */
static inline bool user_becomes(const char *label, bool present)
{
	for (int i = 0; i < 1000; i++) {
		if (user_find(label).present == present)
			return true;
		sleep_ms(10);
	}
	return false;
}

/* Return the event handler of a type in a maskset, or -1 if it has no entry. */
static inline int user_entry_of(int id, int etype)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_param param = { .id = id, .maskset_size = LKST_MASKSET_SIZE_MAX,
					    .maskset = (uintptr_t)body };
	int handler = -1;

	bail_if(!body, "memory");
	need(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
	for (unsigned int i = 0; i < body->len; i++)
		if (body->entry[i].event_type == etype)
			handler = body->entry[i].id;
	free(body);
	return handler;
}

#endif
