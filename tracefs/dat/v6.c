/*
 * v6.c - trace.dat version 6: everything in sequence.
 *
 *   blob (blob.h)   u32 CPUs
 *   ["options  \0"  { u16 id, u32 n, data } ... u16 0]
 *   "latency  \0"   text up to the end of the file, or
 *   "flyrecord\0"   a { u64 offset, u64 size } for each CPU; u64 n, text of trace_clock if there was such an option
 *
 * An instance is a BUFFER option: u64 offset, name\0; at that offset stand flyrecord, its table and clock again, or
 * options in front of them.
 */
#include "tracefs/dat/parts.h"

static int read_options(struct tdat *d, struct cursor *c, struct err *e)
{
	for (;;) {
		uint16_t id = cur_u16(c);
		uint32_t n = id ? cur_u32(c) : 0;
		const char *p = (const char *)cur_bytes(c, n);

		if (c->bad)
			return err_at(e, EBADMSG, cur_off(c), "options are cut");
		if (id == TDAT_DONE)
			return 0;
		if (dat_add_option(d, id, (struct sv){ p, n }))
			return err_nomem(e);
	}
}

static const char *read_tag(struct cursor *c)
{
	const uint8_t *p = cur_bytes(c, 10);

	return p && !p[9] ? (const char *)p : "";
}

/* The table has as many entries as the header or the CPUCOUNT option says, whichever is larger. */
static int read_rings(struct tdat *d, struct tdat_buffer *b, struct cursor *c, uint32_t n, struct err *e)
{
	for (uint32_t i = 0; i < n; i++) {
		struct tdat_cpu cpu = { .cpu = i };

		cpu.off = cur_u64(c);
		cpu.size = cur_u64(c);
		if (c->bad)
			return err_at(e, EBADMSG, cur_off(c), "the table of CPUs is cut");
		int r = dat_add_cpu(d, b, cpu, e);

		if (r)
			return r;
	}
	return 0;
}

static struct sv rest(struct cursor *c)
{
	size_t n = cur_left(c);

	return (struct sv){ (const char *)cur_bytes(c, n), n };
}

static const char *read_clock(struct tdat *d, struct cursor *c)
{
	const struct tdat_option *o = tdat_option(d, TDAT_TRACECLOCK);
	uint64_t n = o ? cur_u64(c) : 0;
	const char *text = n <= cur_left(c) ? (const char *)cur_bytes(c, (size_t)n) : NULL;

	/* Some writers leave out the text behind the table; the option has it, too. */
	if (o && !*dat_chosen(d, (struct sv){ text, text ? (size_t)n : 0 }))
		return dat_chosen(d, o->data);
	return dat_chosen(d, (struct sv){ text, (size_t)n });
}

/* Read a buffer from its tags on. Options in front of an instance's rings only repeat the file's. */
static int read_buffer(struct tdat *d, struct tdat_buffer *b, struct cursor *c, uint32_t ncpus, struct err *e)
{
	const char *tag = read_tag(c);
	size_t had = d->options.n;
	int r = 0;

	if (!strcmp(tag, "options  ")) {
		r = read_options(d, c, e);
		tag = read_tag(c);
	}
	if (r)
		return r;
	if (had)
		d->options.n = had;
	else
		dat_apply_options(d);
	d->ncpus = MAX(d->ncpus, ncpus);
	if (d->ncpus > DAT_CPUS_MAX)
		return err_set(e, EBADMSG, "%u CPUs", d->ncpus);
	if (!strcmp(tag, "flyrecord")) {
		r = read_rings(d, b, c, d->ncpus, e);
		b->clock = read_clock(d, c);
		return r;
	}
	if (strcmp(tag, "latency  "))
		return err_at(e, EBADMSG, cur_off(c), "neither rings nor text follow the head: it is cut or damaged");
	b->latency = true;
	b->text = rest(c);
	return 0;
}

static int read_instance(struct tdat *d, const struct tdat_option *o, struct err *e)
{
	struct cursor option = cur_from(o->data.s, o->data.n), c = cur_from(d->bytes.s, d->bytes.n);
	struct tdat_buffer *b = vec_add(&d->buffers);

	if (!b)
		return err_nomem(e);
	option.swap = c.swap = d->blob.machine.swap;
	cur_seek(&c, cur_u64(&option));
	*b = (struct tdat_buffer){ .name = cur_str(&option), .clock = "" };
	if (option.bad || c.bad) {
		dat_missing(d, "the file is cut: instance %s is beyond its end", b->name);
		return 0;
	}
	return read_buffer(d, b, &c, d->ncpus, e);
}

int dat_read_6(struct tdat *d, struct cursor *c, struct err *e)
{
	struct tdat_buffer *top = vec_add(&d->buffers);
	uint32_t ncpus = cur_u32(c);
	int r;

	if (!top)
		return err_nomem(e);
	*top = (struct tdat_buffer){ .name = "", .clock = "" };
	r = read_buffer(d, top, c, ncpus, e);
	for (size_t i = 0; i < d->options.n && !r; i++)
		if (d->options.v[i].id == TDAT_BUFFER)
			r = read_instance(d, &d->options.v[i], e);
	return r;
}
