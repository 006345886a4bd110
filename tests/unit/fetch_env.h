/*
 * fetch_env.h - types and variables as debug information would tell them, for what turns names into fetch arguments.
 * They are those of this C, on a 64-bit machine with signed char:
 *
 *   struct inner { int a; short s; unsigned char name[16]; char *text; };
 *   struct outer {
 *	struct inner in, *p; struct { int anon; union { long x; char y; }; }; unsigned bf1:3, bf2:7; long sbf:9;
 *	int arr[4]; struct inner ia[3]; char *strs[2]; enum color c; bool b; double d; float f; void *v; int (*fn)(int);
 *	signed char sc; unsigned char uc; long long ll; unsigned long ul; unsigned short cvs;
 *	union u2 { int i; long l; } u; int m[2][3]; };
 *   struct two { int a; short s; char c; unsigned char f1:3, f2:4; };
 *   struct mix { struct two t; char txt[6]; short last; char *text; float x, y; };
 *   struct string { unsigned char *str; long len; };          as Go has it
 *   struct slice { struct string name; int *array; };
 */
#ifndef TESTS_UNIT_FETCH_ENV_H
#define TESTS_UNIT_FETCH_ENV_H

#include "probe/fetch.h"

enum fetch_type_id {
	T_VOID, T_INT, T_UINT, T_LONG, T_ULONG, T_CHAR, T_UCHAR, T_SHORT, T_USHORT, T_DOUBLE, T_FLOAT, T_BOOL,
	T_COLOR, T_FUNC, T_INNER, T_OUTER, T_U2, T_ANON, T_ANON_UNION, T_PINNER, T_POUTER, T_PCHAR, T_PUCHAR,
	T_PVOID, T_PINT, T_PPCHAR, T_PFUNC, T_UCHAR16, T_INT4, T_INNER3, T_STRS2, T_INT3, T_INT2_3, T_CHAR32,
	T_LONGLONG, T_TWO, T_MIX, T_CHAR6, T_STRING, T_SLICE, T_TYPES,
};

struct fetch_member {
	const char *name;
	enum fetch_type_id type;
	unsigned bit, bits;
};

static const struct fetch_member inner_members[] = {
	{ "a", T_INT, 0 }, { "s", T_SHORT, 32 }, { "name", T_UCHAR16, 48 }, { "text", T_PCHAR, 192 }, { 0 },
};
static const struct fetch_member outer_members[] = {
	{ "in", T_INNER, 0 }, { "p", T_PINNER, 32 * 8 }, { "", T_ANON, 40 * 8 }, { "bf1", T_UINT, 448, 3 },
	{ "bf2", T_UINT, 451, 7 }, { "sbf", T_LONG, 458, 9 }, { "arr", T_INT4, 60 * 8 },
	{ "ia", T_INNER3, 80 * 8 }, { "strs", T_STRS2, 176 * 8 }, { "c", T_COLOR, 192 * 8 },
	{ "b", T_BOOL, 196 * 8 }, { "d", T_DOUBLE, 200 * 8 }, { "f", T_FLOAT, 208 * 8 },
	{ "v", T_PVOID, 216 * 8 }, { "fn", T_PFUNC, 224 * 8 }, { "sc", T_CHAR, 232 * 8 },
	{ "uc", T_UCHAR, 233 * 8 }, { "ll", T_LONGLONG, 240 * 8 }, { "ul", T_ULONG, 248 * 8 },
	{ "cvs", T_USHORT, 256 * 8 }, { "u", T_U2, 264 * 8 }, { "m", T_INT2_3, 272 * 8 }, { 0 },
};
static const struct fetch_member two_members[] = {
	{ "a", T_INT, 0 }, { "s", T_SHORT, 32 }, { "c", T_CHAR, 48 }, { "f1", T_UCHAR, 56, 3 },
	{ "f2", T_UCHAR, 59, 4 }, { 0 },
};
static const struct fetch_member mix_members[] = {
	{ "t", T_TWO, 0 }, { "txt", T_CHAR6, 64 }, { "last", T_SHORT, 112 }, { "text", T_PCHAR, 128 },
	{ "x", T_FLOAT, 192 }, { "y", T_FLOAT, 224 }, { 0 },
};
static const struct fetch_member string_members[] = { { "str", T_PUCHAR, 0 }, { "len", T_LONG, 64 }, { 0 } };
static const struct fetch_member slice_members[] = { { "name", T_STRING, 0 }, { "array", T_PINT, 128 }, { 0 } };
static const struct fetch_member u2_members[] = { { "i", T_INT, 0 }, { "l", T_LONG, 0 }, { 0 } };
static const struct fetch_member anon_members[] = { { "anon", T_INT, 0 }, { "", T_ANON_UNION, 64 }, { 0 } };
static const struct fetch_member anon_union_members[] = { { "x", T_LONG, 0 }, { "y", T_CHAR, 0 }, { 0 } };

static const struct fetch_type {
	enum ctype_kind kind;
	unsigned size;
	bool is_signed;
	const char *name;
	enum fetch_type_id target;
	unsigned count;
	const struct fetch_member *members;
} fetch_types[T_TYPES] = {
	[T_INT] = { CTYPE_INT, 4, true, "int" },
	[T_UINT] = { CTYPE_INT, 4, false, "unsigned int" },
	[T_LONG] = { CTYPE_INT, 8, true, "long" },
	[T_LONGLONG] = { CTYPE_INT, 8, true, "long long" },
	[T_ULONG] = { CTYPE_INT, 8, false, "unsigned long" },
	[T_CHAR] = { CTYPE_CHAR, 1, true, "char" },
	[T_UCHAR] = { CTYPE_CHAR, 1, false, "unsigned char" },
	[T_SHORT] = { CTYPE_INT, 2, true, "short" },
	[T_USHORT] = { CTYPE_INT, 2, false, "unsigned short" },
	[T_DOUBLE] = { CTYPE_FLOAT, 8, false, "double" },
	[T_FLOAT] = { CTYPE_FLOAT, 4, false, "float" },
	[T_BOOL] = { CTYPE_BOOL, 1, false, "_Bool" },
	[T_COLOR] = { CTYPE_ENUM, 4, false, "color" },
	[T_FUNC] = { CTYPE_FUNC, 0, false, "", T_INT },
	[T_INNER] = { CTYPE_STRUCT, 32, false, "inner", .members = inner_members },
	[T_OUTER] = { CTYPE_STRUCT, 296, false, "outer", .members = outer_members },
	[T_U2] = { CTYPE_UNION, 8, false, "u2", .members = u2_members },
	[T_ANON] = { CTYPE_STRUCT, 16, false, "", .members = anon_members },
	[T_ANON_UNION] = { CTYPE_UNION, 8, false, "", .members = anon_union_members },
	[T_TWO] = { CTYPE_STRUCT, 8, false, "two", .members = two_members },
	[T_MIX] = { CTYPE_STRUCT, 32, false, "mix", .members = mix_members },
	[T_STRING] = { CTYPE_STRUCT, 16, false, "string", .members = string_members },
	[T_SLICE] = { CTYPE_STRUCT, 24, false, "slice", .members = slice_members },
	[T_PINNER] = { CTYPE_PTR, 8, false, "", T_INNER },
	[T_POUTER] = { CTYPE_PTR, 8, false, "", T_OUTER },
	[T_PCHAR] = { CTYPE_PTR, 8, false, "", T_CHAR },
	[T_PUCHAR] = { CTYPE_PTR, 8, false, "", T_UCHAR },
	[T_PVOID] = { CTYPE_PTR, 8, false, "", T_VOID },
	[T_PINT] = { CTYPE_PTR, 8, false, "", T_INT },
	[T_PPCHAR] = { CTYPE_PTR, 8, false, "", T_PCHAR },
	[T_PFUNC] = { CTYPE_PTR, 8, false, "", T_FUNC },
	[T_UCHAR16] = { CTYPE_ARRAY, 16, false, "", T_UCHAR, 16 },
	[T_INT4] = { CTYPE_ARRAY, 16, false, "", T_INT, 4 },
	[T_INNER3] = { CTYPE_ARRAY, 96, false, "", T_INNER, 3 },
	[T_STRS2] = { CTYPE_ARRAY, 16, false, "", T_PCHAR, 2 },
	[T_INT3] = { CTYPE_ARRAY, 12, false, "", T_INT, 3 },
	[T_INT2_3] = { CTYPE_ARRAY, 24, false, "", T_INT3, 2 },
	[T_CHAR6] = { CTYPE_ARRAY, 6, false, "", T_CHAR, 6 },
	[T_CHAR32] = { CTYPE_ARRAY, 32, false, "", T_CHAR, 32 },
};

static int fetch_type_info(const struct ctype_source *src, uint64_t id, struct ctype_info *t, struct err *e)
{
	const struct fetch_type *f = &fetch_types[id];

	(void)e;
	*t = (struct ctype_info){ .kind = f->kind, .size = f->size, .is_signed = f->is_signed, .count = f->count,
				  .name = sv_from(f->name ? f->name : "") };
	if (f->target)
		t->target = (struct ctype){ src, f->target };
	return 0;
}

static int fetch_type_member(const struct ctype_source *src, uint64_t id, unsigned i, struct ctype_member *m,
			     struct err *e)
{
	const struct fetch_member *f = fetch_types[id].members;

	(void)e;
	for (unsigned k = 0; f->name && k < i; k++)
		f++;
	if (!f->name)
		return 0;
	*m = (struct ctype_member){ .name = sv_from(f->name), .type = { src, f->type }, .bit_offset = f->bit,
				    .bits = f->bits };
	return 1;
}

static const struct ctype_source fetch_type_source = { fetch_type_info, fetch_type_member };

struct fetch_test_var {
	const char *name;
	enum fetch_type_id type;
	bool is_param;
	struct loc loc;
};

struct fetch_test {
	struct fetch_test_var v[32];
	unsigned n, asked, skipped;
	enum fetch_type_id returns;
};

static struct fetch_var fetch_test_var(const struct fetch_test_var *v)
{
	return (struct fetch_var){ .type = { v->type ? &fetch_type_source : NULL, v->type }, .loc = v->loc,
				   .name = sv_from(v->name) };
}

static int fetch_test_variable(void *arg, struct sv name, struct fetch_var *v, struct err *e)
{
	struct fetch_test *t = arg;

	t->asked++;
	for (unsigned i = 0; i < t->n; i++) {
		if (sv_eq(name, t->v[i].name)) {
			*v = fetch_test_var(&t->v[i]);
			return 0;
		}
	}
	return err_set(e, ENOENT, "there is no variable '%.*s'", (int)name.n, name.s);
}

static int fetch_test_nth(void *arg, unsigned i, bool *is_param, struct fetch_var *v, struct err *e)
{
	struct fetch_test *t = arg;

	(void)e;
	if (i >= t->n)
		return 0;
	*v = fetch_test_var(&t->v[i]);
	*is_param = t->v[i].is_param;
	return 1;
}

static struct ctype fetch_test_returns(void *arg)
{
	struct fetch_test *t = arg;

	return (struct ctype){ t->returns ? &fetch_type_source : NULL, t->returns };
}

static int fetch_test_address(void *arg, uint64_t addr, struct out *o, struct err *e)
{
	(void)arg;
	(void)e;
	out_printf(o, "@sym+%llu", (unsigned long long)addr);
	return 0;
}

#endif
