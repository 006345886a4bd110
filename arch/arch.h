/*
 * arch.h - what sonde knows of an instruction set and its counters: constant data and pure
 * functions. Every architecture is in every binary, so that a recording is read anywhere; only
 * arch/<name>/host/host.h is for the running machine. Pointers returned here live for ever.
 *
 * To add one: arch/<name>/{desc.c,insn.c,usdt.c,regs.def,host/host.h}, found by its name.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "base/base.h"

#define ARCH_NO_REG	0xff
#define ARCH_NO_EVENT	0xffff

struct arch_reg {
	const char *name;	/* "x21", "sp"; x86_64: "ax", "r8" */
	uint8_t perf_bit;	/* bit in perf_event_attr.sample_regs_user and _intr */
	uint8_t dwarf;		/* register number in CFI and location expressions */
};

struct arch_event {
	const char *name;	/* upper case, "CPU_CYCLES" */
	uint16_t config;	/* raw event number */
	const char *brief;	/* what it counts, or NULL */
};

/* One kind of core, from MIDR_EL1's implementer and part. */
struct arch_core {
	uint8_t impl;
	uint8_t slots_width;	/* issue width where the PMU does not tell it, else 0 */
	uint16_t part;
	const char *vendor, *name;	/* "Arm", "Cortex-A57" */
	const char *table;	/* perf's event table, "arm/cortex-a57-a72", or NULL */
};

#define ARCH_HW_CACHE	0xff	/* arch_generic.hw of PERF_TYPE_HW_CACHE aliases */

/* What one of perf's portable event names really counts here. */
struct arch_generic {
	const char *alias;	/* perf's spelling */
	uint8_t hw;		/* PERF_COUNT_HW_*, or ARCH_HW_CACHE */
	uint16_t raw;		/* event used with PMUv3; ARCH_NO_EVENT: not countable */
	uint16_t alt;		/* event used on some cores or kernels, or ARCH_NO_EVENT */
	const char *label;	/* what to show as its meaning; NULL: the name says it */
};

/* --- instructions, as far as probes care --- */

enum arch_insn_flag {
	ARCH_INSN_RET = 1,
	ARCH_INSN_BRANCH = 2,		/* to target, when that is known here; calls, too */
	ARCH_INSN_COND = 4,		/* it may also go on behind it */
	ARCH_INSN_CALL = 8,		/* may come back behind it; without BRANCH: a system call */
	ARCH_INSN_EXCL_LOAD = 16,	/* ldxr and its kin */
	ARCH_INSN_EXCL_STORE = 32,	/* stxr, clrex: ends the exclusive section */
	ARCH_INSN_SIMULATED = 64,	/* the kernel computes its effect instead of stepping over a copy */
	ARCH_INSN_REFUSED = 128,	/* kprobes and uprobes refuse it */
	ARCH_INSN_STOP = 256,		/* nothing goes on behind it: branch, return, trap */
	ARCH_INSN_NO_UPROBE = 512,	/* uprobes refuse it, kprobes do not */
	/* What kprobes before Linux 6.15 take for an exclusive load or store: arm64's acquire, release, cas. */
	ARCH_INSN_LIKE_LOAD = 1024,
	ARCH_INSN_LIKE_STORE = 2048,
	ARCH_INSN_MARK = 4096,		/* changes nothing that holds an argument: nop, bti, endbr64, paciasp */
	ARCH_INSN_NOP = 8192,		/* stepped by some kernels, simulated by others */
};

struct arch_insn {
	uint8_t len;			/* bytes */
	unsigned flags;			/* arch_insn_flag */
	uint64_t target;		/* 0: not known */
	uint64_t literal;		/* a constant among the code that it loads, 0: none */
	uint8_t literal_size;
};

/* What an instruction does to the return address and the frame record, in prologues and epilogues. */
enum arch_frame {
	ARCH_FRAME_OTHER,
	ARCH_FRAME_SAVES,	/* stores the link register on the stack */
	ARCH_FRAME_BEGINS,	/* the frame pointer leads to the function's own record from now on */
	ARCH_FRAME_ENDS,	/* loads the link register from the stack */
	ARCH_FRAME_CALLS,	/* overwrites the link register */
	ARCH_FRAME_LEAVES,	/* returns, or jumps; what follows is reached from elsewhere */
};

/* What an instruction does to the stack pointer, and which registers it stores on the stack. */
struct arch_stack {
	bool is_unknown;	/* nobody can tell where the stack pointer is behind it */
	bool pads;		/* it fills what is between functions */
	bool returns;
	int32_t change;		/* of the stack pointer */
	struct arch_saved {
		uint8_t reg;	/* DWARF's number */
		int32_t off;	/* from the stack pointer as it is behind the instruction */
	} saved[2];
	uint8_t n_saved;
};

/*
 * What a signal handler returns to, and what it interrupted: the kernel's frame lies at the stack pointer then. The
 * code is the kernel's vDSO's, or a C library's.
 */
struct arch_signal {
	const uint8_t *code;	/* the instructions that call rt_sigreturn */
	uint8_t n_code;
	uint16_t pc;		/* bytes from the stack pointer */
	const struct arch_signal_reg {
		uint8_t dwarf;
		uint16_t off;
	} *regs;
	uint8_t n_regs;
};

/* What an instruction is about to store. */
struct arch_store {
	uint64_t value;
	uint8_t size;		/* bytes */
	bool may_fail;		/* exclusive, or compared first */
};

/* The saved flags of what was interrupted, in the registers that BPF programs of perf events get. */
struct arch_flags {
	uint16_t off;		/* bytes from the first register */
	uint8_t irq_bit;	/* that interrupts are off (if it is set), or on */
	bool irqs_off_if_set;
};

/* Where struct pt_regs has a system call's arguments and number, until its end: bytes from its first register. */
struct arch_syscall_regs {
	uint16_t arg[6], number;
};

/* An instruction as text, and what its text is about. */
enum arch_disasm_kind {
	ARCH_DISASM_OTHER,
	ARCH_DISASM_BRANCH,	/* to `address` */
	ARCH_DISASM_LITERAL,	/* loads what is at `address` */
	ARCH_DISASM_ADDRESS,	/* `address` into reg */
	ARCH_DISASM_PAGE,	/* likewise; what is meant lies at an offset from there */
	ARCH_DISASM_ADD,	/* base + offset into reg */
	ARCH_DISASM_ACCESS,	/* a load or store at base + offset; reg: what is loaded, or ARCH_NO_REG */
};

enum { ARCH_DISASM_TEXT = 112 };	/* bytes */

struct arch_disasm {
	char *text;		/* to be set: mnemonic, a tab or blanks, operands; as objdump has it, without names */
	uint8_t len;		/* bytes */
	uint8_t n_text;		/* bytes of the text */
	enum arch_disasm_kind kind;
	bool is_unknown;	/* the text says that it is none, or none that is known */
	uint8_t reg, base;	/* numbers as the instruction has them */
	uint8_t n_written;
	uint8_t written[3];	/* registers that it may write; stores' are among them */
	uint64_t address;
	uint32_t offset;
};

/* Where an operand of a USDT marker is. */
enum arch_usdt_kind { ARCH_USDT_NONE, ARCH_USDT_REG, ARCH_USDT_MEM, ARCH_USDT_CONST };

struct arch_usdt {
	enum arch_usdt_kind kind;	/* NONE: cannot be fetched (indexed, floating point) */
	const struct arch_reg *reg;	/* the register, or the base of the memory */
	int64_t off;			/* from the base, or the constant */
};

struct arch {
	const char *name, *alias;	/* uname -m; what else it is called */
	uint16_t elf_machine;	/* EM_* */
	const struct arch_reg *regs;	/* by perf_bit; regs[i].perf_bit == i up to the pc */
	size_t n_regs;
	uint8_t reg_sp, reg_ip, reg_lr, reg_fp;	/* perf bits; reg_lr may be ARCH_NO_REG */
	uint64_t user_regs_mask;	/* the bits that every kernel accepts in sample_regs_user */
	struct arch_flags flags;
	/* Where a program of a probe finds its registers, by perf bit, in bytes; NULL: one behind the other. */
	const uint8_t *probe_regs;
	/* TIF_NEED_RESCHED's bit in thread_info.flags, and since a version (major << 8 | minor); -1: not known. */
	int8_t resched_bit, resched_bit_from;
	uint16_t resched_from;
	uint64_t (*strip)(uint64_t addr);	/* code address without authentication bits */
	uint8_t insn_size;		/* of every instruction; 0: they differ */
	/* The instruction at p, of n bytes that are left; false: none that is known, or cut. */
	bool (*insn)(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn);
	const struct arch_signal *signal;
	/* NULL: a call puts its return address on the stack. */
	enum arch_frame (*frame)(const uint8_t *p, size_t n);
	void (*usdt)(const char *operand, size_t n, struct arch_usdt *u);
	const uint8_t *arg_regs;	/* perf bits of the registers that hold integer arguments, in order */
	uint8_t n_arg_regs, ret_reg;
	const char *float_reg;		/* "v": those for floating point, of which no probe reads any */
	uint8_t float_dwarf, n_float_regs;	/* number of the first in DWARF; how many */
	bool capitals;			/* perf writes registers' names in capitals */
	bool floats_in_a_row;		/* a struct of up to four floats of one size is in as many of them */
	const uint8_t *go_arg_regs;	/* those of Go's functions; none: the same */
	uint8_t n_go_arg_regs;
	bool has_events;		/* arch_event_next gives some */
	/*
	 * Does this processor, by its CPUID in a recording, take an instruction and the branch behind it as one? By
	 * their names, the first one's of n bytes; NULL: none does that is known of.
	 */
	bool (*fuses)(const char *cpuid, const char *first, size_t n, const char *branch);
	const struct arch_generic *generics;	/* may be none: names mean what they say */
	size_t n_generics;
};

#define ARCH(id) extern const struct arch arch_##id;
#include "archs.def"
#undef ARCH

const struct arch *arch_by_name(const char *uname_m);	/* "aarch64" or "arm64", ...; NULL */
const struct arch *arch_by_elf(uint16_t e_machine);	/* NULL: unknown */
const struct arch *arch_native(void);

/* NULL: not known. Apart from struct arch, so that what follows no code is smaller. */
typedef struct arch_stack arch_stack_fn(const uint8_t *p, size_t n);
arch_stack_fn *arch_stack_of(const struct arch *a);

/* NULL: no such register. Names are matched in any case. */
const struct arch_reg *arch_reg_by_name(const struct arch *a, const char *name, size_t n);
const struct arch_reg *arch_reg_by_dwarf(const struct arch *a, unsigned dwarf);

/* Of the 64-bit kernel, up to Linux 6.12. NULL: none has that number. */
const char *arch_syscall_name(const struct arch *a, uint64_t nr);

const struct arch_syscall_regs *arch_syscall_regs(const struct arch *a);   /* NULL: not known */

/* Why a guest was left; isa: as KVM's events tell it (x86), or ARM. NULL: not known. */
enum arch_exits { ARCH_EXITS_VMX = 1, ARCH_EXITS_SVM, ARCH_EXITS_ARM };
/* ARM: the exception class; where kvm_exit's ret (but for its highest bit) is no trap, that and this bit. */
#define ARCH_EXITS_ARM_TRAP	2u
#define ARCH_EXITS_ARM_CODE	0x80000000u
const char *arch_exit_name(uint64_t isa, uint64_t nr);

/* generic: perf's spelling, any case. NULL when the name needs no explanation. */
const char *arch_generic_label(const struct arch *a, const char *generic);

/* MIDR_EL1 as in sysfs regs/identification/midr_el1 */
struct midr {
	uint8_t impl, variant, arch, rev;
	uint16_t part;
};
struct midr midr_parse(uint64_t midr_el1);

const struct arch_core *arch_core_find(uint8_t impl, uint16_t part);	/* NULL: unknown */
const struct arch_core *arch_core_at(size_t i);			/* all known ones; NULL: the end */
const char *arch_vendor_name(uint8_t impl);				/* NULL: unknown */

/*
 * Events of an arm64 core: those of its own table, then the common ones that its table does not
 * renumber. core NULL: the common ones. Apple's cores have none (not PMUv3). _find: the number or
 * -ENOENT, _name: NULL if the number has none. That a number is listed does not mean that the core
 * implements it: ask the PMU's events/ in sysfs.
 */
int arch_event_find(const struct arch_core *core, const char *name, size_t n);
const char *arch_event_name(const struct arch_core *core, uint16_t config);

struct arch_event_iter {
	const struct arch_core *core;	/* set this one, zero the others */
	const char *text, *common_text;
	size_t vendor, common;
};
int arch_event_next(struct arch_event_iter *it, struct arch_event *ev);	/* 1, 0: end */

/* What a system PMU of this sysfs name counts, "arm_cmn_0" -> "CMN mesh"; NULL: unknown. */
const char *arch_uncore_name(const char *pmu);

/* As arch_aarch64.strip, for a kernel built with another size of virtual addresses (39, 52). */
uint64_t arch_aarch64_strip(uint64_t addr, unsigned va_bits);

/*
 * What the instruction at p is about to write at `watched`, regs by perf bit; false: it stores nothing there, or what
 * nobody can tell. NULL: breakpoints of this architecture hit behind the instruction.
 */
typedef bool arch_store_fn(const uint8_t *p, size_t n, const uint64_t *regs, uint64_t watched, struct arch_store *s);
arch_store_fn *arch_store_of(const struct arch *a);

/* What a disassembler keeps from one instruction to the next: disasm.h. */
struct arch_disasm_memo;

/* The instruction at p; false: cut. NULL: nobody here can read that architecture's. */
typedef bool arch_disasm_fn(const uint8_t *p, size_t n, uint64_t addr, struct arch_disasm_memo *m,
			    struct arch_disasm *d);
arch_disasm_fn *arch_disasm_of(const struct arch *a);

/* --- what an instruction touches in memory, and what becomes of what registers hold --- */

enum arch_move {
	ARCH_MOVE_NONE,
	ARCH_MOVE_COPY,		/* to = from + imm */
	ARCH_MOVE_SUM,		/* to = from + something, of which from2 may be a part */
	ARCH_MOVE_EITHER,	/* to = from, or from2 */
	ARCH_MOVE_ADDRESS,	/* to = address */
	ARCH_MOVE_LOAD,		/* to = what is loaded, to2 = what is loaded behind it */
	ARCH_MOVE_STORE,	/* from is stored, and from2 behind it */
	ARCH_MOVE_TASK,		/* to = the kernel's current task */
	ARCH_MOVE_CALL,		/* to what from holds */
};

enum arch_access { ARCH_READS = 1, ARCH_WRITES = 2, ARCH_PUSHES = 4 };   /* PUSHES: of the stack by what it is */

/* Registers are DWARF's numbers; ARCH_NO_REG: none, or zero. */
struct arch_touch {
	uint8_t len;
	uint8_t move;		/* arch_move */
	uint8_t to, to2, from, from2;
	uint8_t access;		/* arch_access; 0: no memory, of which the rest tells */
	uint8_t base, index;	/* no base: at `address`, which may be 0 then: not known */
	uint8_t scale;		/* of the index: a power of two */
	uint8_t size;		/* bytes of one; 0: not known */
	bool of_thread;		/* `off` in what each thread has for itself */
	uint32_t lost;		/* a bit for each register that has something else behind it, without to, to2, base */
	int64_t imm;
	int64_t off;		/* from base */
	int64_t step;		/* by which the base moves on behind the access */
	uint64_t address;
};

/* The instruction at p; false: cut, or none that is known. NULL: nobody here can tell for that architecture. */
typedef bool arch_touch_fn(const uint8_t *p, size_t n, uint64_t addr, struct arch_touch *t);
arch_touch_fn *arch_touch_of(const struct arch *a);

/* Registers that a call may overwrite, a bit for each of DWARF's numbers. */
uint32_t arch_call_loses(const struct arch *a);

#endif
