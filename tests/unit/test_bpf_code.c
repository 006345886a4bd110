/* bpf/code: expressions as instructions give what tracefs/eval gives of the record. */
#include "bpf/code.h"
#include "bpf_machine.h"
#include "btf_build.h"
#include "engine/expr.h"

static const char format[] =
	"name: made\nID: 1\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char a;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield:unsigned short b;\toffset:10;\tsize:2;\tsigned:0;\n"
	"\tfield:int c;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int d;\toffset:16;\tsize:4;\tsigned:0;\n"
	"\tfield:long e;\toffset:24;\tsize:8;\tsigned:1;\n"
	"\tfield:u64 f;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:void * p;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:char t[8];\toffset:48;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%d\", REC->c\n";

struct record {
	uint16_t type;
	int32_t tid;
	int8_t a;
	uint16_t b;
	int32_t c;
	uint32_t d;
	int64_t e;
	uint64_t f, p;
	char t[8];
};

static struct tevents events;
static struct tevent *made;
static struct arena arena;

static void setup(void)
{
	tevents_init(&events, (struct tmachine){ .long_size = 8 });
	CHECK_EQ(tevents_add(&events, SV("sys"), SV(format), NULL), 0);
	made = tevents_by_name(&events, SV("sys"), SV("made"));
}

static enum code_word word(const struct texpr *x)
{
	return expr_hit_word(x);
}

static const struct texpr *compiled(const char *text)
{
	const struct texpr *x = NULL;
	struct err e = { 0 };

	CHECK_SAY(!expr_compile(&x, made, &arena, text, &e), "%s: %s", text, e.text);
	return x;
}

/* Each field as an argument, but for the last ones, which are members of what the argument points to. */
static const struct rawarg raw[] = {
	{ .off = 0 }, { .off = 8 }, { .off = 16 }, { .off = 24 },
	{ .off = 32, .is_member = true, .member = { offsetof(struct record, e), 8 } },
	{ .off = 32, .is_member = true, .member = { offsetof(struct record, f), 8 } }, { .off = 40 },
};

static struct {
	struct record record;
	uint64_t ctx[8];
	struct bpf_machine m;
	struct asm_prog a;
} k;

static uint64_t call(struct bpf_machine *m, int helper, bool *bad)
{
	switch (helper) {
	case BPF_CPU_ID: return 3;
	case BPF_PID_TGID: return 77ull << 32 | 78;
	case BPF_PROBE_READ_KERNEL:
		memcpy(machine_at(m, m->r[1], m->r[2]), machine_at(m, m->r[3], m->r[2]), m->r[2]);
		return 0;
	default:
		*bad = true;
		return 0;
	}
}

/* What code_look would find in a kernel's types. */
static void fields(struct code *c, const struct texpr *x)
{
	if (!x)
		return;
	if (x->op == TEXPR_FIELD && strcmp(x->field->name, "common_pid")) {
		for (unsigned i = 0; i < c->n_fetched; i++)
			if (c->fetched[i].field == x->field)
				return;
		CHECK(c->n_fetched < CODE_FETCHED);
		c->fetched[c->n_fetched++] = (struct code_fetched){
			.field = x->field, .raw = raw[strchr("abcdefp", x->field->name[0]) - "abcdefp"],
		};
		return;
	}
	if (x->op == TEXPR_NUM || x->op == TEXPR_FIELD || x->op == TEXPR_WORD)
		return;
	fields(c, x->a);
	fields(c, x->b);
}

static void build(const struct texpr *x, struct texpr_type *type)
{
	struct code c = { .a = &k.a, .event = "made", .word = word, .read = BPF_PROBE_READ_KERNEL };
	struct asm_label failed = { 0 };
	struct err e = { 0 };

	fields(&c, x);
	CHECK_SAY(!code_look(&c, x, &e), "%s", e.text);
	asm_init(&k.a);
	asm_reg(&k.a, ASM_MOV, CODE_CONTEXT, R1);
	code_fetch(&c, &failed);
	CHECK_SAY(!code_value(&c, x, type, &e), "%s", e.text);
	asm_reg(&k.a, ASM_MOV, R0, R1);
	asm_here(&k.a, &failed);
	asm_exit(&k.a);
	CHECK_EQ(asm_end(&k.a, NULL), 0);
}

static void fill(uint64_t seed)
{
	static const uint64_t hard[] = { 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
					 INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX };
	uint64_t v[7];

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		uint64_t r = hash_u64(seed * 8 + i);

		v[i] = r & 1 ? r : hard[(r >> 8) % ARRAY_SIZE(hard)];
	}
	k.record = (struct record){ 1, 78, (int8_t)v[0], (uint16_t)v[1], (int32_t)v[2], (uint32_t)v[3], (int64_t)v[4],
				    v[5], v[6], "text" };
	/* Arguments are wider than what is recorded of them: what is above it says nothing. */
	k.ctx[0] = ((uint64_t)(uint8_t)v[0]) | (hash_u64(seed) << 8);
	k.ctx[1] = ((uint64_t)(uint16_t)v[1]) | (hash_u64(seed) << 16);
	k.ctx[2] = ((uint64_t)(uint32_t)v[2]) | (hash_u64(seed) << 32);
	k.ctx[3] = ((uint64_t)(uint32_t)v[3]) | (hash_u64(~seed) << 32);
	k.ctx[4] = (uintptr_t)&k.record;
	k.ctx[5] = v[6];
}

static void check_expr(const char *text)
{
	const struct texpr *x = compiled(text);
	struct expr_env env = { 0 };
	struct hit h = {
		.cpu = 3, .pid = 77, .tid = 78, .event = made,
		.raw = { (const uint8_t *)&k.record, sizeof(k.record) },
	};
	struct texpr_type type;

	memset(&k.m, 0, sizeof(k.m));
	k.m.call = call;
	machine_memory(&k.m, &k.ctx, sizeof(k.ctx));
	machine_memory(&k.m, &k.record, sizeof(k.record));
	build(x, &type);
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct tval want;
		uint64_t got;

		fill(seed);
		want = expr_value(&env, x, &h);
		k.m.steps = 0;
		got = machine_run(&k.m, k.a.v, k.a.n, k.ctx);
		CHECK_SAY(want.kind == TVAL_NUM && got == want.v && type.is_unsigned == want.type.is_unsigned &&
			  type.size == want.type.size,
			  "%s, seed %llu: %llx of %u bytes, not %llx of %u", text, (unsigned long long)seed,
			  (unsigned long long)got, type.size, (unsigned long long)want.v, want.type.size);
	}
	CHECK(k.m.deepest <= ASM_STACK);
}

TEST(bpf_code_gives_what_the_record_gives)
{
	static const char *const texts[] = {
		"a", "b", "c", "d", "e", "f", "p", "-a", "~a", "!a", "-b", "~b", "-d", "~d", "-e", "-f", "+c",
		"a + b", "a - b", "a * b", "c + d", "c - d", "d - c", "c * d", "e - f", "e * f", "c - 1", "d - 1",
		"a & b", "c | d", "c ^ e", "f & 0xffffffff", "c & 0x80000000", "e | 1",
		"a == b", "a < b", "c < d", "d < c", "e < f", "f < e", "c < e", "a > -1", "b >= 0", "c <= 5", "d != c",
		"p == 0", "p > 5", "f > 18446744073709551614", "e < 0",
		"c << 3", "c >> 3", "d << 31", "d >> 31", "e >> 63", "f >> 63", "c << 40", "a << 7", "e << 1",
		"d / 1000", "d % 7", "f / 1000", "f % 1000", "b / 3u", "d / 0xffffffffu",
		"a && b", "a || b", "!(a && c)", "a < 0 && b > 7 || d == 5", "(c > 0) + (e > 0)",
		"(char)c", "(unsigned char)c", "(short)e", "(unsigned int)e", "(long)d", "(u64)c", "(int)f", "(bool)f",
		"_cpu", "_pid", "_tid", "common_pid", "common_pid == 78 && a > 0",
		"(_cpu << 32) | b", "_tid * 2 - _cpu",
		"((a + b) * (c - d)) & 0xff", "a + (b + (c + (d + 1)))",
	};

	setup();
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		check_expr(texts[i]);
}

TEST(bpf_code_refuses_what_only_the_record_tells)
{
	static const char *const texts[] = {
		"t", "t == \"text\"", "ksymbol(f)", "c / b", "c % 0", "d << b", "_time",
		"comm_get(c)", "t[2]", "c ? a : b",
	};

	setup();
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct texpr *x = compiled(texts[i]);
		struct code c = { .event = "made", .word = word };
		struct err e = { 0 };

		fields(&c, x->op == TEXPR_BINARY && !x->b->field ? NULL : x->op == TEXPR_BINARY ? x->b : NULL);
		CHECK_SAY(code_look(&c, x, &e) == -EOPNOTSUPP, "%s was taken", texts[i]);
		CHECK(e.text[0]);
	}
}

/* Signed numbers have no division there, and a tree may be too deep: both are found when they are made. */
TEST(bpf_code_refuses_what_has_no_instructions)
{
	static const char *const texts[] = { "c / 3", "e % 2", "a + (b + (c + (d + (a + (b + 1)))))" };

	setup();
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct texpr *x = compiled(texts[i]);
		struct code c = { .a = &k.a, .event = "made", .word = word };
		struct texpr_type type;

		fields(&c, x);
		CHECK_EQ(code_look(&c, x, NULL), 0);
		asm_init(&k.a);
		CHECK_EQ(code_value(&c, x, &type, NULL), -EOPNOTSUPP);
	}
}

/* --- the arguments of a kernel --- */

TEST(bpf_fields_are_found_by_the_names_of_arguments)
{
	static struct btf_build b = { .n_strings = 1 };
	uint32_t number = btf_int(&b, "int", 4, BTF_SIGNED | 32), task, pointer, proto;
	struct ktypes types = { 0 };
	struct rawarg r;
	struct err e = { 0 };

	task = btf_type(&b, BTF_STRUCT, "task_struct", 2, 64);
	btf_field(&b, "prio", number, 96);
	btf_field(&b, "pid", number, 320);
	pointer = btf_type(&b, BTF_PTR, "", 0, task);
	proto = btf_type(&b, BTF_PROTO, "", 4, number);
	btf_part(&b, "__data", pointer);
	btf_part(&b, "preempt", number);
	btf_part(&b, "prev", pointer);
	btf_part(&b, "next", pointer);
	btf_type(&b, BTF_FUNC, "__traceiter_sched_switch", 1, proto);
	proto = btf_type(&b, BTF_PROTO, "", 2, number);
	btf_part(&b, "__data", pointer);
	btf_part(&b, "id", number);
	btf_type(&b, BTF_FUNC, "__traceiter_sys_enter", 1, proto);
	types.btf = btf_built(&b, NULL);

	CHECK_EQ(rawarg_find(&r, &types, "sched_switch", "next_pid", &e), 0);
	CHECK(r.is_member && r.off == 16 && r.member.off == 40 && r.member.size == 4);
	CHECK_EQ(rawarg_find(&r, &types, "sched_switch", "prev_prio", &e), 0);
	CHECK(r.is_member && r.off == 8 && r.member.off == 12);
	CHECK_EQ(rawarg_find(&r, &types, "sys_enter", "id", &e), 0);
	CHECK(!r.is_member && r.off == 0);
	/* No way, no such event in this kernel, and another signature than the way is for. */
	CHECK_EQ(rawarg_find(&r, &types, "sched_switch", "prev_state", &e), -EOPNOTSUPP);
	CHECK_EQ(rawarg_find(&r, &types, "kfree", "ptr", &e), -EOPNOTSUPP);
	CHECK_EQ(rawarg_find(&r, &types, "sys_exit", "ret", &e), -EOPNOTSUPP);
	CHECK_STR(e.text, "from sys_exit's arguments no way to its ret is known");
	ktypes_close(&types);
}

TEST(bpf_fields_of_probes_are_registers_and_memory)
{
	static const struct { const char *field; uint16_t off; bool is_member; int32_t at; } wants[] = {
		{ "a", 0, false, 0 }, { "b", 8, false, 0 }, { "c", 248, false, 0 }, { "d", 16, true, 24 },
		{ "e", 248, true, -8 }, { "f", 0, false, 0 },
	};
	const struct sv fetches = SV("a=%x0:u32 b=$arg2 c=%sp d=+24(%x2):u16 e=-8(%sp):u64 f=$retval:s32 "
				     "g=+u8(%x0) h=+0(+8(%x0)) i=@jiffies j=$comm k=+8(%x0 "
				     "l=%x99 m=$arg9 n=+0x8000(%x0)");
	struct rawarg r;
	struct err e = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(wants); i++) {
		CHECK_EQ(rawarg_fetch(&r, &arch_aarch64, fetches, wants[i].field, 4, &e), 0);
		CHECK_EQ(r.off, wants[i].off);
		CHECK_EQ(r.is_member, wants[i].is_member);
		CHECK_EQ((int32_t)r.member.off, wants[i].at);
		CHECK(!r.is_member || r.member.size == 4);
	}
	for (const char *f = "ghijklmnop"; *f; f++)
		CHECK_EQ(rawarg_fetch(&r, &arch_aarch64, fetches, (char[]){ *f, '\0' }, 4, &e), -EOPNOTSUPP);
	CHECK_EQ(rawarg_fetch(&r, &arch_x86_64, SV("a=%dx:u32 b=$arg1"), "a", 4, &e), 0);
	CHECK_EQ(r.off, 96);
	CHECK_EQ(rawarg_fetch(&r, &arch_x86_64, SV("a=%dx:u32 b=$arg1"), "b", 4, &e), 0);
	CHECK_EQ(r.off, 112);
}
