# Which compiler, for which machine, with whose musl. Read by the Makefile, which has HOST, and ARCH if that was given.
#
# Nothing given          Debian's compiler with Debian's static musl, whose folders are named in full; elsewhere the machine's
#                        own compiler, if its C library is musl (Alpine).
# CROSS_COMPILE=PREFIX   the compiler of that name, of any origin (Buildroot, OpenWrt, Bootlin, musl-cross-make).
# CC=COMMAND             that one; clang with --sysroot=FOLDER in it, and with ARCH= when it is not for this machine.
#
# What a given compiler makes programs for is ARCH, unless that is given, too. One whose C library is musl is left to its own
# headers and libraries (OWN); any other is told where musl is: in the sysroot, or in Debian's folders.

ifneq ($(CROSS_COMPILE),)
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
endif
GIVEN := $(if $(filter default,$(origin CC)),,$(CC))

has      = $(shell command -v $(1) 2>/dev/null)
makes    = $(shell $(CC) -dumpmachine 2>/dev/null)
arch_of  = $(patsubst amd64,x86_64,$(patsubst arm64,aarch64,$(firstword $(subst -, ,$(1)))))

ARCH ?= $(or $(if $(GIVEN),$(call arch_of,$(makes))),$(HOST))
override ARCH := $(call arch_of,$(ARCH))
ARCHS := $(notdir $(patsubst %/desc.c,%,$(wildcard arch/*/desc.c)))
ifeq ($(filter $(ARCH),$(ARCHS)),)
$(error ARCH=$(ARCH) is not one of $(ARCHS))
endif
include toolchains/$(ARCH).mk

ifeq ($(GIVEN),)
CC := $(or $(call has,$(GNU)-gcc),$(if $(filter $(HOST),$(ARCH)),$(call has,gcc)),$(GNU)-gcc)
CC := $(if $(filter %/$(GNU)-gcc,$(CC)),$(GNU)-gcc,$(CC))
endif
# The GNU compiler that clang takes libgcc and the linker from.
GCC   := $(if $(filter %gcc,$(firstword $(CC))),$(firstword $(CC)),$(GNU)-gcc)
CLANG := $(findstring clang,$(notdir $(CC)))
STRIP ?= $(or $(if $(filter %gcc,$(GCC)),$(call has,$(GCC:gcc=strip))),$(if $(CLANG),$(call has,llvm-strip)),strip)

MADE_FOR := $(if $(filter $(GNU)-gcc,$(CC)),$(GNU),$(makes))
CROSSING := $(if $(filter $(ARCH),$(call arch_of,$(MADE_FOR))),,yes)
# Clang looks into folders of this machine's other compilers even then, so it is told where all is.
SYSROOT  := $(if $(CLANG),$(patsubst --sysroot=%,%,$(filter --sysroot=%,$(CC))))
HASH     := \#
has_musl = $(shell printf '%s\n' '$(HASH)include <features.h>' '$(HASH)ifdef __GLIBC__' '$(HASH)error' '$(HASH)endif' | \
	$(CC) -E -x c - >/dev/null 2>&1 && echo yes)
OWN      := $(if $(filter $(GNU),$(MADE_FOR))$(SYSROOT)$(CROSSING),,$(has_musl))
