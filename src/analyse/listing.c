/* listing.c - instructions one after another, and what is known of registers in between. */
#include "analyse/listing.h"

#include "base/fmt.h"

/* Of AAPCS64: what a call may change, and the link register. */
enum { CALL_CLOBBERED = 18, LINK = 30 };

void listing_init(struct listing *l, const struct listing_want *w)
{
	*l = (struct listing){ .want = *w, .disasm = arch_disasm_of(w->arch), .at = w->addr };
}

static void add_name(struct listing *l, struct out *o, const char *before, uint64_t addr)
{
	char name[LISTING_NAME];

	if (!l->want.name || !l->want.name(l->want.arg, addr, name))
		return;
	out_printf(o, "%s<%s>", before, name);
}

static void forget_pages(struct listing *l, unsigned from, unsigned upto)
{
	memset(l->is_page + from, 0, (upto - from + 1) * sizeof(*l->is_page));
}

/* What the two halves name together stands behind the second one. */
static void add_meaning(struct listing *l, const struct arch_disasm *d, struct out *o)
{
	bool has_offset = d->kind == ARCH_DISASM_ADD || d->kind == ARCH_DISASM_ACCESS;

	if (d->kind == ARCH_DISASM_BRANCH || d->kind == ARCH_DISASM_LITERAL || d->kind == ARCH_DISASM_ADDRESS)
		add_name(l, o, " ", d->address);
	else if (has_offset && d->base < LISTING_REGISTERS && l->is_page[d->base])
		add_name(l, o, "\t// ", l->page[d->base] + d->offset);
}

/*
 * Only what cannot be otherwise is kept: a page ends where its register may be written, at calls, and where nothing
 * goes on.
 */
static void follow_pages(struct listing *l, const struct arch_disasm *d, const uint8_t *p, size_t n)
{
	struct arch_insn insn = { 0 };

	l->want.arch->insn(p, n, l->at, &insn);
	if (insn.flags & ARCH_INSN_STOP || d->is_unknown) {
		forget_pages(l, 0, LISTING_REGISTERS - 1);
	} else if (insn.flags & ARCH_INSN_CALL) {
		forget_pages(l, 0, CALL_CLOBBERED);
		forget_pages(l, LINK, LINK);
	} else if (d->kind == ARCH_DISASM_PAGE) {
		l->is_page[d->reg] = true;
		l->page[d->reg] = d->address;
	} else if (!(insn.flags & ARCH_INSN_BRANCH)) {
		for (unsigned i = 0; i < d->n_written; i++)
			l->is_page[d->written[i]] = false;
	}
}

static void put_word(const uint8_t *p, struct out *o)
{
	out_zero_hex(o, (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24, 8);
}

/* As objdump has them: words where all instructions are so long, else bytes, for seven of which there is a column. */
static void put_raw(const struct listing *l, const uint8_t *p, size_t n, struct out *o)
{
	enum { COLUMN = 7 };

	if (l->want.arch->insn_size == 4) {
		put_word(p, o);
		out_str(o, " \t");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		out_zero_hex(o, p[i], 2);
		out_char(o, ' ');
	}
	for (size_t i = n; i < COLUMN; i++)
		out_str(o, "   ");
	out_char(o, '\t');
}

/* A word of data, or the bytes that are left of one. */
static void put_data(struct listing *l, const uint8_t *p, size_t n, struct out *o)
{
	if (n == 4) {
		out_str(o, ".word\t0x");
		put_word(p, o);
	}
	for (size_t i = 0; n < 4 && i < n; i++) {
		out_str(o, i ? ", 0x" : ".byte\t0x");
		out_zero_hex(o, p[i], 2);
	}
	forget_pages(l, 0, LISTING_REGISTERS - 1);
}

static size_t put_text(struct listing *l, const uint8_t *p, size_t n, struct listing_line *line, struct out *o)
{
	struct arch_disasm d;

	if (!l->disasm || (l->want.marks && marks_is_data(l->want.marks, l->at)) || !l->disasm(p, n, l->at, &d)) {
		put_data(l, p, MIN(n, 4u), o);
		return MIN(n, 4u);
	}
	if (l->want.raw)
		put_raw(l, p, d.len, o);
	out_str(o, d.text);
	add_meaning(l, &d, o);
	follow_pages(l, &d, p, n);
	line->target = d.kind == ARCH_DISASM_BRANCH ? d.address : 0;
	return d.len;
}

bool listing_next(struct listing *l, struct listing_line *line)
{
	size_t n = cur_left(&l->want.code);
	const uint8_t *p = l->want.code.pos;
	struct mem_out m;

	if (!n)
		return false;
	mem_out_init(&m);
	line->addr = l->at;
	line->target = 0;
	line->len = (uint8_t)put_text(l, p, n, line, &m.out);
	str_copy(line->text, sizeof(line->text), sv_from(mem_out_str(&m)));
	mem_out_deinit(&m);
	cur_skip(&l->want.code, line->len);
	l->at += line->len;
	return true;
}
