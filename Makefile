# sonde - one static file. `make help` tells the rest.
#
# Nothing here lists sources: a folder's files are found by name, so adding a command, an analyser, an architecture or a
# test is adding a file. Every object depends on a stamp of the flags, so changed flags rebuild.

.DEFAULT_GOAL := all
HOST  := $(shell uname -m)
O     ?= build
V     ?=
DEBUG ?= 0
SAN   ?=
KERNEL ?= 6.12
# The one on which all tests run first: it takes longest.
KERNELS ?= 6.12 5.10 6.1 6.12-16k 6.1-rt
CACHE ?= build/cache
# 1: what a board needs to record, as small as can be (toolchains/board.mk); `make board`.
BOARD ?=

include toolchains/choose.mk
# A compiler that nobody has tried may warn of what it likes.
WERROR ?= $(if $(OWN),0,1)

# MODEL= is for what outgrows the small code model: the tests' binary, and builds without optimisation.
MODEL ?= $(if $(SAN)$(filter 1,$(DEBUG)),,$(CODE_MODEL))
B := $(O)/$(ARCH)$(if $(BOARD),-board)$(if $(SAN),-san)$(if $(filter 1,$(DEBUG)),-debug,$(if $(CODE_MODEL),$(if $(MODEL)$(SAN),,-far)))
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $(2))

# --- compiler ---------------------------------------------------------------------------------------------------------
RUN := $(if $(filter $(HOST),$(ARCH)),,$(EMULATE))

WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla -Wpointer-arith -Wwrite-strings \
	-Wredundant-decls -Wold-style-definition -Wcast-align -Wno-missing-field-initializers \
	$(if $(CLANG),-Wimplicit-fallthrough,-Wimplicit-fallthrough=3) $(if $(filter 1,$(WERROR)),-Werror)

# Absolute paths and time stamps stay out of the objects: two builds in two folders are the same bytes. (GCC names a system
# header by where its link leads if that is shorter than the path given, which depends on the folder.)
CFLAGS_ALL := -std=gnu11 $(if $(SAN),-g1,-g) $(WARN) -Isrc -I. -Iarch/$(ARCH)/host -I$(B)/gen \
	-fno-common -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-strict-aliasing \
	-fomit-frame-pointer $(if $(CLANG),,-fno-shrink-wrap) $(MODEL) \
	$(if $(CLANG),,-fno-canonical-system-headers) \
	-ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(B)=. -ffile-prefix-map=$(abspath $(B))=.
# Small everywhere but where a million samples pass through.
HOT := src/base/map.c src/base/find.c src/base/slots.c src/base/sort.c src/base/heap.c src/base/fmt.c src/obj/dwarf/scan.c src/pack/inflate.c src/pack/pack_bytes.c src/perf/sample.c src/perf/record.c src/perf/head.c src/perf/order.c src/perf/ring.c src/perf/runs.c \
	src/analyse/batch.c src/analyse/branches.c src/analyse/calltree.c src/analyse/hist.c src/sym/locs.c src/sym/maps.c src/sym/resolver.c src/sym/tasks.c \
	src/image/kallsyms.c src/image/kallsyms_text.c src/image/symtab.c \
	src/source/frames.c src/report/profile.c src/report/profile_merge.c src/record/recording.c src/source/session.c src/source/session_trace.c src/source/trace_dat.c src/source/perf_data.c src/source/perf_rings.c src/source/ahead.c \
	tracefs/print/eval.c tracefs/format/format.c tracefs/print/print.c tracefs/ring/page.c tracefs/text/rtext.c tracefs/print/spec.c tracefs/ring/stream.c
# A loop's constants are worked out in it: a register less to save is 1 % of all code.
SMALL := -Os $(if $(CLANG),,-fno-move-loop-invariants)
# Under the sanitizers compiling takes longer than running: half of it is saved by -O1 and by lines without types (-g1).
optimise = $(if $(filter 1,$(DEBUG)),-O0,$(if $(SAN),-O1,$(if $(filter $(if $(BOARD),,$(HOT)),$(1)),-O2,$(SMALL))))
HOT += src/spe/packet.c src/spe/record.c src/source/spe_feed.c
# Each line of text that is made of a recording.
HOT += src/show/text.c src/cmd/report/text.c src/report/lines.c src/cmd/script/place.c src/cmd/script/print.c src/cmd/script/take.c src/cmd/ftrace/treport_show.c \
	tracefs/dat/read.c tracefs/text/rtext_plugin.c
HOT += src/analyse/delays.c src/analyse/switches.c src/engine/feed.c src/prof/run.c src/sched/latency.c src/sched/timehist.c src/sched/timehist_text.c src/sched/map.c src/sched/common.c src/prof/view.c
HOT += src/analyse/slabs.c src/analyse/pages.c src/kmem/stat.c src/kmem/text_slabs.c src/c2c/lines.c src/report/profile_values.c src/analyse/cpuwaits.c src/analyse/stats.c src/analyse/works.c src/analyse/contention.c src/engine/feed_filter.c
# Most code is read where it has run; A64 gains nothing.
HOT += $(if $(filter x86_64,$(ARCH)),arch/x86_64/disasm.c arch/x86_64/decode.c) src/analyse/listing.c src/analyse/hits.c src/report/sample_hits.c src/cmd/annotate/text.c src/obj/elf/symbols.c

# Of what is linked with base/kept.c; a board has no need of it.
COMMA := ,
WRAPPED := $(addprefix -Wl$(COMMA)--wrap=,malloc calloc realloc free)
KEPT = $(if $(BOARD),,$(if $(filter %/base/kept.o,$(1)),$(WRAPPED)))

ifeq ($(SAN),)
include toolchains/musl.mk
include toolchains/missing.mk
else
# Sanitizers need the host's own C library; their binaries are for testing only.
ifneq ($(ARCH),$(HOST))
$(error SAN= builds are for the host: ARCH=$(HOST))
endif
UAPI :=
CFLAGS_ALL += -DWITHOUT_KEPT -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GNU_SOURCE
# GCC's own run time and fixed addresses: a program of ten thousand names starts in half the time, of which the tests see much.
LINK = $(CC) -fsanitize=$(SAN) $(if $(CLANG),,-no-pie -static-libasan -static-libubsan) -o $@ $(1)
endif
CFLAGS_ALL += -D_GNU_SOURCE $(CFLAGS)

# --- what is built: found by name ----------------------------------------------------------------------------------------
# WITHOUT="doctor ftrace/hist": a smaller binary without these commands; "ftrace" is that family with all its verbs.
WITHOUT ?=
ifneq ($(BOARD),)
include toolchains/board.mk
endif
left_out = $(if $(filter ftrace,$(1)),src/cmd/cmd_ftrace.c src/cmd/ftrace/verb_%.c,$(if $(findstring /,$(1)),src/cmd/ftrace/verb_$(notdir $(1)).c,src/cmd/cmd_$(1).c))
ALL_SRCS := $(sort $(wildcard src/*/*.c src/*/*/*.c tracefs/*.c tracefs/*/*.c arch/*.c arch/*/*.c))
SRCS  := $(filter-out $(foreach w,$(WITHOUT),$(call left_out,$(w))) $(STAND_INS:toolchains/board/%=src/%),$(ALL_SRCS)) $(STAND_INS)
OBJS  := $(SRCS:%.c=$(B)/%.o)
LIB_OBJS := $(filter-out $(B)/src/cmd/main.o,$(OBJS))
UNIT_SRCS := $(sort tests/t.c $(wildcard tests/unit/*.c))
UNIT_OBJS := $(UNIT_SRCS:%.c=$(B)/%.o)
cmds_of  = $(patsubst src/cmd/cmd_%.c,%,$(filter src/cmd/cmd_%,$(1:toolchains/board/%=src/%)))
verbs_of = $(patsubst src/cmd/ftrace/verb_%.c,%,$(filter src/cmd/ftrace/verb_%,$(1)))
CMDS  := $(sort $(call cmds_of,$(SRCS)))
VERBS := $(call verbs_of,$(SRCS))
PROFS := $(patsubst src/prof/prof_%.c,%,$(filter src/prof/prof_%,$(SRCS)))

.PHONY: all board
all: $(B)/sonde

board:
	@$(SUB) ARCH=aarch64 BOARD=1 all

$(B)/sonde: $(B)/sonde.full
	$(call say,STRIP,$@)
	$(Q)$(STRIP) -R .comment -o $@ $<

ifneq ($(SAN)$(BOARD),)
$(B)/sonde.full: $(OBJS)
	$(call say,LINK,$@)
	$(Q)$(call LINK,$(OBJS))
else
include toolchains/packed.mk
endif

ifeq ($(MODEL),)
$(B)/unit: $(LIB_OBJS) $(UNIT_OBJS)
	$(call say,LINK,$@)
	$(Q)$(call LINK,$(LIB_OBJS) $(UNIT_OBJS))
else
$(B)/unit: FORCE
	@mkdir -p $(@D)
	$(Q)$(SUB) MODEL= $(B)-far/unit && cp -u $(B)-far/unit $@
endif

GEN := $(addprefix $(B)/gen/,archs.def archs_in.def cmds.def left_out.def profs.def verbs.def page_script.inc)

$(B)/%.o: %.c $(B)/flags | $(GEN) $(MISSING) $(UAPI)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) $(call optimise,$<) $(if $(filter tests/%,$<),-Itests) $(if $(filter tests/fuzz/%,$<),-Wno-unused-function) -MMD -MP -c -o $@ $<

$(B)/tests/workload $(B)/tests/jitted $(B)/tests/bpfburn $(B)/tests/stall $(B)/tests/vmm $(B)/tests/peerperf $(B)/tests/ringsave $(B)/tests/hourlong: $(B)/tests/%: tests/workload/%.c $(B)/flags | $(MISSING) $(UAPI)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -Isrc -I.,$(CFLAGS_ALL)) -O1 -fno-omit-frame-pointer $(if $(CLANG),,-fno-ipa-cp -fno-ipa-sra) \
		-fno-optimize-sibling-calls -c -o $@.o $<
	$(Q)$(call LINK,$@.o)

# Made of the product's own objects.
$(addprefix $(B)/tests/,ringtext ringreport cfitext rechain scantext corechain codetext typescan): $(B)/tests/%: tests/workload/%.c $(LIB_OBJS) \
		$(B)/flags | $(MISSING) $(UAPI)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -Os -c -o $@.o $<
	$(Q)$(call LINK,$@.o $(LIB_OBJS))

# Written only when different, so that nothing is rebuilt for nothing; several makes may ask at the same time.
put = mkdir -p $(@D) && cat > $@.$$$$ && { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }

$(B)/flags: FORCE
	@printf '%s\n' '$(CC) $(CFLAGS_ALL) $(SMALL) $(DEBUG) $(HOT) $(shell $(CC) --version 2>/dev/null | head -n 1)' | { $(put); }

$(B)/gen/cmds.def: FORCE
	@printf 'CMD(%s)\n' $(CMDS) | { $(put); }

$(B)/gen/verbs.def: FORCE
	@printf '$(if $(VERBS),VERB(%s)\n)' $(VERBS) | { $(put); }

$(B)/gen/profs.def: FORCE
	@printf '$(if $(PROFS),PROF(%s)\n)' $(PROFS) | { $(put); }

# Those that there are, and those that are in this build.
$(B)/gen/archs.def: FORCE
	@printf 'ARCH(%s)\n' $(ARCHS) | { $(put); }

$(B)/gen/archs_in.def: FORCE
	@printf 'ARCH(%s)\n' $(if $(BOARD),$(ARCH),$(ARCHS)) | { $(put); }

# By the names that they are called with: "hist" of "setup_guest" is typed "setup-guest".
LEFT_OUT := $(subst _,-,$(filter-out $(CMDS),$(call cmds_of,$(ALL_SRCS))))
LEFT_OUT_VERBS := $(subst _,-,$(filter-out $(VERBS),$(call verbs_of,$(ALL_SRCS))))

$(B)/gen/left_out.def: FORCE
	@{ printf '$(if $(LEFT_OUT),LEFT_OUT("%s")\n)' $(LEFT_OUT); \
		printf '$(if $(LEFT_OUT_VERBS),LEFT_OUT_VERB("%s")\n)' $(LEFT_OUT_VERBS); } | { $(put); }

# The script of a timeline's page: its parts by name, packed.
$(B)/gen/page_script.inc: FORCE
	@cat $(sort $(wildcard src/timeline/*.js)) | gzip -9n | od -An -v -tx1 | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g' | { $(put); }

# A folder with nothing but the kernel's user headers.
ifneq ($(UAPI),)
$(UAPI): | $(MISSING)
	@mkdir -p $@.new
	@ln -sfn $(abspath $(UAPI_FROM))/linux $@.new/linux
	@ln -sfn $(abspath $(UAPI_FROM))/asm-generic $@.new/asm-generic
	@ln -sfn $(UAPI_ASM) $@.new/asm
	@rm -rf $@ && mv $@.new $@
endif

# Fuzzers, of the build that tests/fuzz/run makes (clang, SAN=fuzzer-no-link,address,undefined): the product's own objects,
# counted by libFuzzer; and `files`, which has main() under another name.
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_OBJS := $(FUZZ_SRCS:%.c=$(B)/%.o)
FUZZERS   := $(patsubst fuzz_%,%,$(notdir $(FUZZ_SRCS:.c=)))

.PHONY: fuzzers
fuzzers: $(FUZZERS:%=$(B)/fuzz/%)

$(B)/product.a: $(LIB_OBJS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(B)/fuzz/%: $(B)/tests/fuzz/fuzz_%.o $(B)/product.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fsanitize=fuzzer,$(SAN) -fuse-ld=lld -o $@ $^

$(B)/fuzz/files: $(B)/tests/fuzz/files.o $(B)/fuzz/main.o $(B)/product.a
	$(call say,LINK,$@)
	$(Q)$(CC) -fsanitize=address,undefined -fuse-ld=lld -o $@ $^

$(B)/fuzz/main.o: src/cmd/main.c $(B)/flags | $(GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_ALL) -Dmain=sonde_main -Wno-missing-prototypes -c -o $@ $<

.SECONDARY: $(FUZZ_OBJS)

-include $(OBJS:.o=.d) $(UNIT_OBJS:.o=.d) $(FUZZ_OBJS:.o=.d)

.PHONY: FORCE
FORCE:

# --- tests ---------------------------------------------------------------------------------------------------------------
# Each stage leaves its "N passed, N failed, N skipped" in $(O)/results/STAGE; `tests/sum` adds them up and is the last to print.
# A make of its own: variables of the command line come through the environment, the number of jobs is its own.
SUB = env -u MAKEFLAGS $(MAKE) --no-print-directory -j$(shell nproc) O='$(O)' V='$(filter 1,$(V))'

HOST_TOOLS := $(addprefix $(B)/tests/,workload jitted bpfburn stall peerperf hourlong ringtext ringreport cfitext rechain scantext corechain codetext typescan)

CROSS_ARCH := $(if $(filter aarch64,$(HOST)),x86_64,aarch64)

# What a stage cannot even build counts as its failure: without this it would leave no result and be passed over by the sum.
run_stage = $(SUB) stage-$(1) || { mkdir -p $(O)/results && echo '0 passed, 1 failed, 0 skipped' >$(O)/results/$(1)-build; }

.PHONY: check unit golden lint test test-all captures kernel browser
check: setup-build
	@rm -rf $(O)/results
	@for stage in unit golden lint; do $(call run_stage,$$stage); done
	@tests/sum $(O)/results

# Each kernel leaves its own counts; one that left none has failed.
each_capture_counts = for k in $(KERNELS); do ls $(O)/results/captures-*-$$k >/dev/null 2>&1 || echo '0 passed, 1 failed, 0 skipped' >$(O)/results/captures-$$k; done
each_kernel_counts = for k in $(KERNELS); do [ -s $(O)/results/kernel-$$k ] || echo '0 passed, 1 failed, 0 skipped' >$(O)/results/kernel-$$k; done

# What is compiled in this folder comes first, for two makes must not build the same thing at the same time. All the rest is one
# line of work, taken from by one more than there are processors, for a guest waits for a third of its time: first the host's
# stages, while the kernels are fetched, long ones first; then what kernels have written (tests/captures/run), and the guests
# (tests/vm/test). The longest of all, `host`, waits half of its time: it runs beside them, from the beginning.
#
# Where ccache is, what was compiled once is not compiled again: several stages compile the same, and the next run most of it.
test test-all: export PATH := /usr/lib/ccache:$(PATH)
test test-all: export CCACHE_DIR := $(abspath $(CACHE))/ccache
test test-all: export CCACHE_CONFIGPATH := $(abspath $(CACHE))/ccache/ccache.conf
test test-all: export CCACHE_MAXSIZE := 2G
# By what the compiler itself says that it has read: no preprocessor runs before it.
test test-all: export CCACHE_DEPEND := 1
#
# `test` is what each change has to pass: a script runs on the kernel that it depends on most. `test-all` is what a release has
# to pass: on all kernels that a script names, every golden under the sanitizers, with another compiler, packages, two builds.
WORKERS ?= $(shell echo $$(($$(nproc) + 1)))
STAGES := host fuzz board unit-san golden-san unit-cross unit browser golden lint
test-all: STAGES := host fuzz clang board repro package unit-san golden-san unit-cross unit browser golden lint
test-all: export ALL := 1
test: export FUZZ_RUNS := 300
test: export GOLDEN_SAN_SPARSE := 6
# Files cut and damaged at every place: at one of so many. The sanitizers see the most of them.
test: export UNIT_SPARSE := 16
test: export UNIT_SAN_SPARSE := 4
test: export UNIT_CROSS_SPARSE := 40
test test-all: setup
	@rm -rf $(O)/results && mkdir -p $(O)/results
	@{ for k in $(KERNELS); do tests/vm/fetch $$k; done; tests/vm/root bullseye bookworm trixie; tests/vm/utest; } >$(O)/fetch.log 2>&1 &
	@$(SUB) built || true
	@tests/vm/test --plan $(KERNELS) || true
	@{ for stage in $(STAGES); do echo "$$([ $$stage != host ] || echo '& ')$(MAKE) --no-print-directory queued-$$stage"; done; tests/captures/run --tasks $(KERNELS); \
		JOBS=$(WORKERS) tests/vm/test --tasks $(KERNELS); } | \
		env -u MAKEFLAGS O='$(O)' V='$(filter 1,$(V))' setpriv --pdeathsig TERM -- tests/queue $(WORKERS)
	@JOBS=$(WORKERS) tests/vm/test --sum $(KERNELS) || true
	@$(each_kernel_counts); $(each_capture_counts)
	@tests/sum $(O)/results

.PHONY: built
built: $(B)/sonde $(B)/unit $(HOST_TOOLS)
	@$(SUB) guest
	@$(SUB) SAN=address,undefined $(O)/$(HOST)-san/unit $(O)/$(HOST)-san/sonde
	@$(SUB) ARCH=$(CROSS_ARCH) $(O)/$(CROSS_ARCH)/unit

queued-%:
	@$(call run_stage,$*)

unit golden lint browser captures kernel:
	@rm -rf $(O)/results/$@*
	@$(call run_stage,$@)
	@tests/sum $(O)/results '$@*'

export O ARCH CACHE HOST
export SONDE = $(abspath $(B)/sonde)

.PHONY: stage-unit stage-golden stage-lint stage-unit-san stage-golden-san stage-unit-cross stage-fuzz stage-clang stage-board stage-repro stage-package stage-host stage-browser stage-captures stage-kernel
stage-unit: $(B)/unit
	@TESTS_SPARSE=$(or $(UNIT_SPARSE),4) tests/stage unit $(RUN) $(B)/unit
stage-golden: $(B)/sonde
	@tests/stage golden tests/golden/run
stage-lint: $(B)/sonde
	@tests/stage lint tests/lint/run
stage-unit-san:
	@$(SUB) SAN=address,undefined $(O)/$(HOST)-san/unit
	@TESTS_SPARSE=$(or $(UNIT_SAN_SPARSE),2) tests/stage unit-san $(O)/$(HOST)-san/unit
stage-golden-san:
	@$(SUB) SAN=address,undefined $(O)/$(HOST)-san/sonde
	@SANITIZED=1 TESTS_SPARSE=$(GOLDEN_SAN_SPARSE) SONDE=$(abspath $(O))/$(HOST)-san/sonde.full LSAN_OPTIONS=print_suppressions=0:suppressions=$(CURDIR)/tests/golden/leaks tests/stage golden-san tests/golden/run
stage-unit-cross:
	@$(SUB) ARCH=$(CROSS_ARCH) cross-unit
stage-fuzz:
	@tests/stage fuzz tests/fuzz/run --stage
stage-clang: $(B)/sonde
	@tests/stage clang tests/build clang
stage-board: $(B)/sonde
	@tests/stage board tests/build board
stage-repro:
	@$(SUB) ARCH=aarch64 all
	@CCACHE_DISABLE=1 tests/stage repro tests/build twice
stage-host: $(B)/sonde $(HOST_TOOLS)
	@tests/stage --again-some host tests/host/run --but package
stage-package: $(B)/sonde $(HOST_TOOLS)
	@tests/stage package tests/host/run package
stage-browser: $(B)/sonde
	@tests/stage --again browser tests/browser/run $(B)/sonde
stage-kernel: guest
	@tests/vm/test $(KERNELS) || true
	@$(each_kernel_counts)

# What kernels and peers have written, kept, against what we say of it.
stage-captures: $(B)/sonde $(HOST_TOOLS)
	@$(SUB) guest
	@tests/captures/run --tasks $(KERNELS) | tests/queue $(WORKERS)
	@$(each_capture_counts)

.PHONY: cross-unit
cross-unit: $(B)/unit
	@TESTS_SPARSE=$(or $(UNIT_CROSS_SPARSE),20) tests/stage unit-$(ARCH) $(RUN) $(B)/unit

# --- the rest ------------------------------------------------------------------------------------------------------------
.PHONY: setup setup-build
setup:
	@tests/setup all
setup-build:
	@tests/setup build

# What the guests get: the arm64 binary, the workload in their PATH, programs to probe, and those of known call chains.
.PHONY: guest
guest:
	@$(SUB) ARCH=aarch64 all $(addprefix $(O)/aarch64/tests/,workload jitted peerperf ringsave stall vmm)
	@mkdir -p $(O)/aarch64/guest
	@cp $(addprefix $(O)/aarch64/tests/,workload jitted peerperf stall vmm) $(O)/aarch64/guest/
	@tests/probe/build $(O)/aarch64/guest/probe
	@tests/chains/build $(O)/aarch64/chains
	@tests/vm/fakespe/build 6.12 $(O)/aarch64/guest/fakespe.ko

.PHONY: vm
vm: setup guest
ifneq ($(CMD),)
	@tests/vm/run $(KERNEL) -- sh -c '$(CMD)'
else
	@tests/vm/run $(KERNEL) --shell
endif

# A switch with the markers that Debian's lacks, for the guests; built once, some minutes.
.PHONY: ovs
ovs: setup
	@tests/vm/ovs

include toolchains/install.mk

.PHONY: demo bench size fuzz clean help
demo: setup
	@$(SUB) all
	@$(SUB) guest
	@tests/demo

bench: setup
	@$(SUB) all $(B)/tests/workload
	@$(SUB) guest
	@tests/bench/run
	@tests/bench/guest

size:
	@$(SUB) ARCH=aarch64 all
	@$(SUB) board
	@tests/size $(O)/aarch64 2232
	@tests/size $(O)/aarch64-board 512

F ?= elf
T ?= 60
fuzz: setup
	@tests/fuzz/run $(F) $(T)

clean:
	@rm -rf $(O)/aarch64* $(O)/x86_64* $(O)/results $(O)/demo $(O)/fuzz $(O)/bench $(O)/dist

help:
	@echo 'make                 build/<arch>/sonde for this machine; ARCH=aarch64 or x86_64 cross-builds'
	@echo 'make demo            profile a real arm64 kernel (in a guest, or on this machine if it is arm64)'
	@echo 'make test            what a change has to pass, in guest kernels; make check: what needs no guest'
	@echo 'make test-all        on all kernels, with another compiler, packages, two builds: before a release'
	@echo 'make unit|golden|lint|browser|captures|kernel    one stage of the tests; KERNELS="5.10 6.12"'
	@echo 'make vm              a shell in a guest; KERNEL=5.10|6.1|6.1-rt|6.12|6.12-16k  CMD="sonde doctor"'
	@echo 'make ovs             an Open vSwitch with its markers, for the tests in guests: once, some minutes'
	@echo 'make bench           sonde beside perf: start-up, size, recorder cost, report time and memory'
	@echo 'make size            what the two aarch64 binaries spend where; fails above their limits'
	@echo 'make fuzz F=elf T=60 a parser (F=all: each of them) under libFuzzer for T seconds; F=files: whole files'
	@echo '                     through the commands'
	@echo 'make install         PREFIX=/usr/local DESTDIR= LINKS="perf trace-cmd perf-prof" (none unless asked for); make uninstall'
	@echo 'make dist            build/dist: sources with the manual, both static binaries, checksums; recipes: toolchains/package'
	@echo 'make board           build/aarch64-board/sonde: what a board needs to record, a third of the whole'
	@echo 'make setup           install what is missing (as root), or print the command'
	@echo 'make WITHOUT="ftrace"  a smaller binary without these commands (ftrace/hist: one verb)'
	@echo 'make CROSS_COMPILE=aarch64-linux-musl-   with a musl toolchain of any origin; CC="clang --sysroot=FOLDER"'
	@echo 'variables            CC=gcc|clang O=build V=1 DEBUG=1 SAN=address,undefined WERROR=0 CFLAGS='
