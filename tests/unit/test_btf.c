/* obj/btf: the kernel's type information, good and hostile, and a module's behind it. */
#include "btf_build.h"

static struct ctype_info info_of(struct ctype t)
{
	struct ctype_info info;
	struct err e = { 0 };

	CHECK_EQ(ctype_info(t, &info, &e), 0);
	CHECK_STR(e.text, "");
	return info;
}

static struct ctype_info info_id(struct ctype any, uint32_t id)
{
	any.id = id;
	return info_of(any);
}

static void check_member(struct ctype t, const char *name, uint64_t offset, unsigned bits)
{
	struct ctype_member m = { .bits = 99 };
	struct err e = { 0 };

	CHECK_EQ(ctype_member(t, sv_from(name), &m, &e), 0);
	CHECK_STR(e.text, "");
	CHECK_EQ(m.bit_offset, offset);
	CHECK_EQ(m.bits, bits);
}

/* A little kernel: ids as the comments say. */
static void little(struct btf_build *b)
{
	b->n_strings = 1;
	btf_int(b, "int", 4, BTF_SIGNED | 32);                      /* 1 */
	btf_int(b, "char", 1, 8);                                   /* 2 */
	btf_int(b, "_Bool", 1, BTF_BOOL | 8);                       /* 3 */
	btf_int(b, "long unsigned int", 8, 64);                     /* 4 */
	btf_type(b, BTF_STRUCT, "file", 2, 24);                     /* 5 */
	btf_field(b, "flags", 4, 0);
	btf_field(b, "name", 7, 64);
	btf_type(b, BTF_PTR, "", 0, 5);                             /* 6 */
	btf_array(b, 2, 16);                                        /* 7 */
	btf_type(b, BTF_TYPEDEF, "size_t", 0, 4);                   /* 8 */
	btf_type(b, BTF_CONST, "", 0, 8);                           /* 9 */
	btf_type(b, BTF_PROTO, "", 3, 1);                           /* 10 */
	btf_part(b, "file", 6);
	btf_part(b, "count", 9);
	btf_part(b, "", 0);
	btf_type(b, BTF_FUNC, "vfs_read", 1, 10);                   /* 11 */
	btf_type(b, BTF_PROTO, "", 0, 0);                           /* 12 */
	btf_type(b, BTF_FUNC, "schedule", 1, 12);                   /* 13 */
}

static void check_little(const struct btf *t)
{
	struct btf_param p;
	int64_t f = btf_find_func(t, SV("vfs_read"));

	CHECK_EQ(f, 11);
	CHECK_EQ(btf_param(t, f, 0, &p, NULL), 1);
	CHECK(sv_eq(p.name, "file"));
	CHECK_EQ(info_of(p.type).kind, CTYPE_PTR);
	CHECK_EQ(info_of(p.type).size, 8);
	CHECK(sv_eq(info_of(info_of(p.type).target).name, "file"));
	check_member(info_of(p.type).target, "name", 64, 0);
	CHECK_EQ(btf_param(t, f, 1, &p, NULL), 1);
	CHECK(sv_eq(p.name, "count"));
	CHECK(sv_eq(info_of(p.type).name, "long unsigned int"));
	CHECK_EQ(info_of(p.type).is_signed, false);
	CHECK_EQ(btf_param(t, f, 2, &p, NULL), 0);
	CHECK_EQ(btf_param(t, f, 3, &p, NULL), 0);
	CHECK_EQ(info_of(btf_return(t, f)).is_signed, true);

	f = btf_find_func(t, SV("schedule"));
	CHECK_EQ(f, 13);
	CHECK_EQ(btf_param(t, f, 0, &p, NULL), 0);
	CHECK(!btf_return(t, f).src);
}

TEST(btf_tells_a_functions_parameters)
{
	struct btf_build b = { 0 };

	little(&b);

	struct btf *t = btf_built(&b, NULL);

	check_little(t);
	CHECK_EQ(btf_find_func(t, SV("vfs_rea")), -ENOENT);
	CHECK_EQ(btf_find_func(t, SV("fs_read")), -ENOENT);
	CHECK_EQ(btf_find_func(t, SV("file")), -ENOENT);
	CHECK_EQ(btf_find_func(t, SV("")), -ENOENT);
	CHECK_EQ(btf_param(t, 5, 0, &(struct btf_param){ 0 }, NULL), -EBADMSG);
	CHECK_EQ(btf_param(t, -ENOENT, 0, &(struct btf_param){ 0 }, NULL), -EBADMSG);
	CHECK_EQ(btf_param(t, INT64_MAX, 0, &(struct btf_param){ 0 }, NULL), -EBADMSG);
	btf_free(t);
}

TEST(btf_of_the_other_byte_order)
{
	struct btf_build b = { .swap = true };

	little(&b);

	struct btf *t = btf_built(&b, NULL);

	check_little(t);
	btf_free(t);
}

static int count(void *arg, struct sv name, int64_t func)
{
	*(int64_t *)arg += func + (int64_t)name.n;
	return func == 13 && name.n == 8 ? 7 : 0;
}

TEST(btf_each_func_passes_on_what_stops_it)
{
	struct btf_build b = { 0 };
	int64_t sum = 0;

	little(&b);

	struct btf *t = btf_built(&b, NULL);

	CHECK_EQ(btf_each_func(t, count, &sum), 7);
	CHECK_EQ(sum, 11 + 8 + 13 + 8);
	btf_free(t);
}

TEST(btf_kinds)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t i = btf_int(&b, "int", 4, BTF_SIGNED | 32), e, e64, f, fwd, uni, var, tag, flt, deep, anon;

	e = btf_type(&b, BTF_ENUM, "state", 1, 4);
	btf_part(&b, "IDLE", 3);
	e64 = btf_type(&b, BTF_ENUM64 | BTF_FLAG, "big", 2, 8);
	btf_field(&b, "BIG", 1, 2);
	btf_field(&b, "BIGGER", 1, 3);
	fwd = btf_type(&b, BTF_FWD, "later", 0, 0);
	uni = btf_type(&b, BTF_FWD | BTF_FLAG, "later_union", 0, 0);
	btf_type(&b, BTF_DATASEC, ".data", 2, 8);
	btf_field(&b, "", 1, 0);
	btf_field(&b, "", 1, 4);
	var = btf_type(&b, BTF_VAR, "jiffies", 0, i);
	btf_put(&b, 1);
	btf_type(&b, BTF_DECL_TAG, "tag", 0, var);
	btf_put(&b, UINT32_MAX);
	tag = btf_type(&b, BTF_TYPE_TAG, "user", 0, e);
	flt = btf_type(&b, BTF_FLOAT, "double", 0, 8);
	f = btf_type(&b, BTF_PROTO, "", 0, i);
	deep = btf_type(&b, BTF_TYPEDEF, "outer_t", 0, btf_type(&b, BTF_CONST, "", 0,
		btf_type(&b, BTF_TYPEDEF, "inner_t", 0, anon = btf_type(&b, BTF_UNION, "", 0, 12))));

	struct btf *t = btf_built(&b, NULL);
	struct ctype c = btf_find_type(t, SV("state"));

	CHECK_EQ(c.id, e);
	CHECK_EQ(info_of(c).kind, CTYPE_ENUM);
	CHECK_EQ(info_of(c).is_signed, false);
	CHECK_EQ(info_id(c, e64).size, 8);
	CHECK_EQ(info_id(c, e64).is_signed, true);
	CHECK_EQ(info_id(c, fwd).kind, CTYPE_STRUCT);
	CHECK_EQ(info_id(c, fwd).size, 0);
	CHECK_EQ(info_id(c, uni).kind, CTYPE_UNION);
	CHECK_EQ(info_id(c, var).kind, CTYPE_INT);
	CHECK_EQ(info_id(c, tag).kind, CTYPE_ENUM);
	CHECK_EQ(info_id(c, flt).kind, CTYPE_FLOAT);
	CHECK_EQ(info_id(c, f).kind, CTYPE_FUNC);
	CHECK_EQ(info_id(c, f).target.id, i);
	CHECK_EQ(info_id(c, 0).kind, CTYPE_NONE);
	c.id = deep;
	CHECK_EQ(info_of(c).kind, CTYPE_UNION);
	CHECK(sv_eq(info_of(c).name, "inner_t"));
	CHECK_EQ(info_of(c).is_typedef, true);
	CHECK_EQ(info_id(c, anon).is_typedef, false);
	CHECK_EQ(info_id(c, anon).size, 12);
	btf_free(t);
}

TEST(btf_enums_have_names)
{
	static const struct { const char *name; uint64_t value; } want[] = {
		{ "IDLE", 3 }, { "BUSY", UINT32_MAX }, { "BELOW", UINT64_MAX }, { "BIG", UINT64_C(3) << 32 | 2 },
	};
	static const uint8_t first[] = { 0, 2, 3, 4 };
	struct btf_build b = { .n_strings = 1 };
	struct btf_enumerator one;
	struct ctype c;
	struct btf *t;

	btf_type(&b, BTF_ENUM, "state", 2, 4);
	btf_part(&b, "IDLE", 3);
	btf_part(&b, "BUSY", UINT32_MAX);
	btf_type(&b, BTF_ENUM | BTF_FLAG, "sign", 1, 4);
	btf_part(&b, "BELOW", UINT32_MAX);
	btf_type(&b, BTF_ENUM64, "big", 1, 8);
	btf_field(&b, "BIG", 2, 3);
	btf_type(&b, BTF_STRUCT, "none", 0, 4);
	t = btf_built(&b, NULL);
	c = btf_find_type(t, SV("state"));
	for (unsigned e = 0; e + 1 < ARRAY_SIZE(first); e++, c.id++) {
		for (unsigned i = first[e]; i < first[e + 1]; i++) {
			CHECK_EQ(btf_enumerator(c, i - first[e], &one, NULL), 1);
			CHECK(sv_eq(one.name, want[i].name));
			CHECK_EQ(one.value, want[i].value);
		}
		CHECK_EQ(btf_enumerator(c, first[e + 1] - first[e], &one, NULL), 0);
	}
	CHECK_EQ(btf_enumerator(c, 0, &one, NULL), 0);
	CHECK_EQ(btf_enumerator((struct ctype){ 0 }, 0, &one, NULL), 0);
	btf_free(t);
}

TEST(btf_pointers_are_as_wide_as_long)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t l = btf_int(&b, "long unsigned int", 4, 32), p = btf_type(&b, BTF_PTR, "", 0, l);

	btf_type(&b, BTF_TYPEDEF, "p_t", 0, p);

	struct btf *t = btf_built(&b, NULL);

	CHECK_EQ(info_of(btf_find_type(t, SV("p_t"))).size, 4);
	btf_free(t);
}

TEST(btf_bit_fields)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t i = btf_int(&b, "unsigned int", 4, 32), old = btf_int(&b, "unsigned int", 4, 3 << 16 | 5);

	btf_type(&b, BTF_STRUCT | BTF_FLAG, "now", 3, 8);
	btf_field(&b, "a", i, 3 << 24 | 0);
	btf_field(&b, "b", i, 29 << 24 | 3);
	btf_field(&b, "c", i, 32);
	btf_type(&b, BTF_STRUCT, "before", 3, 8);
	btf_field(&b, "a", i, 0);
	btf_field(&b, "b", old, 32);
	btf_field(&b, "far", i, 0x1000000);

	struct btf *t = btf_built(&b, NULL);

	check_member(btf_find_type(t, SV("now")), "a", 0, 3);
	check_member(btf_find_type(t, SV("now")), "b", 3, 29);
	check_member(btf_find_type(t, SV("now")), "c", 32, 0);
	check_member(btf_find_type(t, SV("before")), "a", 0, 0);
	check_member(btf_find_type(t, SV("before")), "b", 35, 5);
	check_member(btf_find_type(t, SV("before")), "far", 0x1000000, 0);
	btf_free(t);
}

TEST(btf_arrays)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t i = btf_int(&b, "int", 4, 32), row = btf_array(&b, i, 3), all = btf_array(&b, row, 5),
		 none = btf_array(&b, 0, 9), self;

	self = btf_array(&b, none + 1, UINT32_MAX);
	btf_type(&b, BTF_TYPEDEF, "table_t", 0, all);

	struct btf *t = btf_built(&b, NULL);
	struct ctype c = btf_find_type(t, SV("table_t"));
	struct ctype_info info;

	CHECK_EQ(info_of(c).size, 60);
	CHECK_EQ(info_of(c).count, 5);
	CHECK_EQ(info_of(c).target.id, row);
	CHECK_EQ(info_id(c, row).size, 12);
	CHECK_EQ(info_id(c, none).size, 0);
	c.id = self;
	CHECK_EQ(ctype_info(c, &info, NULL), -EBADMSG);
	btf_free(t);
}

TEST(btf_chains_without_an_end_are_refused)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t a = btf_type(&b, BTF_TYPEDEF, "a_t", 0, 2);
	struct ctype_member m;
	struct ctype_info info;
	struct err e = { 0 };

	btf_type(&b, BTF_CONST, "", 0, a);
	btf_type(&b, BTF_TYPEDEF, "beyond_t", 0, 99);

	struct btf *t = btf_built(&b, NULL);

	CHECK_EQ(ctype_info(btf_find_type(t, SV("a_t")), &info, &e), -EBADMSG);
	CHECK_EQ(ctype_member(btf_find_type(t, SV("a_t")), SV("x"), &m, &e), -EBADMSG);
	CHECK_EQ(ctype_info(btf_find_type(t, SV("beyond_t")), &info, &e), -EBADMSG);
	CHECK_STR(e.text, "no BTF type 99");
	btf_free(t);
}

TEST(btf_of_a_module_goes_on_where_the_kernels_ends)
{
	struct btf_build b = { 0 }, m = { 0 };

	little(&b);
	m.first_id = 14;
	m.first_string = (uint32_t)b.n_strings;

	uint32_t s = btf_type(&m, BTF_STRUCT, "ext4_inode", 1, 8), proto;

	btf_field(&m, "file", 6, 0);
	proto = btf_type(&m, BTF_PROTO, "", 1, 8);
	btf_part(&m, "inode", s);
	btf_type(&m, BTF_FUNC, "ext4_sync_file", 0, proto);

	/* A function whose name is among the kernel's strings. */
	btf_type(&m, BTF_FUNC, "", 0, proto);
	for (uint32_t at = 1; at < b.n_strings; at++) {
		if (!strcmp(b.strings + at, "schedule"))
			memcpy(m.types + m.n_types - 12, &at, 4);
	}

	struct btf *base = btf_built(&b, NULL), *t = btf_built(&m, base);
	struct btf_param p;
	struct ctype c = btf_find_type(t, SV("ext4_inode"));

	CHECK_EQ(c.id, 14);
	check_member(c, "file", 0, 0);
	CHECK_EQ(btf_find_func(t, SV("ext4_sync_file")), 16);
	CHECK_EQ(btf_find_func(t, SV("schedule")), 17);
	CHECK_EQ(btf_find_func(base, SV("schedule")), 13);
	CHECK_EQ(btf_find_func(t, SV("vfs_read")), -ENOENT);
	CHECK_EQ(btf_find_func(base, SV("ext4_sync_file")), -ENOENT);
	CHECK_EQ(btf_param(t, 16, 0, &p, NULL), 1);
	CHECK_EQ(p.type.id, 14);
	CHECK(sv_eq(info_of(btf_return(t, 16)).name, "long unsigned int"));
	CHECK_EQ(btf_find_type(t, SV("file")).id, 5);
	btf_free(t);
	btf_free(base);
}

TEST(btf_prefers_structs_to_typedefs_of_that_name)
{
	struct btf_build b = { .n_strings = 1 };
	uint32_t i = btf_int(&b, "int", 4, 32), td = btf_type(&b, BTF_TYPEDEF, "u", 0, i), name, s;

	memcpy(&name, b.types + b.n_types - 12, 4);
	btf_type(&b, BTF_FWD, "", 0, 0);
	memcpy(b.types + b.n_types - 12, &name, 4);
	s = btf_type(&b, BTF_STRUCT, "", 0, 4);
	memcpy(b.types + b.n_types - 12, &name, 4);

	struct btf *t = btf_built(&b, NULL);

	CHECK(td != s);
	CHECK_EQ(btf_find_type(t, SV("u")).id, s);
	CHECK(!btf_find_type(t, SV("missing")).src);
	btf_free(t);
}

TEST(btf_that_is_cut_or_unknown_is_refused)
{
	struct btf_build b = { 0 };
	struct err e = { 0 };

	little(&b);
	btf_finish(&b);
	for (size_t n = 0; n < b.n; n++) {
		e.code = 0;
		CHECK(!btf_new(guard_dup(b.v, n), n, NULL, &e));
		CHECK_EQ(e.code, EBADMSG);
	}
	b.v[0] ^= 1;
	CHECK(!btf_new(b.v, b.n, NULL, &e));
	b.v[0] ^= 1;
	b.v[2] = 2;
	CHECK(!btf_new(b.v, b.n, NULL, &e));

	/* Types that are cut inside. */
	for (size_t n = b.n_types - 12; n-- > 0;) {
		struct btf_build cut = b;

		cut.n_types = n;
		btf_finish(&cut);
		cut.v[2] = 1;
		btf_free(btf_new(guard_dup(cut.v, cut.n), cut.n, NULL, &e));
	}

	struct btf_build odd = { .n_strings = 1 };

	btf_type(&odd, 20, "new", 0, 0);
	btf_finish(&odd);
	CHECK(!btf_new(odd.v, odd.n, NULL, &e));
	CHECK_STR(e.text, "BTF type 1 is of an unknown kind, 20 (at offset 0x0)");
}

/* The compiler that made this kernel knows these; they have been so since before there was BTF. */
TEST(btf_of_this_machines_kernel)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	enum { SIZE = 16 << 20 };
	FILE *f = fopen(path, "rb");
	uint8_t *v = malloc(SIZE);
	struct ctype_member m;
	struct btf_param p;

	if (!f || !v)
		SKIP("this kernel has no BTF");

	size_t n = fread(v, 1, SIZE, f);
	struct btf *t = btf_new(v, n, NULL, NULL);

	fclose(f);
	CHECK(t);

	struct ctype list = btf_find_type(t, SV("list_head"));

	CHECK_EQ(info_of(list).size, 16);
	CHECK_EQ(ctype_member(list, SV("prev"), &m, NULL), 0);
	CHECK_EQ(m.bit_offset, 64);
	CHECK_EQ(info_of(info_of(m.type).target).kind, CTYPE_STRUCT);
	CHECK(sv_eq(info_of(info_of(m.type).target).name, "list_head"));
	CHECK_EQ(btf_param(t, btf_find_func(t, SV("vfs_read")), 2, &p, NULL), 1);
	CHECK(sv_eq(p.name, "count"));
	btf_free(t);
	free(v);
}
