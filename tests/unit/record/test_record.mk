# SPDX-License-Identifier: GPL-2.0
# test_record runs programs that all contain the same tests (cases.h). The code under test is
# kernel/lkst/ring/record.h and the code that shifts between buffers. One program tests it
# unchanged, others test it compiled in other ways, and one program for each mutant tests it with
# one step removed (mutants/*.mutants).
#
# The code under test is compiled to assembler with the kernel's flags. From the assembler output,
# step.awk makes two versions: the plain code, with the same instructions, and the stepped code,
# which calls record_hook before each instruction.
#
# mutants.awk explains the format of mutants, and applies them. If it reports that a mutant no
# longer matches, the step that the mutant removes has changed: adapt the mutant. "make mutants"
# checks all of them.

# This file is included before the first rule of the Makefile.
.DEFAULT_GOAL := all

record := $(out)/record
record-cases := alone step script world starts nest side trap threads weak shifts
record-headers := record/test_record.mk $(wildcard record/*.h record/shim/*.h $(top)/include/asm-*/lkst.h $(top)/include/uapi/linux/lkst*.h)
# The files of LKST that the programs depend on, except those that files of record/shim replace
record-lkst := $(addprefix $(top)/kernel/lkst/,buffer/emit.c buffer/image_session.c \
	buffer/cursor.c buffer/shift.c dispatch/chain.c dispatch/event.c dispatch/handlers.c read/log.c) \
	$(filter-out %/context.h %/watch_direct.h,$(wildcard $(top)/kernel/lkst/*/*.h))
# $(call record-mutants-in,FILE): the mutants in FILE, as mutants.awk lists them
record-mutants-in = $(shell awk -v list=1 -f record/mutants.awk $(1))
record-mutants-files := $(wildcard record/mutants/*.mutants)

# $(call record-can,COMPILER,VARIANT): VARIANT if COMPILER can build programs and they run here. A
# compiler may support 32-bit although the running kernel does not.
record-can = $(shell program=$$(mktemp) && echo 'int main(void) { return 0; }' | $(1) -x c -o $$program - 2>/dev/null && \
	$$program 2>/dev/null && echo $(2); rm -f $$program)
record-variants := generic clang m32
record-built := native generic $(call record-can,clang,clang) $(call record-can,$(CC) -m32,m32)

record-kernel-cflags := -O2 -std=gnu11 -fno-strict-aliasing -fno-strict-overflow -fno-stack-protector \
	-fno-delete-null-pointer-checks -fno-pie -fno-asynchronous-unwind-tables -fomit-frame-pointer \
	-mgeneral-regs-only -mno-red-zone -fcf-protection=none
record-warnings := -Wall -Wextra -Werror
record-cflags := -O2 -g -std=gnu11 -D_GNU_SOURCE -fno-strict-aliasing -fno-pie $(record-warnings)
record-include := -iquote record -iquote $(top)/include -I $(top)/include/uapi -idirafter $(top)/include

# Do not warn about unused functions and parameters: a mutant may remove the only caller of a
# function, and functions that replace those of the kernel ignore some parameters.
record-unused := -Wno-unused-function -Wno-unused-parameter

# The headers of linux/ and asm/ that the kernel code includes are empty here. shim/lkst.h replaces
# them.
record-empty := $(record)/empty
$(record-empty)/made: $(record-lkst) record/test_record.mk
	$(Q)rm -rf $(@D)
	$(Q)for name in $$(grep -ho '^#include <[a-z]*/[^>]*' $(record-lkst) $(top)/include/linux/lkst*.h | cut -d '<' -f 2); do \
		case $$name in linux/types.h | linux/ioctl.h | linux/errno.h | sys/*) continue ;; esac; \
		for dir in $(top)/include $(top)/include/uapi; do [ ! -e $$dir/$$name ] || continue 2; done; \
		mkdir -p $(@D)/$${name%/*}; : >$(@D)/$$name; done
	$(Q)touch $@
record-cpu := -Wno-sign-compare \
	-iquote record -iquote $(top)/include -I $(record-empty) -I $(top)/include -I $(top)/include/uapi
# record-include-of FILE: the include paths for compiling FILE
record-include-of = $(if $(filter cpu%,$(1)),$(record-cpu),$(record-include))

# record_tree DIR: copy kernel/lkst to DIR/lkst, with the files of record/shim that replace some
define record_tree
	$(Q)rm -rf $(1)/lkst
	$(Q)mkdir -p $(1)
	$(Q)cp -rs $(abspath $(top)/kernel/lkst) $(1)/lkst
	$(Q)ln -sf $(abspath record/shim/context.h) $(1)/lkst/ring/context.h
	$(Q)ln -sf $(abspath record/shim/watch_direct.h) $(1)/lkst/rules/watch_direct.h
endef

record-kernel := $(record)/kernel
$(record-kernel)/tree: $(record-lkst) record/test_record.mk
	$(call record_tree,$(@D))
	$(Q)touch $@

define record_cases
$(record-cases:%=$(1)/%.o): $(1)/%.o: record/%.c $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(CC) $(2) $(record-cflags) $(record-include) -c -o $$@ $$<
endef
$(eval $(call record_cases,$(record)/cases,))
$(eval $(call record_cases,$(record)/cases-m32,-m32))

# record_alone DIR, COMPILER, FLAGS, KERNEL, SANITIZE: DIR/alone, which runs the tests on the code of
# KERNEL/lkst
define record_alone
$(1)/path.s $(1)/cpu.s: $(1)/%.s: record/%.c $(4)/tree $(record-empty)/made $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-kernel-cflags) $(if $(findstring clang,$(2)),,-ftrivial-auto-var-init=zero \
		-fno-allow-store-data-races) $(record-warnings) $(record-unused) -iquote $(4) \
		$$(call record-include-of,$$*) -S -o $$@ $$<
$(1)/path_plain.s: $(1)/path.s record/step.awk
	$(Q)awk -f record/step.awk $$< >$$@
$(1)/path_stepped.s $(1)/cpu_stepped.s: $(1)/%_stepped.s: $(1)/%.s record/step.awk
	$(Q)awk -v stepped=1 -f record/step.awk $$< >$$@
$(record-steps:%=$(1)/%): %.o: %.s
	$(Q)$(2) $(3) -c -o $$@ $$<
$(record-access:%=$(1)/%): $(1)/%.o: record/%.c $(4)/tree $(record-empty)/made $(record-headers)
	$(Q)mkdir -p $(1)
	$(Q)$(2) $(3) $(record-cflags) $(5) $(record-unused) -iquote $(4) \
		$$(call record-include-of,$$*) -c -o $$@ $$<
$(1)/alone: $(addprefix $(1)/,$(record-steps) $(record-access)) $(record-cases:%=$(record)/cases$(filter -m32,$(3))/%.o)
	$(Q)$(CC) $(filter -m32,$(3)) $(5) -no-pie -o $$@ $$^ -pthread
endef
record-steps := path_plain.o path_stepped.o cpu_stepped.o
record-access := access.o hooked.o cpu_buffers.o cpu_chains.o cpu_world.o

$(eval $(call record_alone,$(record)/native,$(CC),,$(record-kernel),-fsanitize=undefined -fno-sanitize-recover=undefined))
$(eval $(call record_alone,$(record)/generic,$(CC),-DRECORD_GENERIC,$(record-kernel)))
$(eval $(call record_alone,$(record)/clang,clang,,$(record-kernel)))
$(eval $(call record_alone,$(record)/m32,$(CC),-m32,$(record-kernel)))

# record_mutant NAME, SOURCE, VARIANT, FILE.mutants: the program of a mutant
define record_mutant
$(record)/mutants/$(1)/tree: $(4) record/mutants.awk $(record-lkst)
	$(call record_tree,$(record)/mutants/$(1))
	$(Q)rm $(record)/mutants/$(1)/lkst/$(2)
	$(Q)awk -v mutant=$(1) -f record/mutants.awk $(4) $(top)/kernel/lkst/$(2) >$(record)/mutants/$(1)/lkst/$(2)
	$(Q)touch $$@
$(call record_alone,$(record)/mutants/$(1),$(CC),$(if $(filter m32,$(3)),-m32),$(record)/mutants/$(1))
endef

# The mutants whose variants can be built here
record-word = $(word $(2),$(subst :, ,$(1)))
$(foreach file,$(record-mutants-files),$(foreach m,$(call record-mutants-in,$(file)),\
	$(if $(filter $(call record-word,$(m),3),$(record-built)),\
		$(eval record-mutants += $(m)) \
		$(eval $(call record_mutant,$(call record-word,$(m),1),$(call record-word,$(m),2),$(call record-word,$(m),3),$(file))))))

# One line for each program that test_record runs: the expected result ("holds", "fails" or "skip"),
# the program, its argument and a title
$(record)/runs.list: $(record-mutants-files) record/cases.h record/test_record.mk
	$(Q)mkdir -p $(@D)
	$(Q)sed -nE 's/^(FROM|ONCE)\("([^"]*)".*/holds native \2 \2/p' record/cases.h >$@
	$(Q)printf '%s\n' $(foreach v,$(record-variants),'$(if $(filter $(v),$(record-built)),holds,skip) $(v) variants variant $(v)') \
		$(foreach m,$(sort $(record-mutants)),\
			'$(call record-word,$(m),4) mutants/$(call record-word,$(m),1) $(call record-word,$(m),5) without $(call record-word,$(m),1)') >>$@

# Check that all mutants match the source.
mutants: $(foreach m,$(record-mutants),$(record)/mutants/$(call record-word,$(m),1)/tree)
.PHONY: mutants

all: $(record)/runs.list $(record-built:%=$(record)/%/alone) \
	$(foreach m,$(record-mutants),$(record)/mutants/$(call record-word,$(m),1)/alone)
