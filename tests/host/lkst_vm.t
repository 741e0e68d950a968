#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the input and output of scripts/lkst-vm, and the ways in which a VM can end.
# suite: all
# timeout: 900
# kernel: base

. "$(dirname "$0")/host.sh"
vm=$top/scripts/lkst-vm
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# Output, error output and exit status
"$vm" -- sh -c 'printf "out\r\n\000\377"; printf "err\r\n" >&2; exit 42' >"$work/out" 2>"$work/err"
is "the exit status is that of COMMAND" $? 42
printf 'out\r\n\000\377' >"$work/want"
ok "output is passed on byte for byte" cmp "$work/out" "$work/want"
printf 'err\r\n' >"$work/want"
ok "error output is passed on byte for byte, and nothing else" cmp "$work/err" "$work/want"

echo before >"$work/out"
"$vm" -- echo after >>"$work/out"
is "output is appended to a redirected file" "$(cat "$work/out")" "before
after"

"$vm" -- sh -c 'kill -TERM $$'
is "if a signal kills COMMAND, the exit status is 128 + its number" $? 143
is "COMMAND may have options of its own, even without --" "$("$vm" --cpus 1 echo -n --cpus)" '--cpus'
refused "a COMMAND that does not exist: exit status 127" 127 'no-such-command: not found' "$vm" -- no-such-command

want=$(seq 1 300000 | md5sum)
got=$("$vm" -- seq 1 300000 | md5sum)
is "2 MB of output: nothing is lost at the end" "$got" "$want"
got=$("$vm" -- seq 1 300000 | (sleep 8; md5sum))
is "2 MB of output to a slow reader: nothing is lost at the end" "$got" "$want"
"$vm" -- yes 2>"$work/err" | head -n 1 >/dev/null
ok "the VM ends when the reader of its output exits, not at the time limit" test "${PIPESTATUS[0]}" -ne 124

got=$("$vm" -- sh -c 'echo twice >/dev/stdout; echo more >>/dev/fd/1; sleep 1000 & echo done')
is "COMMAND may open its output again, and leave a process behind" "$got" "twice
more
done"

# Arguments
args=('' 'two  words' "it's" '"quoted"' "new
line" '*' '$HOME' '--' '-n' 'a,b=c' '\n')
"$vm" -- sh -c 'for a; do printf "<%s>" "$a"; done' sh "${args[@]}" >"$work/out"
is "arguments arrive unchanged" "$(cat "$work/out")" "$(printf '<%s>' "${args[@]}")"
is "standard input is empty" "$(echo text | "$vm" -- wc -c)" 0

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
contains "--log keeps the kernel messages" "$(cat "$work/console")" '^Linux version'
is "the VM has the host's TZ" "$(TZ=EST5EDT "$vm" -- sh -c 'date -d @0 +%z')" -0500

# clocksource SECONDS: wait until the kernel's clock source is "tsc", for up to SECONDS, and print
# the clock source
clocksource='for i in $(seq "$1"); do sleep 1; c=$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)
	[ $c = tsc ] && break; done; echo $c'
is "the kernel keeps the TSC with two CPUs" "$("$vm" -- sh -c "$clocksource" sh 100)" tsc
lacks "with --cpu qemu64, the kernel selects another clock source" "$("$vm" --cpus 2,sockets=2 --cpu qemu64 -- sh -c "$clocksource" sh 6)" '^tsc$'
is "--icount: one CPU" "$("$vm" --icount -- nproc 2>&1)" 1

# --share
mkdir "$work/a, b"
printf 'from the host' >"$work/a, b/in"
"$vm" --share "$work/a, b" -- sh -c 'cat /share/in; mkdir /share/d; dd if=/dev/zero of=/share/d/big bs=1M count=20 2>/dev/null
	printf "#!/bin/sh\necho ran\n" >/share/script; chmod +x /share/script; /share/script; mv /share/in /share/moved' >"$work/out"
is "--share: DIR is mounted at /share, and programs run from there" "$(cat "$work/out")" "from the hostran"
is "files written there are in DIR afterwards" "$(stat -c %s "$work/a, b/d/big") $(cat "$work/a, b/moved")" \
	"20971520 from the host"

# --programs
is "--programs: programs of this machine are there, missing ones are left out" \
	"$("$vm" --programs no-such-program,nstat -- nstat -V 2>&1)" "$(nstat -V 2>&1)"

# The VM ends before COMMAND exits
fails "a panic ends the VM" 126 "$vm" -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
contains "and the panic is shown" "$tap_output" 'Kernel panic - not syncing: sysrq triggered crash'
start=$SECONDS
fails "a panic ends the VM even with panic=0" 126 "$vm" --timeout 1000 --append panic=0 -- \
	sh -c 'echo c >/proc/sysrq-trigger; sleep 1000'
ok "with panic=0, a panic ends the VM before the time limit" test $((SECONDS - start)) -lt 900
# The VM is stopped while it boots, for longer than the time limit.
# shellcheck disable=SC2317 # until_true calls it
qemu_boots() { qemu=$(pgrep -f "^qemu-system-x86_64 .*$TMPDIR/"); }
"$vm" --timeout 20 -- echo begun >"$work/out" 2>&1 &
runner=$!
until_true qemu_boots && kill -STOP "$qemu" && sleep 25 && kill -CONT "$qemu"
wait $runner
is "a slow boot does not count towards the time limit" "$? $(cat "$work/out")" '0 begun'
start=$SECONDS
fails "the time limit ends the VM" 124 "$vm" --timeout 20 -- sh -c 'echo begun; sleep 1000'
ok "the time limit ends the VM before COMMAND exits" test $((SECONDS - start)) -lt 900
contains "the earlier output of COMMAND is shown" "$tap_output" '^begun'
contains "the message explains it" "$tap_output" 'lkst-vm: COMMAND has not ended within the time limit of 20 s'
contains "and shows where the CPUs are" "$tap_output" 'lkst-vm: CPU 1 is at 0xf+[0-9a-f]{8}, .*idle'
rm "$work/out" # The previous VM wrote the same word for which this test waits.
"$vm" --timeout 0 -- sh -c 'echo begun; sleep 1000' >"$work/out" 2>&1 &
runner=$!
until_true grep -qs begun "$work/out"
kill -ALRM $runner
wait $runner
is "SIGALRM ends the VM, too" "$? $(grep -c 'COMMAND has not ended before SIGALRM' "$work/out")" "124 1"
contains "and shows the last kernel messages" "$tap_output" '^  .*(init|clocksource)'
fails "it is an error if a guest powers off early" 123 "$vm" -- sh -c 'poweroff -f; sleep 10'
contains "and this is reported" "$tap_output" 'powered off or was reset before sh had ended'

# The memory of a machine that died. tests/host/death*.t read such files, and also reboot a machine
# in other ways.
fails "another reset ends the VM" 123 "$vm" --reboots 1 -- reboot -f
fails "--nmi: an NMI at the time limit makes a hung kernel panic" 126 "$vm" --mem 400 --timeout 10 --nmi \
	--append unknown_nmi_panic --memory "$work/a, b/memory" --dump "elf:$work/a, b/\"elf" -- sh -c 'echo begun; sleep 100'
contains "the message of the panic names the NMI" "$tap_output" 'Kernel panic.*NMI'
ok "--memory: the file has the kernel's last messages" grep -aqF 'Kernel panic - not syncing: NMI' "$work/a, b/memory"
ok "--dump elf: the dump has the kernel's last messages" grep -aqF 'Kernel panic - not syncing: NMI' "$work/a, b/\"elf"
rm "$work/a, b"/*[yf]

printf '%-1048576s' before >"$work/a, b/disk"
is "--disk: the VM reads the file" "$("$vm" --disk "$work/a, b/disk" -- sh -c 'head -c 6 /dev/vda; echo after >/dev/vda; sync')" before
is "--disk: the VM writes the file" "$(head -n 1 "$work/a, b/disk")" after

head -c 1000000 /dev/urandom >"$work/garbage"
refused "a file that is not a kernel does not boot" 125 "garbage: not a kernel" "$vm" --kernel "$work/garbage" -- true
head -c 4000 "$(find "${XDG_CACHE_HOME:-$HOME/.cache}/lkst/build" -path '*-base/arch/x86/boot/bzImage' | head -n 1)" >"$work/short"
fails "a damaged kernel does not boot" 125 "$vm" --kernel "$work/short" --boot-timeout 10 -- true
contains "and this is reported" "$tap_output" '(did not boot|QEMU failed)'
fails "a kernel that waits for its disk does not boot" 125 "$vm" \
	--append 'rdinit=/none root=/dev/none rootwait' --boot-timeout 20 -- true
contains "the message shows where its CPUs are" "$tap_output" 'lkst-vm: CPU 1 is at 0x[0-9a-f]+, '
fails "a kernel file that does not exist" 125 "$vm" --kernel "$work/none" -- true
refused "without a cached kernel" 125 'make kernel' env XDG_CACHE_HOME="$work/empty" "$vm" -- true

# Wrong usage
refused "an unknown option is refused" 125 '--cpu-count' "$vm" --cpu-count 2 -- true
fails "--cpus needs a number" 125 "$vm" --cpus many -- true
fails "--cpus needs a number first" 125 "$vm" --cpus sockets=2 -- true
fails "--cpus: an unknown QEMU property" 125 "$vm" --cpus 2,pockets=2 -- true
fails "a shared directory that does not exist" 125 "$vm" --share "$work/none" -- true
fails "--reboots needs a number" 125 "$vm" --reboots -1 -- true
refused "--dump needs a format" 125 'want FORMAT:FILE' "$vm" --dump "$work/dump" -- true
refused "--disk needs an existing file" 125 'none: no such file' "$vm" --disk "$work/none" -- true
refused "--memory needs a file" 125 'none/memory: cannot be written' "$vm" --memory "$work/none/memory" -- true
refused "an unknown CPU model" 125 'no-such-cpu' "$vm" --cpu no-such-cpu -- true

# A signal ends the VM
# shellcheck disable=SC2317 # until_true calls them
qemu_runs() { pgrep -g "$pid" qemu >/dev/null; }
# shellcheck disable=SC2317
nothing_runs() { ! pgrep -g "$pid" >/dev/null; }
for signal in INT TERM; do
	# Run lkst-vm in a new session, as a terminal does, because background jobs of a script
	# ignore SIGINT.
	setsid bash -c 'trap - INT; exec "$@"' bash env -u _ "$vm" -- sleep 1000 >"$work/out" 2>&1 &
	pid=$!
	until_true qemu_runs
	kill -s $signal -- "-$pid" 2>/dev/null || kill -s $signal "$pid"
	wait $pid 2>/dev/null
	ok "after SIG$signal QEMU exits" until_true nothing_runs
done

# Without COMMAND, lkst-vm runs a shell on a terminal. The commands below act as the user. They wait
# for the prompt, and keep standard input open until the shell has answered.
: >"$work/out"
{
	until_true grep -q 'lkst:' "$work/out"
	printf 'echo $((6 * 7)); tty; exit 5\n'
	until_true grep -q '^/dev/' "$work/out"
} | "$vm" >"$work/out" 2>"$work/err"
is "the exit status is that of the shell" $? 5
contains "the shell reads what is typed" "$(tr -d '\r' <"$work/out")" '42$'
contains "the input of the shell is a terminal" "$(tr -d '\r' <"$work/out")" '^/dev/hvc0$'

is "no temporary file is left" "$(ls -A "$TMPDIR")" ''
done_testing
