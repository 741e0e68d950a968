# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Boots a Debian root, for the tests of the packages. Sourced, after debroot.sh.

# tell_story ROOT <PROGRAM: when ROOT has booted, PROGRAM runs; what is in its /root/results afterwards is for the test.
tell_story() {
	cat >"$1/root/story"
	chmod +x "$1/root/story"
	cat >"$1/etc/systemd/system/story.service" <<-'END'
		[Unit]
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/root/story
		StandardOutput=tty
		TTYPath=/dev/ttyS0
		[Install]
		WantedBy=graphical.target
	END
	in_root "$1" systemctl -q enable story.service
	in_root "$1" systemctl -q set-default graphical.target
	# Nobody logs in, and the disk stays as it is.
	in_root "$1" systemctl -q mask getty@tty1.service serial-getty@ttyS0.service e2scrub_reap.service \
		apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer fstrim.timer systemd-networkd.service
	echo lkst-debian >"$1/etc/hostname"
	echo '/dev/vda / ext4 defaults 0 1' >"$1/etc/fstab"
}

# boot_root ROOT SIZE SECONDS PARAMETERS KERNEL [QEMU-OPTION...]: moves ROOT to a disk of that size and boots it with
# KERNEL, until it goes off. $work/console has what that wrote, $work/results the story's results. Returns QEMU's status.
boot_root() {
	local root=$1 size=$2 limit=$3 parameters=$4 kernel=$5 accel machine status=0
	shift 5
	# shellcheck disable=SC2154 # $work: see above
	mke2fs -q -t ext4 -d "$root" "$work/disk" "$size" >"$work/log" 2>&1 || bail_out "an image: $(cat "$work/log")"
	rm -rf "$root"
	# shellcheck disable=SC2154 # debroot.sh's
	accel=${LKST_VM_ACCEL:-$(cat "${cache%/*}/vm/accel-$(cat /proc/sys/kernel/random/boot_id)" 2>/dev/null || echo tcg)}
	machine=(-accel kvm -cpu host)
	# Emulated CPUs take turns: see scripts/lkst-vm.
	# shellcheck disable=SC2054 # QEMU's comma
	[ "$accel" = kvm ] || machine=(-accel tcg,thread=single -cpu Haswell)
	# no_timer_check: an emulated CPU may stand still for too long for that check.
	timeout "$limit" qemu-system-x86_64 -nodefaults -no-user-config -display none -machine q35 "${machine[@]}" \
		-smp 2 -m 1280 -kernel "$kernel" -append "root=/dev/vda rw console=ttyS0 systemd.show_status=0 quiet panic=-1 \
tsc=nowatchdog no_timer_check $parameters" -drive "file=$work/disk,if=virtio,format=raw,cache=unsafe" \
		-chardev "file,id=console,path=$work/console" -serial chardev:console "$@" </dev/null >"$work/qemu" 2>&1 ||
		status=$?
	debugfs -R "rdump /root/results $work" "$work/disk" >/dev/null 2>&1
	return $status
}
