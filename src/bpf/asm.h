/*
 * asm.h - an assembler for BPF programs (encoding: Documentation/bpf/standardization/instruction-set.rst).
 *
 *	struct asm_prog a;
 *	struct asm_label out = { 0 };
 *
 *	asm_init(&a);
 *	asm_jump_imm(&a, ASM_JEQ, R0, 0, &out);
 *	...
 *	asm_here(&a, &out);
 *	asm_exit(&a);
 *	r = asm_end(&a, e);
 *
 * Programs have forward jumps only, no calls between functions, and a stack of at most ASM_STACK bytes in slots of 8.
 * Why so few: with 64 bytes or more, kernels give the program a private per-CPU stack, which goes wrong if it is
 * preempted (since 6.13; arm64 6.17). Why 8: the verifier loses what it knows of a register spilled to a smaller slot.
 */
#ifndef BPF_ASM_H
#define BPF_ASM_H

#include "abi/bpf.h"
#include "base/err.h"

enum { ASM_INSNS = 2048, ASM_STACK = 56, ASM_SLOT = 8 };

/*
 * R0: what a helper call or the program returns; R1 to R5: arguments of a call, which overwrites them; R6 to R9: kept
 * over calls; R10: end of the stack, read-only.
 */
enum asm_reg { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

enum asm_op {
	ASM_ADD = 0x00, ASM_SUB = 0x10, ASM_MUL = 0x20, ASM_DIV = 0x30, ASM_OR = 0x40, ASM_AND = 0x50, ASM_LSH = 0x60,
	ASM_RSH = 0x70, ASM_MOD = 0x90, ASM_XOR = 0xa0, ASM_MOV = 0xb0, ASM_ARSH = 0xc0,
};

/* Conditions of jumps; JS*: signed comparison, except JSET: x & y. */
enum asm_test {
	ASM_JEQ = 0x10, ASM_JGT = 0x20, ASM_JGE = 0x30, ASM_JSET = 0x40, ASM_JNE = 0x50, ASM_JSGT = 0x60,
	ASM_JSGE = 0x70, ASM_JLT = 0xa0, ASM_JLE = 0xb0, ASM_JSLT = 0xc0, ASM_JSLE = 0xd0,
};

enum asm_size { ASM_4 = 0x00, ASM_2 = 0x08, ASM_1 = 0x10, ASM_8 = 0x18 };

/* A jump target further on; starts zeroed. */
struct asm_label {
	/* Index + 1 of the last jump to it; the offset field of each such jump links to the one before, likewise. */
	uint16_t last;
	bool is_here;                    /* asm_here() was called */
};

struct asm_prog {
	struct bpf_insn v[ASM_INSNS];
	unsigned n, stack, open;         /* stack: bytes; open: labels with jumps, but without asm_here() yet */
	int error;                       /* the first error: EOVERFLOW (length, stack), EINVAL (a backward jump) */
};

void asm_init(struct asm_prog *a);

void asm_reg(struct asm_prog *a, enum asm_op op, enum asm_reg to, enum asm_reg from);
void asm_imm(struct asm_prog *a, enum asm_op op, enum asm_reg to, int32_t v);
void asm_mov64(struct asm_prog *a, enum asm_reg to, uint64_t v);
void asm_map(struct asm_prog *a, enum asm_reg to, int map);
/* to = address of the value of an array map with one element (Linux 5.2). */
void asm_map_value(struct asm_prog *a, enum asm_reg to, int map);

void asm_load(struct asm_prog *a, enum asm_size size, enum asm_reg to, enum asm_reg from, int16_t off);
void asm_store(struct asm_prog *a, enum asm_size size, enum asm_reg to, int16_t off, enum asm_reg from);
/* Atomic add of `from` to 8 bytes of memory. */
void asm_add_to(struct asm_prog *a, enum asm_reg to, int16_t off, enum asm_reg from);

/* Allocate 8 bytes of the stack; returns their offset from R10. */
int16_t asm_slot(struct asm_prog *a);
/* to = address of a stack slot. */
void asm_address(struct asm_prog *a, enum asm_reg to, int16_t slot);

void asm_call(struct asm_prog *a, enum bpf_helper helper);
/* Call a function of the kernel (kfunc) by the BTF id of its type. */
void asm_call_kernel(struct asm_prog *a, uint32_t func);
/* rec = a new record of a BPF ring buffer, or jump to `full`; asm_submit() commits it without waking the reader. */
void asm_reserve(struct asm_prog *a, int ring, int32_t bytes, enum asm_reg rec, struct asm_label *full);
void asm_submit(struct asm_prog *a, enum asm_reg rec);
void asm_jump(struct asm_prog *a, struct asm_label *to);
void asm_jump_reg(struct asm_prog *a, enum asm_test test, enum asm_reg x, enum asm_reg y, struct asm_label *to);
void asm_jump_imm(struct asm_prog *a, enum asm_test test, enum asm_reg x, int32_t v, struct asm_label *to);
void asm_here(struct asm_prog *a, struct asm_label *l);
void asm_exit(struct asm_prog *a);

/* Check the finished program: 0, or -errno with the first error. */
int asm_end(const struct asm_prog *a, struct err *e);

#endif
