# SPDX-License-Identifier: GPL-2.0-only
# make [modules] [KVER=...]    mrc.ko for the running or another kernel
# make tools                   mrc and mrcrun
# make install                 module, tools, headers, manuals (DESTDIR, PREFIX)
# make test [TESTS=] [KERNELS=]  selftests, in virtual machines
# make demo [FILE=]            a file over four paths, one of which dies
# make lab [ROWS=words]        experiments in virtual time, their table and plots
# make check                   compiler warnings, sparse, checkpatch

SHELL := /bin/bash
PREFIX ?= /usr/local
INSTALL ?= install
export PREFIX DESTDIR

# A release, or a series of which the newest installed headers are taken.
KVER ?= $(shell uname -r)
RELEASE := $(or $(shell . selftests/vm/common.sh; kernel_release $(KVER)),$(KVER))
KDIR ?= $(firstword $(wildcard /lib/modules/$(RELEASE)/build \
			       /usr/src/linux-headers-$(RELEASE)))
BUILD := $(CURDIR)/build/$(RELEASE)
MODULE := $(BUILD)/net/mrc/mrc.ko

modules: headers
	@$(MAKE) --no-print-directory -C $(KDIR) M=$(BUILD) modules

# Kernels before 6.13 build a module where its sources are: each kernel gets a
# tree of links to them, where its objects do not meet those of another.
headers:
	@[ -e "$(KDIR)/Makefile" ] || { echo "mrc: no headers of kernel $(KVER):" \
		"install linux-headers-$(KVER), or set KVER or KDIR" >&2; exit 1; }
	@mkdir -p $(BUILD)
	@for item in Kbuild include net; do \
		cp -rsfT $(CURDIR)/$$item $(BUILD)/$$item || exit; done
	@find $(BUILD) -xtype l -delete

tools:
	@$(MAKE) --no-print-directory -C tools/mrc
	@$(MAKE) --no-print-directory -C tools/preload

install: modules tools
	$(INSTALL) -D -m 644 $(MODULE) \
		$(DESTDIR)/lib/modules/$(RELEASE)/updates/mrc.ko
	[ -n "$(DESTDIR)" ] || depmod $(RELEASE)
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(PREFIX)/include/linux \
		include/uapi/linux/mrc.h include/uapi/linux/mrc_netlink.h
	$(MAKE) -C tools/mrc install
	$(MAKE) -C tools/preload install

test:
	@KERNELS="$(KERNELS)" TESTS="$(TESTS)" selftests/vm/test

lab: tools
	@lab/lab $(ROWS)

demo:
	@selftests/vm/demo $(FILE)

check:
	@selftests/check.sh

clean:
	$(RM) -r build
	$(MAKE) -C tools/mrc clean
	$(MAKE) -C tools/preload clean
	$(MAKE) -C selftests clean

.PHONY: modules headers tools install test lab demo check clean
