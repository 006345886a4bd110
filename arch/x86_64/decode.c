/*
 * decode.c - lengths and fields of x86 instructions in 64-bit code: Intel SDM volume 2, appendix A; AMD APM volume 3.
 *
 *   legacy prefixes, REX, opcode (maps 0, 0f, 0f38, 0f3a), ModRM, SIB, displacement, immediate
 *   VEX c4 c5, EVEX 62, XOP 8f: in the place of prefixes and map; then always ModRM, except for vzeroupper
 */
#include "base/cursor.h"

#include "arch/x86_64/decode.h"

enum { LEN_MAX = 15 };

/* What follows an opcode: flags, to be combined. */
enum {
	N = 0,              /* nothing */
	M = 1,              /* ModRM */
	B = 2,              /* one byte */
	Z = 4,              /* four bytes, two with an operand size prefix */
	MB = M | B,
	MZ = M | Z,
	V = 8,              /* as Z, eight with REX.W */
	A = 16,             /* an address of eight bytes, four with an address size prefix */
	W = 32,             /* two bytes */
	D = 64,             /* always four bytes: the offset of a branch */
	X = 128,            /* no such opcode */
};

/* What follows each one-byte opcode. */
static const uint8_t one_byte[256] = {
	M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,    /* 00 */
	M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,    /* 20 */
	M, M, M, M, B, Z, X, X, M, M, M, M, B, Z, X, X,
	X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,    /* 40: REX */
	N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
	X, X, X, M, X, X, X, X, Z, MZ, B, MB, N, N, N, N,  /* 60 */
	B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	MB, MZ, X, MB, M, M, M, M, M, M, M, M, M, M, M, M, /* 80 */
	N, N, N, N, N, N, N, N, N, N, X, N, N, N, N, N,
	A, A, A, A, N, N, N, N, B, Z, N, N, N, N, N, N,    /* a0 */
	B, B, B, B, B, B, B, B, V, V, V, V, V, V, V, V,
	MB, MB, W, N, X, X, MB, MZ, W | B, N, W, N, N, B, X, N,    /* c0 */
	M, M, M, M, X, X, X, N, M, M, M, M, M, M, M, M,
	B, B, B, B, B, B, B, B, D, D, X, B, N, N, N, N,    /* e0 */
	X, N, X, X, N, N, M, M, N, N, N, N, N, N, M, M,
};

/* Map 0f: opcodes with another shape than M. */
static const struct shape {
	uint8_t first, last, shape;
} two_bytes[] = {
	{ 0x04, 0x04, X }, { 0x05, 0x09, N }, { 0x0a, 0x0a, X }, { 0x0b, 0x0b, N }, { 0x0c, 0x0c, X },
	{ 0x0e, 0x0e, N }, { 0x0f, 0x0f, MB }, { 0x30, 0x37, N }, { 0x70, 0x73, MB }, { 0x77, 0x77, N },
	{ 0x80, 0x8f, D }, { 0xa0, 0xa2, N }, { 0xa4, 0xa4, MB }, { 0xa8, 0xaa, N }, { 0xac, 0xac, MB },
	{ 0xba, 0xba, MB }, { 0xc2, 0xc2, MB }, { 0xc4, 0xc6, MB }, { 0xc8, 0xcf, N },
};

static uint8_t two_byte(uint8_t op)
{
	for (size_t i = 0; i < ARRAY_SIZE(two_bytes); i++) {
		if (op >= two_bytes[i].first && op <= two_bytes[i].last)
			return two_bytes[i].shape;
	}
	return M;
}

static uint8_t shape_of(const struct x86_code *c)
{
	switch (c->map) {
	case X86_ONE: return c->vector ? X : one_byte[c->op];
	case X86_0F3A: case X86_XOP8: return MB;
	case X86_XOPA: return M | D;
	case X86_0F: break;
	default: return M;
	}
	if (!c->vector) {
		/* extrq, insertq: two immediate bytes */
		return c->op == 0x78 && c->prefixes & (X86_OPSIZE | X86_REPNE) ? M | W : two_byte(c->op);
	}
	if (c->op == 0x77)
		return N;
	return two_byte(c->op) & B ? MB : M;
}

static unsigned prefix_of(uint8_t b)
{
	switch (b) {
	case 0x66: return X86_OPSIZE;
	case 0x67: return X86_ADDR;
	case 0xf2: return X86_REPNE;
	case 0xf3: return X86_REP;
	case 0x64: return X86_FS;
	case 0x65: return X86_GS;
	case 0xf0: case 0x26: case 0x2e: case 0x36: case 0x3e: return X86_LOCK_SEG;
	}
	return 0;
}

/*
 * The rest of a VEX, EVEX or XOP prefix, and the opcode. R, X, B and vvvv are stored inverted.
 *   c5: R vvvv L pp      c4, 8f: R X B map, W vvvv L pp      62: R X B R' 0 map, W vvvv 1 pp, ...
 */
static bool vector(struct x86_code *c, struct cursor *in, uint8_t first)
{
	uint8_t b = cur_u8(in), last = first == 0xc5 ? b : cur_u8(in);

	c->prefixes |= X86_VECTOR;
	c->vector = first;
	c->map = first == 0xc5 ? X86_0F : first == 0x62 ? b & 7 : b & 31;
	c->rex = ~b >> 5 & X86_R;
	if (first != 0xc5)
		c->rex |= (~b >> 5 & (X86_X | X86_B)) | (last >> 4 & X86_W);
	c->vvvv = ~last >> 3 & 15;
	c->wide = last >> 2 & 1;
	c->pp = last & 3;
	if (first == 0x62)
		cur_skip(in, 1);
	c->op = cur_u8(in);
	if (first == 0x62 && (c->map == X86_EVEX5 || c->map == X86_EVEX6))
		return true;
	if (first == 0x8f)
		return c->map <= X86_XOPA;
	return c->map >= X86_0F && c->map <= X86_0F3A;
}

static bool opcode(struct x86_code *c, struct cursor *in)
{
	uint8_t b = cur_u8(in);

	for (unsigned p; (p = prefix_of(b)); b = cur_u8(in)) {
		c->prefixes |= p;
		c->n_legacy++;
	}
	if ((b & 0xf0) == 0x40) {
		c->prefixes |= X86_REX;
		c->rex = b & 15;
		b = cur_u8(in);
	}
	/* 8f is pop, unless the map field of the next byte is 8 or more: then it is XOP */
	if (b == 0xc4 || b == 0xc5 || b == 0x62 || (b == 0x8f && cur_left(in) && *in->pos & 0x18))
		return vector(c, in, b);
	if (b == 0x0f) {
		c->map = X86_0F;
		b = cur_u8(in);
		if (b == 0x38 || b == 0x3a) {
			c->map = b == 0x38 ? X86_0F38 : X86_0F3A;
			b = cur_u8(in);
		}
	}
	c->op = b;
	return true;
}

/* ModRM, SIB and displacement. */
static void operands(struct x86_code *c, struct cursor *in)
{
	uint8_t rm;

	c->has_modrm = true;
	c->modrm = cur_u8(in);
	rm = c->modrm & 7;
	/* Moves of control and debug registers ignore mod: their operand is always a register. */
	if (x86_mod(c) == 3 || (c->map == X86_0F && !c->vector && (c->op & 0xfc) == 0x20))
		return;
	if (rm == 4) {
		c->has_sib = true;
		c->sib = cur_u8(in);
		rm = c->sib & 7;
	}
	if (x86_mod(c) == 1)
		c->disp = (int8_t)cur_u8(in);
	else if (x86_mod(c) == 2 || rm == 5)
		c->disp = (int32_t)cur_u32(in);
}

static void immediates(struct x86_code *c, struct cursor *in, uint8_t shape)
{
	bool is_wide = c->prefixes & X86_REX && c->rex & X86_W;
	bool is_short = c->prefixes & X86_OPSIZE && !is_wide;

	/* Of the group f6, f7 only test has an immediate. */
	if (c->map == X86_ONE && (c->op == 0xf6 || c->op == 0xf7) && x86_reg(c) < 2)
		shape |= c->op == 0xf6 ? B : Z;
	if (shape & W)
		c->imm = cur_u16(in);
	if (shape & B && shape & W)
		c->imm2 = cur_u8(in);
	else if (shape & B)
		c->imm = (int8_t)cur_u8(in);
	if (shape & D)
		c->imm = (int32_t)cur_u32(in);
	if (shape & A)
		c->imm = c->prefixes & X86_ADDR ? (int64_t)cur_u32(in) : (int64_t)cur_u64(in);
	if (shape & V && is_wide)
		c->imm = (int64_t)cur_u64(in);
	else if (shape & (V | Z))
		c->imm = is_short ? (int16_t)cur_u16(in) : (int32_t)cur_u32(in);
}

bool x86_decode(const uint8_t *p, size_t n, struct x86_code *c)
{
	struct cursor in = cur_from(p, MIN(n, (size_t)LEN_MAX));

	*c = (struct x86_code){ 0 };
	if (!opcode(c, &in))
		return false;

	uint8_t shape = shape_of(c);

	if (shape & X)
		return false;
	if (shape & M)
		operands(c, &in);
	immediates(c, &in, shape);
	c->len = (uint8_t)cur_off(&in);
	return !in.bad;
}
