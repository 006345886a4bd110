/* disasm_simd.c - vector arrangements (T tokens), elements (Q tokens) and modified immediates (M tokens). */
#include "arch/aarch64/disasm.h"

static const char kinds[][2][4] = { { "8b", "16b" }, { "4h", "8h" }, { "2s", "4s" }, { "1d", "2d" } };
static const char wholes[][4] = { "8b", "8h", "4s", "2d" };

static bool put_kind(struct line *l, unsigned size)
{
	put_text(l, kinds[size][bits(l, 30, 30)]);
	return true;
}

/* log2 of the element's size: the lowest set bit of imm5; false: reserved. */
static bool lowest(const struct line *l, unsigned *size)
{
	unsigned v = bits(l, 19, 16);

	if (!v)
		return false;
	*size = (unsigned)__builtin_ctz(v);
	return true;
}

static bool put_lane(struct line *l, unsigned size, unsigned index)
{
	put_char(l, "bhsd"[size]);
	put_char(l, '[');
	put_dec(l, index);
	put_char(l, ']');
	return true;
}

/* Arrangement or element by the lowest set bit of imm5: dup, ins, smov, umov. */
static bool put_by_lowest(struct line *l, char what)
{
	unsigned size;

	if (!lowest(l, &size))
		return false;
	if (what == 'k')
		return !(size == 3 && !bits(l, 30, 30)) && put_kind(l, size);
	return put_lane(l, size, (what == 'e' ? bits(l, 20, 16) >> 1 : bits(l, 14, 11)) >> size);
}

/* Arrangement by the highest set bit of immh: shifts. */
static bool put_by_highest(struct line *l, bool is_wide)
{
	unsigned v = bits(l, 22, 19), size;

	if (!v)
		return false;
	size = 31 - (unsigned)__builtin_clz(v);
	if (is_wide) {
		if (size == 3)
			return false;
		put_text(l, wholes[size + 1]);
		return true;
	}
	return !(size == 3 && !bits(l, 30, 30)) && put_kind(l, size);
}

/* Arrangement by size, bits 23 and 22; each token allows other sizes. */
static bool put_by_size(struct line *l, char what)
{
	unsigned size = bits(l, 23, 22), q = bits(l, 30, 30);

	switch (what) {
	case 'a':
		return (size < 3 || q) && put_kind(l, size);
	case 'b':
		return size < 3 && put_kind(l, size);
	case 'c':
		return (size == 1 || size == 2) && put_kind(l, size);
	case 'd':
		return !size && put_kind(l, size);
	case 'm':
		return size < 2 && put_kind(l, size);
	case 'v':
		return (size < 2 || (size == 2 && q)) && put_kind(l, size);
	case 'p':
		return size < 3 && put_kind(l, size + 1);
	default:
		if (size == 3)
			return false;
		put_text(l, wholes[size + 1]);
		return true;
	}
}

bool disasm_arrangement(struct line *l, char what)
{
	switch (what) {
	case 'y':
		return put_kind(l, 0);
	case 'h':
		return put_kind(l, 1);
	case '2':
		return put_kind(l, 2);
	case '1':
		return put_kind(l, 3);
	case '8':
		put_text(l, bits(l, 30, 30) ? "4h" : "2h");
		return true;
	case 'f':
		return !(bits(l, 22, 22) && !bits(l, 30, 30)) && put_kind(l, 2 + bits(l, 22, 22));
	case 's': case 't':
		return put_by_highest(l, what == 't');
	case 'e': case 'j': case 'k':
		return put_by_lowest(l, what);
	default:
		return put_by_size(l, what);
	}
}

/* The second operand of instructions "by element"; for halfwords the register's number has four bits. */
bool disasm_element(struct line *l, char what)
{
	unsigned h = bits(l, 11, 11), low = bits(l, 21, 21), m = bits(l, 20, 16);

	put_name(l, 'v', what == 'h' ? m & 15 : m);
	put_char(l, '.');
	switch (what) {
	case 'h':
		return put_lane(l, 1, h << 2 | low << 1 | m >> 4);
	case 's':
		return put_lane(l, 2, h << 1 | low);
	case 'g':
		return put_lane(l, 1, h << 1 | low);
	case 'e':
		return put_lane(l, 2, h);
	case 'd':
		return put_lane(l, 3, h);
	default:
		put_char(l, what == 'b' ? '4' : '2');
		return put_lane(l, what == 'b' ? 0 : 1, h << 1 | low);
	}
}

/*
 * The value is (16 + mantissa) / 16 * 2^exponent, exponent -3 to 4: a multiple of 1/128, which is 0.0078125. Printed as
 * objdump does, with 18 digits behind the point.
 */
void put_float8(struct line *l, unsigned imm8)
{
	unsigned exponent = (imm8 >> 4 & 7) ^ 4;
	uint64_t v = ((uint64_t)(16 + (imm8 & 15)) << exponent) * 78125, unit = 10000000;
	int power = 0;

	for (; v < unit; unit /= 10)
		power--;
	for (; v >= 10 * unit; unit *= 10)
		power++;
	put_text(l, imm8 >> 7 ? "#-" : "#");
	put_dec(l, (int64_t)(v / unit));
	put_char(l, '.');
	for (int i = 0; i < 18; i++) {
		v = v % unit * 10;
		put_dec(l, (int64_t)(v / unit));
	}
	put_text(l, power < 0 ? "e-0" : "e+0");
	put_dec(l, power < 0 ? -power : power);
}

/* Each bit of imm8 fills one byte of the result. */
static uint64_t spread(unsigned imm8)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++)
		if (imm8 >> i & 1)
			v |= UINT64_C(0xff) << 8 * i;
	return v;
}

bool disasm_modified(struct line *l, char what)
{
	unsigned imm8 = bits(l, 18, 16) << 5 | bits(l, 9, 5), cmode = bits(l, 15, 12);
	unsigned shift = (cmode < 8 ? cmode >> 1 : cmode >> 1 & 1) * 8;

	if (what == 'f') {
		put_float8(l, imm8);
		return true;
	}
	put_imm(l, what == 'l' ? spread(imm8) : imm8);
	if (what == 'j') {
		put_text(l, cmode & 1 ? ", msl #16" : ", msl #8");
	} else if (what == 'i' && shift) {
		put_text(l, ", lsl #");
		put_dec(l, shift);
	}
	return true;
}
