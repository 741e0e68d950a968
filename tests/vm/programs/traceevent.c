// SPDX-License-Identifier: GPL-2.0
/*
 * Calls the functions of liblkst-traceevent with arguments from the command line, for traceevent.t:
 *
 *	traceevent [CALL [ARGUMENT...] [, CALL ...]]
 *
 * CALL is the name of a command of TraceEvent() without the prefix _NTO_TRACE_, or the name of a
 * function without the prefix trace_. An argument is a number, a text, or the name of a constant
 * without the prefix _NTO_TRACE_. BPF0 and BPF1 are descriptors of BPF programs that return 0 and
 * 1. If the kernel has no BPF, both are 0. For each call, the program prints its result, or the name
 * of its errno.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/neutrino.h>
#include <sys/syscall.h>
#include <sys/trace.h>
#include <unistd.h>

enum {
	LOGI = 1000,
	LOGB,
	LOGBC,
	LOGF,
	NLOGF,
	FUNC_ENTER,
	FUNC_EXIT,
	HERE,
	ARGS = 8,
};

#define WORD(name) { #name, _NTO_TRACE_##name }

static const struct word {
	const char *name;
	int value;
} words[] = {
	WORD(ALLOCBUFFER),
	WORD(DEALLOCBUFFER),
	WORD(FLUSHBUFFER),
	WORD(QUERYEVENTS),
	WORD(SETBUFFER),
	WORD(SETRINGMODE),
	WORD(SETLINEARMODE),
	WORD(START),
	WORD(STARTNOSTATE),
	WORD(STOP),
	WORD(SETALLCLASSESFAST),
	WORD(SETALLCLASSESWIDE),
	WORD(SETCLASSFAST),
	WORD(SETCLASSWIDE),
	WORD(SETEVENTFAST),
	WORD(SETEVENTWIDE),
	WORD(ADDALLCLASSES),
	WORD(DELALLCLASSES),
	WORD(ADDCLASS),
	WORD(DELCLASS),
	WORD(ADDEVENT),
	WORD(DELEVENT),
	WORD(SETCLASSPID),
	WORD(CLRCLASSPID),
	WORD(SETCLASSTID),
	WORD(CLRCLASSTID),
	WORD(SETEVENTPID),
	WORD(CLREVENTPID),
	WORD(SETEVENTTID),
	WORD(CLREVENTTID),
	WORD(ADDCLASSEVHANDLER),
	WORD(DELCLASSEVHANDLER),
	WORD(ADDEVENTHANDLER),
	WORD(DELEVENTHANDLER),
	WORD(INSERTEVENT),
	WORD(INSERTSUSEREVENT),
	WORD(INSERTCUSEREVENT),
	WORD(INSERTUSRSTREVENT),
	WORD(INSERTCCLASSEVENT),
	WORD(EMPTY),
	WORD(CONTROL),
	WORD(KERCALLENTER),
	WORD(KERCALLEXIT),
	WORD(KERCALL),
	WORD(INTENTER),
	WORD(INTEXIT),
	WORD(INT_HANDLER_ENTER),
	WORD(INT_HANDLER_EXIT),
	WORD(INT),
	WORD(PROCESS),
	WORD(THREAD),
	WORD(VTHREAD),
	WORD(COMM),
	WORD(SYSTEM),
	WORD(USER),
	WORD(CONTROLTIME),
	WORD(CONTROLBUFFER),
	WORD(PROCCREATE),
	WORD(PROCCREATE_NAME),
	WORD(PROCDESTROY),
	WORD(PROCDESTROY_NAME),
	WORD(PROCTHREAD_NAME),
	WORD(THDEAD),
	WORD(THRUNNING),
	WORD(THREADY),
	WORD(THCREATE),
	WORD(THDESTROY),
	WORD(THMUTEX),
	WORD(COMM_SMSG),
	WORD(COMM_SPULSE),
	WORD(COMM_RMSG),
	WORD(COMM_SIGNAL),
	WORD(SYS_PATHMGR),
	WORD(SYS_SLOG),
	WORD(SYS_MMAP),
	WORD(USERFIRST),
	WORD(USERLAST),
	{ "logi", LOGI },
	{ "logb", LOGB },
	{ "logbc", LOGBC },
	{ "logf", LOGF },
	{ "nlogf", NLOGF },
	{ "func_enter", FUNC_ENTER },
	{ "func_exit", FUNC_EXIT },
	{ "here", HERE },
};

/* Load a BPF program that returns a number. Return its descriptor, or 0. */
static int load(int result)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = result },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (uintptr_t)insns,
		.insn_cnt = 2,
		.license = (uintptr_t)"GPL",
	};
	long fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	return fd < 0 ? 0 : (int)fd;
}

static int value_of(const char *text)
{
	if (!strncmp(text, "BPF", 3))
		return load(atoi(text + 3));
	for (unsigned int i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(text, words[i].name))
			return words[i].value;
	return (int)strtol(text, NULL, 0);
}

static int function(event_data_t *event)
{
	return !!(event->feature_mask & _NTO_TRACE_FMPID);
}

/* A handler: the BPF program with this descriptor, or a function if there is no program. */
static int (*handler(unsigned int fd))(event_data_t *)
{
	return fd ? LKST_TRACE_BPF(fd) : function;
}

static int call(int cmd, char **text, unsigned int num)
{
	unsigned int list[ARGS] = { 0 };
	void *first = &first;
	event_data_t event;

	for (unsigned int i = 0; i < num; i++)
		list[i] = (unsigned int)value_of(text[i]);
	switch (cmd) {
	case LOGI:
		return trace_logi((int)list[0], list[1], list[2]);
	case LOGB:
		return trace_logb((int)list[0], list + 1, num - 1);
	case LOGBC:
		return trace_logbc((int)list[0], (int)list[1], list + 2, num - 2);
	case LOGF:
		return trace_logf((int)list[0], "%s %d", text[1], (int)list[2]);
	case NLOGF:
		return trace_nlogf((int)list[0], list[1], "%s", text[2]);
	case FUNC_ENTER:
		return trace_func_enter((void *)0x1000, (void *)0x2000);
	case FUNC_EXIT:
		return trace_func_exit((void *)0x1000, (void *)0x2000);
	case HERE:
		return trace_here();
	case _NTO_TRACE_ALLOCBUFFER:
		cmd = TraceEvent(cmd, list[0], &first);
		return first ? cmd : cmd;
	case _NTO_TRACE_SETBUFFER:
		return TraceEvent(cmd, (paddr64_t)strtoull(text[0], NULL, 0), (size_t)list[1]);
	case _NTO_TRACE_ADDCLASSEVHANDLER:
		ThreadCtl(_NTO_TCTL_IO, 0);
		return TraceEvent(cmd, list[0], handler(list[1]), &event);
	case _NTO_TRACE_ADDEVENTHANDLER:
		ThreadCtl(_NTO_TCTL_IO, 0);
		return TraceEvent(cmd, list[0], list[1], handler(list[2]), &event);
	case _NTO_TRACE_INSERTCUSEREVENT:
		return TraceEvent(cmd, list[0], list + 1, num - 1);
	case _NTO_TRACE_INSERTCCLASSEVENT:
		return TraceEvent(cmd, list[0], list[1], list + 2, num - 2);
	case _NTO_TRACE_INSERTUSRSTREVENT:
		return TraceEvent(cmd, list[0], text[1]);
	case _NTO_TRACE_INSERTEVENT:
		_NTO_TRACE_SETEVENT_C(list[0], list[1]);
		_NTO_TRACE_SETEVENT(list[0], list[2]);
		return TraceEvent(cmd, list[0], list[3], list[4], list[5]);
	default:
		return TraceEvent(cmd, list[0], list[1], list[2], list[3]);
	}
}

static const char *errno_name(void)
{
	switch (errno) {
	case ENOTSUP:
		return "ENOTSUP";
	case EPERM:
		return "EPERM";
	case EFAULT:
		return "EFAULT";
	case ENOMEM:
		return "ENOMEM";
	case ECANCELED:
		return "ECANCELED";
	default:
		return strerror(errno);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1, end; i < argc; i = end + 1) {
		int ret;

		for (end = i; end < argc && strcmp(argv[end], ","); end++)
			;
		ret = call(value_of(argv[i]), argv + i + 1, (unsigned int)(end - i - 1));
		if (ret < 0)
			printf("%s%s", i > 1 ? " " : "", errno_name());
		else
			printf("%s%d", i > 1 ? " " : "", ret);
	}
	putchar('\n');
	return 0;
}
