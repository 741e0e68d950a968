#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# samples/events: each program puts its requests into the trace of a VM, in C, C++, a shell and Python.
# kernel: base

. "$(dirname "$0")/host.sh"
cd "$work" || exit
samples=$top/samples/events

make -s -C "$top/tools/lkst" >log 2>&1 || bail_out "the tools: $(tail log)"
mkdir share
cp "$samples"/requests.* share/
# The VM has no C++ library.
ok 'requests.c' gcc -O2 -Wall -Wextra -Werror -static -I "$top/include" -o share/requests "$samples/requests.c"
ok 'requests.cc' g++ -O2 -Wall -Wextra -Werror -static -I "$top/include" -o share/requests-cc "$samples/requests.cc"
# The VM gets python3 and the modules that the program imports, with their libraries.
python=
if command -v python3 >/dev/null; then
	# python3 may be a script that runs one of several versions.
	python=$(python3 -c 'import sys; print(sys.executable)')
	cp -L "$python" share/python3
	"$python" -S - >files <<-'END'
		import ctypes, fcntl, os, struct, sys, time
		for module in list(sys.modules.values()):
		    if os.path.exists(getattr(module, "__file__", None) or ""):
		        print(module.__file__)
	END
	home=$("$python" -S -c 'import sys; print(sys.prefix)')
	while IFS= read -r file; do
		mkdir -p "share/python/$(dirname "${file#"$home"/}")"
		cp "$file" "share/python/${file#"$home"/}"
	done <files
	{ echo "$python" && grep '\.so$' files; } | xargs ldd | sed -n 's/.* => \(\/.*\) (.*/\1/p' | grep -vE '/(libc|libm|ld-linux)[.-]' |
		sort -u | xargs -r cp -L -t share
fi

cat >share/script <<'END'
#!/bin/sh
cd /share || exit
export PYTHONHOME=/share/python LD_LIBRARY_PATH=/share
events=request_begin,request_end,user_text
# A maskset that records nothing else, so that no event is overwritten.
printf '%s entry_log\n' class:user_events class:mark | lkstm write -n requests >/dev/null
while read -r name run; do
	lkst start
	for state in off on; do
		lkstm set -n nothing
		[ $state = off ] || lkstm set -n requests
		$run >>"$name.out" 2>&1 </dev/null || echo "$run: status $?" >>"$name.out"
		lkstm set -n nothing
		lkstbuf print -r -e "$events" >"$name.$state" 2>&1
	done
	lkstbuf create -s 4K && lkstbuf jump -b 1 && lkstbuf jump -b 0 && lkstbuf delete -b 1
done >log 2>&1 <<-'LIST'
	c ./requests 6
	cc ./requests-cc 7
	sh sh requests.sh 6
	py ./python3 -S requests.py 6
LIST
cp /proc/lkst_etypes .
exit 0
END
chmod +x share/script
"$top/scripts/lkst-vm" --take-turns --share "$work/share" -- /share/script >log 2>&1 || bail_out "in a VM: $(cat log)"

# lines FILE: print the lines of the events, each from the name of the event on
lines() { sed -n 's/.* \(\(user_events:\)\{0,1\}request_[a-z]*\|user_text\)  */\1 /p' "share/$1"; }
for name in c cc py; do
	if [ $name = py ] && [ -z "$python" ]; then
		skip 'requests.py' 'there is no python3'
		continue
	fi
	is "requests.$name: no errors" "$(cat share/$name.out)" ''
	is "requests.$name: nothing is recorded while the events are off" "$(lines $name.off | wc -l)" 0
	contains "requests.$name: the first request" "$(lines $name.on | sed -n 1p)" 'user_events:request_begin id=1 path="?/index"?$'
	contains "requests.$name: its end" "$(lines $name.on | sed -n 2p)" 'user_events:request_end id=1 status=200$'
	contains "requests.$name: the slow request" "$(lines $name.on | sed -n 9p)" 'user_events:request_begin id=5 path="?/report"?$'
	contains "requests.$name: its end" "$(lines $name.on | sed -n 10p)" 'user_events:request_end id=5 status=200$'
done
is 'requests.cc: a request that ends with an exception' "$(lines cc.on | sed -n 14p)" 'user_events:request_end id=7 status=500'
is 'requests.sh: the first request' "$(lines sh.on | head -n 2 | paste -sd ' ')" \
	'user_text text="request 1 begins" user_text text="request 1 ends"'
is 'requests.sh: 6 requests' "$(lines sh.on | wc -l)" 12
done_testing
