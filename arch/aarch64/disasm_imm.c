/* disasm_imm.c - immediates of A64 instructions (I tokens), and conditions that choose among aliases (C tokens). */
#include "arch/aarch64/disasm.h"

static unsigned top(const struct line *l)
{
	return l->w >> 31 ? 63 : 31;
}

/* Is this a valid bitfield move? N equals sf, and immr and imms are less than the register's size. */
static bool is_field(const struct line *l)
{
	return bits(l, 22, 22) == l->w >> 31 && bits(l, 21, 16) <= top(l) && bits(l, 15, 10) <= top(l);
}

/* A run of ones, rotated within an element of 2 to 64 bits, which is repeated to fill 64 bits. */
bool disasm_bit_mask(unsigned n, unsigned r, unsigned s, uint64_t *mask)
{
	unsigned pattern = n << 6 | (~s & 63), size;
	uint64_t ones, all;

	if (pattern < 2)
		return false;
	size = 1u << (31 - __builtin_clz(pattern));
	s &= size - 1;
	r &= size - 1;
	if (s == size - 1)
		return false;
	all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
	ones = (UINT64_C(2) << s) - 1;
	if (r)
		ones = (ones >> r | ones << (size - r)) & all;
	for (; size < 64; size *= 2)
		ones |= ones << size;
	*mask = ones;
	return true;
}

/* The immediate of a logical instruction. With 32-bit registers N is 0, so that an element has at most 32 bits. */
static bool bit_mask(const struct line *l, uint64_t *mask)
{
	unsigned n = bits(l, 22, 22);

	if (n > l->w >> 31 || !disasm_bit_mask(n, bits(l, 21, 16), bits(l, 15, 10), mask))
		return false;
	if (!(l->w >> 31))
		*mask = (uint32_t)*mask;
	return true;
}

static bool fits_halfword(uint64_t v, bool is_wide)
{
	for (unsigned shift = 0; shift < (is_wide ? 64 : 32); shift += 16)
		if (!(v & ~(UINT64_C(0xffff) << shift)))
			return true;
	return false;
}

/* Could movz or movn load the immediate, too? Then the alias mov stands for those, and not for this orr. */
static bool is_wide_move(const struct line *l)
{
	bool is_wide = l->w >> 31;
	uint64_t v;

	if (!bit_mask(l, &v))
		return true;
	return fits_halfword(v, is_wide) || fits_halfword(is_wide ? ~v : (uint32_t)~v, is_wide);
}

static bool put_add(struct line *l)
{
	put_imm(l, bits(l, 21, 10));
	if (bits(l, 22, 22))
		put_text(l, ", lsl #12");
	return true;
}

static bool put_mask(struct line *l)
{
	uint64_t v;

	if (!bit_mask(l, &v))
		return false;
	put_imm(l, v);
	return true;
}

/* The immediate of movz, movn, movk: q as encoded, with its shift; y and n the resulting value, for the alias mov. */
static bool put_halfword(struct line *l, char what)
{
	uint64_t v = bits(l, 20, 5);
	unsigned shift = bits(l, 22, 21) * 16;
	bool is_wide = l->w >> 31;

	if (shift > top(l))
		return false;
	if (what == 'q') {
		put_imm(l, v);
		if (shift) {
			put_text(l, ", lsl #");
			put_dec(l, shift);
		}
		return true;
	}
	if (!v && shift)
		return false;
	v <<= shift;
	if (what == 'n') {
		v = is_wide ? ~v : (uint32_t)~v;
		if (!is_wide && fits_halfword(v, false))
			return false;
	}
	put_imm(l, v);
	return true;
}

static void put_two(struct line *l, unsigned a, unsigned b)
{
	put_num(l, a);
	put_sep(l);
	put_num(l, b);
}

static bool put_field(struct line *l, char what)
{
	unsigned r = bits(l, 21, 16), s = bits(l, 15, 10);

	if (!is_field(l))
		return false;
	switch (what) {
	case 'r':
		put_num(l, r);
		return true;
	case 'l':
		if (s == top(l) || s + 1 != r)
			return false;
		put_num(l, top(l) - s);
		return true;
	case 'f':
		if (s >= r)
			return false;
		put_two(l, top(l) + 1 - r, s + 1);
		return true;
	default:
		if (s < r)
			return false;
		put_two(l, r, s - r + 1);
		return true;
	}
}

static bool put_shift(struct line *l, bool rotates)
{
	static const char names[][4] = { "lsl", "lsr", "asr", "ror" };
	unsigned type = bits(l, 23, 22), amount = bits(l, 15, 10);

	if (amount > top(l) || (type == 3 && !rotates))
		return false;
	if (!type && !amount)
		return true;
	put_sep(l);
	put_text(l, names[type]);
	put_text(l, " #");
	put_dec(l, amount);
	return true;
}

/* An extended register. If another operand is sp, an extension by the full size is printed as lsl. */
static bool put_extended(struct line *l)
{
	static const char names[][5] = { "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx" };
	unsigned option = bits(l, 15, 13), amount = bits(l, 12, 10);
	bool is_wide = l->w >> 31;
	bool has_sp = bits(l, 9, 5) == 31 || (!bits(l, 29, 29) && bits(l, 4, 0) == 31);

	if (amount > 4)
		return false;
	put_name(l, is_wide && (option & 3) == 3 ? 'x' : 'w', bits(l, 20, 16));
	if (has_sp && option == (is_wide ? 3 : 2)) {
		if (!amount)
			return true;
		put_text(l, ", lsl");
	} else {
		put_sep(l);
		put_text(l, names[option]);
	}
	if (amount) {
		put_text(l, " #");
		put_dec(l, amount);
	}
	return true;
}

static void put_cond(struct line *l, unsigned cond)
{
	static const char names[][3] = {
		"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv",
	};

	put_text(l, names[cond]);
}

static bool put_ccmp(struct line *l, bool has_number)
{
	if (has_number) {
		put_imm(l, bits(l, 20, 16));
		put_sep(l);
	}
	put_imm(l, bits(l, 3, 0));
	put_sep(l);
	put_cond(l, bits(l, 15, 12));
	return true;
}

/* immh:immb of vector shifts: the highest set bit of immh gives the element's size. */
static bool put_vector_shift(struct line *l, bool is_right)
{
	unsigned v = bits(l, 22, 16), size = bits(l, 22, 19) ? 8u << (31 - __builtin_clz(bits(l, 22, 19))) : 0;

	if (!size)
		return false;
	put_num(l, is_right ? 2 * size - v : v - size);
	return true;
}

static bool put_fraction(struct line *l)
{
	unsigned scale = bits(l, 15, 10);

	if (!(l->w >> 31) && scale < 32)
		return false;
	put_num(l, 64 - scale);
	return true;
}

/* Immediates that are plain bit fields. */
static bool put_plain(struct line *l, char what)
{
	switch (what) {
	case 's':
		put_num(l, signed_bits(l, 17, 10));
		return true;
	case '8':
		put_num(l, bits(l, 17, 10));
		return true;
	case 'h':
		put_imm(l, bits(l, 20, 5));
		return true;
	case '9':
		put_num(l, bits(l, 20, 5));
		return true;
	case 'g':
		put_imm(l, bits(l, 21, 16) << 4);
		put_sep(l);
		put_imm(l, bits(l, 13, 10));
		return true;
	case 'o':
		put_two(l, bits(l, 20, 15), bits(l, 3, 0));
		return true;
	case 'e':
		if (bits(l, 22, 22) != l->w >> 31 || bits(l, 15, 10) > top(l))
			return false;
		put_num(l, bits(l, 15, 10));
		return true;
	case '7':
		put_num(l, bits(l, 31, 31) << 5 | bits(l, 23, 19));
		return true;
	default:
		return false;
	}
}

static bool put_vector_number(struct line *l, char what)
{
	switch (what) {
	case '1':
		put_float8(l, bits(l, 20, 13));
		return true;
	case '2':
		put_text(l, "s[");
		put_dec(l, bits(l, 13, 12));
		put_char(l, ']');
		return true;
	case '3':
		put_num(l, 8 << bits(l, 23, 22));
		return true;
	case '4':
		put_num(l, bits(l, 14, 11));
		return true;
	case '6':
		put_num(l, bits(l, 15, 10));
		return true;
	case 't':
		put_num(l, bits(l, 12, 11) * 90);
		return true;
	case 'i':
		put_num(l, bits(l, 14, 13) * 90);
		return true;
	default:
		put_num(l, bits(l, 12, 12) ? 270 : 90);
		return true;
	}
}

static bool put_address(struct line *l, bool is_page)
{
	int64_t off = (int64_t)(signed_bits(l, 23, 5) * 4) | bits(l, 30, 29);

	l->d->kind = is_page ? ARCH_DISASM_PAGE : ARCH_DISASM_ADDRESS;
	l->d->address = is_page ? (l->addr & ~UINT64_C(0xfff)) + ((uint64_t)off << 12) : l->addr + (uint64_t)off;
	put_hex(l, l->d->address);
	return true;
}

bool disasm_imm(struct line *l, char what)
{
	switch (what) {
	case 'a': case 'p':
		return put_address(l, what == 'p');
	case 'z':
		return put_add(l);
	case 'b':
		return put_mask(l);
	case 'n': case 'y': case 'q':
		return put_halfword(l, what);
	case 'r': case 'l': case 'f': case 'x':
		return put_field(l, what);
	case 'm': case 'j':
		return put_shift(l, what == 'm');
	case 'k':
		return put_extended(l);
	case 'c': case 'd':
		return put_ccmp(l, what == 'c');
	case 'v': case 'w':
		return put_vector_shift(l, what == 'v');
	case '5':
		return put_fraction(l);
	case '1': case '2': case '3': case '4': case '6': case 't': case 'i': case 'u':
		return put_vector_number(l, what);
	default:
		return put_plain(l, what);
	}
}

/* A load of a pair must have two different registers, and none of them may be a base with write-back. */
static bool is_good_pair(const struct line *l)
{
	unsigned base = bits(l, 9, 5), first = bits(l, 4, 0), second = bits(l, 14, 10);

	if (first == second)
		return false;
	return !bits(l, 23, 23) || base == 31 || (base != first && base != second);
}

/* Memory copies and sets (cpy*, set*): three different registers; only a set's value may be xzr. */
static bool is_good_block(const struct line *l, bool fills)
{
	unsigned to = bits(l, 4, 0), n = bits(l, 9, 5), from = bits(l, 20, 16);

	return to != n && to != from && n != from && to != 31 && n != 31 && (fills || from != 31);
}

/* Aliases of SVE instructions that require two register fields to be equal. */
static bool is_same(const struct line *l, char what)
{
	switch (what) {
	case '1':
		return bits(l, 9, 5) == bits(l, 20, 16);
	case '2':
		return bits(l, 8, 5) == bits(l, 19, 16);
	case '3':
		return bits(l, 13, 10) == bits(l, 19, 16);
	case '4':
		return bits(l, 3, 0) == bits(l, 19, 16);
	default:
		return bits(l, 4, 0) == bits(l, 20, 16);
	}
}

bool disasm_condition(struct line *l, char what)
{
	unsigned cond = bits(l, 15, 12);

	switch (what) {
	case 'a':
		return bits(l, 4, 0) == 31 || bits(l, 9, 5) == 31;
	case 'w':
		return bits(l, 4, 0) == 31 || !is_wide_move(l);
	case 't':
		return is_field(l) && bits(l, 15, 10) == top(l);
	case 'v':
		return is_field(l);
	case 'm':
		return bits(l, 9, 5) == bits(l, 20, 16);
	case 'f':
		return bits(l, 9, 5) != 31;
	case 'p':
		return is_good_pair(l);
	case 's':
		return disasm_is_mask_move(l);
	case '1': case '2': case '3': case '4': case '5':
		return is_same(l, what);
	case 'x': case 'y':
		return is_good_block(l, what == 'y');
	case 'c':
		put_cond(l, bits(l, 3, 0));
		return true;
	case 'i':
		if (cond >= 14)
			return false;
		put_sep(l);
		put_cond(l, cond ^ 1);
		return true;
	default:
		put_sep(l);
		put_cond(l, cond);
		return true;
	}
}
