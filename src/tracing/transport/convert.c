/* convert.c - see convert.h. */
#include "tracing/transport/convert.h"

struct convert {
	VEC(struct tdat_write_buffer) buffers;
	VEC(struct tdat_option) options;
	struct sv kept[TDAT_KEPT];
};

static int take_buffers(struct convert *c, const struct tdat *d, enum tdat_format format, struct err *e)
{
	for (size_t i = 0; i < d->buffers.n; i++) {
		const struct tdat_buffer *from = &d->buffers.v[i];
		struct tdat_write_buffer *b = vec_add(&c->buffers);

		if (!b)
			return err_nomem(e);
		*b = (struct tdat_write_buffer){ from->name, from->clock, from->page_size, from->latency };
		if (format != TDAT_V6)
			continue;
		if (from->latency && d->buffers.n > 1)
			return err_set(e, EOPNOTSUPP, "version 6 has no place for a tracer's text beside buffers");
		if (!from->latency && from->page_size != d->blob.page_size)
			return err_set(e, EOPNOTSUPP, "version 6 has one size of sub-buffers, and '%s' has its own",
				       from->name);
	}
	return d->buffers.n ? 0 : err_set(e, ENODATA, "it has no buffers");
}

static int add_option(struct convert *c, const struct tdat_option *o, struct err *e)
{
	struct tdat_option *to = vec_add(&c->options);

	if (!to)
		return err_nomem(e);
	*to = *o;
	return 0;
}

static int take_options(struct convert *c, const struct tdat *d, uint64_t but, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < d->options.n; i++) {
		const struct tdat_option *o = &d->options.v[i];

		if (datfile_keeps(o) && !(but >> o->id & 1))
			r = add_option(c, o, e);
	}
	return r;
}

static int write(struct convert *c, const struct sys *sys, struct tdat *d, const char *path, enum tdat_format format,
		 struct err *e)
{
	int r = take_buffers(c, d, format, e);

	for (unsigned kind = 0; !r && kind < TDAT_KEPT; kind++)
		r = tdat_kept_file(d, kind, &c->kept[kind], e);
	if (!r) {
		struct datfile_want want = {
			.sys = sys, .path = path, .format = format, .blob = &d->blob,
			.options = c->options.v, .n_options = c->options.n, .buffers = c->buffers.v,
			.n_buffers = c->buffers.n, .ncpus = d->ncpus, .kept = c->kept,
		};

		r = datfile_copy(&want, d, e);
	}
	vec_free(&c->buffers);
	vec_free(&c->options);
	return r;
}

int convert_run(const struct sys *sys, struct tdat *d, const char *path, enum tdat_format format, struct err *e)
{
	struct convert c = { 0 };
	int r = take_options(&c, d, 0, e);

	return r ? r : write(&c, sys, d, path, format, e);
}

int convert_add(const struct sys *sys, struct tdat *d, const char *path, const struct tdat_option *more, size_t n,
		uint64_t once, struct err *e)
{
	struct convert c = { 0 };
	int r = take_options(&c, d, once, e);

	for (size_t i = 0; !r && i < n; i++)
		r = add_option(&c, &more[i], e);
	return r ? r : write(&c, sys, d, path, tdat_format_of(d), e);
}
