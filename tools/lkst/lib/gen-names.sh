#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Write the C tables of system-call and error names, from the system's own headers.
# A header that is missing gives an empty table: numbers are printed then.
set -e
cc=${1:-cc}

# table NAME HEADER PREFIX: constants PREFIX<name> of HEADER, as [number] = "name"
table()
{
	echo "static const char *const $1[] = {"
	echo "	[0] = NULL,"
	if printf '#include <%s>\n' "$2" | "$cc" -E - >/dev/null 2>&1; then
		printf '#include <%s>\n' "$2" | "$cc" -E -dM - |
		sed -n "s/^#define $3\([A-Za-z0-9_]*\) \(.*\)/\1 \2/p" |
		sed -n -e 's/(__X32_SYSCALL_BIT *+ *\([0-9]*\))/\1/' \
			-e "s/^\([A-Za-z0-9_]*\) \([0-9][0-9]*\)\$/\1 \2/p" |
		awk -v keep="$4" '!seen[$2]++ { printf "\t[%d] = \"%s%s\",\n", $2, keep, $1 }'
	fi
	echo "};"
}

echo "/* Made by gen-names.sh. */"
echo '#pragma GCC diagnostic push'
echo '#pragma GCC diagnostic ignored "-Woverride-init"'
echo '#ifdef __clang__'
echo '#pragma GCC diagnostic ignored "-Winitializer-overrides"'
echo '#endif'
table sys_x86_64 asm/unistd_64.h __NR_ ""
table sys_i386 asm/unistd_32.h __NR_ ""
table sys_x32 asm/unistd_x32.h __NR_ ""
table error_names linux/errno.h E E
echo '#pragma GCC diagnostic pop'
