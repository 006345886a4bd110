/* restore.c - finds out which ring each file is, and where it begins. */
#include "tracing/transport/restore.h"

#include "base/vec.h"
#include "tracing/meta.h"

#include <fcntl.h>

struct part {
	struct ringfile file;
	const char *path;
	struct sv prefix;       /* path without ".cpuN" */
};

struct restore {
	const struct restore_want *w;
	const struct tblob *blob;
	struct meta meta;       /* used when the description is this kernel's */
	uint32_t subbuf, ncpus;
	struct sv base;         /* prefix of the main buffer's files */
	VEC(struct part) parts;
	VEC(struct tdat_write_buffer) buffers;
	VEC(struct tdat_option) options;
	struct arena names;
};

/* --- the description --- */

static int describe_kernel(struct restore *r, struct err *e)
{
	struct tfs t = { .sys = r->w->sys };
	int ret = 0;

	if (r->w->tracing) {
		str_copy(t.root, sizeof(t.root), sv_from(r->w->tracing));
		str_copy(t.dir, sizeof(t.dir), sv_from(r->w->tracing));
	} else {
		ret = tfs_open(&t, r->w->sys, e);
	}
	if (!ret)
		ret = meta_init(&r->meta, &t, &t, e);
	if (!ret)
		ret = meta_add_events(&r->meta, &t, &t, META_ALL, e);
	if (!ret)
		ret = meta_add_names(&r->meta, &t, e);
	r->blob = &r->meta.blob;
	return ret;
}

static int describe(struct restore *r, struct err *e)
{
	const struct tdat *like = r->w->like;
	struct tpage_layout layout;
	int ret = 0;

	if (!like)
		ret = describe_kernel(r, e);
	else
		r->blob = &like->blob;
	for (size_t i = 0; like && i < like->options.n; i++) {
		struct tdat_option *o = datfile_keeps(&like->options.v[i]) ? vec_add(&r->options) : NULL;

		if (o)
			*o = like->options.v[i];
	}
	for (size_t i = 0; !ret && i < r->w->n_more; i++) {
		struct tdat_option *o = vec_add(&r->options);

		if (!o)
			return err_nomem(e);
		*o = r->w->more[i];
	}
	if (!ret)
		ret = tfmt_page(&layout, r->blob->header_page, e);
	if (!ret)
		r->subbuf = layout.data_offset + layout.data_size;
	if (!ret && (r->subbuf < 64 || r->subbuf > 64 << 20))
		ret = err_set(e, EBADMSG, "sub-buffers of %u bytes are not believable", r->subbuf);
	r->ncpus = like ? like->ncpus : 1;
	return ret;
}

/* --- the rings --- */

/* "trace.dat.cpu12" is CPU 12 of "trace.dat"; without a number the position in the list counts, as in trace-cmd. */
static void parse_name(struct part *p, size_t place)
{
	const char *at = NULL, *next = p->path;
	uint64_t cpu;

	while ((next = strstr(next, ".cpu")))
		at = next++;
	p->file.cpu = (uint32_t)place;
	p->prefix = sv_from("");
	if (!at || !str_u64(sv_from(at + 4), 10, &cpu) || cpu >= CPUS_MAX)
		return;
	p->file.cpu = (uint32_t)cpu;
	p->prefix = (struct sv){ p->path, (size_t)(at - p->path) };
}

/* Index of the buffer for a prefix. */
static int buffer_of(struct restore *r, struct sv prefix)
{
	struct sv name = sv_from("");
	struct tdat_write_buffer *b;
	const char *copy;

	if (prefix.n > r->base.n + 1 && !memcmp(prefix.s, r->base.s, r->base.n) && prefix.s[r->base.n] == '.')
		name = (struct sv){ prefix.s + r->base.n + 1, prefix.n - r->base.n - 1 };
	else if (prefix.n != r->base.n || (prefix.n && memcmp(prefix.s, r->base.s, prefix.n)))
		return -EINVAL;
	for (size_t i = 0; i < r->buffers.n; i++)
		if (sv_eq(name, r->buffers.v[i].name))
			return (int)i;
	b = vec_add(&r->buffers);
	copy = arena_dup(&r->names, name.s, name.n);
	if (!b || !copy)
		return -ENOMEM;
	*b = (struct tdat_write_buffer){ .name = copy, .clock = "local", .page_size = r->subbuf };
	if (r->w->like && r->w->like->buffers.n && *r->w->like->buffers.v[0].clock)
		b->clock = r->w->like->buffers.v[0].clock;
	return (int)r->buffers.n - 1;
}

static int page_time(const struct restore *r, const struct part *p, uint64_t page, uint64_t *ts, struct err *e)
{
	ssize_t n = r->w->sys->pread(r->w->sys, p->file.fd, ts, sizeof(*ts), page * r->subbuf);

	if (r->w->like && r->w->like->blob.machine.swap)
		*ts = __builtin_bswap64(*ts);
	return n == sizeof(*ts) ? 0 : err_set(e, n < 0 ? (int)-n : EIO, "cannot read %s", p->path);
}

/* With a size limit (-m) the file is a ring: the oldest page is the one that is older than its predecessor. */
static int find_start(const struct restore *r, struct part *p, struct err *e)
{
	uint64_t low = 0, high = p->file.size / r->subbuf, first, ts;
	int ret = high ? page_time(r, p, 0, &first, e) : 0;

	while (!ret && high - low > 1) {
		uint64_t mid = low + (high - low) / 2;

		ret = page_time(r, p, mid, &ts, e);
		if (ts >= first)
			low = mid;
		else
			high = mid;
	}
	p->file.start = high * r->subbuf < p->file.size ? high * r->subbuf : 0;
	return ret;
}

static int add_part(struct restore *r, size_t i, struct err *e)
{
	struct part *p = vec_add(&r->parts);
	int ret;

	if (!p)
		return err_nomem(e);
	p->path = r->w->files[i];
	p->file.fd = -1;
	parse_name(p, i);
	if (!i || p->prefix.n < r->base.n)
		r->base = p->prefix;
	ret = ringfile_open(&p->file, r->w->sys, p->path, r->w->once ? O_RDWR : O_RDONLY, r->subbuf, e);
	return ret ? ret : find_start(r, p, e);
}

static int add_parts(struct restore *r, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->w->n_files; i++)
		ret = add_part(r, i, e);
	if (!ret && buffer_of(r, r->base) < 0)
		ret = err_nomem(e);
	for (size_t i = 0; !ret && i < r->parts.n; i++) {
		struct part *p = &r->parts.v[i];
		int b = buffer_of(r, p->prefix);

		r->ncpus = MAX(r->ncpus, p->file.cpu + 1);
		p->file.buffer = (uint32_t)b;
		if (b == -EINVAL)
			ret = err_set(e, EINVAL, "%s belongs to another recording than %s", p->path,
				      r->parts.v[0].path);
		else if (b < 0)
			ret = err_nomem(e);
	}
	return ret;
}

static int write(struct restore *r, struct restore_result *res, struct err *e)
{
	struct datfile_want want = {
		.sys = r->w->sys, .path = r->w->output, .format = r->w->format, .blob = r->blob,
		.options = r->options.v, .n_options = r->options.n, .buffers = r->buffers.v,
		.n_buffers = r->buffers.n, .ncpus = r->ncpus, .once = r->w->once,
		.kallsyms = r->w->like ? NULL : r->w->kallsyms,
	};
	struct ringfile **files = calloc(r->parts.n + 1, sizeof(*files));
	size_t n = 0;
	int ret;

	for (size_t b = 0; files && b < r->buffers.n; b++)
		for (size_t i = 0; i < r->parts.n; i++)
			if (r->parts.v[i].file.buffer == b)
				files[n++] = &r->parts.v[i].file;
	ret = files ? datfile_write(&want, files, n, e) : err_nomem(e);
	for (size_t i = 0; !ret && i < n; i++) {
		res->rings++;
		res->pages += files[i]->size / r->subbuf;
	}
	free(files);
	return ret;
}

int restore_run(const struct restore_want *w, struct restore_result *res, struct err *e)
{
	struct restore r = { .w = w };
	int ret = describe(&r, e);

	*res = (struct restore_result){ 0 };
	if (!ret)
		ret = add_parts(&r, e);
	if (!ret)
		ret = write(&r, res, e);
	for (size_t i = 0; i < r.parts.n; i++)
		ringfile_drop(&r.parts.v[i].file, w->sys);
	vec_free(&r.parts);
	vec_free(&r.buffers);
	vec_free(&r.options);
	arena_deinit(&r.names);
	meta_deinit(&r.meta);
	return ret;
}
