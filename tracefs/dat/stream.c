/* stream.c - see stream.h. */
#include "tracefs/dat/stream.h"

struct fix {
	uint64_t off;
	size_t n;
	uint8_t bytes[8];
};

struct stream {
	struct tdat_write_want want;   /* the caller's, but its patches come to learn() */
	struct out *to;                /* NULL: the first pass, which only collects the patches */
	uint64_t at;
	VEC(struct fix) fixes;         /* sorted by offset, without overlaps */
	size_t next;
};

static int learn(void *arg, uint64_t off, const void *bytes, size_t n)
{
	struct stream *s = arg;
	size_t i = s->fixes.n;
	struct fix *f;

	if (s->to)
		return 0;
	while (i && s->fixes.v[i - 1].off > off)
		i--;
	if (n > sizeof(f->bytes))
		return -EINVAL;
	if (!i || s->fixes.v[i - 1].off != off) {
		if (!vec_add(&s->fixes))
			return -ENOMEM;
		memmove(&s->fixes.v[i + 1], &s->fixes.v[i], (s->fixes.n - 1 - i) * sizeof(*f));
		i++;
	}
	f = &s->fixes.v[i - 1];
	*f = (struct fix){ .off = off, .n = n };
	memcpy(f->bytes, bytes, n);
	return 0;
}

/* Write the next piece: of `bytes`, or of a fix that replaces them. */
static size_t put_piece(struct stream *s, const char *bytes, size_t n)
{
	const struct fix *f = s->next < s->fixes.n ? &s->fixes.v[s->next] : NULL;
	size_t step;

	if (!f || f->off > s->at) {
		step = f ? (size_t)MIN(f->off - s->at, (uint64_t)n) : n;
		out_bytes(s->to, bytes, step);
		return step;
	}
	step = MIN((size_t)(f->off + f->n - s->at), n);
	out_bytes(s->to, f->bytes + (s->at - f->off), step);
	s->next += s->at + step == f->off + f->n;
	return step;
}

static int put(void *arg, const char *bytes, size_t n)
{
	struct stream *s = arg;

	while (s->to && n) {
		size_t step = put_piece(s, bytes, n);

		s->at += step;
		bytes += step;
		n -= step;
	}
	return 0;
}

static int make(struct stream *s, struct err *e)
{
	char buf[4096];
	struct out o = { .write = put, .arg = s, .buf = buf, .cap = sizeof(buf) };
	struct tdat_writer w;
	int r = tdat_write_begin(&w, &s->want, &o, e);

	if (!r)
		r = tdat_write_end(&w, e);
	tdat_write_deinit(&w);
	return r;
}

int tdat_stream_head(const struct tdat_write_want *want, struct out *o, struct err *e)
{
	struct stream s = { .want = *want };
	int r;

	s.want.kallsyms = NULL;
	s.want.patch = learn;
	s.want.arg = &s;
	r = make(&s, e);
	s.to = o;
	if (!r)
		r = make(&s, e);
	vec_free(&s.fixes);
	return r;
}
