/* write.c - see dat/v6.c and dat/v7.c for the two layouts. */
#include "tracefs/dat/write.h"

enum {
	CHUNK = 128 << 10,   /* bytes compressed at a time; whole pages of ring data */
	NAME_MOST = 128,     /* bytes of a section's name */
};

/* A zstd frame with one raw block of four bytes: a length that can still be patched in compressed data. */
static const char length_frame[] = "\x28\xb5\x2f\xfd" "\x20\x04" "\x21\0\0" "\0\0\0";
enum { LENGTH_FRAME_AT = 9 };

static uint64_t pos(const struct tdat_writer *w)
{
	return w->o->total - w->start + w->moved;
}

static void put(struct tdat_writer *w, uint64_t v, size_t size)
{
	uint16_t v16 = (uint16_t)v;
	uint32_t v32 = (uint32_t)v;

	out_bytes(w->o, size == 2 ? (void *)&v16 : size == 4 ? (void *)&v32 : (void *)&v, size);
}

static void put_str(struct tdat_writer *w, const char *s)
{
	out_bytes(w->o, s, strlen(s) + 1);
}

static void patch(struct tdat_writer *w, uint64_t off, const void *bytes, size_t n)
{
	out_flush(w->o);
	if (!w->error && !w->o->error)
		w->error = w->want.patch(w->want.arg, off, bytes, n);
}

static void patch_u32(struct tdat_writer *w, uint64_t off, uint64_t v)
{
	uint32_t v32 = (uint32_t)v;

	patch(w, off, &v32, sizeof(v32));
}

static void patch_u64(struct tdat_writer *w, uint64_t off, uint64_t v)
{
	patch(w, off, &v, sizeof(v));
}

static bool packs(const struct tdat_writer *w)
{
	return w->want.format > TDAT_V7;
}

static bool is_zlib(const struct tdat_writer *w)
{
	return w->want.format == TDAT_V7_ZLIB;
}

/* --- packing --- */

static void pack_start(struct tdat_writer *w, uint32_t page_size)
{
	w->cap = page_size < CHUNK ? CHUNK / page_size * page_size : page_size;
	w->chunks = 0;
	w->unpacked = w->n = 0;
}

/* Compress the gathered piece. zlib: a section is one stream; zstd: each piece is a frame of its own. */
static size_t pack_piece(struct tdat_writer *w)
{
	if (!is_zlib(w))
		return zstd_pack(w->zstd, w->packed, w->chunk, w->n);
	if (w->heads)
		return zlib_pack(w->zlib, w->packed, w->chunk, w->n);
	w->sum = zlib_sum(w->sum, w->chunk, w->n);
	return zlib_pack_part(w->zlib, w->packed, w->chunk, w->n);
}

static void pack_flush(struct tdat_writer *w)
{
	size_t size = w->n ? pack_piece(w) : 0;

	if (!w->n)
		return;
	if (w->heads) {
		put(w, size, 4);
		put(w, w->n, 4);
	}
	out_bytes(w->o, w->packed, size);
	w->chunks++;
	w->unpacked += w->n;
	w->n = 0;
}

static int pack_write(void *arg, const char *bytes, size_t n)
{
	struct tdat_writer *w = arg;

	while (n) {
		size_t part = MIN(n, w->cap - w->n);

		memcpy(w->chunk + w->n, bytes, part);
		w->n += part;
		bytes += part;
		n -= part;
		if (w->n == w->cap)
			pack_flush(w);
	}
	return 0;
}

static int pack_init(struct tdat_writer *w, struct err *e)
{
	size_t cap = CHUNK;

	for (size_t i = 0; i < w->want.n_buffers; i++)
		cap = MAX(cap, w->want.buffers[i].page_size);
	if (is_zlib(w))
		w->zlib = zlib_packer_new();
	else
		w->zstd = zstd_packer_new();
	w->chunk = malloc(cap);
	w->packed = malloc(is_zlib(w) ? zlib_pack_bound(cap) : zstd_pack_bound(cap));
	return (w->zlib || w->zstd) && w->chunk && w->packed ? 0 : err_nomem(e);
}

/* --- the head --- */

/* Put a 0 of four bytes, the first of its section, to be patched later; returns where. */
static uint64_t put_length(struct tdat_writer *w, bool packed)
{
	uint64_t at = pos(w);
	char fixed[32];

	if (!packed) {
		put(w, 0, 4);
		return at;
	}
	w->unpacked += 4;
	if (is_zlib(w)) {
		out_bytes(w->o, fixed, zlib_pack_fixed(fixed, "\0\0\0", 4));
		return at + ZLIB_FIXED_AT;
	}
	out_bytes(w->o, length_frame, sizeof(length_frame));
	return at + LENGTH_FRAME_AT;
}

/* Add the patched length n in front of the text to the checksum of the zlib stream. */
static void sum_length(struct tdat_writer *w, struct out *text, uint32_t n)
{
	out_flush(text);
	pack_flush(w);
	w->sum = zlib_sums(zlib_sum(1, &n, sizeof(n)), w->sum, n);
}

/* u32 length and text; the length is known only when the text was written. */
static int put_kallsyms(struct tdat_writer *w, struct out *to, struct err *e)
{
	uint64_t at = put_length(w, to != w->o), n;
	int r;

	n = to->total;
	r = w->want.kallsyms(w->want.arg, to, e);
	n = to->total - n;
	if (!r && n > UINT32_MAX)
		r = err_set(e, EFBIG, "kallsyms of %llu bytes", (unsigned long long)n);
	patch_u32(w, at, n);
	if (to != w->o)
		sum_length(w, to, (uint32_t)n);
	return r;
}

static int put_part(struct tdat_writer *w, enum tblob_part part, struct out *to, struct err *e)
{
	if (part == TBLOB_KALLSYMS && w->want.kallsyms)
		return put_kallsyms(w, to, e);
	tblob_write_part(w->want.blob, part, to);
	return 0;
}

/* Add the name "WHATOF", as trace-cmd calls such a section; returns its offset in the section of names. */
static size_t name_section(struct tdat_writer *w, const char *what, const char *of)
{
	char name[NAME_MOST];
	size_t at = 0, n = (size_t)snprintf(name, sizeof(name), "%s%s", what, of);

	n = MIN(n, sizeof(name) - 1) + 1;
	while (at < w->names.n && strcmp(w->names.v + at, name))
		at += strlen(w->names.v + at) + 1;
	if (at < w->names.n)
		return at;
	if (vec_reserve(&w->names, n)) {
		w->error = w->error ? w->error : -ENOMEM;
		return 0;
	}
	memcpy(w->names.v + at, name, n);
	w->names.n += n;
	return at;
}

/* Returns the offset behind the header, which end_section() takes. */
static uint64_t begin_section(struct tdat_writer *w, unsigned id, bool packed, size_t name)
{
	put(w, id, 2);
	put(w, packed, 2);
	put(w, name, 4);
	put(w, 0, 8);
	return pos(w);
}

static void end_section(struct tdat_writer *w, uint64_t from)
{
	patch_u64(w, from - 8, pos(w) - from);
}

/* u32 compressed and u32 decompressed length, then one stream. */
static void begin_stream(struct tdat_writer *w)
{
	char head[2];

	pack_start(w, CHUNK);
	w->sum = 1;
	put(w, 0, 8);
	if (is_zlib(w))
		out_bytes(w->o, head, zlib_pack_head(head));
}

static void end_stream(struct tdat_writer *w)
{
	char end[8];

	pack_flush(w);
	if (!is_zlib(w))
		return;
	out_bytes(w->o, end, zlib_pack_end(end, w->sum));
}

/* A section of one compressed stream, or of plain bytes. */
static uint64_t begin_packed(struct tdat_writer *w, unsigned id, const char *name)
{
	uint64_t from = begin_section(w, id, packs(w), name_section(w, name, ""));

	if (packs(w))
		begin_stream(w);
	return from;
}

static void end_packed(struct tdat_writer *w, uint64_t from)
{
	if (packs(w)) {
		end_stream(w);
		patch_u32(w, from, pos(w) - from - 8);
		patch_u32(w, from + 4, w->unpacked);
	}
	end_section(w, from);
}

static int put_section(struct tdat_writer *w, enum tblob_part part, struct err *e)
{
	static const char *const names[] = {
		"headers", "ftrace events", "events format", "kallsyms", "printk", "command lines",
	};
	uint64_t from = begin_packed(w, TDAT_HEADER_INFO + part, names[part]);
	char buf[256];
	struct out to = { .write = pack_write, .arg = w, .buf = buf, .cap = sizeof(buf) };
	int r = put_part(w, part, packs(w) ? &to : w->o, e);

	out_flush(&to);
	end_packed(w, from);
	return r;
}

static uint64_t put_bytes(struct tdat_writer *w, unsigned id, const char *name, struct sv bytes)
{
	uint64_t at = pos(w), from = begin_packed(w, id, name);

	if (packs(w))
		pack_write(w, bytes.s, bytes.n);
	else
		out_sv(w->o, bytes);
	end_packed(w, from);
	return at;
}

/* Version 7: the last section, which no option refers to: readers find it by walking over all sections. */
static void put_names(struct tdat_writer *w)
{
	name_section(w, "strings", "");
	put_bytes(w, TDAT_STRINGS, "strings", (struct sv){ w->names.v, w->names.n });
}

static void put_option(struct tdat_writer *w, unsigned id, size_t n)
{
	put(w, id, 2);
	put(w, n, 4);
}

static const struct tdat_option *wanted_option(const struct tdat_writer *w, enum tdat_option_id id)
{
	for (size_t i = 0; i < w->want.n_options; i++)
		if (w->want.options[i].id == id)
			return &w->want.options[i];
	return NULL;
}

static void put_options(struct tdat_writer *w)
{
	for (size_t i = 0; i < w->want.n_options; i++) {
		const struct tdat_option *o = &w->want.options[i];

		put_option(w, o->id, o->data.n);
		out_sv(w->o, o->data);
	}
}

static void put_kept(struct tdat_writer *w, uint64_t at[TDAT_KEPT])
{
	static const char *const names[TDAT_KEPT] = { "BTF", "modules" };

	for (unsigned kind = 0; kind < TDAT_KEPT; kind++)
		if (w->want.kept[kind].n)
			at[kind] = put_bytes(w, tdat_kept_option(kind), names[kind], w->want.kept[kind]);
}

/* Version 7: the last option, whose offset of the next options section is patched when there is one. */
static void put_done(struct tdat_writer *w)
{
	put_option(w, TDAT_DONE, 8);
	w->table = pos(w);
	put(w, 0, 8);
}

static int begin_7(struct tdat_writer *w, struct err *e)
{
	uint64_t parts[TBLOB_CMDLINES + 1], kept[TDAT_KEPT] = { 0 }, first, from;

	out_str(w->o, is_zlib(w) ? "zlib" : packs(w) ? "zstd" : "none");
	out_char(w->o, '\0');
	out_str(w->o, packs(w) ? "1" : "");
	out_char(w->o, '\0');
	first = pos(w);
	put(w, 0, 8);
	for (unsigned part = 0; part < ARRAY_SIZE(parts); part++) {
		int r;

		parts[part] = pos(w);
		r = put_section(w, part, e);
		if (r)
			return r;
	}
	put_kept(w, kept);
	patch_u64(w, first, pos(w));
	from = begin_section(w, TDAT_DONE, false, name_section(w, "options", ""));
	for (unsigned part = 0; part < ARRAY_SIZE(parts); part++) {
		put_option(w, TDAT_HEADER_INFO + part, 8);
		put(w, parts[part], 8);
	}
	for (unsigned kind = 0; kind < TDAT_KEPT; kind++) {
		if (!w->want.kept[kind].n)
			continue;
		put_option(w, tdat_kept_option(kind), 8);
		put(w, kept[kind], 8);
	}
	put_options(w);
	put_option(w, TDAT_CPUCOUNT, 4);
	put(w, w->want.ncpus, 4);
	put_done(w);
	end_section(w, from);
	return 0;
}

static int begin_6(struct tdat_writer *w, struct err *e)
{
	for (unsigned part = TBLOB_HEADERS; part <= TBLOB_CMDLINES; part++) {
		int r = put_part(w, part, w->o, e);

		if (r)
			return r;
	}
	put(w, w->want.ncpus, 4);
	if (w->want.buffers[0].latency)
		return 0;
	put_str(w, "options  ");
	put_options(w);
	for (size_t i = 1; i < w->want.n_buffers; i++) {
		uint64_t *at = vec_add(&w->instances);
		const char *name = w->want.buffers[i].name;

		if (!at)
			return err_nomem(e);
		put_option(w, TDAT_BUFFER, 8 + strlen(name) + 1);
		*at = pos(w);
		put(w, 0, 8);
		put_str(w, name);
	}
	put(w, TDAT_DONE, 2);
	return 0;
}

enum tdat_format tdat_format_of(const struct tdat *d)
{
	if (d->version == 6)
		return TDAT_V6;
	return !d->unpack ? TDAT_V7 : d->unpack == inflate_zlib ? TDAT_V7_ZLIB : TDAT_V7_ZSTD;
}

int tdat_write_begin(struct tdat_writer *w, const struct tdat_write_want *want, struct out *o, struct err *e)
{
	struct tblob start = *want->blob;
	int r = 0;

	*w = (struct tdat_writer){ .want = *want, .o = o, .start = o->total };
	if (start.machine.swap)
		return err_set(e, EOPNOTSUPP, "data of the other byte order cannot be written");
	if (packs(w))
		r = pack_init(w, e);
	if (r)
		return r;
	start.version = want->format == TDAT_V6 ? SV("6") : SV("7");
	tblob_write_start(&start, o);
	return want->format == TDAT_V6 ? begin_6(w, e) : begin_7(w, e);
}

/* --- rings --- */

static void fill(struct tdat_writer *w, uint64_t used, uint32_t page_size)
{
	static const char zeros[64];

	for (uint64_t n = (page_size - used % page_size) % page_size, part; n; n -= part) {
		part = MIN(n, sizeof(zeros));
		if (w->in_cpu)
			tdat_write_data(w, zeros, part);
		else
			out_bytes(w->o, zeros, part);
	}
}

static const struct tdat_write_buffer *buffer_of(const struct tdat_writer *w)
{
	return &w->want.buffers[w->n_begun - 1];
}

/* Compress the rest of the chunk, and patch the number of chunks at `off`. */
static void end_chunks(struct tdat_writer *w, uint64_t off)
{
	if (!packs(w))
		return;
	pack_flush(w);
	patch_u32(w, off, w->chunks);
	w->heads = false;
}

static void begin_chunks(struct tdat_writer *w, uint32_t page_size)
{
	if (!packs(w))
		return;
	pack_start(w, page_size);
	put(w, 0, 4);
	w->heads = true;
}

static void end_cpu(struct tdat_writer *w)
{
	struct tdat_cpu *cpu = w->cpus.n ? &w->cpus.v[w->cpus.n - 1] : NULL;

	if (!cpu || !w->in_cpu)
		return;
	fill(w, packs(w) ? w->unpacked + w->n : pos(w) - cpu->off, buffer_of(w)->page_size);
	w->in_cpu = false;
	end_chunks(w, cpu->off);
	cpu->size = pos(w) - cpu->off;
	if (w->want.format == TDAT_V6) {
		uint64_t entry[2] = { cpu->off, cpu->size };

		patch(w, w->table + cpu->cpu * sizeof(entry), entry, sizeof(entry));
	}
}

uint64_t tdat_write_cpu_end(struct tdat_writer *w)
{
	end_cpu(w);
	return w->cpus.v[w->cpus.n - 1].size;
}

/* Version 7: the options section that describes the buffer, behind its data. */
static void put_buffer_option(struct tdat_writer *w, const struct tdat_write_buffer *b)
{
	size_t n = 8 + strlen(b->name) + 1 + strlen(b->clock) + 1;
	uint64_t from;

	patch_u64(w, w->table, pos(w));
	from = begin_section(w, TDAT_DONE, false, name_section(w, "options", ""));
	put_option(w, b->latency ? TDAT_BUFFER_TEXT : TDAT_BUFFER, b->latency ? n : n + 8 + w->cpus.n * 20);
	put(w, w->section, 8);
	put_str(w, b->name);
	put_str(w, b->clock);
	if (!b->latency) {
		put(w, b->page_size, 4);
		put(w, w->cpus.n, 4);
	}
	for (size_t i = 0; i < w->cpus.n; i++) {
		put(w, w->cpus.v[i].cpu, 4);
		put(w, w->cpus.v[i].off, 8);
		put(w, w->cpus.v[i].size, 8);
	}
	put_done(w);
	end_section(w, from);
}

static void end_buffer(struct tdat_writer *w)
{
	const struct tdat_write_buffer *b = w->n_begun ? buffer_of(w) : NULL;

	if (!b)
		return;
	end_cpu(w);
	if (w->want.format == TDAT_V6)
		return;
	if (b->latency)
		end_chunks(w, w->section + 16);
	end_section(w, w->section + 16);
	put_buffer_option(w, b);
}

static void begin_rings_6(struct tdat_writer *w, const struct tdat_write_buffer *b)
{
	put_str(w, "flyrecord");
	w->table = pos(w);
	for (uint32_t i = 0; i < w->want.ncpus; i++) {
		put(w, 0, 8);
		put(w, 0, 8);
	}
	/* Readers expect this text when the option is present. */
	if (wanted_option(w, TDAT_TRACECLOCK)) {
		put(w, strlen(b->clock) + 2, 8);
		out_char(w->o, '[');
		out_str(w->o, b->clock);
		out_char(w->o, ']');
	}
}

int tdat_write_buffer(struct tdat_writer *w, struct err *e)
{
	const struct tdat_write_buffer *b;
	size_t i = w->n_begun;

	if (i >= w->want.n_buffers)
		return err_set(e, EINVAL, "more buffers than were announced");
	end_buffer(w);
	b = &w->want.buffers[i];
	w->n_begun++;
	w->cpus.n = 0;
	if (w->want.format == TDAT_V6) {
		if (i)
			patch_u64(w, w->instances.v[i - 1], pos(w));
		if (b->latency)
			put_str(w, "latency  ");
		else
			begin_rings_6(w, b);
		return 0;
	}
	w->section = pos(w);
	begin_section(w, b->latency ? TDAT_BUFFER_TEXT : TDAT_BUFFER, packs(w),
		      name_section(w, b->latency ? "buffer latency" : "buffer flyrecord ", b->name));
	if (b->latency)
		begin_chunks(w, 1);
	return 0;
}

int tdat_write_cpu(struct tdat_writer *w, uint32_t cpu, struct err *e)
{
	struct tdat_cpu *new;

	end_cpu(w);
	if (cpu >= w->want.ncpus)
		return err_set(e, EINVAL, "CPU %u of %u", cpu, w->want.ncpus);
	new = vec_add(&w->cpus);
	if (!new)
		return err_nomem(e);
	fill(w, pos(w), buffer_of(w)->page_size);
	*new = (struct tdat_cpu){ .cpu = cpu, .off = pos(w) };
	w->in_cpu = true;
	begin_chunks(w, buffer_of(w)->page_size);
	return 0;
}

void tdat_write_data(struct tdat_writer *w, const void *bytes, size_t n)
{
	if (packs(w))
		pack_write(w, bytes, n);
	else
		out_bytes(w->o, bytes, n);
}

uint64_t tdat_write_at(struct tdat_writer *w)
{
	out_flush(w->o);
	return pos(w);
}

void tdat_write_moved(struct tdat_writer *w, uint64_t n)
{
	w->moved += n;
}

int tdat_write_end(struct tdat_writer *w, struct err *e)
{
	end_buffer(w);
	if (w->want.format != TDAT_V6)
		put_names(w);
	out_flush(w->o);
	if (w->o->error)
		w->error = w->o->error;
	return w->error ? err_set(e, -w->error, "writing: %s", err_name(-w->error)) : 0;
}

void tdat_write_deinit(struct tdat_writer *w)
{
	vec_free(&w->instances);
	vec_free(&w->names);
	vec_free(&w->cpus);
	zstd_packer_free(w->zstd);
	zlib_packer_free(w->zlib);
	free(w->chunk);
	free(w->packed);
	*w = (struct tdat_writer){ 0 };
}
