# What a build needs and this machine does not have, said in words before anything is compiled. MISSING is the target that
# says it, empty when all is there.

no_compiler := $(if $(call has,$(firstword $(CC))),,yes)
ifeq ($(no_compiler),)
wrong_arch  := $(if $(CROSSING),$(if $(CLANG),,yes))
no_musl     := $(if $(OWN)$(wildcard $(LIBDIR)/libc.a),,yes)
no_libgcc   := $(if $(OWN)$(wildcard $(LIBGCC)),,yes)
no_uapi     := $(if $(UAPI),$(if $(and $(UAPI_FROM),$(UAPI_ASM)),,yes))
endif

MISSING := $(if $(no_compiler)$(wrong_arch)$(no_musl)$(no_libgcc)$(no_uapi),missing)

.PHONY: missing
missing:
	@{ echo 'A build for $(ARCH) lacks'; \
	$(if $(no_compiler),echo '  the compiler: there is no $(firstword $(CC))';) \
	$(if $(wrong_arch),echo '  a compiler for it: $(CC) makes programs for $(or $(MADE_FOR),no machine) (without CC= it is $(GNU)-gcc)';) \
	$(if $(no_musl),echo '  a static musl: there is no libc.a in $(LIBDIR)';) \
	$(if $(no_libgcc),echo '  the libgcc of $(GCC) (or LIBGCC=FILE, which may be the builtins of compiler-rt)';) \
	$(if $(no_uapi),echo "  the kernel's user headers: there is no linux/perf_event.h with its asm/ (Alpine: linux-headers)";) \
	echo "On Debian 'make setup' brings it, or prints the command that does (as any user but root)."; \
	echo 'Any other musl toolchain will do: CROSS_COMPILE=$(MUSL)- or CC="clang --sysroot=FOLDER".'; } >&2; exit 1
