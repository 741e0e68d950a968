#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The examples of hooks in section 4.6 of the specification compile with the base kernel without a
# warning, and a disabled LKST_HOOK is a single no-op.
# timeout: 900
# kernel: base

. "$(dirname "$0")/host.sh"

. "$(dirname "$0")/kernel.sh"
kernel_of base

# build DIR TARGET...: build in $work/DIR, with warnings as errors
# shellcheck disable=SC2317 # ok calls it
build() {
	local dir=$1
	shift
	make -C "$kernel_build" M="$work/$dir" W=1 KCFLAGS=-Werror "$@"
}

# --- Examples 1.a and 2: an event of the kernel itself. The test adds types to a copy of LKST's
# table, and compiles the files that include the table.

mkdir -p "$work/builtin/include/linux"
cp -r "$top"/kernel/lkst/*/ "$work/builtin"
cat >"$work/types" <<'END'
LKST_ETYPE_DEF(0x100, NORMAL, NEW_EVENT,
              "user added event", "data1", "data2", "data3", "data4")
LKST_ETYPE_DEF(0x101, MODULE, MODULE_EVENT, "event in modules", "", "", "", "")
LKST_ETYPE_DEF(0x102, INLINE, INLINE_EVENT, "event in inline functions", "", "", "", "")
END
sed "/^#include <asm\/lkst_etypes.h>/{
r $work/types
N
}" "$top/include/linux/lkst_etypes.h" >"$work/builtin/include/linux/lkst_etypes.h"
cat >"$work/builtin/Kbuild" <<'END'
LINUXINCLUDE := -I$(src)/include $(LINUXINCLUDE)
obj-m := event.o source/source.o source/etype.o hooks/hook.o
END
cat >"$work/builtin/event.c" <<'END'
#include <linux/lkst.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void example(int data1, int data2, unsigned int data3, long data4, void *ptr1)
{
	LKST_HOOK(NEW_EVENT, LKST_ARG(data1), LKST_ARG32(data2, data3),
	LKST_ARG(data4), LKST_ARGP(ptr1));
}

void nothing(void)
{
}

void hook_alone(void)
{
	LKST_HOOK(MODULE_EVENT, 1, 2, 3, 4);
}

void no_hook(int *p, int q)
{
	WRITE_ONCE(p[0], q);
	WRITE_ONCE(p[1], 2);
}

void hook_in_code(int *p, int q)
{
	WRITE_ONCE(p[0], q);
	WRITE_ONCE(p[1], 2);
	LKST_HOOK(NEW_EVENT, LKST_ARG(-q), LKST_ARG32(q, 1), LKST_ARGP(p + 1), 4);
}

void always(void)
{
	lkst_hook(LKST_ETYPE_NEW_EVENT, 1, 2, 3, 4);
	lkst_hook(LKST_ETYPE_NEW_EVENT, 1, 2, 3, 4);
}

void twice(void)
{
	LKST_HOOK_INLINE(INLINE_EVENT, 1, 2, 3, 4);
	LKST_HOOK_INLINE(INLINE_EVENT, 5, 6, 7, 8);
}
END
ok "1.a: an event of the kernel itself and its hooks compile, together with LKST's" \
	build builtin event.o source/source.o source/etype.o hooks/hook.o

symbols=$(nm "$work/builtin/hooks/hook.o")
for event in NEW_EVENT MODULE_EVENT INLINE_EVENT; do
	contains "LKST defines the header of $event" "$symbols" "[BD] LKST_ETYPE_${event}_HEADER"
done
lacks "a hook of type NORMAL is not exported to modules" "$symbols" '__ksymtab_LKST_ETYPE_NEW_EVENT_HEADER'
contains "a hook of type MODULE is exported" "$symbols" '__ksymtab_LKST_ETYPE_MODULE_EVENT_HEADER'
contains "a hook of type INLINE is exported" "$symbols" '__ksymtab_LKST_ETYPE_INLINE_EVENT_HEADER'
contains "the type is in LKST's table" "$(strings -a "$work/builtin/source/etype.o")" '^user added event$'

# --- The cost

# stream DIR FUNCTION: print the instructions of a function, up to its return, in the order in which
# they run while no hook is enabled
stream() {
	objdump -d --no-show-raw-insn "--disassemble=$2" "$work/$1/event.o" |
		awk -F '\t' 'NF > 1 { sub(/ +$/, "", $2); print $2 } $2 ~ /^(ret|jmp)/ { exit }' |
		sed 's/^\(ret\|jmp\).*/end/; s/  */ /g'
}

# The pattern of a no-op of 2 or 5 bytes, as objdump prints it.
is_nop='^(xchg %ax,%ax|nopl 0x0\(%rax,%rax,1\))$'

is "a disabled hook is a single no-op" "$(stream builtin hook_alone | grep -cE "$is_nop")" 1
is "... and nothing else" "$(stream builtin hook_alone | grep -vE "$is_nop")" "$(stream builtin nothing)"
is "a disabled hook within other code is a single no-op, too" "$(stream builtin hook_in_code | grep -cE "$is_nop")" 1
is "... and its arguments are not computed" "$(stream builtin hook_in_code | grep -vE "$is_nop")" \
	"$(stream builtin no_hook)"
is "two hooks are two no-ops" "$(stream builtin twice | grep -cE "$is_nop")" 2
contains "a hook that is always enabled is a call" "$(stream builtin always)" '^call '

# jumps EVENT: print how many entries the event has in the jump table, which lists the no-ops that
# the kernel can turn into jumps
jumps() { objdump -r -j __jump_table "$work/builtin/event.o" | grep -c "LKST_ETYPE_$1_HEADER"; }
is "each no-op can become a jump" "$(jumps NEW_EVENT) $(jumps MODULE_EVENT) $(jumps INLINE_EVENT)" '2 1 2'
is "each hook has one call out of line, and always() has two calls" \
	"$(objdump -dr "$work/builtin/event.o" | grep -c 'R_X86_64_P.*lkst_hook')" 7

# --- Example 1.b: an event of a module

mkdir "$work/module"
cat >"$work/module/Kbuild" <<'END'
obj-m := example.o root.o leaf.o
END
cat >"$work/module/example.c" <<'END'
#include <linux/module.h>
#include <linux/lkst.h>

LKST_ETYPE_DEF_MODULE(0x100, NORMAL, NEW_EVENT,
                      "user added event", "data1", "data2", "data3", "data4")

static int __init testmod_init(void)
{
    int ret;
    ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(NEW_EVENT));
    LKST_HOOK(NEW_EVENT, LKST_ARG(ret), LKST_ARG32(ret, 1), LKST_ARG(-1), LKST_ARGP(&ret));
    return ret;
}

static void __exit testmod_exit(void)
{
    lkst_hook_etype_unregister(&LKST_ETYPE_INFO(NEW_EVENT));
}

module_init(testmod_init);
module_exit(testmod_exit);
MODULE_DESCRIPTION("example of 4.6");
MODULE_LICENSE("GPL");
END
cat >"$work/module/root.c" <<'END'
#include <linux/module.h>
#include <linux/lkst_hook.h>

/*
 * As in section 4.7.2.5.1 of the specification, the name is a "char *", and the module defines the
 * hook itself.
 */
static struct hook own_hook;
LKST_ETYPE_INFO_DEF(0x110, OWN_HOOK, "own hook", "", "", "", "", &own_hook);
LKST_ETYPE_DEF_MODULE(0x111, MODULE, SHARED, "of two modules", "", "", "", "");
LKST_ETYPE_DEF_MODULE(0x112, INLINE, INLINED, "several places", "", "", "", "");
LKST_ETYPE_DEF_MODULE(0x113, UNDEF, BARE, "no hook", "", "", "", "");

static inline void inlined(char *name)
{
	LKST_HOOK_INLINE(INLINED, LKST_ARGP(name), 0, 0, 0);
}

static int __init root_init(void)
{
	static struct lkst_etype_info *const infos[] = {
		&LKST_ETYPE_INFO(OWN_HOOK), &LKST_ETYPE_INFO(SHARED),
		&LKST_ETYPE_INFO(INLINED), &LKST_ETYPE_INFO(BARE),
	};
	char *name = "given as char *";
	unsigned int i;

	lkst_einfo_BARE.name = name;
	for (i = 0; i < ARRAY_SIZE(infos); i++)
		if (lkst_hook_etype_register(infos[i]) < 0)
			return -EINVAL;
	inlined(name);
	inlined(NULL);
	LKST_HOOK(SHARED, LKST_ETYPE_BARE, 0, 0, 0);
	return 0;
}

module_init(root_init);
MODULE_DESCRIPTION("all kinds of event types");
MODULE_LICENSE("GPL");
END
cat >"$work/module/leaf.c" <<'END'
#include <linux/module.h>
#include <linux/lkst.h>

LKST_ETYPE_DECLARE_MODULE(0x111, SHARED)

static int __init leaf_init(void)
{
	LKST_HOOK(SHARED, LKST_ARG('x'), LKST_ARG(1UL << 40), LKST_ARG(true), LKST_ARG(LKST_ETYPE_SHARED));
	return 0;
}

module_init(leaf_init);
MODULE_DESCRIPTION("a trace point of another module's event");
MODULE_LICENSE("GPL");
END
ok "1.b: an event of a module, and all kinds of hooks compile" build module modules
contains "a module can use another module's hook" "$(modinfo -F depends "$work/module/leaf.ko" 2>&1)" '^root$'

# --- The same code with CONFIG_DEBUG_LKST_DONOT_EXPAND_ARGBITS, which passes arguments on
# --- unchanged, and without CONFIG_LKST

# variant DIR LINE: copy $work/builtin to $work/DIR, and $work/module to $work/DIR-module. Insert
# LINE as the first line of each .c file.
variant() {
	local file
	mkdir "$work/$1" "$work/$1-module"
	cp -r "$work/builtin/include" "$work/$1"
	sed 's/^obj-m := .*/obj-m := event.o/' "$work/builtin/Kbuild" >"$work/$1/Kbuild"
	cp "$work/module/Kbuild" "$work/$1-module"
	sed "1i $2" "$work/builtin/event.c" >"$work/$1/event.c"
	for file in example root leaf; do
		sed "1i $2" "$work/module/$file.c" >"$work/$1-module/$file.c"
	done
}

variant narrow '#define CONFIG_DEBUG_LKST_DONOT_EXPAND_ARGBITS 1'
ok "CONFIG_DEBUG_LKST_DONOT_EXPAND_ARGBITS: the kernel's events compile" build narrow event.o
ok "... and so do those of modules" build narrow-module modules

variant without '#undef CONFIG_LKST'
ok "without LKST: hooks compile" build without event.o
ok "... and so do modules with events of their own" build without-module modules
is "... and hooks cost nothing" "$(stream without hook_in_code)" "$(stream without no_hook)"
lacks "... and hooks need no symbol of LKST" \
	"$(nm -u "$work/without/event.o" "$work/without-module/"{example,root}.ko)" 'lkst|LKST'
done_testing
