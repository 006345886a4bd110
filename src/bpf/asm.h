/*
 * asm.h - a BPF program, instruction by instruction (formats: Documentation/bpf/standardization/instruction-set.rst).
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
 * What it makes is straight: jumps go forward alone, there are no calls of programs, and the stack has at most
 * ASM_STACK bytes, in slots of 8. Kernels give a program with 64 or more a stack of its own, which is wrong where it
 * is preempted (6.13; arm64 6.17), and lose track of registers that were kept in smaller ones.
 */
#ifndef BPF_ASM_H
#define BPF_ASM_H

#include "abi/bpf.h"
#include "base/err.h"

enum { ASM_INSNS = 2048, ASM_STACK = 56, ASM_SLOT = 8 };

/* R0 is what a call returns, and the program; R1 to R5 are its arguments, gone after it; R6 to R9 stay. */
enum asm_reg { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };

enum asm_op {
	ASM_ADD = 0x00, ASM_SUB = 0x10, ASM_MUL = 0x20, ASM_DIV = 0x30, ASM_OR = 0x40, ASM_AND = 0x50, ASM_LSH = 0x60,
	ASM_RSH = 0x70, ASM_MOD = 0x90, ASM_XOR = 0xa0, ASM_MOV = 0xb0, ASM_ARSH = 0xc0,
};

/* S: signed. */
enum asm_test {
	ASM_JEQ = 0x10, ASM_JGT = 0x20, ASM_JGE = 0x30, ASM_JSET = 0x40, ASM_JNE = 0x50, ASM_JSGT = 0x60,
	ASM_JSGE = 0x70, ASM_JLT = 0xa0, ASM_JLE = 0xb0, ASM_JSLT = 0xc0, ASM_JSLE = 0xd0,
};

enum asm_size { ASM_4 = 0x00, ASM_2 = 0x08, ASM_1 = 0x10, ASM_8 = 0x18 };

/* A place further on; zeroed: nobody jumps there yet. */
struct asm_label {
	/* Instruction + 1 of the last jump to it; the offset of each has that of the one before. */
	uint16_t last;
	bool is_here;
};

struct asm_prog {
	struct bpf_insn v[ASM_INSNS];
	unsigned n, stack, open;         /* bytes of the stack; labels that are jumped to and not there yet */
	int error;                       /* the first: EOVERFLOW (length, stack), EINVAL (a jump backwards) */
};

void asm_init(struct asm_prog *a);

void asm_reg(struct asm_prog *a, enum asm_op op, enum asm_reg to, enum asm_reg from);
void asm_imm(struct asm_prog *a, enum asm_op op, enum asm_reg to, int32_t v);
void asm_mov64(struct asm_prog *a, enum asm_reg to, uint64_t v);
void asm_map(struct asm_prog *a, enum asm_reg to, int map);
/* The address of the value of an array of one (5.2). */
void asm_map_value(struct asm_prog *a, enum asm_reg to, int map);

void asm_load(struct asm_prog *a, enum asm_size size, enum asm_reg to, enum asm_reg from, int16_t off);
void asm_store(struct asm_prog *a, enum asm_size size, enum asm_reg to, int16_t off, enum asm_reg from);
/* What is there and from, as one step that other CPUs see; 8 bytes. */
void asm_add_to(struct asm_prog *a, enum asm_reg to, int16_t off, enum asm_reg from);

/* Eight more bytes of the stack: their offset from R10. */
int16_t asm_slot(struct asm_prog *a);
/* The address of bytes of the stack. */
void asm_address(struct asm_prog *a, enum asm_reg to, int16_t slot);

void asm_call(struct asm_prog *a, enum bpf_helper helper);
/* A function of the kernel's own, by its type's id. */
void asm_call_kernel(struct asm_prog *a, uint32_t func);
/* A record of so many bytes of a ring's, into `rec`; and nobody is woken when it is done with. */
void asm_reserve(struct asm_prog *a, int ring, int32_t bytes, enum asm_reg rec, struct asm_label *full);
void asm_submit(struct asm_prog *a, enum asm_reg rec);
void asm_jump(struct asm_prog *a, struct asm_label *to);
void asm_jump_reg(struct asm_prog *a, enum asm_test test, enum asm_reg x, enum asm_reg y, struct asm_label *to);
void asm_jump_imm(struct asm_prog *a, enum asm_test test, enum asm_reg x, int32_t v, struct asm_label *to);
void asm_here(struct asm_prog *a, struct asm_label *l);
void asm_exit(struct asm_prog *a);

/* It is whole: 0, or -errno. */
int asm_end(const struct asm_prog *a, struct err *e);

#endif
