#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/lkst-vm: what goes in and comes out, and the ways in which a VM can end.
# timeout: 900
# kernel: base

set -u
. "$(dirname "$0")/../tap.sh"
vm=$(cd "$(dirname "$0")/../../scripts" && pwd)/lkst-vm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# until_true COMMAND...: it succeeds, or has had far too much time
until_true() {
	local end=$((SECONDS + 300))
	until "$@"; do
		[ $SECONDS -lt $end ] || return
		sleep 0.1
	done
}

# Output, error output and exit status
"$vm" -- sh -c 'printf "out\r\n\000\377"; printf "err\r\n" >&2; exit 42' >"$work/out" 2>"$work/err"
is "the exit status comes through" $? 42
printf 'out\r\n\000\377' >"$work/want"
ok "output comes through byte for byte" cmp "$work/out" "$work/want"
printf 'err\r\n' >"$work/want"
ok "error output comes through byte for byte, and nothing else with it" cmp "$work/err" "$work/want"

echo before >"$work/out"
"$vm" -- echo after >>"$work/out"
is "a redirected file is appended to, not overwritten" "$(cat "$work/out")" "before
after"

"$vm" -- sh -c 'kill -TERM $$'
is "a COMMAND that a signal ends gives 128 + its number" $? 143
is "a COMMAND without --, with options of its own" "$("$vm" --cpus 1 echo -n --cpus)" '--cpus'
fails "a COMMAND that is not there gives 127" 127 "$vm" -- no-such-command
contains "and the message names it" "$tap_output" 'no-such-command: not found'

want=$(seq 1 300000 | md5sum)
got=$("$vm" -- seq 1 300000 | md5sum)
is "2 MB of output, nothing lost at the end" "$got" "$want"
got=$("$vm" -- seq 1 300000 | (sleep 8; md5sum))
is "also to a slow reader" "$got" "$want"
"$vm" -- yes 2>"$work/err" | head -n 1 >/dev/null
ok "ends when nobody reads, and not by the time limit" test "${PIPESTATUS[0]}" -ne 124

got=$("$vm" -- sh -c 'echo twice >/dev/stdout; echo more >>/dev/fd/1; sleep 1000 & echo done')
is "COMMAND may open its output again, and leave a process behind" "$got" "twice
more
done"

# Arguments
args=('' 'two  words' "it's" '"quoted"' "new
line" '*' '$HOME' '--' '-n' 'a,b=c' '\n')
"$vm" -- sh -c 'for a; do printf "<%s>" "$a"; done' sh "${args[@]}" >"$work/out"
is "arguments arrive exactly" "$(cat "$work/out")" "$(printf '<%s>' "${args[@]}")"
is "input is empty" "$(echo text | "$vm" -- wc -c)" 0

# The machine inside
"$vm" --cpus 3 --mem 400 --append 'panic=-1 answer=42' --log "$work/console" -- sh -c '
	echo "user $(id -u)"
	echo "host $(hostname)"
	echo "cpus $(nproc)"
	echo "mem $(($(sed -n "s/MemTotal: *\([0-9]*\).*/\1/p" /proc/meminfo) / 100000))"
	grep -o answer=42 /proc/cmdline
	for d in /proc /sys /dev /dev/pts /tmp /run /sys/kernel/debug /sys/kernel/tracing /sys/kernel/security; do
		mountpoint -q "$d" 2>/dev/null || grep -q " $d " /proc/mounts || echo "not mounted: $d"
	done
	ping -c 1 -q 127.0.0.1 >/dev/null && echo lo
	echo "zone $(date +%z)"' >"$work/out"
is "root, host name, --cpus, --mem, --append, mounts, loopback, time zone" "$(cat "$work/out")" "user 0
host lkst
cpus 3
mem 3
answer=42
lo
zone $(date +%z)"
contains "--log keeps the kernel's messages" "$(cat "$work/console")" '^Linux version'
is "TZ of the host is the time zone inside" "$(TZ=EST5EDT "$vm" -- sh -c 'date -d @0 +%z')" -0500

# The clock that the kernel has after that many seconds, if not the TSC before.
clocksource='for i in $(seq "$1"); do sleep 1; c=$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)
	[ $c = tsc ] && break; done; echo $c'
is "the kernel keeps the TSC with two CPUs" "$("$vm" -- sh -c "$clocksource" sh 100)" tsc
lacks "--cpu qemu64 forces another clock" "$("$vm" --cpus 2,sockets=2 --cpu qemu64 -- sh -c "$clocksource" sh 6)" '^tsc$'
is "--icount: one CPU" "$("$vm" --icount -- nproc 2>&1)" 1

# --share
mkdir "$work/a, b"
printf 'from the host' >"$work/a, b/in"
"$vm" --share "$work/a, b" -- sh -c 'cat /share/in; mkdir /share/d; dd if=/dev/zero of=/share/d/big bs=1M count=20 2>/dev/null
	printf "#!/bin/sh\necho ran\n" >/share/script; chmod +x /share/script; /share/script; mv /share/in /share/moved' >"$work/out"
is "--share: DIR is /share, read and executed from" "$(cat "$work/out")" "from the hostran"
is "what is written there is in DIR afterwards" "$(stat -c %s "$work/a, b/d/big") $(cat "$work/a, b/moved")" \
	"20971520 from the host"

# Ends that COMMAND did not choose
fails "a panic ends it" 126 "$vm" -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
contains "and is shown" "$tap_output" 'Kernel panic - not syncing: sysrq triggered crash'
start=$SECONDS
fails "a panic ends it also if the kernel shall not reboot" 126 "$vm" --timeout 1000 --append panic=0 -- \
	sh -c 'echo c >/proc/sysrq-trigger; sleep 1000'
ok "and not the time limit" test $((SECONDS - start)) -lt 900
is "a slow boot takes nothing of COMMAND's time" "$("$vm" --timeout 5 -- echo begun 2>&1)" begun
start=$SECONDS
fails "the time limit ends it" 124 "$vm" --timeout 8 -- sh -c 'echo begun; sleep 1000'
ok "and not the end of COMMAND" test $((SECONDS - start)) -lt 900
contains "what COMMAND wrote before is there" "$tap_output" '^begun'
contains "the message says what happened" "$tap_output" 'lkst-vm: no end of COMMAND within the time limit of 8 s'
contains "and where the CPUs are" "$tap_output" 'lkst-vm: CPU 1 is at 0xf+[0-9a-f]{8}, .*idle'
"$vm" --timeout 0 -- sh -c 'echo begun; sleep 1000' >"$work/out" 2>&1 &
runner=$!
until_true grep -q begun "$work/out"
kill -ALRM $runner
wait $runner
is "SIGALRM does, too" "$? $(grep -c 'SIGALRM says that its time is over' "$work/out")" "124 1"
contains "and shows the kernel's last messages" "$tap_output" '^  .*(init|clocksource)'
fails "a guest that goes down early is an error" 123 "$vm" -- sh -c 'poweroff -f; sleep 10'
contains "and is told" "$tap_output" 'went down before sh had ended'

# Resets, and what is left of a machine that died
# What is written just before a panic has not left the pipe to guest-run; a shared file has it.
cat >"$work/a, b/reboots" <<'END'
#!/bin/sh
echo "boot $LKST_VM_BOOT" >>/share/boots
case $LKST_VM_BOOT in
1) reboot -f ;;
2) exec 9>/dev/watchdog ;;
3) kexec -l /boot/vmlinuz --initrd /boot/initrd --reuse-cmdline && kexec -e ;;
4) echo c >/proc/sysrq-trigger ;;
*) exit 7 ;;
esac
sleep 100
END
chmod +x "$work/a, b/reboots"
"$vm" --take-turns --reboots 4 --watchdog --share "$work/a, b" -- /share/reboots
is "--reboots: COMMAND runs again after a reset, the watchdog's reset, a kexec and a panic, with its status" $? 7
is "and knows which boot it is" "$(cat "$work/a, b/boots")" "$(printf 'boot %d\n' 1 2 3 4 5)"
fails "one reset more ends the VM" 123 "$vm" --reboots 1 -- reboot -f
fails "an NMI at the time limit, --nmi, makes a hung kernel panic" 126 "$vm" --mem 400 --timeout 10 --nmi \
	--append unknown_nmi_panic --memory "$work/a, b/memory" --dump "elf:$work/a, b/\"elf" \
	--dump "kdump-zlib:$work/a, b/zlib" -- sh -c 'echo begun; sleep 100'
contains "of that NMI" "$tap_output" 'Kernel panic.*NMI'
is "--memory: the machine's memory" "$(stat -c %s "$work/a, b/memory")" $((400 << 20))
ok "with what the kernel left there" grep -aqF 'Kernel panic - not syncing: NMI' "$work/a, b/memory"
is "--dump elf: likewise" "$(head -c 4 "$work/a, b/\"elf" | tail -c 3)" ELF
ok "which holds it too" grep -aqF 'Kernel panic - not syncing: NMI' "$work/a, b/\"elf"
is "--dump kdump-zlib" "$(head -c 12 "$work/a, b/zlib")" makedumpfile
rm "$work/a, b"/*[yfb]

printf '%-1048576s' before >"$work/a, b/disk"
is "--disk: what is in the file" "$("$vm" --disk "$work/a, b/disk" -- sh -c 'head -c 6 /dev/vda; echo after >/dev/vda; sync')" before
is "and in the end what was written" "$(head -n 1 "$work/a, b/disk")" after

head -c 1000000 /dev/urandom >"$work/garbage"
fails "what is no kernel does not boot" 125 "$vm" --kernel "$work/garbage" -- true
contains "and the message says which file" "$tap_output" "garbage: no kernel"
head -c 4000 "$(find "${XDG_CACHE_HOME:-$HOME/.cache}/lkst/build" -path '*-base/arch/x86/boot/bzImage' | head -n 1)" >"$work/short"
fails "a damaged kernel does not boot" 125 "$vm" --kernel "$work/short" --boot-timeout 10 -- true
contains "and that is told" "$tap_output" '(did not boot|QEMU failed)'
fails "a kernel that waits for its disk does not boot" 125 "$vm" \
	--append 'rdinit=/none root=/dev/none rootwait' --boot-timeout 20 -- true
contains "nor is where its CPUs are a secret" "$tap_output" 'lkst-vm: CPU 1 is at 0x[0-9a-f]+, '
fails "a kernel file that is not there" 125 "$vm" --kernel "$work/none" -- true
fails "no kernel at all" 125 env XDG_CACHE_HOME="$work/empty" "$vm" -- true
contains "the message says how to get one" "$tap_output" 'make kernel'

# Wrong usage
fails "an unknown option" 125 "$vm" --cpu-count 2 -- true
contains "is named" "$tap_output" '--cpu-count'
fails "--cpus needs a number" 125 "$vm" --cpus many -- true
fails "--cpus needs a number first" 125 "$vm" --cpus sockets=2 -- true
fails "--cpus: what QEMU does not know" 125 "$vm" --cpus 2,pockets=2 -- true
fails "a shared directory that is not there" 125 "$vm" --share "$work/none" -- true
fails "--reboots needs a number" 125 "$vm" --reboots -1 -- true
refused "--dump needs a format" 125 'want FORMAT:FILE' "$vm" --dump "$work/dump" -- true
refused "--disk needs a file that is there" 125 'none: no such file' "$vm" --disk "$work/none" -- true
refused "--memory needs a file" 125 'none/memory: cannot be written' "$vm" --memory "$work/none/memory" -- true
fails "an unknown CPU model" 125 "$vm" --cpu no-such-cpu -- true
contains "QEMU's own words come through" "$tap_output" 'no-such-cpu'
contains "--help tells every option" "$("$vm" --help)" '--icount'

# A signal ends the VM too
# shellcheck disable=SC2317 # until_true calls them
qemu_runs() { pgrep -g "$pid" qemu >/dev/null; }
# shellcheck disable=SC2317
nothing_runs() { ! pgrep -g "$pid" >/dev/null; }
for signal in INT TERM; do
	# a job of its own, as a terminal would have it: in the background a script's jobs ignore INT
	setsid bash -c 'trap - INT; exec "$@"' bash env -u _ "$vm" -- sleep 1000 >"$work/out" 2>&1 &
	pid=$!
	until_true qemu_runs
	kill -s $signal -- "-$pid" 2>/dev/null || kill -s $signal "$pid"
	wait $pid 2>/dev/null
	ok "SIG$signal leaves no QEMU behind" until_true nothing_runs
done

# A shell, through a terminal
# Whoever types waits for the prompt, and does not leave before the end.
: >"$work/out"
{
	until_true grep -q 'lkst:' "$work/out"
	printf 'echo $((6 * 7)); tty; exit 5\n'
	until_true grep -q '^/dev/' "$work/out"
} | "$vm" >"$work/out" 2>"$work/err"
is "the shell's exit status comes through" $? 5
contains "the shell takes what is typed" "$(tr -d '\r' <"$work/out")" '42$'
contains "on a terminal" "$(tr -d '\r' <"$work/out")" '^/dev/hvc0$'

is "no temporary file is left" "$(ls -A "$TMPDIR")" ''
done_testing
