#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Write C tables with the names of system calls, errors, address families and protocols, taken from
# the system's headers. If a header is missing, its table is empty, and the tools print numbers.
set -e
cc=${1:-cc}

# preprocess HEADER OPTION...: print the preprocessed header, or nothing if it does not exist
preprocess()
{
	header=$1
	shift
	if printf '#include <%s>\n' "$header" | "$cc" -E - >/dev/null 2>&1; then
		printf '#include <%s>\n' "$header" | "$cc" -E "$@" -
	fi
}

# table NAME PREFIX: print an array with an element [number] = "PREFIXname" for each input line
# "name number"; if several names have the same number, the first one is used
table()
{
	echo "static const char *const $1[] = {"
	echo "	[0] = NULL,"
	awk -v prefix="$2" '$2 ~ /^[0-9]+$/ && !seen[$2]++ {
		printf "\t[%d] = \"%s%s\",\n", $2, prefix, $1
	}'
	echo "};"
}

# macros HEADER PREFIX: print "name value" for each macro that begins with PREFIX
macros()
{
	preprocess "$1" -dM |
	sed -n "s/^#define $2\([A-Za-z0-9_]*\) \(.*\)/\1 \2/p" |
	sed 's/(__X32_SYSCALL_BIT *+ *\([0-9]*\))/\1/'
}

# generic: print the system calls of arm64 and newer architectures, which all use the same numbers.
# The header defines some __NR_* macros as __NR3264_* macros. Two of the __NR_* macros are not
# calls.
generic()
{
	preprocess asm-generic/unistd.h -dM -D__ARCH_WANT_RENAMEAT -D__ARCH_WANT_NEW_STAT \
		-D__ARCH_WANT_SET_GET_RLIMIT -D__ARCH_WANT_SYS_CLONE3 -D__ARCH_WANT_MEMFD_SECRET |
	awk '
		sub(/^#define __NR_/, "") { call[$1] = $2 }
		sub(/^#define __NR3264_/, "") { wide["__NR3264_" $1] = $2 }
		END {
			delete call["syscalls"]
			delete call["arch_specific_syscall"]
			for (name in call)
				print name, call[name] in wide ? wide[call[name]] : call[name]
		}' | sort -k 2n
}

# enumerators HEADER PREFIX: print "name value" for each enumerator that begins with PREFIX
enumerators()
{
	preprocess "$1" | sed -n "s/^[ 	]*$2\([A-Za-z0-9_]*\) = \([0-9]*\),.*/\1 \2/p"
}

echo "/* Made by gen-names.sh. */"
echo '#pragma GCC diagnostic push'
echo '#pragma GCC diagnostic ignored "-Woverride-init"'
echo '#ifdef __clang__'
echo '#pragma GCC diagnostic ignored "-Winitializer-overrides"'
echo '#endif'
macros asm/unistd_64.h __NR_ | table sys_x86_64 ""
macros asm/unistd_32.h __NR_ | table sys_i386 ""
macros asm/unistd_x32.h __NR_ | table sys_x32 ""
generic | table sys_generic ""
macros linux/errno.h E | table error_names E
# Use the common name AF_UNIX, and omit AF_MAX, which is not a family.
macros sys/socket.h PF_ | sed -e 's/^LOCAL /UNIX /' -e '/^MAX /d' | table af_names AF_
enumerators linux/in.h IPPROTO_ | table ipproto_names IPPROTO_
echo '#pragma GCC diagnostic pop'
