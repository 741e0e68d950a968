// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "html_names.h"
#include "lkstla/tally.h"

/* A damaged trace can contain any number of names. Above these limits, no names are stored. */
#define NAMES_CALLS_MAX	  65536
#define NAMES_STRINGS_MAX (1u << 20)
#define NAMES_TEXT_MAX	  (64u << 20)

/*
 * An entry of a table of names. The table of texts does not contain the texts themselves. Its keys
 * are hashes that are long enough to distinguish the texts.
 */
struct names_entry {
	struct hash_head head;
	uint32_t number;
};

struct names_context {
	struct context_row row;
	uint32_t number;
};

const char *const html_state_keys[HTML_STATES] = {
	[HTML_NONE] = "none",
	[HTML_UNKNOWN] = "unknown",
	[HTML_IDLE] = "idle",
	[HTML_USER] = "user",
	[HTML_KERNEL] = "kernel",
	[HTML_RUNNING] = "running",
	[HTML_SOFTIRQ] = "softirq",
	[HTML_HARDIRQ] = "hardirq",
	[HTML_WOKEN] = "woken",
	[HTML_PREEMPTED] = "preempted",
	[HTML_BLOCKED] = "blocked",
	[HTML_DISK] = "blocked-disk",
	[HTML_RESTING] = "resting",
	[HTML_STOPPED] = "stopped",
	[HTML_IN_TIME] = "blocked-time",
	[HTML_IN_POLL] = "blocked-poll",
	[HTML_IN_FUTEX] = "blocked-futex",
	[HTML_IN_FILE] = "blocked-file",
	[HTML_IN_SOCKET] = "blocked-socket",
	[HTML_IN_CHILD] = "blocked-child",
	[HTML_IN_SIGNAL] = "blocked-signal",
	[HTML_IN_CALL] = "blocked-call",
};

const char *const html_state_names[HTML_STATES] = {
	[HTML_NONE] = "",
	[HTML_UNKNOWN] = "unknown",
	[HTML_IDLE] = "idle",
	[HTML_USER] = "running in user mode",
	[HTML_KERNEL] = "running in the kernel",
	[HTML_RUNNING] = "running",
	[HTML_SOFTIRQ] = "softirq",
	[HTML_HARDIRQ] = "hard interrupt",
	[HTML_WOKEN] = "woken up, waiting for a CPU",
	[HTML_PREEMPTED] = "preempted, waiting for a CPU",
	[HTML_BLOCKED] = "blocked",
	[HTML_DISK] = "blocked, not interruptible (D)",
	[HTML_RESTING] = "kernel thread without work (I)",
	[HTML_STOPPED] = "stopped or traced (T)",
	[HTML_IN_TIME] = "blocked in a call that waits for a time",
	[HTML_IN_POLL] = "blocked in a call that polls",
	[HTML_IN_FUTEX] = "blocked in futex",
	[HTML_IN_FILE] = "blocked in a call for a file or pipe",
	[HTML_IN_SOCKET] = "blocked in a call for a socket",
	[HTML_IN_CHILD] = "blocked in a call that waits for a child",
	[HTML_IN_SIGNAL] = "blocked in a call that waits for a signal",
	[HTML_IN_CALL] = "blocked in a system call",
};

/* Return the class of a state. The page chooses the colour of a state by its class. */
const char *html_state_class(enum html_state state)
{
	switch (state) {
	case HTML_NONE:
		return "none";
	case HTML_UNKNOWN:
		return "unknown";
	case HTML_IDLE:
		return "idle";
	case HTML_USER:
	case HTML_KERNEL:
	case HTML_RUNNING:
		return "running";
	case HTML_SOFTIRQ:
	case HTML_HARDIRQ:
		return "interrupt";
	case HTML_WOKEN:
	case HTML_PREEMPTED:
		return "runnable";
	default:
		return "blocked";
	}
}

void html_names_init(struct html_names *names, const struct run *run)
{
	*names = (struct html_names){
		.run = run,
		.calls = { .size = sizeof(struct names_entry), .max = NAMES_CALLS_MAX },
		.contexts = { .size = sizeof(struct names_context), .max = CONTEXT_ROWS_MAX },
		.strings = { .size = sizeof(struct names_entry), .max = NAMES_STRINGS_MAX },
	};
	html_put_bytes(&names->text, "", 1);
}

void html_names_free(struct html_names *names)
{
	hash_free(&names->calls);
	hash_free(&names->contexts);
	hash_free(&names->strings);
	free(names->call);
	free(names->context);
	html_bytes_free(&names->text);
}

/* ---- system calls ---- */

static enum html_state names_state(const char *call)
{
	static const struct {
		enum html_state state;
		const char *calls;
	} kinds[] = {
		{ HTML_IN_TIME, " nanosleep clock_nanosleep alarm " },
		{ HTML_IN_POLL,
		  " poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2 io_getevents "
		  "io_pgetevents io_uring_enter " },
		{ HTML_IN_FUTEX, " futex futex_wait futex_waitv futex_requeue " },
		{ HTML_IN_FILE,
		  " read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open "
		  "openat openat2 close creat fsync fdatasync sync syncfs sync_file_range msync "
		  "fallocate truncate ftruncate sendfile splice tee vmsplice copy_file_range flock "
		  "fcntl getdents getdents64 stat fstat lstat newfstatat statx unlink unlinkat "
		  "rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat "
		  "readahead fadvise64 " },
		{ HTML_IN_SOCKET,
		  " accept accept4 connect recvfrom recvmsg recvmmsg sendto sendmsg sendmmsg shutdown "
		  "recv send " },
		{ HTML_IN_CHILD, " wait4 waitid waitpid vfork " },
		{ HTML_IN_SIGNAL,
		  " pause rt_sigsuspend sigsuspend rt_sigtimedwait sigtimedwait rt_sigtimedwait_time64 " },
	};
	char word[CALL_NAME_SIZE + 2];

	snprintf(word, sizeof(word), " %s ", call);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strstr(kinds[i].calls, word))
			return kinds[i].state;
	return HTML_IN_CALL;
}

/**
 * html_names_call() - get the number of a system call, or assign one
 * @names: names
 * @thread: thread that called it
 * @number: number of the call in its ABI
 * @abi: ABI
 *
 * Return: 1 plus its index in @names->call; 0: an allocation failed, which the model reports.
 */
uint32_t html_names_call(struct html_names *names, const struct lkst_thread *thread, int32_t number,
			 uint8_t abi)
{
	const uint64_t key[HASH_WORDS] = { (uint64_t)thread->machine << 8 | abi, (uint32_t)number };
	const struct lkst_syscall_span span = { .thread = thread, .number = number, .abi = abi };
	struct names_entry *entry;
	struct html_call *call;

	if (hash_add_row(&names->calls, key, &entry) == HASH_ADDED) {
		entry->number = (uint32_t)names->calls.num;
		call = tally_cover(names->call, &names->calls_room, entry->number - 1,
				   sizeof(*call));
		if (!call) {
			run_out_of_memory(names->run);
			hash_remove(&names->calls, entry);
			return 0;
		}
		names->call = call;
		call += entry->number - 1;
		if (hash_is_rest(entry))
			snprintf(call->name, sizeof(call->name), "(others)");
		else
			call_name(&span, call->name);
		call->state = names_state(call->name);
	}
	if (!entry)
		run_out_of_memory(names->run);
	return entry ? entry->number : 0;
}

/* ---- contexts ---- */

/**
 * html_names_context() - get the number of a context, or assign one
 * @names: names
 * @id: identifies the interrupt, softirq, timer function, work item or exception
 *
 * Return: 1 plus its index in @names->context; 0: an allocation failed, which the model reports.
 */
uint32_t html_names_context(struct html_names *names, const struct context_id *id)
{
	struct names_context *entry = context_row(&names->contexts, id);
	struct context_row *context;

	if (entry && !entry->number) {
		context = tally_cover(names->context, &names->contexts_room,
				      names->contexts.num - 1, sizeof(*context));
		if (context) {
			names->context = context;
			context[names->contexts.num - 1] = entry->row;
			entry->number = (uint32_t)names->contexts.num;
			return entry->number;
		}
		hash_remove(&names->contexts, entry);
		entry = NULL;
	}
	if (!entry)
		run_out_of_memory(names->run);
	return entry ? entry->number : 0;
}

/* ---- texts ---- */

/*
 * Make a key from the length of a text and two hashes. In practice, no two texts have the same key.
 */
static void names_hash(const char *text, uint64_t key[HASH_WORDS])
{
	uint64_t fnv = 0xcbf29ce484222325, other = 0;
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		fnv = (fnv ^ (unsigned char)text[i]) * 0x100000001b3;
		other = (other + (unsigned char)text[i]) * 0x9e3779b97f4a7c15;
		other ^= other >> 29;
	}
	key[0] = fnv;
	key[1] = other;
	key[2] = len;
}

/**
 * html_names_string() - get the number of a text, or assign one
 * @names: names
 * @text: text; NULL or "": none
 *
 * Return: the number; 0 if there is no text, if there are too many texts, or if an allocation
 * failed, which the model reports.
 */
uint32_t html_names_string(struct html_names *names, const char *text)
{
	struct names_entry *entry;
	uint64_t key[HASH_WORDS];
	enum hash_result result;

	if (!text || !*text)
		return 0;
	names_hash(text, key);
	entry = hash_find(&names->strings, key);
	if (entry)
		return entry->number;
	if (names->text.len > NAMES_TEXT_MAX)
		return 0;
	result = hash_add(&names->strings, key, &entry);
	if (result == HASH_ADDED) {
		html_put_bytes(&names->text, text, strlen(text) + 1);
		entry->number = (uint32_t)names->strings.num;
	}
	if (result == HASH_NO_MEMORY || names->text.failed)
		run_out_of_memory(names->run);
	return entry ? entry->number : 0;
}

/**
 * html_names_text() - get a text by its number
 * @names: names
 * @number: number
 *
 * The time that this takes is proportional to the number.
 */
const char *html_names_text(const struct html_names *names, uint64_t number)
{
	const char *text = (const char *)names->text.data;
	size_t at = 0;

	for (; number && at < names->text.len; number--)
		at += strlen(text + at) + 1;
	return at < names->text.len ? text + at : "";
}
