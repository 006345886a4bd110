/* disasm_mem.c - addresses and labels of A64 instructions (L tokens), register lists of vector loads (G tokens). */
#include "arch/aarch64/disasm.h"

static void put_base(struct line *l)
{
	put_char(l, '[');
	put_name(l, 'Y', bits(l, 9, 5));
}

/* log2 of the access size, by which the offset is scaled; for vectors bit 23 set means 16 bytes. */
static unsigned scale_of(const struct line *l)
{
	return bits(l, 26, 26) && bits(l, 23, 23) ? 4 : bits(l, 31, 30);
}

/* Offset, post-index, pre-index; BEFORE_PLAIN is pre-index whose offset is left out if it is 0. */
enum how { PLAIN, BEHIND, BEFORE, BEFORE_PLAIN };

static bool put_offset(struct line *l, int64_t off, enum how how)
{
	put_base(l);
	if (how == BEHIND)
		put_char(l, ']');
	if (off || how == BEHIND || how == BEFORE) {
		put_sep(l);
		put_num(l, off);
	}
	if (how != BEHIND)
		put_char(l, ']');
	if (how == BEFORE || how == BEFORE_PLAIN)
		put_char(l, '!');
	return true;
}

static bool put_pair(struct line *l)
{
	static const enum how ways[] = { PLAIN, BEHIND, PLAIN, BEFORE };
	unsigned opc = bits(l, 31, 30), scale = bits(l, 26, 26) ? 2 + opc : 2 + (opc >> 1);

	/* opc 01 is ldpsw, or stgp, whose offset counts tag granules of 16 bytes. */
	if (opc == 1 && !bits(l, 26, 26) && !bits(l, 22, 22))
		scale = 4;
	return put_offset(l, signed_bits(l, 21, 15) * (1 << scale), ways[bits(l, 24, 23)]);
}

static bool put_indexed(struct line *l)
{
	static const char names[][5] = { "", "", "uxtw", "lsl", "", "", "sxtw", "sxtx" };
	unsigned option = bits(l, 15, 13);
	bool is_shifted = bits(l, 12, 12);

	if (!(option & 2))
		return false;
	put_base(l);
	put_sep(l);
	put_name(l, option & 1 ? 'x' : 'w', bits(l, 20, 16));
	if (option != 3 || is_shifted) {
		put_sep(l);
		put_text(l, names[option]);
	}
	if (is_shifted) {
		put_text(l, " #");
		put_dec(l, scale_of(l));
	}
	put_char(l, ']');
	return true;
}

static bool put_label(struct line *l, int64_t words, enum arch_disasm_kind kind)
{
	l->d->kind = kind;
	l->d->address = l->addr + (uint64_t)(words * 4);
	put_hex(l, l->d->address);
	return true;
}

static bool put_prefetch(struct line *l)
{
	static const char types[][4] = { "pld", "pli", "pst" };
	unsigned op = bits(l, 4, 0), type = op >> 3, level = op >> 1 & 3;

	if (type == 3 || level == 3) {
		put_text(l, "#0x");
		put_zero_hex(l, op, 2);
		return true;
	}
	put_text(l, types[type]);
	put_char(l, 'l');
	put_dec(l, level + 1);
	put_text(l, op & 1 ? "strm" : "keep");
	return true;
}

static bool put_authenticated(struct line *l, enum how how)
{
	int64_t off = signed_bits(l, 20, 12);

	if (bits(l, 22, 22))
		off = (off & 0x1ff) - 0x200;
	else
		off &= 0x1ff;
	return put_offset(l, off * 8, how);
}

bool disasm_mem(struct line *l, char what)
{
	static const enum how tag_ways[] = { PLAIN, BEHIND, PLAIN, BEFORE };

	switch (what) {
	case 'n':
		return put_offset(l, 0, PLAIN);
	case 'u':
		return put_offset(l, (int64_t)bits(l, 21, 10) << scale_of(l), PLAIN);
	case 'p':
		return put_offset(l, signed_bits(l, 20, 12), PLAIN);
	case 'a':
		return put_offset(l, signed_bits(l, 20, 12), BEFORE);
	case 'b':
		return put_offset(l, signed_bits(l, 20, 12), BEHIND);
	case 't':
		return put_offset(l, signed_bits(l, 20, 12) * 16, tag_ways[bits(l, 11, 10)]);
	case 'r':
		return put_indexed(l);
	case 'q':
		return put_pair(l);
	case 'x': case 'y':
		return put_authenticated(l, what == 'x' ? PLAIN : BEFORE_PLAIN);
	case 'f':
		return put_prefetch(l);
	case 'j':
		return put_label(l, signed_bits(l, 25, 0), ARCH_DISASM_BRANCH);
	case 'k':
		return put_label(l, signed_bits(l, 18, 5), ARCH_DISASM_BRANCH);
	default:
		/* b.cond, cbz and cbnz; or a load of a literal, which has bit 27 set. */
		return put_label(l, signed_bits(l, 23, 5), bits(l, 27, 27) ? ARCH_DISASM_LITERAL : ARCH_DISASM_BRANCH);
	}
}

/* --- lists --- */

/* Number of registers in a load or store of multiple structures, by opcode: 4 for ld4 and the longest ld1, ... */
static unsigned whole_count(unsigned opcode)
{
	switch (opcode) {
	case 0: case 2:
		return 4;
	case 4: case 6:
		return 3;
	case 7:
		return 1;
	default:
		return 2;
	}
}

static void put_list(struct line *l, unsigned first, unsigned n, const char *kind)
{
	unsigned last = (first + n - 1) & 31;
	bool is_run = n > 2 && last > first;

	put_char(l, '{');
	for (unsigned i = 0; i < n; i += is_run ? n - 1 : 1) {
		if (i)
			put_text(l, is_run ? "-" : ", ");
		put_name(l, 'v', (first + i) & 31);
		put_char(l, '.');
		put_text(l, kind);
	}
	put_char(l, '}');
}

static bool is_single(const struct line *l)
{
	return bits(l, 24, 24);
}

static unsigned single_count(const struct line *l)
{
	return bits(l, 13, 13) * 2 + bits(l, 21, 21) + 1;
}

/* Bytes transferred, which is the post-index increment; of a single structure one element per register. */
static unsigned list_bytes(const struct line *l)
{
	unsigned scale = bits(l, 15, 14);

	if (!is_single(l))
		return whole_count(bits(l, 15, 12)) * (bits(l, 30, 30) ? 16 : 8);
	if (scale == 3)
		scale = bits(l, 11, 10);
	else if (scale == 2 && bits(l, 10, 10))
		scale = 3;
	return single_count(l) << scale;
}

static bool put_list_address(struct line *l)
{
	put_offset(l, 0, PLAIN);
	if (!bits(l, 23, 23))
		return true;
	put_sep(l);
	if (bits(l, 20, 16) == 31)
		put_num(l, list_bytes(l));
	else
		put_name(l, 'x', bits(l, 20, 16));
	return true;
}

static const char kinds[][2][4] = { { "8b", "16b" }, { "4h", "8h" }, { "2s", "4s" }, { "1d", "2d" } };

static bool put_lane(struct line *l)
{
	unsigned scale = bits(l, 15, 14), index = bits(l, 30, 30) << 3 | bits(l, 12, 10);
	static const char names[][2] = { "b", "h", "s", "d" };

	if ((scale == 1 && index & 1) || (scale == 2 && index & 2) || scale == 3)
		return false;
	if (scale == 2 && index & 1) {
		if (index & 4)
			return false;
		scale = 3;
	}
	put_list(l, bits(l, 4, 0), single_count(l), names[scale]);
	put_char(l, '[');
	put_dec(l, index >> scale);
	put_char(l, ']');
	return true;
}

bool disasm_list(struct line *l, char what)
{
	const char *kind = kinds[bits(l, 11, 10)][bits(l, 30, 30)];

	switch (what) {
	case 'a':
		return put_list_address(l);
	case 'm':
	case 'n':
		if (what == 'm' && bits(l, 11, 10) == 3 && !bits(l, 30, 30))
			return false;
		put_list(l, bits(l, 4, 0), whole_count(bits(l, 15, 12)), kind);
		return true;
	case 'r':
		put_list(l, bits(l, 4, 0), single_count(l), kind);
		return true;
	case 't':
		put_list(l, bits(l, 9, 5), bits(l, 14, 13) + 1, "16b");
		return true;
	default:
		return put_lane(l);
	}
}
