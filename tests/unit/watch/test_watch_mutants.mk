# SPDX-License-Identifier: GPL-2.0
# Builds test_watch_table with each mutant of the table of spans, as $(out)/watch/NAME.
# $(out)/watch/mutants.list has a line "RESULT NAME" for each mutant. record/mutants.awk applies the
# mutants to the fast path and the rest of the table, one after the other. If it reports that a
# mutant no longer matches, adapt the mutant.

watch-kernel := $(top)/kernel/lkst/rules
watch-list := watch/mutants/watch_table.mutants
watch-mutants := $(foreach m,$(shell awk -v list=1 -f record/mutants.awk $(watch-list)),$(firstword $(subst :, ,$(m))))
watch-of := $(watch-mutants:%=$(out)/watch/%)

watch-table := $(watch-kernel)/watch_fast.h $(watch-kernel)/watch_table.c
$(watch-of:%=%.c): $(out)/watch/%.c: $(watch-table) $(watch-list) record/mutants.awk
	$(Q)mkdir -p $(@D)
	$(Q)awk -v mutant=$* -f record/mutants.awk $(watch-list) $(watch-table) >$@
$(watch-of:%=%.o): %.o: %.c watch/test_watch_table.c $(wildcard $(watch-kernel)/watch*.h)
	$(Q)$(CC) $(cflags) -Wno-unused -Wno-sign-compare -iquote $(watch-kernel) -iquote $(top)/kernel/lkst \
		-DWATCH_TABLE='"$(abspath $<)"' -c -o $@ watch/test_watch_table.c
$(watch-of): %: %.o $(out)/common/tap.o $(out)/liblkst.a
	$(Q)$(CC) $(cflags) -o $@ $^ $(check_libs)

$(out)/watch/mutants.list: watch/test_watch_mutants.mk record/mutants.awk $(watch-list)
	$(Q)mkdir -p $(@D)
	$(Q)awk -v list=1 -f record/mutants.awk $(watch-list) | awk -F : '{ print $$4, $$1 }' >$@

all: $(out)/watch/mutants.list $(watch-of)
