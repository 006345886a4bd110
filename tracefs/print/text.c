/* text.c - see text.h. Forms of output: Linux kernel/trace/trace_output.c, lib/vsprintf.c. */
#include "tracefs/print/text.h"

static int buf_write(void *arg, const char *bytes, size_t n)
{
	struct ttext_buf *b = arg;
	size_t take = MIN(n, sizeof(b->text) - b->n);

	memcpy(b->text + b->n, bytes, take);
	b->n += take;
	return 0;
}

void ttext_buf_init(struct ttext_buf *b)
{
	b->n = 0;
	b->out = (struct out){ .write = buf_write, .arg = b, .buf = b->stage, .cap = sizeof(b->stage) };
}

struct sv ttext_buf_sv(struct ttext_buf *b)
{
	out_flush(&b->out);
	return (struct sv){ b->text, b->n };
}

static void hex0x(uint64_t v, struct out *o)
{
	out_str(o, "0x");
	out_hex(o, v);
}

static void flags(const struct texpr *x, uint64_t v, struct out *o)
{
	bool first = true;

	for (uint32_t i = 0; i < x->n_table && v; i++) {
		const struct texpr_entry *e = &x->table[i];

		if ((v & e->v) != e->v)
			continue;
		if (!first)
			out_sv(o, x->str);
		out_sv(o, e->text);
		v &= ~e->v;
		first = false;
	}
	if (!v)
		return;
	if (!first)
		out_sv(o, x->str);
	hex0x(v, o);
}

static void symbolic(const struct texpr *x, uint64_t v, struct out *o)
{
	for (uint32_t i = 0; i < x->n_table; i++) {
		if (x->table[i].v != v)
			continue;
		if (!x->table[i].text.n)
			break;
		out_sv(o, x->table[i].text);
		return;
	}
	hex0x(v, o);
}

void ttext_hex(struct traw b, char sep, struct out *o)
{
	static const char digit[] = "0123456789abcdef";

	for (size_t i = 0; i < b.n; i++) {
		char two[3] = { sep, digit[b.p[i] >> 4], digit[b.p[i] & 15] };
		size_t skip = !i || !sep;

		out_bytes(o, two + skip, 3 - skip);
	}
}

static void array(const struct teval *ev, struct traw b, uint64_t count, uint32_t size, struct out *o)
{
	if (size != 1 && size != 2 && size != 4 && size != 8) {
		out_char(o, '?');
		return;
	}
	count = MIN(count, b.n / size);
	out_char(o, '{');
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			out_char(o, ',');
		hex0x(traw_load(b.p + i * size, size, ev->swap), o);
	}
	out_char(o, '}');
}

/* Bits 32k .. 32k+31 of a bitmap made of longs. */
static uint32_t bitmap_word(const struct teval *ev, struct traw b, size_t k)
{
	size_t per = ev->long_size / 4, at = k / per * ev->long_size;

	if (at > b.n || b.n - at < ev->long_size)
		return 0;
	return (uint32_t)(traw_load(b.p + at, ev->long_size, ev->swap) >> k % per * 32);
}

void ttext_bitmap(const struct teval *ev, struct traw b, size_t bits, struct out *o)
{
	static const char digit[] = "0123456789abcdef";
	size_t words = (bits + 31) / 32;

	for (size_t k = words; k-- > 0; ) {
		size_t width = k == words - 1 && bits % 32 ? bits % 32 : 32;
		uint32_t w = bitmap_word(ev, b, k);

		if (width < 32)
			w &= (UINT32_C(1) << width) - 1;
		for (size_t i = (width + 3) / 4; i-- > 0; )
			out_char(o, digit[w >> i * 4 & 15]);
		if (k)
			out_char(o, ',');
	}
}

void ttext_bitlist(const struct teval *ev, struct traw b, size_t bits, struct out *o)
{
	size_t start = 0;
	bool in = false, first = true;

	for (size_t i = 0; i <= bits; i++) {
		bool set = i < bits && (bitmap_word(ev, b, i / 32) >> i % 32 & 1);

		if (set && !in) {
			start = i;
		} else if (!set && in) {
			if (!first)
				out_char(o, ',');
			out_u64(o, start);
			if (i - 1 > start) {
				out_char(o, '-');
				out_u64(o, i - 1);
			}
			first = false;
		}
		in = set;
	}
}

static void dump_ascii(struct traw row, size_t columns, size_t used, struct out *o)
{
	out_fill(o, ' ', columns > used ? columns - used : 1);
	for (size_t i = 0; i < row.n; i++)
		out_char(o, row.p[i] >= 0x20 && row.p[i] < 0x7f ? (char)row.p[i] : '.');
}

/* Print one row of a hex dump: groups of numbers, then the characters. */
static void dump_row(const struct teval *ev, const struct texpr *x, struct traw row, struct out *o)
{
	size_t group = x->type.elem, used = 0;

	if ((group != 2 && group != 4 && group != 8) || row.n % group)
		group = 1;
	for (size_t i = 0; i + group <= row.n; i += group) {
		struct ttext_buf b;

		ttext_buf_init(&b);
		out_hex(&b.out, traw_load(row.p + i, (uint32_t)group, ev->swap));

		struct sv s = ttext_buf_sv(&b);

		if (i)
			out_char(o, ' ');
		out_fill(o, '0', group * 2 - s.n);
		out_sv(o, s);
		used += group * 2 + (i != 0);
	}
	if (x->c && x->c->v)
		dump_ascii(row, x->type.size / group * (group * 2 + 1) + 1, used, o);
}

static void hex_dump(const struct teval *ev, const struct texpr *x, struct traw b, struct out *o)
{
	enum { BY_OFFSET = 2 };

	for (size_t at = 0; at < b.n; at += x->type.size) {
		out_char(o, '\n');
		out_sv(o, x->str);
		if (x->sub == BY_OFFSET)
			out_printf(o, "%.8zx: ", at);
		dump_row(ev, x, (struct traw){ b.p + at, MIN(b.n - at, (size_t)x->type.size) }, o);
	}
}

/* Helpers over bytes: operand a is the bytes, b their number. */
static void bytes_node(const struct teval *ev, const struct texpr *x, struct out *o)
{
	struct tval b = tval_of(ev, x->a);
	uint64_t count = x->b ? tval_num(ev, x->b, UINT64_MAX) : UINT64_MAX;

	if (b.kind != TVAL_BYTES || (x->b && count == UINT64_MAX)) {
		out_char(o, '?');
		return;
	}
	if (x->op == TEXPR_ARRAY) {
		array(ev, b.bytes, count, (uint32_t)MIN(x->c->v, 16u), o);
		return;
	}
	b.bytes.n = MIN(b.bytes.n, count);
	switch (x->op) {
	case TEXPR_HEX: ttext_hex(b.bytes, ' ', o); break;
	case TEXPR_HEX_STR: ttext_hex(b.bytes, 0, o); break;
	case TEXPR_BITMASK: ttext_bitmap(ev, b.bytes, b.bytes.n / ev->long_size * ev->long_size * 8, o); break;
	case TEXPR_HEX_DUMP: hex_dump(ev, x, b.bytes, o); break;
	}
}

void ttext_node(const struct teval *ev, const struct texpr *x, struct out *o)
{
	struct tval v;

	if (x->op != TEXPR_FLAGS && x->op != TEXPR_SYMBOLIC) {
		bytes_node(ev, x, o);
		return;
	}
	v = tval_of(ev, x->a);
	if (v.kind != TVAL_NUM)
		out_char(o, '?');
	else if (x->op == TEXPR_FLAGS)
		flags(x, v.v, o);
	else
		symbolic(x, v.v, o);
}
