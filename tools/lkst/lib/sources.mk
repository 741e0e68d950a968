# SPDX-License-Identifier: LGPL-2.1
# The sources of liblkst, and how to compile against its headers. The makefile that includes this
# file sets top to the directory of the checkout. LKST's own kernel headers come from the checkout.
# Any other #include <header.h> uses a header of the system, because the include directory of the
# checkout is searched only for headers in double quotes. lib/include provides
# <asm/lkst_etypes.h>, with the event types of all architectures.

lkst_tools := $(top)/tools/lkst

# lkst_sources FOLDER...: the sources in folders of tools/lkst, with paths relative to tools/lkst
lkst_sources = $(sort $(patsubst $(lkst_tools)/%,%,$(wildcard $(1:%=$(lkst_tools)/%/*.c))))

lkst_lib_src := $(call lkst_sources,lib lib/base lib/text lib/device lib/model lib/trace lib/live)

lkst_include := -I $(top)/include/uapi -I $(lkst_tools)/lib/include -iquote $(top)/include -iquote $(lkst_tools)
lkst_cflags := -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Werror

# lib/image reads memory images. It is not part of liblkst: only commands use it, and programs that
# link with liblkst must not need the libraries that lib/image uses.
lkst_image_src := $(call lkst_sources,lib/image)
lkst_image_packages := libkdumpfile libaddrxlat

# lib/btf reads the kernel's BTF. It is not part of liblkst, for the same reason.
lkst_btf_src := $(call lkst_sources,lib/btf)
lkst_btf_packages := libbpf

# Sources of commands that protoc-c generates from FILE.proto: FILE.pb-c.c and FILE.pb-c.h.
lkst_proto := lkstbuf/export/perfetto/perfetto
PROTOC_C ?= protoc-c

# lkst_protoc FILE,FOLDER: the command that generates the sources of FILE in FOLDER
lkst_protoc = mkdir -p $(2) && $(PROTOC_C) --proto_path=$(dir $(1)) --c_out=$(2) $(1)

# Libraries that liblkst uses, by their names for pkg-config.
lkst_lib_packages := libzstd zlib
PKG_CONFIG ?= pkg-config

# packages_for NAMES: fail if a package is missing, and print how to install it.
packages_for = $(if $(shell $(PKG_CONFIG) --exists $(1) && echo yes),,$(error \
	$(PKG_CONFIG) does not know all of $(1); "scripts/deps tools" installs them))
