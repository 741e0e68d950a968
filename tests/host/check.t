#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/check reports and counts results correctly. It runs in a fake checkout with tests that
# pass, fail, hang and crash the VM. Nothing is built: a fake build-kernel provides the
# existing base kernel, and there are no tools.
# timeout: 600
# kernel: base

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base

# A separate cache, so that the durations of the fake tests do not get into the user's cache. It
# links to the cached parts of the VM.
vm_cache=$cache/vm
export XDG_CACHE_HOME=$work/cache
times=$work/cache/lkst/times
mkdir -p "$vm_cache" "$work/cache/lkst"
ln -s "$vm_cache" "$work/cache/lkst/vm"

lkst=$work/lkst vm=$work/lkst/tests/vm/folder
mkdir -p "$lkst"/{scripts,tools/lkst,tests/{unit,host,vm/folder,configs}}
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
real_map=${KERNEL_IMAGE:+$KERNEL_IMAGE.symbols}
: "${real_map:=$kernel_build/System.map}"
cp "$real_map" "$work/build/System.map"
chmod +x "$lkst"/scripts/*
sed -i 's/ busy=5/ busy=1/; s/ hang_extra=60/ hang_extra=5/; s/ may_hang_times=5/ may_hang_times=2/' "$lkst/scripts/check"

# put FILE: create a script from standard input
put() {
	cat >"$1"
	chmod +x "$1"
}
# host_test NAME LINE...: create the test tests/host/NAME.t with these lines
host_test() { printf '%s\n' '#!/bin/sh' "${@:2}" | put "$lkst/tests/host/$1.t"; }
# passes NAME HEADER...: create the host test NAME with these header lines. It reports one passing
# result, also named NAME.
passes() { host_test "$@" "echo ok 1 - $1" 'echo 1..1'; }
# vm_test NAME HEADER...: create NAME.t from the commands on standard input. The test runs them in
# the VM, with tap.sh.
vm_test() {
	{
		# shellcheck disable=SC2016 # the test expands it
		printf '%s\n' '#!/bin/sh' '# kernel: base' "${@:2}" '. "$(dirname "$0")/../tap.sh"'
		cat
		echo done_testing
	} | put "$vm/$1.t"
}
# ran OUTPUT: print the results of host tests that passed
ran() { sed -n 's,^ok    \(host/.*\),\1,p' <<<"$1" | sort; }
# check ARG...: run scripts/check. QEMU itself may hang before the first test in a VM. Then
# scripts/check starts this VM again and says so, which the tests below do not expect. So check()
# repeats the whole run, at most twice.
check() {
	local out
	for _ in 1 2 3; do
		out=$("$lkst/scripts/check" "$@" 2>&1)
		grep -q '^check: .* hangs before the first test' <<<"$out" || break
	done
	printf '%s\n' "$out"
}
last() { tail -n 1 <<<"$1"; }

# Unit tests: make prints the results of several suites one after the other
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
contains "a failure is shown with its reason" "$out" 'FAIL  unit: a.c:suite:two: a.c:12: Assertion failed'
contains "a failure is named at the end" "$(tail -n 3 <<<"$out")" 'failed: unit: a.c:suite:two'
printf '%s\n' 1..4 'not ok 1 - a.c:one: no' 'ok 2 - a.c:two' 'not ok 3 - a.c:three: no' 'not ok 4 - b.c:one: no' \
	>"$lkst/tests/unit/tap"
is "the first failure of each test is named at the end, the others are counted" \
	"$(check unit | grep '^failed')" "failed: unit: a.c:one: no (and 1 more)
failed: unit: b.c:one: no"
printf '1..3\nok 1\nok 2\n' >"$lkst/tests/unit/tap"
is "a planned test that does not run is a failure" "$(last "$(check unit)")" "3 passed, 1 failed"
echo 'nothing' >"$lkst/tests/unit/tap"
is "a suite without a test is a failure" "$(last "$(check unit)")" "1 passed, 1 failed"
echo '1..0 # SKIP not on this machine' >"$lkst/tests/unit/tap"
out=$(check unit)
is "a suite that was skipped with a reason is not a failure" "$(last "$out")" "1 passed, 0 failed, 1 skipped"
contains "and the reason is shown" "$out" '^skip  unit # SKIP not on this machine$'
printf 'shared:\ncheck:\n\t@cat tap; exit 3\n' >"$lkst/tests/unit/Makefile"
printf '1..1\nok 1\n' >"$lkst/tests/unit/tap"
is "an exit status other than 0 is a failure" "$(last "$(check unit)")" "2 passed, 1 failed"
fails "scripts/check fails if a test fails" 1 "$lkst/scripts/check" unit

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
contains "a failure is shown with the output before it" "$out" 'EXPECTATION FAILED'

# Host tests
passes good "echo '#| what it shows'"
host_test hangs '# timeout: 20' 'echo ok 1 - begins' 'sleep 100'
passes long '# suite: all'
out=$(check host)
is "host: a test that hangs is killed, and counts as a failure" "$(last "$out")" "3 passed, 1 failed"
lacks "a test that only --all runs is left out" "$out" 'long\.t'
out=$(check "$lkst/tests/host/good.t")
is "a single test can be run" "$(last "$out")" "2 passed, 0 failed"
is "lines that a test marks for the end of the output are shown there" "$(tail -n 3 <<<"$out" | head -n 1)" "what it shows"
contains "the time of each test is shown" "$out" '^check: [0-9]+:[0-9][0-9], [0-9]+:[0-9][0-9] of CPU: host/good\.t$'
is "--all runs that test" "$(last "$(rm "$lkst/tests/host/hangs.t"; check --all host)")" "3 passed, 0 failed"
contains "the time of a test is in results/times" "$(cat "$lkst/results/times")" '^host/long\.t	[0-9]+	[0-9]+$'
contains "and is kept for the next run" "$(cat "$times")" '^host/hangs\.t	[0-9]+$'

# The test with the longest expected duration runs first. The expected duration is the duration of
# the last run if it is known, otherwise the time limit.
passes unknown '# timeout: 50'
order() { check -j 1 "$@" | sed -n 's/^check: running: //p' | tr '\n' ' '; }
printf 'host/good.t\t40\nhost/long.t\t60\n' >"$times"
is "the longest test is started first" "$(order --all host)" 'host/long.t host/unknown.t host/good.t '
rm "$lkst/tests/host/unknown.t"

# Kernels are built while tests run. A test waits for the kernel that it needs, or for all builds if
# it builds a kernel itself
mkdir "$lkst/tests/modules"
# shellcheck disable=SC2016 # make expands them
printf 'all:\n\tmkdir -p $(OUT)\n\techo $(KDIR) >$(OUT)/test.ko\n' >"$lkst/tests/modules/Makefile"
# shellcheck disable=SC2016 # the test expands it
host_test kernel '# kernel: base' '# modules: yes' "cmp $image "'"$KERNEL_IMAGE" && echo ok 1 - its kernel' \
	"grep '6\.1-base\$' "'"$KERNEL_MODULES/test.ko" && echo ok 2 - its modules' 'echo 1..2'
host_test builds '# builds: yes' "[ ! -e $work/builds ] && echo ok 1 - nothing is built" 'echo 1..1'
passes debug '# kernel: debug'
rm "$lkst/tests/host/long.t"
out=$(check host)
is "host: the kernels that tests need are built" "$(last "$out")" "7 passed, 2 failed"
contains "a test gets its kernel" "$out" 'ok    host/kernel\.t: its kernel'
contains "and the modules for it" "$out" 'ok    host/kernel\.t: its modules'
contains "a test that builds kernels waits for the other builds" "$out" 'ok    host/builds\.t: nothing is built'
contains "a test without its kernel fails" "$out" 'FAIL  host/debug\.t: runs'
is "a test that needs no kernel does not wait" "$(sed -n '/check: running: host\/good.t/q; /ok    build: base/p' <<<"$out")" ""

# Tests that run only for one form of LKST, or only on one architecture
rm "$lkst"/tests/host/*.t
# shellcheck disable=SC2016 # the test expands it
host_test both '# form: builtin module' '# kernel: base' '# modules: yes' \
	'echo "ok 1 - both, here $KERNEL_FORM with ${KERNEL_LKST##*/}"' 'echo 1..1'
passes module '# form: module' '# kernel: base' '# modules: yes'
passes builtin
out=$(check host)
is "built in: tests for that form, and tests without a form, are run" "$(ran "$out")" 'host/both.t: both, here builtin with 
host/builtin.t: builtin'
mkdir -p "$work/cache/lkst/build/6.1-base-module/kernel/lkst" "$lkst/patches/9.9"
touch "$work/cache/lkst/build/6.1-base-module/kernel/lkst/lkst.ko"
out=$(check --form module host)
is "--form module: tests for that form are run" "$(ran "$out")" 'host/both.t: both, here module with lkst-base.ko
host/module.t: module'
ok "--form module: logs are in a separate directory" test -s "$lkst/results-module/host/both.log"
refused "a test for another form is refused" any '/module\.t is for --form module, not for builtin' \
	"$lkst/scripts/check" "$lkst/tests/host/module.t"
refused "a test for another architecture is refused" any '/both\.t is for --arch x86_64, not for arm64' \
	"$lkst/scripts/check" --arch arm64 "$lkst/tests/host/both.t"
refused "a test of another checkout is refused" any 'is in neither tests/host nor tests/vm' "$lkst/scripts/check" "$top/tests/host/check.t"
check --form module --series 9.9 "$lkst/tests/host/both.t" >/dev/null
check --series 9.9 --form module "$lkst/tests/host/both.t" >/dev/null
is "the order of options does not matter" "$(cd "$lkst" && echo results*9.9*)" results-9.9-module
sed -i 's/^# form: builtin module/# form: buildin module/' "$lkst/tests/host/both.t"
refused "an unknown word is reported" any \
	'both\.t: "# form:": unknown word "buildin" \(want one of: builtin module headers stock' "$lkst/scripts/check" host

# In parallel: each of two tests waits for the other
rm "$lkst"/tests/host/*.t
for each in 'one two' 'two one'; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	set -- $each
	host_test "$1" '# timeout: 200' "touch $work/here-$1" "while [ ! -e $work/here-$2 ]; do sleep 0.1; done" \
		'echo ok 1 - not alone' 'echo 1..1'
done
is "-j 2: two tests run at a time" "$(last "$(check -j 2 host)")" "3 passed, 0 failed"
rm "$work"/here-*
sed -i 's/timeout: 200/timeout: 20/' "$lkst"/tests/host/*.t
is "-j 1: tests run one by one" "$(last "$(check -j 1 host)")" "2 passed, 1 failed"
contains "-j without a number is refused" "$(check -j many)" '-j needs a number'

# VM tests: tests with the same needs share a boot, and a panic fails only the test that was running
printf '/* also: -m32 */\nint main(void) { return sizeof(long) == 4; }\n' >"$vm/helper.c"
vm_test a <<'END'
ok "helper programs are installed" ./helper
fails "32-bit helper programs are installed" 1 ./helper-32
contains "modules for this kernel are installed" "$(cat modules/test.ko)" '6\.1-base$'
is "the VM has two CPUs" "$(nproc)" 2
touch /share/was-here
END
vm_test b <<'END'
ok "it shares the boot of a.t" test -e /share/was-here
pass "lives"
until [ -e /share/seen ]; do usleep 100000; done
echo c >/proc/sysrq-trigger
sleep 100
END
vm_test c <<<'ok "it runs after the panic, in another VM" test ! -e /share/was-here'
vm_test d '# cpus: 1' '# append: answer=42' '# log-allow: may be' '# programs: nstat' <<'END'
is "cpus" "$(nproc)" 1
contains "programs" "$(nstat -V 2>&1)" iproute2
ok "append" grep answer=42 /proc/cmdline
echo "WARNING: this may be" >/dev/kmsg
END
vm_test e '# cpus: 3' <<'END'
echo "WARNING: this may not be" >/dev/kmsg
pass "warns"
END
vm_test f '# mem: 500' '# timeout: 20' <<'END'
pass begins
until [ -e /share/seen ]; do usleep 100000; done
kill -STOP $(pidof guest-run)
END
put "$vm/g.t" <<'END'
#!/bin/sh
# kernel: debug
echo ok 1 - never runs
END
# races NAME CPUS FUNCTION: create a test during which the kernel reports a data race in FUNCTION
races() {
	vm_test "$1" "# cpus: $2" <<END
line==================================================================
printf '%s\n' \$line "BUG: KCSAN: data-race in $3 / bar" \$line | while read -r l; do echo "\$l" >/dev/kmsg; done
pass "races"
END
}
races h 4 foo
races i 5 lkst_foo
# once_seen TEXT: wait until the line TEXT, which a test in a VM prints, has arrived on the host.
# Then create /share/seen in that VM.
once_seen() {
	local log
	until log=$(grep -lsx -- "$1" "$lkst"/results/vm/*/output.log); do sleep 0.1; done
	touch "${log%/*}/share/seen"
}
once_seen 'ok 2 - lives' &
lives=$!
once_seen 'ok 1 - begins' &
begins=$!
out=$(check vm)
kill $lives $begins 2>/dev/null
is "vm: all results are counted" "$(last "$out")" "21 passed, 7 failed"
contains "a data race outside LKST is ignored" "$out" 'ok    kernel log of boot [0-9]+ \(base, 4 CPU'
contains "a data race in LKST is a failure" "$out" 'FAIL  kernel log of boot [0-9]+ \(base, 5 CPU'
contains "a panic fails the test that was running" "$out" 'FAIL  vm/b.t .*ends with status 0'
contains "a VM that hangs fails the test that was running" "$out" 'FAIL  vm/f.t .*ends with status 0'
contains "and the hang is reported" "$out" 'the VM hangs: no output for 25 s'
contains "a panic fails the check of the kernel log" "$out" 'FAIL  kernel log of boot [0-9]+ \(base, 2 CPU'
contains "the other tests still run" "$out" 'ok    vm/c.t .*runs after the panic'
contains "a warning in the kernel log is a failure" "$out" 'FAIL  kernel log of boot [0-9]+ \(base, 3 CPU'
contains "and is shown" "$out" '^ +.*this may not be'
contains "an allowed warning is not a failure" "$out" 'ok    kernel log of boot [0-9]+ \(base, 1 CPU, answer=42'
contains "a kernel that does not build is a failure" "$out" 'FAIL  build: debug kernel'
contains "and its error is shown" "$out" 'no such luck'
contains "the tests that need that kernel fail, too" "$out" 'FAIL  vm \(debug\): 1 tests run'
ok "the logs are kept" test -s "$lkst/results/vm/1-base/kernel.log"
# A hang that a known bug of QEMU causes is not a failure: the test is repeated, here at most twice
# per boot
rm "$vm"/?.t
vm_test j '# take-turns: no' '# timeout: 10' <<'END'
pass begins
echo 'RIP: 0010:asm_exc_int3+0x0/0x40' >/dev/kmsg
sleep 1
kill -STOP $(pidof guest-run)
END
out=$(check vm)
is "a test during which QEMU hangs is repeated, at most twice" \
	"$(grep -c '^check: vm/j.t .*: QEMU hangs, running it again' <<<"$out")" 2
is "the repeated tests are listed at the end" "$(grep -c '^repeated: vm/j.t (base, 2 CPU, side by side): QEMU hangs$' <<<"$out")" 2
contains "the last line counts them" "$(last "$out")" '^[0-9]+ passed, [0-9]+ failed # 2 repeated$'
is "after two repeats the test has failed" "$(grep -c '^FAIL  vm/j.t .*ends with status 0' <<<"$out")" 1
contains "the kernel log is checked up to the hang" "$out" \
	'ok    kernel log of boot 1 \(base, 2 CPU, side by side\), as far as it went'
sed -i "s/^echo 'RIP/echo 'BUG: KASAN: in lkst' >\/dev\/kmsg\n&/" "$vm/j.t"
contains "trouble before the hang is a failure" "$(check vm)" 'FAIL  kernel log of boot 1 \(base, 2 CPU, side by side\), as far as it went'
sed -i /KASAN/d "$vm/j.t"
# A breakpoint exception at an address without a breakpoint shows that QEMU has run stale code. If
# the address has a breakpoint, the kernel itself has failed.
cp "$vm/j.t" "$work/hangs"
# dies CODE: create a test during which the kernel dies with an oops that shows this code
dies() {
	vm_test j '# take-turns: no' <<END
pass begins
echo 'Oops: int3: 0000 [#1] SMP' >/dev/kmsg
echo 'Code: 53 9c 5b fa $1 b8 01' >/dev/kmsg
echo c >/proc/sysrq-trigger
END
}
dies 'eb <28>'
out=$(check vm)
is "a test during which the kernel dies of stale code is repeated, too" "$(grep -c '^repeated: vm/j.t .*: QEMU runs stale code' <<<"$out")" 2
is "after two repeats it has failed" "$(grep -c '^FAIL  vm/j.t .*ends with status 0' <<<"$out")" 1
dies 'cc <28>'
out=$(check vm)
lacks "a test is not repeated if the code has a breakpoint at the address" "$out" 'repeated|running it again'
is "such a test is a failure" "$(grep -c '^FAIL  vm/j.t .*ends with status 0' <<<"$out")" 1
dies 'eb <28>'
sed -i "s/^echo c/echo 'Oops: 0002 [#2] SMP' >\/dev\/kmsg\n&/" "$vm/j.t"
lacks "a test is not repeated if another oops has a different cause" "$(check vm)" 'repeated|running it again'
dies 'eb <28>'
sed -i "s/^echo c/echo 'Oops: int3: 0000 [#2] SMP' >\/dev\/kmsg\necho 'Code: fa e8 <91> ed' >\/dev\/kmsg\n&/" "$vm/j.t"
contains "a test is repeated if a second CPU dies of stale code, too" "$(check vm)" '^repeated: vm/j.t .*: QEMU runs stale code'
# A hang with interrupts off, during which the kernel prints nothing
mv "$work/hangs" "$vm/j.t"
sed -i /RIP/d "$vm/j.t"
out=$(check vm)
lacks "a hang without the signature is not repeated" "$out" 'repeated|running it again'
lacks "and the last line counts no repeats" "$(last "$out")" '#'
contains "the position of the CPUs is shown" "$out" 'lkst-vm: CPU 1 is at 0xf+[0-9a-f]{8}, .*idle'
address=$(sed -n '/lkst-vm: CPU 1 is at /{ s/.* at 0x\([0-9a-f]*\).*/\1/p; q }' <<<"$out")
# symbols OFFSET [FUNCTION]: add a function of the handler of breakpoint exceptions to System.map.
# The function has 17 bytes and begins OFFSET bytes after the address at which the CPU hangs.
symbols() {
	cp "$real_map" "$work/build/System.map"
	printf "%016x T ${2:-exc_int3}\n%016x T next\n" $((0x$address + 0x4000000 + $1)) $((0x$address + 0x4000000 + $1 + 17)) \
		>>"$work/build/System.map"
}
symbols -16
out=$(check vm)
is "a CPU in the breakpoint handler is the signature" "$(grep -c '^repeated: vm/j.t .*: QEMU hangs' <<<"$out")" 2
symbols 1
lacks "a CPU elsewhere is not the signature" "$(check vm)" 'repeated|running it again'
# The same hang before the first test
symbols -16 poke_int3_handler
mv "$lkst/scripts/lkst-vm" "$work/lkst-vm"
put "$lkst/scripts/lkst-vm" <<END
#!/bin/sh
echo 'lkst-vm: CPU 1 is at 0x$address, interrupts off'
echo 'lkst-vm: the VM did not boot'
exit 125
END
out=$("$lkst/scripts/check" vm 2>&1)
is "a boot that hangs with the signature is repeated" \
	"$(grep -c '^repeated: vm (base.*): QEMU hangs before the first test' <<<"$out")" 2
is "after two repeats it has failed" "$(grep -c '^FAIL  vm (.*): boots and runs tests' <<<"$out")" 1
symbols 1
lacks "a boot that fails without the signature is not repeated" "$(check vm)" 'repeated|running it again'
mv "$work/lkst-vm" "$lkst/scripts/lkst-vm"
cp "$real_map" "$work/build/System.map"

# Each long test has a separate boot, and some kernels are only for --all
rm "$vm"/?.t
for each in short long; do
	vm_test $each '# kernel-all: base debug' '# timeout: 900' <<<'pass runs'
done
out=$(check vm)
contains "tests with long time limits have a boot of their own" "$out" 'running: boot 2 \(base, 2 CPU\): short\.t$'
lacks "a kernel that only --all needs is not built" "$out" debug
contains "the time of a test is kept for each kernel" "$(cat "$times")" '^vm/short\.t base	[0-9]+$'
contains "--all builds that kernel" "$(check --all vm)" 'FAIL  vm \(debug\): 1 tests run'
mv "$vm/short.t" "$vm/c.t"
printf 'all:\n\t@echo "x.c:1: warning: no such luck"\n' >"$lkst/tests/modules/Makefile"
out=$(check c.t)
is "a warning about a module is a failure" "$(last "$out")" "4 passed, 1 failed"
contains "and is shown" "$out" 'x.c:1: warning'
contains "a test is found by its bare name" "$out" 'ok    vm/c\.t .*runs'
refused "an unknown name is refused" any 'd\.t: no such test' "$lkst/scripts/check" d.t
cp "$vm/c.t" "$lkst/tests/host/c.t"
refused "two tests of the same name are refused" any 'more than one test is called c\.t' "$lkst/scripts/check" host
done_testing
