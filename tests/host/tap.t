#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# tests/tap.sh: what a failed test says is enough, and not too much.

. "$(dirname "$0")/../tap.sh"

# told COMMAND...: what a test says in which that is all.
told() { (tap_count=0; "$@"); }

many=$(seq 100000)
is 'text that is not there: both ends of where it was looked for' "$(told contains x "$many" y | sed -n '1,3p; 41,44p; $p')" \
	"not ok 1 - x
# nothing matches 'y' in:
# 1
# 39
# [lines left out: 99921]
# 99961
# 99962
# 100000"
is 'text that should not be there: the lines' "$(told lacks x "$many" '^999.0$')" "not ok 1 - x
# '^999.0\$' matches:
$(for n in 0 1 2 3 4 5 6 7 8 9; do echo "# 999${n}0"; done)"
for lines in 40 41 80; do
	is "$lines lines: all of them" "$(told diag "$(seq $lines)")" "$(seq $lines | sed 's/^/# /')"
done
is '81 lines: one is left out' "$(told diag "$(seq 81)" | grep -v '^# [0-9]')" '# [lines left out: 1]'
done_testing
