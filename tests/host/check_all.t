#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests scripts/check-all: which runs it starts, how it counts the results of these runs, and its
# table of runs. A fake replaces scripts/check.

. "$(dirname "$0")/host.sh"

# The name of the checkout contains a space, which scripts/check-all must cope with.
lkst="$work/a checkout"
mkdir -p "$lkst"/{scripts,tests/host} "$lkst"/patches/{6.1,9.8,9.9} "$work/bin"
cp "$top"/scripts/{check-all,common.sh} "$lkst/scripts/"
# $work/says/RUN is a script that prints the output of a run. RUN consists of the arguments of
# check. Each blank and each slash in them is replaced by "_".
mkdir "$work/says"
cat >"$lkst/scripts/check" <<END
#!/bin/sh
echo "\$(pwd): \$*" >>"$work/asked"
says=$work/says/\$(echo "\$*" | tr ' /' '__')
[ -f "\$says" ] || says=$work/says/any
sh "\$says"
END
cat >"$work/says/any" <<'END'
echo 'ok    something'
echo 'check: took 1:00'
echo '10 passed, 0 failed'
END
# A fake apt-cache, which knows only one of Debian's kernels.
cat >"$work/bin/apt-cache" <<'END'
#!/bin/sh
[ "$*" != 'madison linux-image-9.8-amd64' ] || echo ' linux-image-9.8-amd64 | 9.8.1-1 | Packages'
END
chmod +x "$lkst/scripts/check" "$work/bin/apt-cache"
check_all() { PATH=$work/bin:$PATH "$lkst/scripts/check-all" "$@" 2>&1; }
last() { tail -n 1 <<<"$1"; }
table() { sed -n '/^run /,/ passed, /{ / passed, /!p }' <<<"$1"; }

out=$(check_all)
is 'all runs pass: status 0' $? 0
is 'the last line has the totals' "$(last "$out")" '150 passed, 0 failed'
is 'each run has a row' "$(table "$out" | awk 'NR > 1 && NF == 4 { print $1 }' | xargs)" \
	'all module headers stock arm64 arm64-headers 9.8 9.8-module 9.8-headers 9.8-series 9.8-stock 9.9 9.9-module 9.9-headers 9.9-series 9.9-stock'
contains "a run for which apt has no kernel is left out" "$(table "$out")" '^9\.9-stock +- +- +-$'
contains "and that is reported" "$out" 'check-all: 9\.9-stock: left out, because apt has no linux-image-9\.9-amd64$'
contains 'series and form are passed to check' "$(cat "$work/asked")" '/a checkout: --series 9\.8 --form module --all$'
contains 'tests are named by their path from the top' "$(cat "$work/asked")" \
	'/a checkout: --series 9\.8 tests/host/series\.t tests/host/series_build\.t .*tests/host/configurations\.t$'
named=$(grep -o 'tests/host/[a-z_-]*\.t' "$work/asked" | sort -u)
is 'the named tests exist' "$(for test in $named; do [ -f "$top/$test" ] || echo "$test"; done)" ''
lacks 'a run that is left out is not started' "$(cat "$work/asked")" '9\.9 --form stock'
ok 'the output is kept' grep -q 'ok    something' "$lkst/results-all/9.8-module"

# Selected runs. The results of earlier runs stay.
out=$(check_all 9.9 arm64)
is 'only the selected runs have rows' "$(table "$out" | awk 'NR > 1 && NF == 4 { print $1 }' | xargs)" '9.9 arm64'
ok 'the output of other runs is kept' test -s "$lkst/results-all/9.8-module"
refused 'an unknown run' 1 "no run '9\.7' \(available: all module " check_all 9.7
refused 'an unknown option' 1 "unknown option '-x'" check_all -x

# Failures.
cat >"$work/says/--form_module_--all" <<'END'
echo 'FAIL  something'
echo 'repeated: vm/a.t (base): QEMU hangs'
echo '7 passed, 2 failed, 3 skipped # 1 repeated'
exit 1
END
out=$(check_all module stock)
is 'a run with failures: status 1' $? 1
contains 'the row has the failures' "$(table "$out")" '^module +7 +2 +3$'
contains 'a message says where the output is' "$out" 'failures are in '
is 'the last line has the failures' "$(last "$out")" '17 passed, 2 failed, 3 skipped # 1 repeated'
contains 'a repeated test is named' "$out" '^repeated: module: vm/a\.t \(base\): QEMU hangs$'
echo 'echo 0 passed, 0 failed; exit 1' >"$work/says/--form_module_--all"
out=$(check_all module)
is 'a run without tests: status 1' $? 1
is 'a run without tests counts as a failure' "$(last "$out")" '0 passed, 1 failed'
echo 'echo no such luck; exit 3' >"$work/says/--form_module_--all"
out=$(check_all module stock)
is 'a run that ends early: status 1' $? 1
contains 'a run that ends early is reported' "$out" 'module: ended before all of its tests were done'
is 'a run that ends early counts as a failure, and the next run starts' "$(last "$out")" '10 passed, 1 failed'

# Some runs print a table of configurations. check-all shows these tables together at the end.
for series in 9.8 9.9; do
	cat >"$work/says/$(sed -n "s/.*: \(--series $series tests.*\)/\1/p" "$work/asked" |
		head -n 1 | tr ' /' '__')" <<END
printf 'ok    something\n\nconfiguration   series  result\nup              $series     boots\ncheck: took 1:00\n4 passed, 0 failed\n'
END
done
out=$(check_all 9.8-series 9.8 9.9-series)
is 'the tables of configurations come before the table of runs' "$(sed -n '/^configuration/,/^run/p' <<<"$(tail -n 13 <<<"$out")")" \
'configuration   series  result
up              9.8     boots

configuration   series  result
up              9.9     boots

run                passed   failed  skipped'
done_testing
