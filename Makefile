# SPDX-License-Identifier: GPL-2.0
#
# One line a target; what is behind it stands in Kbuild, user/Makefile,
# tests/Makefile and tests/vm/. Everything made goes below build/.

# Kernel headers to build the module against: the running kernel's, else the
# newest installed.
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -1dt /lib/modules/*/build 2>/dev/null))
# Where "make install" puts the tool, its man page and the module.
PREFIX ?= /usr/local
DESTDIR ?=
# V=1 shows the commands.
V ?= 0

export KDIR PREFIX DESTDIR V

MAKEFLAGS += --no-print-directory

comma := ,

release = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	'$(KDIR)/include/generated/utsrelease.h' 2>/dev/null)
out = $(CURDIR)/build/kmod/$(release)
version = $(shell sed -n 's/^.define BPMU_MODULE_VERSION "\(.*\)"/\1/p' kmod/version.h)
source = $(DESTDIR)/usr/src/barepmu-$(version)
installed = /lib/modules/$(release)/extra/barepmu.ko

# A kernel built by clang has options that gcc lacks: CONFIG_CFI_CLANG, CONFIG_LTO_CLANG. The
# clang of the same major version builds the module then, with LLVM's linker if the kernel has
# been linked by it, unless LLVM= or CC= says otherwise.
config = $(shell sed -n 's/^CONFIG_$(1)=//p' '$(KDIR)/include/config/auto.conf' 2>/dev/null)
clang = $(shell expr $(call config,CLANG_VERSION) / 10000)
lld = $(filter y,$(call config,LD_IS_LLD))
suffix = $(shell for suffix in -$(clang) ''; do \
		echo __clang_major__ | clang$$suffix -E -P - 2>/dev/null | grep -qx $(clang) && \
			{ [ -z '$(lld)' ] || command -v ld.lld$$suffix >/dev/null; } && \
			echo $${suffix:-1} && break; \
	done)
by_clang = $(or $(if $(suffix),$(if $(lld),LLVM=$(suffix),CC=clang$(suffix:1=))), \
	$(error barepmu: clang $(clang) has built this kernel, and builds its modules; \
		install clang-$(clang), lld-$(clang) and llvm-$(clang) (Fedora, Arch: clang, \
		lld and llvm), or set LLVM=1 to try the clang that is there))
compiler = $(if $(LLVM)$(filter command,$(origin CC)),,$(if \
	$(filter y,$(call config,CC_IS_CLANG)),$(by_clang)))

# Type information would need pahole and the kernel's vmlinux. Without it there
# is nothing to warn of when pahole is missing or another one.
kbuild_options = CONFIG_DEBUG_INFO_BTF_MODULES= \
	PAHOLE_VERSION='$$(CONFIG_PAHOLE_VERSION)'

.PHONY: all kmod user static check check-long bench fuzz mutants lint test demo run vm \
	validate install install-python uninstall dkms-install deb clean help

#: all          the module and the tool (default)
all: kmod user

#: kmod         build/kmod/RELEASE/barepmu.ko; KDIR=HEADERS, V=1, LLVM=1 for a kernel that
#:              another clang has built
kmod:
	$(if $(release),,$(error barepmu: no kernel headers \
		$(if $(KDIR),in "$(KDIR)",below /lib/modules); install \
		linux-headers-$(shell uname -r) (Fedora, RHEL: kernel-devel), or set KDIR=))
	@mkdir -p '$(out)' && find '$(out)' -xtype l -delete
	@cp -rsf '$(CURDIR)/Kbuild' '$(CURDIR)/kmod' '$(CURDIR)/arch' \
		'$(CURDIR)/uapi' '$(out)/'
	@$(MAKE) -C '$(KDIR)' M='$(out)' $(compiler) $(kbuild_options) modules

#: user         build/barepmu
user:
	@$(MAKE) -C user

#: static       build/barepmu-static, one file that needs no library; PARTS='ivb skl'
#:              leaves out the tables of other parts; CC=musl-gcc makes it smallest,
#:              CURSES= without a static ncurses: "top" prints lines then, as with
#:              musl-gcc; HTTPD= without libmicrohttpd and libseccomp: no "serve"
static:
	@$(MAKE) -C user static

#: check        install what is missing, run every test; JOBS='lint|unit|guest .*' or what
#:              tests/jobs --list names, to run a part
check:
	@tests/vm/check

#: check-long   the same on every kernel, the debug kernel too; DKMS, a fleet, fuzzing;
#:              goes on where it was broken off on this commit
check-long:
	@tests/vm/check --continue whole 6.1 6.12 7.2 debug dkms slow fuzz

#: bench        what a sample costs; CPUS='1 2 4 8' EVENTS='4 8 12' MS='1 10 100'
bench:
	@$(MAKE) -C tests bench

#: validate     how many 95 % intervals hold the truth; what perfect parts save and
#:              what CPI stacks said; KERNELS='sort hash'
validate:
	@$(MAKE) -s -C tests/unit coverage
	@tests/vcore/coverage
	@tests/vcore/validate $(KERNELS)

#: fuzz         feed the tool what nobody would write; RUNS=1000000
fuzz:
	@tests/vm/packages fuzz
	@$(MAKE) -C tests fuzz

#: mutants      plant small faults and look which of them the tests notice;
#:              MUTANTS='user arch vcore kmod vpmu harness', or numbers or files;
#:              DRAW=SEED,N draws N of them anywhere in the code instead
mutants:
	@tests/vm/packages check
	@$(if $(DRAW),tests/vm/packages draw && tests/vm/build 6.1 && \
		tests/mutants/draw $(subst $(comma), ,$(DRAW)),tests/mutants/run $(MUTANTS))

#: lint         the house rules; prints nothing when they hold
lint:
	@$(MAKE) -C tests lint

#: test         the tests that need neither root nor a virtual machine
test:
	@$(MAKE) -C tests unit

#: demo         measure a sample program in a virtual machine
demo:
	@tests/vm/demo

#: run          measure it with this machine's own counters
run:
	@tests/vm/demo --here

#: vm           run a command in a virtual machine; RUN='modprobe barepmu && barepmu info',
#:              ERRATUM='smt-leak wrap-loss' to count wrongly
vm:
	@tests/vm/run $(ERRATUM:%=--erratum %) -- '$(or $(RUN),modprobe barepmu && barepmu info)'

#: install      tool, man page, module; PREFIX=, DESTDIR=
install: all
	@$(MAKE) -C user install
	install -D -m 644 '$(out)/barepmu.ko' '$(DESTDIR)$(installed)'
	$(if $(DESTDIR),,depmod '$(release)')

#: install-python  the Python package, after install; PYTHONDIR=, DESTDIR=
install-python:
	@$(MAKE) -C user install-python

#: uninstall    take them away again, the module of every kernel
uninstall:
	@$(MAKE) -C user uninstall
	@for file in '$(DESTDIR)'/lib/modules/*/extra/barepmu.ko; do \
		[ -e "$$file" ] || continue; \
		echo "rm $$file"; rm "$$file" || exit; \
		release=$${file%/extra/barepmu.ko}; \
		$(if $(DESTDIR),:,depmod) "$${release##*/}"; \
	done

#: dkms-install the module's source for DKMS, and build it by DKMS; DESTDIR=
dkms-install:
	install -d '$(source)'
	cp -r Kbuild kmod arch uapi LICENSE '$(source)/'
	printf '%s\n' 'PACKAGE_NAME="barepmu"' 'PACKAGE_VERSION="$(version)"' \
		'BUILT_MODULE_NAME[0]="barepmu"' 'AUTOINSTALL="yes"' \
		'DEST_MODULE_LOCATION[0]="/updates/dkms"' >'$(source)/dkms.conf'
	$(if $(DESTDIR),,dkms install barepmu/$(version) -k '$(release)')

#: deb          Debian packages of the tool and of the module's source: build/deb/
deb: user
	@user/deb/build

#: clean        remove build/, downloads too
clean:
	rm -rf build

#: help         this list
help:
	@sed -n 's/^#: //p' Makefile
