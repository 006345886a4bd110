/* read.c - reads, and if necessary decompresses, the pages of a trace.dat for a stream of events. */
#include "tracefs/dat/parts.h"

struct ring {
	struct cursor file;     /* the part of its data in the file that is still to be read */
	struct cursor pages;    /* decompressed pages that were not given yet */
	uint64_t size;          /* of its data, as the file says */
	uint32_t page_size, chunks;
	bool packed, cut;
	uint8_t *chunk;
	size_t cap;
};

struct tdat_reader {
	const struct tdat *d;
	struct tstream *stream;
	struct ring *rings;
	size_t n;
};

static int unpack_chunk(struct tdat_reader *r, struct ring *g, struct err *e)
{
	uint64_t off = (uint64_t)((const char *)g->file.pos - r->d->bytes.s);
	struct sv packed;
	uint32_t size;
	size_t n = 0;
	int ret;

	if (!dat_chunk(&g->file, &packed, &size)) {
		g->chunks = 0;
		g->size = 0;
		return g->cut ? 0 : err_at(e, EBADMSG, off, "a chunk reaches beyond its CPU's data");
	}
	if (size > DAT_CHUNK_MAX)
		return err_at(e, EBADMSG, off, "a chunk of %u bytes", size);
	g->chunks--;
	if (!size)
		return 0;
	if (size > g->cap) {
		free(g->chunk);
		g->chunk = malloc(size);
		g->cap = g->chunk ? size : 0;
		if (!g->chunk)
			return err_nomem(e);
	}
	ret = r->d->unpack(g->chunk, size, packed.s, packed.n, &n, e);
	g->pages = cur_from(g->chunk, ret ? 0 : n);
	return ret ? err_wrap(e, "chunk at %llu", (unsigned long long)off) : 0;
}

int tdat_reader_page(struct tdat_reader *r, uint32_t ring, const uint8_t **page, size_t *n, struct err *e)
{
	struct ring *g = &r->rings[ring];
	struct cursor *from = g->packed ? &g->pages : &g->file;

	while (g->packed && !cur_left(from) && g->chunks) {
		int ret = unpack_chunk(r, g, e);

		if (ret)
			return ret;
	}
	*n = MIN(cur_left(from), g->page_size);
	if (!*n)
		return 0;
	*page = cur_bytes(from, *n);
	return 1;
}

static int next_page(void *arg, uint32_t ring, const uint8_t **page, size_t *n, struct err *e)
{
	return tdat_reader_page(arg, ring, page, n, e);
}

/* In files of trace-cmd 3.1 the size of compressed data does not count the 4 bytes of the number of chunks. */
static struct ring ring_of(const struct tdat *d, const struct tdat_buffer *b, const struct tdat_cpu *cpu)
{
	struct ring g = { .page_size = b->page_size, .cut = cpu->cut, .packed = b->compressed, .size = cpu->size };

	if (cpu->size)
		g.file = cur_from(d->bytes.s + cpu->off, MIN(cpu->size + (g.packed ? 4 : 0), d->bytes.n - cpu->off));
	g.file.swap = d->blob.machine.swap;
	if (g.packed && cpu->size)
		g.chunks = cur_u32(&g.file);
	return g;
}

static size_t count_rings(const struct tdat *d, int which)
{
	size_t n = 0;

	for (size_t i = 0; i < d->buffers.n; i++)
		if (which < 0 || (size_t)which == i)
			n += d->buffers.v[i].cpus.n;
	return n;
}

static void add_rings(struct tdat_reader *r, size_t buffer, struct tstream_ring *to)
{
	const struct tdat_buffer *b = &r->d->buffers.v[buffer];

	for (size_t i = 0; i < b->cpus.n; i++) {
		struct tstream_ring *s = &to[r->n];

		*s = (struct tstream_ring){.cpu = b->cpus.v[i].cpu, .buffer = (uint32_t)buffer, .layout = r->d->layout};
		s->layout.data_size = b->page_size - s->layout.data_offset;
		s->shift = s->cpu < r->d->shift.ncpus ? &r->d->shift.cpus[s->cpu] : NULL;
		r->rings[r->n++] = ring_of(r->d, b, &b->cpus.v[i]);
	}
}

struct tdat_reader *tdat_reader_new(const struct tdat *d, int which, struct err *e)
{
	size_t n = count_rings(d, which);
	struct tdat_reader *r = calloc(1, sizeof(*r));
	struct tstream_ring *rings = calloc(n + 1, sizeof(*rings));

	if (r && rings) {
		r->d = d;
		r->rings = calloc(n + 1, sizeof(*r->rings));
	}
	if (r && r->rings) {
		for (size_t i = 0; i < d->buffers.n; i++)
			if (which < 0 || (size_t)which == i)
				add_rings(r, i, rings);
		r->stream = tstream_new(rings, n, d->blob.machine.swap, next_page, r);
	}
	free(rings);
	if (r && r->stream)
		return r;
	tdat_reader_free(r);
	err_nomem(e);
	return NULL;
}

void tdat_reader_free(struct tdat_reader *r)
{
	if (!r)
		return;
	tstream_free(r->stream);
	for (size_t i = 0; i < r->n; i++)
		free(r->rings[i].chunk);
	free(r->rings);
	free(r);
}

/* (ts * mult) >> shift without losing the product's high bits. */
static uint64_t scale(uint64_t ts, uint32_t mult, uint32_t shift)
{
	return (uint64_t)(((unsigned __int128)ts * mult) >> shift);
}

int tdat_reader_next(struct tdat_reader *r, struct tstream_rec *rec, struct err *e)
{
	int ret = tstream_next(r->stream, UINT64_MAX, rec, e);

	if (ret <= 0)
		return ret;
	if (r->d->tsc_mult)
		rec->ts = scale(rec->ts, r->d->tsc_mult, r->d->tsc_shift);
	rec->ts += (uint64_t)r->d->ts_offset;
	return ret;
}

const struct tstream_stats *tdat_reader_stats(const struct tdat_reader *r)
{
	return tstream_stats(r->stream);
}

uint64_t tdat_reader_done(const struct tdat_reader *r)
{
	uint64_t left = 0;

	for (size_t i = 0; i < r->n; i++)
		left += r->rings[i].size - MIN(cur_off(&r->rings[i].file), r->rings[i].size);
	return r->d->bytes.n - MIN(left, r->d->bytes.n);
}
