/* obj/ctype: members wherever they are, and types as C writes them. The types are told by BTF made here. */
#include "btf_build.h"

static struct btf_build b;
static struct btf *types;

static void check_at(const char *type, const char *name, uint64_t offset)
{
	struct ctype_member m = { 0 };
	struct err e = { 0 };

	CHECK_EQ(ctype_member(btf_find_type(types, sv_from(type)), sv_from(name), &m, &e), 0);
	CHECK_STR(e.text, "");
	CHECK_EQ(m.bit_offset, offset);
	CHECK(sv_eq(m.name, name));
}

static void check_not(const char *type, const char *name, int err, const char *text)
{
	struct ctype_member m;
	struct err e = { 0 };

	CHECK_EQ(ctype_member(btf_find_type(types, sv_from(type)), sv_from(name), &m, &e), err);
	CHECK_STR(e.text, text);
}

/*
 * struct outer { int first; union { struct { int deep; int x; }; long wide; }; int x_last; } - "x" is in the unnamed
 * one, "first" in both.
 */
static uint32_t make_outer(uint32_t i, uint32_t l)
{
	uint32_t in, un;

	in = btf_type(&b, BTF_STRUCT, "", 3, 12);
	btf_field(&b, "deep", i, 0);
	btf_field(&b, "x", i, 32);
	btf_field(&b, "first", i, 64);
	un = btf_type(&b, BTF_UNION, "", 2, 12);
	btf_field(&b, "", in, 0);
	btf_field(&b, "wide", l, 0);

	uint32_t id = btf_type(&b, BTF_STRUCT, "outer", 4, 32);

	btf_field(&b, "", un, 64);
	btf_field(&b, "first", i, 0);
	btf_field(&b, "", i, 32);
	btf_field(&b, "x_last", i, 192);
	return id;
}

TEST(ctype_member_is_found_inside_unnamed_ones)
{
	b = (struct btf_build){ .n_strings = 1 };

	uint32_t i = btf_int(&b, "int", 4, BTF_SIGNED | 32), l = btf_int(&b, "long int", 8, BTF_SIGNED | 64);
	uint32_t outer = make_outer(i, l);

	btf_type(&b, BTF_TYPEDEF, "outer_t", 0, outer);
	btf_type(&b, BTF_TYPEDEF, "pointer_t", 0, btf_type(&b, BTF_PTR, "", 0, outer));
	types = btf_built(&b, NULL);
	check_at("outer", "deep", 64);
	check_at("outer", "x", 96);
	check_at("outer_t", "wide", 64);
	check_at("outer", "x_last", 192);
	check_at("outer", "first", 0);
	check_not("outer", "dep", -ENOENT, "struct outer has no member 'dep', did you mean 'deep'?");
	check_not("outer", "nothing_like_it", -ENOENT, "struct outer has no member 'nothing_like_it'");
	CHECK_EQ(ctype_member(btf_find_type(types, SV("outer")), SV(""), &(struct ctype_member){ 0 }, NULL), -ENOENT);
	check_not("pointer_t", "deep", -EINVAL, "struct outer * has no members");
	CHECK_EQ(ctype_member((struct ctype){ 0 }, SV("x"), &(struct ctype_member){ 0 }, NULL), -EINVAL);
	btf_free(types);
}

TEST(ctype_member_of_what_is_inside_itself)
{
	b = (struct btf_build){ .n_strings = 1 };
	btf_type(&b, BTF_STRUCT, "snake", 3, 8);
	btf_field(&b, "", 1, 0);
	btf_field(&b, "", 1, 8);
	btf_field(&b, "tail", 1, 16);
	types = btf_built(&b, NULL);
	check_at("snake", "tail", 16);
	check_not("snake", "head", -ENOENT, "struct snake has no member 'head'");
	btf_free(types);
}

static void check_spell(struct ctype c, uint32_t id, const char *text)
{
	char buf[64];

	c.id = id;
	CHECK_STR(ctype_spell(c, buf, sizeof(buf)), text);
}

static uint32_t wrap(unsigned kind, uint32_t link)
{
	return btf_type(&b, kind, "", 0, link);
}

TEST(ctype_spell_as_c_does)
{
	b = (struct btf_build){ .n_strings = 1 };

	uint32_t i = btf_int(&b, "int", 4, BTF_SIGNED | 32), s = btf_type(&b, BTF_STRUCT, "file", 0, 8);
	uint32_t p = wrap(BTF_PTR, i), pp = wrap(BTF_PTR, wrap(BTF_CONST, p)), a = btf_array(&b, i, 16);
	uint32_t ap = btf_array(&b, p, 4), pa = wrap(BTF_PTR, a), f = wrap(BTF_PROTO, i), pf = wrap(BTF_PTR, f);
	uint32_t apf = btf_array(&b, pf, 3), v = wrap(BTF_PTR, 0), aa = btf_array(&b, a, 2), open = btf_array(&b, s, 0);
	uint32_t un = wrap(BTF_UNION, 8), td = btf_type(&b, BTF_TYPEDEF, "u_t", 0, un), ptd = wrap(BTF_PTR, td);
	uint32_t e = btf_type(&b, BTF_ENUM, "state", 0, 4), self = wrap(BTF_PTR, 0), anon = wrap(BTF_PTR, un);

	memcpy(b.types + b.n_types - 16, &self, 4);
	types = btf_built(&b, NULL);

	struct ctype c = btf_find_type(types, SV("file"));

	check_spell(c, 0, "void");
	check_spell(c, i, "int");
	check_spell(c, s, "struct file");
	check_spell(c, p, "int *");
	check_spell(c, pp, "int **");
	check_spell(c, a, "int[16]");
	check_spell(c, ap, "int *[4]");
	check_spell(c, pa, "int (*)[16]");
	check_spell(c, pf, "int (*)()");
	check_spell(c, apf, "int (*[3])()");
	check_spell(c, v, "void *");
	check_spell(c, aa, "int[2][16]");
	check_spell(c, open, "struct file[]");
	check_spell(c, un, "union {...}");
	check_spell(c, ptd, "u_t *");
	check_spell(c, anon, "union {...} *");
	check_spell(c, e, "enum state");
	check_spell(c, self, "? ****************");
	CHECK_STR(ctype_spell((struct ctype){ 0 }, (char[8]){ 0 }, 8), "void");
	CHECK_STR(ctype_spell((struct ctype){ c.src, s }, (char[8]){ 0 }, 8), "struct ");
	btf_free(types);
}
