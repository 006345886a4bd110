/*
 * touch.c - which memory an x86 instruction of 64-bit code accesses, and how it moves values between registers: Intel
 * SDM volume 2, appendix A. An instruction that is not decoded here counts as one that overwrites all registers in its
 * ModRM.
 */
#include "base/cursor.h"

#include "arch/x86_64/parts.h"

enum { LEN_MAX = 15, CANARY = 0x28, RAX = 0, RCX = 1, RDX = 2, RSP = 4, RBP = 5, RSI = 6, RDI = 7 };

struct decoder {
	struct cursor c;
	struct arch_touch *t;
	bool short_ops, wide, vector, is_evex, repeats;
	bool thread, local;      /* %fs (a program's TLS), %gs (the kernel's per-CPU data) */
	uint8_t rex_r, rex_x, rex_b;
	uint8_t map, op, modrm;
	uint8_t reg, rm;         /* register numbers as encoded; rm ARCH_NO_REG: memory */
};

/* The DWARF number of a register: the first eight are in another order. */
static uint8_t number(unsigned reg)
{
	static const uint8_t dwarf[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	return reg < 8 ? dwarf[reg] : (uint8_t)reg;
}

static void lose(struct decoder *d, unsigned reg)
{
	if (reg < 16)
		d->t->lost |= 1u << number(reg);
}

static unsigned operand_size(const struct decoder *d)
{
	return d->wide ? 8 : d->short_ops ? 2 : 4;
}

/* --- prefixes and opcode --- */

static bool legacy_prefix(struct decoder *d, uint8_t b)
{
	switch (b) {
	case 0x66:
		d->short_ops = true;
		return true;
	case 0x64:
		d->thread = true;
		return true;
	case 0x65:
		d->local = true;
		return true;
	case 0xf2: case 0xf3:
		d->repeats = true;
		return true;
	case 0x67: case 0xf0: case 0x26: case 0x2e: case 0x36: case 0x3e:
		return true;
	default:
		return false;
	}
}

static void take_rex(struct decoder *d, uint8_t b)
{
	d->wide = b & 8;
	d->rex_r = b & 4 ? 8 : 0;
	d->rex_x = b & 2 ? 8 : 0;
	d->rex_b = b & 1 ? 8 : 0;
}

/* The rest of a VEX or EVEX prefix, which has REX's bits inverted, and the opcode. */
static void take_vector(struct decoder *d, uint8_t first)
{
	uint8_t b = cur_u8(&d->c);

	d->vector = true;
	d->rex_r = b & 0x80 ? 0 : 8;
	d->map = 1;
	if (first != 0xc5) {
		d->rex_x = b & 0x40 ? 0 : 8;
		d->rex_b = b & 0x20 ? 0 : 8;
		d->map = b & 7;
		b = cur_u8(&d->c);
	}
	d->is_evex = first == 0x62;
	if (d->is_evex)
		cur_skip(&d->c, 1);
	/* In maps 0f38 and 0f3a some results are general registers, and vvvv may name one of them: e.g. BMI. */
	if (d->map == 2 || d->map == 3)
		lose(d, ~b >> 3 & 15);
	d->op = cur_u8(&d->c);
}

static void opcode(struct decoder *d)
{
	uint8_t b = cur_u8(&d->c);

	while (legacy_prefix(d, b) && !d->c.bad)
		b = cur_u8(&d->c);
	if ((b & 0xf0) == 0x40) {
		take_rex(d, b);
		b = cur_u8(&d->c);
	}
	if (b == 0xc4 || b == 0xc5 || b == 0x62) {
		take_vector(d, b);
		return;
	}
	if (b == 0x0f) {
		d->map = 1;
		b = cur_u8(&d->c);
		if (b == 0x38 || b == 0x3a) {
			d->map = b == 0x38 ? 2 : 3;
			b = cur_u8(&d->c);
		}
	}
	d->op = b;
}

/* --- ModRM --- */

/* Take the SIB byte and return its base; index 4 means no index. */
static unsigned take_sib(struct decoder *d)
{
	uint8_t sib = cur_u8(&d->c);
	unsigned index = (sib >> 3 & 7) + d->rex_x;

	if (index != RSP)
		d->t->index = number(index);
	d->t->scale = sib >> 6;
	return sib & 7;
}

/* addr: address of the instruction; RIP-relative operands count from its end. */
static void take_operands(struct decoder *d, uint64_t addr)
{
	struct arch_touch *t = d->t;
	unsigned mod, base;

	d->modrm = cur_u8(&d->c);
	mod = d->modrm >> 6;
	base = d->modrm & 7;
	d->reg = (uint8_t)((d->modrm >> 3 & 7) + d->rex_r);
	d->rm = mod == 3 ? (uint8_t)(base + d->rex_b) : ARCH_NO_REG;
	if (mod == 3)
		return;

	bool sib = base == 4;

	if (sib)
		base = take_sib(d);
	if (mod == 0 && base == 5) {
		t->off = (int32_t)cur_u32(&d->c);
		t->address = sib ? (uint64_t)t->off : addr + t->len + (uint64_t)t->off;
		t->off = sib && t->index != ARCH_NO_REG ? t->off : 0;
	} else {
		t->base = number(base + d->rex_b);
		t->off = mod == 1 ? (int8_t)cur_u8(&d->c) : mod == 2 ? (int32_t)cur_u32(&d->c) : 0;
	}
	if (!d->thread && !d->local)
		return;
	bool fixed = t->base == ARCH_NO_REG && t->index == ARCH_NO_REG;

	/*
	 * With a segment prefix the base register does not hold the operand's address. Per-CPU variables (%gs) have
	 * symbols, so `address` stays; but the stack canary of kernels before 6.15 is at %gs:0x28 like a program's at
	 * %fs:0x28, and counts as thread storage.
	 */
	t->of_thread = fixed && sib && (d->thread || t->address == CANARY);
	t->off = t->of_thread ? (int64_t)t->address : 0;
	t->base = t->index = ARCH_NO_REG;
	t->address = fixed && d->local && !t->of_thread ? t->address : 0;
}

/* --- what they do --- */

static void touch(struct decoder *d, unsigned how, unsigned size)
{
	if (d->rm != ARCH_NO_REG)
		return;
	d->t->access = (uint8_t)how;
	d->t->size = (uint8_t)size;
}

/* mov r, r/m. */
static void load(struct decoder *d, unsigned size)
{
	struct arch_touch *t = d->t;

	touch(d, ARCH_READS, size);
	t->to = number(d->reg);
	if (d->rm == ARCH_NO_REG) {
		t->move = ARCH_MOVE_LOAD;
	} else if (size == 8) {
		t->move = ARCH_MOVE_COPY;
		t->from = number(d->rm);
	}
}

static void store(struct decoder *d, unsigned size)
{
	struct arch_touch *t = d->t;

	touch(d, ARCH_WRITES, size);
	if (d->rm == ARCH_NO_REG) {
		t->move = ARCH_MOVE_STORE;
		t->from = number(d->reg);
	} else {
		t->to = number(d->rm);
		t->move = size == 8 ? ARCH_MOVE_COPY : ARCH_MOVE_NONE;
		t->from = number(d->reg);
	}
}

static void change(struct decoder *d, unsigned size)
{
	touch(d, ARCH_READS | ARCH_WRITES, size);
	lose(d, d->rm);
}

static void read(struct decoder *d, unsigned size)
{
	touch(d, ARCH_READS, size);
}

/* lea: computes the address and does not access memory. */
static void address_of(struct decoder *d)
{
	struct arch_touch *t = d->t;

	t->to = number(d->reg);
	if (!d->wide)
		return;
	if (t->base == ARCH_NO_REG && t->index == ARCH_NO_REG) {
		t->move = ARCH_MOVE_ADDRESS;
		return;
	}
	if (t->base == ARCH_NO_REG)
		return;
	t->from = t->base;
	t->imm = t->off;
	t->move = t->index == ARCH_NO_REG ? ARCH_MOVE_COPY : ARCH_MOVE_SUM;
	t->from2 = t->scale ? ARCH_NO_REG : t->index;
}

/* add r, r: one may be a pointer. */
static void sum(struct decoder *d, uint8_t to, uint8_t with)
{
	struct arch_touch *t = d->t;

	t->to = number(to);
	if (!d->wide)
		return;
	t->move = ARCH_MOVE_SUM;
	t->from = t->to;
	t->from2 = number(with);
}

static void add_constant(struct decoder *d, uint8_t to, bool subtracts, int64_t imm)
{
	struct arch_touch *t = d->t;

	t->move = ARCH_MOVE_COPY;
	t->to = t->from = number(to);
	t->imm = subtracts ? -imm : imm;
}

/* Opcodes 00 to 3f, eight operations (add to cmp): op r/m,r and op r,r/m, and op al or eax,imm. */
static void arithmetic(struct decoder *d)
{
	unsigned size = d->op & 1 ? operand_size(d) : 1;
	bool compares = (d->op & 0x38) == 0x38, is_add = d->op < 8, to_memory = !(d->op & 2);

	if ((d->op == 0x05 || d->op == 0x2d) && d->wide) {
		add_constant(d, RAX, d->op == 0x2d, (int32_t)cur_u32(&d->c));
	} else if ((d->op & 7) >= 4) {
		if (!compares)
			lose(d, RAX);
	} else if (compares) {
		read(d, size);
	} else if (is_add && d->rm != ARCH_NO_REG) {
		sum(d, to_memory ? d->rm : d->reg, to_memory ? d->reg : d->rm);
	} else if (to_memory) {
		change(d, size);
	} else {
		read(d, size);
		lose(d, d->reg);
	}
}

/* 80, 81, 83: the same operations with an immediate. */
static void arithmetic_constant(struct decoder *d)
{
	unsigned which = d->modrm >> 3 & 7, size = d->op == 0x80 ? 1 : operand_size(d);

	if (which == 7) {
		read(d, size);
	} else if ((which == 0 || which == 5) && d->rm != ARCH_NO_REG && d->wide) {
		add_constant(d, d->rm, which == 5, d->op == 0x83 ? (int8_t)cur_u8(&d->c) : (int32_t)cur_u32(&d->c));
	} else if (d->rm == RSP && which == 4) {
		lose(d, RSP);
	} else {
		change(d, size);
	}
}

static void push(struct decoder *d, uint8_t reg)
{
	struct arch_touch *t = d->t;

	t->access = ARCH_WRITES | ARCH_PUSHES;
	t->base = number(RSP);
	t->index = ARCH_NO_REG;
	t->off = t->step = -8;
	t->size = 8;
	if (reg != ARCH_NO_REG) {
		t->move = ARCH_MOVE_STORE;
		t->from = number(reg);
	}
}

static void pop(struct decoder *d, uint8_t reg)
{
	struct arch_touch *t = d->t;

	t->access = ARCH_READS | ARCH_PUSHES;
	t->base = number(RSP);
	t->index = ARCH_NO_REG;
	t->off = 0;
	t->step = 8;
	t->size = 8;
	if (reg != ARCH_NO_REG) {
		t->move = ARCH_MOVE_LOAD;
		t->to = number(reg);
	}
}

/* ff: inc, dec, call, call far, jmp, jmp far, push. */
static void group_ff(struct decoder *d)
{
	switch (d->modrm >> 3 & 7) {
	case 0: case 1:
		change(d, operand_size(d));
		break;
	case 2:
		read(d, 8);
		d->t->move = ARCH_MOVE_CALL;
		d->t->from = d->rm == ARCH_NO_REG ? ARCH_NO_REG : number(d->rm);
		break;
	case 6:
		if (d->rm == ARCH_NO_REG)
			d->t->lost |= 1u << number(RSP);
		else
			push(d, d->rm);
		break;
	default:
		read(d, 8);
	}
}

/* f6, f7: test, test, not, neg, mul, imul, div, idiv. */
static void group_f7(struct decoder *d)
{
	unsigned which = d->modrm >> 3 & 7, size = d->op & 1 ? operand_size(d) : 1;

	if (which == 2 || which == 3) {
		change(d, size);
		return;
	}
	read(d, size);
	if (which >= 4) {
		lose(d, RAX);
		lose(d, RDX);
	}
}

/* movs, cmps, stos, lods, scas: they advance rsi and rdi, count rcx down, and lods loads rax. */
static void strings(struct decoder *d)
{
	lose(d, RSI);
	lose(d, RDI);
	lose(d, RCX);
	lose(d, RAX);
}

/* mov r, imm: the immediate may be an address. */
static void constant(struct decoder *d, uint8_t reg, bool is_long)
{
	struct arch_touch *t = d->t;

	t->move = ARCH_MOVE_ADDRESS;
	t->to = number(reg);
	t->address = is_long ? cur_u64(&d->c) : d->wide ? (uint64_t)(int32_t)cur_u32(&d->c) : cur_u32(&d->c);
}

static void lose_named(struct decoder *d)
{
	lose(d, d->reg);
	lose(d, d->rm);
}

static void lose_caller_saved(struct decoder *d)
{
	d->t->lost |= 0xffff & ~(1u << number(RSP));
}

static bool has_modrm(const struct decoder *d)
{
	static const uint16_t one[16] = {
		[0] = 0x0f0f, [1] = 0x0f0f, [2] = 0x0f0f, [3] = 0x0f0f, [6] = 0x0a08, [8] = 0xffff, [12] = 0x00c3,
		[13] = 0xff0f, [15] = 0xc0c0,
	};

	if (d->vector)
		return d->map != 1 || d->op != 0x77;
	if (d->map >= 2)
		return true;
	if (d->map == 0)
		return one[d->op >> 4] >> (d->op & 15) & 1;
	return !((d->op >= 0x80 && d->op <= 0x8f) || (d->op >= 0xc8 && d->op <= 0xcf) ||
		 (d->op >= 4 && d->op <= 0x0b) || d->op == 0x0e || (d->op >= 0x30 && d->op <= 0x37) ||
		 d->op == 0xa0 || d->op == 0xa1 || d->op == 0xa2 ||
		 d->op == 0xa8 || d->op == 0xa9 || d->op == 0xaa || d->op == 0x77);
}

/* Opcodes 50 to 7f. False: another one. */
static bool one_byte_low(struct decoder *d, uint8_t low)
{
	switch (d->op) {
	case 0x50: case 0x51: case 0x52: case 0x53: case 0x54: case 0x55: case 0x56: case 0x57:
		push(d, low);
		return true;
	case 0x58: case 0x59: case 0x5a: case 0x5b: case 0x5c: case 0x5d: case 0x5e: case 0x5f:
		pop(d, low);
		return true;
	case 0x63:
		touch(d, ARCH_READS, 4);
		lose(d, d->reg);
		return true;
	case 0x68: case 0x6a:
		push(d, ARCH_NO_REG);
		return true;
	case 0x69: case 0x6b:
		read(d, operand_size(d));
		lose(d, d->reg);
		return true;
	default:
		return d->op >= 0x70 && d->op <= 0x7f;       /* branches */
	}
}

static bool one_byte_moves(struct decoder *d, unsigned size)
{
	switch (d->op) {
	case 0x80: case 0x81: case 0x83:
		arithmetic_constant(d);
		return true;
	case 0x84: case 0x85:
		read(d, size);
		return true;
	case 0x86: case 0x87:
		change(d, size);
		lose(d, d->reg);
		return true;
	case 0x88: case 0x89:
		store(d, size);
		return true;
	case 0x8a: case 0x8b:
		load(d, size);
		return true;
	case 0x8d:
		address_of(d);
		return true;
	case 0x8f:
		lose(d, RSP);
		lose(d, d->rm);
		return true;
	case 0xc0: case 0xc1: case 0xd0: case 0xd1: case 0xd2: case 0xd3: case 0xfe:
		change(d, size);
		return true;
	case 0xc6: case 0xc7:
		touch(d, ARCH_WRITES, size);
		if (size == 8 && d->rm != ARCH_NO_REG)
			constant(d, d->rm, false);
		else
			lose(d, d->rm);
		return true;
	case 0xf6: case 0xf7:
		group_f7(d);
		return true;
	case 0xff:
		group_ff(d);
		return true;
	default:
		return false;
	}
}

static bool one_byte_rest(struct decoder *d)
{
	switch (d->op) {
	case 0x98: case 0x9f: case 0xd7: case 0xe4: case 0xe5: case 0xec: case 0xed:
		lose(d, RAX);
		return true;
	case 0x99:
		lose(d, RDX);
		return true;
	case 0x9c:
		push(d, ARCH_NO_REG);
		return true;
	case 0x9d:
		pop(d, ARCH_NO_REG);
		return true;
	case 0xa4: case 0xa5: case 0xa6: case 0xa7: case 0xaa: case 0xab: case 0xac: case 0xad: case 0xae: case 0xaf:
		strings(d);
		return true;
	case 0xc9:
		d->t->lost |= 1u << number(RSP) | 1u << number(RBP);
		return true;
	/* nop, test, flags, branches, out */
	case 0x90: case 0x9b: case 0x9e: case 0xa8: case 0xa9: case 0xc2: case 0xc3: case 0xcc: case 0xe0: case 0xe1:
	case 0xe2: case 0xe3: case 0xe6: case 0xe7: case 0xe8: case 0xe9: case 0xeb: case 0xee: case 0xef: case 0xf4:
	case 0xf5: case 0xf8: case 0xf9: case 0xfa: case 0xfb: case 0xfc: case 0xfd:
		return true;
	default:
		return false;
	}
}

static void one_byte(struct decoder *d)
{
	uint8_t low = (uint8_t)((d->op & 7) + d->rex_b);
	unsigned size = d->op & 1 ? operand_size(d) : 1;

	if (d->op < 0x40) {
		arithmetic(d);
		return;
	}
	if (one_byte_low(d, low) || one_byte_moves(d, size) || one_byte_rest(d))
		return;
	if (d->op >= 0xb8 && d->op <= 0xbf) {
		constant(d, low, d->wide);
	} else if (d->op >= 0xb0 && d->op <= 0xb7) {
		lose(d, low);
	} else if (d->op >= 0x91 && d->op <= 0x97) {
		lose(d, low);
		lose(d, RAX);
	} else if (d->op >= 0xd8 && d->op <= 0xdf) {
		touch(d, ARCH_READS, 0);
		lose(d, RAX);
	} else {
		lose_caller_saved(d);
	}
}

/* Moves of vectors: which way, and how many bytes. */
static bool vector_move(struct decoder *d)
{
	switch (d->op) {
	case 0x10: case 0x28: case 0x6f: case 0x5a: case 0x2a: case 0x2e: case 0x2f: case 0x58: case 0x59: case 0x5c:
	case 0x5e: case 0x51: case 0x12: case 0x16: case 0x14: case 0x57: case 0x54:
		touch(d, ARCH_READS, 0);
		return true;
	case 0x11: case 0x29: case 0x7f: case 0x13: case 0x17: case 0x2b: case 0xd6: case 0xe7:
		touch(d, ARCH_WRITES, 0);
		return true;
	case 0x6e:
		touch(d, ARCH_READS, d->wide ? 8 : 4);
		return true;
	case 0x7e:
		touch(d, d->repeats ? ARCH_READS : ARCH_WRITES, d->wide || d->repeats ? 8 : 4);
		lose(d, d->repeats ? ARCH_NO_REG : d->rm);
		return true;
	default:
		return false;
	}
}

static void two_bytes(struct decoder *d)
{
	unsigned size = operand_size(d);

	if (vector_move(d))
		return;
	if (d->op >= 0x40 && d->op <= 0x4f) {                /* cmov */
		touch(d, ARCH_READS, size);
		d->t->to = number(d->reg);
		if (d->rm != ARCH_NO_REG && d->wide) {
			d->t->move = ARCH_MOVE_EITHER;
			d->t->from = d->t->to;
			d->t->from2 = number(d->rm);
		}
		return;
	}
	if (d->op >= 0x80 && d->op <= 0x8f)
		return;
	switch (d->op) {
	case 0x05:                                           /* syscall */
		lose(d, RAX);
		lose(d, RCX);
		lose(d, 11);
		return;
	case 0x0b: case 0x0d: case 0x18: case 0x1e: case 0x1f:
		return;
	case 0xa3:
		read(d, size);
		return;
	case 0xab: case 0xb3: case 0xbb: case 0xba: case 0xa4: case 0xa5: case 0xac: case 0xad:
		change(d, size);
		return;
	case 0xaf: case 0xbc: case 0xbd: case 0xb8:
		read(d, size);
		lose(d, d->reg);
		return;
	case 0xb0: case 0xb1:
		change(d, d->op & 1 ? size : 1);
		lose(d, RAX);
		return;
	case 0xb6: case 0xbe:
		touch(d, ARCH_READS, 1);
		lose(d, d->reg);
		return;
	case 0xb7: case 0xbf:
		touch(d, ARCH_READS, 2);
		lose(d, d->reg);
		return;
	case 0xc0: case 0xc1:
		change(d, d->op & 1 ? size : 1);
		lose(d, d->reg);
		return;
	case 0xc7:
		touch(d, ARCH_READS | ARCH_WRITES, d->wide ? 16 : 8);
		lose(d, RAX);
		lose(d, RDX);
		lose(d, d->rm);
		return;
	default:
		break;
	}
	if (d->op >= 0x90 && d->op <= 0x9f) {
		touch(d, ARCH_WRITES, 1);
		lose(d, d->rm);
	} else if (has_modrm(d)) {
		touch(d, ARCH_READS, 0);
		lose_named(d);
	} else {
		lose_caller_saved(d);
	}
}

static void vectors(struct decoder *d)
{
	bool writes = d->map == 1 && (d->op == 0x11 || d->op == 0x29 || d->op == 0x7f || d->op == 0x13 ||
				      d->op == 0x17 || d->op == 0x2b || d->op == 0xd6 || d->op == 0xe7);

	touch(d, writes ? ARCH_WRITES : ARCH_READS, 0);
	if (d->map == 1 && (d->op == 0x7e || d->op == 0xc5 || d->op == 0x50 || d->op == 0xd7 || d->op == 0x2c ||
			    d->op == 0x2d || (d->op >= 0x90 && d->op <= 0x93)))
		lose_named(d);
	if (d->map >= 2)
		lose_named(d);
}

bool arch_x86_64_touch(const uint8_t *p, size_t n, uint64_t addr, struct arch_touch *t)
{
	struct decoder d = { .c = cur_from(p, MIN(n, (size_t)LEN_MAX)), .t = t, .rm = ARCH_NO_REG, .reg = ARCH_NO_REG };
	struct arch_insn insn;

	*t = (struct arch_touch){
		.to = ARCH_NO_REG, .to2 = ARCH_NO_REG, .from = ARCH_NO_REG, .from2 = ARCH_NO_REG, .base = ARCH_NO_REG,
		.index = ARCH_NO_REG,
	};
	if (!arch_x86_64_insn(p, n, addr, &insn))
		return false;
	t->len = insn.len;
	opcode(&d);
	if (has_modrm(&d))
		take_operands(&d, addr);
	if (d.vector)
		vectors(&d);
	else if (d.map == 0)
		one_byte(&d);
	else if (d.map == 1)
		two_bytes(&d);
	else {
		touch(&d, ARCH_READS, 0);
		lose_named(&d);
	}
	/* EVEX scales an 8-bit displacement by the vector's size, which is not decoded: the address is not known. */
	if (d.is_evex && d.modrm >> 6 == 1)
		t->access = 0;
	return !d.c.bad;
}
