# SPDX-License-Identifier: GPL-2.0
# Builds test_watch_table with each mutant of the table of spans, and test_watch_direct with each
# mutant of the fast path, as $(out)/watch/NAME. $(out)/watch/mutants.list has a line "RESULT NAME"
# for each mutant. record/mutants.awk applies the mutants of the table to the inline functions and
# the rest of the table, one after the other. If it reports that a mutant no longer matches, adapt
# the mutant.

watch-kernel := $(top)/kernel/lkst/rules
watch-headers := $(wildcard $(watch-kernel)/watch*.h watch/shim/linux/*.h)
watch-sources-table := $(watch-kernel)/watch_fast.h $(watch-kernel)/watch_table.c
watch-sources-direct := $(watch-kernel)/watch_direct.h
watch-cflags-table := -DWATCH_TABLE
watch-cflags-direct := -I watch/shim -Wno-sign-conversion -DWATCH_DIRECT

# watch-mutants-of PART: the mutants of test_watch_PART
watch-mutants-of = $(foreach m,$(shell awk -v list=1 -f record/mutants.awk watch/mutants/watch_$1.mutants),$(out)/watch/$(firstword $(subst :, ,$m)))

# watch_mutants PART: how to build the mutants of test_watch_PART
define watch_mutants
watch-of-$1 := $$(call watch-mutants-of,$1)
$$(watch-of-$1:%=%.c): $$(out)/watch/%.c: $$(watch-sources-$1) watch/mutants/watch_$1.mutants record/mutants.awk
	$$(Q)mkdir -p $$(@D)
	$$(Q)awk -v mutant=$$* -f record/mutants.awk watch/mutants/watch_$1.mutants $$(watch-sources-$1) >$$@
$$(watch-of-$1:%=%.o): %.o: %.c watch/test_watch_$1.c $$(watch-headers)
	$$(Q)$$(CC) $$(cflags) -Wno-unused -Wno-sign-compare -iquote $$(watch-kernel) -iquote $$(top)/kernel/lkst \
		$$(watch-cflags-$1)='"$$(abspath $$<)"' -c -o $$@ watch/test_watch_$1.c
endef
$(foreach part,table direct,$(eval $(call watch_mutants,$(part))))

watch-of := $(watch-of-table) $(watch-of-direct)
$(watch-of): %: %.o $(out)/common/tap.o $(out)/liblkst.a
	$(Q)$(CC) $(cflags) -o $@ $^ $(check_libs)

watch-lists := watch/mutants/watch_table.mutants watch/mutants/watch_direct.mutants
$(out)/watch/mutants.list: watch/test_watch_mutants.mk record/mutants.awk $(watch-lists)
	$(Q)mkdir -p $(@D)
	$(Q)awk -v list=1 -f record/mutants.awk $(watch-lists) | awk -F : '{ print $$4, $$1 }' >$@

all: $(out)/watch/mutants.list $(watch-of)
