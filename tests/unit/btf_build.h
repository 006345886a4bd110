/*
 * btf_build.h - BTF made by hand, of either byte order:
 *   struct btf_build b = { .n_strings = 1 };  uint32_t i = btf_int(&b, "int", 4, BTF_SIGNED | 32);  ...
 *   struct btf *t = btf_built(&b, NULL);
 * Each function returns the new type's id. A module's has first_id and first_string of what it continues.
 */
#ifndef TESTS_BTF_BUILD_H
#define TESTS_BTF_BUILD_H

#include "obj/types/btf.h"
#include "t.h"

enum { BTF_SIGNED = 1 << 24, BTF_CHAR = 2 << 24, BTF_BOOL = 4 << 24 };

enum {
	BTF_INT = 1, BTF_PTR, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM, BTF_FWD, BTF_TYPEDEF, BTF_VOLATILE, BTF_CONST,
	BTF_RESTRICT, BTF_FUNC, BTF_PROTO, BTF_VAR, BTF_DATASEC, BTF_FLOAT, BTF_DECL_TAG, BTF_TYPE_TAG, BTF_ENUM64,
	BTF_FLAG = 0x80,   /* kind_flag */
};

struct btf_build {
	bool swap;
	uint32_t first_id, first_string, n_ids;
	uint8_t types[8192];
	char strings[4096];
	size_t n_types, n_strings;
	uint8_t v[16384];
	size_t n;
};

static inline void btf_put(struct btf_build *b, uint32_t v)
{
	if (b->n_types + 4 > sizeof(b->types))
		abort();
	v = b->swap ? __builtin_bswap32(v) : v;
	memcpy(b->types + b->n_types, &v, 4);
	b->n_types += 4;
}

static inline uint32_t btf_text(struct btf_build *b, const char *s)
{
	size_t at = b->n_strings, n = strlen(s) + 1;

	if (!s[0])
		return 0;
	if (at + n > sizeof(b->strings))
		abort();
	memcpy(b->strings + at, s, n);
	b->n_strings += n;
	return b->first_string + (uint32_t)at;
}

/* link: size or type */
static inline uint32_t btf_type(struct btf_build *b, unsigned kind, const char *name, unsigned vlen, uint32_t link)
{
	btf_put(b, btf_text(b, name));
	btf_put(b, vlen | (kind & 0x1f) << 24 | (kind & BTF_FLAG ? 1U << 31 : 0));
	btf_put(b, link);
	return (b->first_id ? b->first_id : 1) + b->n_ids++;
}

/* how: flags, offset << 16, bits */
static inline uint32_t btf_int(struct btf_build *b, const char *name, uint32_t size, uint32_t how)
{
	uint32_t id = btf_type(b, BTF_INT, name, 0, size);

	btf_put(b, how);
	return id;
}

static inline uint32_t btf_array(struct btf_build *b, uint32_t element, uint32_t n)
{
	uint32_t id = btf_type(b, BTF_ARRAY, "", 0, 0);

	btf_put(b, element);
	btf_put(b, 1);
	btf_put(b, n);
	return id;
}

/* One of a struct's vlen members; of a prototype's parameters without an offset. */
static inline void btf_part(struct btf_build *b, const char *name, uint32_t type)
{
	btf_put(b, btf_text(b, name));
	btf_put(b, type);
}

static inline void btf_field(struct btf_build *b, const char *name, uint32_t type, uint32_t offset)
{
	btf_part(b, name, type);
	btf_put(b, offset);
}

static inline void btf_head(struct btf_build *b, size_t at, uint32_t v, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		bool is_msb = b->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

		b->v[at + i] = (uint8_t)(v >> 8 * (is_msb ? size - 1 - i : i));
	}
}

static inline void btf_finish(struct btf_build *b)
{
	const uint32_t part[] = { 24, 0, (uint32_t)b->n_types, (uint32_t)b->n_types, (uint32_t)b->n_strings };

	btf_head(b, 0, 0xeb9f, 2);
	b->v[2] = 1;
	for (size_t i = 0; i < ARRAY_SIZE(part); i++)
		btf_head(b, 4 + i * 4, part[i], 4);
	memcpy(b->v + 24, b->types, b->n_types);
	memcpy(b->v + 24 + b->n_types, b->strings, b->n_strings);
	b->n = 24 + b->n_types + b->n_strings;
}

/* NULL has failed the test. */
static inline struct btf *btf_built(struct btf_build *b, const struct btf *base)
{
	struct err e = { 0 };

	btf_finish(b);

	struct btf *t = btf_new(guard_dup(b->v, b->n), b->n, base, &e);

	CHECK_STR(e.text, "");
	return t;
}

#endif
