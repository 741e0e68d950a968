// SPDX-License-Identifier: LGPL-2.1
/* One value of an event in words: what the formats of event types mean. */
#include <byteswap.h>

#include "etype_ids.h"
#include "values.h"

#include "names_table.h"

#define NUM(table) (sizeof(table) / sizeof(*(table)))

/* Errors that only the kernel knows (include/linux/errno.h). */
static const char *const kernel_errors[] = {
	[512 - 512] = "ERESTARTSYS",
	[513 - 512] = "ERESTARTNOINTR",
	[514 - 512] = "ERESTARTNOHAND",
	[515 - 512] = "ENOIOCTLCMD",
	[516 - 512] = "ERESTART_RESTARTBLOCK",
	[517 - 512] = "EPROBE_DEFER",
	[518 - 512] = "EOPENSTALE",
	[519 - 512] = "ENOPARAM",
	[521 - 512] = "EBADHANDLE",
	[522 - 512] = "ENOTSYNC",
	[523 - 512] = "EBADCOOKIE",
	[524 - 512] = "ENOTSUPP",
	[525 - 512] = "ETOOSMALL",
	[526 - 512] = "ESERVERFAULT",
	[527 - 512] = "EBADTYPE",
	[528 - 512] = "EJUKEBOX",
	[529 - 512] = "EIOCBQUEUED",
	[530 - 512] = "ERECALLCONFLICT",
	[531 - 512] = "ENOGRACE",
};

/* Signals as on all machines but alpha, mips, parisc and sparc. */
static const char *const signals[] = {
	[1] = "SIGHUP",	    [2] = "SIGINT",   [3] = "SIGQUIT",	 [4] = "SIGILL",   [5] = "SIGTRAP",
	[6] = "SIGABRT",    [7] = "SIGBUS",   [8] = "SIGFPE",	 [9] = "SIGKILL",  [10] = "SIGUSR1",
	[11] = "SIGSEGV",   [12] = "SIGUSR2", [13] = "SIGPIPE",	 [14] = "SIGALRM", [15] = "SIGTERM",
	[16] = "SIGSTKFLT", [17] = "SIGCHLD", [18] = "SIGCONT",	 [19] = "SIGSTOP", [20] = "SIGTSTP",
	[21] = "SIGTTIN",   [22] = "SIGTTOU", [23] = "SIGURG",	 [24] = "SIGXCPU", [25] = "SIGXFSZ",
	[26] = "SIGVTALRM", [27] = "SIGPROF", [28] = "SIGWINCH", [29] = "SIGIO",   [30] = "SIGPWR",
	[31] = "SIGSYS",
};

#define SIGNAL_RT_MIN 32
#define SIGNAL_MAX    64

static const char *const lkst_errors[] = {
	[LKST_ERROR_NO_BUFFER] = "NO_BUFFER",
	[LKST_ERROR_BAD_PARAM] = "BAD_PARAM",
	[LKST_ERROR_SOURCE] = "SOURCE",
};

static const char *const lkst_params[] = {
	[LKST_PARAM_BUFFER_SIZE] = "buffer_size",
	[LKST_PARAM_MASKSET] = "maskset",
	[LKST_PARAM_MEMORY] = "memory",
};

static const char *const softirqs[] = {
	"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
};

static const struct {
	uint64_t flag;
	const char *name;
} clone_flags[] = {
	{ 0x100, "CLONE_VM" },
	{ 0x200, "CLONE_FS" },
	{ 0x400, "CLONE_FILES" },
	{ 0x800, "CLONE_SIGHAND" },
	{ 0x1000, "CLONE_PIDFD" },
	{ 0x2000, "CLONE_PTRACE" },
	{ 0x4000, "CLONE_VFORK" },
	{ 0x8000, "CLONE_PARENT" },
	{ 0x10000, "CLONE_THREAD" },
	{ 0x20000, "CLONE_NEWNS" },
	{ 0x40000, "CLONE_SYSVSEM" },
	{ 0x80000, "CLONE_SETTLS" },
	{ 0x100000, "CLONE_PARENT_SETTID" },
	{ 0x200000, "CLONE_CHILD_CLEARTID" },
	{ 0x400000, "CLONE_DETACHED" },
	{ 0x800000, "CLONE_UNTRACED" },
	{ 0x1000000, "CLONE_CHILD_SETTID" },
	{ 0x2000000, "CLONE_NEWCGROUP" },
	{ 0x4000000, "CLONE_NEWUTS" },
	{ 0x8000000, "CLONE_NEWIPC" },
	{ 0x10000000, "CLONE_NEWUSER" },
	{ 0x20000000, "CLONE_NEWPID" },
	{ 0x40000000, "CLONE_NEWNET" },
	{ 0x80000000, "CLONE_IO" },
	{ 0x100000000, "CLONE_CLEAR_SIGHAND" },
	{ 0x200000000, "CLONE_INTO_CGROUP" },
};

/**
 * lkst_event_text() - text that an event carries
 * @event: event
 * @arg: first argument
 * @args: how many
 * @text: result, 8 bytes for each argument and one more
 */
void lkst_event_text(const struct lkst_event *event, unsigned int arg, unsigned int args,
		     char *text)
{
	for (unsigned int i = 0; i < args; i++) {
		uint64_t word = event->arg[arg + i];

		if (event->swapped)
			word = bswap_64(word);
		memcpy(text + i * 8, &word, 8);
	}
	text[args * 8] = 0;
}

static const char *lookup(const char *const *table, size_t num, uint64_t value)
{
	return value < num ? table[value] : NULL;
}

static void put_signal(struct lkst_out *out, uint64_t value)
{
	const char *name = lookup(signals, NUM(signals), value);

	if (name) {
		out_text(out, name);
	} else if (value >= SIGNAL_RT_MIN && value <= SIGNAL_MAX) {
		out_text(out, "SIGRT");
		out_udec(out, value - SIGNAL_RT_MIN);
	} else {
		out_udec(out, value);
	}
}

/* A result: errors by name; what is too great to be a count or a descriptor in hex. */
static void put_result(struct lkst_out *out, int64_t value)
{
	uint64_t error = -(uint64_t)value;
	const char *name = NULL;

	if (value < 0 && error < 512)
		name = lookup(error_names, NUM(error_names), error);
	else if (value < 0 && error >= 512)
		name = lookup(kernel_errors, NUM(kernel_errors), error - 512);
	if (name) {
		out_char(out, '-');
		out_text(out, name);
	} else if (value > UINT32_MAX || value < -4095) {
		out_hex(out, (uint64_t)value, 1);
	} else {
		out_dec(out, value);
	}
}

static void put_syscall(struct lkst_out *out, const struct lkst_event *event, uint64_t number,
			uint64_t abi)
{
	const char *name = NULL;

	if (abi == 2)
		name = lookup(sys_x32, NUM(sys_x32), number & ~0x40000000ull);
	else if (abi == 1 || (abi == 0 && event->machine == LKST_MACHINE_I386))
		name = lookup(sys_i386, NUM(sys_i386), number);
	else if (abi == 0 && event->machine == LKST_MACHINE_X86_64)
		name = lookup(sys_x86_64, NUM(sys_x86_64), number);
	if (name)
		out_text(out, name);
	else
		out_dec(out, (int32_t)number);
}

static void put_abi(struct lkst_out *out, uint64_t value)
{
	static const char *const abis[] = { "native", "ia32", "x32" };
	const char *name = lookup(abis, NUM(abis), value);

	if (name)
		out_text(out, name);
	else
		out_udec(out, value);
}

static void put_state(struct lkst_out *out, uint64_t value)
{
	unsigned char letter = value & 0xff;

	if (letter <= ' ' || letter >= 0x7f || value > 0x1ff) {
		out_hex(out, value, 1);
		return;
	}
	out_char(out, (char)letter);
	if (value & 0x100)
		out_char(out, '+');
}

static void put_clone(struct lkst_out *out, uint64_t value)
{
	bool first = true;

	for (size_t i = 0; i < NUM(clone_flags); i++) {
		if (!(value & clone_flags[i].flag))
			continue;
		if (!first)
			out_char(out, '|');
		out_text(out, clone_flags[i].name);
		value &= ~clone_flags[i].flag;
		first = false;
	}
	if (value || first) {
		if (!first)
			out_char(out, '|');
		if (value && value <= SIGNAL_MAX)
			put_signal(out, value);
		else
			out_hex(out, value, 1);
	}
}

static void put_wstatus(struct lkst_out *out, uint64_t value)
{
	unsigned int signal = value & 0x7f;

	if (value > 0xffff) {
		out_hex(out, value, 1);
	} else if (!signal) {
		out_text(out, "exit(");
		out_udec(out, value >> 8);
		out_char(out, ')');
	} else {
		out_text(out, "killed(");
		put_signal(out, signal);
		out_text(out, value & 0x80 ? ",core)" : ")");
	}
}

/**
 * lkst_put_process() - a thread, as name-number
 * @out: room was made
 * @names: names
 * @tid: thread
 * @cpu: whose idle thread 0 is
 * @time_ns: when
 */
void lkst_put_process(struct lkst_out *out, struct lkst_names *names, uint32_t tid, int32_t cpu,
		      int64_t time_ns)
{
	const char *name;

	if (!tid) {
		out_text(out, "swapper/");
		out_dec(out, cpu);
		out_text(out, "-0");
		return;
	}
	name = lkst_names_get(names, tid, time_ns);
	if (!name) {
		out_char(out, '<');
		out_udec(out, tid);
		out_char(out, '>');
		return;
	}
	for (; *name; name++)
		out_char(out, (unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name);
	out_char(out, '-');
	out_udec(out, tid);
}

static uint64_t abi_of(const struct lkst_event *event, const struct lkst_etype *type,
		       const struct lkst_field *sys)
{
	for (int i = 0; i < type->fields; i++)
		if (type->field[i].format == LKST_FMT_ABI && type->field[i].arg == sys->arg)
			return (uint32_t)event->arg[sys->arg];
	return 0;
}

/**
 * lkst_put_field() - one value of an event, in the way its type says
 * @out: room was made
 * @names: for threads
 * @event: event
 * @type: of @event
 * @field: of @type
 */
void lkst_put_field(struct lkst_out *out, struct lkst_names *names, const struct lkst_event *event,
		    const struct lkst_etype *type, const struct lkst_field *field)
{
	static const char *const clocks[] = { "ns", "tsc" };
	uint64_t value = event->arg[field->arg];
	int64_t number = (int64_t)value;
	const char *name = NULL;
	char text[33];

	if (field->part == LKST_PART_HIGH)
		value >>= 32;
	else if (field->part == LKST_PART_LOW)
		value = (uint32_t)value;
	if (field->part != LKST_PART_WHOLE)
		number = (int32_t)value;

	switch (field->format) {
	case LKST_FMT_HEX:
	case LKST_FMT_PTR:
	case LKST_FMT_EVH:
		out_hex(out, value, 1);
		return;
	case LKST_FMT_TEXT:
		if (field->part == LKST_PART_WHOLE) {
			lkst_event_text(event, field->arg, field->args, text);
			out_quoted(out, text);
		} else {
			out_hex(out, value, 1);
		}
		return;
	case LKST_FMT_TID:
		lkst_put_process(out, names, (uint32_t)value, event->cpu, event->time_ns);
		return;
	case LKST_FMT_STATE:
		put_state(out, value);
		return;
	case LKST_FMT_SIG:
		put_signal(out, value);
		return;
	case LKST_FMT_ERR:
		put_result(out, number);
		return;
	case LKST_FMT_SYS:
		put_syscall(out, event, value, abi_of(event, type, field));
		return;
	case LKST_FMT_ABI:
		put_abi(out, value);
		return;
	case LKST_FMT_CLONE:
		put_clone(out, value);
		return;
	case LKST_FMT_WSTATUS:
		put_wstatus(out, value);
		return;
	case LKST_FMT_SOFTIRQ:
		name = lookup(softirqs, NUM(softirqs), value);
		break;
	case LKST_FMT_CODE:
		name = lookup(lkst_errors, NUM(lkst_errors), value);
		break;
	case LKST_FMT_CLOCK:
		name = lookup(clocks, NUM(clocks), value);
		break;
	case LKST_FMT_BUF:
		name = value == LKST_BUFFER_ID_VOID ? "none" : NULL;
		break;
	case LKST_FMT_UDEC:
	case LKST_FMT_SEC:
	case LKST_FMT_NSEC:
		out_udec(out, value);
		return;
	case LKST_FMT_DEC:
		/* What the detail of an error is depends on the error. */
		if (type->number == LKST_ETYPE_LKST_ERROR && field->arg == 1 &&
		    event->arg[0] == LKST_ERROR_BAD_PARAM)
			name = lookup(lkst_params, NUM(lkst_params), value);
		break;
	case LKST_FMT_CPU:
	case LKST_FMT_MSET:
		break;
	}
	if (name)
		out_text(out, name);
	else
		out_dec(out, number);
}
