#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/check counts right: a checkout made up for it, with tests that pass, fail, hang and take the VM down.
# Building is left out: the kernel is the base build, the tools are none.
# timeout: 600
# kernel: base

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/kernel.sh"
kernel_of base

# Its own memory of what takes how long; what a VM is made of need not be made anew.
vm_cache=$cache/vm
export XDG_CACHE_HOME=$work/cache
times=$work/cache/lkst/times
mkdir -p "$vm_cache" "$work/cache/lkst"
ln -s "$vm_cache" "$work/cache/lkst/vm"

lkst=$work/lkst
mkdir -p "$lkst"/{scripts,tools/lkst,tests/{unit,host,vm,configs}}
cp -a "$top"/scripts/{check,common.sh,jobs.sh,lkst-vm,vm} "$lkst/scripts/"
cp -a "$top"/tests/tap.sh "$lkst/tests/"
cp "$top"/tests/configs/{base,debug,kunit}.config "$lkst/tests/configs/"
cp -a "$top"/tests/vm/{run,Makefile} "$lkst/tests/vm/"
printf 'all:\n' >"$lkst/tools/lkst/Makefile"
printf '#!/bin/sh\n' >"$lkst/scripts/deps"
cat >"$lkst/scripts/build-kernel" <<END
#!/bin/sh
touch $work/builds
sleep 1
rm $work/builds
case "\$*" in
*debug*) echo "error: no such luck" >&2; exit 1 ;;
*kunit*) echo "$work/uml" ;;
*) echo "$work/build/arch/x86/boot/bzImage" ;;
esac
END
mkdir -p "$work/build/arch/x86/boot"
cp "$image" "$work/build/arch/x86/boot/bzImage"
chmod +x "$lkst"/scripts/*
sed -i 's/ busy=5/ busy=1/; s/ hang_extra=60/ hang_extra=5/; s/ may_hang_times=5/ may_hang_times=2/' "$lkst/scripts/check"

# put FILE: a script from the standard input
put() {
	cat >"$1"
	chmod +x "$1"
}
check() { "$lkst/scripts/check" "$@" 2>&1; }
last() { tail -n 1 <<<"$1"; }

# Unit: several suites, one after the other, as make prints them
printf 'shared:\ncheck:\n\t@cat tap\n' >"$lkst/tests/unit/Makefile"
cat >"$lkst/tests/unit/tap" <<'END'
gcc -o x x.c
ok 1 - a.c:suite:one: Passed
not ok 2 - a.c:suite:two: a.c:12: Assertion failed
ok 3 - a.c:suite:three # skip no such device
1..3
1..2
ok 1 - b
ok 2
END
out=$(check unit)
is "unit: passed, failed and skipped are counted" "$(last "$out")" "4 passed, 1 failed, 1 skipped"
contains "a failure is told with its reason" "$out" 'FAIL  unit: a.c:suite:two: a.c:12: Assertion failed'
printf '1..3\nok 1\nok 2\n' >"$lkst/tests/unit/tap"
is "a test missing from the plan is a failure" "$(last "$(check unit)")" "3 passed, 1 failed"
echo 'nothing' >"$lkst/tests/unit/tap"
is "no test at all is a failure" "$(last "$(check unit)")" "1 passed, 1 failed"
echo '1..0 # SKIP not on this machine' >"$lkst/tests/unit/tap"
out=$(check unit)
is "unless it says why" "$(last "$out")" "1 passed, 0 failed, 1 skipped"
contains "which is told" "$out" '^skip  unit # SKIP not on this machine$'
printf 'shared:\ncheck:\n\t@cat tap; exit 3\n' >"$lkst/tests/unit/Makefile"
printf '1..1\nok 1\n' >"$lkst/tests/unit/tap"
is "a status that is not 0 is a failure" "$(last "$(check unit)")" "2 passed, 1 failed"
fails "and check fails" 1 "$lkst/scripts/check" unit

# KUnit: nested results count once
put "$work/uml" <<'END'
#!/bin/sh
cat <<'KTAP'
Linux version
KTAP version 1
1..2
    KTAP version 1
    # Subtest: ring
    1..2
    ok 1 fill
    # wraps: EXPECTATION FAILED at kernel/lkst/x_test.c:3
    not ok 2 wraps
not ok 1 ring
    KTAP version 1
    # Subtest: mask
    1..1
    ok 1 set
ok 2 mask
KTAP
END
out=$(check kunit)
is "KUnit: each test counts once" "$(last "$out")" "5 passed, 1 failed"
contains "with what it said before" "$out" 'EXPECTATION FAILED'

# Host tests
put "$lkst/tests/host/good.t" <<'END'
#!/bin/sh
echo '#| what it shows'
echo ok 1 - good
echo 1..1
END
put "$lkst/tests/host/hangs.t" <<'END'
#!/bin/sh
# timeout: 2
echo ok 1 - begins
sleep 100
END
put "$lkst/tests/host/long.t" <<'END'
#!/bin/sh
# suite: all
echo ok 1 - long
echo 1..1
END
out=$(check host)
is "host: a test that hangs is ended, and a failure" "$(last "$out")" "3 passed, 1 failed"
lacks "what is for --all is left out" "$out" 'long\.t'
out=$(check "$lkst/tests/host/good.t")
is "a test of one's choice" "$(last "$out")" "2 passed, 0 failed"
is "what it has to show comes at the end" "$(tail -n 3 <<<"$out" | head -n 1)" "what it shows"
contains "each tells how long it took" "$out" '^check: [0-9]+:[0-9][0-9], [0-9]+:[0-9][0-9] of CPU: host/good\.t$'
is "--all runs it" "$(last "$(rm "$lkst/tests/host/hangs.t"; check --all host)")" "3 passed, 0 failed"
contains "it is kept in results/times" "$(cat "$lkst/results/times")" '^host/long\.t	[0-9]+	[0-9]+$'
contains "and for the next time" "$(cat "$times")" '^host/hangs\.t	[0-9]+$'

# The longest first: what it took, if that is known, else its time limit
put "$lkst/tests/host/unknown.t" <<'END'
#!/bin/sh
# timeout: 50
echo ok 1 - unknown
echo 1..1
END
order() { check -j 1 "$@" | sed -n 's/^check: running: //p' | tr '\n' ' '; }
printf 'host/good.t\t40\nhost/long.t\t60\n' >"$times"
is "the longest comes first" "$(order --all host)" 'host/long.t host/unknown.t host/good.t '
rm "$lkst/tests/host/unknown.t"

# Kernels are built meanwhile; a test waits for the one that it needs, or for all if it builds itself
mkdir "$lkst/tests/modules"
# shellcheck disable=SC2016 # make expands them
printf 'all:\n\tmkdir -p $(OUT)\n\techo $(KDIR) >$(OUT)/test.ko\n' >"$lkst/tests/modules/Makefile"
put "$lkst/tests/host/kernel.t" <<END
#!/bin/sh
# kernel: base
# modules: yes
cmp "$image" "\$KERNEL_IMAGE" && echo ok 1 - its kernel
grep '6\.1-base$' "\$KERNEL_MODULES/test.ko" && echo ok 2 - its modules
echo 1..2
END
put "$lkst/tests/host/builds.t" <<END
#!/bin/sh
# builds: yes
[ ! -e "$work/builds" ] && echo ok 1 - nothing is built
echo 1..1
END
put "$lkst/tests/host/debug.t" <<'END'
#!/bin/sh
# kernel: debug
echo ok 1 - never runs
echo 1..1
END
rm "$lkst/tests/host/long.t"
out=$(check host)
is "kernels that host tests need are built" "$(last "$out")" "7 passed, 2 failed"
contains "a test has its kernel" "$out" 'ok    host/kernel\.t: its kernel'
contains "and the modules for it" "$out" 'ok    host/kernel\.t: its modules'
contains "one that builds waits for the others" "$out" 'ok    host/builds\.t: nothing is built'
contains "one without its kernel fails" "$out" 'FAIL  host/debug\.t: runs'
is "what needs none does not wait" "$(sed -n '/check: running: host\/good.t/q; /ok    build: base/p' <<<"$out")" ""

# What a test is for: a form of LKST, an architecture
rm "$lkst"/tests/host/*.t
put "$lkst/tests/host/both.t" <<'END'
#!/bin/sh
# form: builtin module
# kernel: base
# modules: yes
echo "ok 1 - both, here $KERNEL_FORM with ${KERNEL_LKST##*/}"
echo 1..1
END
put "$lkst/tests/host/module.t" <<'END'
#!/bin/sh
# form: module
# kernel: base
# modules: yes
echo "ok 1 - module"
echo 1..1
END
put "$lkst/tests/host/builtin.t" <<'END'
#!/bin/sh
echo ok 1 - builtin
echo 1..1
END
out=$(check host)
is "built in: what says so, or nothing" "$(sed -n 's,^ok    \(host/.*\),\1,p' <<<"$out" | sort)" 'host/both.t: both, here builtin with 
host/builtin.t: builtin'
mkdir -p "$work/cache/lkst/build/6.1-base-module/kernel/lkst" "$lkst/patches/9.9"
touch "$work/cache/lkst/build/6.1-base-module/kernel/lkst/lkst.ko"
out=$(check --form module host)
is "--form module: what says so" "$(sed -n 's,^ok    \(host/.*\),\1,p' <<<"$out" | sort)" 'host/both.t: both, here module with lkst-base.ko
host/module.t: module'
ok "with logs of its own" test -s "$lkst/results-module/host/both.log"
refused "a test that is for another form is not run" any '/module\.t is for --form module, not for builtin' \
	"$lkst/scripts/check" "$lkst/tests/host/module.t"
refused "nor one for another machine" any '/both\.t is for --arch x86_64, not for arm64' \
	"$lkst/scripts/check" --arch arm64 "$lkst/tests/host/both.t"
refused "nor one from elsewhere" any 'is in neither tests/host nor tests/vm' "$lkst/scripts/check" "$top/tests/host/check.t"
check --form module --series 9.9 "$lkst/tests/host/both.t" >/dev/null
check --series 9.9 --form module "$lkst/tests/host/both.t" >/dev/null
is "the order of options is of no account" "$(cd "$lkst" && echo results*9.9*)" results-9.9-module
sed -i 's/^# form: builtin module/# form: buildin module/' "$lkst/tests/host/both.t"
refused "a word that is none is told" any \
	'both\.t: what is "buildin" in "# form:"\? There are: builtin module headers stock' "$lkst/scripts/check" host

# Side by side: each of two tests waits for the other
rm "$lkst"/tests/host/*.t
for each in 'one two' 'two one'; do
	# shellcheck disable=SC2086 # it is two words
	set -- $each
	put "$lkst/tests/host/$1.t" <<END
#!/bin/sh
# timeout: 200
touch $work/here-$1
while [ ! -e $work/here-$2 ]; do sleep 0.1; done
echo ok 1 - not alone
echo 1..1
END
done
is "-j 2: two tests at a time" "$(last "$(check -j 2 host)")" "3 passed, 0 failed"
rm "$work"/here-*
sed -i 's/timeout: 200/timeout: 5/' "$lkst"/tests/host/*.t
is "-j 1: one after the other" "$(last "$(check -j 1 host)")" "2 passed, 1 failed"
contains "-j without a number is refused" "$(check -j many)" '-j wants a number'

# VM tests: one boot for those that need the same; a panic costs one test, not the rest
printf '/* also: -m32 */\nint main(void) { return sizeof(long) == 4; }\n' >"$lkst/tests/vm/helper.c"
put "$lkst/tests/vm/a.t" <<'END'
#!/bin/sh
# kernel: base
. "$(dirname "$0")/../tap.sh"
ok "helper programs are there" ./helper
fails "and those for 32 bits" 1 ./helper-32
contains "and modules for this kernel" "$(cat modules/test.ko)" '6\.1-base$'
is "two CPUs" "$(nproc)" 2
touch /share/was-here
done_testing
END
put "$lkst/tests/vm/b.t" <<'END'
#!/bin/sh
# kernel: base
. "$(dirname "$0")/../tap.sh"
ok "shares the boot of a.t" test -e /share/was-here
pass "lives"
sleep 3 # until guest-run has sent what is in its pipe
echo c >/proc/sysrq-trigger
sleep 100
END
put "$lkst/tests/vm/c.t" <<'END'
#!/bin/sh
# kernel: base
. "$(dirname "$0")/../tap.sh"
ok "runs after the panic, in another VM" test ! -e /share/was-here
done_testing
END
put "$lkst/tests/vm/d.t" <<'END'
#!/bin/sh
# kernel: base
# cpus: 1
# append: answer=42
# log-allow: may be
. "$(dirname "$0")/../tap.sh"
is "cpus" "$(nproc)" 1
ok "append" grep answer=42 /proc/cmdline
echo "WARNING: this may be" >/dev/kmsg
done_testing
END
put "$lkst/tests/vm/e.t" <<'END'
#!/bin/sh
# kernel: base
# cpus: 3
. "$(dirname "$0")/../tap.sh"
echo "WARNING: this may not be" >/dev/kmsg
pass "warns"
done_testing
END
put "$lkst/tests/vm/f.t" <<'END'
#!/bin/sh
# kernel: base
# mem: 500
# timeout: 10
echo ok 1 - begins
kill -STOP $(pidof guest-run)
END
put "$lkst/tests/vm/g.t" <<'END'
#!/bin/sh
# kernel: debug
echo ok 1 - never runs
END
for race in 'h 4 foo' 'i 5 lkst_foo'; do
	# shellcheck disable=SC2086 # it is three words
	set -- $race
	put "$lkst/tests/vm/$1.t" <<END
#!/bin/sh
# kernel: base
# cpus: $2
. "\$(dirname "\$0")/../tap.sh"
line==================================================================
printf '%s\n' \$line "BUG: KCSAN: data-race in $3 / bar" \$line | while read -r l; do echo "\$l" >/dev/kmsg; done
pass "races"
done_testing
END
done
out=$(check vm)
is "vm: all of it is counted" "$(last "$out")" "20 passed, 7 failed"
contains "a data race elsewhere is none of LKST's" "$out" 'ok    kernel log of boot [0-9]+ \(base, 4 CPU'
contains "one in LKST is a failure" "$out" 'FAIL  kernel log of boot [0-9]+ \(base, 5 CPU'
contains "a panic fails the test that was running" "$out" 'FAIL  vm/b.t .*ends with status 0'
contains "a VM that hangs fails the test that was running" "$out" 'FAIL  vm/f.t .*ends with status 0'
contains "and is told" "$out" 'the VM hangs: no output for 15 s'
contains "a panic fails the kernel's log" "$out" 'FAIL  kernel log of boot [0-9]+ \(base, 2 CPU'
contains "the others go on" "$out" 'ok    vm/c.t .*runs after the panic'
contains "a warning in the kernel's log is a failure" "$out" 'FAIL  kernel log of boot [0-9]+ \(base, 3 CPU'
contains "and shown" "$out" '^ +.*this may not be'
contains "a warning that is allowed is none" "$out" 'ok    kernel log of boot [0-9]+ \(base, 1 CPU, answer=42'
contains "a kernel that does not build is a failure" "$out" 'FAIL  build: debug kernel'
contains "with its error" "$out" 'no such luck'
contains "and so are the tests that need it" "$out" 'FAIL  vm \(debug\): 1 tests run'
ok "the logs are kept" test -s "$lkst/results/vm/1-base/kernel.log"
# QEMU's own hang is no failure, not as often as may be (twice here)
rm "$lkst"/tests/vm/?.t
put "$lkst/tests/vm/j.t" <<'END'
#!/bin/sh
# kernel: base
# take-turns: no
# timeout: 5
echo ok 1 - begins
echo 'RIP: 0010:asm_exc_int3+0x0/0x40' >/dev/kmsg
sleep 1
kill -STOP $(pidof guest-run)
END
out=$(check vm)
is "where the emulation hangs, the test runs again, twice" "$(grep -c 'QEMU hangs in j.t .*: once more' <<<"$out")" 2
is "and then it has failed" "$(grep -c '^FAIL  vm/j.t .*ends with status 0' <<<"$out")" 1
contains "what the kernel said until then is looked at" "$out" \
	'ok    kernel log of boot 1 \(base, 2 CPU, side by side\), as far as it went'
sed -i "s/^echo 'RIP/echo 'BUG: KASAN: in lkst' >\/dev\/kmsg\n&/" "$lkst/tests/vm/j.t"
contains "and may be trouble" "$(check vm)" 'FAIL  kernel log of boot 1 \(base, 2 CPU, side by side\), as far as it went'
sed -i /KASAN/d "$lkst/tests/vm/j.t"
# The kernel dies of a breakpoint that is none any more; of one that is there, it is the kernel's own failure.
cp "$lkst/tests/vm/j.t" "$work/hangs"
# dies CODE: at it
dies() {
	put "$lkst/tests/vm/j.t" <<END
#!/bin/sh
# kernel: base
# take-turns: no
echo ok 1 - begins
echo 'Oops: int3: 0000 [#1] SMP' >/dev/kmsg
echo 'Code: 53 9c 5b fa $1 b8 01' >/dev/kmsg
echo c >/proc/sysrq-trigger
END
}
dies 'eb <28>'
out=$(check vm)
is "where the emulation dies, likewise" "$(grep -c 'QEMU executes what is not there in j.t .*: once more' <<<"$out")" 2
is "and then it has failed, too" "$(grep -c '^FAIL  vm/j.t .*ends with status 0' <<<"$out")" 1
dies 'cc <28>'
out=$(check vm)
lacks "a breakpoint that is there is the kernel's" "$out" 'once more'
is "and a failure" "$(grep -c '^FAIL  vm/j.t .*ends with status 0' <<<"$out")" 1
dies 'eb <28>'
sed -i "s/^echo c/echo 'Oops: 0002 [#2] SMP' >\/dev\/kmsg\n&/" "$lkst/tests/vm/j.t"
lacks "what came later is the kernel's, too" "$(check vm)" 'once more'
dies 'eb <28>'
sed -i "s/^echo c/echo 'Oops: int3: 0000 [#2] SMP' >\/dev\/kmsg\necho 'Code: fa e8 <91> ed' >\/dev\/kmsg\n&/" "$lkst/tests/vm/j.t"
contains "but another CPU may die of the same" "$(check vm)" 'QEMU executes what is not there in j.t .*: once more'
# Where interrupts are off, the kernel says nothing
mv "$work/hangs" "$lkst/tests/vm/j.t"
sed -i /RIP/d "$lkst/tests/vm/j.t"
out=$(check vm)
lacks "a hang is not the emulation's without a reason" "$out" 'QEMU hangs'
contains "where the CPUs are is told" "$out" 'lkst-vm: CPU 1 is at 0xf+[0-9a-f]{8}, .*idle'
address=$(sed -n '/lkst-vm: CPU 1 is at /{ s/.* at 0x\([0-9a-f]*\).*/\1/p; q }' <<<"$out")
# symbols OFFSET: the exception's are those 17 bytes.
symbols() {
	printf '%016x T exc_int3\n%016x T next\n' $((0x$address + 0x4000000 + $1)) $((0x$address + 0x4000000 + $1 + 17)) \
		>"$work/build/System.map"
}
symbols -16
out=$(check vm)
is "a CPU that is where the exceptions are is one" "$(grep -c 'QEMU hangs in j.t .*: once more' <<<"$out")" 2
symbols 1
lacks "one that is elsewhere is none" "$(check vm)" 'QEMU hangs'
# Before any test, too.
symbols -16
mv "$lkst/scripts/lkst-vm" "$work/lkst-vm"
put "$lkst/scripts/lkst-vm" <<END
#!/bin/sh
echo 'lkst-vm: CPU 1 is at 0x$address, interrupts off'
echo 'lkst-vm: the VM did not boot'
exit 125
END
out=$(check vm)
is "a VM that does not boot for that is started again" "$(grep -c 'QEMU hangs before any test .*: once more' <<<"$out")" 2
is "and then it has failed" "$(grep -c '^FAIL  vm (.*): boots and runs tests' <<<"$out")" 1
symbols 1
lacks "one that does not boot for another reason is not" "$(check vm)" 'once more'
mv "$work/lkst-vm" "$lkst/scripts/lkst-vm"
rm "$work/build/System.map"

# Long ones get a boot each; some kernels are for --all
rm "$lkst"/tests/vm/?.t
for each in short long; do
	put "$lkst/tests/vm/$each.t" <<'END'
#!/bin/sh
# kernel: base
# kernel-all: base debug
# timeout: 900
echo ok 1 - runs
echo 1..1
END
done
out=$(check vm)
contains "tests with long time limits share no boot" "$out" 'running: boot 2 \(base, 2 CPU\): short\.t$'
lacks "a kernel of --all is left alone" "$out" debug
contains "a test's time on a kernel is kept" "$(cat "$times")" '^vm/short\.t base	[0-9]+$'
contains "--all builds it" "$(check --all vm)" 'FAIL  vm \(debug\): 1 tests run'
mv "$lkst/tests/vm/short.t" "$lkst/tests/vm/c.t"
printf 'all:\n\t@echo "x.c:1: warning: no such luck"\n' >"$lkst/tests/modules/Makefile"
out=$(check "$lkst/tests/vm/c.t")
is "a warning about a module is a failure" "$(last "$out")" "4 passed, 1 failed"
contains "and shown" "$out" 'x.c:1: warning'
done_testing
