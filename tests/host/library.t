#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The installed liblkst exports the functions that its headers declare and its manual pages name, and
# programs build against it with pkg-config. tests/unit tests the functions, and its test_public.c
# tests the layout of the structures.

. "$(dirname "$0")/host.sh"
use_tools mktrace
lib=$top/tools/lkst/lib

make -s -C "$top/tools/lkst" install-lib install-man DESTDIR="$work/dest" prefix=/usr >make.log 2>&1 ||
	bail_out "make install: $(tail make.log)"

# The headers, the map, the library and the man pages list the same functions.
headers=("$lib/lkst.h" "$lib/model.h")
sed -n 's/^[a-z][^(;]*[ *]\(lkst_[a-z0-9_]*\)(.*/\1/p' "${headers[@]}" | sort >declared
ok 'the headers declare functions' test "$(wc -l <declared)" -gt 80
sed -n 's/^\t\(lkst_[a-z0-9_]*\);$/\1/p' "$lib/liblkst.map" | sort >mapped
nm -D --defined-only dest/usr/lib/liblkst.so | sed -n 's/.* [A-Z] \(.*\)@@LKST_[0-9.]*$/\1/p' | sort >exported
sed -n 's/^ \* \(lkst_[a-z0-9_]*\)() - .*/\1/p' "${headers[@]}" | sort >described
sed -n 's/^\.Fn \(lkst_[a-z0-9_]*\).*/\1/p' "$top"/Documentation/man/{liblkst,lkst_model}.3 | sort -u >named
is 'the map lists the declared functions' "$(diff declared mapped)" ''
is 'the library exports these functions, with versions' "$(diff declared exported)" ''
is 'the library exports nothing else' "$(nm -D --defined-only dest/usr/lib/liblkst.so | grep -v ' A LKST_' | grep -vc '@@LKST_')" 0
is 'the archive defines the same functions' "$(nm -g --defined-only dest/usr/lib/liblkst.a | sed -n 's/.* [A-Z] //p' | sort | diff declared -)" ''
is 'each function is described' "$(diff declared described)" ''
is 'the manual pages name only declared functions' "$(comm -13 declared named)" ''
# The pages may leave out functions that free or close an object, and some accessors.
is 'the manual pages name all other functions' \
	"$(comm -23 declared named | grep -vE '_(free|close|fd|context|etypes|source_etypes|sources|records|incomplete|growing|online|version)$')" ''
is 'soname' "$(readelf -d dest/usr/lib/liblkst.so | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" liblkst.so.0
is 'the installed files' "$(cd dest && find . ! -type d | grep -v man | LC_ALL=C sort | paste -sd ' ')" \
	"./usr/include/lkst/event.h ./usr/include/lkst/linux/lkst.h ./usr/include/lkst/linux/lkst_buffer.h ./usr/include/lkst/linux/lkst_event.h ./usr/include/lkst/linux/lkst_evhandler.h \
./usr/include/lkst/linux/lkst_history.h ./usr/include/lkst/linux/lkst_image.h ./usr/include/lkst/linux/lkst_maskset.h ./usr/include/lkst/linux/lkst_previous.h \
./usr/include/lkst/linux/lkst_user_events.h ./usr/include/lkst/linux/lkst_watch.h ./usr/include/lkst/lkst.h ./usr/include/lkst/model.h ./usr/lib/liblkst.a ./usr/lib/liblkst.so ./usr/lib/liblkst.so.0 ./usr/lib/liblkst.so.0.1.0 ./usr/lib/pkgconfig/liblkst.pc"
kernel_doc=$(find "${XDG_CACHE_HOME:-$HOME/.cache}/lkst/source" -maxdepth 3 -path '*/scripts/kernel-doc' 2>/dev/null | tail -n 1)
if [ -n "$kernel_doc" ]; then
	is 'kernel-doc reports nothing' "$(perl "$kernel_doc" -none "${headers[@]}" "$top/include/lkst/event.h" 2>&1)" ''
else
	skip 'kernel-doc reports nothing' 'no kernel source in the cache'
fi

# Programs can be built with nothing but the installed tree.
export PKG_CONFIG_PATH=$work/dest/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/dest
unset CFLAGS CPPFLAGS LDFLAGS
flags() { pkg-config "$@" liblkst; }
is 'pkg-config: version' "$(pkg-config --modversion liblkst)" "$(sed -n 's/#define LKST_TOOLS_VERSION[^"]*"\(.*\)"/\1/p' "$lib/base/version.h")"
is 'pkg-config: the paths in /usr/local' "$(make -s -C "$top/tools/lkst" install-lib DESTDIR="$work/local" prefix=/usr/local >/dev/null &&
	grep -c /usr/local local/usr/local/lib/pkgconfig/liblkst.pc)" 3
printf '#include <lkst/lkst.h>\n#include <lkst/model.h>\nint main(void)\n{\n\treturn lkst_library_version()[0] != 48;\n}\n' >alone.c
cp alone.c alone.cc
# shellcheck disable=SC2046,SC2086 # unquoted, to split it into words
for compiler in 'gcc -std=c11 -pedantic' 'gcc -std=c99' 'clang -std=c11 -pedantic' 'gcc -m32' 'g++'; do
	if ! command -v "${compiler%% *}" >/dev/null; then
		skip "the headers alone: $compiler" 'not there'
		continue
	fi
	source=alone.c
	[ "$compiler" != g++ ] || source=alone.cc
	ok "the headers alone: $compiler" $compiler -Wall -Wextra -Werror \
		$(flags --cflags) -fsyntax-only "$source"
done
printf '#include <lkst/event.h>\nint main(int argc, char **argv)\n{\n\tLKST_EVENT(tick, "");
	LKST_EVENT(start, "argc=%%d name=%%s", argc, argv[0]);\n\treturn 0;\n}\n' >event.c
cp event.c event.cc
for compiler in 'gcc -std=c99 -pedantic' 'gcc -std=gnu17 -D_FORTIFY_SOURCE=2' 'clang -std=c11 -pedantic' \
	'g++ -std=c++11 -pedantic' 'clang++ -std=c++17'; do
	if ! command -v "${compiler%% *}" >/dev/null; then
		skip "event.h: $compiler" 'not there'
		continue
	fi
	source=event.c
	[ "${compiler%%++*}" = "$compiler" ] || source=event.cc
	# shellcheck disable=SC2086 # unquoted, to split it into words
	ok "event.h: $compiler" $compiler -O2 -Wall -Wextra -Werror -Idest/usr/include -o event "$source"
	ok "event.h: $compiler: the program runs" ./event
done

# Two libraries of one program. The program replaces syscall() and ioctl(), so that the libraries
# register and write events without LKST.
cat >lib.c <<'END'
#include <lkst/event.h>
#define PASTE(a, b) a##b
#define CALL(name) PASTE(call_, name)
#define RECORD(name) LKST_EVENT(name, "n=%d", n)
#ifdef __cplusplus
inline void shared_inline(int n) { LKST_EVENT(inlined, "n=%d", n); }
extern "C"
#endif
void CALL(NAME)(int n);
void CALL(NAME)(int n)
{
	LKST_EVENT(same, "n=%d", n);
	RECORD(NAME);
#ifdef __cplusplus
	shared_inline(n);
#endif
}
END
cp lib.c lib.cc
cat >main.c <<'END'
#include <dlfcn.h>
#include <lkst/event.h>
#include <stdlib.h>
static uint32_t events;
static int files = 1000;
int ioctl(int fd, unsigned long request, ...)
{
	struct lkst_event_reg *reg;
	va_list args;
	va_start(args, request);
	reg = va_arg(args, struct lkst_event_reg *);
	va_end(args);
	if (request != LKST_EVENT_IOCSREG)
		return 0;
	*(uint32_t *)(uintptr_t)reg->enable_addr |= LKST_EVENT_ON;
	reg->write_index = events++;
	printf("register %d: %u %s\n", fd, reg->write_index, (char *)(uintptr_t)reg->name_args);
	return 0;
}
int fcntl(int fd, int cmd, ...) { return fd < 1000 || cmd != F_SETFD; }
int fcntl64(int fd, int cmd, ...) { return fcntl(fd, cmd); }
long syscall(long number, ...)
{
	long arg[3];
	va_list args;
	va_start(args, number);
	for (int i = 0; i < 3; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_openat)
		return files++;
	if (number == SYS_close)
		printf("close %ld\n", arg[0]);
	if (number == SYS_write)
		printf("write %ld: %u %u\n", arg[0], ((uint32_t *)arg[1])[0], ((uint32_t *)arg[1])[1]);
	return 0;
}
int main(int argc, char **argv)
{
	for (int round = 1; round < 3; round++) {
		void *lib[2] = { dlopen(argv[1], RTLD_NOW), dlopen(argv[2], RTLD_NOW) };
		void (*call[2])(int) = { dlsym(lib[0], "call_one"), dlsym(lib[1], "call_two") };
		for (int i = 0; i < 4; i++)
			call[i % 2](10 * round + i);
		dlclose(lib[0]);
		call[1](10 * round + 9);
		dlclose(lib[1]);
	}
	return argc < 0;
}
END
# checked COMPILER SOURCE: print the names of the registered events and their number, and how many
# events were written. Each event is written to an open file in which it is registered.
checked() {
	# shellcheck disable=SC2086 # unquoted, to split it into words
	$1 -O2 -Wall -Wextra -Werror -Idest/usr/include -fPIC -shared -DNAME=one -o one.so "$2" &&
		$1 -O2 -Wall -Wextra -Werror -Idest/usr/include -fPIC -shared -DNAME=two -o two.so "$2" &&
		gcc -rdynamic -Idest/usr/include -o main main.c -ldl && ./main ./one.so ./two.so >out || return
	awk '{ sub(":", "", $2) }
		$1 == "register" { to[$3] = $2; names[$4]++ }
		$1 == "close" { for (i in to) if (to[i] == $2) delete to[i] }
		$1 == "write" { wrong += to[$3] != $2; writes++ }
		END { printf "%s", writes + 0; if (wrong) printf ", %d wrong", wrong
			for (name in names) print " " name " " names[name] | "sort | tr -d \"\\n\"" }' out
}
is 'event.h: two libraries, and an event of both' "$(checked 'gcc -std=gnu11' lib.c 2>&1)" '20 one 2 same 4 two 2'
if command -v g++ >/dev/null; then
	# An inline function that both libraries contain has a single event, which is in one.so. The
	# dynamic linker then keeps one.so loaded after dlclose(), so one.so registers its events
	# only once.
	is 'event.h: two libraries, and an inline function of both' "$(checked 'g++ -std=c++11' lib.cc 2>&1)" \
		'30 inlined 1 one 1 same 3 two 2'
fi
ok 'event.h: gcc -m32' gcc -m32 -Wall -Wextra -Werror -Idest/usr/include -fsyntax-only event.c
fails 'event.h: the compiler checks the arguments' any gcc -Werror=format -Idest/usr/include -fsyntax-only -include event.c \
	-x c - <<<'void f(void) { LKST_EVENT(wrong, "%s", 1); }'
# shellcheck disable=SC2046
{
	ok 'a program links with the shared library' gcc $(flags --cflags) -o shared alone.c $(flags --libs)
	ok 'the program runs with the shared library' env LD_LIBRARY_PATH=dest/usr/lib ./shared
	fails 'the program does not run without the library' any ./shared
	unset PKG_CONFIG_SYSROOT_DIR
	sed -i "s,^prefix=.*,prefix=$work/dest/usr,; s,^libdir=.*,libdir=$work/dest/usr/lib,; s,^includedir=.*,includedir=$work/dest/usr/include," \
		dest/usr/lib/pkgconfig/liblkst.pc
	ok 'a program links with the archive' gcc -static $(flags --cflags) -o static alone.c $(flags --static --libs)
	ok 'the program with the archive runs without the library' ./static
}

# The examples.
cp -r "$top/samples/liblkst" examples
make -s -C examples clean
ok 'the examples build' make -s -C examples CFLAGS='-O2 -Wall -Wextra -Werror'
for example in doing follow histogram; do
	ok "$example.c is short" test "$(wc -l <"examples/$example.c")" -le 120
done
export LD_LIBRARY_PATH=$work/dest/usr/lib
mktrace big 2 8000 || bail_out 'no trace'
examples/histogram big >out 2>err
is 'histogram: success' $? 0
is 'histogram: no error messages' "$(cat err)" ''
# Of every 8 events in a trace of mktrace, 6 are the entries and exits of 3 system calls. Each call
# takes 800 ns.
is 'histogram: all system calls are in the right bucket' "$(sed 's/ *#*$//; s/  */ /g' out)" ' 512 ns 6000'
is 'histogram: the longest bar has the full width' "$(grep -o '#' out | wc -l)" 50
fails 'an unknown event is refused' 1 examples/histogram big system_call_enrty system_call_exit
contains 'the message names it and suggests another one' "$tap_output" 'system_call_enrty.*system_call_entry'
refused 'a file that does not exist' 1 'none' examples/histogram none
fails 'a file that is not a trace' 1 examples/histogram make.log
fails 'wrong usage' 2 examples/histogram
if [ ! -e /dev/lkst ]; then
	refused 'follow fails without LKST' 1 'CONFIG_LKST' examples/follow
fi
done_testing
