/*
 * disasm.c - A64 instructions as text, in the syntax of GNU objdump. Encodings and preferred aliases are those of the
 * Arm ARM (DDI 0487), C4, C6 and C7. The tables are data; disasm.h describes their texts.
 *
 * The second character of a register's token tells which bits have its number:
 *   d t  bits 4-0    n  bits 9-5    a u  bits 14-10    m s  bits 20-16    e g  one more than t, s
 * and the first one how it is named:
 *   W X  w7 x7, 31 is zero          Y  x7, 31 is sp         R K  w or x by bit 31; K: 31 is sp
 *   U    w or x, where bits 31-30 are a size                B H S D O  b7 h7 s7 d7 q7
 *   F    h s d by bits 23-22        E  b h s d by bits 23-22   J  s d by bit 22      A  b h s d by bits 20-16
 *   M N  b to q, in loads and stores of one register, of a pair   V  v7
 * Other tokens: O2 Oo Os Op Oc Oq, suffixes of mnemonics; I, immediates; C, conditions; L, addresses and labels; G,
 * register lists; T, vector arrangements; Q, vector elements; M, modified immediates; Z, SVE; P, hints, barriers and
 * system registers.
 */
#include "arch/aarch64/disasm.h"
#include "arch/aarch64/parts.h"
#include "arch/disasm.h"

struct row {
	uint32_t mask, value;
	const char *text;
};

#define A64(mask, value, text) { mask, value, text },
static const struct row immediates[] = {
#include "arch/aarch64/disasm_imm.def"
};
static const struct row branches[] = {
#include "arch/aarch64/disasm_branch.def"
};
static const struct row registers[] = {
#include "arch/aarch64/disasm_reg.def"
};
static const struct row memory[] = {
#include "arch/aarch64/disasm_mem.def"
};
static const struct row vectors[] = {
#include "arch/aarch64/disasm_float.def"
#include "arch/aarch64/disasm_simd.def"
};
static const struct row scalable[] = {
#include "arch/aarch64/disasm_sve.def"
#include "arch/aarch64/disasm_sve_more.def"
};
#undef A64

struct table {
	const struct row *rows;
	size_t n;
};

#define TABLE(rows) { rows, ARRAY_SIZE(rows) }
#define NONE { NULL, 0 }
/* Indexed by bits 28 to 25, the Arm ARM's op0. */
static const struct table tables[16] = {
	NONE, NONE, TABLE(scalable), NONE,
	TABLE(memory), TABLE(registers), TABLE(memory), TABLE(vectors),
	TABLE(immediates), TABLE(immediates), TABLE(branches), TABLE(branches),
	TABLE(memory), TABLE(registers), TABLE(memory), TABLE(vectors),
};

void put_char(struct line *l, char c)
{
	if (l->n + 1 < ARCH_DISASM_TEXT)
		l->d->text[l->n++] = c;
}

void put_text(struct line *l, const char *s)
{
	while (*s)
		put_char(l, *s++);
}

static void put_digits(struct line *l, uint64_t v, unsigned base)
{
	char digits[24];
	size_t n = 0;

	do {
		digits[n++] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	while (n)
		put_char(l, digits[--n]);
}

void put_dec(struct line *l, int64_t v)
{
	if (v < 0)
		put_char(l, '-');
	put_digits(l, v < 0 ? -(uint64_t)v : (uint64_t)v, 10);
}

void put_hex(struct line *l, uint64_t v)
{
	put_digits(l, v, 16);
}

void put_zero_hex(struct line *l, uint32_t v, unsigned width)
{
	while (width--)
		put_char(l, "0123456789abcdef"[v >> 4 * width & 15]);
}

void put_imm(struct line *l, uint64_t v)
{
	put_text(l, "#0x");
	put_hex(l, v);
}

void put_num(struct line *l, int64_t v)
{
	put_char(l, '#');
	put_dec(l, v);
}

void put_sep(struct line *l)
{
	put_text(l, ", ");
}

/* class: the letter to print; or Y, x with number 31 as sp; or K, w with number 31 as wsp. */
void put_name(struct line *l, char class, unsigned number)
{
	if (number == 31 && (class == 'Y' || class == 'K')) {
		put_text(l, class == 'Y' ? "sp" : "wsp");
	} else if (number == 31 && (class == 'w' || class == 'x')) {
		put_char(l, class);
		put_text(l, "zr");
	} else {
		put_char(l, class == 'Y' ? 'x' : class == 'K' ? 'w' : class);
		put_dec(l, number);
	}
}

/* The O tokens: suffixes of mnemonics, chosen by bits of the instruction. */
static bool put_end(struct line *l, char what)
{
	static const char ends[][4] = { "", "l", "a", "al" };
	static const char sizes[][4] = { "b", "h", "", "" };
	static const char copies[][4] = { "", "wt", "rt", "t" }, streams[][4] = { "", "wn", "rn", "n" };
	static const char sets[][4] = { "", "t", "n", "tn" };

	switch (what) {
	case '2':
		if (bits(l, 30, 30))
			put_char(l, '2');
		return true;
	case 'o':
		put_text(l, ends[bits(l, 23, 22)]);
		return true;
	case 'p':
		put_text(l, ends[bits(l, 22, 22) * 2 + bits(l, 15, 15)]);
		return true;
	case 's':
		put_text(l, sizes[bits(l, 31, 30)]);
		return true;
	case 'c':
		put_text(l, copies[bits(l, 13, 12)]);
		put_text(l, streams[bits(l, 15, 14)]);
		return true;
	case 'q':
		put_text(l, sets[bits(l, 13, 12)]);
		return true;
	default:
		put_name(l, 'q', what == 'd' ? bits(l, 4, 0) : bits(l, 9, 5));
		return true;
	}
}

/* The class for put_name(), which some tokens choose by bits of the instruction; 0: a reserved value. */
static char class_of(const struct line *l, char class)
{
	unsigned size;

	switch (class) {
	case 'R':
		return l->w >> 31 ? 'x' : 'w';
	case 'K':
		return l->w >> 31 ? 'Y' : 'K';
	case 'U':
		return bits(l, 31, 30) == 3 ? 'x' : 'w';
	case 'Y':
		return 'Y';
	case 'F':
		return "sd\0h"[bits(l, 23, 22)];
	case 'E':
		return "bhsd"[bits(l, 23, 22)];
	case 'J':
		return bits(l, 22, 22) ? 'd' : 's';
	case 'M':
		size = bits(l, 31, 30) | bits(l, 23, 23) << 2;
		return size > 4 ? 0 : "bhsdq"[size];
	case 'N':
		return "sdq\0"[bits(l, 31, 30)];
	case 'A':
		size = bits(l, 20, 16);
		return size & 15 ? "bhsd"[__builtin_ctz(size)] : 0;
	default:
		return (char)(class - 'A' + 'a');
	}
}

static bool put_register(struct line *l, char class, char field)
{
	char c = class_of(l, class);
	unsigned number = bits(l, 4, 0);

	if (!c)
		return false;
	if (field == 'n')
		number = bits(l, 9, 5);
	else if (field == 'a' || field == 'u')
		number = bits(l, 14, 10);
	else if (field == 'm' || field == 's')
		number = bits(l, 20, 16);
	else if (field == 'g')
		number = bits(l, 20, 16) + 1;
	else if (field == 'e')
		number++;
	put_name(l, c, number);
	return true;
}

static bool put_token(struct line *l, char class, char what)
{
	switch (class) {
	case 'I':
		return disasm_imm(l, what);
	case 'C':
		return disasm_condition(l, what);
	case 'L':
		return disasm_mem(l, what);
	case 'G':
		return disasm_list(l, what);
	case 'T':
		return disasm_arrangement(l, what);
	case 'Q':
		return disasm_element(l, what);
	case 'P':
		return disasm_system(l, what);
	case 'O':
		return put_end(l, what);
	case 'M':
		return what == 't' ? put_register(l, class, what) : disasm_modified(l, what);
	default:
		return put_register(l, class, what);
	}
}

bool put_expanded(struct line *l, const char *text)
{
	bool in_operands = false;

	for (; *text; text++) {
		if (*text == 'Z') {
			text++;
			if (!disasm_sve(l, &text))
				return false;
			text--;
		} else if (*text >= 'A' && *text <= 'Z') {
			if (!put_token(l, text[0], text[1]))
				return false;
			text++;
		} else if (*text == ' ' && !in_operands) {
			in_operands = true;
			put_char(l, '\t');
		} else if (*text == ',') {
			put_sep(l);
		} else {
			put_char(l, *text);
		}
	}
	return true;
}

/*
 * The first row that matches any instruction with the same key, from the cache. The key consists of the bits in which
 * most rows differ; in most encodings none of them belongs to a register's number.
 */
static size_t first_row(const struct line *l, const struct table *t, struct arch_disasm_memo *m)
{
	const uint32_t bits = 0xffe0fc00;
	uint16_t *known = arch_disasm_memo_row(m, l->w & bits);
	size_t i = 0;

	if (*known)
		return *known - 1u;
	while (i < t->n && (l->w ^ t->rows[i].value) & t->rows[i].mask & bits)
		i++;
	*known = (uint16_t)(i + 1);
	return i;
}

static bool decode(struct line *l, struct arch_disasm_memo *m)
{
	const struct table *t = &tables[bits(l, 28, 25)];

	for (size_t i = first_row(l, t, m); i < t->n; i++) {
		if ((l->w & t->rows[i].mask) != t->rows[i].value)
			continue;
		*l->d = (struct arch_disasm){ .text = l->d->text };
		l->n = 0;
		if (put_expanded(l, t->rows[i].text))
			return true;
	}
	return false;
}

static void undefined(struct line *l)
{
	*l->d = (struct arch_disasm){ .text = l->d->text, .is_unknown = true };
	l->n = 0;
	if (l->w < 0x10000) {
		put_text(l, "udf\t#");
		put_dec(l, l->w);
		return;
	}
	put_text(l, ".inst\t0x");
	put_zero_hex(l, l->w, 8);
	put_text(l, " ; undefined");
}

/* Find instructions that may complete an ADRP: an add immediate, or a load or store with an unsigned offset. */
static void see_offset(struct line *l)
{
	struct arch_disasm *d = l->d;

	if ((l->w & 0xffc00000) == 0x91000000) {
		d->kind = ARCH_DISASM_ADD;
		d->offset = bits(l, 21, 10);
	} else if ((l->w & 0x3b000000) == 0x39000000) {
		bool is_vector = bits(l, 26, 26);
		unsigned scale = is_vector && bits(l, 23, 23) ? 4 : bits(l, 31, 30);

		d->kind = ARCH_DISASM_ACCESS;
		d->offset = bits(l, 21, 10) << scale;
		if (is_vector || !bits(l, 23, 22))
			d->reg = ARCH_NO_REG;
	}
	d->base = (uint8_t)bits(l, 9, 5);
}

/*
 * Registers that may be written: Rd or Rt; and of loads and stores also Rt2 of a pair, Rs (the status of an exclusive
 * store, the old value of an atomic operation) and the base, which write-back changes.
 */
static void see_written(struct line *l)
{
	struct arch_disasm *d = l->d;
	bool is_memory = (l->w & 0x0a000000) == 0x08000000;

	d->written[d->n_written++] = (uint8_t)bits(l, 4, 0);
	if (!is_memory)
		return;
	if ((l->w & 0x3a000000) == 0x28000000)
		d->written[d->n_written++] = (uint8_t)bits(l, 14, 10);
	else
		d->written[d->n_written++] = (uint8_t)bits(l, 20, 16);
	if ((l->w & 0x3b000000) != 0x39000000)
		d->written[d->n_written++] = (uint8_t)bits(l, 9, 5);
}

bool arch_aarch64_disasm(const uint8_t *p, size_t n, uint64_t addr, struct arch_disasm_memo *m, struct arch_disasm *d)
{
	struct line l = { .addr = addr, .d = d };

	if (n < 4)
		return false;
	l.w = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	if (!decode(&l, m))
		undefined(&l);
	d->text[l.n] = '\0';
	d->n_text = (uint8_t)l.n;
	d->len = 4;
	d->reg = (uint8_t)bits(&l, 4, 0);
	if (!d->kind)
		see_offset(&l);
	see_written(&l);
	return true;
}
