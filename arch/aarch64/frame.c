/* frame.c - what an A64 instruction does to the return address and the frame record. */
#include "arch/aarch64/parts.h"

enum { LR = 30, SP = 31 };

static const struct rule {
	uint32_t mask, value;
	enum arch_frame what;
} whole[] = {
	{ 0xff8003ff, 0x910003fd, ARCH_FRAME_BEGINS },   /* add x29, sp, #n; mov x29, sp */
	{ 0xff8003ff, 0xd10003fd, ARCH_FRAME_BEGINS },   /* sub x29, sp, #n: Go */
	{ 0xfc000000, 0x94000000, ARCH_FRAME_CALLS },    /* bl */
	{ 0xfefff800, 0xd63f0800, ARCH_FRAME_CALLS },    /* blraa, blraaz, blrab, blrabz */
	{ 0xfffffc1f, 0xd63f0000, ARCH_FRAME_CALLS },    /* blr */
	{ 0xfffffc1f, 0xd65f0000, ARCH_FRAME_LEAVES },   /* ret */
	{ 0xfffffbff, 0xd65f0bff, ARCH_FRAME_LEAVES },   /* retaa, retab */
	{ 0xfc000000, 0x14000000, ARCH_FRAME_LEAVES },   /* b: after an epilogue a tail call */
	{ 0xfffffc1f, 0xd61f0000, ARCH_FRAME_LEAVES },   /* br */
}, pairs[] = {                                           /* base sp; bit 22: load */
	{ 0xfe400000, 0xa8000000, ARCH_FRAME_SAVES },    /* stp of 64-bit registers */
	{ 0xfe400000, 0xa8400000, ARCH_FRAME_ENDS },     /* ldp */
}, singles[] = {
	{ 0xffc00000, 0xf9000000, ARCH_FRAME_SAVES },    /* str, offset */
	{ 0xffe00000, 0xf8000000, ARCH_FRAME_SAVES },    /* str with write-back, stur */
	{ 0xffc00000, 0xf9400000, ARCH_FRAME_ENDS },     /* ldr, offset */
	{ 0xffe00000, 0xf8400000, ARCH_FRAME_ENDS },     /* ldr with write-back, ldur */
};

static enum arch_frame match(const struct rule *r, size_t n, uint32_t insn)
{
	for (size_t i = 0; i < n; i++)
		if ((insn & r[i].mask) == r[i].value)
			return r[i].what;
	return ARCH_FRAME_OTHER;
}

enum arch_frame arch_aarch64_frame(const uint8_t *p, size_t n)
{
	if (n < 4)
		return ARCH_FRAME_OTHER;

	uint32_t insn = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	unsigned rt = insn & 31, base = insn >> 5 & 31, rt2 = insn >> 10 & 31;
	enum arch_frame what = match(whole, ARRAY_SIZE(whole), insn);

	if (what || base != SP)
		return what;
	if (rt == LR || rt2 == LR)
		what = match(pairs, ARRAY_SIZE(pairs), insn);
	if (!what && rt == LR)
		what = match(singles, ARRAY_SIZE(singles), insn);
	return what;
}
