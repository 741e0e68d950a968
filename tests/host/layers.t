#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/layers reports no use of a higher layer in kernel/lkst, and reports each such use that the
# test adds to a copy of this folder. Sources of tools/lkst include only headers of their own folder
# and of lower layers, and no two files define structures with the same name.

. "$(dirname "$0")/host.sh"

# Make a new copy of kernel/lkst, which a test may change.
fresh() {
	rm -rf "$work/kernel"
	mkdir "$work/kernel" && cp -a "$top/kernel/lkst" "$work/kernel/lkst"
}
layers() { "$top/scripts/layers" "$work" 2>&1; }

is "the tree is clean" "$("$top/scripts/layers" 2>&1)" ''

fresh
is "a copy of the tree is clean" "$(layers)" ''

echo '#include "../device/device.h"' >>"$work/kernel/lkst/buffer/queue.c"
contains "an include that points upwards" "$(layers)" \
	'^buffer/queue\.c:[0-9]+: includes device/device\.h, which is in a higher layer$'
ok "an include that points upwards: status 1" test "$(layers >/dev/null; echo $?)" = 1

fresh
echo 'static void lkst_up(void) { lkst_event_slow(0, 0, 0, 0, 0); }' >>"$work/kernel/lkst/ring/record.h"
contains "a call that points upwards" "$(layers)" \
	'^ring/record\.h:[0-9]+: uses lkst_event_slow, which is in dispatch/event\.c, a higher layer$'

fresh
echo 'static void *lkst_up(void) { return &lkst_ring_current; }' >>"$work/kernel/lkst/clock/timeline.c"
contains "a variable of a higher layer" "$(layers)" \
	'^clock/timeline\.c:[0-9]+: uses lkst_ring_current, which is in buffer/buffer\.c, a higher layer$'

fresh
cat >>"$work/kernel/lkst/clock/timeline.c" <<'END'
/* lkst_event_slow() in a comment, */
static const char *lkst_up = "lkst_event_slow() in a string";
struct lkst_ring;
END
is "a comment, a string and a structure are not uses" "$(layers)" ''

fresh
mkdir "$work/kernel/lkst/other"
touch "$work/kernel/lkst/other/file.c"
contains "a file without a layer" "$(layers)" '^other/file\.c: belongs to no layer '

contains "a tree without LKST" "$("$top/scripts/layers" "$work/nowhere" 2>&1)" '^layers: .*nowhere/kernel/lkst: no files'

# --- tools/lkst

# The layers, from the bottom up. Commands are above them, and do not include each other's headers.
# The same applies inside a command: its subfolders are above its own files, and do not include each
# other's headers.
declare -A level=([lib/base]=0 [lib/text]=1 [lib/model]=2 [lib/device]=3 [lib/trace]=4 [lib/live]=5 [lib/image]=6 [lib/btf]=6
	[lib]=7 [cli]=8)

# upwards FILE...: print the #include lines that name a header of a higher layer. Any file may
# include the public headers.
upwards() {
	local file room within line target
	for file; do
		# A file of a command may include the headers in all folders that contain it.
		room=${file%/*} within=${file%/*}/
		[[ $file != lib/* ]] || within=
		while IFS= read -r line; do
			target=${line%/*}
			case $line in
			lib/lkst.h | lib/model.h | lkst/event.h | traceevent/sys/trace.h) continue ;;
			linux/* | asm-* | "$target") continue ;;
			"$room/${line##*/}") continue ;;
			esac
			[[ $within == "$target"/* ]] || [ "${level[$target]:-99}" -le "${level[$room]:-9}" ] ||
				echo "$file includes $line"
		done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$file")
	done
}

cd "$top/tools/lkst" || exit
mapfile -t files < <(find . -name '*.[ch]' ! -path './lib/include/*' | sed 's,^\./,,' | sort)
# shared FILE...: print the name of each structure that more than one file defines, and these files
shared() {
	grep -oE '^(static )?(const )?struct [a-z_0-9]+ [{]' "$@" |
		sed -E 's/^([^:]*):.*struct ([a-z_0-9]+) [{]$/\2 \1/' | sort -u |
		awk '{ files[$1] = files[$1] " " $2; num[$1]++ } END { for (s in num) if (num[s] > 1) print s ":" files[s] }'
}

ok 'sources of tools/lkst are found' test "${#files[@]}" -gt 200
is 'no include points upwards' "$(upwards "${files[@]}")" ''
is 'no two structures share a name' "$(shared "${files[@]}")" ''

mkdir "$work/tools"
cp -a lib cli lkstm lkstbuf lkstla "$work/tools" && cd "$work/tools" || exit
printf '#include "%s"\n' lib/trace/trace.h lib/model_read.h >>lib/text/out.c
echo '#include "cli/options.h"' >>lib/public.c
echo '#include "lkstm/maskset.h"' >>cli/options.c
echo '#include "lkstm/maskset.h"' >>lkstla/run.c
echo '#include "lkstla/why/why.h"' >>lkstla/lkstla.c
echo '#include "lkstla/why/why.h"' >>lkstla/sql/sql.c
echo '#include "lkstbuf/export/chrome/chrome.h"' | tee -a lkstbuf/export/export.c >>lkstbuf/export/folded/folded.c
is 'includes that point upwards are found' \
	"$(upwards lib/text/out.c lib/public.c cli/options.c lkstla/run.c lkstla/lkstla.c lkstla/sql/sql.c \
		lkstbuf/export/export.c lkstbuf/export/folded/folded.c)" \
	'lib/text/out.c includes lib/trace/trace.h
lib/text/out.c includes lib/model_read.h
lib/public.c includes cli/options.h
cli/options.c includes lkstm/maskset.h
lkstla/run.c includes lkstm/maskset.h
lkstla/lkstla.c includes lkstla/why/why.h
lkstla/sql/sql.c includes lkstla/why/why.h
lkstbuf/export/export.c includes lkstbuf/export/chrome/chrome.h
lkstbuf/export/folded/folded.c includes lkstbuf/export/chrome/chrome.h'
printf 'static const struct selector {\n\tint a;\n} selectors[1];\n' | tee -a lkstla/run.c >>lib/public.c
is 'a name that two structures share is found' "$(shared lkstla/run.c lib/public.c cli/options.c)" \
	'selector: lib/public.c lkstla/run.c'
done_testing
