/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * TraceEvent(), QNX's interface for tracing, on top of LKST. See traceevent(3),
 * which says what each class and command does on Linux.
 */
#ifndef _LKST_SYS_TRACE_H
#define _LKST_SYS_TRACE_H

#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of arguments, from QNX's <sys/types.h> */
typedef uint64_t paddr64_t;
typedef pid_t tid_t;

/* Commands */
enum {
	_NTO_TRACE_ALLOCBUFFER = 1,
	_NTO_TRACE_DEALLOCBUFFER,
	_NTO_TRACE_FLUSHBUFFER,
	_NTO_TRACE_QUERYEVENTS,
	_NTO_TRACE_SETBUFFER,
	_NTO_TRACE_SETRINGMODE,
	_NTO_TRACE_SETLINEARMODE,
	_NTO_TRACE_START,
	_NTO_TRACE_STARTNOSTATE,
	_NTO_TRACE_STOP,
	_NTO_TRACE_SETALLCLASSESFAST,
	_NTO_TRACE_SETALLCLASSESWIDE,
	_NTO_TRACE_SETCLASSFAST,
	_NTO_TRACE_SETCLASSWIDE,
	_NTO_TRACE_SETEVENTFAST,
	_NTO_TRACE_SETEVENTWIDE,
	_NTO_TRACE_ADDALLCLASSES,
	_NTO_TRACE_DELALLCLASSES,
	_NTO_TRACE_ADDCLASS,
	_NTO_TRACE_DELCLASS,
	_NTO_TRACE_ADDEVENT,
	_NTO_TRACE_DELEVENT,
	_NTO_TRACE_SETCLASSPID,
	_NTO_TRACE_CLRCLASSPID,
	_NTO_TRACE_SETCLASSTID,
	_NTO_TRACE_CLRCLASSTID,
	_NTO_TRACE_SETEVENTPID,
	_NTO_TRACE_CLREVENTPID,
	_NTO_TRACE_SETEVENTTID,
	_NTO_TRACE_CLREVENTTID,
	_NTO_TRACE_ADDCLASSEVHANDLER,
	_NTO_TRACE_DELCLASSEVHANDLER,
	_NTO_TRACE_ADDEVENTHANDLER,
	_NTO_TRACE_DELEVENTHANDLER,
	_NTO_TRACE_INSERTEVENT,
	_NTO_TRACE_INSERTSUSEREVENT,
	_NTO_TRACE_INSERTCUSEREVENT,
	_NTO_TRACE_INSERTUSRSTREVENT,
	_NTO_TRACE_INSERTCCLASSEVENT,
};

/* Classes, and pseudo classes that stand for several of them */
enum {
	_NTO_TRACE_EMPTY,
	_NTO_TRACE_CONTROL,
	_NTO_TRACE_KERCALLENTER,
	_NTO_TRACE_KERCALLEXIT,
	_NTO_TRACE_INTENTER,
	_NTO_TRACE_INTEXIT,
	_NTO_TRACE_INT_HANDLER_ENTER,
	_NTO_TRACE_INT_HANDLER_EXIT,
	_NTO_TRACE_PROCESS,
	_NTO_TRACE_THREAD,
	_NTO_TRACE_VTHREAD,
	_NTO_TRACE_COMM,
	_NTO_TRACE_SYSTEM,
	_NTO_TRACE_USER,
	_NTO_TRACE_KERCALL,
	_NTO_TRACE_INT,
};

/* Events of the class _NTO_TRACE_CONTROL */
enum {
	_NTO_TRACE_CONTROLTIME = 1,
	_NTO_TRACE_CONTROLBUFFER,
};

/* Events of the class _NTO_TRACE_PROCESS */
enum {
	_NTO_TRACE_PROCCREATE = 1,
	_NTO_TRACE_PROCCREATE_NAME,
	_NTO_TRACE_PROCDESTROY,
	_NTO_TRACE_PROCDESTROY_NAME,
	_NTO_TRACE_PROCTHREAD_NAME,
};

/* Events of the classes _NTO_TRACE_THREAD and _NTO_TRACE_VTHREAD */
enum {
	_NTO_TRACE_THDEAD,
	_NTO_TRACE_THRUNNING,
	_NTO_TRACE_THREADY,
	_NTO_TRACE_THSTOPPED,
	_NTO_TRACE_THSEND,
	_NTO_TRACE_THRECEIVE,
	_NTO_TRACE_THREPLY,
	_NTO_TRACE_THSTACK,
	_NTO_TRACE_THWAITTHREAD,
	_NTO_TRACE_THWAITPAGE,
	_NTO_TRACE_THSIGSUSPEND,
	_NTO_TRACE_THSIGWAITINFO,
	_NTO_TRACE_THNANOSLEEP,
	_NTO_TRACE_THMUTEX,
	_NTO_TRACE_THCONDVAR,
	_NTO_TRACE_THJOIN,
	_NTO_TRACE_THINTR,
	_NTO_TRACE_THSEM,
	_NTO_TRACE_THWAITCTX,
	_NTO_TRACE_THNET_SEND,
	_NTO_TRACE_THNET_REPLY,
	_NTO_TRACE_THCREATE,
	_NTO_TRACE_THDESTROY,
};

/* Events of the class _NTO_TRACE_COMM */
enum {
	_NTO_TRACE_COMM_SMSG = 1,
	_NTO_TRACE_COMM_SPULSE,
	_NTO_TRACE_COMM_RMSG,
	_NTO_TRACE_COMM_RPULSE,
	_NTO_TRACE_COMM_REPLY,
	_NTO_TRACE_COMM_ERROR,
	_NTO_TRACE_COMM_SIGNAL,
};

/* Events of the class _NTO_TRACE_SYSTEM */
enum {
	_NTO_TRACE_SYS_PATHMGR = 1,
	_NTO_TRACE_SYS_SLOG,
	_NTO_TRACE_SYS_MMAP,
	_NTO_TRACE_SYS_MUNMAP,
	_NTO_TRACE_SYS_ADDRESS,
	_NTO_TRACE_SYS_FUNC_ENTER,
	_NTO_TRACE_SYS_FUNC_EXIT,
};

/* Range of the events of the class _NTO_TRACE_USER */
#define _NTO_TRACE_USERFIRST	0
#define _NTO_TRACE_USERLAST	1023

/* The header of an event: bits 0 to 9 event, 10 to 14 class, 24 to 29 CPU */
#define _NTO_TRACE_GETEVENT(c)		((c) & 0x3ffU)
#define _NTO_TRACE_GETEVENT_C(c)	((c) >> 10 & 0x1fU)
#define _NTO_TRACE_GETCPU(h)		((h) >> 24 & 0x3fU)
#define _NTO_TRACE_SETEVENT(c, e)	((c) = ((c) & ~0x3ffU) | ((e) & 0x3ffU))
#define _NTO_TRACE_SETEVENT_C(c, cl)	((c) = ((c) & ~(0x1fU << 10)) | ((cl) & 0x1fU) << 10)

/* The argument of an event handler: see _NTO_TRACE_ADDEVENTHANDLER in traceevent(3) */
typedef struct {
	uint32_t data[4];
} __traceentry;

enum {
	_NTO_TRACE_FIPID,
	_NTO_TRACE_FITID,
	_NTO_TRACE_FI_NUM,
};

#define _NTO_TRACE_FMPID	(1U << _NTO_TRACE_FIPID)
#define _NTO_TRACE_FMTID	(1U << _NTO_TRACE_FITID)

typedef struct {
	__traceentry header;
	uint32_t *data_array;
	uint32_t el_num;
	void *area;
	uint32_t feature_mask;
	uint32_t feature[_NTO_TRACE_FI_NUM];
} event_data_t;

/**
 * LKST_TRACE_BPF() - a BPF program as an event handler, see traceevent(3)
 * @fd: descriptor of the program
 */
#define LKST_TRACE_BPF(fd)	((int (*)(event_data_t *))(uintptr_t)(unsigned int)(fd))

#pragma GCC visibility push(default)

/**
 * TraceEvent() - control the tracer, or put an event into the trace
 * @cmd: _NTO_TRACE_* command, followed by its arguments
 *
 * Return: for _NTO_TRACE_QUERYEVENTS, the number of events; for other commands
 * 0; on failure -1, with errno set.
 */
int TraceEvent(int cmd, ...);

/**
 * trace_logi() - put an event with two numbers into the trace
 * @code: event, _NTO_TRACE_USERFIRST to _NTO_TRACE_USERLAST
 * @data0: first number
 * @data1: second number
 *
 * Return: 0; -1 with errno set, as for the functions below.
 */
int trace_logi(int code, unsigned int data0, unsigned int data1);

/**
 * trace_logb() - put an event with a list of numbers into the trace
 * @code: event, as for trace_logi()
 * @buf: numbers
 * @len: number of elements of @buf
 */
int trace_logb(int code, unsigned int *buf, unsigned int len);

/**
 * trace_logbc() - put an event of any class with a list of numbers into the trace
 * @class_: class, which is recorded as a field of the event
 * @event: event; for class _NTO_TRACE_USER, in the same range as @code of
 *	trace_logi()
 * @buf: numbers
 * @len: number of elements of @buf
 */
int trace_logbc(int class_, int event, unsigned int *buf, unsigned int len);

/**
 * trace_logf() - put an event with a text into the trace
 * @code: event, as for trace_logi()
 * @fmt: format, as for printf()
 */
int trace_logf(int code, const char *fmt, ...) __attribute__((__format__(__printf__, 2, 3)));

/**
 * trace_nlogf() - put an event with a text of limited length into the trace
 * @code: event, as for trace_logi()
 * @max: maximum number of bytes of the text
 * @fmt: format, as for printf()
 */
int trace_nlogf(int code, unsigned int max, const char *fmt, ...)
	__attribute__((__format__(__printf__, 3, 4)));

/**
 * trace_vnlogf() - put an event with a text of limited length into the trace
 * @code: event, as for trace_logi()
 * @max: maximum number of bytes of the text
 * @fmt: format, as for vprintf()
 * @arglist: arguments of @fmt
 */
int trace_vnlogf(int code, unsigned int max, const char *fmt, va_list arglist)
	__attribute__((__format__(__printf__, 3, 0)));

/**
 * trace_func_enter() - put the entry to a function into the trace
 * @this_fn: address of the function
 * @call_site: address that it is called from
 */
int trace_func_enter(void *this_fn, void *call_site);

/**
 * trace_func_exit() - put the exit from a function into the trace
 * @this_fn: address of the function
 * @call_site: address that it is called from
 */
int trace_func_exit(void *this_fn, void *call_site);

/* Put the address of the caller into the trace. */
int trace_here(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
