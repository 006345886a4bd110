# Headers, libraries and the kernel's user headers: nothing of this machine's own C library is seen.
#
# LIBDIR   musl's libc.a and crt*.o; empty: the compiler knows
# UAPI     a folder with nothing but the kernel's user headers; empty: they stand beside musl's

UAPI_FROM := $(firstword $(wildcard /usr/$(GNU)/include/linux/..) $(wildcard /usr/include/linux/..))
UAPI_ASM  := $(firstword $(wildcard /usr/$(GNU)/include/asm) $(wildcard /usr/include/$(GNU)/asm) \
	$(if $(filter $(HOST),$(ARCH)),$(wildcard /usr/include/asm)))

# Data begins in the file where code ends, not at the next page: the page with both is mapped twice.
LINK_FLAGS := -static -Wl,-z,common-page-size=16 -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,noexecstack -Wl,-z,norelro
CFLAGS_ALL += -fno-pie

ifneq ($(OWN),)
sees_uapi = $(shell $(CC) -E -x c -include linux/perf_event.h /dev/null >/dev/null 2>&1 && echo yes)
UAPI := $(if $(sees_uapi),,$(B)/uapi)
CFLAGS_ALL += $(if $(UAPI),-isystem $(UAPI))
LINK = $(CC) $(LINK_FLAGS) -no-pie $(KEPT) $(LDFLAGS) -o $@ $(1)
else
ifneq ($(SYSROOT),)
LIBDIR  := $(patsubst %/libc.a,%,$(firstword $(wildcard $(SYSROOT)/usr/lib/libc.a $(SYSROOT)/lib/libc.a) $(SYSROOT)/usr/lib/libc.a))
INCLUDE := $(LIBDIR:lib=include)
UAPI    := $(if $(wildcard $(INCLUDE)/linux/perf_event.h),,$(B)/uapi)
LIBGCC  := $(firstword $(wildcard $(LIBDIR)/gcc/*/*/libgcc.a))
else
LIBDIR  := /usr/lib/$(MUSL)
INCLUDE := /usr/include/$(MUSL)
UAPI    := $(B)/uapi
endif
LIBGCC := $(or $(LIBGCC),$(shell $(GCC) -print-libgcc-file-name 2>/dev/null))
LINKER  = $(if $(CLANG),--target=$(GNU) -fuse-ld=$(or $(call has,$(GNU)-ld),lld),-no-pie)
CFLAGS_ALL += -nostdinc -isystem $(INCLUDE) $(if $(UAPI),-isystem $(UAPI)) $(if $(CLANG),--target=$(GNU))
LINK = $(CC) $(LINKER) $(LINK_FLAGS) $(KEPT) $(LDFLAGS) -nostdlib -nostartfiles -o $@ $(LIBDIR)/crt1.o $(LIBDIR)/crti.o $(1) \
	-L$(LIBDIR) -Wl,--start-group -lc $(LIBGCC) -Wl,--end-group $(LIBDIR)/crtn.o
endif
