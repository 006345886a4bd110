/*
 * trace.dat: every event of every ring is read. What is written again, in the format that the input's length chooses,
 * must give the same number of events.
 */
#include "tracefs/dat/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

struct file {
	char *v;
	size_t n, cap;
};

static int file_write(void *arg, const char *bytes, size_t n)
{
	struct file *f = arg;

	if (f->n + n > f->cap) {
		f->cap = (f->n + n) * 2;
		f->v = realloc(f->v, f->cap);
		if (!f->v)
			abort();
	}
	memcpy(f->v + f->n, bytes, n);
	f->n += n;
	return 0;
}

static int file_patch(void *arg, uint64_t off, const void *bytes, size_t n)
{
	struct file *f = arg;

	if (off > f->n || n > f->n - off)
		abort();
	memcpy(f->v + off, bytes, n);
	return 0;
}

static uint64_t events(const struct tdat *d, int which, int *error)
{
	struct tdat_reader *r = tdat_reader_new(d, which, NULL);
	struct tstream_rec rec;
	uint64_t n = 0, sum = 0;

	while ((*error = tdat_reader_next(r, &rec, NULL)) > 0 && n++ < 100000)
		for (uint32_t i = 0; i < rec.n; i++)
			sum += rec.raw[i];
	if (tdat_reader_done(r) > d->bytes.n || sum == 1)
		abort();
	tdat_reader_free(r);
	return n;
}

/* Plain rings only: the bytes are as they are. */
static void again(const struct tdat *d, enum tdat_format format)
{
	struct file f = { 0 };
	char buf[64];
	struct out o = { .write = file_write, .arg = &f, .buf = buf, .cap = sizeof(buf) };
	const struct tdat_buffer *b = &d->buffers.v[0];
	struct tdat_write_buffer top = { b->name, b->clock, b->page_size, b->latency };
	struct tdat_write_want want = {.format = format,
				       .blob = &d->blob,
				       .patch = file_patch,
				       .arg = &f,
				       .buffers = &top,
				       .n_buffers = 1,
				       .ncpus = d->ncpus};
	struct tdat_writer w;
	struct tdat e;
	int r1, r2;

	if (b->compressed || d->blob.machine.swap || d->ncpus > 64 || b->page_size > 65536 || b->cpus.n > 64)
		return;
	if (tdat_write_begin(&w, &want, &o, NULL) || tdat_write_buffer(&w, NULL))
		abort();
	if (b->latency)
		tdat_write_data(&w, b->text.s, b->text.n);
	for (size_t i = 0; i < b->cpus.n; i++) {
		if (tdat_write_cpu(&w, b->cpus.v[i].cpu, NULL))
			abort();
		if (b->cpus.v[i].size)
			tdat_write_data(&w, d->bytes.s + b->cpus.v[i].off, b->cpus.v[i].size);
	}
	if (tdat_write_end(&w, NULL) || tdat_init(&e, f.v, f.n, NULL))
		abort();
	/* Version 6 has one ring for each CPU: of two with the same number only the last stays. */
	if (format != TDAT_V6 && events(d, 0, &r1) > events(&e, 0, &r2))
		abort();
	tdat_deinit(&e);
	tdat_write_deinit(&w);
	free(f.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct tdat d;
	int r;

	if (!tdat_init(&d, p, n, NULL)) {
		events(&d, -1, &r);
		for (size_t i = 0; i < d.notes.n; i++)
			if (!d.notes.v[i].text[0])
				abort();
		again(&d, (enum tdat_format)(n % 3));
	}
	tdat_deinit(&d);
	return 0;
}
