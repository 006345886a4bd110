/*
 * test_usdt.c - USDT notes in files built by hand, and operands as gcc and clang really write them for both
 * architectures (sys/sdt.h of systemtap 4.8; -O0 to -O2).
 */
#include "t.h"

#include "arch/arch.h"
#include "obj/elf/usdt.h"
#include "obj_build.h"

/* --- notes --- */

enum { CODE = 0x11000, DATA = 0x22000, BASE = 0x1f000, MOVED = 0x3000 };

static uint8_t notes[2048];

struct marker {
	const char *owner;
	uint64_t pc, semaphore;
	const char *strings;
	size_t n;
};

#define MARKER(pc, semaphore, strings) (&(struct marker){ "stapsdt", pc, semaphore, strings, sizeof(strings) })

/* Behind the notes that end at `at`; returns where this one ends. */
static size_t put_note(const struct build *b, size_t at, const struct marker *m)
{
	size_t w = b->is32 ? 4 : 8, owner_n = strlen(m->owner) + 1;

	build_put(b, notes + at, owner_n, 4);
	build_put(b, notes + at + 4, 3 * w + m->n, 4);
	build_put(b, notes + at + 8, 3, 4);
	at += 12;
	memcpy(notes + at, m->owner, owner_n);
	at += ALIGN_UP(owner_n, 4);
	build_put(b, notes + at, m->pc, w);
	build_put(b, notes + at + w, BASE, w);
	build_put(b, notes + at + 2 * w, m->semaphore, w);
	at += 3 * w;
	memcpy(notes + at, m->strings, m->n);
	return at + ALIGN_UP(m->n, 4);
}

/* A program that was moved by MOVED after it was linked; code and data lie elsewhere in the file than in memory. */
static void build(struct build *b, size_t n_notes)
{
	static const uint8_t some[256];
	uint32_t text = build_section(b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = CODE + MOVED, .size = 256,
	}, some);
	uint32_t probes = build_section(b, ".probes", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC, .addr = DATA + MOVED, .size = 64,
	}, some);

	build_section(b, ".stapsdt.base", (struct elf_section){ .type = 1, .addr = BASE + MOVED, .size = 1 }, some);
	build_section(b, ".note.stapsdt", (struct elf_section){
		.type = ELF_NOTE, .size = n_notes, .align = 4,
	}, notes);
	build_segment(b, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .offset = b->section[text].offset,
		.vaddr = CODE + MOVED, .filesz = 256, .memsz = 256,
	});
	build_segment(b, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_W, .offset = b->section[probes].offset,
		.vaddr = DATA + MOVED, .filesz = 64, .memsz = 128,
	});
	build_finish(b);
}

struct seen {
	struct usdt v[8];
	size_t n, stop;
};

static int keep(void *arg, const struct usdt *u)
{
	struct seen *s = arg;

	s->v[s->n++] = *u;
	return s->n == s->stop ? -ECANCELED : 0;
}

static int read_all(const struct build *b, struct seen *s, unsigned *damaged)
{
	struct elf f;

	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	return usdt_each(&f, keep, s, damaged);
}

static size_t two_notes(const struct build *b)
{
	static const struct marker other = { "GNU", 1, 3, "a\0b\0c", 6 };
	size_t n = put_note(b, 0, MARKER(CODE + 0x10, 0, "libc\0setjmp\0" "8@x0 -4@w1"));

	n = put_note(b, n, &other);
	/* its strings need padding */
	return put_note(b, n, MARKER(CODE + 0x24, DATA + 6, "p\0q\0"));
}

static void check_two(bool is32, bool msb)
{
	static struct build b;
	struct seen s = { 0 };
	unsigned damaged;

	b = (struct build)BUILD_AARCH64;
	b.is32 = is32;
	b.msb = msb;
	build(&b, two_notes(&b));
	CHECK_EQ(read_all(&b, &s, &damaged), 0);
	CHECK_EQ(damaged, 0);
	CHECK_EQ(s.n, 2);
	CHECK_STR(s.v[0].provider, "libc");
	CHECK_STR(s.v[0].name, "setjmp");
	CHECK_STR(s.v[0].args, "8@x0 -4@w1");
	CHECK_EQ(s.v[0].pc, CODE + MOVED + 0x10);
	CHECK_EQ(s.v[0].offset, b.section[1].offset + 0x10);
	CHECK_EQ(s.v[0].semaphore, 0);
	CHECK_EQ(s.v[0].semaphore_offset, 0);
	CHECK_STR(s.v[1].args, "");
	CHECK_EQ(s.v[1].offset, b.section[1].offset + 0x24);
	CHECK_EQ(s.v[1].semaphore, DATA + MOVED + 6);
	CHECK_EQ(s.v[1].semaphore_offset, b.section[2].offset + 6);
}

TEST(usdt_markers_of_a_file_that_was_moved_after_linking)
{
	check_two(false, false);
	check_two(false, true);
	check_two(true, false);
	check_two(true, true);
}

TEST(usdt_each_stops_where_it_is_told)
{
	static struct build b = BUILD_AARCH64;
	struct seen s = { .stop = 1 };
	unsigned damaged;

	build(&b, two_notes(&b));
	CHECK_EQ(read_all(&b, &s, &damaged), -ECANCELED);
	CHECK_EQ(s.n, 1);
}

TEST(usdt_damaged_markers_are_counted_and_the_others_read)
{
	static struct build b = BUILD_AARCH64;
	struct seen s = { 0 };
	unsigned damaged;
	size_t n = put_note(&b, 0, MARKER(CODE, 0, "p\0q"));    /* no third string */

	n = put_note(&b, n, MARKER(CODE + 0x100, 0, "p\0beyond\0"));
	n = put_note(&b, n, MARKER(CODE, DATA + 64, "p\0bss\0"));    /* its semaphore is not in the file */
	n = put_note(&b, n, MARKER(CODE, 0, "\0nobody\0"));
	n = put_note(&b, n, MARKER(CODE + 4, 0, "p\0good\0"));
	n = put_note(&b, n, MARKER(CODE, 0, "p\0cut\0"));
	build(&b, n - 5);
	CHECK_EQ(read_all(&b, &s, &damaged), 0);
	CHECK_EQ(damaged, 5);
	CHECK_EQ(s.n, 1);
	CHECK_STR(s.v[0].name, "good");
}

TEST(usdt_of_a_file_without_any)
{
	static struct build b = BUILD_AARCH64;
	struct seen s = { 0 };
	unsigned damaged = 7;

	build_finish(&b);
	CHECK_EQ(read_all(&b, &s, &damaged), 0);
	CHECK_EQ(damaged, 0);
	CHECK_EQ(s.n, 0);
}

/* --- arguments --- */

static void check_split(const char *args, const char *want)
{
	char got[256];
	size_t n = 0;
	struct sv rest = { guard_dup(args, strlen(args)), strlen(args) };
	struct usdt_arg a;

	got[0] = 0;
	while (usdt_next(&rest, &a))
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%d%s{%.*s}", a.size, a.is_float ? "f" : "",
				      (int)a.operand.n, a.operand.s);
	CHECK_STR(got, want);
}

TEST(usdt_arguments_are_split_where_a_size_begins)
{
	check_split("", "");
	check_split("  ", "");
	check_split("8@x0", "8{x0}");
	check_split("-8@x1 4@[sp, 12] -1@[x1, w2, sxtw 3] 2@#5", "-8{x1}4{[sp, 12]}-1{[x1, w2, sxtw 3]}2{#5}");
	check_split("8f@d0 -4f@s1  1@%al", "8f{d0}-4f{s1}1{%al}");
	check_split("-8@(%r8,%rcx,8) -1@gc(%rip) 8@$-5", "-8{(%r8,%rcx,8)}-1{gc(%rip)}8{$-5}");
	check_split("16@xmm0 x0", "16{xmm0 x0}");
	check_split("%rdi", "8{%rdi}");
	check_split("4@ 8@x0", "");
	check_split("8@", "");
}

static void check_operand(const struct arch *a, const char *text, const char *want)
{
	static const char *const kinds[] = { "none", "reg", "mem", "const" };
	size_t n = strlen(text);
	struct arch_usdt u;
	char got[64];

	memset(&u, 0xff, sizeof(u));
	a->usdt(guard_dup(text, n), n, &u);
	snprintf(got, sizeof(got), "%s %s %lld", kinds[u.kind], u.kind && u.reg ? u.reg->name : "-",
		 u.kind ? (long long)u.off : 0);
	CHECK_SAY(!strcmp(got, want), "%s is '%s', not '%s'", text, got, want);
}

TEST(usdt_operands_of_arm64)
{
	static const char *const cases[][2] = {
		{ "x0", "reg x0 0" }, { "w29", "reg x29 0" }, { "x30", "reg lr 0" }, { "lr", "reg lr 0" },
		{ "fp", "reg x29 0" }, { "sp", "reg sp 0" }, { "wsp", "reg sp 0" }, { "xzr", "const - 0" },
		{ "wzr", "const - 0" }, { "[x2]", "mem x2 0" }, { "[sp]", "mem sp 0" }, { "[sp, 12]", "mem sp 12" },
		{ "[sp,12]", "mem sp 12" }, { "[x0, -8]", "mem x0 -8" }, { "[x0, #-8]", "mem x0 -8" },
		{ "[x29, #0x10]", "mem x29 16" }, { "5", "const - 5" }, { "-5", "const - -5" }, { "#5", "const - 5" },
		{ "#-5", "const - -5" }, { "18446744073709551615", "const - -1" },
		{ "9223372036854775807", "const - 9223372036854775807" },
		{ "[x3, x4]", "none - 0" }, { "[x1, w2, sxtw 3]", "none - 0" }, { "[x0], 8", "none - 0" },
		{ "[x0, 8]!", "none - 0" }, { "[x0, :lo12:g]", "none - 0" }, { "x31", "none - 0" }, { "x", "none - 0" },
		{ "x-1", "none - 0" }, { "d0", "none - 0" }, { "v0.2d", "none - 0" }, { "[w1]", "none - 0" },
		{ "[xzr]", "none - 0" }, { "[]", "none - 0" }, { "[", "none - 0" }, { "", "none - 0" },
		{ "#", "none - 0" }, { "g", "none - 0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_operand(&arch_aarch64, cases[i][0], cases[i][1]);
}

TEST(usdt_operands_of_x86)
{
	static const char *const cases[][2] = {
		{ "%rax", "reg ax 0" }, { "%eax", "reg ax 0" }, { "%ax", "reg ax 0" }, { "%al", "reg ax 0" },
		{ "%dl", "reg dx 0" }, { "%bl", "reg bx 0" }, { "%rsi", "reg si 0" }, { "%edi", "reg di 0" },
		{ "%si", "reg si 0" }, { "%sil", "reg si 0" }, { "%bpl", "reg bp 0" }, { "%rsp", "reg sp 0" },
		{ "%rbp", "reg bp 0" }, { "%r8", "reg r8 0" }, { "%r8d", "reg r8 0" }, { "%r15w", "reg r15 0" },
		{ "%r12b", "reg r12 0" }, { "$5", "const - 5" }, { "$-5", "const - -5" }, { "$0x10", "const - 16" },
		{ "$18446744073709551615", "const - -1" }, { "(%rax)", "mem ax 0" }, { "8(%rsp)", "mem sp 8" },
		{ "-4(%rbp)", "mem bp -4" }, { "0(%r13)", "mem r13 0" },
		{ "%ah", "none - 0" }, { "%xmm0", "none - 0" }, { "%rip", "none - 0" }, { "%eflags", "none - 0" },
		{ "%cs", "none - 0" }, { "%r16", "none - 0" }, { "%r1", "none - 0" },
		{ "%", "none - 0" }, { "%r", "none - 0" }, { "", "none - 0" },
		{ "(%rax,%rbx,4)", "none - 0" }, { "g(%rip)", "none - 0" }, { "g+8(%rip)", "none - 0" },
		{ "8(%rip)", "none - 0" }, { "-8(%eax)", "none - 0" }, { "5", "none - 0" }, { "$g", "none - 0" },
		{ "%fs:8", "none - 0" }, { "()", "none - 0" }, { ")", "none - 0" }, { "$", "none - 0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_operand(&arch_x86_64, cases[i][0], cases[i][1]);
}
