#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests lkstla diff on traces of the same load with known changes (tests/unit/trace/mkload.c): which
# changes it finds, the headers, figures that cannot be compared, the forms of the result, and
# errors.

. "$(dirname "$0")/host.sh"
unset PAGER LKST_PAGER LESS NO_COLOR
use_tools mktrace
for plan in same call wake lock error disk irq gone nolock; do
	mktrace "$plan" load "$plan" 1 || bail_out "no trace $plan"
done
for seed in 2 3 4 5 6; do
	mktrace "same$seed" load same $seed && mktrace "system$seed" system $((seed * 3)) || bail_out 'no trace'
done

diff_of() { lkstla diff "$@" --csv 2>/dev/null | sed 1d; }

# --- noise is not shown as a change

is 'a trace and itself' "$(diff_of same same)" ''
is 'a trace and itself, any change' "$(diff_of same same --change 1 --worth 1ns --confidence 50)" ''
for seed in 2 3 4 5 6; do
	is "the same load: $seed" "$(diff_of same same$seed)" ''
	is "the same load, any change: $seed" "$(diff_of same same$seed --change 1 --worth 1ns)" ''
	is "the same system: $seed" "$(diff_of system2 system$seed --change 1 --worth 1ns)" ''
done
is 'a real trace and itself' "$(diff_of "$top/tests/host/lkstla_recompute.lkst" "$top/tests/host/lkstla_recompute.lkst")" ''
is 'the result is reproducible' "$(diff_of same call --all)" "$(diff_of same call --all)"

# --- a planted change is listed first, in both directions

while IFS='|' read -r plan first only; do
	is "$plan: first" "$(diff_of same "$plan" | head -n 1 | cut -d , -f 1,2)" "$first"
	is "$plan: all else is a consequence" "$(diff_of same "$plan" | cut -d , -f 1,2 | grep -vxE "$first|$only")" ''
	is "$plan: reversed" "$(diff_of "$plan" same | head -n 1 | cut -d , -f 1,2)" "$first"
done <<'END'
call|call,main: read|run,main
wake|wake-up,helper by main|(run|wait),helper
lock|lock,0x20 in rename|run,main|call,main: rename
error|call,main: write|-
disk|block,32768:0 0|run,main
irq|interrupt,vector 236|-
END
is 'error: figure' "$(diff_of same error | cut -d , -f 3)" 'errors per s'
is 'a new thread and one that is gone' "$(diff_of same gone | awk -F , '$10 == "" || $10 != ($2 ~ /^main/ ? "A" : "B")')" ''
contains 'a new thread' "$(diff_of same gone)" '^run,other,ms per s,0,[0-9.]+,,,,[0-9.]+,B$'
# The changed call, which occurs 500 times a second, takes 20 us on average in A and 400 us in B.
# The windows of A and B are 3 s long.
is 'the figures' "$(diff_of same call | awk -F , '/main: read,p50/ {
	print ($4 > 19 && $4 < 22) ($5 > 380 && $5 < 420) ($7 < $6 && $6 < $8) ($9 > 180 && $9 < 200) }')" 1111
is '--sort' "$(diff_of same call --sort B | head -n 1 | cut -d , -f 3)" 'p99 us'
is '--top' "$(diff_of same call --top 2 | wc -l)" 2
is '--change' "$(diff_of same call --change 900 | cut -d , -f 1 | sort -u)" call
is '--worth' "$(diff_of same call --worth 191ms | cut -d , -f 3)" 'p50 us'
is '-p' "$(diff_of same wake -p helper | cut -d , -f 2 | sort -u | head -n 1)" helper
is '-c' "$(diff_of same irq -c 0)" ''
is '--until' "$(diff_of same call --until +5ms)" ''

# --- the headers, and what cannot be compared

contains 'the headers of both' "$(lkstla diff same call | sed -n '1,4p' | tr '\n' '|')" \
	'^A: same\|window 03:04:05.* 2 CPUs, 24,004 events, nothing lost\)\|B: call\|window 03:04:05.* nothing lost\)\|'
contains 'nothing changed' "$(lkstla diff same same2 | tail -n 1)" '^compared: [0-9]+ figures, of which 0 changed by more than noise \(confidence 95 %\)$'
contains 'not recorded' "$(lkstla diff same nolock)" '^not compared: lock \(no lock_contention_begin or lock_contention_end in B\)$'
contains 'not recorded, reversed' "$(lkstla diff nolock same)" '^not compared: lock \(no lock_contention_begin or lock_contention_end in A\)$'
mktrace lossy system 1 && mktrace whole system 3 && mktrace one 1 4000 0 || bail_out 'no trace'
contains 'lost records' "$(lkstla diff whole lossy)" '^note: records of B were lost, so its rates and totals are too low$'
contains 'another number of CPUs' "$(lkstla diff whole one)" '^note: A has 4 CPUs and B has 1: rates and totals are those of all CPUs$'
contains '--all' "$(lkstla diff same same2 --all)" '^Not changed by more than noise:$'

# --- forms and errors

lkstla diff same nolock --json --all >json
ok '--json is JSON' perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' <json
field() { perl -MJSON::PP -e 'local $/; my $at = decode_json(<STDIN>); $at = ref $at eq "ARRAY" ? $at->[$_] : $at->{$_} for @ARGV; print $at' "$@"; }
is '--json: both windows' "$(field window a file <json)/$(field window b file <json)/$(field window a events <json)" same/nolock/24004
is '--json: not compared' "$(field diff not_compared 0 what <json)/$(field diff not_compared 0 lacks <json)" lock/b
is '--json: number of changes' "$(field diff changed <json)" "$(diff_of same nolock | wc -l)"
is '--json: the first change' "$(field changed 0 name <json)/$(field changed 0 figure <json)" 'main: rename/p50 us'
is 'standard input is A' "$(lkstla diff - call <same --csv 2>/dev/null)" "$(lkstla diff same call --csv 2>/dev/null)"
is '-f' "$(diff_of -f same -f call)" "$(diff_of same call)"
mkdir -p before after && cp same before && cp call after
is 'directories' "$(diff_of before after)" "$(diff_of same call)"
head -c 2000000 call >damaged
fails 'a truncated trace: status' 1 sh -c 'lkstla diff same damaged >out 2>&1'
contains 'a truncated trace is compared' "$(cat out)" '^compared: '
fails 'a truncated trace A: status' 1 sh -c 'lkstla diff damaged same >out 2>&1'
contains 'a truncated trace A is compared' "$(cat out)" '^compared: '
mktrace hostile hostile
fails 'nothing that can be compared' 1 sh -c 'lkstla diff hostile same >out 2>&1'
lacks 'B is not read then' "$(cat out)" '^compared'
for line in '2|no trace is given \(want A and B; without B, the running kernel\)|' \
	'2|more than two traces \(want A and B; a directory counts as one\)|same same same' \
	'2|more than two traces|--previous same same' \
	'2|--boot and --symbols require --previous|--boot 1 same same' \
	'2|--over does not apply to this analysis|--over 1ms same same' \
	'2|--worth "x" is not a span of time|--worth x same same' \
	'2|percentage "100" is out of range|--confidence 100 same same' \
	'1|--sort "foo": unknown key|--sort foo same call' \
	'1|no thread in the trace is named "mian"; did you mean "main"\?|-p mian same call' \
	'2|no such file "nothing"|same nothing'; do
	IFS='|' read -r status says options <<<"$line"
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "diff $options" "$status" "$says" lkstla diff $options </dev/null
done
done_testing
