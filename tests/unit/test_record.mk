# SPDX-License-Identifier: GPL-2.0
# test_record runs programs, each with the same tests (record_case.c): on kernel/lkst/record.h and what
# moves between buffers as they are, compiled in other ways, and with one step left out
# (record_mutants/*.patch).
#
# The code under test is compiled with the kernel's flags, to assembler; record_step.awk makes of that
# the code itself and the code to step through.
#
# A mutant is a patch of one file. Its text says what it does and which test must fail with it. When it no
# longer fits the file, the step that it takes out has changed: take it out by hand, and diff -U2.

# This file is included before the first rule of the Makefile.
.DEFAULT_GOAL := all

record := $(out)/record
record-cases := $(patsubst %.c,%,record_case.c record_step.c record_world.c record_starts.c record_nest.c \
	record_readers.c record_trap.c record_threads.c record_weak.c record_cpu_world.c record_shifts.c)
record-headers := test_record.mk $(wildcard record_*.h shim/*.h $(top)/include/asm-*/lkst.h $(top)/include/uapi/linux/lkst*.h)
# What is compiled here of LKST, but for context.h: shim/context.h is in its place.
record-lkst := $(addprefix $(top)/kernel/lkst/,event.c handlers.c image_note.c read.c shift.c) \
	$(filter-out %/context.h,$(wildcard $(top)/kernel/lkst/*.h))
record-mutants := $(patsubst record_mutants/%.patch,%,$(wildcard record_mutants/*.patch))

# A kernel without 32-bit programs has a compiler for them all the same.
record-can = $(shell program=$$(mktemp) && echo 'int main(void) { return 0; }' | $(1) -x c -o $$program - 2>/dev/null && \
	$$program 2>/dev/null && echo $(2); rm -f $$program)
record-variants := native generic $(call record-can,$(CC) -m32,m32) $(call record-can,clang,clang)

record-kernel-cflags := -O2 -std=gnu11 -fno-strict-aliasing -fno-strict-overflow -fno-stack-protector \
	-fno-delete-null-pointer-checks -fno-pie -fno-asynchronous-unwind-tables -fomit-frame-pointer \
	-mgeneral-regs-only -mno-red-zone -fcf-protection=none
record-warnings := -Wall -Wextra -Werror
record-cflags := -O2 -g -std=gnu11 -D_GNU_SOURCE -fno-strict-aliasing -fno-pie $(record-warnings)
record-include := -iquote . -iquote $(top)/include -I $(top)/include/uapi -idirafter $(top)/include

cflags-test_record := -DRECORD_VARIANTS='"$(record-variants)"'

# A mutant may leave a function without a caller, and a default need not look at its parameters.
record-unused := -Wno-unused-function -Wno-unused-parameter

# What the kernel's code includes of linux/ and asm/ is empty: its names are in shim/lkst.h.
record-empty := $(record)/empty
$(record-empty)/made: $(record-lkst) test_record.mk
	$(Q)rm -rf $(@D)
	$(Q)for name in $$(grep -ho '^#include <[a-z]*/[^>]*' $(record-lkst) $(top)/include/linux/lkst*.h | cut -d '<' -f 2); do \
		case $$name in linux/types.h | linux/ioctl.h | linux/errno.h) continue ;; esac; \
		for dir in $(top)/include $(top)/include/uapi; do [ ! -e $$dir/$$name ] || continue 2; done; \
		mkdir -p $(@D)/$${name%/*}; : >$(@D)/$$name; done
	$(Q)touch $@
record-cpu := -Wno-sign-compare \
	-iquote . -iquote $(top)/include -I $(record-empty) -I $(top)/include -I $(top)/include/uapi
# record_include FILE
record-include-of = $(if $(filter cpu record_buffers,$(1)),$(record-cpu),$(record-include))

# record_tree DIR: the files of LKST that are compiled here, in DIR/lkst
define record_tree
	$(Q)rm -rf $(1)/lkst
	$(Q)mkdir -p $(1)/lkst
	$(Q)ln -s $(abspath $(record-lkst) shim/context.h) $(1)/lkst
endef

record-kernel := $(record)/kernel
$(record-kernel)/tree: $(record-lkst) test_record.mk
	$(call record_tree,$(@D))
	$(Q)touch $@

# record_objects DIR, COMPILER, FLAGS, KERNEL, SANITIZE: objects with the files of KERNEL/lkst
define record_objects
$(1)/path.s $(1)/cpu.s: $(1)/%.s: record_%.c $(4)/tree $(record-empty)/made $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-kernel-cflags) $(if $(findstring clang,$(2)),,-ftrivial-auto-var-init=zero \
		-fno-allow-store-data-races) $(record-warnings) $(record-unused) -iquote $(4) \
		$$(call record-include-of,$$*) -S -o $$@ $$<
$(1)/plain.s: $(1)/path.s record_step.awk
	$(Q)awk -f record_step.awk $$< >$$@
$(1)/stepped.s: $(1)/path.s record_step.awk
	$(Q)awk -v stepped=1 -f record_step.awk $$< >$$@
$(1)/cpu_stepped.s: $(1)/cpu.s record_step.awk
	$(Q)awk -v stepped=1 -f record_step.awk $$< >$$@
$(1)/plain.o $(1)/stepped.o $(1)/cpu_stepped.o: %.o: %.s
	$(Q)$(2) $(3) -c -o $$@ $$<
$(1)/record_access.o $(1)/record_hooked.o $(1)/record_buffers.o: $(1)/%.o: %.c $(4)/tree $(record-empty)/made $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-cflags) $(5) $(record-unused) -iquote $(4) \
		$$(call record-include-of,$$*) -c -o $$@ $$<
endef
record-objects := plain.o stepped.o cpu_stepped.o record_access.o record_hooked.o record_buffers.o

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

# The file of kernel/lkst that it changes.
record-mutant-of = $(shell sed -n 's|^--- kernel/lkst/||p' record_mutants/$(1).patch)

define record_mutant
$(record)/mutants/$(1)/tree: record_mutants/$(1).patch $(record-lkst)
	$(call record_tree,$(record)/mutants/$(1))
	$(Q)rm $(record)/mutants/$(1)/lkst/$(3)
	$(Q)patch --quiet --forward --fuzz=0 --no-backup-if-mismatch --reject-file=- --output=$(record)/mutants/$(1)/lkst/$(3) \
		$(top)/kernel/lkst/$(3) $$< || { echo "$$<: does not fit $(3) any more" >&2; exit 1; }
	$(Q)touch $$@
$(if $(filter m32,$(2)),
$(call record_objects,$(record)/mutants/$(1),$(CC),-m32,$(record)/mutants/$(1))
$(call record_alone,$(record)/mutants/$(1),$(CC),-m32,$(record)/cases32),
$(call record_objects,$(record)/mutants/$(1),$(CC),,$(record)/mutants/$(1))
$(call record_alone,$(record)/mutants/$(1),$(CC),,$(record)/cases))
endef
$(foreach m,$(record-mutants),$(eval $(call record_mutant,$(m),$(call record-mutant-is,$(m)),$(call record-mutant-of,$(m)))))

# Those that can be built here; name and the test that must fail, for test_record.
record-mutants-here := $(foreach m,$(record-mutants),$(if \
	$(filter $(or $(call record-mutant-is,$(m)),native),$(record-variants)),$(m)))
$(record)/mutants.list: $(record-mutants-here:%=record_mutants/%.patch)
	$(Q)mkdir -p $(@D)
	$(Q)for m in $(record-mutants-here); do \
		echo "$$m $$(sed -n 's/^fails: //p' record_mutants/$$m.patch)"; done >$@

all: $(record)/mutants.list $(record-variants:%=$(record)/%/alone) \
	$(record-mutants-here:%=$(record)/mutants/%/alone)
