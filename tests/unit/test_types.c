/* test_types.c - which member of which type code touches: types of BTF made by hand, code of A64 and of x86. */
#include "t.h"

#include "btf_build.h"
#include "types/places.h"
#include "types/shape.h"

enum { START = 0x1000 };

/*
 * struct item { long key; struct item *next; struct pair { int a; int b; } pair; union { long l; struct item *p; } u;
 * int many[4]; }, of 48 bytes; int work(struct item *x, long n); struct item *find(struct item *x);
 */
struct made {
	struct btf *btf;
	struct types types;
	uint32_t n_long, n_int, n_pair, n_item, n_to_item;
};

static void make(struct made *m)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t array, both;

	*m = (struct made){ 0 };
	m->n_long = btf_int(&b, "long unsigned int", 8, 64);
	m->n_int = btf_int(&b, "int", 4, BTF_SIGNED | 32);
	m->n_pair = btf_type(&b, BTF_STRUCT, "pair", 2, 8);
	btf_field(&b, "a", m->n_int, 0);
	btf_field(&b, "b", m->n_int, 32);
	array = btf_array(&b, m->n_int, 4);
	m->n_to_item = btf_type(&b, BTF_PTR, "", 0, array + 3);
	both = btf_type(&b, BTF_UNION, "", 2, 8);
	btf_field(&b, "l", m->n_long, 0);
	btf_field(&b, "p", m->n_to_item, 0);
	m->n_item = btf_type(&b, BTF_STRUCT, "item", 5, 48);
	CHECK_EQ(m->n_item, array + 3);
	btf_field(&b, "key", m->n_long, 0);
	btf_field(&b, "next", m->n_to_item, 64);
	btf_field(&b, "pair", m->n_pair, 128);
	btf_field(&b, "u", both, 192);
	btf_field(&b, "many", array, 256);
	btf_type(&b, BTF_PROTO, "", 2, m->n_int);
	btf_part(&b, "x", m->n_to_item);
	btf_part(&b, "n", m->n_long);
	btf_type(&b, BTF_FUNC, "work", 1, m->n_item + 1);
	btf_type(&b, BTF_PROTO, "", 1, m->n_to_item);
	btf_part(&b, "x", m->n_to_item);
	btf_type(&b, BTF_FUNC, "find", 1, m->n_item + 3);
	m->btf = btf_built(&b, NULL);
}

static void unmake(struct made *m)
{
	types_deinit(&m->types);
	btf_free(m->btf);
}

static struct ctype item(const struct made *m)
{
	return btf_find_type(m->btf, SV("item"));
}

static uint32_t returns(void *arg, uint64_t addr)
{
	struct made *m = arg;

	struct ctype type = btf_return(m->btf, btf_find_func(m->btf, SV("find")));

	return addr == START + 0x100 ? types_add(&m->types, 1, type) : 0;
}

/* A variable of type struct item at 0x2000. */
static uint32_t variable(void *arg, uint64_t addr, uint64_t *start)
{
	struct made *m = arg;

	*start = 0x2000;
	return addr - 0x2000 < 48 ? types_add(&m->types, 1, item(m)) : 0;
}

/* "item+8 item+16 -": what each instruction that touches memory touches. */
static const char *touches(struct made *m, const struct arch *a, const void *code, size_t n)
{
	static char text[2000];
	struct type_places p = { .types = &m->types, .scope = 1, .arch = a };
	struct flow_want w = {
		.arch = a, .addr = START, .code = cur_from(guard_dup(code, n), n), .types = &m->types, .scope = 1,
		.returns = returns, .variable = variable, .arg = m, .is_whole = true,
	};
	struct type_touch *v;
	size_t at = 0;
	int64_t got;

	CHECK_EQ(places_btf(&p, m->btf, btf_find_func(m->btf, SV("work")), START), 0);
	CHECK_EQ(places_sort(&p), 0);
	w.places = p.v.v;
	w.n_places = p.v.n;
	got = flow_run(&w, &v);
	text[0] = '\0';
	for (int64_t i = 0; i < got; i++) {
		char *to = text + at;
		size_t left = sizeof(text) - at;

		if (v[i].found == TYPE_FOUND)
			at += (size_t)snprintf(to, left, "%s+%llu ", types_at(&m->types, v[i].type)->name,
					       (unsigned long long)v[i].off);
		else if (v[i].found != TYPE_NO_ACCESS)
			at += (size_t)snprintf(to, left, "%s ", v[i].found == TYPE_STACK ? "stack" :
					       v[i].found == TYPE_OUTSIDE ? "outside" : "-");
	}
	free(v);
	places_deinit(&p);
	return text;
}

#define CODE(type, ...) (const type[]){ __VA_ARGS__ }, sizeof((const type[]){ __VA_ARGS__ })
#define TOUCHES(m, ...) touches(m, &arch_aarch64, CODE(uint32_t, __VA_ARGS__))
#define TOUCHES_X86(m, ...) touches(m, &arch_x86_64, CODE(uint8_t, __VA_ARGS__))

TEST(shape_finds_the_innermost_member)
{
	struct made m;
	struct shape s;

	make(&m);
	CHECK(shape_find(item(&m), 20, 4, SHAPE_ANY, &s));
	CHECK_STR(s.path, "pair.b");
	CHECK_EQ(s.off, 0);
	CHECK_EQ(s.size, 4);
	CHECK(shape_find(item(&m), 40, 4, SHAPE_ANY, &s));
	CHECK_STR(s.path, "many[]");
	CHECK(shape_find(item(&m), 24, 8, SHAPE_ANY, &s));
	CHECK_STR(s.path, "u.l");
	CHECK(shape_find(item(&m), 24, 8, SHAPE_POINTER, &s));
	CHECK_STR(s.path, "u.p");
	CHECK(shape_find(item(&m), 48, 8, SHAPE_ANY, &s));
	CHECK_STR(s.path, "");
	unmake(&m);
}

static int count_line(void *arg, const struct shape_line *l)
{
	unsigned *n = arg;

	CHECK(l->depth <= SHAPE_DEPTH);
	return ++*n > 1000;
}

TEST(shape_ends_where_a_type_has_itself)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t id = btf_type(&b, BTF_STRUCT, "self", 1, 8);
	struct shape s;
	struct btf *btf;
	unsigned n = 0;

	btf_field(&b, "s", id, 0);
	btf = btf_built(&b, NULL);
	CHECK(shape_find(btf_find_type(btf, SV("self")), 0, 8, SHAPE_ANY, &s));
	CHECK_EQ(shape_each(btf_find_type(btf, SV("self")), count_line, &n), 0);
	CHECK(n <= 2 * (SHAPE_DEPTH + 1));
	btf_free(btf);
}

TEST(types_of_one_spelling_and_size_are_one)
{
	struct made m;
	uint32_t a, b;

	make(&m);
	a = types_add(&m.types, 1, item(&m));
	b = types_add(&m.types, 1, item(&m));
	CHECK(a && a == b);
	CHECK(types_add(&m.types, 2, item(&m)));
	CHECK_STR(types_at(&m.types, a)->name, "struct item");
	CHECK_EQ(types_at(&m.types, a)->info.size, 48);
	unmake(&m);
}

TEST(flow_follows_parameters_moves_and_members)
{
	struct made m;

	make(&m);
	/* ldr x2, [x0, #8]; mov x1, x2; ldr w3, [x1, #20]; ldr x4, [x3]; ret */
	CHECK_STR(TOUCHES(&m, 0xf9400402, 0xaa0203e1, 0xb9401423, 0xf9400064, 0xd65f03c0),
		  "struct item+8 struct item+20 - ");
	/* add x2, x0, #16; ldr w1, [x2, #4]; a number is no pointer: ldr x3, [x0]; ldr x4, [x3] */
	CHECK_STR(TOUCHES(&m, 0x91004002, 0xb9400441, 0xf9400003, 0xf9400064, 0xd65f03c0),
		  "struct item+20 struct item+0 - ");
	/* behind its end: ldr x1, [x0, #48] */
	CHECK_STR(TOUCHES(&m, 0xf9401801, 0xd65f03c0), "outside ");
	unmake(&m);
}

TEST(flow_keeps_a_spilled_pointer_and_forgets_what_a_call_loses)
{
	struct made m;

	make(&m);
	/*
	 * stp x29, x30, [sp, #-32]!; str x0, [sp, #16]; bl elsewhere; ldr x1, [x0]; ldr x2, [sp, #16];
	 * ldr x3, [x2, #8]
	 */
	CHECK_STR(TOUCHES(&m, 0xa9be7bfd, 0xf9000be0, 0x94000010, 0xf9400001, 0xf9400be2, 0xf9400443, 0xd65f03c0),
		  "stack stack - stack struct item+8 ");
	/* what find() returns: bl START + 0x100; ldr x1, [x0, #8] */
	CHECK_STR(TOUCHES(&m, 0x94000040, 0xf9400401, 0xd65f03c0), "struct item+8 ");
	unmake(&m);
}

TEST(flow_keeps_at_a_meeting_what_all_ways_have)
{
	struct made m;

	make(&m);
	/* a loop over a list: loop: ldr x2, [x0]; ldr x0, [x0, #8]; cbnz x0, loop; ret */
	CHECK_STR(TOUCHES(&m, 0xf9400002, 0xf9400400, 0xb5ffffc0, 0xd65f03c0), "struct item+0 struct item+8 ");
	/* one that overwrites its pointer: loop: ldr x2, [x0]; ldr x0, [x0]; cbnz x0, loop; ret */
	CHECK_STR(TOUCHES(&m, 0xf9400002, 0xf9400000, 0xb5ffffc0, 0xd65f03c0), "- - ");
	/* elements one after another: loop: ldr x2, [x0], #48; cbnz x2, loop; ret */
	CHECK_STR(TOUCHES(&m, 0xf8430402, 0xb5ffffe2, 0xd65f03c0), "struct item+0 ");
	/* cbz x1, other; mov x0, x1; other: ldr x2, [x0]; ret */
	CHECK_STR(TOUCHES(&m, 0xb4000041, 0xaa0103e0, 0xf9400002, 0xd65f03c0), "- ");
	unmake(&m);
}

TEST(flow_joins_a_page_and_what_is_added_to_it)
{
	struct made m;

	make(&m);
	/* adrp x1, 2000; add x1, x1, #0; ldr w2, [x1, #16]; adrp x3, 2000; ldr x4, [x3, #8]; ldr x5, [x4] */
	CHECK_STR(TOUCHES(&m, 0xb0000001, 0x91000021, 0xb9401022, 0xb0000003, 0xf9400464, 0xf9400085, 0xd65f03c0),
		  "struct item+16 struct item+8 struct item+0 ");
	unmake(&m);
}

TEST(flow_reads_x86_code)
{
	struct made m;

	make(&m);
	/* push %rbx; mov %rdi,%rbx; mov 0x8(%rbx),%rax; addl $1,0x14(%rax); pop %rbx; ret */
	CHECK_STR(TOUCHES_X86(&m, 0x53, 0x48, 0x89, 0xfb, 0x48, 0x8b, 0x43, 0x08, 0x83, 0x40, 0x14, 0x01, 0x5b, 0xc3),
		  "stack struct item+8 struct item+20 stack ");
	/* mov 0xff9(%rip),%rax = 2000: key; mov (%rax),%rcx */
	CHECK_STR(TOUCHES_X86(&m, 0x48, 0x8b, 0x05, 0x01, 0x10, 0x00, 0x00, 0x48, 0x8b, 0x08, 0xc3),
		  "struct item+8 struct item+0 ");
	unmake(&m);
}

TEST(flow_takes_variables_in_registers_and_in_the_frame)
{
	static const uint32_t code[] = {
		0xd100c3ff,   /* sub sp, sp, #48 */
		0xb90013e1,   /* str w1, [sp, #16]: pair.a */
		0xf9400262,   /* ldr x2, [x19] */
		0xf94007e3,   /* ldr x3, [sp, #8] */
		0xd65f03c0,
	};
	struct type_touch *v;
	struct made m;
	int64_t n;

	make(&m);

	struct type_place places[] = {
		{ .start = START, .end = START + 100, .size = 8, .off = -32, .kind = PLACE_FRAME, .reg = 31 },
		{ .start = START + 8, .end = START + 12, .kind = PLACE_REG, .reg = 19, .off = 0 },
	};
	struct flow_want w = {
		.arch = &arch_aarch64, .addr = START, .code = cur_from(code, sizeof(code)), .types = &m.types,
		.scope = 1,
		.places = places, .n_places = 2, .is_whole = true,
	};

	places[0].type = types_add(&m.types, 1, btf_find_type(m.btf, SV("pair")));
	places[1].type = types_add(&m.types, 1, (struct ctype){ item(&m).src, m.n_to_item });
	n = flow_run(&w, &v);
	CHECK_EQ(n, 5);
	CHECK_EQ(v[1].found, TYPE_FOUND);
	CHECK_STR(types_at(&m.types, v[1].type)->name, "struct pair");
	CHECK_EQ(v[1].off, 0);
	CHECK_EQ(v[2].found, TYPE_FOUND);
	CHECK_STR(types_at(&m.types, v[2].type)->name, "struct item");
	CHECK(!v[2].is_followed);
	CHECK_EQ(v[3].found, TYPE_STACK);
	free(v);
	unmake(&m);
}
