# SPDX-License-Identifier: LGPL-2.1
# What liblkst is made of and how it finds its headers. The includer sets top, the
# checkout. Of the kernel's headers only those of LKST are taken from the checkout:
# include/linux is not on the <> path, so that the system's own headers stay in force.
# lib/include brings <asm/lkst_etypes.h>, with the event types of all architectures.

lkst_lib_src := addresses.c capture.c classes.c constants.c cpuset.c crc32c.c device.c device_buffers.c device_previous.c entry.c error.c \
	etypes.c field.c file_kind.c filter.c follow.c follow_context.c follow_lane.c format.c kallsyms.c log_ring.c log_symbols.c log_write.c longer.c maskset_rules.c maskset_text.c names.c \
	format_csv.c format_json.c out.c parse.c public.c put.c select.c snapshot.c summary.c symbols.c text.c trace_clock.c trace_columns.c trace_cut.c trace_feed.c trace_gaps.c trace_lanes.c trace_merge.c trace_open.c trace_pack.c trace_payload.c trace_records.c \
	trace_scan.c trace_source.c trace_unpack.c trace_write.c values.c values_system.c words.c when.c \
	logd_status.c stream.c

lkst_include := -I $(top)/include/uapi -I $(top)/tools/lkst/lib/include -iquote $(top)/include
lkst_cflags := -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Werror

# What reads images of memory (image.h), and the libraries that it uses. Only commands have it: lkst.h
# offers nothing of it, and who links with liblkst shall not need these.
lkst_image_src := image_area.c image_boot.c image_elf.c image_find.c image_flat.c image_header.c image_kallsyms.c image_kdump.c image_kernel.c image_modules.c \
	image_overlap.c image_physical.c image_place.c image_raw.c image_records.c image_scan.c image_slots.c image_source.c image_source_previous.c \
	image_static.c image_stretch.c image_symbols.c image_tasks.c image_texts.c image_trace.c
lkst_image_packages := libkdumpfile libaddrxlat

# Libraries that it uses, by their names for pkg-config.
lkst_lib_packages := libzstd zlib
PKG_CONFIG ?= pkg-config

# packages_for NAMES: fails where one is missing, with what to do about it.
packages_for = $(if $(shell $(PKG_CONFIG) --exists $(1) && echo yes),,$(error \
	$(PKG_CONFIG) does not know all of $(1); "scripts/deps tools" installs them))
