/* dat.c - what both versions of trace.dat share: the start, options, rings. */
#include "tracefs/dat/parts.h"

static const char magic[10] = "\x17\x08\x44" "tracing";

bool tdat_is(const void *bytes, size_t n)
{
	const char *p = bytes;

	return n >= 12 && !memcmp(p, magic, sizeof(magic)) && (p[10] == '6' || p[10] == '7') && !p[11];
}

static void add_note(struct tdat *d, const char *fmt, va_list args)
{
	struct err *note = d->notes.n < DAT_NOTES_MAX ? vec_add(&d->notes) : NULL;

	if (!note)
		return;
	note->code = EBADMSG;
	vsnprintf(note->text, sizeof(note->text), fmt, args);
}

/* Note a defect for which the reader can make up; dat_missing() is for lost data. */
static void PRINTF(2, 3) dat_note(struct tdat *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_note(d, fmt, args);
	va_end(args);
}

void dat_missing(struct tdat *d, const char *fmt, ...)
{
	va_list args;

	d->incomplete = true;
	va_start(args, fmt);
	add_note(d, fmt, args);
	va_end(args);
}

bool dat_chunk(struct cursor *c, struct sv *packed, uint32_t *size)
{
	uint32_t n = cur_u32(c);

	*size = cur_u32(c);
	packed->s = (const char *)cur_bytes(c, n);
	packed->n = n;
	return !c->bad;
}

int dat_add_cpu(struct tdat *d, struct tdat_buffer *b, struct tdat_cpu cpu, struct err *e)
{
	uint64_t left = cpu.off < d->bytes.n ? d->bytes.n - cpu.off : 0;
	struct tdat_cpu *new = vec_add(&b->cpus);

	if (!new)
		return err_nomem(e);
	cpu.cut = cpu.size > left;
	if (cpu.cut)
		dat_missing(d, "the file is cut: data of CPU %u%s%s end at %llu, the file at %llu", cpu.cpu,
			    *b->name ? " of " : "", b->name, (unsigned long long)(cpu.off + cpu.size),
			    (unsigned long long)d->bytes.n);
	cpu.size = MIN(cpu.size, left);
	*new = cpu;
	d->rings.bytes += cpu.size;
	if (cpu.cpu >= DAT_CPUS_MAX || ++d->rings.n > d->bytes.n / 16 || d->rings.bytes > d->bytes.n)
		return err_set(e, EBADMSG, "CPU %u, of %llu bytes: more than the file holds", cpu.cpu,
			       (unsigned long long)cpu.size);
	return 0;
}

int dat_add_option(struct tdat *d, uint16_t id, struct sv data)
{
	struct tdat_option *o = vec_add(&d->options);

	if (!o)
		return -ENOMEM;
	*o = (struct tdat_option){ id, data };
	return 0;
}

const struct tdat_option *tdat_option(const struct tdat *d, enum tdat_option_id id)
{
	for (size_t i = 0; i < d->options.n; i++)
		if (d->options.v[i].id == id)
			return &d->options.v[i];
	return NULL;
}

const char *dat_chosen(struct tdat *d, struct sv text)
{
	const char *from = text.n ? memchr(text.s, '[', text.n) : NULL, *to;
	const char *name;

	if (!from)
		return "";
	from++;
	to = memchr(from, ']', text.n - (size_t)(from - text.s));
	name = to ? arena_dup(&d->arena, from, (size_t)(to - from)) : NULL;
	return name ? name : "";
}

/* A number as text, with or without a NUL. Clock differences may have been written as unsigned numbers. */
static int64_t number(struct sv text)
{
	uint64_t u = 0;
	int64_t i = 0;

	text.n = strnlen(text.s, text.n);
	text = sv_trim(text);
	return str_i64(text, 0, &i) ? i : str_u64(text, 0, &u) ? (int64_t)u : 0;
}

static struct cursor option_cursor(const struct tdat *d, struct sv data)
{
	struct cursor c = cur_from(data.s, data.n);

	c.swap = d->blob.machine.swap;
	return c;
}

static void read_tsc(struct tdat *d, struct cursor c)
{
	uint32_t mult = cur_u32(&c), shift = cur_u32(&c);

	if (c.bad || shift > 63)
		return dat_missing(d, "TSC2NSEC option of impossible values");
	d->tsc_mult = mult;
	d->tsc_shift = shift;
}

void dat_apply_options(struct tdat *d)
{
	uint64_t date = 0, offset = 0;

	for (size_t i = 0; i < d->options.n; i++) {
		struct tdat_option *o = &d->options.v[i];
		struct cursor c = option_cursor(d, o->data);

		switch (o->id) {
		case TDAT_DATE:
			date += (uint64_t)number(o->data) * 1000;
			break;
		case TDAT_OFFSET:
			offset += (uint64_t)number(o->data);
			break;
		case TDAT_TSC2NSEC:
			read_tsc(d, c);
			break;
		case TDAT_CPUCOUNT:
			d->ncpus = cur_u32(&c);
			d->ncpus = MIN(d->ncpus, (uint32_t)DAT_CPUS_MAX);
			break;
		case TDAT_TIME_SHIFT:
			if (tshift_parse(&d->shift, c, &d->arena)) {
				d->shift = (struct tshift){ 0 };
				dat_note(d, "TIME_SHIFT option of impossible values: times are the guest's own");
			}
		}
	}
	d->date = (int64_t)date;
	d->ts_offset = (int64_t)(date + offset);
}

/* The page layout of header_page, or if that is unusable the usual one for the machine's long size. */
static void read_layout(struct tdat *d)
{
	uint32_t head = 8 + d->blob.machine.long_size;

	if (d->blob.header_page.n && !tfmt_page(&d->layout, d->blob.header_page, NULL))
		return;
	d->layout = (struct tpage_layout){ 8, d->blob.machine.long_size, head,
					   d->blob.page_size > head ? d->blob.page_size - head : 0 };
	dat_note(d, "no usable header_page: pages of %u bytes are assumed", d->blob.page_size);
}

static int read_7(struct tdat *d, struct err *e)
{
	struct cursor c = cur_from(d->bytes.s, d->bytes.n);
	int r = tblob_read_start(&d->blob, &c, e);

	return r ? r : dat_read_7(d, &c, e);
}

static int read_6(struct tdat *d, struct err *e)
{
	struct cursor c = cur_from(d->bytes.s, d->bytes.n);
	int r = tblob_init(&d->blob, d->bytes.s, d->bytes.n, e);

	if (r)
		return r;
	c.swap = d->blob.machine.swap;
	cur_seek(&c, d->blob.used);
	return dat_read_6(d, &c, e);
}

/* Buffers without a page size of their own have the one of header_page. */
static int set_page_sizes(struct tdat *d, struct err *e)
{
	for (size_t i = 0; i < d->buffers.n; i++) {
		struct tdat_buffer *b = &d->buffers.v[i];

		if (!b->page_size)
			b->page_size = d->layout.data_offset + d->layout.data_size;
		if (b->cpus.n && (b->page_size <= d->layout.data_offset || b->page_size > DAT_CHUNK_MAX))
			return err_set(e, EBADMSG, "ring of pages of %u bytes", b->page_size);
	}
	return 0;
}

int tdat_init(struct tdat *d, const void *bytes, size_t n, struct err *e)
{
	int r;

	*d = (struct tdat){ .bytes = { bytes, n } };
	if (!tdat_is(bytes, n))
		return err_set(e, EBADMSG, "not a trace.dat of version 6 or 7");
	d->version = (unsigned)(d->bytes.s[10] - '0');
	r = d->version == 6 ? read_6(d, e) : read_7(d, e);
	if (!r) {
		read_layout(d);
		r = set_page_sizes(d, e);
	}
	if (r)
		tdat_deinit(d);
	return r;
}

void tdat_deinit(struct tdat *d)
{
	for (size_t i = 0; i < d->buffers.n; i++)
		vec_free(&d->buffers.v[i].cpus);
	vec_free(&d->buffers);
	vec_free(&d->options);
	vec_free(&d->notes);
	tblob_deinit(&d->blob);
	arena_deinit(&d->arena);
	*d = (struct tdat){ 0 };
}
