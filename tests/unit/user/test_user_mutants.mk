# SPDX-License-Identifier: GPL-2.0
# Builds test_user_format and test_user_enabler with each mutant of the code that they test, as
# $(out)/user/NAME. $(out)/user/mutants.list has a line "RESULT NAME" for each mutant.
# record/mutants.awk applies the mutants. If it reports that a mutant no longer matches, adapt the
# mutant.

user-kernel := $(top)/kernel/lkst/user
user-headers := $(wildcard $(user-kernel)/*.h user/*.h)
# The sources of test_user_enabler
user-enabler := enabler words words_fork words_write
# user-mutants-in NAME: the mutants of NAME.c
user-mutants-in = $(foreach m,$(shell awk -v list=1 -f record/mutants.awk user/mutants/$(1).mutants),$(firstword $(subst :, ,$(m))))

# user_mutant SOURCE, NAME: the mutant NAME of SOURCE.c
define user_mutant
$(out)/user/$(2).c: $(user-kernel)/$(1).c user/mutants/$(1).mutants record/mutants.awk
	$(Q)mkdir -p $$(@D)
	$(Q)awk -v mutant=$(2) -f record/mutants.awk user/mutants/$(1).mutants $$< >$$@
endef
$(foreach s,format $(user-enabler),$(foreach m,$(call user-mutants-in,$(s)),$(eval $(call user_mutant,$(s),$(m)))))

user-of-format := $(patsubst %,$(out)/user/%,$(call user-mutants-in,format))
$(user-of-format:%=%.o): %.o: %.c $(user-headers)
	$(Q)$(CC) $(cflags) -Wno-unused -iquote $(user-kernel) -iquote $(top)/kernel/lkst -c -o $@ $<
$(user-of-format): %: %.o $(out)/test_user_format.d/user/test_user_format.o

# test_user_enabler.c includes each source through a macro, such as WORDS for words.c, whose value is
# the name of the file. -D sets the macro to the file of a mutant.
user-of-enabler := $(foreach s,$(user-enabler),$(patsubst %,$(out)/user/%,$(call user-mutants-in,$(s))))
user-macro-of = $(shell printf %s $(1) | tr a-z A-Z)
define user_enabler_mutants
$(patsubst %,$(out)/user/%.o,$(call user-mutants-in,$(1))): %.o: %.c user/test_user_enabler.c $$(user-headers) \
		$$(user-enabler:%=$$(user-kernel)/%.c) $$(user-empty)/made
	$$(Q)$$(CC) $$(cflags) $$(user-cflags) -D$(call user-macro-of,$(1))='"$$(abspath $$<)"' -c -o $$@ user/test_user_enabler.c
endef
$(foreach s,$(user-enabler),$(eval $(call user_enabler_mutants,$(s))))
$(user-of-enabler): %: %.o

$(user-of-format) $(user-of-enabler): $(out)/common/tap.o $(out)/liblkst.a
	$(Q)$(CC) $(cflags) -o $@ $^ $(check_libs)

# The kernel's headers that these sources include are not needed: enabler_world.h replaces them.
$(user-empty)/made: $(user-enabler:%=$(user-kernel)/%.c) $(user-kernel)/words.h
	$(Q)for name in $$(sed -n 's/^#include <\(.*\)>$$/\1/p' $^); do \
		mkdir -p $(@D)/$${name%/*}; : >$(@D)/$$name; done
	$(Q)touch $@
$(out)/test_user_enabler.d/user/test_user_enabler.o: $(user-empty)/made

$(out)/user/mutants.list: user/test_user_mutants.mk record/mutants.awk $(wildcard user/mutants/*.mutants)
	$(Q)mkdir -p $(@D)
	$(Q)awk -v list=1 -f record/mutants.awk user/mutants/*.mutants | awk -F : '{ print $$4, $$1 }' >$@

all: $(out)/user/mutants.list $(user-of-format) $(user-of-enabler)
