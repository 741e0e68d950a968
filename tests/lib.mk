# SPDX-License-Identifier: GPL-2.0
# How tests compile liblkst, lib/image and lib/btf with their own flags, as $(out)/liblkst.a. The
# makefile that includes this file sets top, out, CC, CFLAGS and cflags. It also sets its own default
# target. Otherwise the first target of this file would become the default.

V ?= 0
Q := $(if $(filter 1,$(V)),,@)

include $(top)/tools/lkst/lib/sources.mk

lib_obj := $(patsubst %.c,$(out)/%.o,$(lkst_lib_src) $(lkst_image_src) $(lkst_btf_src))

$(out)/liblkst.a: $(lib_obj)
	$(Q)rm -f $@
	$(Q)$(AR) qcs $@ $^

$(out)/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(cflags) -MMD -MP -c -o $@ $<

$(lib_obj): $(out)/%.o: $(lkst_tools)/%.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(cflags) -MMD -MP -c -o $@ $<

$(top)/build/obj/names_table.h: $(lkst_tools)/lib/text/gen-names.sh
	$(Q)$(MAKE) -C $(lkst_tools) names_table.h

$(out)/lib/text/constants.o: cflags += -iquote $(top)/build/obj
$(out)/lib/text/constants.o: $(top)/build/obj/names_table.h

.SECONDARY:
-include $(lib_obj:.o=.d)
