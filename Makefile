# SPDX-License-Identifier: GPL-2.0
# LKST's top-level Makefile. "make help" lists the targets with the text that follows ## below.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

prefix ?= /usr/local

help: ## show this list
	@echo 'LKST, a flight recorder for the Linux kernel. Targets:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
	@echo 'Variables: KERNEL=TREE  your own kernel source tree; KDIR=DIR  headers of a kernel; DESTDIR, prefix  for install, uninstall'
	@echo 'Each script in scripts/ describes its options with --help.'

tools: ## build the commands in build/bin and the library in build/lib
	@scripts/deps tools
	@$(MAKE) -C tools/lkst

kernel: ## build a kernel with LKST in ~/.cache/lkst (5 minutes on two CPUs; later builds are incremental)
	@scripts/build-kernel

modules: ## build lkst.ko in build/module for the running kernel, or with KDIR=DIR for another one
	@scripts/deps module
	@scripts/build-module $(if $(KDIR),'$(KDIR)')

stock = $(filter-out 0 n no,$(STOCK))
demo: ## record a workload in a VM, show what the kernel did, and leave a timeline in demo.html; STOCK=1: with Debian's own kernel
	@scripts/deps tools vm $(if $(stock),stock,kernel)
	@$(MAKE) tools $(if $(stock),,kernel)
	@scripts/demo $(if $(stock),--stock)

demo-crash: ## crash a machine in a VM, and read its log on the next boot
	@scripts/deps tools kernel vm
	@$(MAKE) kernel tools
	@scripts/demo-crash

check: ## run all tests except the longest; the last line is "N passed, N failed"
	@scripts/check

check-all: ## run all tests on all supported kernels (takes a night)
	@scripts/check-all

bench: ## measure LKST and other tracers: a table, and results/bench.json (bench/run --help; LTTNG=DIR)
	@bench/run

fuzz: ## fuzz the parsers, one minute each (FUZZ_SECONDS=N)
	@tests/host/fuzz.t

install: tools ## install commands, library, man pages and unit of lkstlogd to DESTDIR and prefix (/usr/local)
	@$(MAKE) -C tools/lkst install prefix='$(prefix)' DESTDIR='$(DESTDIR)'

uninstall: tools ## remove the installed files (same DESTDIR and prefix), except a changed configuration
	@$(MAKE) -C tools/lkst uninstall prefix='$(prefix)' DESTDIR='$(DESTDIR)'

deb: ## build Debian packages of the commands, the daemon, the library and the module in build/deb
	@scripts/build-deb

clean: ## remove all built files here; the kernels in the cache stay
	@$(MAKE) -C tools/lkst clean
	@$(MAKE) -C samples/liblkst clean
	@$(MAKE) -C samples/events clean
	@$(MAKE) -C samples/bpf clean
	@[ ! -f tests/unit/Makefile ] || $(MAKE) -C tests/unit clean
	@[ ! -f tests/fuzz/Makefile ] || $(MAKE) -C tests/fuzz clean
	@rm -rf results results-* build

.PHONY: help tools kernel modules demo demo-crash check check-all bench fuzz install uninstall deb clean
