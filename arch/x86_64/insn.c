/*
 * insn.c - which x86 instructions can be probed, and how: arch/x86/kernel/{uprobes.c,kprobes/core.c} of Linux 5.10 to
 * 6.18.
 */
#include "arch/x86_64/decode.h"
#include "arch/x86_64/parts.h"

enum {
	JUMP = ARCH_INSN_BRANCH | ARCH_INSN_STOP,
	CALL = ARCH_INSN_BRANCH | ARCH_INSN_CALL,
	COND = ARCH_INSN_BRANCH | ARCH_INSN_COND,
	RET = ARCH_INSN_RET | ARCH_INSN_STOP,
	SIM = ARCH_INSN_SIMULATED,
	NEAR = 0x8000,      /* in rules only: the immediate is the branch offset */
};

static const struct rule {
	uint8_t first, last, map;
	uint16_t flags;
} rules[] = {
	{ 0x50, 0x57, X86_ONE, SIM },                            /* push */
	{ 0x70, 0x7f, X86_ONE, COND | SIM | NEAR },              /* jcc */
	{ 0x90, 0x90, X86_ONE, SIM },                            /* nop */
	{ 0xc2, 0xc3, X86_ONE, RET },
	{ 0xca, 0xcb, X86_ONE, RET },
	{ 0xcc, 0xcc, X86_ONE, ARCH_INSN_STOP | ARCH_INSN_REFUSED },     /* int3 */
	{ 0xcd, 0xcd, X86_ONE, ARCH_INSN_CALL | ARCH_INSN_REFUSED },     /* int */
	{ 0xcf, 0xcf, X86_ONE, RET | ARCH_INSN_REFUSED },        /* iret */
	{ 0xe0, 0xe3, X86_ONE, COND | NEAR },                    /* loop, jrcxz */
	{ 0xe8, 0xe8, X86_ONE, CALL | SIM | NEAR },
	{ 0xe9, 0xe9, X86_ONE, JUMP | SIM | NEAR },
	{ 0xeb, 0xeb, X86_ONE, JUMP | SIM | NEAR },
	{ 0xf1, 0xf1, X86_ONE, ARCH_INSN_NO_UPROBE },            /* int1 */
	{ 0xf4, 0xf4, X86_ONE, ARCH_INSN_STOP | ARCH_INSN_NO_UPROBE },   /* hlt */
	{ 0x05, 0x05, X86_0F, ARCH_INSN_CALL },                  /* syscall */
	{ 0x34, 0x34, X86_0F, ARCH_INSN_CALL },                  /* sysenter */
	{ 0x0b, 0x0b, X86_0F, ARCH_INSN_STOP },                  /* ud2 */
	{ 0xb9, 0xb9, X86_0F, ARCH_INSN_STOP },                  /* ud1 */
	{ 0xff, 0xff, X86_0F, ARCH_INSN_STOP },                  /* ud0 */
	{ 0x80, 0x8f, X86_0F, COND | SIM | NEAR },
};

/* Flags of opcode ff by ModRM's reg field: call, far call, jmp, far jmp. */
static const uint16_t indirect[8] = {
	[2] = CALL, [3] = CALL | ARCH_INSN_REFUSED, [4] = JUMP, [5] = JUMP | ARCH_INSN_REFUSED,
};

/*
 * Bit map of one-byte opcodes that uprobes refuse. The kernel looks vector instructions up in it, too, though their
 * opcodes mean something else: hence a load by vmovdqa (6f) is refused and a store (7f) is not.
 */
static const uint16_t no_uprobe[16] = {
	[0x0] = 0x40c0, [0x1] = 0xc0c0, [0x2] = 0x8080, [0x3] = 0x8080, [0x6] = 0xf007, [0x8] = 0x0004,
	[0x9] = 0x0400, [0xc] = 0xf000, [0xd] = 0x0070, [0xe] = 0xf4f0, [0xf] = 0x0c12,
};

static unsigned refusals(const struct x86_code *c)
{
	/* A load of ss inhibits debug exceptions for one instruction, so it cannot be single-stepped. */
	if (c->map == X86_ONE && c->op == 0x8e && x86_reg(c) == 2)
		return ARCH_INSN_REFUSED;
	if (c->prefixes & X86_LOCK_SEG || c->map >= X86_XOP8)
		return ARCH_INSN_NO_UPROBE;
	if ((c->map == X86_ONE || c->vector) && no_uprobe[c->op >> 4] >> (c->op & 15) & 1)
		return ARCH_INSN_NO_UPROBE;
	return 0;
}

static unsigned classify(const struct x86_code *c)
{
	if (c->vector)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (rules[i].map == c->map && c->op >= rules[i].first && c->op <= rules[i].last)
			return rules[i].flags;
	}
	return c->map == X86_ONE && c->op == 0xff ? indirect[x86_reg(c)] : 0;
}

bool arch_x86_64_insn(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct x86_code c;

	if (!x86_decode(p, n, &c))
		return false;

	unsigned flags = classify(&c) | refusals(&c);

	*insn = (struct arch_insn){ .len = c.len, .flags = flags & ~(unsigned)NEAR };
	if (n >= sizeof(endbr64) && !memcmp(p, endbr64, sizeof(endbr64)))
		insn->flags |= ARCH_INSN_MARK;
	if (!(flags & NEAR))
		return true;
	insn->target = addr + insn->len + (uint64_t)c.imm;
	/* Intel and AMD differ on branches with an operand size prefix; the kernel refuses them. */
	if (c.prefixes & X86_OPSIZE)
		insn->flags |= ARCH_INSN_NO_UPROBE;
	return true;
}
