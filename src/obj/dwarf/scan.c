/*
 * scan.c - searches hundreds of megabytes for 4-byte values: a name's offset in .debug_str, an entry's offset in
 * its unit. Where these bytes do not occur, nothing needs to be decoded.
 */
#include "obj/dwarf/parts.h"

int dwarf_needles_add(struct dwarf_needles *n, uint64_t v, const struct cursor *like)
{
	uint32_t *p = vec_add(&n->list);

	if (!p)
		return -ENOMEM;
	*p = like->swap ? __builtin_bswap32((uint32_t)v) : (uint32_t)v;
	return 0;
}

static unsigned bloom_bit(uint32_t v)
{
	return v * UINT32_C(0x9e3779b1) >> 16;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x, y;

	memcpy(&x, a, 4);
	memcpy(&y, b, 4);
	return x < y ? -1 : x > y;
}

int dwarf_needles_finish(struct dwarf_needles *n)
{
	if (n->list.n <= DWARF_FEW)
		return 0;
	if (!n->bloom)
		n->bloom = malloc(DWARF_BLOOM / 8);
	if (!n->bloom)
		return -ENOMEM;
	qsort(n->list.v, n->list.n, sizeof(*n->list.v), by_value);
	memset(n->bloom, 0, DWARF_BLOOM / 8);
	for (size_t i = 0; i < n->list.n; i++) {
		unsigned bit = bloom_bit(n->list.v[i]);

		n->bloom[bit / 64] |= UINT64_C(1) << bit % 64;
	}
	return 0;
}

void dwarf_needles_clear(struct dwarf_needles *n)
{
	n->list.n = 0;
}

void dwarf_needles_deinit(struct dwarf_needles *n)
{
	vec_free(&n->list);
	free(n->bloom);
	n->bloom = NULL;
}

static bool is_one(const struct dwarf_needles *n, uint32_t v)
{
	size_t lo = 0, hi = n->list.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (n->list.v[mid] == v)
			return true;
		if (n->list.v[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

static uint32_t load4(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

static size_t next_of_many(const struct dwarf_needles *needles, const uint8_t *p, size_t n, size_t i)
{
	for (; i + 4 <= n; i++) {
		uint32_t v = load4(p + i);
		unsigned bit = bloom_bit(v);

		if (needles->bloom[bit / 64] >> bit % 64 & 1 && is_one(needles, v))
			return i;
	}
	return n;
}

static bool is_any(const struct dwarf_needles *needles, uint32_t v)
{
	for (size_t k = 0; k < needles->list.n; k++) {
		if (needles->list.v[k] == v)
			return true;
	}
	return false;
}

/* Compares sixteen positions at once; the compiler makes vector instructions of it that every machine has. */
enum { LANES = 16, STEP = 4 * LANES };

struct lanes {
	uint8_t v __attribute__((vector_size(LANES)));
};

static struct lanes lanes_load(const uint8_t *p)
{
	struct lanes l;

	memcpy(&l, p, LANES);
	return l;
}

#define INLINE static inline __attribute__((always_inline))

/* Unrolled by hand, so that values stay in registers even when compiled for size. */
INLINE struct lanes found_at(const struct lanes want[DWARF_FEW][2], size_t few, const uint8_t *p)
{
	struct lanes a = lanes_load(p), b = lanes_load(p + 1), found;

	found.v = (a.v == want[0][0].v) & (b.v == want[0][1].v);
	if (few > 1)
		found.v |= (a.v == want[1][0].v) & (b.v == want[1][1].v);
	if (few > 2)
		found.v |= (a.v == want[2][0].v) & (b.v == want[2][1].v);
	return found;
}

/* Pre-filter: whole steps are searched for the first two bytes of each needle, which vary most; few positions match. */
INLINE bool may_have(const struct lanes want[DWARF_FEW][2], size_t few, const uint8_t *p)
{
	struct lanes found;
	uint64_t any[2];

	found.v = found_at(want, few, p).v | found_at(want, few, p + LANES).v |
		  found_at(want, few, p + 2 * LANES).v | found_at(want, few, p + 3 * LANES).v;
	memcpy(any, &found, sizeof(any));
	return any[0] | any[1];
}

/* few: needles->list.n as a constant, so that the needles stay in registers. */
INLINE size_t next_of(const struct dwarf_needles *needles, size_t few, const uint8_t *p, size_t n, size_t i)
{
	struct lanes want[DWARF_FEW][2] = { 0 };

	for (size_t k = 0; k < few; k++) {
		for (unsigned b = 0; b < 2; b++)
			memset(&want[k][b], ((const uint8_t *)&needles->list.v[k])[b], LANES);
	}
	for (; n >= STEP + 3 && i <= n - STEP - 3; i += STEP) {
		if (!may_have(want, few, p + i))
			continue;
		for (unsigned at = 0; at < STEP; at++) {
			if (is_any(needles, load4(p + i + at)))
				return i + at;
		}
	}
	for (; i + 4 <= n; i++) {
		if (is_any(needles, load4(p + i)))
			return i;
	}
	return n;
}

static size_t next_of_few(const struct dwarf_needles *needles, const uint8_t *p, size_t n, size_t i)
{
	switch (needles->list.n) {
	case 1:
		return next_of(needles, 1, p, n, i);
	case 2:
		return next_of(needles, 2, p, n, i);
	default:
		return next_of(needles, DWARF_FEW, p, n, i);
	}
}

size_t dwarf_needles_next(const struct dwarf_needles *needles, const uint8_t *p, size_t n, size_t from)
{
	if (!needles->list.n || from >= n)
		return n;
	return (needles->list.n <= DWARF_FEW ? next_of_few : next_of_many)(needles, p, n, from);
}

enum { ALL = DWARF_USE_TEXT | DWARF_USE_STRX | DWARF_USE_CROSS | DWARF_USE_SPLIT | DWARF_USE_SHORT };

/* The dwarf_use bits of an attribute with that form. */
static unsigned attr_uses(uint64_t at, uint64_t form)
{
	bool is_strx = form == DW_FORM_strx || (form >= DW_FORM_strx1 && form <= DW_FORM_strx4) ||
		       form == DW_FORM_GNU_str_index;

	switch (at) {
	case DW_AT_name: case DW_AT_linkage_name: case DW_AT_MIPS_linkage_name:
		if (form == DW_FORM_indirect)
			return ALL;
		return form == DW_FORM_string ? DWARF_USE_TEXT : is_strx ? DWARF_USE_STRX : 0;
	case DW_AT_abstract_origin: case DW_AT_specification:
		break;
	case DW_AT_GNU_dwo_name:
		return DWARF_USE_SPLIT;
	default:
		return 0;
	}
	if (form == DW_FORM_indirect)
		return ALL;
	if (form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref_udata)
		return DWARF_USE_SHORT;
	return form == DW_FORM_ref_addr || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8 ||
	       form == DW_FORM_GNU_ref_alt ? DWARF_USE_CROSS : 0;
}

/* Fast path: most LEB128 numbers have one byte. */
static uint64_t leb(struct cursor *c)
{
	return c->pos < c->end && *c->pos < 0x80 ? *c->pos++ : cur_uleb(c);
}

/* Scan all tables, which are consecutive, each with a 0 at its end. False: these are not. */
static bool tables_use(struct cursor c, unsigned *uses)
{
	while (!c.bad && cur_left(&c)) {
		if (!leb(&c))
			continue;

		uint64_t tag = leb(&c), at, form;
		uint8_t children = cur_u8(&c);

		if (!tag || tag > UINT16_MAX || children > 1)
			return false;
		do {
			at = leb(&c);
			form = leb(&c);
			if (form == DW_FORM_implicit_const)
				cur_sleb(&c);
			if (c.bad || at > UINT16_MAX || form > UINT16_MAX || !at != !form)
				return false;
			/* The attributes that matter to a search. */
			if (at == DW_AT_name || at == DW_AT_abstract_origin || at == DW_AT_specification ||
			    at >= DW_AT_linkage_name)
				*uses |= attr_uses(at, form);
		} while (at);
	}
	return !c.bad;
}

/* Does each unit's table begin behind a 0, where another table ends? */
static bool tables_fit(const struct dwarf_file *f, const struct cursor *c)
{
	for (size_t i = 0; i < f->units.n; i++) {
		uint64_t at = f->units.v[i].abbrev_off;

		if (at >= cur_left(c) || (at && c->pos[at - 1]))
			return false;
	}
	return true;
}

unsigned dwarf_file_uses(struct dwarf_file *f)
{
	struct cursor c = dwarf_file_section(f, DWARF_ABBREV);
	unsigned uses = 0;

	if (!f->uses)
		f->uses = DWARF_USE_KNOWN | (tables_fit(f, &c) && tables_use(c, &uses) ? uses : ALL);
	return f->uses;
}
