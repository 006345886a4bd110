/*
 * arch.h - what sonde knows of an instruction set and its counters: constant data and pure
 * functions. Every architecture is in every binary, so that recordings of any machine can be read
 * on any other; only arch/<name>/host/host.h is for the running machine. All pointers returned here
 * are to static data.
 *
 * To add an architecture: arch/<name>/{desc.c,insn.c,usdt.c,regs.def,host/host.h}; the Makefile finds the folder.
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

/* One kind of core, identified by MIDR_EL1's implementer and part number. */
struct arch_core {
	uint8_t impl;
	uint8_t slots_width;	/* issue width, if the PMU has no caps/slots to read it from; else 0 */
	uint16_t part;
	const char *vendor, *name;	/* "Arm", "Cortex-A57" */
	const char *table;	/* perf's event table, "arm/cortex-a57-a72", or NULL */
};

#define ARCH_HW_CACHE	0xff	/* arch_generic.hw of PERF_TYPE_HW_CACHE aliases */

/* What one of perf's portable event names counts on this architecture. */
struct arch_generic {
	const char *alias;	/* perf's spelling */
	uint8_t hw;		/* PERF_COUNT_HW_*, or ARCH_HW_CACHE */
	uint16_t raw;		/* event used with PMUv3; ARCH_NO_EVENT: not countable */
	uint16_t alt;		/* event used instead on some cores or kernels, or ARCH_NO_EVENT */
	const char *label;	/* its meaning, for lists; NULL: the name says it */
};

/* --- instructions: the properties that matter to probes --- */

enum arch_insn_flag {
	ARCH_INSN_RET = 1,
	ARCH_INSN_BRANCH = 2,		/* a branch or call, to `target` if that is known */
	ARCH_INSN_COND = 4,		/* the branch may also fall through */
	ARCH_INSN_CALL = 8,		/* may return to the next instruction; without BRANCH: a system call */
	ARCH_INSN_EXCL_LOAD = 16,	/* ldxr, ldaxr, ...: begins an exclusive section */
	ARCH_INSN_EXCL_STORE = 32,	/* stxr, clrex: ends the exclusive section */
	ARCH_INSN_SIMULATED = 64,	/* the kernel simulates it instead of single-stepping a copy */
	ARCH_INSN_REFUSED = 128,	/* kprobes and uprobes refuse it */
	ARCH_INSN_STOP = 256,		/* never falls through: branch, return, trap */
	ARCH_INSN_NO_UPROBE = 512,	/* uprobes refuse it, kprobes do not */
	/* Kprobes before Linux 6.15 mistake these for an exclusive load or store: arm64's ldar, stlr, cas. */
	ARCH_INSN_LIKE_LOAD = 1024,
	ARCH_INSN_LIKE_STORE = 2048,
	ARCH_INSN_MARK = 4096,		/* leaves all argument registers and memory alone: nop, bti, endbr64, paciasp */
	ARCH_INSN_NOP = 8192,		/* nop: some kernels single-step it, others simulate it */
};

struct arch_insn {
	uint8_t len;			/* bytes */
	unsigned flags;			/* arch_insn_flag */
	uint64_t target;		/* of a branch or call; 0: not known */
	uint64_t literal;		/* address of the PC-relative literal that it loads, 0: none */
	uint8_t literal_size;		/* bytes */
};

/* What an instruction does to the return address and the frame record, in prologues and epilogues. */
enum arch_frame {
	ARCH_FRAME_OTHER,
	ARCH_FRAME_SAVES,	/* stores the link register on the stack */
	ARCH_FRAME_BEGINS,	/* sets the frame pointer: from now on it points to this function's frame record */
	ARCH_FRAME_ENDS,	/* loads the link register from the stack */
	ARCH_FRAME_CALLS,	/* a call: overwrites the link register */
	ARCH_FRAME_LEAVES,	/* returns or jumps: the next instruction is reached by a branch only */
};

/* What an instruction does to the stack pointer, and which registers it stores on the stack. */
struct arch_stack {
	bool is_unknown;	/* it changes the stack pointer by an amount that is not known */
	bool pads;		/* it is padding between functions */
	bool returns;
	int32_t change;		/* added to the stack pointer, bytes */
	struct arch_saved {
		uint8_t reg;	/* DWARF number */
		int32_t off;	/* where it is stored, from the stack pointer after the instruction */
	} saved[2];
	uint8_t n_saved;
};

/*
 * The signal trampoline, to which a signal handler returns, and where the registers of the interrupted code are: the
 * stack pointer then points to the kernel's signal frame. The trampoline is in the vDSO, or in a C library.
 */
struct arch_signal {
	const uint8_t *code;	/* the instructions that call rt_sigreturn */
	uint8_t n_code;
	uint16_t pc;		/* where the interrupted pc is: bytes from the stack pointer */
	const struct arch_signal_reg {
		uint8_t dwarf;
		uint16_t off;	/* bytes from the stack pointer */
	} *regs;
	uint8_t n_regs;
};

/* What an instruction is about to store. */
struct arch_store {
	uint64_t value;
	uint8_t size;		/* bytes */
	bool may_fail;		/* an exclusive store or a compare-and-swap */
};

/* Where the registers that the kernel gives to BPF programs of perf events have the interrupted code's flags. */
struct arch_flags {
	uint16_t off;		/* bytes from the first register */
	uint8_t irq_bit;	/* the bit that tells whether interrupts were off */
	bool irqs_off_if_set;	/* its meaning: set is off (arm64), or set is on (x86) */
};

/*
 * Where struct pt_regs has the arguments and the number of a system call, in bytes from its first register. The call
 * does not overwrite them.
 */
struct arch_syscall_regs {
	uint16_t arg[6], number;
};

/* What kind of address an instruction's text has, if any. */
enum arch_disasm_kind {
	ARCH_DISASM_OTHER,
	ARCH_DISASM_BRANCH,	/* to `address` */
	ARCH_DISASM_LITERAL,	/* accesses memory at `address` */
	ARCH_DISASM_ADDRESS,	/* writes `address` to reg */
	ARCH_DISASM_PAGE,	/* ADRP: writes a page's address to reg; a later instruction adds the offset */
	ARCH_DISASM_ADD,	/* writes base + offset to reg */
	ARCH_DISASM_ACCESS,	/* loads or stores at base + offset; reg: what is loaded, or ARCH_NO_REG */
};

enum { ARCH_DISASM_TEXT = 112 };	/* bytes */

struct arch_disasm {
	char *text;		/* the caller's buffer: mnemonic, tab or blanks, operands; as objdump without symbols */
	uint8_t len;		/* bytes of the instruction */
	uint8_t n_text;		/* bytes of the text */
	enum arch_disasm_kind kind;
	bool is_unknown;	/* not a valid instruction, or not one that is known here */
	uint8_t reg, base;	/* register numbers as encoded */
	uint8_t n_written;
	uint8_t written[3];	/* registers that it may write; registers that it stores may be among them */
	uint64_t address;
	uint32_t offset;
};

/* Where an operand of a USDT probe is. */
enum arch_usdt_kind { ARCH_USDT_NONE, ARCH_USDT_REG, ARCH_USDT_MEM, ARCH_USDT_CONST };

struct arch_usdt {
	enum arch_usdt_kind kind;	/* NONE: a probe cannot fetch it (indexed, floating point) */
	const struct arch_reg *reg;	/* the register itself, or the base of the memory operand */
	int64_t off;			/* offset from the base, or the value of the constant */
};

struct arch {
	const char *name, *alias;	/* as uname -m prints it; another common name */
	uint16_t elf_machine;	/* EM_* */
	const struct arch_reg *regs;	/* by perf_bit; regs[i].perf_bit == i up to the pc */
	size_t n_regs;
	uint8_t reg_sp, reg_ip, reg_lr, reg_fp;	/* perf bits; reg_lr may be ARCH_NO_REG */
	uint64_t user_regs_mask;	/* the bits that every kernel accepts in sample_regs_user */
	struct arch_flags flags;
	/* Offset of each register in a kprobe's BPF context (struct pt_regs), by perf bit; NULL: perf bit * 8. */
	const uint8_t *probe_regs;
	/* Bit of TIF_NEED_RESCHED in thread_info.flags, and from version (major << 8 | minor) on; -1: unknown */
	int8_t resched_bit, resched_bit_from;
	uint16_t resched_from;
	uint64_t (*strip)(uint64_t addr);	/* code address without authentication bits */
	uint8_t insn_size;		/* bytes of every instruction; 0: they differ */
	/* Decode the instruction at p, n bytes are left; false: unknown or truncated. */
	bool (*insn)(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn);
	const struct arch_signal *signal;
	/* NULL: calls push the return address, so there is no link register. */
	enum arch_frame (*frame)(const uint8_t *p, size_t n);
	void (*usdt)(const char *operand, size_t n, struct arch_usdt *u);
	const uint8_t *arg_regs;	/* perf bits of the registers that hold integer arguments, in order */
	uint8_t n_arg_regs, ret_reg;
	const char *float_reg;		/* prefix of floating point registers' names, "v"; probes cannot read them */
	uint8_t float_dwarf, n_float_regs;	/* DWARF number of the first; how many */
	bool capitals;			/* perf writes register names in capitals */
	bool floats_in_a_row;		/* a struct of up to four floats of one size is passed in that many of them */
	const uint8_t *go_arg_regs;	/* arg_regs of Go's calling convention; NULL: arg_regs */
	uint8_t n_go_arg_regs;
	bool has_events;		/* arch_event_next() has events for it */
	/*
	 * Does the processor with this CPUID (from a recording's header) fuse an instruction and the conditional jump
	 * after it into one operation? Both by mnemonic, the first one of n bytes. NULL: no such processor is known.
	 */
	bool (*fuses)(const char *cpuid, const char *first, size_t n, const char *branch);
	const struct arch_generic *generics;	/* may be empty: the portable names need no explanation */
	size_t n_generics;
};

#define ARCH(id) extern const struct arch arch_##id;
#include "archs.def"
#undef ARCH

const struct arch *arch_by_name(const char *uname_m);	/* "aarch64" or "arm64", ...; NULL */
const struct arch *arch_by_elf(uint16_t e_machine);	/* NULL: unknown */
const struct arch *arch_native(void);

/* NULL: not implemented. Not a member of struct arch, so that a binary that does not use it does not link it. */
typedef struct arch_stack arch_stack_fn(const uint8_t *p, size_t n);
arch_stack_fn *arch_stack_of(const struct arch *a);

/* NULL: no such register. Names are matched without regard to case. */
const struct arch_reg *arch_reg_by_name(const struct arch *a, const char *name, size_t n);
const struct arch_reg *arch_reg_by_dwarf(const struct arch *a, unsigned dwarf);

/* System calls of 64-bit kernels, up to Linux 6.12. NULL: no call has that number. */
const char *arch_syscall_name(const struct arch *a, uint64_t nr);

const struct arch_syscall_regs *arch_syscall_regs(const struct arch *a);   /* NULL: not known */

/* Names of KVM exit reasons. isa: the field of x86's kvm_exit events, or ARCH_EXITS_ARM. NULL: unknown. */
enum arch_exits { ARCH_EXITS_VMX = 1, ARCH_EXITS_SVM, ARCH_EXITS_ARM };
/*
 * nr on ARM: the exception class, if kvm_exit's ret (without its highest bit) is ARCH_EXITS_ARM_TRAP; else that ret
 * with the bit ARCH_EXITS_ARM_CODE.
 */
#define ARCH_EXITS_ARM_TRAP	2u
#define ARCH_EXITS_ARM_CODE	0x80000000u
const char *arch_exit_name(uint64_t isa, uint64_t nr);

/* generic: perf's portable name, in any case. NULL: the name needs no explanation. */
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
 * Events of an arm64 core: those of its own table, then those common events whose numbers its table
 * does not use for others. core NULL: the common ones. Apple's cores have none (not PMUv3).
 * _find: the number or -ENOENT, _name: NULL if the number has none. A listed event need not be
 * implemented by the core: the PMU's events/ in sysfs tells.
 */
int arch_event_find(const struct arch_core *core, const char *name, size_t n);
const char *arch_event_name(const struct arch_core *core, uint16_t config);

struct arch_event_iter {
	const struct arch_core *core;	/* set by the caller; the other members start at zero */
	const char *text, *common_text;
	size_t vendor, common;
};
int arch_event_next(struct arch_event_iter *it, struct arch_event *ev);	/* 1, 0: end */

/* What a system PMU of this sysfs name counts, "arm_cmn_0" -> "CMN mesh"; NULL: unknown. */
const char *arch_uncore_name(const char *pmu);

/* As arch_aarch64.strip, for a kernel with another size of virtual addresses (39 or 52 bits). */
uint64_t arch_aarch64_strip(uint64_t addr, unsigned va_bits);

/*
 * What the instruction at p is about to write at address `watched`; regs: by perf bit. False: it stores nothing there,
 * or a value that is not known. NULL: watchpoints of this architecture hit after the store, so memory has the value.
 */
typedef bool arch_store_fn(const uint8_t *p, size_t n, const uint64_t *regs, uint64_t watched, struct arch_store *s);
arch_store_fn *arch_store_of(const struct arch *a);

/* A disassembler's cache between calls, see disasm.h. */
struct arch_disasm_memo;

/* Disassemble the instruction at p; false: truncated. NULL: no disassembler for that architecture. */
typedef bool arch_disasm_fn(const uint8_t *p, size_t n, uint64_t addr, struct arch_disasm_memo *m,
			    struct arch_disasm *d);
arch_disasm_fn *arch_disasm_of(const struct arch *a);

/* --- data flow: which memory an instruction accesses, and how it moves values between registers --- */

enum arch_move {
	ARCH_MOVE_NONE,
	ARCH_MOVE_COPY,		/* to = from + imm */
	ARCH_MOVE_SUM,		/* to = from + an unknown amount, in which from2 may be contained */
	ARCH_MOVE_EITHER,	/* to = from or from2: a conditional move */
	ARCH_MOVE_ADDRESS,	/* to = address */
	ARCH_MOVE_LOAD,		/* to = the loaded value; of a pair, to2 = the second one */
	ARCH_MOVE_STORE,	/* from is stored; of a pair, from2 is the second one */
	ARCH_MOVE_TASK,		/* to = the kernel's `current` */
	ARCH_MOVE_CALL,		/* an indirect call to the address in from */
};

enum arch_access { ARCH_READS = 1, ARCH_WRITES = 2, ARCH_PUSHES = 4 };   /* PUSHES: by push or pop */

/* Registers are DWARF numbers; ARCH_NO_REG: none, or the zero register. */
struct arch_touch {
	uint8_t len;
	uint8_t move;		/* arch_move */
	uint8_t to, to2, from, from2;
	uint8_t access;		/* arch_access; 0: no memory access, or an unknown one */
	uint8_t base, index;	/* without a base the access is at `address`; that is 0 if unknown */
	uint8_t scale;		/* the index is shifted left by this */
	uint8_t size;		/* bytes, of a pair those of each value; 0: not known */
	bool of_thread;		/* `off` is an offset in the thread's own storage (TLS) */
	uint32_t lost;		/* other registers that get unknown values, 1 << DWARF number; see also to, to2, step */
	int64_t imm;
	int64_t off;		/* offset from base */
	int64_t step;		/* added to the base register after the access */
	uint64_t address;
};

/* Decode the instruction at p; false: truncated or unknown. NULL: not implemented for that architecture. */
typedef bool arch_touch_fn(const uint8_t *p, size_t n, uint64_t addr, struct arch_touch *t);
arch_touch_fn *arch_touch_of(const struct arch *a);

/* The caller-saved registers: 1 << DWARF number. */
uint32_t arch_call_loses(const struct arch *a);

#endif
