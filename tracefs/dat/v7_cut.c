/*
 * v7_cut.c - recovers the rings of a truncated file of version 7, whose BUFFER option is lost: it stands behind the
 * rings. Sections follow one another, so the buffer's section is found. Where one CPU's ring ends and the next one
 * begins is found by the time stamps of pages, or by the counts of chunks. CPUs are numbered in that order.
 */
#include "tracefs/dat/parts.h"

struct cut {
	struct tdat *d;
	struct tdat_buffer *b;
	uint64_t end;       /* of the section */
};

static struct cursor at(const struct tdat *d, uint64_t off)
{
	struct cursor c = cur_from(d->bytes.s, d->bytes.n);

	c.swap = d->blob.machine.swap;
	cur_seek(&c, off);
	return c;
}

static uint64_t aligned(const struct cut *x, uint64_t off)
{
	uint64_t page = x->b->page_size;

	return (off + page - 1) / page * page;
}

/* end lies beyond the end of the file when the last chunk is truncated. */
static int add_ring(struct cut *x, uint64_t off, uint64_t end, struct err *e)
{
	struct tdat_cpu cpu = { .cpu = (uint32_t)x->b->cpus.n, .off = off, .size = end - off };

	if (end <= off)
		return 0;
	x->d->ncpus = MAX(x->d->ncpus, cpu.cpu + 1);
	return dat_add_cpu(x->d, x->b, cpu, e);
}

/* Time never goes back within a ring: where it does, the ring of the next CPU begins. */
static int rings_by_time(struct cut *x, uint64_t off, struct err *e)
{
	uint64_t from = off = aligned(x, off), last = 0;
	int r = 0;

	for (; !r && x->end > off && x->end - off >= 16; off += MIN(x->b->page_size, x->end - off)) {
		struct cursor c = at(x->d, off);
		uint64_t ts = cur_u64(&c);

		if (ts < last) {
			r = add_ring(x, from, off, e);
			from = off;
		}
		last = ts;
	}
	return r ? r : add_ring(x, from, x->end, e);
}

/* Each ring is a count of chunks, then the chunks; some writers pad it with zeros to a page. */
static int rings_by_chunks(struct cut *x, uint64_t off, struct err *e)
{
	int r = 0;

	while (!r && off < x->end) {
		struct cursor c = at(x->d, off);
		uint32_t n = cur_u32(&c), size;
		struct sv packed;

		if (!n && !c.bad) {
			off = aligned(x, off + 1);
			continue;
		}
		while (n-- && dat_chunk(&c, &packed, &size))
			;

		uint64_t next = c.bad ? x->d->bytes.n + 1 : x->d->bytes.n - cur_left(&c);

		r = add_ring(x, off, next, e);
		off = next;
	}
	return r;
}

static bool is_known(const struct tdat *d, uint64_t section)
{
	for (size_t i = 0; i < d->options.n; i++) {
		const struct tdat_option *o = &d->options.v[i];
		struct cursor c = cur_from(o->data.s, o->data.n);

		c.swap = d->blob.machine.swap;
		if ((o->id == TDAT_BUFFER || o->id == TDAT_BUFFER_TEXT) && cur_u64(&c) == section)
			return true;
	}
	return false;
}

static int recover(struct tdat *d, uint64_t off, uint64_t n, unsigned id, bool packed, struct err *e)
{
	struct tdat_buffer *top = &d->buffers.v[0], *b = top;
	struct cut x = { .d = d, .end = off + MIN(n, d->bytes.n - off) };

	if (top->page_size || top->latency) {
		b = vec_add(&d->buffers);
		if (!b)
			return err_nomem(e);
		*b = (struct tdat_buffer){ .name = "cut", .clock = d->buffers.v[0].clock };
	}
	dat_missing(d, "what describes the buffer at %llu is cut off: %s", (unsigned long long)off,
		    id == TDAT_BUFFER ? "its rings are told apart by their times, CPUs are numbered in their order"
				      : "it is taken for a text");
	x.b = b;
	b->compressed = packed;
	if (packed && !d->unpack)
		return err_at(e, EBADMSG, off, "packed data in a file without compression");
	if (id == TDAT_BUFFER_TEXT) {
		b->latency = true;
		return dat_read_text_7(d, b, packed, (struct sv){ d->bytes.s + off, x.end - off }, e);
	}
	b->page_size = MAX(d->blob.page_size, 1);
	return packed ? rings_by_chunks(&x, off, e) : rings_by_time(&x, off, e);
}

int dat_recover_7(struct tdat *d, uint64_t off, struct err *e)
{
	/* A buffer has a section for its data and one that describes it: a file with very many only wastes time. */
	enum { HEADER = 16, SECTIONS_MAX = 1024 };
	unsigned n_sections = 0;
	int r = 0;

	while (!r && n_sections++ < SECTIONS_MAX && off < d->bytes.n && d->bytes.n - off > HEADER) {
		struct cursor c = at(d, off);
		unsigned id = cur_u16(&c);
		bool packed = cur_u16(&c) & DAT_SECTION_PACKED;

		cur_u32(&c);

		uint64_t n = cur_u64(&c), left = cur_left(&c);
		bool is_buffer = id == TDAT_BUFFER || id == TDAT_BUFFER_TEXT;

		/* A recording that was not ended has a section length of 0. */
		n = n && n < left ? n : left;
		if (is_buffer && !is_known(d, off))
			r = recover(d, off + HEADER, n, id, packed, e);
		off += HEADER + n;
	}
	return r;
}
