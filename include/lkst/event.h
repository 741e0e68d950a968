/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Events of programs: LKST_EVENT() puts an event with fields into the trace.
 *
 *	#include <lkst/event.h>
 *
 *	LKST_EVENT(request_begin, "id=%u path=%s", id, path);
 *
 * In the trace, the event is called user_events:request_begin, and has the
 * fields "id" and "path". While the event is not recorded, LKST_EVENT() only
 * tests a word in memory. The header needs no library, and can be used in C
 * (C99 or later) and C++ (C++11 or later), in programs and in shared libraries.
 *
 * The program writes its events to a file of the user_events ABI:
 * /dev/lkst_user_events of LKST or, in a kernel with CONFIG_USER_EVENTS,
 * user_events_data. If the kernel has neither file, or the user who runs the
 * program may not read and write it, nothing is recorded.
 *
 * An event is registered when its LKST_EVENT() is first reached. If no file can
 * be opened then, the event stays off until the program is started again.
 */
#ifndef _LKST_EVENT_H
#define _LKST_EVENT_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#else
/* With -std=c99, unistd.h does not declare syscall(). */
long syscall(long number, ...);
#endif

/*
 * The file is opened, written and closed with syscall(), because open(),
 * write() and close() are cancellation points. A thread that is cancelled in
 * LKST_EVENT() would leave the lock set, and could end the program if the
 * caller is noexcept.
 */

/*
 * The maximum number of bytes that an event records. Longer strings are cut. A
 * program may define another value before it includes this header. The kernel
 * accepts up to a page.
 */
#ifndef LKST_EVENT_BYTES
#define LKST_EVENT_BYTES 2048
#endif

/*
 * The bits of lkst_event_site.word. The kernel sets LKST_EVENT_ON while the
 * event is recorded.
 */
#define LKST_EVENT_ON  0x00000001U
#define LKST_EVENT_NEW 0x80000000U /* not registered yet */

/**
 * struct lkst_event_site - a place in the program with LKST_EVENT()
 * @word: LKST_EVENT_* bits
 * @index: number of the event in writes to the file
 * @writers: number of threads that are writing the event
 * @next: next registered site of this program or library
 * @fd: descriptor of the file in which @index is valid. In C++, shared
 *	libraries share the site of an inline function, but each library opens
 *	the file separately
 *
 * @index and @fd are set before LKST_EVENT_NEW is cleared.
 *
 * The libraries that share a site may have been compiled with different
 * versions of this header, so the layout of this structure is ABI.
 */
struct lkst_event_site {
	uint32_t word;
	uint32_t index;
	uint32_t writers;
	struct lkst_event_site *next;
	const int *fd;
};

/* Arguments of ioctls of the user_events ABI (linux/user_events.h). */
struct lkst_event_reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((__packed__));

struct lkst_event_unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((__packed__));

#define LKST_EVENT_MULTI_FORMAT 2 /* flag: events may differ only in their fields */
#define LKST_EVENT_IOCSREG	_IOWR('*', 0, struct lkst_event_reg *)
#define LKST_EVENT_IOCSUNREG	_IOW('*', 2, struct lkst_event_unreg *)

#define LKST_EVENT_STUCK (-1) /* lock: a thread has waited for it too long */

/**
 * struct lkst_event_state - what all events of a program or library share
 * @lock: a futex: ID of the process that is registering an event; 0 if no
 *	process is; or LKST_EVENT_STUCK
 * @opened: whether opening the file was attempted
 * @fd: descriptor of the file, or -1
 * @sites: registered events
 */
struct lkst_event_state {
	int lock;
	int opened;
	int fd;
	struct lkst_event_site *sites;
};

/* All files of a program or library that include this header share one copy. */
__attribute__((__weak__, __visibility__("hidden"))) struct lkst_event_state lkst_event_state = {
	0, 0, -1, NULL
};

/**
 * lkst_event_fd() - the file that events are written to
 *
 * A program that closes files which it has not opened, for example with
 * close_range(), must leave this file open.
 *
 * Return: the descriptor, or -1.
 */
__attribute__((__unused__)) static int lkst_event_fd(void)
{
	return __atomic_load_n(&lkst_event_state.fd, __ATOMIC_RELAXED);
}

/**
 * struct lkst_event_field - a directive of a format
 * @label: name of the field, not terminated; NULL: none
 * @label_len: length of @label
 * @begin: the directive, from its percent sign
 * @end: the character after its conversion
 * @stars: number of int arguments for "*" as width or precision
 * @precise: whether the last of these arguments is the precision
 * @precision: precision in the directive; -1: none
 * @size: bytes of a number; 0: a string
 * @conversion: conversion, such as d
 * @wide: whether the argument is a long double
 */
struct lkst_event_field {
	const char *label;
	int label_len;
	const char *begin;
	const char *end;
	int stars;
	int precise;
	int precision;
	unsigned int size;
	char conversion;
	int wide;
};

/* Whether a character can be part of a label. */
static inline int lkst_event_in_label(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Set the label to the word before the "=", if a "=" precedes the directive. */
static inline void lkst_event_set_label(struct lkst_event_field *field, const char *format)
{
	const char *end = field->begin, *p;

	field->label = NULL;
	if (end == format || *--end != '=')
		return;
	for (p = end; p > format && lkst_event_in_label(p[-1]); p--)
		;
	if (p == end || (*p >= '0' && *p <= '9'))
		return;
	field->label = p;
	field->label_len = (int)(end - p);
}

/* Return the number of bytes of a number with the length modifier @length. */
static inline unsigned int lkst_event_size(char length)
{
	switch (length) {
	case 'l':
		return sizeof(long);
	case 'z':
		return sizeof(size_t);
	case 't':
		return sizeof(ptrdiff_t);
	case 'q':
	case 'L':
	case 'j':
		return sizeof(uint64_t);
	default:
		return sizeof(int);
	}
}

/*
 * Find the next directive of @format from *@at, and advance *@at. Return 0 at
 * the end of @format, and for a directive that cannot be recorded (%m, %ls).
 */
static inline int lkst_event_next(const char *format, const char **at,
				  struct lkst_event_field *field)
{
	const char *p = *at;
	char length = 0;

	while (*p && (p[0] != '%' || p[1] == '%'))
		p += p[0] == '%' ? 2 : 1;
	if (!*p)
		return 0;
	field->begin = p++;
	lkst_event_set_label(field, format);
	field->stars = field->precise = 0;
	field->precision = -1;
	for (; *p && strchr("-+ #0123456789*.'", *p); p++) {
		if (*p == '.') {
			field->precision = 0;
			field->precise = p[1] == '*';
		} else if (field->precision >= 0 && *p >= '0' && *p <= '9') {
			field->precision = field->precision * 10 + (*p - '0');
		}
		field->stars += *p == '*';
	}
	for (; *p && strchr("hlLqjzt", *p); p++)
		length = (char)(*p == 'l' && length == 'l' ? 'q' : *p);
	field->conversion = *p;
	field->wide = length == 'L';
	if (!*p)
		return 0;
	if (*p == 'p')
		field->size = sizeof(void *);
	else if (strchr("diuxXo", *p))
		field->size = lkst_event_size(length);
	else if (*p == 'c' && !length)
		field->size = 1;
	else if ((*p == 's' && !length) || strchr("fFeEgGaA", *p))
		field->size = 0;
	else
		return 0;
	field->end = *at = p + 1;
	return 1;
}

/*
 * Write the name of the event and its fields to @to, as user_events expects
 * them. Return 0 if they do not fit.
 */
static inline int lkst_event_declare(const char *text, char *to, size_t size)
{
	const char *at = strchr(text, ' '), *type;
	struct lkst_event_field field;
	size_t len = (size_t)snprintf(to, size, "%.*s", (int)(at - text), text);
	int number = 0;

	while (len < size && lkst_event_next(text, &at, &field)) {
		type = field.size == 8 ? "64" : "32";
		len += (size_t)snprintf(to + len, size - len, "%s %s%s ", number ? ";" : "",
					!field.size	? "__rel_loc char[]" :
					field.size == 1 ? "char" :
					field.conversion == 'd' || field.conversion == 'i' ? "s" :
											     "u",
					field.size > 1 ? type : "");
		number++;
		if (len >= size)
			break;
		if (field.label)
			len += (size_t)snprintf(to + len, size - len, "%.*s", field.label_len,
						field.label);
		else
			len += (size_t)snprintf(to + len, size - len, "arg%d", number);
	}
	return len < size;
}

/*
 * Block all signals, and take the lock. While this thread holds the lock, no
 * signal handler can run in it, so LKST_EVENT() in a signal handler never waits
 * for the thread that it has interrupted. The system call is used directly,
 * because sigprocmask() does not block the signals of pthread_cancel().
 *
 * A lock that another process holds was copied by fork() while a thread of the
 * parent held it. That thread does not exist in this process, so take the lock
 * over. In another PID namespace, this process may have the same ID as the
 * parent. The lock then seems to be held by a thread of this process. So give
 * up if the lock is not released within five seconds. Later callers then fail
 * immediately. If a thread of this process did hold the lock, later callers
 * succeed again when it releases the lock.
 *
 * Return whether the lock was taken. If not, signals are not blocked either.
 */
static inline int lkst_event_lock(uint64_t *signals)
{
	const uint64_t all = UINT64_MAX;
	/* SYS_futex expects two longs, which struct timespec need not be. */
	const long timeout[2] = { 5, 0 };
	int self = (int)getpid(), holder;

	syscall(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, &all, signals, sizeof(all));
	for (;;) {
		holder = __atomic_load_n(&lkst_event_state.lock, __ATOMIC_RELAXED);
		if (holder == LKST_EVENT_STUCK)
			break;
		if (holder != self) {
			if (__atomic_compare_exchange_n(&lkst_event_state.lock, &holder, self, 0,
							__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
				return 1;
		} else if (syscall(SYS_futex, &lkst_event_state.lock, 128 /* FUTEX_WAIT_PRIVATE */,
				   self, timeout) &&
			   errno == ETIMEDOUT) {
			__atomic_compare_exchange_n(&lkst_event_state.lock, &holder,
						    LKST_EVENT_STUCK, 0, __ATOMIC_RELAXED,
						    __ATOMIC_RELAXED);
		}
	}
	syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, signals, NULL, sizeof(*signals));
	return 0;
}

static inline void lkst_event_unlock(const uint64_t *signals)
{
	__atomic_store_n(&lkst_event_state.lock, 0, __ATOMIC_RELEASE);
	syscall(SYS_futex, &lkst_event_state.lock, 129 /* FUTEX_WAKE_PRIVATE */, INT_MAX);
	syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, signals, NULL, sizeof(*signals));
}

static inline void lkst_event_open(void)
{
	static const char *const names[] = {
		"/dev/lkst_user_events",
		"/sys/kernel/tracing/user_events_data",
		"/sys/kernel/debug/tracing/user_events_data",
	};
	unsigned int i;
	int fd = -1, low;

	if (lkst_event_state.opened)
		return;
	for (i = 0; i < sizeof(names) / sizeof(*names) && fd < 0; i++)
		fd = (int)syscall(SYS_openat, -100 /* AT_FDCWD */, names[i], O_RDWR);
	/*
	 * In a daemon that has closed its standard files, do not use one of
	 * their descriptors.
	 */
	if (fd >= 0 && fd < 3) {
		low = fd;
		fd = fcntl(low, F_DUPFD, 3);
		syscall(SYS_close, low);
	}
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	__atomic_store_n(&lkst_event_state.fd, fd, __ATOMIC_RELAXED);
	__atomic_store_n(&lkst_event_state.opened, 1, __ATOMIC_RELAXED);
}

/* Detach the word of @site from its event, if it is attached. */
static inline void lkst_event_detach(struct lkst_event_site *site)
{
	struct lkst_event_unreg unreg;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = sizeof(unreg);
	unreg.disable_addr = (uint64_t)(uintptr_t)&site->word;
	ioctl(lkst_event_state.fd, LKST_EVENT_IOCSUNREG, &unreg);
}

static inline int lkst_event_register_as(struct lkst_event_site *site, const char *declaration,
					 uint16_t flags)
{
	struct lkst_event_reg reg;
	int ret;

	memset(&reg, 0, sizeof(reg));
	reg.size = sizeof(reg);
	reg.enable_size = sizeof(site->word);
	reg.flags = flags;
	reg.enable_addr = (uint64_t)(uintptr_t)&site->word;
	reg.name_args = (uint64_t)(uintptr_t)declaration;
	ret = ioctl(lkst_event_state.fd, LKST_EVENT_IOCSREG, &reg);
	site->index = reg.write_index;
	site->fd = &lkst_event_state.fd;
	return ret;
}

static inline int lkst_event_is_listed(const struct lkst_event_site *site)
{
	const struct lkst_event_site *listed = lkst_event_state.sites;

	while (listed && listed != site)
		listed = listed->next;
	return listed != NULL;
}

/**
 * lkst_event_register() - register an event, unless it is registered already
 * @site: site of the event, whose word is initially LKST_EVENT_NEW
 * @declaration: name and fields of the event in the format of user_events;
 *	NULL: the registration fails
 *
 * If the registration fails, the event is off for good. If the lock cannot be
 * taken, the event is registered when it is reached again.
 */
__attribute__((__unused__, __noinline__, __cold__)) static void
lkst_event_register(struct lkst_event_site *site, const char *declaration)
{
	uint64_t signals;
	int ret = -1;

	if (!lkst_event_lock(&signals))
		return;
	if (__atomic_load_n(&site->word, __ATOMIC_RELAXED) & LKST_EVENT_NEW) {
		lkst_event_open();
		if (declaration && lkst_event_state.fd >= 0) {
			/*
			 * The parent may have forked while it was registering
			 * the site.
			 */
			lkst_event_detach(site);
			ret = lkst_event_register_as(site, declaration, 0);
			/* The name is in use with other fields. */
			if (ret && errno == EADDRINUSE)
				ret = lkst_event_register_as(site, declaration,
							     LKST_EVENT_MULTI_FORMAT);
		}
		/* The parent may have added the site before it forked. */
		if (!ret && !lkst_event_is_listed(site)) {
			site->next = lkst_event_state.sites;
			__atomic_store_n(&lkst_event_state.sites, site, __ATOMIC_RELEASE);
		}
		/*
		 * The release makes @index and @fd visible to threads that see
		 * the bit cleared.
		 */
		__atomic_fetch_and(&site->word, ~LKST_EVENT_NEW, __ATOMIC_RELEASE);
	}
	lkst_event_unlock(&signals);
}

__attribute__((__unused__, __noinline__, __cold__)) static void
lkst_event_register_text(struct lkst_event_site *site, const char *text)
{
	char declaration[512];

	if (lkst_event_declare(text, declaration, sizeof(declaration)))
		lkst_event_register(site, declaration);
	else
		lkst_event_register(site, NULL);
}

/**
 * struct lkst_event_payload - an event that is being built
 * @index: number of the event; written to the file together with the payload
 * @data: payload
 * @fixed: number of bytes of the fields so far, without the strings
 * @used: number of bytes in use, with the strings
 * @strings: number of strings that will still be added
 */
struct lkst_event_payload {
	uint32_t index;
	char data[LKST_EVENT_BYTES];
	size_t fixed;
	size_t used;
	size_t strings;
};

static inline void lkst_event_put(struct lkst_event_payload *to, const void *from, size_t size)
{
	memcpy(to->data + to->fixed, from, size);
	to->fixed += size;
}

/*
 * Add a string, and a field with its position. The string is cut after @most
 * bytes, or where the space ends.
 */
static inline void lkst_event_put_text(struct lkst_event_payload *to, const char *text, size_t most)
{
	/* Each string, including this one, needs at least a terminating 0. */
	size_t room = sizeof(to->data) - to->used - to->strings--, len;
	uint32_t where;

	if (!text)
		text = "(null)";
	if (most > room)
		most = room;
	for (len = 0; len < most && text[len]; len++)
		;
	memcpy(to->data + to->used, text, len);
	to->data[to->used + len] = 0;
	/* The position is relative to the end of the field that contains it. */
	where = (uint32_t)(to->used - to->fixed - sizeof(where)) | (uint32_t)(len + 1) << 16;
	lkst_event_put(to, &where, sizeof(where));
	to->used += len + 1;
}

/* Add a floating-point number as a string: user_events has no type for it. */
static inline void lkst_event_put_real(struct lkst_event_payload *to,
				       const struct lkst_event_field *field, int precision,
				       long double value)
{
	char text[64];

	if (precision < 0 || precision > 40)
		precision = 6;
	if (field->conversion == 'f' || field->conversion == 'F')
		snprintf(text, sizeof(text), "%.*Lf", precision, value);
	else
		snprintf(text, sizeof(text), "%.*Lg", precision, value);
	lkst_event_put_text(to, text, sizeof(text));
}

/* Prepare a payload. Return 0 if there is no room for all fields. */
static inline int lkst_event_begin(struct lkst_event_payload *payload, const char *text)
{
	const char *at = strchr(text, ' ');
	struct lkst_event_field field;

	payload->fixed = payload->used = payload->strings = 0;
	while (lkst_event_next(text, &at, &field)) {
		payload->used += field.size ? field.size : sizeof(uint32_t);
		payload->strings += !field.size;
	}
	return payload->used + payload->strings <= sizeof(payload->data);
}

/*
 * Write a payload to the file, unless the event is off. lkst_event_unregister()
 * turns the event off before it reads @writers, so it either sees that this
 * thread may be using the descriptor, or makes this thread see that the event
 * is off. Both threads need sequentially consistent accesses for that.
 */
static inline void lkst_event_write(struct lkst_event_site *site,
				    struct lkst_event_payload *payload)
{
	__atomic_fetch_add(&site->writers, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&site->word, __ATOMIC_SEQ_CST) == LKST_EVENT_ON) {
		payload->index = site->index;
		/* This fails with EBADF if the event has been turned off. */
		syscall(SYS_write, __atomic_load_n(site->fd, __ATOMIC_RELAXED), payload,
			sizeof(payload->index) + payload->used);
	}
	__atomic_fetch_sub(&site->writers, 1, __ATOMIC_RELEASE);
}

/* Register the event, unless it is registered, and record it if it is on. */
__attribute__((__unused__, __noinline__, __cold__, __format__(__printf__, 2, 3))) static void
lkst_event_record(struct lkst_event_site *site, const char *text, ...)
{
	const char *at = strchr(text, ' ');
	struct lkst_event_payload payload;
	struct lkst_event_field field;
	int saved = errno, precision;
	uint64_t number;
	uint32_t half;
	va_list args;

	if (__atomic_load_n(&site->word, __ATOMIC_RELAXED) & LKST_EVENT_NEW)
		lkst_event_register_text(site, text);
	if (__atomic_load_n(&site->word, __ATOMIC_ACQUIRE) != LKST_EVENT_ON ||
	    !lkst_event_begin(&payload, text)) {
		errno = saved;
		return;
	}
	va_start(args, text);
	while (lkst_event_next(text, &at, &field)) {
		precision = field.precision;
		for (; field.stars; field.stars--) {
			half = (uint32_t)va_arg(args, int);
			if (field.precise && field.stars == 1)
				precision = (int)half;
		}
		if (field.conversion == 's') {
			lkst_event_put_text(&payload, va_arg(args, const char *),
					    precision < 0 ? LKST_EVENT_BYTES : (size_t)precision);
		} else if (!field.size) {
			lkst_event_put_real(&payload, &field, precision,
					    field.wide ? va_arg(args, long double) :
							 (long double)va_arg(args, double));
		} else if (field.conversion == 'p') {
			number = (uint64_t)(uintptr_t)va_arg(args, void *);
			half = (uint32_t)number;
			if (field.size == 8)
				lkst_event_put(&payload, &number, sizeof(number));
			else
				lkst_event_put(&payload, &half, sizeof(half));
		} else if (field.size == 8) {
			number = va_arg(args, uint64_t);
			lkst_event_put(&payload, &number, sizeof(number));
		} else if (field.size == 1) {
			payload.data[payload.fixed++] = (char)va_arg(args, int);
		} else {
			half = va_arg(args, uint32_t);
			lkst_event_put(&payload, &half, sizeof(half));
		}
	}
	va_end(args);
	lkst_event_write(site, &payload);
	errno = saved;
}

/*
 * Wait until no thread is writing the event, and return 1. Return 0 after 1000
 * attempts: a signal handler may have interrupted the write and called exit(),
 * or fork() may have copied the number of writers.
 */
static inline int lkst_event_is_idle(const struct lkst_event_site *site)
{
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		if (!__atomic_load_n(&site->writers, __ATOMIC_SEQ_CST))
			return 1;
		sched_yield();
	}
	return 0;
}

/*
 * Unregister all events and close the file. dlclose() frees the memory of the
 * words afterwards, so the kernel must no longer write to them. The file is not
 * opened again.
 *
 * When the program exits, other threads may be recording events. If one of them
 * does not finish, the file stays open: otherwise, the program could open
 * another file with the same descriptor, and the event would be written there.
 */
__attribute__((__destructor__, __unused__)) static void lkst_event_unregister(void)
{
	struct lkst_event_site *site;
	int fd, idle = 1;
	uint64_t signals;

	if (!__atomic_load_n(&lkst_event_state.opened, __ATOMIC_RELAXED) ||
	    !lkst_event_lock(&signals))
		return;
	for (site = lkst_event_state.sites; site; site = site->next) {
		lkst_event_detach(site);
		__atomic_store_n(&site->word, 0, __ATOMIC_SEQ_CST);
	}
	for (site = lkst_event_state.sites; site; site = site->next)
		idle = lkst_event_is_idle(site) && idle;
	lkst_event_state.sites = NULL;
	fd = __atomic_exchange_n(&lkst_event_state.fd, -1, __ATOMIC_RELAXED);
	if (fd >= 0 && idle)
		syscall(SYS_close, fd);
	lkst_event_unlock(&signals);
}

/* LKST_EVENT() with the name and the format in one string. */
#define lkst_event_at(...)                                                                      \
	do {                                                                                    \
		static struct lkst_event_site lkst_event_site_ = { LKST_EVENT_NEW, 0, 0, NULL,  \
								   NULL };                      \
                                                                                                \
		if (__builtin_expect(                                                           \
			    __atomic_load_n(&lkst_event_site_.word, __ATOMIC_RELAXED) != 0, 0)) \
			lkst_event_record(&lkst_event_site_, __VA_ARGS__);                      \
	} while (0)

/**
 * LKST_EVENT() - record an event
 * @name: name of the event, without quotation marks
 * @...: a format as for printf(), which must be a string literal, and its
 *	arguments. "label=" in front of a directive names its field; fields
 *	without a label are called arg1, arg2 and so on. Other text in the
 *	format is not recorded. The format "" records an event without fields
 *
 * Integers, characters and pointers are recorded as such, and strings with up
 * to LKST_EVENT_BYTES bytes. Floating-point numbers are recorded as strings.
 * If the names and types of the event and its fields take more than 511 bytes,
 * the event is not recorded.
 *
 * Context: any thread, and signal handlers, but not a child of vfork(), which
 * shares the memory of its parent. errno does not change. While an event is
 * being registered, other threads that register events wait, and signals are
 * blocked.
 */
#define LKST_EVENT(name, ...) lkst_event_at(#name " " __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
