/*
 * btf.c - index of the types, look-up by name, and the ctype view.
 *
 *   header: 0 u16 magic, 2 u8 version, 3 u8 flags, 4 u32 its length, then u32 offset and length of the types and of the
 *           strings, from the header's end
 *   type:   0 u32 name, 4 u32 info (vlen 0-15, kind 24-28, kind_flag 31), 8 u32 size or type, then data of its kind
 *
 * A module's ids and string offsets continue where the kernel's end.
 */
#include "obj/types/btf.h"

#include "base/cursor.h"

enum { MAGIC = 0xeb9f, VERSION = 1, HEADER_MIN = 24 };

enum kind {
	KIND_INT = 1, KIND_PTR, KIND_ARRAY, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_FWD, KIND_TYPEDEF, KIND_VOLATILE,
	KIND_CONST, KIND_RESTRICT, KIND_FUNC, KIND_FUNC_PROTO, KIND_VAR, KIND_DATASEC, KIND_FLOAT, KIND_DECL_TAG,
	KIND_TYPE_TAG, KIND_ENUM64, KINDS,
};

enum { TYPE_SIZE = 12, KIND_MASK = 0x1f };

enum { INT_SIGNED = 1, INT_CHAR = 2, INT_BOOL = 4 };

/* Names longer than KSYM_NAME_LEN (512) are not names. */
enum { NAME_MAX_LEN = 512 };

/* Limit for chains of typedefs, qualifiers or dimensions. */
enum { CHAIN_MAX = 64 };

struct btf {
	struct ctype_source source;        /* must be first: pointers to it and to struct btf are converted */
	const struct btf *base;
	struct cursor types, strings;
	uint32_t first_id, first_string;   /* the first ones of this BTF, behind the base's */
	uint32_t pointer_size, kind_byte;  /* kind_byte: offset in a type */
	uint32_t *index, n;                /* offset in types of type first_id + i */
};

/* For code that a search runs 170,000 times: the rest of this file is compiled for size. */
#define INLINE inline __attribute__((always_inline))

/* One type; more: the data of its kind. */
struct type {
	uint32_t name, vlen, link;         /* link: size or type */
	enum kind kind;
	bool flag;
	struct cursor more;
};

/* --- strings --- */

static struct sv name_at(const struct btf *b, uint32_t off)
{
	if (off < b->first_string)
		return name_at(b->base, off);

	struct cursor c = b->strings;

	cur_seek(&c, off - b->first_string);

	size_t max = MIN(cur_left(&c), (size_t)NAME_MAX_LEN + 1);
	const uint8_t *nul = c.bad ? NULL : memchr(c.pos, 0, max);

	return nul ? (struct sv){ (const char *)c.pos, (size_t)(nul - c.pos) } : SV("");
}

/* Cheaper than name_at for a mismatch, which is nearly every case. */
static INLINE bool name_is(const struct btf *b, uint32_t off, struct sv name)
{
	if (off < b->first_string)
		b = b->base;

	const uint8_t *s = b->strings.start + (off - b->first_string);
	size_t all = (size_t)(b->strings.end - b->strings.start);

	return off - b->first_string < all && name.n < all - (off - b->first_string) && s[0] == (uint8_t)name.s[0] &&
	       !memcmp(s, name.s, name.n) && !s[name.n];
}

/* --- index --- */

static const struct btf *btf_of(const struct btf *b, uint64_t id)
{
	return id < b->first_id ? b->base : b;
}

static uint32_t end_id(const struct btf *b)
{
	return b->first_id + b->n;
}

static void type_read(struct type *t, struct cursor *c)
{
	t->name = cur_u32(c);

	uint32_t info = cur_u32(c);

	t->vlen = info & 0xffff;
	t->kind = info >> 24 & KIND_MASK;
	t->flag = info >> 31;
	t->link = cur_u32(c);
}

static bool type_get(const struct btf *b, uint64_t id, struct type *t)
{
	if (!id || id >= end_id(b))
		return false;
	b = btf_of(b, id);
	t->more = b->types;
	cur_seek(&t->more, b->index[id - b->first_id]);
	type_read(t, &t->more);
	return true;
}

/* Size of the data behind a type: a fixed part, and a part for each of vlen members. */
static size_t more_size(enum kind kind, uint32_t vlen)
{
	static const uint8_t some[KINDS] = {
		[KIND_INT] = 4, [KIND_ARRAY] = 12, [KIND_VAR] = 4, [KIND_DECL_TAG] = 4,
	};
	static const uint8_t each[KINDS] = {
		[KIND_STRUCT] = 12, [KIND_UNION] = 12, [KIND_ENUM] = 8, [KIND_FUNC_PROTO] = 8, [KIND_DATASEC] = 12,
		[KIND_ENUM64] = 12,
	};

	return some[kind] + (size_t)each[kind] * vlen;
}

/* Read a word at an offset that types_walk has validated. */
static INLINE uint32_t word_at(const struct btf *b, size_t off)
{
	uint32_t v;

	memcpy(&v, b->types.start + off, sizeof(v));
	return b->types.swap ? __builtin_bswap32(v) : v;
}

static INLINE enum kind kind_at(const struct btf *b, size_t off)
{
	return b->types.start[off + b->kind_byte] & KIND_MASK;
}

/* Count types, at most max; stores their offsets to index, unless that is NULL. Or -errno. */
static int64_t types_walk(const struct btf *b, uint32_t max, uint32_t *index, struct err *e)
{
	size_t all = (size_t)(b->types.end - b->types.start), off = 0;
	uint32_t n = 0;

	for (; off < all && n < max; n++) {
		size_t left = all - off, size = TYPE_SIZE;

		if (left >= TYPE_SIZE) {
			enum kind kind = kind_at(b, off);

			if (!kind || kind >= KINDS)
				return err_at(e, EBADMSG, off, "BTF type %u is of an unknown kind, %u", b->first_id + n,
					      kind);
			size += more_size(kind, word_at(b, off + 4) & 0xffff);
		}
		if (size > left)
			return err_at(e, EBADMSG, off, "BTF type %u is cut", b->first_id + n);
		if (index)
			index[n] = (uint32_t)off;
		off += size;
	}
	return n;
}

static int index_types(struct btf *b, struct err *e)
{
	int64_t n = types_walk(b, UINT32_MAX, NULL, e);

	if (n < 0)
		return (int)n;
	b->index = calloc((size_t)n + 1, sizeof(*b->index));
	if (!b->index)
		return err_nomem(e);
	b->n = (uint32_t)types_walk(b, (uint32_t)n, b->index, e);
	return 0;
}

static int header_read(struct btf *b, const void *bytes, size_t n, struct err *e)
{
	struct cursor c = cur_from(bytes, n);
	uint16_t magic = cur_u16(&c);

	c.swap = magic == __builtin_bswap16(MAGIC);
	if (magic != MAGIC && !c.swap)
		return err_at(e, EBADMSG, 0, "not BTF");
	b->kind_byte = c.swap == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? 7 : 4;
	if (cur_u8(&c) != VERSION)
		return err_at(e, EBADMSG, 2, "not version 1 of BTF");
	cur_skip(&c, 1);

	uint32_t size = cur_u32(&c), part[4];

	for (size_t i = 0; i < ARRAY_SIZE(part); i++)
		part[i] = cur_u32(&c);
	b->types = cur_sub(&c, (uint64_t)size + part[0], part[1]);
	b->strings = cur_sub(&c, (uint64_t)size + part[2], part[3]);
	if (size < HEADER_MIN || b->types.bad || b->strings.bad ||
	    part[3] > UINT32_MAX - b->first_string)
		return err_at(e, EBADMSG, 4, "BTF is cut");
	return 0;
}

/*
 * Of this BTF's own types with the name, the one whose kind has the lowest rank; kinds of rank 0 are excluded. 0: none.
 */
static uint32_t named(const struct btf *b, struct sv name, const uint8_t rank[KIND_MASK + 1])
{
	unsigned best = UINT_MAX;
	uint32_t id = 0;

	for (uint32_t i = 0; name.n && i < b->n && best > 1; i++) {
		unsigned r = rank[kind_at(b, b->index[i])];

		if (r && r < best && name_is(b, word_at(b, b->index[i]), name)) {
			best = r;
			id = b->first_id + i;
		}
	}
	return id;
}

/* The size of a pointer is taken from the type long, by gcc's and clang's names for it: BTF does not have it. */
static void pointer_size_find(struct btf *b)
{
	static const uint8_t rank[KIND_MASK + 1] = { [KIND_INT] = 1 };
	uint32_t id = named(b, SV("long unsigned int"), rank);
	struct type t;

	if (!id)
		id = named(b, SV("unsigned long"), rank);
	b->pointer_size = id && type_get(b, id, &t) && t.link == 4 ? 4 : 8;
}

static int ctype_info_of(const struct ctype_source *src, uint64_t id, struct ctype_info *info, struct err *e);
static int ctype_member_of(const struct ctype_source *src, uint64_t id, unsigned i, struct ctype_member *m,
			   struct err *e);

struct btf *btf_new(const void *bytes, size_t n, const struct btf *base, struct err *e)
{
	struct btf *b = calloc(1, sizeof(*b));

	if (!b) {
		err_nomem(e);
		return NULL;
	}
	b->source = (struct ctype_source){ ctype_info_of, ctype_member_of };
	b->base = base;
	b->first_id = base ? end_id(base) : 1;
	b->first_string = base ? base->first_string + (uint32_t)(base->strings.end - base->strings.start) : 0;
	if (header_read(b, bytes, n, e) || index_types(b, e)) {
		btf_free(b);
		return NULL;
	}
	if (base)
		b->pointer_size = base->pointer_size;
	else
		pointer_size_find(b);
	return b;
}

void btf_free(struct btf *b)
{
	if (b)
		free(b->index);
	free(b);
}

/* --- by name --- */

int64_t btf_find_func(const struct btf *b, struct sv name)
{
	static const uint8_t rank[KIND_MASK + 1] = { [KIND_FUNC] = 1 };
	uint32_t id = named(b, name, rank);

	return id ? (int64_t)id : -ENOENT;
}

struct sv btf_func_name(const struct btf *b, uint32_t func)
{
	struct type t;

	return type_get(b, func, &t) && t.kind == KIND_FUNC ? name_at(b, t.name) : SV("");
}

static struct ctype ctype_of(const struct btf *b, uint64_t id)
{
	return (struct ctype){ id ? &b->source : NULL, id };
}

struct ctype btf_find_type(const struct btf *b, struct sv name)
{
	static const uint8_t rank[KIND_MASK + 1] = {
		[KIND_STRUCT] = 1, [KIND_UNION] = 1, [KIND_TYPEDEF] = 2, [KIND_ENUM] = 3, [KIND_ENUM64] = 3,
	};
	uint32_t id = named(b, name, rank);

	if (!id && b->base)
		return btf_find_type(b->base, name);
	return ctype_of(b, id);
}

static INLINE int each_of(const struct btf *b, enum kind kind, int (*each)(void *arg, struct sv name, int64_t id),
			  void *arg)
{
	int ret = 0;

	for (uint32_t i = 0; i < b->n && !ret; i++) {
		if (kind_at(b, b->index[i]) == kind)
			ret = each(arg, name_at(b, word_at(b, b->index[i])), (int64_t)b->first_id + i);
	}
	return ret;
}

int btf_each_func(const struct btf *b, int (*each)(void *arg, struct sv name, int64_t func), void *arg)
{
	return each_of(b, KIND_FUNC, each, arg);
}

int btf_each_var(const struct btf *b, int (*each)(void *arg, struct sv name, int64_t var), void *arg)
{
	return each_of(b, KIND_VAR, each, arg);
}

struct ctype btf_var_type(const struct btf *b, int64_t var)
{
	struct type t;

	return ctype_of(b, type_get(b, (uint64_t)var, &t) && t.kind == KIND_VAR ? t.link : 0);
}

/* --- functions --- */

static bool proto_get(const struct btf *b, int64_t func, struct type *t)
{
	return func > 0 && type_get(b, (uint64_t)func, t) && t->kind == KIND_FUNC && type_get(b, t->link, t) &&
	       t->kind == KIND_FUNC_PROTO;
}

int btf_param(const struct btf *b, int64_t func, unsigned i, struct btf_param *p, struct err *e)
{
	struct type t;

	if (!proto_get(b, func, &t))
		return err_set(e, EBADMSG, "BTF type %lld is no function", (long long)func);
	if (i >= t.vlen)
		return 0;
	cur_skip(&t.more, (size_t)i * 8);
	p->name = name_at(b, cur_u32(&t.more));
	p->type = ctype_of(b, cur_u32(&t.more));
	return p->type.src != NULL;   /* without a type: the "..." of printf */
}

struct ctype btf_return(const struct btf *b, int64_t func)
{
	struct type t;

	return ctype_of(b, proto_get(b, func, &t) ? t.link : 0);
}

/* --- types of C --- */

/* Resolve typedefs and qualifiers; *name: of the last typedef. 1, 0: void, -errno. */
static int type_bare(const struct btf *b, uint64_t id, struct type *t, struct sv *name, struct err *e)
{
	const uint32_t through = 1U << KIND_TYPEDEF | 1U << KIND_VOLATILE | 1U << KIND_CONST | 1U << KIND_RESTRICT |
				 1U << KIND_TYPE_TAG | 1U << KIND_VAR;

	for (int i = 0; i < CHAIN_MAX; i++) {
		if (!id)
			return 0;
		if (!type_get(b, id, t))
			return err_set(e, EBADMSG, "no BTF type %llu", (unsigned long long)id);
		if (!(through >> t->kind & 1))
			return 1;
		if (t->kind == KIND_TYPEDEF)
			*name = name_at(b, t->name);
		id = t->link;
	}
	return err_set(e, EBADMSG, "BTF type %llu is too long a chain", (unsigned long long)id);
}

static enum ctype_kind int_kind(struct sv name, uint32_t size, unsigned encoding)
{
	if (encoding & INT_BOOL)
		return CTYPE_BOOL;
	/* pahole does not set INT_CHAR. */
	if (encoding & INT_CHAR || (size == 1 && name.n >= 4 && !memcmp(name.s + name.n - 4, "char", 4)))
		return CTYPE_CHAR;
	return CTYPE_INT;
}

/* Several dimensions are arrays of arrays. */
static int array_info(const struct btf *b, struct type *t, struct ctype_info *info, struct err *e)
{
	uint64_t size = 1;

	for (int i = 0; i < CHAIN_MAX; i++) {
		uint32_t element = cur_u32(&t->more), count;
		struct ctype_info inner = { .size = 0 };
		struct sv name;

		cur_skip(&t->more, 4);
		count = cur_u32(&t->more);
		if (!i) {
			info->target = ctype_of(b, element);
			info->count = count;
		}
		if (__builtin_mul_overflow(size, count, &size))
			return err_set(e, EBADMSG, "a BTF array is too big");

		int got = type_bare(b, element, t, &name, e);

		if (got > 0 && t->kind == KIND_ARRAY)
			continue;
		if (got > 0)
			got = ctype_info_of(&b->source, element, &inner, e);
		if (got >= 0 && __builtin_mul_overflow(size, inner.size, &info->size))
			return err_set(e, EBADMSG, "a BTF array is too big");
		return MIN(got, 0);
	}
	return err_set(e, EBADMSG, "a BTF array has too many dimensions");
}

static int info_fill(const struct btf *b, struct type *t, struct ctype_info *info, struct err *e)
{
	static const uint8_t kinds[KIND_MASK + 1] = {
		[KIND_PTR] = CTYPE_PTR, [KIND_ARRAY] = CTYPE_ARRAY, [KIND_STRUCT] = CTYPE_STRUCT,
		[KIND_UNION] = CTYPE_UNION, [KIND_ENUM] = CTYPE_ENUM, [KIND_ENUM64] = CTYPE_ENUM,
		[KIND_FUNC] = CTYPE_FUNC, [KIND_FUNC_PROTO] = CTYPE_FUNC, [KIND_FLOAT] = CTYPE_FLOAT,
	};

	info->kind = kinds[t->kind];
	info->size = t->link;
	info->is_signed = t->kind == KIND_FLOAT;
	switch (t->kind) {
	case KIND_INT: {
		unsigned encoding = cur_u32(&t->more) >> 24;

		info->kind = int_kind(info->name, t->link, encoding);
		info->is_signed = encoding & INT_SIGNED;
		break;
	}
	case KIND_ENUM:
	case KIND_ENUM64:
		info->is_signed = t->flag;
		break;
	case KIND_PTR:
		info->target = ctype_of(b, t->link);
		info->size = b->pointer_size;
		break;
	case KIND_ARRAY:
		return array_info(b, t, info, e);
	case KIND_FWD:
		info->kind = t->flag ? CTYPE_UNION : CTYPE_STRUCT;
		info->size = 0;
		break;
	case KIND_FUNC:
		info->size = 0;
		if (!type_get(b, t->link, t) || t->kind != KIND_FUNC_PROTO)
			return err_set(e, EBADMSG, "a BTF function without a prototype");
		info->target = ctype_of(b, t->link);
		break;
	case KIND_FUNC_PROTO:
		info->target = ctype_of(b, t->link);
		info->size = 0;
		break;
	case KIND_STRUCT:
	case KIND_UNION:
	case KIND_FLOAT:
		break;
	default:
		info->size = 0;
	}
	return 0;
}

static int ctype_info_of(const struct ctype_source *src, uint64_t id, struct ctype_info *info, struct err *e)
{
	const struct btf *b = (const struct btf *)src;
	struct sv name = SV("");
	struct type t;
	int got = type_bare(b, id, &t, &name, e);

	*info = (struct ctype_info){ .name = name, .is_typedef = name.n };
	if (got <= 0)
		return got;
	if (t.name) {
		info->name = name_at(b, t.name);
		info->is_typedef = false;
	}
	return info_fill(b, &t, info, e);
}

/*
 * Without kind_flag (before Linux 5.0, and structs without bit-fields) a bit-field has an INT with fewer bits than its
 * bytes, which may also have an offset.
 */
static void bits_of_int(const struct btf *b, uint32_t id, struct ctype_member *m)
{
	struct sv name;
	struct type t;

	if (type_bare(b, id, &t, &name, NULL) <= 0 || t.kind != KIND_INT)
		return;

	uint32_t encoding = cur_u32(&t.more);
	unsigned bits = encoding & 0xff, off = encoding >> 16 & 0xff;

	m->bit_offset += off;
	if (bits != (uint64_t)t.link * 8)
		m->bits = bits;
}

static int ctype_member_of(const struct ctype_source *src, uint64_t id, unsigned i, struct ctype_member *m,
			   struct err *e)
{
	const struct btf *b = (const struct btf *)src;
	struct sv name;
	struct type t;
	int got = type_bare(b, id, &t, &name, e);

	if (got <= 0 || (t.kind != KIND_STRUCT && t.kind != KIND_UNION) || i >= t.vlen)
		return MIN(got, 0);
	cur_skip(&t.more, (size_t)i * 12);
	m->name = name_at(b, cur_u32(&t.more));

	uint32_t type = cur_u32(&t.more), off = cur_u32(&t.more);

	m->type = ctype_of(b, type);
	m->bit_offset = t.flag ? off & 0xffffff : off;
	m->bits = t.flag ? off >> 24 : 0;
	if (!t.flag)
		bits_of_int(b, type, m);
	return 1;
}

int btf_enumerator(struct ctype t, unsigned i, struct btf_enumerator *to, struct err *e)
{
	const struct btf *b = (const struct btf *)t.src;
	struct sv name;
	struct type is;
	int got = b ? type_bare(b, (uint32_t)t.id, &is, &name, e) : 0;

	if (got <= 0 || (is.kind != KIND_ENUM && is.kind != KIND_ENUM64) || i >= is.vlen)
		return MIN(got, 0);
	cur_skip(&is.more, (size_t)i * (is.kind == KIND_ENUM ? 8 : 12));
	to->name = name_at(b, cur_u32(&is.more));
	to->value = cur_u32(&is.more);
	if (is.kind == KIND_ENUM64)
		to->value |= (uint64_t)cur_u32(&is.more) << 32;
	else if (is.flag)
		to->value = (uint64_t)(int64_t)(int32_t)to->value;
	return is.more.bad ? err_set(e, EBADMSG, "a BTF enum is cut short") : 1;
}
