# SPDX-License-Identifier: GPL-2.0
# LKST from the top. "make help" lists what there is to make: the lines below with ## in them.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

prefix ?= /usr/local

help: ## this list
	@echo 'LKST, a flight recorder for the Linux kernel. Targets:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
	@echo 'Variables: KERNEL=TREE  a kernel source tree of your own; KDIR=DIR  headers of a kernel; DESTDIR, prefix  for install, uninstall'
	@echo 'Each script in scripts/ explains itself with --help.'

tools: ## the commands, in tools/lkst
	@scripts/deps tools
	@$(MAKE) -C tools/lkst

kernel: ## a kernel with LKST in it, in ~/.cache/lkst (5 minutes on two CPUs, later only what changed)
	@scripts/build-kernel

modules: ## lkst.ko for a kernel without LKST, in build/module; KDIR=DIR: for another than the running one
	@scripts/deps module
	@scripts/build-module $(if $(KDIR),'$(KDIR)')

stock = $(filter-out 0 n no,$(STOCK))
demo: ## record a workload in a VM and show what the kernel did; STOCK=1: on Debian's own kernel
	@scripts/deps tools vm $(if $(stock),stock,kernel)
	@$(MAKE) tools $(if $(stock),,kernel)
	@scripts/demo $(if $(stock),--stock)

demo-crash: ## let a machine die in a VM, and read its log on the next boot
	@scripts/deps tools kernel vm
	@$(MAKE) kernel tools
	@scripts/demo-crash

check: ## all tests but the longest; ends with "N passed, N failed"
	@scripts/check

check-all: ## all tests, on all kernels that LKST is for (a night)
	@scripts/check-all

bench: ## what LKST costs beside its peers: one table, and results/bench.json (bench/run --help; LTTNG=DIR)
	@bench/run

fuzz: ## fuzz what reads input, a minute for each reader (FUZZ_SECONDS=N)
	@tests/host/fuzz.t

install: tools ## commands, library, man pages, unit of lkstlogd, into DESTDIR and prefix (/usr/local)
	@$(MAKE) -C tools/lkst install prefix='$(prefix)' DESTDIR='$(DESTDIR)'

uninstall: tools ## remove what install installed, given the same DESTDIR and prefix; changed configuration stays
	@$(MAKE) -C tools/lkst uninstall prefix='$(prefix)' DESTDIR='$(DESTDIR)'

deb: ## packages for Debian of the commands, the daemon, the library and the module, in build/deb
	@scripts/build-deb

clean: ## remove what was built here; the kernels in the cache stay
	@$(MAKE) -C tools/lkst clean
	@$(MAKE) -C tools/lkst/examples clean
	@[ ! -f tests/unit/Makefile ] || $(MAKE) -C tests/unit clean
	@[ ! -f tests/fuzz/Makefile ] || $(MAKE) -C tests/fuzz clean
	@rm -rf results results-* build

.PHONY: help tools kernel modules demo demo-crash check check-all bench fuzz install uninstall deb clean
