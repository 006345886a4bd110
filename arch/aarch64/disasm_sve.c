/*
 * disasm_sve.c - pieces of SVE instructions. All their tokens begin with Z:
 *
 *   Zd Zn Zm Za     z7, fields as in disasm.c; Zs Zh 3 and 4 bits from bit 16 on; Zv{count}{size}{d or n}: a list
 *   Z0 to Z5        p7: bits 3-0, 8-5, 12-10, 13-10, 19-16, 18-16
 *   Zt Zy Zz Zr     size letter by bits 23-22; Zy not b; Zz half that size; Zr not d
 *   Zp Zq Zf        element count pattern with multiplier, without one; prefetch operation
 *   Z#{abcd}        a number: a is u or s (signed), b its lowest bit ('a' is bit 0), c its number of bits, d what it is
 *                   multiplied by: a to f are powers of two, t is 3; o adds one. Z_ prints no '#'. Z? prints a comma
 *                   before it, Z~ also "mul vl" behind it, and both nothing if it is 0
 *   Zo              x7, bits 20-16, but not xzr
 *   Z9 Z( Z8        numbers in two bit fields: of 9 bits; the same printed as Z~; of 8 bits
 *   ZR ZL {a b c}   shifts to the right and left, see field
 *   others          numbers, as shown in put_fixed
 */
#include "arch/aarch64/disasm.h"

static void put_letter(struct line *l, unsigned size)
{
	put_char(l, "bhsd"[size & 3]);
}

static int64_t number(const struct line *l, const char *how)
{
	unsigned low = (unsigned)(how[1] - 'a'), n = (unsigned)(how[2] - '0');
	int64_t v = how[0] == 's' ? signed_bits(l, low + n - 1, low) : (int64_t)bits(l, low + n - 1, low);

	if (how[3] == 'o')
		return v + 1;
	return how[3] == 't' ? v * 3 : v * (1 << (how[3] - 'a'));
}

static void put_scaled(struct line *l, char what, const char *how)
{
	int64_t v = number(l, how);

	if (what == '_') {
		put_dec(l, v);
		return;
	}
	if (what != '#') {
		if (!v)
			return;
		put_sep(l);
	}
	put_num(l, v);
	if (what == '~')
		put_text(l, ", mul vl");
}

static void put_list(struct line *l, const char *how)
{
	unsigned n = (unsigned)(how[0] - '0'), first = how[2] == 'd' ? bits(l, 4, 0) : bits(l, 9, 5);
	unsigned last = (first + n - 1) & 31;
	bool is_run = n > 2 && last > first;

	for (unsigned i = 0; i < n; i += is_run ? n - 1 : 1) {
		if (i)
			put_text(l, is_run ? "-" : ", ");
		put_name(l, 'z', (first + i) & 31);
		put_char(l, '.');
		put_char(l, how[1]);
	}
}

static bool put_register(struct line *l, char what)
{
	static const struct {
		char what, class;
		uint8_t high, low;
	} fields[] = {
		{ 'd', 'z', 4, 0 },   { 'n', 'z', 9, 5 },   { 'm', 'z', 20, 16 },  { 'a', 'z', 14, 10 },
		{ 's', 'z', 18, 16 }, { 'h', 'z', 19, 16 }, { '0', 'p', 3, 0 },    { '1', 'p', 8, 5 },
		{ '2', 'p', 12, 10 }, { '3', 'p', 13, 10 }, { '4', 'p', 19, 16 },  { '5', 'p', 18, 16 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (fields[i].what != what)
			continue;
		put_name(l, fields[i].class, bits(l, fields[i].high, fields[i].low));
		return true;
	}
	return false;
}

static bool put_size(struct line *l, char what)
{
	unsigned size = bits(l, 23, 22);

	if ((what == 'y' || what == 'z') && !size)
		return false;
	if (what == 'r' && size == 3)
		return false;
	put_letter(l, what == 'z' ? size - 1 : size);
	return true;
}

static void put_pattern_name(struct line *l, unsigned pattern)
{
	static const char names[][6] = {
		"pow2", "vl1", "vl2", "vl3", "vl4", "vl5", "vl6", "vl7", "vl8", "vl16", "vl32", "vl64", "vl128",
		"vl256",
	};

	if (pattern < ARRAY_SIZE(names)) {
		put_text(l, names[pattern]);
	} else if (pattern >= 29) {
		put_text(l, pattern == 29 ? "mul4" : pattern == 30 ? "mul3" : "all");
	} else {
		put_num(l, pattern);
	}
}

/* The default, "all" times 1, is not printed. */
static bool put_pattern(struct line *l, bool has_factor)
{
	unsigned pattern = bits(l, 9, 5), factor = has_factor ? bits(l, 19, 16) + 1 : 1;

	if (pattern == 31 && factor == 1)
		return true;
	put_sep(l);
	put_pattern_name(l, pattern);
	if (factor > 1) {
		put_text(l, ", mul #");
		put_dec(l, factor);
	}
	return true;
}

static bool put_prefetch(struct line *l)
{
	unsigned op = bits(l, 3, 0);

	if ((op & 6) == 6) {
		put_num(l, op);
		return true;
	}
	put_text(l, op & 8 ? "pst" : "pld");
	put_char(l, 'l');
	put_dec(l, 1 + (op >> 1 & 3));
	put_text(l, op & 1 ? "strm" : "keep");
	return true;
}

/* The highest set bit of tszh:tszl gives the element's size; tszh:tszl:imm3 is the encoded shift amount. */
static bool put_shift(struct line *l, bool is_right, char where)
{
	unsigned high = where == 'c' ? bits(l, 22, 22) : bits(l, 23, 22);
	unsigned low = where == 'a' ? bits(l, 9, 5) : bits(l, 20, 16), v = high << 5 | low, size;

	if (v < 8)
		return false;
	size = 8u << (31 - __builtin_clz(v >> 3));
	put_num(l, is_right ? 2 * size - v : v - size);
	return true;
}

/* dup of an element: the lowest set bit gives the element's size, the bits above are its index. */
static bool put_index(struct line *l)
{
	unsigned v = bits(l, 23, 22) << 5 | bits(l, 20, 16);

	if (!(v & 31))
		return false;
	put_dec(l, v >> (__builtin_ctz(v) + 1));
	return true;
}

/* --- bit mask immediates --- */

/* The bits of an element of the mask, and its size in bits; 0: reserved. */
static unsigned repeated(const struct line *l, uint64_t *element)
{
	uint64_t mask;
	unsigned size = 64;

	if (!disasm_bit_mask(bits(l, 17, 17), bits(l, 16, 11), bits(l, 10, 5), &mask))
		return 0;
	if (!bits(l, 17, 17)) {
		unsigned s = bits(l, 10, 5);

		size = s < 32 ? 32 : s < 48 ? 16 : 8;
	}
	*element = size == 64 ? mask : mask & ((UINT64_C(1) << size) - 1);
	return size;
}

static bool put_mask(struct line *l, bool is_letter)
{
	uint64_t element;
	unsigned size = repeated(l, &element);

	if (!size)
		return false;
	if (is_letter)
		put_char(l, size == 64 ? 'd' : size == 32 ? 's' : size == 16 ? 'h' : 'b');
	else
		put_imm(l, element);
	return true;
}

static bool fits_byte(int64_t v)
{
	if (!(v & 0xff))
		v /= 256;
	return v >= -128 && v < 128;
}

/* False if dup could load the mask, too (8 bits, optionally shifted by 8): then the alias mov stands for dup. */
bool disasm_is_mask_move(const struct line *l)
{
	uint64_t v;

	if (!disasm_bit_mask(bits(l, 17, 17), bits(l, 16, 11), bits(l, 10, 5), &v))
		return false;
	if ((uint32_t)v != v >> 32)
		return !fits_byte((int64_t)v);
	if ((v & 0xffff) != (v >> 16 & 0xffff))
		return !fits_byte((int32_t)v);
	if ((v & 0xff) == (v >> 8 & 0xff))
		return false;
	return !fits_byte((int16_t)v);
}

/* --- numbers with a token of their own --- */

static bool put_fixed(struct line *l, char what)
{
	int64_t nine = signed_bits(l, 21, 16) * 8 + bits(l, 12, 10);

	switch (what) {
	case '9':
		put_num(l, nine);
		return true;
	case '(':
		if (nine) {
			put_sep(l);
			put_num(l, nine);
			put_text(l, ", mul vl");
		}
		return true;
	case '8':
		put_num(l, bits(l, 20, 16) << 3 | bits(l, 12, 10));
		return true;
	case 'o':
		if (bits(l, 20, 16) == 31)
			return false;
		put_name(l, 'x', bits(l, 20, 16));
		return true;
	case 'i':
		put_num(l, signed_bits(l, 12, 5) * (bits(l, 13, 13) ? 256 : 1));
		return true;
	case 'u':
		put_num(l, (int64_t)bits(l, 12, 5) << (bits(l, 13, 13) ? 8 : 0));
		return true;
	case 'b':
		put_dec(l, bits(l, 20, 19) << 1 | bits(l, 11, 11));
		return true;
	case 'c':
		put_dec(l, bits(l, 20, 20) << 1 | bits(l, 11, 11));
		return true;
	case 'e':
		put_dec(l, bits(l, 22, 22) << 2 | bits(l, 20, 19));
		return true;
	case 'F':
		put_float8(l, bits(l, 12, 5));
		return true;
	default:
		return false;
	}
}

static bool put_rotation(struct line *l, char what)
{
	switch (what) {
	case 'g':
		put_num(l, bits(l, 11, 10) * 90);
		return true;
	case 'j':
		put_num(l, bits(l, 14, 13) * 90);
		return true;
	case 'k':
		put_num(l, bits(l, 16, 16) ? 270 : 90);
		return true;
	default:
		put_num(l, bits(l, 10, 10) ? 270 : 90);
		return true;
	}
}

/* An element of a predicate, selected by a register: the lowest set bit gives the element's size. */
static bool put_chosen(struct line *l)
{
	unsigned v = bits(l, 23, 22) << 3 | bits(l, 20, 18);

	if (!(v & 15))
		return false;
	put_letter(l, (unsigned)__builtin_ctz(v));
	put_char(l, '[');
	put_name(l, 'w', 12 + bits(l, 17, 16));
	put_sep(l);
	put_dec(l, v >> (__builtin_ctz(v) + 1));
	put_char(l, ']');
	return true;
}

/* A byte element with an immediate shifted by 8 is reserved. */
static bool is_byte_shifted(const struct line *l)
{
	return !bits(l, 23, 22) && bits(l, 13, 13);
}

static bool put_one(struct line *l, char what)
{
	switch (what) {
	case 't': case 'y': case 'z': case 'r':
		return put_size(l, what);
	case 'p': case 'q':
		return put_pattern(l, what == 'p');
	case 'f':
		return put_prefetch(l);
	case 'x':
		return put_index(l);
	case 'w':
		return put_chosen(l);
	case 'i': case 'u':
		return !is_byte_shifted(l) && put_fixed(l, what);
	case 'B': case 'E':
		return put_mask(l, what == 'E');
	case 'g': case 'j': case 'k': case 'l':
		return put_rotation(l, what);
	default:
		return put_register(l, what) || put_fixed(l, what);
	}
}

bool disasm_sve(struct line *l, const char **text)
{
	const char *p = *text;

	switch (*p) {
	case '#': case '_': case '?': case '~':
		put_scaled(l, p[0], p + 1);
		*text = p + 5;
		return true;
	case 'v':
		put_list(l, p + 1);
		*text = p + 4;
		return true;
	case 'R': case 'L':
		*text = p + 2;
		return put_shift(l, p[0] == 'R', p[1]);
	default:
		*text = p + 1;
		return put_one(l, *p);
	}
}
