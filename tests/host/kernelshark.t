#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests that KernelShark opens what lkstbuf export writes as trace.dat, and draws it. KernelShark
# runs with a virtual screen, whose contents are a file.
# suite: all

. "$(dirname "$0")/host.sh"
"$top/scripts/deps" kernelshark >"$work/deps" 2>&1 || bail_out "no KernelShark here: $(cat "$work/deps")"
use_tools

# KernelShark asks root whether to continue.
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
mkdir -m 777 home screen
chmod 755 "$work"
lkstbuf export -f "$top/tests/host/lkstla_recompute.lkst" -o real.dat || bail_out 'no export'
chmod 644 real.dat

server=''
viewer=''
# shellcheck disable=SC2317 # the trap of host.sh calls it
cleanup() {
	# shellcheck disable=SC2086 # empty until the process is started
	kill $server $viewer 2>/dev/null
	rm -rf "$work"
}
Xvfb -displayfd 3 -screen 0 1280x900x24 -fbdir screen 3>display >log 2>&1 &
server=$!
until_true test -s display || bail_out "no screen: $(cat log)"
DISPLAY=:$(cat display)
export DISPLAY

HOME=$work/home XDG_RUNTIME_DIR=$work/home QT_QPA_PLATFORM=xcb "${user[@]}" kernelshark real.dat >log 2>&1 &
viewer=$!

# title: print the title of KernelShark's window, which contains the name of the file
title() { xdotool search --name 'Kernel Shark' getwindowname 2>/dev/null; }
# shellcheck disable=SC2317 # until_true calls them
shows() { title | grep -q 'real.dat' || ! kill -0 "$viewer"; }
# shellcheck disable=SC2317
# When no file is loaded, only 11 colours cover many pixels of the window.
draws() { [ "$("$top/tests/host/kernelshark.py" screen/Xvfb_screen0)" -ge 25 ] || ! kill -0 "$viewer"; }
until_true shows
is 'KernelShark shows the file' "$(title)" 'Kernel Shark (real.dat)'
ok 'threads have colours' until_true draws
ok 'KernelShark is still running' kill -0 "$viewer"
lacks 'no events are unknown' "$(cat log)" 'FAILED|unknown event|error'

done_testing
