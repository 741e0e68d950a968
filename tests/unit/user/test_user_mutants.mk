# SPDX-License-Identifier: GPL-2.0
# Builds test_user_format with each mutant of kernel/lkst/user/format.c, as $(out)/user/NAME. The
# names are in $(out)/user/mutants.list. record/mutants.awk applies the mutants. If it reports that a
# mutant no longer matches, adapt the mutant.

user-mutants-file := user/mutants/format.mutants
user-mutants := $(foreach m,$(shell awk -v list=1 -f record/mutants.awk $(user-mutants-file)),$(firstword $(subst :, ,$(m))))
user-format := $(top)/kernel/lkst/user/format.c
user-test-obj := $(out)/test_user_format.d/user/test_user_format.o

$(user-mutants:%=$(out)/user/%.c): $(out)/user/%.c: $(user-format) $(user-mutants-file) record/mutants.awk
	$(Q)mkdir -p $(@D)
	$(Q)awk -v mutant=$* -f record/mutants.awk $(user-mutants-file) $(user-format) >$@

$(user-mutants:%=$(out)/user/%.o): $(out)/user/%.o: $(out)/user/%.c $(wildcard $(top)/kernel/lkst/user/format*.h)
	$(Q)$(CC) $(cflags) -Wno-unused -iquote $(top)/kernel/lkst/user -iquote $(top)/kernel/lkst -c -o $@ $<

$(user-mutants:%=$(out)/user/%): $(out)/user/%: $(out)/user/%.o $(user-test-obj) $(out)/common/tap.o $(out)/liblkst.a
	$(Q)$(CC) $(cflags) -o $@ $^ $(check_libs)

$(out)/user/mutants.list: $(user-mutants-file)
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(user-mutants) >$@

all: $(out)/user/mutants.list $(user-mutants:%=$(out)/user/%)
