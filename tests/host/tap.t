#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# tests/tap.sh prints enough, but not too much, about a failed test.

. "$(dirname "$0")/../tap.sh"

# output_of COMMAND...: print the output of a test that runs only COMMAND
output_of() { (tap_count=0; "$@"); }

many=$(seq 100000)
is 'missing text: both ends of the searched text are shown' "$(output_of contains x "$many" y | sed -n '1,3p; 41,44p; $p')" \
	"not ok 1 - x
# nothing matches 'y' in:
# 1
# 39
# [lines left out: 99921]
# 99961
# 99962
# 100000"
is 'unexpected text: the lines are shown' "$(output_of lacks x "$many" '^999.0$')" "not ok 1 - x
# '^999.0\$' matches:
$(for n in 0 1 2 3 4 5 6 7 8 9; do echo "# 999${n}0"; done)"
for lines in 40 41 80; do
	is "$lines lines: all are printed" "$(output_of diag "$(seq $lines)")" "$(seq $lines | sed 's/^/# /')"
done
is '81 lines: one is left out' "$(output_of diag "$(seq 81)" | grep -v '^# [0-9]')" '# [lines left out: 1]'
done_testing
