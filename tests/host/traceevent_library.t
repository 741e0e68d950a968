#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the installed liblkst-traceevent: programs that use TraceEvent() as QNX documents it can be
# compiled with the library and run, and traceevent(3) names every command.
# tests/vm/programs/traceevent.t tests what the commands do.

. "$(dirname "$0")/host.sh"
cd "$work" || exit
source=$top/tools/lkst/traceevent
page=$top/Documentation/man/traceevent.3

make -s -C "$top/tools/lkst" install-traceevent DESTDIR="$work/dest" prefix=/usr >make.log 2>&1 ||
	bail_out "make install-traceevent: $(tail make.log)"
sed -n 's/^int \([A-Za-z_]*\)(.*/\1/p' "$source/sys/trace.h" | sort >declared
is 'the library exports the functions of the header' \
	"$(nm -D --defined-only dest/usr/lib/liblkst-traceevent.so | sed -n 's/.* T \(.*\)@@LKST_TRACEEVENT_0.1$/\1/p' | sort | diff declared -)" ''
is 'the archive defines the same functions' \
	"$(nm -g --defined-only dest/usr/lib/liblkst-traceevent.a | sed -n 's/.* [A-Z] //p' | sort | diff declared -)" ''
is 'the installed files' "$(cd dest && find . ! -type d | LC_ALL=C sort | paste -sd ' ')" \
	"./usr/include/lkst/traceevent/sys/neutrino.h ./usr/include/lkst/traceevent/sys/trace.h \
./usr/lib/liblkst-traceevent.a ./usr/lib/liblkst-traceevent.so ./usr/lib/liblkst-traceevent.so.0 \
./usr/lib/liblkst-traceevent.so.0.1.0 ./usr/lib/pkgconfig/liblkst-traceevent.pc"
sed -n '/^\/\* Commands/,/^};/s/^\t_NTO_TRACE_\([A-Z]*\).*/\1/p' "$source/sys/trace.h" >commands
ok 'the header has all commands' test "$(wc -l <commands)" = 39
sed -n '/^\/\* Classes/,$s/^\t_NTO_TRACE_\([A-Z_]*\).*/\1/p' "$source/sys/trace.h" |
	grep -vE '^(EMPTY|FI.*|TH.*)$' >names
is 'the manual page names all commands, classes and events' \
	"$(grep -vxFf <(grep -oE '[A-Z_]{3,}' "$page") commands names)" ''

# The calls that QNX's documentation describes, with arguments of the types that it gives.
cat >document.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <sys/neutrino.h>
#include <sys/trace.h>
#include <wchar.h>

static int event_hdlr(event_data_t *event)
{
	unsigned int header = event->header.data[0];

	_NTO_TRACE_SETEVENT_C(header, _NTO_TRACE_USER);
	_NTO_TRACE_SETEVENT(header, 7);
	return (event->feature_mask & _NTO_TRACE_FMTID) && event->feature[_NTO_TRACE_FITID] &&
	       event->el_num && event->data_array[0] && !event->area &&
	       _NTO_TRACE_GETEVENT_C(header) == _NTO_TRACE_USER && _NTO_TRACE_GETEVENT(header) == 7 &&
	       !_NTO_TRACE_GETCPU(header);
}

static int vlog(const char *fmt, ...)
{
	va_list arglist;
	int ret;

	va_start(arglist, fmt);
	ret = trace_vnlogf(5, 3, fmt, arglist);
	va_end(arglist);
	return ret;
}

int main(void)
{
	unsigned int buf[] = { 1, 2, 3 }, wrong = 0;
	event_data_t data_struct = { { { 0 } }, buf, 3, 0, _NTO_TRACE_FMTID, { 0, 1 } };
	pid_t pid = 1;
	tid_t tid = 1;
	void *linkliststart;
	paddr64_t addr = 0x1000;
	size_t size = 4096;
	/* The C locale has no such character, so the text cannot be formatted. */
	int wrong_text = trace_logf(5, "%lc", (wint_t)0x12345), wrong_errno = errno;
	int results[] = {
		TraceEvent(_NTO_TRACE_ALLOCBUFFER, 1, &linkliststart),
		TraceEvent(_NTO_TRACE_DEALLOCBUFFER),
		TraceEvent(_NTO_TRACE_FLUSHBUFFER),
		TraceEvent(_NTO_TRACE_QUERYEVENTS),
		TraceEvent(_NTO_TRACE_START),
		TraceEvent(_NTO_TRACE_STARTNOSTATE),
		TraceEvent(_NTO_TRACE_STOP),
		TraceEvent(_NTO_TRACE_SETBUFFER, addr, size),
		TraceEvent(_NTO_TRACE_SETRINGMODE),
		TraceEvent(_NTO_TRACE_SETLINEARMODE),
		TraceEvent(_NTO_TRACE_SETALLCLASSESFAST),
		TraceEvent(_NTO_TRACE_SETALLCLASSESWIDE),
		TraceEvent(_NTO_TRACE_SETCLASSFAST, _NTO_TRACE_INT),
		TraceEvent(_NTO_TRACE_SETCLASSWIDE, _NTO_TRACE_KERCALL),
		TraceEvent(_NTO_TRACE_SETEVENTFAST, _NTO_TRACE_THREAD, _NTO_TRACE_THREADY),
		TraceEvent(_NTO_TRACE_SETEVENTWIDE, _NTO_TRACE_THREAD, _NTO_TRACE_THREADY),
		TraceEvent(_NTO_TRACE_ADDALLCLASSES),
		TraceEvent(_NTO_TRACE_DELALLCLASSES),
		TraceEvent(_NTO_TRACE_ADDCLASS, _NTO_TRACE_PROCESS),
		TraceEvent(_NTO_TRACE_DELCLASS, _NTO_TRACE_PROCESS),
		TraceEvent(_NTO_TRACE_ADDEVENT, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE),
		TraceEvent(_NTO_TRACE_DELEVENT, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE),
		TraceEvent(_NTO_TRACE_SETCLASSPID, _NTO_TRACE_PROCESS, pid),
		TraceEvent(_NTO_TRACE_CLRCLASSPID, _NTO_TRACE_PROCESS),
		TraceEvent(_NTO_TRACE_SETCLASSTID, _NTO_TRACE_PROCESS, pid, tid),
		TraceEvent(_NTO_TRACE_CLRCLASSTID, _NTO_TRACE_PROCESS),
		TraceEvent(_NTO_TRACE_SETEVENTPID, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE, pid),
		TraceEvent(_NTO_TRACE_CLREVENTPID, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE),
		TraceEvent(_NTO_TRACE_SETEVENTTID, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE, pid, tid),
		TraceEvent(_NTO_TRACE_CLREVENTTID, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE),
		TraceEvent(_NTO_TRACE_ADDEVENTHANDLER, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE,
			   event_hdlr, &data_struct),
		TraceEvent(_NTO_TRACE_DELEVENTHANDLER, _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE),
		TraceEvent(_NTO_TRACE_ADDCLASSEVHANDLER, _NTO_TRACE_PROCESS, event_hdlr, &data_struct),
		TraceEvent(_NTO_TRACE_DELCLASSEVHANDLER, _NTO_TRACE_PROCESS),
		TraceEvent(_NTO_TRACE_INSERTEVENT, 1, 2, 3, 4),
		TraceEvent(_NTO_TRACE_INSERTSUSEREVENT, _NTO_TRACE_USERFIRST, 1, 2),
		TraceEvent(_NTO_TRACE_INSERTCUSEREVENT, _NTO_TRACE_USERLAST, buf, 3),
		TraceEvent(_NTO_TRACE_INSERTUSRSTREVENT, 5, "text"),
		trace_logi(5, 1, 2),
		trace_logb(5, buf, 3),
		trace_logbc(_NTO_TRACE_USER, 5, buf, 3),
		trace_logf(5, "%d", 1),
		trace_nlogf(5, 10, "%s", "text"),
		vlog("%d", 1),
		trace_func_enter((void *)main, __builtin_return_address(0)),
		trace_func_exit((void *)main, __builtin_return_address(0)),
		trace_here(),
	};

	if (ThreadCtl(_NTO_TCTL_IO, 0) || !event_hdlr(&data_struct))
		wrong++;
	wrong += wrong_text != -1 || wrong_errno != EINVAL;
	for (unsigned int i = 0; i < sizeof(results) / sizeof(*results); i++)
		wrong += results[i] != -1;
	printf("%u of %u\n", wrong, (unsigned int)(sizeof(results) / sizeof(*results)));
	return errno == ENOTSUP || errno == EPERM ? 0 : 1;
}
END
cp document.c document.cc
export PKG_CONFIG_PATH=$work/dest/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/dest
unset CFLAGS CPPFLAGS LDFLAGS
# shellcheck disable=SC2046,SC2086 # unquoted, to split it into words
for compiler in 'gcc -std=gnu99' 'gcc -std=gnu17' 'clang -std=gnu11' g++; do
	if ! command -v "${compiler%% *}" >/dev/null; then
		skip "$compiler" 'not there'
		continue
	fi
	file=document.c
	[ "$compiler" != g++ ] || file=document.cc
	ok "$compiler" $compiler -Wall -Wextra -Werror -o document "$file" \
		$(pkg-config --cflags --libs liblkst-traceevent)
	# Where LKST runs, the test must not change what is recorded.
	if [ -e /dev/lkst ]; then
		skip "$compiler: the program runs" 'this machine has LKST'
	else
		is "$compiler: without LKST, every call fails" "$(LD_LIBRARY_PATH=dest/usr/lib ./document)" '0 of 47'
	fi
done
# The example of the manual page.
sed -n '/^\.Sh EXAMPLES/,/^\.Ed/{/^\./d;s/\\e/\\/g;p}' "$page" | sed '1d' >page.c
# shellcheck disable=SC2046
ok 'the example of the manual page' gcc -Wall -Wextra -Werror -o page page.c $(pkg-config --cflags --libs liblkst-traceevent)
done_testing
