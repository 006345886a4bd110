/* blob.c - see blob.h for the layout. */
#include "tracefs/dat/blob.h"

static const char magic[10] = "\x17\x08\x44" "tracing";

static struct sv take(struct cursor *c, uint64_t n)
{
	const uint8_t *p;

	if (n > cur_left(c)) {
		c->bad = true;
		return (struct sv){ 0 };
	}
	p = cur_bytes(c, (size_t)n);
	return (struct sv){ (const char *)p, p ? (size_t)n : 0 };
}

static struct sv take_long(struct cursor *c)
{
	uint64_t n = cur_u64(c);

	return take(c, n);
}

/* "header_page\0" u64 size, text */
static struct sv take_named(struct cursor *c, const char *name)
{
	if (strcmp(cur_str(c), name))
		c->bad = true;
	return take_long(c);
}

static int read_group(struct tblob *b, struct cursor *c, struct sv system, struct err *e)
{
	uint32_t n = cur_u32(c);

	/* Each entry has at least its u64 length: a larger count is rejected before any loop runs over it. */
	if (n > cur_left(c) / 8)
		c->bad = true;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct sv text = take_long(c);

		if (!c->bad && text.n && tblob_add(b, system, text))
			return err_nomem(e);
	}
	return 0;
}

static int read_systems(struct tblob *b, struct cursor *c, struct err *e)
{
	uint32_t n = cur_u32(c);
	int r = 0;

	if (n > cur_left(c) / 5)
		c->bad = true;
	for (uint32_t i = 0; i < n && !c->bad && !r; i++) {
		const char *name = cur_str(c);

		r = read_group(b, c, sv_from(name), e);
	}
	return r;
}

static bool host_big(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

int tblob_read_start(struct tblob *b, struct cursor *c, struct err *e)
{
	const uint8_t *m = cur_bytes(c, sizeof(magic));

	if (!m || memcmp(m, magic, sizeof(magic)))
		return err_set(e, EBADMSG, "not tracing data: wrong magic");
	b->version = sv_from(cur_str(c));
	b->machine.swap = (cur_u8(c) != 0) != host_big();
	b->machine.long_size = cur_u8(c);
	c->swap = b->machine.swap;
	b->page_size = cur_u32(c);
	if (!c->bad && b->machine.long_size != 4 && b->machine.long_size != 8)
		return err_at(e, EBADMSG, cur_off(c) - 5, "long of %u bytes", b->machine.long_size);
	return 0;
}

static int read_headers(struct tblob *b, struct cursor *c)
{
	struct tpage_layout page;

	b->header_page = take_named(c, "header_page");
	b->header_event = take_named(c, "header_event");
	if (!c->bad && b->header_page.n && !tfmt_page(&page, b->header_page, NULL))
		b->machine.long_size = (uint8_t)page.commit_size;
	return 0;
}

int tblob_read_part(struct tblob *b, enum tblob_part part, struct cursor *c, struct err *e)
{
	switch (part) {
	case TBLOB_HEADERS:
		return read_headers(b, c);
	case TBLOB_FTRACE:
		return read_group(b, c, SV("ftrace"), e);
	case TBLOB_EVENTS:
		return read_systems(b, c, e);
	case TBLOB_KALLSYMS:
		b->kallsyms = take(c, cur_u32(c));
		return 0;
	case TBLOB_PRINTK:
		b->printk_formats = take(c, cur_u32(c));
		return 0;
	case TBLOB_CMDLINES:
		b->cmdlines = take_long(c);
		return 0;
	}
	return 0;
}

int tblob_init(struct tblob *b, const void *bytes, size_t n, struct err *e)
{
	struct cursor c = cur_from(bytes, n);
	int r;

	*b = (struct tblob){ 0 };
	r = tblob_read_start(b, &c, e);
	for (unsigned part = TBLOB_HEADERS; part <= TBLOB_PRINTK && !r && !c.bad; part++)
		r = tblob_read_part(b, part, &c, e);
	if (r)
		return r;
	/* perf's version 0.5 ends here; zeros that pad the section read as an empty list. */
	if (!c.bad && cur_left(&c) >= 8)
		tblob_read_part(b, TBLOB_CMDLINES, &c, e);
	b->used = cur_off(&c);
	if (c.bad)
		return err_at(e, EBADMSG, b->used, "tracing data are cut or damaged");
	return 0;
}

void tblob_deinit(struct tblob *b)
{
	vec_free(&b->formats);
	*b = (struct tblob){ 0 };
}

int tblob_add(struct tblob *b, struct sv system, struct sv text)
{
	struct tblob_format *f = vec_add(&b->formats);

	if (!f)
		return -ENOMEM;
	*f = (struct tblob_format){ system, text };
	return 0;
}

static void put_u32(struct out *o, size_t v)
{
	uint32_t x = (uint32_t)v;

	out_bytes(o, &x, sizeof(x));
}

static void put_long(struct out *o, struct sv text)
{
	uint64_t n = text.n;

	out_bytes(o, &n, sizeof(n));
	out_sv(o, text);
}

static bool same(struct sv a, struct sv b)
{
	return a.n == b.n && (!a.n || !memcmp(a.s, b.s, a.n));
}

/* The formats from entry i on that belong to the same system. */
static void put_group(const struct tblob *b, size_t from, struct sv system, struct out *o)
{
	size_t n = 0;

	for (size_t i = from; i < b->formats.n; i++)
		n += same(b->formats.v[i].system, system);
	put_u32(o, n);
	for (size_t i = from; i < b->formats.n; i++)
		if (same(b->formats.v[i].system, system))
			put_long(o, b->formats.v[i].text);
}

/* Is entry i the first of its system, and the system not ftrace? */
static bool starts_system(const struct tblob *b, size_t i)
{
	struct sv system = b->formats.v[i].system;

	for (size_t j = i; j-- > 0; )
		if (same(b->formats.v[j].system, system))
			return false;
	return !sv_eq(system, "ftrace");
}

static void put_systems(const struct tblob *b, struct out *o)
{
	size_t n = 0;

	for (size_t i = 0; i < b->formats.n; i++)
		n += starts_system(b, i);
	put_u32(o, n);
	for (size_t i = 0; i < b->formats.n; i++) {
		if (!starts_system(b, i))
			continue;
		out_sv(o, b->formats.v[i].system);
		out_char(o, '\0');
		put_group(b, i, b->formats.v[i].system, o);
	}
}

void tblob_write_start(const struct tblob *b, struct out *o)
{
	out_bytes(o, magic, sizeof(magic));
	out_sv(o, b->version.n ? b->version : SV("0.6"));
	out_char(o, '\0');
	out_char(o, (char)host_big());
	out_char(o, (char)b->machine.long_size);
	put_u32(o, b->page_size);
}

static void put_text(struct sv text, struct out *o)
{
	put_u32(o, text.n);
	out_sv(o, text);
}

void tblob_write_part(const struct tblob *b, enum tblob_part part, struct out *o)
{
	switch (part) {
	case TBLOB_HEADERS:
		out_bytes(o, "header_page", sizeof("header_page"));
		put_long(o, b->header_page);
		out_bytes(o, "header_event", sizeof("header_event"));
		put_long(o, b->header_event);
		return;
	case TBLOB_FTRACE:
		put_group(b, 0, SV("ftrace"), o);
		return;
	case TBLOB_EVENTS:
		put_systems(b, o);
		return;
	case TBLOB_KALLSYMS:
		put_text(b->kallsyms, o);
		return;
	case TBLOB_PRINTK:
		put_text(b->printk_formats, o);
		return;
	case TBLOB_CMDLINES:
		put_long(o, b->cmdlines);
	}
}

void tblob_write(const struct tblob *b, struct out *o)
{
	tblob_write_start(b, o);
	for (unsigned part = TBLOB_HEADERS; part <= TBLOB_CMDLINES; part++)
		tblob_write_part(b, part, o);
}
