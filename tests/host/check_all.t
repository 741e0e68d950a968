#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/check-all: which runs there are, what each says, and what comes of all of them. A stand-in is in check's place.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In a directory with a blank.
lkst="$work/a checkout"
mkdir -p "$lkst"/{scripts,tests/host} "$lkst"/patches/{6.1,9.8,9.9} "$work/bin"
cp "$top"/scripts/{check-all,common.sh} "$lkst/scripts/"
# $work/says/RUN is what a run prints, and ends with, RUN being what check is told, with lines for blanks.
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
# apt knows one of Debian's kernels.
cat >"$work/bin/apt-cache" <<'END'
#!/bin/sh
[ "$*" != 'madison linux-image-9.8-amd64' ] || echo ' linux-image-9.8-amd64 | 9.8.1-1 | Packages'
END
chmod +x "$lkst/scripts/check" "$work/bin/apt-cache"
check_all() { PATH=$work/bin:$PATH "$lkst/scripts/check-all" "$@" 2>&1; }
last() { tail -n 1 <<<"$1"; }
table() { sed -n '/^run /,/ passed, /{ / passed, /!p }' <<<"$1"; }

out=$(check_all)
is 'all is well' $? 0
is 'the sum' "$(last "$out")" '150 passed, 0 failed'
is 'each run has a row' "$(table "$out" | awk 'NR > 1 && NF == 4 { print $1 }' | xargs)" \
	'all module headers stock arm64 arm64-headers 9.8 9.8-module 9.8-headers 9.8-series 9.8-stock 9.9 9.9-module 9.9-headers 9.9-series 9.9-stock'
contains "one that apt knows no kernel for is left out" "$(table "$out")" '^9\.9-stock +- +- +-$'
contains "and that is told" "$out" 'check-all: 9\.9-stock: left out, as apt knows no linux-image-9\.9-amd64$'
contains 'check is told of series and form' "$(cat "$work/asked")" '/a checkout: --series 9\.8 --form module --all$'
contains 'its tests are named as they are from there' "$(cat "$work/asked")" \
	'/a checkout: --series 9\.8 tests/host/series\.t tests/host/series_build\.t .*tests/host/configurations\.t$'
named=$(grep -o 'tests/host/[a-z_-]*\.t' "$work/asked" | sort -u)
is 'and are there' "$(for test in $named; do [ -f "$top/$test" ] || echo "$test"; done)" ''
lacks 'one that is left out is not run' "$(cat "$work/asked")" '9\.9 --form stock'
ok 'the output is kept' grep -q 'ok    something' "$lkst/results-all/9.8-module"

# Runs of one's choice. Those before stay.
out=$(check_all 9.9 arm64)
is 'some of them' "$(table "$out" | awk 'NR > 1 && NF == 4 { print $1 }' | xargs)" '9.9 arm64'
ok 'what others said stays' test -s "$lkst/results-all/9.8-module"
refused 'one that there is not' 1 "there is no run '9\.7'; there are: all module " check_all 9.7
refused 'nor such an option' 1 "what is '-x'" check_all -x

# What goes wrong.
cat >"$work/says/--form_module_--all" <<'END'
echo 'FAIL  something'
echo '7 passed, 2 failed, 3 skipped'
exit 1
END
out=$(check_all module stock)
is 'a failure' $? 1
contains 'in its row' "$(table "$out")" '^module +7 +2 +3$'
contains 'with where to look' "$out" 'failures are in '
is 'in the sum' "$(last "$out")" '17 passed, 2 failed, 3 skipped'
echo 'echo 0 passed, 0 failed; exit 1' >"$work/says/--form_module_--all"
out=$(check_all module)
is 'a run where nothing ran' $? 1
is 'is a failure' "$(last "$out")" '0 passed, 1 failed'
echo 'echo no such luck; exit 3' >"$work/says/--form_module_--all"
out=$(check_all module stock)
is 'a run that ends early' $? 1
contains 'is told' "$out" 'module: ended before its tests did'
is 'and a failure; the others go on' "$(last "$out")" '10 passed, 1 failed'

# The table of configurations, of all runs.
for series in 9.8 9.9; do
	cat >"$work/says/$(sed -n "s/.*: \(--series $series tests.*\)/\1/p" "$work/asked" |
		head -n 1 | tr ' /' '__')" <<END
printf 'ok    something\n\nconfiguration   series  result\nup              $series     boots\ncheck: took 1:00\n4 passed, 0 failed\n'
END
done
out=$(check_all 9.8-series 9.8 9.9-series)
is 'what configurations there were, before the table of runs' "$(sed -n '/^configuration/,/^run/p' <<<"$(tail -n 13 <<<"$out")")" \
'configuration   series  result
up              9.8     boots

configuration   series  result
up              9.9     boots

run                passed   failed  skipped'
done_testing
