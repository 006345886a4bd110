/* listing.c - disassemble instructions, and track which registers hold the page of an ADRP. */
#include "analyse/listing.h"

/* AAPCS64: a call may change x0 to x18, and the link register. */
enum { CALL_CLOBBERED = 18, LINK = 30 };

void listing_init(struct listing *l, const struct listing_want *w)
{
	*l = (struct listing){ .want = *w, .disasm = arch_disasm_of(w->arch), .at = w->addr };
}

/* Append to the text. It always fits: each piece is limited, and the sum of the limits is less than LISTING_TEXT. */
static void add(struct listing_line *line, const char *s, size_t n)
{
	if (n >= sizeof(line->text) - line->n)
		return;
	memcpy(line->text + line->n, s, n);
	line->n = (uint16_t)(line->n + n);
}

static void add_text(struct listing_line *line, const char *s)
{
	add(line, s, strlen(s));
}

static void add_name(const struct listing *l, struct listing_line *line, const char *before, uint64_t addr)
{
	char name[LISTING_NAME];

	if (!l->want.name || !l->want.name(l->want.arg, addr, name))
		return;
	add_text(line, before);
	add_text(line, "<");
	add_text(line, name);
	add_text(line, ">");
}

static uint32_t registers(unsigned from, unsigned upto)
{
	return (uint32_t)((UINT64_C(2) << upto) - (UINT64_C(1) << from));
}

/* Append the name of an address: a branch target, a literal, or page + offset of an ADRP and this instruction. */
static void add_meaning(const struct listing *l, const struct arch_disasm *d, struct listing_line *line)
{
	bool has_offset = d->kind == ARCH_DISASM_ADD || d->kind == ARCH_DISASM_ACCESS;

	if (d->kind == ARCH_DISASM_BRANCH || d->kind == ARCH_DISASM_LITERAL || d->kind == ARCH_DISASM_ADDRESS)
		add_name(l, line, " ", d->address);
	else if (has_offset && d->base < LISTING_REGISTERS && l->is_page >> d->base & 1)
		add_name(l, line, "\t// ", l->page[d->base] + d->offset);
}

/*
 * Conservative: a register's page is forgotten when the register may be written, at calls if they may change it, and
 * after instructions that do not fall through.
 */
static void follow_pages(struct listing *l, const struct arch_disasm *d, const uint8_t *p, size_t n)
{
	struct arch_insn insn = { 0 };

	if (!l->is_page && d->kind != ARCH_DISASM_PAGE)
		return;
	l->want.arch->insn(p, n, l->at, &insn);
	if (insn.flags & ARCH_INSN_STOP || d->is_unknown) {
		l->is_page = 0;
	} else if (insn.flags & ARCH_INSN_CALL) {
		l->is_page &= ~(registers(0, CALL_CLOBBERED) | registers(LINK, LINK));
	} else if (d->kind == ARCH_DISASM_PAGE) {
		l->is_page |= registers(d->reg, d->reg);
		l->page[d->reg] = d->address;
	} else if (!(insn.flags & ARCH_INSN_BRANCH)) {
		for (unsigned i = 0; i < d->n_written; i++)
			l->is_page &= ~registers(d->written[i], d->written[i]);
	}
}

static void add_byte(struct listing_line *line, uint8_t b)
{
	add(line, (char[2]){ "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 15] }, 2);
}

static void add_word(struct listing_line *line, const uint8_t p[4])
{
	for (unsigned i = 4; i--; )
		add_byte(line, p[i]);
}

/* As objdump does: a word if all instructions have 4 bytes, else bytes, in a column for seven of them. */
static void add_raw(const struct listing *l, const uint8_t *p, size_t n, struct listing_line *line)
{
	enum { COLUMN = 7 };

	if (l->want.arch->insn_size == 4) {
		add_word(line, p);
		add_text(line, " \t");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		add_byte(line, p[i]);
		add_text(line, " ");
	}
	for (size_t i = n; i < COLUMN; i++)
		add_text(line, "   ");
	add_text(line, "\t");
}

/* A word of data, or single bytes at the end. */
static void add_data(struct listing *l, const uint8_t *p, size_t n, struct listing_line *line)
{
	if (n == 4) {
		add_text(line, ".word\t0x");
		add_word(line, p);
	}
	for (size_t i = 0; n < 4 && i < n; i++) {
		add_text(line, i ? ", 0x" : ".byte\t0x");
		add_byte(line, p[i]);
	}
	l->is_page = 0;
}

enum { RAW = 48 };

static_assert(RAW + ARCH_DISASM_TEXT + LISTING_NAME + sizeof("\t// <>") < LISTING_TEXT, "all of a line has room");

/* The disassembler writes into the line itself; with `raw`, behind room for the bytes, whose number is unknown yet. */
static size_t add_code(struct listing *l, const uint8_t *p, size_t n, struct listing_line *line)
{
	struct arch_disasm d = { .text = line->text + (l->want.raw ? RAW : 0) };

	if (!l->disasm || (l->want.marks && marks_is_data(l->want.marks, l->at)) ||
	    !l->disasm(p, n, l->at, &l->memo, &d)) {
		add_data(l, p, MIN(n, 4u), line);
		return MIN(n, 4u);
	}
	if (l->want.raw) {
		add_raw(l, p, d.len, line);
		memmove(line->text + line->n, d.text, d.n_text);
	}
	line->n = (uint16_t)(line->n + d.n_text);
	add_meaning(l, &d, line);
	follow_pages(l, &d, p, n);
	line->target = d.kind == ARCH_DISASM_BRANCH ? d.address : 0;
	return d.len;
}

bool listing_next(struct listing *l, struct listing_line *line)
{
	size_t n = cur_left(&l->want.code);

	if (!n)
		return false;
	line->addr = l->at;
	line->target = 0;
	line->n = 0;
	line->len = (uint8_t)add_code(l, l->want.code.pos, n, line);
	line->text[line->n] = '\0';
	cur_skip(&l->want.code, line->len);
	l->at += line->len;
	return true;
}
