/* unwind: frames of a stack that is made by hand, by rules and by frame records. */
#include "unwind/unwind.h"
#include "unwind/scan.h"

#include "obj_build.h"

enum { TEXT = 0x10000, BIAS = 0x550000, STACK = 0x7ff000, WORDS = 128 };

/* A process with one module at BIAS, and a stack. */
struct process {
	struct module module;
	uint64_t stack[WORDS];
};

static bool read_stack(void *arg, uint64_t addr, uint64_t *v)
{
	struct process *p = arg;

	if (addr % 8 || addr < STACK || addr >= STACK + sizeof(p->stack))
		return false;
	*v = p->stack[(addr - STACK) / 8];
	return true;
}

static bool code_at(void *arg, uint64_t pc, struct unwind_code *code)
{
	struct process *p = arg;

	*code = (struct unwind_code){ &p->module, BIAS };
	return pc >= BIAS + TEXT && pc < BIAS + TEXT + 0x1000;
}

/*
 * Functions of 64 bytes each from TEXT on:
 *   0  a leaf                      1  has a frame of 32 bytes, record at its bottom, signed return address
 *   2  the outermost one           3  what signal handlers return to: rt_sigreturn is called
 *   4, 5 have no rules             6  the frame address is an expression: what lies at sp+8
 */
static void put(uint8_t *v, size_t *n, const void *bytes, size_t size)
{
	memcpy(v + *n, bytes, size);
	*n += size;
}

static void put_u32(uint8_t *v, size_t *n, uint32_t x)
{
	put(v, n, &x, 4);
}

static void entry(uint8_t *v, size_t *n, uint32_t cie, unsigned function, const void *insns, size_t size)
{
	size_t at = *n;
	uint32_t length;

	put_u32(v, n, 0);
	put_u32(v, n, cie == UINT32_MAX ? 0 : (uint32_t)(*n - cie));
	if (cie == UINT32_MAX) {
		put(v, n, insns, size);
	} else {
		put_u32(v, n, (uint32_t)(TEXT + 64 * function));
		put_u32(v, n, 64);
		put(v, n, "", 1);
		put(v, n, insns, size);
	}
	while (*n % 4)
		put(v, n, "", 1);
	length = (uint32_t)(*n - at - 4);
	memcpy(v + at, &length, 4);
}

#define ENTRY(cie, function, insns) entry(v, &n, cie, function, insns, sizeof(insns) - 1)
#define CIE UINT32_MAX

static void make(struct process *p)
{
	static struct build file;
	static uint32_t code[16 * 8] = { [3 * 16] = 0xd2801168, 0xd4000001 };   /* mov x8, #139; svc #0 */
	uint8_t v[1024];
	size_t n = 0;
	uint32_t usual, text;

	/* Version 1, "zR" with absolute addresses of 4 bytes, alignments 4 and -8, x30; CFA sp. */
	usual = (uint32_t)n;
	ENTRY(CIE, 0, "\1zR\0\x04\x78\x1e\1\x03\x0c\x1f\0");
	ENTRY(usual, 0, "");
	ENTRY(usual, 1, "\x2d\x41\x0e\x20\x9d\x04\x9e\x03");
	ENTRY(usual, 2, "\x07\x1e");
	ENTRY(usual, 6, "\x0f\x03\x8f\x08\x06\x9e\x01");
	put_u32(v, &n, 0);
	file = (struct build)BUILD_AARCH64;
	build_section(&file, ".eh_frame", (struct elf_section){ .type = 1, .size = n }, v);
	text = build_section(&file, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = TEXT, .size = sizeof(code),
	}, code);
	build_segment(&file, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .offset = file.section[text].offset, .vaddr = TEXT,
		.filesz = sizeof(code), .memsz = sizeof(code),
	});
	build_finish(&file);
	*p = (struct process){ 0 };
	CHECK_EQ(module_borrow(&p->module, guard_dup(file.v, file.n), file.n, &(struct module_want){ 0 }, NULL), 0);
}

static uint64_t at(unsigned function, unsigned off)
{
	return BIAS + TEXT + 64 * function + off;
}

static struct unwind_regs regs(uint64_t pc, uint64_t sp, uint64_t fp, uint64_t lr)
{
	struct unwind_regs r = { .pc = pc };

	unwind_reg_set(&r, 31, sp);
	unwind_reg_set(&r, 29, fp);
	unwind_reg_set(&r, 30, lr);
	return r;
}

static const uint64_t pac = 0x5aULL << 48;

static size_t frames(struct process *p, const struct unwind_regs *r, struct unwind_frame *f, size_t max,
		     enum unwind_end *end)
{
	struct unwind_process how = { read_stack, code_at, p };
	struct unwind *u = unwind_new(&arch_aarch64);
	size_t n = unwind_stack(u, &how, r, f, max, end), again;
	struct unwind_frame g[16];
	enum unwind_end end_again;

	/* With rules that are known by now it is the same. */
	again = unwind_stack(u, &how, r, g, MIN(max, ARRAY_SIZE(g)), &end_again);
	CHECK(again == n && end_again == *end);
	for (size_t i = 0; i < n; i++)
		CHECK(f[i].pc == g[i].pc && f[i].how == g[i].how && f[i].returns == g[i].returns);
	unwind_free(u);
	return n;
}

static void check_frame(const struct unwind_frame *f, uint64_t pc, enum unwind_how how, bool returns)
{
	CHECK_EQ(f->pc, pc);
	CHECK_EQ(f->how, how);
	CHECK_EQ(f->returns, returns);
}

TEST(unwind_follows_rules_from_a_leaf_to_the_outermost_frame)
{
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p;

	make(&p);
	/* leaf <- 1 <- 1 <- 2 */
	p.stack[0] = STACK + 32, p.stack[1] = at(1, 20) | pac;
	p.stack[4] = 0, p.stack[5] = at(2, 8) | pac;

	struct unwind_regs r = regs(at(0, 4), STACK, STACK, at(1, 12) | pac);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 4);
	CHECK_EQ(end, UNWIND_OUTERMOST);
	check_frame(&f[0], at(0, 4), UNWIND_SAMPLED, false);
	check_frame(&f[1], at(1, 12), UNWIND_RULES, true);
	check_frame(&f[2], at(1, 20), UNWIND_RULES, true);
	check_frame(&f[3], at(2, 8), UNWIND_RULES, true);
	CHECK_EQ(frames(&p, &r, f, 2, &end), 2);
	CHECK_EQ(end, UNWIND_FULL);
	module_close(&p.module);
}

/* A handler (1) returns to the trampoline (3), which the kernel has put above what it interrupted: a leaf (0). */
TEST(unwind_goes_through_a_signal_frame)
{
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p;

	make(&p);
	p.stack[0] = 0, p.stack[1] = at(3, 0);

	uint64_t *frame = &p.stack[4];   /* 128 bytes siginfo, 176 of ucontext, fault_address, x0 .. */

	frame[39 + 29] = 0, frame[39 + 30] = at(2, 8), frame[39 + 31] = STACK, frame[39 + 32] = at(0, 0);

	struct unwind_regs r = regs(at(1, 32), STACK, STACK, 0);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 4);
	CHECK_EQ(end, UNWIND_OUTERMOST);
	check_frame(&f[1], at(3, 0), UNWIND_RULES, true);
	check_frame(&f[2], at(0, 0), UNWIND_SIGNAL, false);
	check_frame(&f[3], at(2, 8), UNWIND_RULES, true);
	module_close(&p.module);
}

TEST(unwind_follows_frame_records_where_there_are_no_rules)
{
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p;

	make(&p);
	p.stack[0] = STACK + 64, p.stack[1] = at(5, 4) | pac;
	p.stack[8] = 0, p.stack[9] = at(2, 4);

	struct unwind_regs r = regs(at(4, 8), STACK, STACK, 0);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 3);
	CHECK_EQ(end, UNWIND_OUTERMOST);
	check_frame(&f[1], at(5, 4), UNWIND_RECORD, true);
	check_frame(&f[2], at(2, 4), UNWIND_RECORD, true);
	/* A record that leads back, one that is no address of the stack, one beyond what was copied. */
	p.stack[0] = STACK;
	CHECK_EQ(frames(&p, &r, f, 16, &end), 1);
	CHECK_EQ(end, UNWIND_BROKEN);
	/* What has rules needs no record: anything may be in that register. */
	p.stack[1] = at(1, 16) | pac;
	p.stack[2] = 7, p.stack[3] = at(2, 4);
	CHECK_EQ(frames(&p, &r, f, 16, &end), 3);
	CHECK_EQ(end, UNWIND_OUTERMOST);
	check_frame(&f[1], at(1, 16), UNWIND_RECORD, true);
	check_frame(&f[2], at(2, 4), UNWIND_RULES, true);
	r = regs(at(4, 8), STACK, STACK + 4, 0);
	CHECK_EQ(frames(&p, &r, f, 16, &end), 1);
	CHECK_EQ(end, UNWIND_NO_RULES);
	r = regs(at(4, 8), STACK, STACK + sizeof(p.stack), 0);
	CHECK_EQ(frames(&p, &r, f, 16, &end), 1);
	CHECK_EQ(end, UNWIND_NO_MEMORY);
	module_close(&p.module);
}

/* The first one's frame has more than its record, which only its size would tell: it has no rules. */
TEST(unwind_finds_frames_behind_a_record_by_the_record_of_their_own)
{
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p;

	make(&p);
	p.stack[0] = STACK + 64, p.stack[1] = at(1, 16) | pac;
	/* Function 1 has its record at the bottom of 32 bytes: its frame ends at STACK + 96. */
	p.stack[8] = STACK + 120, p.stack[9] = at(1, 16) | pac;
	p.stack[12] = 0, p.stack[13] = at(2, 4);

	struct unwind_regs r = regs(at(4, 8), STACK, STACK, 0);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 4);
	CHECK_EQ(end, UNWIND_OUTERMOST);
	check_frame(&f[1], at(1, 16), UNWIND_RECORD, true);
	check_frame(&f[2], at(1, 16), UNWIND_RULES, true);
	check_frame(&f[3], at(2, 4), UNWIND_RULES, true);
	module_close(&p.module);
}

TEST(unwind_works_out_expressions)
{
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p;

	make(&p);
	/* The frame address lies at sp+8; the return address 8 below it. */
	p.stack[1] = STACK + 48, p.stack[5] = at(2, 4);

	struct unwind_regs r = regs(at(6, 8), STACK, 0, 0);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 2);
	check_frame(&f[1], at(2, 4), UNWIND_RULES, true);
	module_close(&p.module);
}

TEST(unwind_ends_where_nothing_is_mapped)
{
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p;

	make(&p);
	struct unwind_regs r = regs(at(0, 4), STACK, STACK, 0x1234);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 2);
	check_frame(&f[1], 0x1234, UNWIND_RULES, true);
	CHECK_EQ(end, UNWIND_UNMAPPED);
	/* The return address of a leaf that has called is nowhere. */
	r = regs(at(0, 4), STACK, STACK, at(0, 8));
	CHECK_EQ(frames(&p, &r, f, 16, &end), 2);
	CHECK_EQ(end, UNWIND_BROKEN);
	r.known &= ~(1ULL << 30);
	CHECK_EQ(frames(&p, &r, f, 16, &end), 1);
	CHECK_EQ(end, UNWIND_NO_MEMORY);
	module_close(&p.module);
}

TEST(unwind_knows_where_the_caller_is_in_the_link_register)
{
	struct unwind *u = unwind_new(&arch_aarch64), *x = unwind_new(&arch_x86_64);
	struct process p;

	make(&p);
	CHECK(unwind_caller_in_lr(u, &p.module, TEXT + 4));
	CHECK(unwind_caller_in_lr(u, &p.module, TEXT + 64));
	CHECK(!unwind_caller_in_lr(u, &p.module, TEXT + 64 + 4));
	CHECK(!unwind_caller_in_lr(u, &p.module, TEXT + 64 * 4));
	CHECK(!unwind_caller_in_lr(x, &p.module, TEXT + 4));
	unwind_free(u);
	unwind_free(x);
	module_close(&p.module);
}

/* The instructions of a function, and for each whether the return address is in the link register only. */
static const struct line {
	uint32_t insn;
	bool in_lr;
	const char *text;
} usual[] = {
	{ 0xd503233f, true, "paciasp" },
	{ 0xa9be7bfd, true, "stp x29, x30, [sp, #-32]!" },
	{ 0xf9000bf3, true, "str x19, [sp, #16]" },
	{ 0x910003fd, true, "mov x29, sp" },
	{ 0xaa0003f3, false, "mov x19, x0" },
	{ 0x94000010, false, "bl" },
	{ 0xb4000060, false, "cbz x0, 1f" },
	{ 0xf9400bf3, false, "ldr x19, [sp, #16]" },
	{ 0xa8c27bfd, false, "ldp x29, x30, [sp], #32" },
	{ 0xd50323bf, true, "autiasp" },
	{ 0xd65f03c0, true, "ret" },
	{ 0xd2800000, false, "1: mov x0, #0" },
	{ 0x94000010, false, "bl" },
	{ 0xa8c27bfd, false, "ldp x29, x30, [sp], #32" },
	{ 0x14000010, true, "b elsewhere" },
	{ 0xd503201f, false, "nop" },
}, leaf[] = {
	{ 0x8b000000, true, "add x0, x0, x0" },
	{ 0x54000041, true, "b.ne" },
	{ 0xd65f03c0, true, "ret" },
	{ 0xd2800000, true, "mov x0, #0" },
	{ 0xd65f03c0, true, "ret" },
}, go[] = {
	{ 0xf81d0ffe, true, "str x30, [sp, #-48]!" },
	{ 0xf81f83fd, true, "stur x29, [sp, #-8]" },
	{ 0xd10023fd, true, "sub x29, sp, #8" },
	{ 0x94000010, false, "bl" },
	{ 0xa97ffbfd, false, "ldp x29, x30, [sp, #-8]" },
	{ 0x9100c3ff, true, "add sp, sp, #48" },
	{ 0xd65f03c0, true, "ret" },
};

/* Without call frame information: functions with symbols at TEXT, one behind the other. */
TEST(unwind_knows_by_the_code_where_the_link_register_has_the_caller)
{
	static struct build file;
	const struct {
		const struct line *v;
		size_t n;
	} functions[] = {
		{ usual, ARRAY_SIZE(usual) }, { leaf, ARRAY_SIZE(leaf) }, { go, ARRAY_SIZE(go) },
	};
	struct unwind *u = unwind_new(&arch_aarch64);
	struct process p = { 0 };
	uint32_t code[64], text;
	size_t n = 0;

	file = (struct build)BUILD_AARCH64;
	for (size_t f = 0; f < ARRAY_SIZE(functions); f++)
		for (size_t i = 0; i < functions[f].n; i++)
			code[n++] = functions[f].v[i].insn;
	text = build_section(&file, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = TEXT, .size = n * 4,
	}, code);
	build_segment(&file, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .offset = file.section[text].offset, .vaddr = TEXT,
		.filesz = n * 4, .memsz = n * 4,
	});
	n = 0;
	for (size_t f = 0; f < ARRAY_SIZE(functions); f++) {
		build_symbol(&file, "f", (struct elf_symbol){
			.value = TEXT + n * 4, .size = functions[f].n * 4, .type = ELF_FUNC, .bind = ELF_GLOBAL,
			.section = (uint16_t)text,
		});
		n += functions[f].n;
	}
	build_symbols(&file, ELF_SYMTAB);
	build_finish(&file);
	CHECK_EQ(module_borrow(&p.module, guard_dup(file.v, file.n), file.n, &(struct module_want){ 0 }, NULL), 0);
	n = 0;
	for (size_t f = 0; f < ARRAY_SIZE(functions); f++) {
		for (size_t i = 0; i < functions[f].n; i++, n++) {
			const struct line *l = &functions[f].v[i];

			CHECK_SAY(unwind_caller_in_lr(u, &p.module, TEXT + n * 4) == l->in_lr, "function %zu, %s", f,
				  l->text);
		}
	}
	unwind_free(u);
	module_close(&p.module);
}

/* The frame at each instruction by the code alone: bytes of it, or NONE where nothing is to be told. */
enum { NONE = -1 };

static const struct place {
	uint32_t insn;
	int frame;
	const char *text;
} first[] = {
	{ 0xd10103ff, NONE, "sub sp, sp, #64" },
	{ 0xf9000bfe, NONE, "str x30, [sp, #16]" },
	{ 0xf9000ff3, 64, "str x19, [sp, #24]" },
	{ 0x94000010, 64, "bl" },
	{ 0xb4000080, 64, "cbz x0, 1f" },
	{ 0xf9400bfe, 64, "ldr x30, [sp, #16]" },
	{ 0x910103ff, 64, "add sp, sp, #64" },
	{ 0xd65f03c0, NONE, "ret" },
	{ 0x94000010, 64, "1: bl" },
	{ 0xf9400bfe, 64, "ldr x30, [sp, #16]" },
	{ 0x910103ff, 64, "add sp, sp, #64" },
	{ 0xd65f03c0, NONE, "ret" },
}, second[] = {                                          /* nothing tells that it begins */
	{ 0xb4000100, NONE, "cbz x0, 1f" },
	{ 0xa9be4ffe, NONE, "stp x30, x19, [sp, #-32]!" },
	{ 0x94000010, 32, "bl" },
	{ 0xa8c24ffe, 32, "ldp x30, x19, [sp], #32" },
	{ 0xd65f03c0, NONE, "ret" },
}, third[] = {                                           /* as large as an array is */
	{ 0xf81f0ffe, NONE, "str x30, [sp, #-16]!" },
	{ 0xcb2063ff, 16, "sub sp, sp, x0" },
	{ 0x94000010, NONE, "bl" },
	{ 0x8b2063ff, NONE, "add sp, sp, x0" },
	{ 0xf84107fe, NONE, "ldr x30, [sp], #16" },
	{ 0xd65f03c0, NONE, "ret" },
}, fourth[] = {                                          /* stores it in what is its caller's */
	{ 0xd10083ff, NONE, "sub sp, sp, #32" },
	{ 0xf9001bfe, NONE, "str x30, [sp, #48]" },
	{ 0x94000010, NONE, "bl" },
	{ 0x910083ff, NONE, "add sp, sp, #32" },
	{ 0xd65f03c0, NONE, "ret" },
};

static void check_place(const struct place *l, bool is_known, bool got, const struct cfi_row *row)
{
	CHECK_SAY(got == (l->frame != NONE), "%s: %s", l->text, is_known ? "its function is known" : "it is not");
	if (got)
		CHECK_SAY(row->cfa.off == l->frame, "%s: sp+%lld", l->text, (long long)row->cfa.off);
}

TEST(frames_are_told_by_the_code_alone)
{
	static const struct {
		const struct place *v;
		size_t n;
	} functions[] = {
		{ first, ARRAY_SIZE(first) }, { second, ARRAY_SIZE(second) }, { third, ARRAY_SIZE(third) },
		{ fourth, ARRAY_SIZE(fourth) },
	};
	uint8_t code[256];
	size_t n = 0, all = 0;

	for (size_t f = 0; f < ARRAY_SIZE(functions); f++)
		for (size_t i = 0; i < functions[f].n; i++, all += 4)
			memcpy(code + all, &functions[f].v[i].insn, 4);
	for (size_t f = 0, start = 0; f < ARRAY_SIZE(functions); start += functions[f++].n * 4) {
		for (size_t i = 0; i < functions[f].n; i++, n += 4) {
			struct scan_code known = { code + start, n - start, all - n, true };
			struct scan_code around = { code, n, all - n, false };
			const struct place *l = &functions[f].v[i];
			struct scan_regs regs = { 31, 30 };
			struct cfi_row row;

			check_place(l, true, scan_row(&arch_aarch64, &known, regs, &row), &row);
			/* What cannot be followed any more is no frame; what can be is the same. */
			if (scan_row(&arch_aarch64, &around, regs, &row))
				check_place(l, false, true, &row);
			else
				CHECK_SAY(l->frame == NONE || f == 2, "%s: not found", l->text);
		}
	}
}

TEST(unwind_goes_on_where_only_the_code_tells_of_frames)
{
	static struct build file;
	static const uint32_t code[] = {
		0xd65f03c0, 0xa9be4ffe, 0x94000010, 0xa8c24ffe, 0xd65f03c0,               /* 4: stp x30, x19; bl */
		0xd10103ff, 0xf9001bfe, 0x94000010, 0xf9401bfe, 0x910103ff, 0xd65f03c0,   /* 20: sub sp, #64; str x30 */
	};
	struct unwind_frame f[16] = { 0 };
	enum unwind_end end;
	struct process p = { 0 };
	uint32_t text;

	file = (struct build)BUILD_AARCH64;
	text = build_section(&file, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = TEXT, .size = sizeof(code),
	}, code);
	build_segment(&file, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .offset = file.section[text].offset, .vaddr = TEXT,
		.filesz = sizeof(code), .memsz = sizeof(code),
	});
	build_finish(&file);
	CHECK_EQ(module_borrow(&p.module, guard_dup(file.v, file.n), file.n, &(struct module_want){ 0 }, NULL), 0);
	/* In the first one, called by the second one, called from where nothing is. */
	p.stack[0] = BIAS + TEXT + 32, p.stack[4 + 6] = BIAS + TEXT + 0x2000;

	struct unwind_regs r = regs(BIAS + TEXT + 12, STACK, 0, 0);

	CHECK_EQ(frames(&p, &r, f, 16, &end), 3);
	check_frame(&f[1], BIAS + TEXT + 32, UNWIND_SCAN, true);
	check_frame(&f[2], BIAS + TEXT + 0x2000, UNWIND_SCAN, true);
	CHECK_EQ(end, UNWIND_UNMAPPED);
	module_close(&p.module);
}
