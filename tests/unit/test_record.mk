# SPDX-License-Identifier: GPL-2.0
# test_record runs programs, each with the same tests (record_case.c): on kernel/lkst/record.h as it is,
# compiled in other ways, and with one step left out (record_mutants/*.patch).
#
# The code under test is compiled with the kernel's flags, to assembler; record_step.awk makes of that
# the code itself and the code to step through.
#
# A mutant is a patch. Its text says what it does and which test must fail with it. When it no longer fits
# record.h, the step that it takes out has changed: take it out by hand, and diff -U2.

# This file is included before the first rule of the Makefile.
.DEFAULT_GOAL := all

record := $(out)/record
record-cases := $(patsubst %.c,%,record_case.c record_step.c record_world.c record_starts.c record_nest.c \
	record_readers.c record_trap.c record_threads.c record_weak.c)
record-headers := test_record.mk $(wildcard record_*.h shim/*.h $(top)/include/asm-*/lkst.h $(top)/include/uapi/linux/lkst*.h)
record-mutants := $(patsubst record_mutants/%.patch,%,$(wildcard record_mutants/*.patch))

record-can = $(shell echo 'int main(void) { return 0; }' | $(1) -x c -o /dev/null - 2>/dev/null && echo $(2))
record-variants := native generic $(call record-can,$(CC) -m32,m32) $(call record-can,clang,clang)

record-kernel-cflags := -O2 -std=gnu11 -fno-strict-aliasing -fno-strict-overflow -fno-stack-protector \
	-fno-delete-null-pointer-checks -fno-pie -fno-asynchronous-unwind-tables -fomit-frame-pointer \
	-mgeneral-regs-only -mno-red-zone -fcf-protection=none
record-warnings := -Wall -Wextra -Werror
record-cflags := -O2 -g -std=gnu11 -D_GNU_SOURCE -fno-strict-aliasing -fno-pie $(record-warnings)
record-include := -iquote . -iquote $(top)/include -I $(top)/include/uapi -idirafter $(top)/include

cflags-test_record := -DRECORD_VARIANTS='"$(record-variants)"'

# A mutant may leave a function without a caller.
record-unused := -Wno-unused-function

# record_objects DIR, COMPILER, FLAGS, RECORD, SANITIZE: objects with the record.h of RECORD
define record_objects
$(1)/path.s: record_path.c $(4)/lkst/record.h $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-kernel-cflags) $(if $(findstring clang,$(2)),,-ftrivial-auto-var-init=zero \
		-fno-allow-store-data-races) $(record-warnings) $(record-unused) -iquote $(4) $(record-include) -S -o $$@ $$<
$(1)/plain.s: $(1)/path.s record_step.awk
	$(Q)awk -f record_step.awk $$< >$$@
$(1)/stepped.s: $(1)/path.s record_step.awk
	$(Q)awk -v stepped=1 -f record_step.awk $$< >$$@
$(1)/plain.o $(1)/stepped.o: %.o: %.s
	$(Q)$(2) $(3) -c -o $$@ $$<
$(1)/record_access.o $(1)/record_hooked.o: $(1)/%.o: %.c $(4)/lkst/record.h $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-cflags) $(5) $(record-unused) -iquote $(4) $(record-include) -c -o $$@ $$<
endef
record-objects := plain.o stepped.o record_access.o record_hooked.o

# record_alone DIR, COMPILER, FLAGS, CASES: a program of the objects in DIR and the tests in CASES
define record_alone
$(1)/alone: $(record-objects:%=$(1)/%) $(record-cases:%=$(4)/%.o) $(4)/record_alone.o
	$(Q)$(2) $(3) -no-pie -o $$@ $$^ -pthread
endef

define record_cases
$(record-cases:%=$(1)/%.o) $(1)/record_alone.o: $(1)/%.o: %.c $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-cflags) $(record-include) -c -o $$@ $$<
endef

record-kernel := $(top)/kernel
record-generic := -DRECORD_GENERIC
record-sanitize := -fsanitize=undefined -fno-sanitize-recover=undefined

$(eval $(call record_cases,$(record)/cases,$(CC),))
$(eval $(call record_cases,$(record)/cases32,$(CC),-m32))

$(eval $(call record_objects,$(record)/native,$(CC),,$(record-kernel),$(record-sanitize)))
$(eval $(call record_alone,$(record)/native,$(CC),$(record-sanitize),$(record)/cases))
$(eval $(call record_objects,$(record)/generic,$(CC),$(record-generic),$(record-kernel)))
$(eval $(call record_alone,$(record)/generic,$(CC),,$(record)/cases))
$(eval $(call record_objects,$(record)/clang,clang,,$(record-kernel)))
$(eval $(call record_alone,$(record)/clang,$(CC),,$(record)/cases))
$(eval $(call record_objects,$(record)/m32,$(CC),-m32,$(record-kernel)))
$(eval $(call record_alone,$(record)/m32,$(CC),-m32,$(record)/cases32))

# A mutant says in its patch which variant it is compiled as, if not native.
record-mutant-is = $(shell sed -n 's/^variant: //p' record_mutants/$(1).patch)

define record_mutant
$(record)/mutants/$(1)/lkst/record.h: record_mutants/$(1).patch $(record-kernel)/lkst/record.h
	$(Q)mkdir -p $$(@D)
	$(Q)patch --quiet --no-backup-if-mismatch --reject-file=- --output=$$@ $(record-kernel)/lkst/record.h $$< || \
		{ rm -f $$@; echo "$$<: does not fit record.h any more" >&2; exit 1; }
$(if $(filter m32,$(2)),
$(call record_objects,$(record)/mutants/$(1),$(CC),-m32,$(record)/mutants/$(1))
$(call record_alone,$(record)/mutants/$(1),$(CC),-m32,$(record)/cases32),
$(call record_objects,$(record)/mutants/$(1),$(CC),,$(record)/mutants/$(1))
$(call record_alone,$(record)/mutants/$(1),$(CC),,$(record)/cases))
endef
$(foreach m,$(record-mutants),$(eval $(call record_mutant,$(m),$(call record-mutant-is,$(m)))))

# Those that can be built here; name and the test that must fail, for test_record.
record-mutants-here := $(foreach m,$(record-mutants),$(if \
	$(filter $(or $(call record-mutant-is,$(m)),native),$(record-variants)),$(m)))
$(record)/mutants.list: $(record-mutants-here:%=record_mutants/%.patch)
	$(Q)mkdir -p $(@D)
	$(Q)for m in $(record-mutants-here); do \
		echo "$$m $$(sed -n 's/^fails: //p' record_mutants/$$m.patch)"; done >$@

all: $(record)/mutants.list $(record-variants:%=$(record)/%/alone) \
	$(record-mutants-here:%=$(record)/mutants/%/alone)
