/*
 * bprint.c - printf from packed arguments.
 *
 * Numbers are aligned to their own size, those of 8 bytes to 4; strings are stored inline, with their NUL. Only
 * symbols (%ps, %pS ...) and plain pointers are stored as numbers: the kernel formats all other kinds of %p into
 * strings when it records them (since 5.3). Layout: Linux lib/vsprintf.c.
 */
#include "tracefs/print/bprint.h"

#include "base/cursor.h"

static uint64_t number(struct cursor *c, uint32_t size)
{
	cur_align(c, MIN(size, 4u));

	const uint8_t *p = cur_bytes(c, size);

	return p ? traw_load(p, size, c->swap) : 0;
}

static struct sv string(struct cursor *c)
{
	const uint8_t *nul = cur_left(c) ? memchr(c->pos, 0, cur_left(c)) : NULL;
	size_t n = nul ? (size_t)(nul - c->pos) : cur_left(c);
	struct sv s = { (const char *)c->pos, n };

	cur_skip(c, nul ? n + 1 : n);
	return s;
}

static void pointer(const struct teval *ev, const struct tspec *s, struct cursor *c, struct out *o)
{
	if (s->ext[0] && !strchr("SsxKe", s->ext[0])) {
		tspec_text(s, string(c), o);
		return;
	}

	struct tval v = { .kind = TVAL_NUM, .v = number(c, ev->long_size) };

	tptr_write(ev, s, v, -1, o);
}

static void conversion(const struct teval *ev, struct tspec *s, struct cursor *c, struct out *o)
{
	if (s->star_width)
		tspec_width(s, (int32_t)number(c, 4));
	if (s->star_prec)
		tspec_prec(s, (int32_t)number(c, 4));
	if (s->conv == '%')
		out_char(o, '%');
	else if (s->conv == 's')
		tspec_text(s, string(c), o);
	else if (s->conv == 'p')
		pointer(ev, s, c, o);
	else
		tspec_number(
			s, (uint64_t)traw_sext(number(c, s->conv == 'c' ? 1 : s->len), s->conv == 'c' ? 1 : s->len), o);
}

void tbprint(const struct teval *ev, const char *fmt, struct traw args, struct out *o)
{
	struct cursor c = cur_from(args.p, args.n);
	struct sv rest = sv_from(fmt);

	c.swap = ev->swap;
	while (rest.n && !c.bad) {
		const char *percent = memchr(rest.s, '%', rest.n);
		size_t lead = percent ? (size_t)(percent - rest.s) : rest.n, taken = 0;
		struct tspec s;

		out_bytes(o, rest.s, lead);
		if (lead < rest.n)
			taken = tspec_parse(&s, (struct sv){ rest.s + lead + 1, rest.n - lead - 1 }, ev->long_size);
		if (taken)
			conversion(ev, &s, &c, o);
		else
			out_bytes(o, rest.s + lead, rest.n - lead);   /* unknown conversion, unknown length */
		lead = taken ? lead + 1 + taken : rest.n;
		rest.s += lead;
		rest.n -= lead;
	}
}
