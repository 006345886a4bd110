/*
 * v7.c - trace.dat version 7: sections anywhere, found through options.
 *
 *   start    up to the page size as in version 6; compression: name\0 version\0; u64 offset of the first options
 *   section  u16 id, u16 flags (1: packed), u32 description, u64 n, n bytes; packed ones: u32 packed, u32 unpacked,
 * data options  a section of id 0: { u16 id, u32 n, data }; the last has id 0 and the offset of the next such section
 *
 * Ring data are at the offsets of the BUFFER option. The section that this option names says by its packed flag whether
 * they are chunks: u32 number, then u32 packed, u32 unpacked, data for each.
 */
#include "pack/pack.h"
#include "tracefs/dat/parts.h"

enum { SECTION_HEAD = 16 };

struct section {
	uint16_t id;
	bool packed, is_cut;
	struct sv data;     /* as in the file */
};

static struct cursor over(const struct tdat *d, struct sv bytes)
{
	struct cursor c = cur_from(bytes.s, bytes.n);

	c.swap = d->blob.machine.swap;
	return c;
}

/*
 * The section at an offset; -EBADMSG with a note when it is not there. Its data are truncated at the end of the file.
 */
static int find_section(struct tdat *d, uint64_t off, uint16_t id, struct section *s)
{
	struct cursor c = over(d, d->bytes);
	uint64_t n;

	cur_seek(&c, off);
	s->id = cur_u16(&c);
	s->packed = cur_u16(&c) & DAT_SECTION_PACKED;
	cur_u32(&c);
	n = cur_u64(&c);
	if (c.bad || s->id != id) {
		dat_missing(d, "no section %u at %llu: the file is %s", id, (unsigned long long)off,
			    c.bad ? "cut" : "damaged");
		return -EBADMSG;
	}
	s->is_cut = n > cur_left(&c);
	if (s->is_cut)
		dat_missing(d, "the file is cut inside of section %u at %llu", id, (unsigned long long)off);
	s->data.n = MIN(n, cur_left(&c));
	s->data.s = (const char *)cur_bytes(&c, s->data.n);
	return 0;
}

/* Can this compressed chunk hold `size` bytes? A ratio above 1024 is taken for a forged size. */
static bool fits(const struct tdat *d, struct sv packed, uint64_t size)
{
	size_t had = MIN(d->arena.total, (size_t)DAT_UNPACKED_MAX);

	return d->unpack && size / 1024 <= packed.n && size < DAT_UNPACKED_MAX - had;
}

static int unpack(struct tdat *d, struct cursor *c, struct sv *text, struct err *e)
{
	struct sv packed;
	uint32_t size;
	size_t n = 0;
	char *p;
	int r;

	if (!dat_chunk(c, &packed, &size) || !fits(d, packed, size))
		return err_set(e, EBADMSG, "packed data of impossible size");
	p = arena_alloc(&d->arena, (size_t)size + 1);
	if (!p)
		return err_nomem(e);
	r = d->unpack(p, size, packed.s, packed.n, &n, e);
	*text = (struct sv){ p, n };
	return r;
}

static int section_bytes(struct tdat *d, const struct section *s, struct sv *bytes, struct err *e)
{
	struct cursor c = over(d, s->data);

	*bytes = s->data;
	return s->packed ? unpack(d, &c, bytes, e) : 0;
}

/* Read one options section; *next: offset of the following one, or 0. */
static int read_options(struct tdat *d, struct sv bytes, uint64_t *next, struct err *e)
{
	struct cursor c = over(d, bytes);

	*next = 0;
	while (cur_left(&c) >= 6) {
		uint16_t id = cur_u16(&c);
		uint32_t n = cur_u32(&c);
		const uint8_t *p = cur_bytes(&c, n);

		if (c.bad)
			break;
		if (id == TDAT_DONE) {
			struct cursor done = over(d, (struct sv){ (const char *)p, n });

			*next = cur_u64(&done);
			return 0;
		}
		if (dat_add_option(d, id, (struct sv){ (const char *)p, n }))
			return err_nomem(e);
	}
	dat_missing(d, "options are cut");
	return 0;
}

/* Writers only append: an offset that goes back is a loop. broken: where the lost options should be, or 0. */
static int read_all_options(struct tdat *d, uint64_t off, uint64_t *broken, struct err *e)
{
	uint64_t from = 0;
	const char *end = NULL;
	int r = 0;

	*broken = 0;
	while (off > from && !r) {
		struct section s;
		struct sv bytes;

		int missing = find_section(d, off, TDAT_DONE, &s);

		if (missing || s.is_cut)
			*broken = from ? (uint64_t)(end - d->bytes.s) : 0;
		if (missing)
			break;
		from = off;
		end = s.data.s + s.data.n;
		r = section_bytes(d, &s, &bytes, e);
		if (!r)
			r = read_options(d, bytes, &off, e);
	}
	if (!r && !d->options.n)
		return err_at(e, EBADMSG, off, "no options there: the file is cut, or its recording did not end");
	return r;
}

/* Read header_page, formats and texts. A part that cannot be read is left out. */
static int read_part(struct tdat *d, const struct tdat_option *o, struct err *e)
{
	struct cursor c = over(d, o->data);
	struct section s;
	struct sv bytes;
	int r;

	if (find_section(d, cur_u64(&c), o->id, &s))
		return 0;
	r = section_bytes(d, &s, &bytes, e);
	if (r)
		return r;
	c = over(d, bytes);
	r = tblob_read_part(&d->blob, (enum tblob_part)(o->id - TDAT_HEADER_INFO), &c, e);
	if (c.bad)
		dat_missing(d, "section %u is cut or damaged", o->id);
	return r;
}

/* Of repeated parts the last one counts. Their order matters: the first part has the size of a long. */
static int read_parts(struct tdat *d, struct err *e)
{
	int r = 0;

	for (unsigned id = TDAT_HEADER_INFO; id <= TDAT_CMDLINES && !r; id++) {
		size_t i = d->options.n;

		while (i > 0 && d->options.v[i - 1].id != id)
			i--;
		if (i)
			r = read_part(d, &d->options.v[i - 1], e);
	}
	return r;
}

static int read_rings(struct tdat *d, struct tdat_buffer *b, struct cursor *c, struct err *e)
{
	uint32_t n;

	b->page_size = cur_u32(c);
	n = cur_u32(c);
	if (n > cur_left(c) / 20)
		c->bad = true;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct tdat_cpu cpu = { .cpu = cur_u32(c) };

		cpu.off = cur_u64(c);
		cpu.size = cur_u64(c);
		int r = dat_add_cpu(d, b, cpu, e);

		if (r)
			return r;
		d->ncpus = MAX(d->ncpus, cpu.cpu + 1);
	}
	return c->bad ? err_set(e, EBADMSG, "BUFFER option of %u CPUs is cut", n) : 0;
}

/* Decompressed size of the text in n chunks. */
static int measure(struct tdat *d, struct cursor c, uint32_t n, size_t *size, struct err *e)
{
	struct sv packed;
	uint32_t part;

	for (*size = 0; n > 0 && dat_chunk(&c, &packed, &part); n--) {
		*size += part;
		if (!fits(d, packed, part) || !fits(d, d->bytes, *size))
			return err_set(e, EBADMSG, "packed text of impossible size");
	}
	return 0;
}

int dat_read_text_7(struct tdat *d, struct tdat_buffer *b, bool is_packed, struct sv data, struct err *e)
{
	struct cursor c = over(d, data);
	uint32_t n = is_packed ? cur_u32(&c) : 0, part;
	struct sv packed;
	size_t size;
	int r;

	b->text = data;
	if (!is_packed)
		return 0;
	r = measure(d, c, n, &size, e);
	if (r)
		return r;
	char *p = arena_alloc(&d->arena, size + 1);

	b->text = (struct sv){ p, 0 };
	if (!p)
		return err_nomem(e);
	while (!r && b->text.n < size && dat_chunk(&c, &packed, &part)) {
		size_t got = 0;

		r = d->unpack(p + b->text.n, MIN(part, size - b->text.n), packed.s, packed.n, &got, e);
		b->text.n += got;
	}
	return r;
}

static struct tdat_buffer *new_buffer(struct tdat *d, const char *name)
{
	struct tdat_buffer *b = &d->buffers.v[0];

	if (*name || b->page_size || b->latency)
		b = vec_add(&d->buffers);
	if (b)
		b->name = name;
	return b;
}

static int read_buffer(struct tdat *d, const struct tdat_option *o, struct err *e)
{
	struct cursor c = over(d, o->data);
	uint64_t off = cur_u64(&c);
	const char *name = cur_str(&c), *clock = cur_str(&c);
	struct tdat_buffer *b = new_buffer(d, name);
	struct section s = { 0 };

	if (!b)
		return err_nomem(e);
	b->clock = clock;
	if (find_section(d, off, o->id == TDAT_BUFFER ? TDAT_BUFFER : TDAT_BUFFER_TEXT, &s))
		return 0;
	b->compressed = s.packed;
	b->latency = o->id == TDAT_BUFFER_TEXT;
	if (s.packed && !d->unpack)
		return err_at(e, EBADMSG, off, "packed data in a file without compression");
	return b->latency ? dat_read_text_7(d, b, s.packed, s.data, e) : read_rings(d, b, &c, e);
}

static int read_buffers(struct tdat *d, struct err *e)
{
	struct tdat_buffer *top = vec_add(&d->buffers);
	const struct tdat_option *clock = tdat_option(d, TDAT_TRACECLOCK);
	bool any = false;
	int r = 0;

	if (!top)
		return err_nomem(e);
	*top = (struct tdat_buffer){ .name = "", .clock = clock ? dat_chosen(d, clock->data) : "" };
	for (size_t i = 0; i < d->options.n && !r; i++) {
		if (d->options.v[i].id != TDAT_BUFFER && d->options.v[i].id != TDAT_BUFFER_TEXT)
			continue;
		r = read_buffer(d, &d->options.v[i], e);
		any = true;
	}
	if (!any)
		dat_missing(d, "nothing tells where the rings are: the file is cut, or its recording did not end");
	return r;
}

static int read_compression(struct tdat *d, struct cursor *c, struct err *e)
{
	const char *name = cur_str(c);

	cur_str(c);
	if (!strcmp(name, "zstd"))
		d->unpack = zstd_unpack;
	else if (!strcmp(name, "zlib"))
		d->unpack = inflate_zlib;
	else if (strcmp(name, "none") && !c->bad)
		return err_set(e, EOPNOTSUPP, "compression '%s' is not known: only zstd and zlib are", name);
	return 0;
}

/* Sections that no event depends on may be truncated, too: then the last section reaches beyond the end of the file. */
static void check_end(struct tdat *d)
{
	uint64_t off = d->sections;
	struct tdat_section s;

	while (tdat_next_section(d, &off, &s))
		;
	if (off && off < d->bytes.n && !d->incomplete)
		dat_missing(d, "the file is cut or damaged inside of section %u at %llu", s.id,
			    (unsigned long long)off);
}

int dat_read_7(struct tdat *d, struct cursor *c, struct err *e)
{
	int r = read_compression(d, c, e);
	uint64_t off = cur_u64(c), broken;

	d->sections = r || c->bad ? 0 : cur_off(c);
	if (!r)
		r = read_all_options(d, off, &broken, e);
	if (r)
		return r;
	r = read_parts(d, e);
	dat_apply_options(d);
	if (!r)
		r = read_buffers(d, e);
	if (!r && broken)
		r = dat_recover_7(d, broken, e);
	if (!r)
		check_end(d);
	return r;
}

bool tdat_next_section(const struct tdat *d, uint64_t *off, struct tdat_section *s)
{
	struct cursor c = over(d, d->bytes);

	if (!*off || *off >= d->bytes.n)
		return false;
	cur_seek(&c, *off);
	*s = (struct tdat_section){ .at = *off };
	s->id = cur_u16(&c);
	s->flags = cur_u16(&c);
	s->name = cur_u32(&c);
	s->n = cur_u64(&c);
	if (c.bad || s->n > cur_left(&c))
		return false;
	*off += SECTION_HEAD + s->n;
	if (s->flags & DAT_SECTION_PACKED && s->id != TDAT_BUFFER && s->id != TDAT_BUFFER_TEXT) {
		cur_u32(&c);
		s->unpacked = cur_u32(&c);
	}
	return true;
}

int tdat_section_names(struct tdat *d, struct sv *names, struct err *e)
{
	uint64_t off = d->sections;
	struct tdat_section s;
	struct section at;

	*names = SV("");
	while (tdat_next_section(d, &off, &s))
		if (s.id == TDAT_STRINGS && !find_section(d, s.at, s.id, &at))
			return section_bytes(d, &at, names, e);
	return 0;
}

int tdat_kept_file(struct tdat *d, enum tdat_kept kind, struct sv *bytes, struct err *e)
{
	const struct tdat_option *o = d->version < 7 ? NULL : tdat_option(d, tdat_kept_option(kind));
	struct cursor c;
	struct section s;

	*bytes = SV("");
	if (!o)
		return 0;
	c = over(d, o->data);
	if (find_section(d, cur_u64(&c), o->id, &s))
		return 0;
	return section_bytes(d, &s, bytes, e);
}
