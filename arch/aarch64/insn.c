/*
 * insn.c - which A64 instructions can be probed, and how: arch/arm64/kernel/probes/decode-insn.c of Linux 5.10 to 6.18;
 * where versions differ, the strictest.
 */
#include "arch/aarch64/parts.h"

enum { SIZE = 4 };

/* Combinations of flags; SIM marks what the kernel simulates, everything else is single-stepped as a copy. */
enum {
	JUMP = ARCH_INSN_BRANCH | ARCH_INSN_STOP,
	CALL = ARCH_INSN_BRANCH | ARCH_INSN_CALL,
	COND = ARCH_INSN_BRANCH | ARCH_INSN_COND,
	RET = ARCH_INSN_RET | ARCH_INSN_STOP,
	SIM = ARCH_INSN_SIMULATED,
	BAD = ARCH_INSN_REFUSED,
	LOAD = ARCH_INSN_EXCL_LOAD | ARCH_INSN_REFUSED,
	STORE = ARCH_INSN_EXCL_STORE | ARCH_INSN_REFUSED,
};

/* The first matching rule counts. A branch offset is `bits` wide and counts instructions. */
static const struct rule {
	uint32_t mask, value;
	uint16_t flags;
	uint8_t bits;
} rules[] = {
	{ 0xfc000000, 0x14000000, JUMP | SIM, 26 },                 /* b */
	{ 0xfc000000, 0x94000000, CALL | SIM, 26 },                 /* bl */
	{ 0xff000010, 0x54000000, COND | SIM, 19 },                 /* b.cond */
	{ 0xff000010, 0x54000010, COND | BAD, 19 },                 /* bc.cond: a copy would branch elsewhere */
	{ 0x7e000000, 0x34000000, COND | SIM, 19 },                 /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, COND | SIM, 14 },                 /* tbz, tbnz */
	{ 0xfffffc1f, 0xd61f0000, JUMP | SIM, 0 },                  /* br */
	{ 0xfffffc1f, 0xd63f0000, CALL | SIM, 0 },                  /* blr */
	{ 0xfffffc1f, 0xd65f0000, RET | SIM, 0 },                   /* ret */
	{ 0xfffffbff, 0xd65f0bff, RET | BAD, 0 },                   /* retaa, retab */
	{ 0xfefff800, 0xd61f0800, JUMP | BAD, 0 },                  /* braa ... */
	{ 0xfefff800, 0xd63f0800, CALL | BAD, 0 },                  /* blraa ... */
	{ 0xfffff000, 0xd69f0000, RET | BAD, 0 },                   /* eret, eretaa, eretab */
	{ 0xffe0001f, 0xd4200000, ARCH_INSN_STOP | BAD, 0 },        /* brk */
	{ 0xffe0001f, 0xd4400000, ARCH_INSN_STOP | BAD, 0 },        /* hlt */
	{ 0xff000000, 0xd4000000, ARCH_INSN_CALL | BAD, 0 },        /* svc, hvc, smc */
	{ 0xffff0000, 0x00000000, ARCH_INSN_STOP | BAD, 0 },        /* udf: kernels accept it, but it may be data */
	{ 0x1f000000, 0x10000000, SIM, 0 },                         /* adr, adrp */
	/* Older kernels simulate these on user memory as on kernel memory; 6.12 and stable kernels refuse them. */
	{ 0xbf000000, 0x18000000, SIM | ARCH_INSN_NO_UPROBE, 0 },   /* ldr literal */
	{ 0xff000000, 0x98000000, SIM | ARCH_INSN_NO_UPROBE, 0 },   /* ldrsw literal */
	{ 0xff000000, 0xd8000000, BAD, 0 },                         /* prfm literal */
	{ 0x3f000000, 0x1c000000, BAD, 0 },                         /* SIMD ldr literal: a copy loads elsewhere */
	{ 0xfff8f01f, 0xd500401f, BAD, 0 },                         /* msr immediate */
	{ 0xfff00000, 0xd5100000, BAD, 0 },                         /* msr */
	{ 0xffffffe0, 0xd53b4220, BAD, 0 },                         /* mrs daif */
	{ 0xfffff0ff, 0xd503305f, ARCH_INSN_EXCL_STORE, 0 },        /* clrex */
	{ 0xbfe00000, 0x08200000, BAD | ARCH_INSN_LIKE_STORE, 0 },  /* casp, caspl: the kernel takes them for stxp */
	{ 0xbfe00000, 0x08600000, BAD | ARCH_INSN_LIKE_LOAD, 0 },   /* caspa, caspal: for ldxp */
	{ 0x3fc00000, 0x08400000, LOAD, 0 },                        /* ldxr, ldaxr, ldxp, ldaxp */
	{ 0x3fc00000, 0x08000000, STORE, 0 },                       /* stxr ... */
	{ 0x3fc00000, 0x08c00000, ARCH_INSN_LIKE_LOAD, 0 },         /* ldar, casa, casal */
	{ 0x3fc00000, 0x08800000, ARCH_INSN_LIKE_STORE, 0 },        /* stlr, cas, casl */
};

/* Hint instructions that may be single-stepped as a copy, by hint number. */
static const uint64_t good_hints = 1ULL << 0 |              /* nop */
				   1ULL << 7 | 1ULL << 8 | 1ULL << 10 |   /* xpaclri, pacia1716, pacib1716 */
				   0xfULL << 24 |                         /* paciaz, paciasp, pacibz, pacibsp */
				   0x55ULL << 32;                         /* bti, bti c, bti j, bti jc */

static unsigned classify(uint32_t w, const struct rule **rule)
{
	/* hint: its number is in bits 5 to 11 */
	if ((w & 0xfffff01f) == 0xd503201f) {
		unsigned number = w >> 5 & 0x7f;

		if (!number)
			return ARCH_INSN_MARK | ARCH_INSN_NOP;
		return number < 64 && good_hints >> number & 1 ? ARCH_INSN_MARK : ARCH_INSN_REFUSED;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if ((w & rules[i].mask) == rules[i].value) {
			*rule = &rules[i];
			return rules[i].flags;
		}
	}
	return 0;
}

/* A branch's signed offset in instructions: 26 bits from bit 0 on, or fewer from bit 5 on. */
static int64_t distance(uint32_t w, unsigned bits)
{
	unsigned low = bits == 26 ? 0 : 5;

	return (int32_t)(w << (32 - low - bits)) >> (32 - bits);
}

/* ldr, ldrsw and SIMD ldr literal; not prfm, whose opc is 3. */
static void see_literal(uint32_t w, uint64_t addr, struct arch_insn *insn)
{
	bool is_simd = w >> 26 & 1;
	unsigned opc = w >> 30;

	if ((w & 0x3b000000) != 0x18000000 || opc == 3)
		return;
	insn->literal = addr + (uint64_t)(distance(w, 19) * SIZE);
	insn->literal_size = is_simd ? (uint8_t)(4u << opc) : opc == 1 ? 8 : 4;
}

bool arch_aarch64_insn(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn)
{
	const struct rule *rule = NULL;

	if (n < SIZE)
		return false;

	uint32_t w = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

	*insn = (struct arch_insn){ .len = SIZE, .flags = classify(w, &rule) };
	if (rule && rule->bits)
		insn->target = addr + (uint64_t)(distance(w, rule->bits) * SIZE);
	see_literal(w, addr, insn);
	return true;
}
