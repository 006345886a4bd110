/*
 * insn.c - lengths of x86 instructions in 64-bit code, and what they are to probes: Intel SDM volume 2, appendix A;
 * AMD APM volume 3; arch/x86/kernel/{uprobes.c,kprobes/core.c} of Linux 5.10 to 6.18.
 *
 *   legacy prefixes, REX, opcode (maps 0, 0f, 0f38, 0f3a), ModRM, SIB, displacement, immediate
 *   VEX c4 c5, EVEX 62, XOP 8f: stand for prefixes and map; always ModRM, but vzeroupper
 */
#include "base/cursor.h"

#include "arch/x86_64/parts.h"

enum { LEN_MAX = 15 };

enum map { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_EVEX5 = 5, MAP_EVEX6 = 6, MAP_XOP8 = 8, MAP_XOP9, MAP_XOPA };

enum prefix {
	P_OPSIZE = 1, P_ADDR = 2, P_REPNE = 4,
	P_LOCK_SEG = 8,     /* lock, es, cs, ss, ds: uprobes refuse them */
	P_REX_W = 16,
	P_VEX = 32,
	P_OTHER = 64,
};

/* What follows an opcode. */
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
	D = 64,             /* four bytes in any case: where a branch goes */
	X = 128,            /* no such opcode */
};

/* By opcode. */
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

/* Map 0f: what is not just M. */
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

static uint8_t shape_of(enum map map, uint8_t op, unsigned prefixes)
{
	switch (map) {
	case MAP_ONE: return prefixes & P_VEX ? X : one_byte[op];
	case MAP_0F3A: case MAP_XOP8: return MB;
	case MAP_XOPA: return M | D;
	case MAP_0F: break;
	default: return M;
	}
	if (!(prefixes & P_VEX)) {
		/* extrq, insertq: two bytes of their own */
		return op == 0x78 && prefixes & (P_OPSIZE | P_REPNE) ? M | W : two_byte(op);
	}
	if (op == 0x77)
		return N;
	return two_byte(op) & B ? MB : M;
}

struct decoder {
	struct cursor c;
	unsigned prefixes;
	enum map map;
	uint8_t op, modrm;
	int64_t branch;      /* the immediate of D and B */
};

static unsigned prefix_of(uint8_t b)
{
	switch (b) {
	case 0x66: return P_OPSIZE;
	case 0x67: return P_ADDR;
	case 0xf2: return P_REPNE;
	case 0xf0: case 0x26: case 0x2e: case 0x36: case 0x3e: return P_LOCK_SEG;
	case 0xf3: case 0x64: case 0x65: return P_OTHER;
	}
	return 0;
}

/* VEX, EVEX or XOP: the bytes behind the first one, up to the opcode. */
static bool vector(struct decoder *d, uint8_t first)
{
	uint8_t b = cur_u8(&d->c);

	d->prefixes |= P_VEX;
	d->map = first == 0xc5 ? MAP_0F : first == 0x62 ? b & 7 : b & 31;
	cur_skip(&d->c, first == 0x62 ? 2 : first != 0xc5);
	d->op = cur_u8(&d->c);
	if (first == 0x62 && (d->map == MAP_EVEX5 || d->map == MAP_EVEX6))
		return true;
	if (first == 0x8f)
		return d->map <= MAP_XOPA;
	return d->map >= MAP_0F && d->map <= MAP_0F3A;
}

static bool opcode(struct decoder *d)
{
	uint8_t b = cur_u8(&d->c);

	for (unsigned p; (p = prefix_of(b)); b = cur_u8(&d->c))
		d->prefixes |= p;
	if ((b & 0xf0) == 0x40) {
		d->prefixes |= b & 8 ? P_REX_W : 0;
		b = cur_u8(&d->c);
	}
	/* 8f is pop, unless the map that would follow is one of XOP's */
	if (b == 0xc4 || b == 0xc5 || b == 0x62 || (b == 0x8f && cur_left(&d->c) && *d->c.pos & 0x18))
		return vector(d, b);
	if (b == 0x0f) {
		d->map = MAP_0F;
		b = cur_u8(&d->c);
		if (b == 0x38 || b == 0x3a) {
			d->map = b == 0x38 ? MAP_0F38 : MAP_0F3A;
			b = cur_u8(&d->c);
		}
	}
	d->op = b;
	return true;
}

/* ModRM, SIB and displacement. */
static void operands(struct decoder *d)
{
	uint8_t mod, rm;

	d->modrm = cur_u8(&d->c);
	mod = d->modrm >> 6;
	rm = d->modrm & 7;
	if (mod == 3)
		return;
	if (rm == 4)
		rm = cur_u8(&d->c) & 7;
	if (mod == 1)
		cur_skip(&d->c, 1);
	else if (mod == 2 || rm == 5)
		cur_skip(&d->c, 4);
}

static void immediates(struct decoder *d, uint8_t shape)
{
	bool is_short = d->prefixes & P_OPSIZE && !(d->prefixes & P_REX_W);

	/* test alone of its group has one */
	if (d->map == MAP_ONE && (d->op == 0xf6 || d->op == 0xf7) && (d->modrm >> 3 & 7) < 2)
		shape |= d->op == 0xf6 ? B : Z;
	if (shape & W)
		cur_skip(&d->c, 2);
	if (shape & B)
		d->branch = (int8_t)cur_u8(&d->c);
	if (shape & D)
		d->branch = (int32_t)cur_u32(&d->c);
	if (shape & A)
		cur_skip(&d->c, d->prefixes & P_ADDR ? 4 : 8);
	if (shape & V && d->prefixes & P_REX_W)
		cur_skip(&d->c, 8);
	else if (shape & (V | Z))
		cur_skip(&d->c, is_short ? 2 : 4);
}

/* --- what it does --- */

enum {
	JUMP = ARCH_INSN_BRANCH | ARCH_INSN_STOP,
	CALL = ARCH_INSN_BRANCH | ARCH_INSN_CALL,
	COND = ARCH_INSN_BRANCH | ARCH_INSN_COND,
	RET = ARCH_INSN_RET | ARCH_INSN_STOP,
	SIM = ARCH_INSN_SIMULATED,
	NEAR = 0x8000,      /* of rules alone: the target is in the immediate */
};

static const struct rule {
	uint8_t first, last, map;
	uint16_t flags;
} rules[] = {
	{ 0x50, 0x57, MAP_ONE, SIM },                            /* push */
	{ 0x70, 0x7f, MAP_ONE, COND | SIM | NEAR },              /* jcc */
	{ 0x90, 0x90, MAP_ONE, SIM },                            /* nop */
	{ 0xc2, 0xc3, MAP_ONE, RET },
	{ 0xca, 0xcb, MAP_ONE, RET },
	{ 0xcc, 0xcc, MAP_ONE, ARCH_INSN_STOP | ARCH_INSN_REFUSED },     /* int3 */
	{ 0xcd, 0xcd, MAP_ONE, ARCH_INSN_CALL | ARCH_INSN_REFUSED },     /* int */
	{ 0xcf, 0xcf, MAP_ONE, RET | ARCH_INSN_REFUSED },        /* iret */
	{ 0xe0, 0xe3, MAP_ONE, COND | NEAR },                    /* loop, jrcxz */
	{ 0xe8, 0xe8, MAP_ONE, CALL | SIM | NEAR },
	{ 0xe9, 0xe9, MAP_ONE, JUMP | SIM | NEAR },
	{ 0xeb, 0xeb, MAP_ONE, JUMP | SIM | NEAR },
	{ 0xf1, 0xf1, MAP_ONE, ARCH_INSN_NO_UPROBE },            /* int1 */
	{ 0xf4, 0xf4, MAP_ONE, ARCH_INSN_STOP | ARCH_INSN_NO_UPROBE },   /* hlt */
	{ 0x05, 0x05, MAP_0F, ARCH_INSN_CALL },                  /* syscall */
	{ 0x34, 0x34, MAP_0F, ARCH_INSN_CALL },                  /* sysenter */
	{ 0x0b, 0x0b, MAP_0F, ARCH_INSN_STOP },                  /* ud2 */
	{ 0xb9, 0xb9, MAP_0F, ARCH_INSN_STOP },                  /* ud1 */
	{ 0xff, 0xff, MAP_0F, ARCH_INSN_STOP },                  /* ud0 */
	{ 0x80, 0x8f, MAP_0F, COND | SIM | NEAR },
};

/* By the reg field of ff's ModRM: call, far call, jmp, far jmp. */
static const uint16_t indirect[8] = {
	[2] = CALL, [3] = CALL | ARCH_INSN_REFUSED, [4] = JUMP, [5] = JUMP | ARCH_INSN_REFUSED,
};

/*
 * One-byte opcodes that uprobes refuse, a bit each. The kernel asks this of vector instructions, too, whose opcodes
 * mean something else, so that a load by vmovdqa (6f) is refused and a store (7f) is not.
 */
static const uint16_t no_uprobe[16] = {
	[0x0] = 0x40c0, [0x1] = 0xc0c0, [0x2] = 0x8080, [0x3] = 0x8080, [0x6] = 0xf007, [0x8] = 0x0004,
	[0x9] = 0x0400, [0xc] = 0xf000, [0xd] = 0x0070, [0xe] = 0xf4f0, [0xf] = 0x0c12,
};

static unsigned refusals(const struct decoder *d)
{
	/* A load of ss masks exceptions for one instruction: no stepping there. */
	if (d->map == MAP_ONE && d->op == 0x8e && (d->modrm >> 3 & 7) == 2)
		return ARCH_INSN_REFUSED;
	if (d->prefixes & P_LOCK_SEG || d->map >= MAP_XOP8)
		return ARCH_INSN_NO_UPROBE;
	if ((d->map == MAP_ONE || d->prefixes & P_VEX) && no_uprobe[d->op >> 4] >> (d->op & 15) & 1)
		return ARCH_INSN_NO_UPROBE;
	return 0;
}

static unsigned classify(const struct decoder *d)
{
	if (d->prefixes & P_VEX)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].map == d->map && d->op >= rules[i].first && d->op <= rules[i].last)
			return rules[i].flags;
	}
	return d->map == MAP_ONE && d->op == 0xff ? indirect[d->modrm >> 3 & 7] : 0;
}

bool arch_x86_64_insn(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct decoder d = { .c = cur_from(p, MIN(n, (size_t)LEN_MAX)) };

	if (!opcode(&d))
		return false;

	uint8_t shape = shape_of(d.map, d.op, d.prefixes);

	if (shape & X)
		return false;
	if (shape & M)
		operands(&d);
	immediates(&d, shape);
	if (d.c.bad)
		return false;

	unsigned flags = classify(&d) | refusals(&d);

	*insn = (struct arch_insn){ .len = (uint8_t)cur_off(&d.c), .flags = flags & ~(unsigned)NEAR };
	if (n >= sizeof(endbr64) && !memcmp(p, endbr64, sizeof(endbr64)))
		insn->flags |= ARCH_INSN_MARK;
	if (!(flags & NEAR))
		return true;
	insn->target = addr + insn->len + (uint64_t)d.branch;
	/* With an operand size prefix Intel and AMD differ; the kernel wants none of them. */
	if (d.prefixes & P_OPSIZE)
		insn->flags |= ARCH_INSN_NO_UPROBE;
	return true;
}
