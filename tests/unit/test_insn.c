/*
 * test_insn.c - single instructions of both architectures. Bytes and texts are those of binutils' assembler and
 * objdump; whether the kernel takes a uprobe is what it said when it was asked: arm64 5.10 and 6.12, x86-64 6.18.
 */
#include "t.h"

#include "arch/arch.h"

enum kind { N, JUMP, CALL, COND, RET, STOP, AWAY, LOAD, STORE };

/* REFUSED_6_12: by that one, not by 5.10. OURS: kernels do not know the encoding. */
enum kernel { TAKEN, REFUSED, REFUSED_6_12, OURS };

static const unsigned flags_of[] = {
	[N] = 0,
	[JUMP] = ARCH_INSN_BRANCH | ARCH_INSN_STOP,
	[CALL] = ARCH_INSN_BRANCH | ARCH_INSN_CALL,
	[COND] = ARCH_INSN_BRANCH | ARCH_INSN_COND,
	[RET] = ARCH_INSN_RET | ARCH_INSN_STOP,
	[STOP] = ARCH_INSN_STOP,
	[AWAY] = ARCH_INSN_CALL,
	[LOAD] = ARCH_INSN_EXCL_LOAD,
	[STORE] = ARCH_INSN_EXCL_STORE,
};

static const unsigned kind_flags = ARCH_INSN_BRANCH | ARCH_INSN_STOP | ARCH_INSN_CALL | ARCH_INSN_COND |
				   ARCH_INSN_RET | ARCH_INSN_EXCL_LOAD | ARCH_INSN_EXCL_STORE;

enum { AT = 0x7f0000 };

static bool decode(const struct arch *a, const void *bytes, size_t n, struct arch_insn *insn)
{
	memset(insn, 0xff, sizeof(*insn));
	return a->insn(guard_dup(bytes, n), n, AT, insn);
}

static bool is_taken(const struct arch_insn *insn)
{
	return !(insn->flags & (ARCH_INSN_REFUSED | ARCH_INSN_NO_UPROBE));
}

static void check_kind(const struct arch_insn *insn, enum kind kind, int target, const char *text)
{
	if ((insn->flags & kind_flags) != flags_of[kind])
		t_fail(__FILE__, __LINE__, "%s has the flags 0x%x", text, insn->flags);
	if (insn->target != (target ? (uint64_t)(AT + target) : 0))
		t_fail(__FILE__, __LINE__, "%s goes to 0x%llx", text, (unsigned long long)insn->target);
}

/* --- A64 --- */

static const struct a64 {
	uint32_t word;
	enum kind kind;
	int target;
	enum kernel kernel;
	const char *text;
} a64[] = {
	{ 0x14000002, JUMP, 8, TAKEN, "b 8" },
	{ 0x97fffffe, CALL, -8, TAKEN, "bl fffffffffffffffc" },
	{ 0x54000080, COND, 16, TAKEN, "b.eq 18" },
	{ 0xb4ffffe1, COND, -4, TAKEN, "cbz x1, 8" },
	{ 0x35008002, COND, 4096, TAKEN, "cbnz w2, 1010" },
	{ 0xb6440003, COND, -32768, TAKEN, "tbz x3, #40, -32768" },
	{ 0x371bffe3, COND, 32764, TAKEN, "tbnz w3, #3, +32764" },
	{ 0xd61f0200, JUMP, 0, TAKEN, "br x16" },
	{ 0xd63f0100, CALL, 0, TAKEN, "blr x8" },
	{ 0xd65f03c0, RET, 0, TAKEN, "ret" },
	{ 0xd65f0060, RET, 0, TAKEN, "ret x3" },
	{ 0x10000060, N, 0, TAKEN, "adr x0, 38" },
	{ 0x90000000, N, 0, TAKEN, "adrp x0, 0" },
	{ 0x58000041, N, 0, REFUSED_6_12, "ldr x1, 3c" },
	{ 0x18ffffc1, N, 0, REFUSED_6_12, "ldr w1, 30" },
	{ 0x98000041, N, 0, REFUSED_6_12, "ldrsw x1, 44" },
	{ 0xd8000040, N, 0, REFUSED, "prfm pldl1keep, 48" },
	{ 0x5c000041, N, 0, TAKEN, "ldr d1, 4c" },
	{ 0x9c000041, N, 0, TAKEN, "ldr q1, 50" },
	{ 0x1c000041, N, 0, TAKEN, "ldr s1, 54" },
	{ 0xd4000001, AWAY, 0, REFUSED, "svc" },
	{ 0xd4000022, AWAY, 0, REFUSED, "hvc" },
	{ 0xd4200020, STOP, 0, REFUSED, "brk" },
	{ 0xd4400040, STOP, 0, REFUSED, "hlt" },
	{ 0x00000000, STOP, 0, TAKEN, "udf" },
	{ 0xd50342df, N, 0, REFUSED, "msr daifset," },
	{ 0xd51bd040, N, 0, REFUSED, "msr tpidr_el0, x0" },
	{ 0xd53bd040, N, 0, TAKEN, "mrs x0, tpidr_el0" },
	{ 0xd53b4220, N, 0, REFUSED, "mrs x0, daif" },
	{ 0xd503201f, N, 0, TAKEN, "nop" },
	{ 0xd503203f, N, 0, REFUSED, "yield" },
	{ 0xd503205f, N, 0, REFUSED, "wfe" },
	{ 0xd50320bf, N, 0, REFUSED, "sevl" },
	{ 0xd5033bbf, N, 0, TAKEN, "dmb ish" },
	{ 0xd5033fdf, N, 0, TAKEN, "isb" },
	{ 0xd5033f5f, STORE, 0, TAKEN, "clrex" },
	{ 0xc85f7c20, LOAD, 0, REFUSED, "ldxr x0, [x1]" },
	{ 0x085ffc20, LOAD, 0, REFUSED, "ldaxrb w0, [x1]" },
	{ 0xc87f0820, LOAD, 0, REFUSED, "ldxp x0, x2, [x1]" },
	{ 0xc8037c20, STORE, 0, REFUSED, "stxr w3, x0, [x1]" },
	{ 0x4803fc20, STORE, 0, REFUSED, "stlxrh w3, w0, [x1]" },
	{ 0xc8238820, STORE, 0, REFUSED, "stlxp w3, x0, x2, [x1]" },
	{ 0xc8dffc20, N, 0, TAKEN, "ldar x0, [x1]" },
	{ 0xc89ffc20, N, 0, TAKEN, "stlr x0, [x1]" },
	{ 0xc8a07c41, N, 0, TAKEN, "cas x0, x1, [x2]" },
	{ 0xc8e0fc41, N, 0, TAKEN, "casal x0, x1, [x2]" },
	{ 0x48207c82, N, 0, REFUSED, "casp x0, x1, x2, x3, [x4]" },
	{ 0x4860fc82, N, 0, REFUSED, "caspal x0, x1, x2, x3, [x4]" },
	{ 0xf8200041, N, 0, TAKEN, "ldadd x0, x1, [x2]" },
	{ 0xf8e08041, N, 0, TAKEN, "swpal x0, x1, [x2]" },
	{ 0xd503233f, N, 0, TAKEN, "paciasp" },
	{ 0xd50323bf, N, 0, REFUSED, "autiasp" },
	{ 0xd503237f, N, 0, TAKEN, "pacibsp" },
	{ 0xd50323ff, N, 0, REFUSED, "autibsp" },
	{ 0xd503231f, N, 0, TAKEN, "paciaz" },
	{ 0xd50320ff, N, 0, TAKEN, "xpaclri" },
	{ 0xd503211f, N, 0, TAKEN, "pacia1716" },
	{ 0xd503219f, N, 0, REFUSED, "autia1716" },
	{ 0xd503245f, N, 0, TAKEN, "bti c" },
	{ 0xd50324df, N, 0, TAKEN, "bti jc" },
	{ 0xd503241f, N, 0, TAKEN, "bti" },
	{ 0xd503221f, N, 0, REFUSED, "esb" },
	{ 0xd503223f, N, 0, REFUSED, "psb csync" },
	{ 0xd503229f, N, 0, REFUSED, "csdb" },
	{ 0xd65f0bff, RET, 0, REFUSED, "retaa" },
	{ 0xd65f0fff, RET, 0, REFUSED, "retab" },
	{ 0xd71f0801, JUMP, 0, REFUSED, "braa x0, x1" },
	{ 0xd63f087f, CALL, 0, REFUSED, "blraaz x3" },
	{ 0xd61f089f, JUMP, 0, REFUSED, "braaz x4" },
	{ 0xd73f0c64, CALL, 0, REFUSED, "blrab x3, x4" },
	{ 0x9ac23020, N, 0, TAKEN, "pacga x0, x1, x2" },
	{ 0xdac11020, N, 0, TAKEN, "autia x0, x1" },
	{ 0xf8200420, N, 0, TAKEN, "ldraa x0, [x1]" },
	{ 0xa9bf7bfd, N, 0, TAKEN, "stp x29, x30, [sp," },
	{ 0xd10083ff, N, 0, TAKEN, "sub sp, sp," },
	{ 0xaa0103e0, N, 0, TAKEN, "mov x0, x1" },
	{ 0xf9400420, N, 0, TAKEN, "ldr x0, [x1," },
	{ 0xad400400, N, 0, TAKEN, "ldp q0, q1, [x0]" },
	{ 0x1e622820, N, 0, TAKEN, "fadd d0, d1, d2" },
	{ 0x2518e3e0, N, 0, TAKEN, "ptrue p0.b" },
	{ 0xa5e0a000, N, 0, TAKEN, "ld1d {z0.d}, p0/z, [x0]" },
	{ 0xd500401f, N, 0, REFUSED, "cfinv" },
	{ 0xd503309f, N, 0, TAKEN, "ssbb" },
	{ 0xd50330ff, N, 0, TAKEN, "sb" },
	{ 0xd50b7420, N, 0, TAKEN, "dc zva, x0" },
	{ 0xd50b7520, N, 0, TAKEN, "ic ivau, x0" },
	{ 0xd5087840, N, 0, TAKEN, "at s1e0r, x0" },
	{ 0xd69f03e0, RET, 0, REFUSED, "eret" },
	{ 0xd503413f, N, 0, REFUSED, "msr ssbs," },
	{ 0x54000050, COND, 8, TAKEN, "bc.eq 16c" },
	{ 0x4e020020, N, 0, TAKEN, "tbl v0.16b, {v1.16b}, v2.16b" },
	{ 0x00000007, STOP, 0, TAKEN, "udf" },
	{ 0xd50b7e23, N, 0, TAKEN, "dc civac, x3" },
	{ 0xd50b7521, N, 0, TAKEN, "ic ivau, x1" },
	{ 0x9adf1020, N, 0, TAKEN, "irg x0, x1" },
	{ 0xd9200820, N, 0, TAKEN, "stg x0, [x1]" },
	{ 0xc8df7c20, N, 0, TAKEN, "ldlar x0, [x1]" },
	{ 0xc89f7c20, N, 0, TAKEN, "stllr x0, [x1]" },
};

static void put_word(uint8_t *p, uint32_t w)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(w >> 8 * i);
}

static struct arch_insn word(uint32_t w)
{
	struct arch_insn insn;
	uint8_t p[4];

	put_word(p, w);
	CHECK(decode(&arch_aarch64, p, 4, &insn));
	CHECK_EQ(insn.len, 4);
	return insn;
}

TEST(a64_instructions_are_classified_as_objdump_names_them)
{
	for (size_t i = 0; i < ARRAY_SIZE(a64); i++) {
		struct arch_insn insn = word(a64[i].word);

		check_kind(&insn, a64[i].kind, a64[i].target, a64[i].text);
	}
}

/* The kernel steps over copies of these elsewhere, where they are wrong; and udf may be data. */
static bool is_ours(const char *text)
{
	return !strcmp(text, "udf") || !strncmp(text, "bc.", 3) || !strncmp(text, "ldr d", 5) ||
	       !strncmp(text, "ldr q", 5) || !strncmp(text, "ldr s", 5);
}

TEST(a64_what_uprobes_refuse_is_what_the_kernels_refused_and_what_they_do_wrong)
{
	for (size_t i = 0; i < ARRAY_SIZE(a64); i++) {
		struct arch_insn insn = word(a64[i].word);

		if (is_taken(&insn) != (a64[i].kernel == TAKEN && !is_ours(a64[i].text)))
			t_fail(__FILE__, __LINE__, "%s: flags 0x%x", a64[i].text, insn.flags);
		/* Kprobes still simulate those that 5.10 took. */
		if (a64[i].kernel == REFUSED_6_12)
			CHECK_EQ(insn.flags, ARCH_INSN_NO_UPROBE | ARCH_INSN_SIMULATED);
	}
}

TEST(a64_branches_addresses_and_returns_without_authentication_are_simulated)
{
	static const uint32_t yes[] = {
		0x14000002, 0x97fffffe, 0x54000080, 0xb4ffffe1, 0x371bffe3, 0xd61f0200, 0xd63f0100, 0xd65f03c0,
		0x10000060, 0x90000000,
	};
	/* nop, paciasp, retaa, braa, stp, clrex, ldr */
	static const uint32_t no[] = {
		0xd503201f, 0xd503233f, 0xd65f0bff, 0xd71f0801, 0xa9bf7bfd, 0xd5033f5f, 0xf9400420,
	};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		CHECK(word(yes[i]).flags & ARCH_INSN_SIMULATED);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		CHECK(!(word(no[i]).flags & ARCH_INSN_SIMULATED));
}

TEST(a64_acquires_and_releases_are_told_from_exclusive_ones)
{
	CHECK_EQ(word(0xc8dffc20).flags, ARCH_INSN_LIKE_LOAD);             /* ldar */
	CHECK_EQ(word(0xc8e0fc41).flags, ARCH_INSN_LIKE_LOAD);             /* casal */
	CHECK_EQ(word(0xc89ffc20).flags, ARCH_INSN_LIKE_STORE);            /* stlr */
	CHECK_EQ(word(0xc8a07c41).flags, ARCH_INSN_LIKE_STORE);            /* cas */
	CHECK_EQ(word(0x48207c82).flags, ARCH_INSN_LIKE_STORE | ARCH_INSN_REFUSED);    /* casp */
	CHECK_EQ(word(0x4860fc82).flags, ARCH_INSN_LIKE_LOAD | ARCH_INSN_REFUSED);     /* caspal */
	CHECK_EQ(word(0xf8e08041).flags, 0);                               /* swpal */
	CHECK_EQ(word(0xd5033f5f).flags, ARCH_INSN_EXCL_STORE);            /* clrex */
}

TEST(a64_needs_four_bytes)
{
	struct arch_insn insn;

	for (size_t n = 0; n < 4; n++)
		CHECK(!decode(&arch_aarch64, "\x1f\x20\x03\xd5", n, &insn));
}

/* --- x86-64 --- */

static const struct x86 {
	const char *bytes;
	uint8_t n;
	enum kind kind;
	int target;
	enum kernel kernel;
	const char *text;
} x86[] = {
	{ "\x06", 1, N, 0, REFUSED, "bad" },
	{ "\x0f\x0b", 2, STOP, 0, TAKEN, "ud2" },
	{ "\xcc", 1, STOP, 0, REFUSED, "int3" },
	{ "\xf4", 1, STOP, 0, REFUSED, "hlt" },
	{ "\xfa", 1, N, 0, REFUSED, "cli" },
	{ "\xfb", 1, N, 0, REFUSED, "sti" },
	{ "\xcd\x80", 2, AWAY, 0, REFUSED, "int $0x80" },
	{ "\x0f\x05", 2, AWAY, 0, TAKEN, "syscall" },
	{ "\x0f\x34", 2, AWAY, 0, TAKEN, "sysenter" },
	{ "\x0f\xa2", 2, N, 0, TAKEN, "cpuid" },
	{ "\x0f\x31", 2, N, 0, TAKEN, "rdtsc" },
	{ "\xf0\xff\x00", 3, N, 0, REFUSED, "lock incl (%rax)" },
	{ "\x2e\x90", 2, N, 0, REFUSED, "cs nop" },
	{ "\x2e\x8b\x00", 3, N, 0, REFUSED, "cs mov (%rax),%eax" },
	{ "\x8b\x00", 2, N, 0, TAKEN, "mov (%rax),%eax" },
	{ "\x64\x8b\x00", 3, N, 0, TAKEN, "mov %fs:(%rax),%eax" },
	{ "\x65\x8b\x04\x25\x10\x00\x00\x00", 8, N, 0, TAKEN, "mov %gs:0x10,%eax" },
	{ "\x3e\xff\xe0", 3, JUMP, 0, REFUSED, "notrack jmp *%rax" },
	{ "\xf2\xeb\x07", 3, JUMP, 10, TAKEN, "bnd jmp 0x33" },
	{ "\x66\x48\x8d\x05\x00\x00\x00\x00", 8, N, 0, TAKEN, "data16 lea 0x0(%rip),%rax" },
	{ "\x00\x00", 2, N, 0, TAKEN, "add %al,(%rax)" },
	{ "\x66\x48\xe8\x00\x00\x00\x00", 7, CALL, 7, REFUSED, "data16 rex.W call 0x41" },
	{ "\x6c", 1, N, 0, REFUSED, "insb (%dx),%es:(%rdi)" },
	{ "\x6e", 1, N, 0, REFUSED, "outsb %ds:(%rsi),(%dx)" },
	{ "\xe4\x03", 2, N, 0, REFUSED, "in $0x3,%al" },
	{ "\xee", 1, N, 0, REFUSED, "out %al,(%dx)" },
	{ "\x48\xcf", 2, RET, 0, REFUSED, "iretq" },
	{ "\x48\xcb", 2, RET, 0, TAKEN, "lretq" },
	{ "\xc3", 1, RET, 0, TAKEN, "ret" },
	{ "\xc2\x08\x00", 3, RET, 0, TAKEN, "ret $0x8" },
	{ "\x8e\xd0", 2, N, 0, REFUSED, "mov %eax,%ss" },
	{ "\x8e\xd8", 2, N, 0, TAKEN, "mov %eax,%ds" },
	{ "\x0f\xa0", 2, N, 0, TAKEN, "push %fs" },
	{ "\x0f\xa9", 2, N, 0, TAKEN, "pop %gs" },
	{ "\xc5\xf9\x6f\x00", 4, N, 0, REFUSED, "vmovdqa (%rax),%xmm0" },
	{ "\xc5\xf9\x7f\x00", 4, N, 0, TAKEN, "vmovdqa %xmm0,(%rax)" },
	{ "\x62\xf1\xfe\x48\x6f\x00", 6, N, 0, REFUSED, "vmovdqu64 (%rax),%zmm0" },
	{ "\xc5\xf5\xef\xd0", 4, N, 0, REFUSED, "vpxor %ymm0,%ymm1,%ymm2" },
	{ "\xc5\xf5\xeb\xd0", 4, N, 0, TAKEN, "vpor %ymm0,%ymm1,%ymm2" },
	{ "\xc5\xf5\xdb\xd0", 4, N, 0, TAKEN, "vpand %ymm0,%ymm1,%ymm2" },
	{ "\xc5\xf1\x60\xd0", 4, N, 0, REFUSED, "vpunpcklbw %xmm0,%xmm1,%xmm2" },
	{ "\xc5\xf8\x77", 3, N, 0, TAKEN, "vzeroupper" },
	{ "\x66\x0f\x38\x00\xc8", 5, N, 0, TAKEN, "pshufb %xmm0,%xmm1" },
	{ "\x66\x0f\x3a\x0f\xc8\x01", 6, N, 0, TAKEN, "palignr $0x1,%xmm0,%xmm1" },
	{ "\x66\x0f\x38\xdc\xc8", 5, N, 0, TAKEN, "aesenc %xmm0,%xmm1" },
	{ "\x66\x0f\x6f\x00", 4, N, 0, TAKEN, "movdqa (%rax),%xmm0" },
	{ "\x66\x0f\xef\xc0", 4, N, 0, TAKEN, "pxor %xmm0,%xmm0" },
	{ "\x0f\xae\xf0", 3, N, 0, TAKEN, "mfence" },
	{ "\x0f\xae\xe8", 3, N, 0, TAKEN, "lfence" },
	{ "\xf3\x0f\x1e\xfa", 4, N, 0, TAKEN, "endbr64" },
	{ "\x66\x0f\x1f\x04\x00", 5, N, 0, TAKEN, "nopw (%rax,%rax,1)" },
	{ "\xc8\x08\x00\x00", 4, N, 0, TAKEN, "enter $0x8,$0x0" },
	{ "\xc9", 1, N, 0, TAKEN, "leave" },
	{ "\xff\xd0", 2, CALL, 0, TAKEN, "call *%rax" },
	{ "\xff\x15\x08\x00\x00\x00", 6, CALL, 0, TAKEN, "call *0x8(%rip)" },
	{ "\xff\x25\x08\x00\x00\x00", 6, JUMP, 0, TAKEN, "jmp *0x8(%rip)" },
	{ "\xff\x18", 2, CALL, 0, TAKEN, "lcall *(%rax)" },
	{ "\xff\x28", 2, JUMP, 0, TAKEN, "ljmp *(%rax)" },
	{ "\xe3\x00", 2, COND, 2, TAKEN, "jrcxz 0xb7" },
	{ "\xe2\x00", 2, COND, 2, TAKEN, "loop 0xb9" },
	{ "\x48\xa1\x88\x77\x66\x55\x44\x33\x22\x11", 10, N, 0, TAKEN, "movabs 0x1122334455667788,%rax" },
	{ "\x48\xb8\x88\x77\x66\x55\x44\x33\x22\x11", 10, N, 0, TAKEN, "movabs $0x1122334455667788,%rax" },
	{ "\xf1", 1, N, 0, REFUSED, "int1" },
	{ "\x66\x90", 2, N, 0, TAKEN, "xchg %ax,%ax" },
	{ "\x90", 1, N, 0, TAKEN, "nop" },
	{ "\x50", 1, N, 0, TAKEN, "push %rax" },
	{ "\x41\x54", 2, N, 0, TAKEN, "push %r12" },
	{ "\x6a\x03", 2, N, 0, TAKEN, "push $0x3" },
	{ "\x9c", 1, N, 0, TAKEN, "pushf" },
	{ "\x9d", 1, N, 0, TAKEN, "popf" },
	{ "\xf3\xa4", 2, N, 0, TAKEN, "rep movsb %ds:(%rsi),%es:(%rdi)" },
	{ "\xc7\xf8\x00\x00\x00\x00", 6, N, 0, TAKEN, "xbegin 0xe0" },
	{ "\x0f\x01\xd5", 3, N, 0, TAKEN, "xend" },
	{ "\x0f\x30", 2, N, 0, TAKEN, "wrmsr" },
	{ "\x0f\xb9\xd8", 3, STOP, 0, TAKEN, "ud1 %eax,%ebx" },
	{ "\x48\x0f\x07", 3, N, 0, TAKEN, "sysretq" },
	{ "\x0f\x06", 2, N, 0, TAKEN, "clts" },
	{ "\xd9\x00", 2, N, 0, TAKEN, "flds (%rax)" },
	{ "\x9b", 1, N, 0, TAKEN, "fwait" },
	{ "\x48\x0f\xc7\x08", 4, N, 0, TAKEN, "cmpxchg16b (%rax)" },
	{ "\xf0\x48\x0f\xb1\x08", 5, N, 0, REFUSED, "lock cmpxchg %rcx,(%rax)" },
	{ "\xa8\x01", 2, N, 0, TAKEN, "test $0x1,%al" },
	{ "\xf7\x00\x01\x00\x00\x00", 6, N, 0, TAKEN, "testl $0x1,(%rax)" },
	{ "\xf6\x44\x98\x08\x01", 5, N, 0, TAKEN, "testb $0x1,0x8(%rax,%rbx,4)" },
	{ "\xf7\x10", 2, N, 0, TAKEN, "notl (%rax)" },
	{ "\x48\x6b\xd8\x05", 4, N, 0, TAKEN, "imul $0x5,%rax,%rbx" },
	{ "\x66\xb8\x05\x00", 4, N, 0, TAKEN, "mov $0x5,%ax" },
	{ "\xc4\xe1\xfb\x93\xc1", 5, N, 0, TAKEN, "kmovq %k1,%rax" },
	{ "\x62\xf3\xfd\x48\x00\xc8\x01", 7, N, 0, TAKEN, "vpermq $0x1,%zmm0,%zmm1" },
	{ "\x62\xf3\x75\x48\x25\xd0\x01", 7, N, 0, TAKEN, "vpternlogd $0x1,%zmm0,%zmm1,%zmm2" },
	{ "\xc4\xe2\xe0\xf2\xc8", 5, N, 0, TAKEN, "andn %rax,%rbx,%rcx" },
	{ "\x8f\xe8\x78\xc2\xf4\x05", 6, N, 0, OURS, "vprotd $0x5,%xmm4,%xmm6" },
	{ "\x8f\xea\x78\x10\xc3\x04\x03\x00\x00", 9, N, 0, OURS, "bextr $0x304,%ebx,%eax" },
	{ "\x8f\xe9\x78\x01\xcb", 5, N, 0, OURS, "blcfill %ebx,%eax" },
	{ "\x8f\x00", 2, N, 0, TAKEN, "pop (%rax)" },
	{ "\xc4\xe3\xfb\xf0\xd8\x01", 6, N, 0, TAKEN, "rorx $0x1,%rax,%rbx" },
	{ "\xc4\xe2\x71\xb8\xd0", 5, N, 0, TAKEN, "vfmadd231ps %xmm0,%xmm1,%xmm2" },
	{ "\x48\x0f\xc8", 3, N, 0, TAKEN, "bswap %rax" },
	{ "\x62\xf5\x7c\x48\x58\xc0", 6, N, 0, TAKEN, "vaddph %zmm0,%zmm0,%zmm0" },
};

TEST(x86_lengths_and_kinds_are_those_of_objdump)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86); i++) {
		struct arch_insn insn;

		if (!strcmp(x86[i].text, "bad")) {
			CHECK(!decode(&arch_x86_64, x86[i].bytes, x86[i].n, &insn));
			continue;
		}
		if (!decode(&arch_x86_64, x86[i].bytes, x86[i].n, &insn) || insn.len != x86[i].n) {
			t_fail(__FILE__, __LINE__, "%s: length %u", x86[i].text, insn.len);
			continue;
		}
		check_kind(&insn, x86[i].kind, x86[i].target, x86[i].text);
		for (size_t n = 0; n < x86[i].n; n++)
			CHECK(!decode(&arch_x86_64, x86[i].bytes, n, &insn));
	}
}

/* uprobes take far calls and jumps, kprobes do not */
static bool is_far(const char *text)
{
	return !strncmp(text, "lcall", 5) || !strncmp(text, "ljmp", 4);
}

TEST(x86_what_uprobes_refuse_is_what_the_kernel_refused)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86); i++) {
		struct arch_insn insn;

		if (!decode(&arch_x86_64, x86[i].bytes, x86[i].n, &insn))
			continue;
		CHECK_SAY(is_taken(&insn) == (x86[i].kernel == TAKEN && !is_far(x86[i].text)), "%s: flags 0x%x",
			  x86[i].text, insn.flags);
	}
}

TEST(x86_more_than_fifteen_bytes_are_no_instruction)
{
	struct arch_insn insn;
	char p[32];

	memset(p, 0x66, sizeof(p));
	p[14] = (char)0x90;
	CHECK(decode(&arch_x86_64, p, sizeof(p), &insn));
	CHECK_EQ(insn.len, 15);
	p[14] = 0x66;
	p[15] = (char)0x90;
	CHECK(!decode(&arch_x86_64, p, sizeof(p), &insn));
}

TEST(argument_registers_are_those_of_the_abi)
{
	static const char *const arm[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };
	static const char *const intel[] = { "di", "si", "dx", "cx", "r8", "r9" };

	CHECK_EQ(arch_aarch64.n_arg_regs, ARRAY_SIZE(arm));
	for (size_t i = 0; i < ARRAY_SIZE(arm); i++)
		CHECK_STR(arch_aarch64.regs[arch_aarch64.arg_regs[i]].name, arm[i]);
	CHECK_EQ(arch_x86_64.n_arg_regs, ARRAY_SIZE(intel));
	for (size_t i = 0; i < ARRAY_SIZE(intel); i++)
		CHECK_STR(arch_x86_64.regs[arch_x86_64.arg_regs[i]].name, intel[i]);
	CHECK_STR(arch_aarch64.regs[arch_aarch64.ret_reg].name, "x0");
	CHECK_STR(arch_x86_64.regs[arch_x86_64.ret_reg].name, "ax");
}

TEST(insn_tells_marks_and_constants_of_arm64)
{
	/* nop, bti c, paciasp, pacibsp */
	static const uint32_t marks[] = { 0xd503201f, 0xd503245f, 0xd503233f, 0xd503237f };
	static const struct { uint32_t word; int off; unsigned size; } literals[] = {
		{ 0x58000041, 8, 8 }, { 0x18ffffc1, -8, 4 }, { 0x98000041, 8, 4 }, { 0x1c000041, 8, 4 },
		{ 0x5c000041, 8, 8 }, { 0x9c000041, 8, 16 }, { 0xd8000040, 0, 0 }, { 0xf9400420, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		CHECK(word(marks[i]).flags & ARCH_INSN_MARK);
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		CHECK_EQ((word(marks[i]).flags & ARCH_INSN_NOP) != 0, i == 0);
	CHECK(!(word(0xaa0103e0).flags & ARCH_INSN_MARK));
	CHECK(!(word(0xd503205f).flags & ARCH_INSN_MARK));
	for (size_t i = 0; i < ARRAY_SIZE(literals); i++) {
		struct arch_insn insn;
		uint8_t p[4];

		put_word(p, literals[i].word);
		CHECK(arch_aarch64.insn(p, 4, 0x1000, &insn));
		CHECK_EQ(insn.literal_size, literals[i].size);
		CHECK_EQ(insn.literal, literals[i].size ? 0x1000 + (uint64_t)literals[i].off : 0);
	}
}

TEST(insn_tells_marks_of_x86)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa }, push[] = { 0x55 };
	struct arch_insn insn;

	CHECK(arch_x86_64.insn(endbr64, sizeof(endbr64), 0x1000, &insn));
	CHECK(insn.flags & ARCH_INSN_MARK);
	CHECK_EQ(insn.len, 4);
	CHECK(arch_x86_64.insn(push, sizeof(push), 0x1000, &insn));
	CHECK(!(insn.flags & ARCH_INSN_MARK));
}
