# A board's half: what records there. Reports are made elsewhere, with the whole of sonde.
#
# WITHOUT    commands that are left out; asked for one of them, the program says where it is
# STAND_INS  a file toolchains/board/X is built in the place of src/X: the same functions, which say that this is not here. All
#            that only they called goes with them (--gc-sections)

WITHOUT += annotate archive blackbox buildid_cache buildid_list c2c check completion convert data diff evlist flame inject kmem kvm kwork lock manual mem ovs pmd \
	prof report sched script timechart timeline top trace version why \
	$(addprefix ftrace/,agent attach check_events convert dump funcprofile hist latency listen mem profile report restore \
	setup_guest split sqlhist stack stat stream)
STAND_INS := $(sort $(wildcard toolchains/board/*/*.c toolchains/board/*/*/*.c))

# The linker's compiler sees all files at once and leaves out what two of them have between them; clang would need another linker.
compiles_late := $(if $(CLANG),,$(shell d=$$(mktemp -d); echo 'int main(void) { return 0; }' >$$d/x.c; \
	$(CC) -flto -nostdlib -r -flinker-output=rel -o $$d/x $$d/x.c >/dev/null 2>&1 && echo yes; rm -r $$d))
LATE := $(if $(compiles_late),-flto -flto-partition=one)
CFLAGS_ALL += $(LATE)
# Which pointers may meet is worked out over all of it: 4 KiB.
LINK_FLAGS += $(if $(LATE),$(LATE) -Os $(MODEL) -fipa-pta -fno-asynchronous-unwind-tables -fno-unwind-tables)

# Nothing is packed: the linker's compiler has no sections for single constants.
CFLAGS_ALL += -DPACKED_IN_PLACE
