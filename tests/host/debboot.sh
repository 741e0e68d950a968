# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions that boot a Debian root, for the tests of the packages. Source this after debroot.sh.

# set_boot_script ROOT: install the bash script on standard input in ROOT. After ROOT has booted,
# bash runs the script in /root/results. boot_root copies the files that the script leaves there to
# $work/results.
set_boot_script() {
	mkdir -p "$1/root/results"
	{ printf '#!/bin/bash\ncd /root/results || exit\nexport DEBIAN_FRONTEND=noninteractive\n'; cat; } >"$1/root/boot-script"
	chmod +x "$1/root/boot-script"
	cat >"$1/etc/systemd/system/boot-script.service" <<-'END'
		[Unit]
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/root/boot-script
		StandardOutput=tty
		TTYPath=/dev/ttyS0
		[Install]
		WantedBy=graphical.target
	END
	in_root "$1" systemctl -q enable boot-script.service
	in_root "$1" systemctl -q set-default graphical.target
	# Turn off logins, checks of the disk, and other services that the test does not need.
	in_root "$1" systemctl -q mask getty@tty1.service serial-getty@ttyS0.service e2scrub_reap.service \
		apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer fstrim.timer systemd-networkd.service
	echo lkst-debian >"$1/etc/hostname"
	echo '/dev/vda / ext4 defaults 0 1' >"$1/etc/fstab"
}

# boot_root ROOT SIZE SECONDS PARAMETERS KERNEL [QEMU-OPTION...]: move ROOT to a disk image of SIZE
# and boot it with KERNEL until it powers off, for at most SECONDS. The output of the console goes
# to $work/console, and the results of the script to $work/results. Returns QEMU's status.
boot_root() {
	local root=$1 size=$2 limit=$3 parameters=$4 kernel=$5 accel machine status=0
	shift 5
	# shellcheck disable=SC2154 # $work: see above
	mke2fs -q -t ext4 -d "$root" "$work/disk" "$size" >"$work/log" 2>&1 || bail_out "an image: $(cat "$work/log")"
	rm -rf "$root"
	# shellcheck disable=SC2154 # debroot.sh sets $cache
	accel=${LKST_VM_ACCEL:-$(cat "${cache%/*}/vm/accel-$(cat /proc/sys/kernel/random/boot_id)" 2>/dev/null || echo tcg)}
	machine=(-accel kvm -cpu host)
	# Emulated CPUs take turns. See --take-turns in scripts/lkst-vm --help.
	# shellcheck disable=SC2054 # the comma is part of an argument of QEMU
	[ "$accel" = kvm ] || machine=(-accel tcg,thread=single -cpu Haswell)
	# The kernel's timer check fails if an emulated CPU is stopped for too long, so turn it off.
	timeout "$limit" qemu-system-x86_64 -nodefaults -no-user-config -display none -machine q35 "${machine[@]}" \
		-smp 2 -m 1280 -kernel "$kernel" -append "root=/dev/vda rw console=ttyS0 systemd.show_status=0 quiet panic=-1 \
tsc=nowatchdog no_timer_check $parameters" -drive "file=$work/disk,if=virtio,format=raw,cache=unsafe" \
		-chardev "file,id=console,path=$work/console" -serial chardev:console "$@" </dev/null >"$work/qemu" 2>&1 ||
		status=$?
	debugfs -R "rdump /root/results $work" "$work/disk" >/dev/null 2>&1
	return $status
}

# result_of FILE: print FILE, which the script of set_boot_script wrote to /root/results
results=$work/results
result_of() { cat "$results/$1"; }

# boot_own_kernel SIZE SECONDS: boot $root with its own kernel, whose release is $release, and test
# that the kernel and the services report no errors
boot_own_kernel() {
	# shellcheck disable=SC2154 # the tests set them
	cp "$root/boot/vmlinuz-$release" "$root/boot/initrd.img-$release" "$work/"
	boot_root "$root" "$1" "$2" lkst.buffer_size=2M "$work/vmlinuz-$release" -initrd "$work/initrd.img-$release" -no-reboot
	is 'the system boots and powers off' $? 0
	[ -s "$results/status" ] || bail_out "no boot; the end of the console: $(tail -n 30 "$work/console" | tr -d '\r')"
	is 'the kernel reports no errors or warnings' \
		"$(cat "$work/console" "$results/dmesg" | grep -E 'BUG:|WARNING:|Oops:|Kernel panic|general protection')" ''
	is 'no unit failed' "$(result_of failed)" ''
	contains 'the module was loaded at boot and is recording' "$(result_of status)" '^state +running$'
	contains 'CPU 1 has recorded' "$(result_of summary)" '^1 +[1-9][0-9]+ +[0-9.]+%$'
}

# purged: test that purging worked and left nothing
purged() {
	is 'purging works while the daemon runs' "$(result_of purge-status)" 0
	lacks 'purging reports no errors' "$(result_of purge)" 'in use|rror'
	is 'purging leaves no loaded module and no files' "$(result_of left)" ''
}
