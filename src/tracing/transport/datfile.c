/* datfile.c - tracefs/dat_write with a file behind it. */
#include "tracing/transport/datfile.h"

#include "sys/output.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { STEP = 1 << 20 };        /* bytes copied before their space is released */

struct datfile {
	const struct sys *sys;
	const char *path, *kallsyms;
	struct output file;
	bool packed, punch;
	struct out out;
	struct tdat_writer w;
	char buf[65536];
};

static int write_out(void *arg, const char *bytes, size_t n)
{
	struct datfile *d = arg;

	return output_write(&d->file, bytes, n);
}

static int patch(void *arg, uint64_t off, const void *bytes, size_t n)
{
	struct datfile *d = arg;
	ssize_t done = d->sys->pwrite(d->sys, d->file.fd, bytes, n, off);

	return done == (ssize_t)n ? 0 : done < 0 ? (int)done : -EIO;
}

bool datfile_keeps(const struct tdat_option *o)
{
	static const uint8_t kept[] = {
		TDAT_DATE, TDAT_CPUSTAT, TDAT_TRACECLOCK, TDAT_UNAME, TDAT_HOOK, TDAT_OFFSET, TDAT_VERSION,
		TDAT_PROCMAPS, TDAT_TRACEID, TDAT_TIME_SHIFT, TDAT_GUEST, TDAT_TSC2NSEC, TDAT_LAST_BOOT,
	};

	return o->id <= UINT8_MAX && memchr(kept, o->id, sizeof(kept));
}

/* Copy a file of the kernel, whose size is not known before; nothing when it does not exist. */
static int datfile_text(const struct sys *sys, const char *path, struct out *o, struct err *e)
{
	int fd = sys->open(sys, path, O_RDONLY, 0);
	char text[16384];
	ssize_t n = fd;

	while (fd >= 0 && (n = sys->read(sys, fd, text, sizeof(text))) > 0)
		out_bytes(o, text, (size_t)n);
	if (fd >= 0)
		sys->close(sys, fd);
	return n < 0 && n != -ENOENT ? err_set(e, (int)-n, "cannot read %s: %s", path, err_name((int)-n)) : 0;
}

static int copy_kallsyms(void *arg, struct out *o, struct err *e)
{
	struct datfile *d = arg;

	return datfile_text(d->sys, d->kallsyms, o, e);
}

/* Write a tracer's text in place of rings. */
static int write_data(void *arg, const char *bytes, size_t n)
{
	struct datfile *d = arg;

	tdat_write_data(&d->w, bytes, n);
	return 0;
}

static int copy_latency(struct datfile *d, const char *path, struct err *e)
{
	char buf[4096];
	struct out o = { .write = write_data, .arg = d, .buf = buf, .cap = sizeof(buf) };
	int r = datfile_text(d->sys, path, &o, e);

	out_flush(&o);
	return r;
}

static void discard(struct datfile *d)
{
	if (!d)
		return;
	tdat_write_deinit(&d->w);
	output_discard(&d->file);
	free(d);
}

static int failed(const struct datfile *d, int code, struct err *e)
{
	err_set(e, code, "cannot write %s: %s", d->path, err_name(code));
	if (code == ENOSPC || code == EDQUOT)
		err_hint(e, "until it is put together there must be room for it twice");
	return -code;
}

int datfile_check(const struct sys *sys, const char *path, struct err *e)
{
	struct stat st;

	if (sys->stat(sys, path, &st) || S_ISREG(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
		return output_check(sys, path, e);
	err_set(e, EINVAL, "cannot write %s: a trace.dat is put together in a file, and this is %s", path,
		S_ISDIR(st.st_mode) ? "a folder" : S_ISFIFO(st.st_mode) ? "a pipe" : "none");
	return err_hint(e, "-o FILE; over the network: record -N HOST:PORT, and 'ftrace listen' there");
}

static struct datfile *begin(const struct datfile_want *w, struct err *e)
{
	struct datfile *d = calloc(1, sizeof(*d));
	struct tdat_write_want want = {
		.format = w->format, .blob = w->blob, .kallsyms = w->kallsyms ? copy_kallsyms : NULL, .patch = patch,
		.arg = d, .options = w->options, .n_options = w->n_options, .buffers = w->buffers,
		.n_buffers = w->n_buffers, .ncpus = w->ncpus,
	};

	if (!d) {
		err_nomem(e);
		return NULL;
	}
	for (unsigned kind = 0; w->kept && kind < TDAT_KEPT; kind++)
		want.kept[kind] = w->kept[kind];
	if (datfile_check(w->sys, w->path, e)) {
		free(d);
		return NULL;
	}
	d->sys = w->sys;
	d->path = w->path;
	d->kallsyms = w->kallsyms;
	d->packed = w->format > TDAT_V7;
	d->out = (struct out){ .write = write_out, .arg = d, .buf = d->buf, .cap = sizeof(d->buf) };
	/* Private: it contains the kallsyms of root. */
	if (!output_open(&d->file, d->sys, d->path, OUTPUT_REPLACE, OUTPUT_PRIVATE, O_RDWR, e) &&
	    !tdat_write_begin(&d->w, &want, &d->out, e)) {
		if (!d->out.error)
			return d;
		failed(d, -d->out.error, e);
	}
	discard(d);
	return NULL;
}

static void give_back(const struct datfile *d, int from, uint64_t off, uint64_t n)
{
	if (d->punch)
		d->sys->punch(d->sys, from, off, n);
}

static int move(struct datfile *d, int from, uint64_t off, uint64_t n, struct err *e)
{
	uint64_t most = d->punch ? STEP : UINT64_C(1) << 30;
	int r = d->sys->seek(d->sys, from, off);

	while (!r && n) {
		ssize_t done = d->sys->copy(d->sys, from, d->file.fd, (size_t)MIN(n, most));

		if (done == -EINTR)
			continue;
		if (done <= 0) {
			r = done ? (int)done : -EIO;
			break;
		}
		tdat_write_moved(&d->w, (uint64_t)done);
		give_back(d, from, off, (uint64_t)done);
		off += (uint64_t)done;
		n -= (uint64_t)done;
	}
	return r ? failed(d, -r, e) : 0;
}

static int feed(struct datfile *d, int from, uint64_t off, uint64_t n, struct err *e)
{
	char bytes[16384];

	while (n) {
		ssize_t got = d->sys->pread(d->sys, from, bytes, (size_t)MIN(n, sizeof(bytes)), off);

		if (got <= 0)
			return failed(d, got ? (int)-got : EIO, e);
		tdat_write_data(&d->w, bytes, (size_t)got);
		give_back(d, from, off, (uint64_t)got);
		off += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return d->out.error ? failed(d, -d->out.error, e) : 0;
}

static int add_ring(struct datfile *d, struct ringfile *f, struct err *e)
{
	int (*piece)(struct datfile *d, int from, uint64_t off, uint64_t n, struct err *e) = d->packed ? feed : move;
	int r = tdat_write_cpu(&d->w, f->cpu, e);

	if (r)
		return r;
	f->at = tdat_write_at(&d->w);
	r = piece(d, f->fd, f->start, f->size - f->start, e);
	if (!r)
		r = piece(d, f->fd, 0, f->start, e);
	f->packed = tdat_write_cpu_end(&d->w);
	return r;
}

static int finish(struct datfile *d, struct err *e)
{
	int r = tdat_write_end(&d->w, e);

	if (!r)
		r = output_close(&d->file);
	return r || d->out.error ? failed(d, d->out.error ? -d->out.error : -r, e) : 0;
}

static int write_all(struct datfile *d, const struct datfile_want *w, struct ringfile *const *rings, size_t n,
		     struct err *e)
{
	int r = 0;

	for (size_t b = 0, i = 0; !r && b < w->n_buffers; b++) {
		r = tdat_write_buffer(&d->w, e);
		if (!r && w->buffers[b].latency)
			r = copy_latency(d, w->text, e);
		for (; !r && i < n && rings[i]->buffer == b; i++)
			r = rings[i]->size ? add_ring(d, rings[i], e) : 0;
	}
	return r ? r : finish(d, e);
}

/* Clean up. r: 0 when the recording is complete; d may be NULL. */
static void end(struct datfile *d, int r)
{
	if (r || !d) {
		discard(d);
		return;
	}
	tdat_write_deinit(&d->w);
	free(d);
}

enum space { SPACE_THERE, SPACE_GIVEN_BACK };

static int write_with(const struct datfile_want *w, struct ringfile *const *rings, size_t n, enum space space,
		      struct err *e)
{
	struct datfile *d = begin(w, e);
	int r = d ? 0 : -e->code;

	if (!r) {
		d->punch = space == SPACE_GIVEN_BACK;
		r = write_all(d, w, rings, n, e);
	}
	end(d, r);
	return r;
}

static int copy_ring(struct datfile *d, struct tdat_reader *from, uint32_t ring, struct err *e)
{
	const uint8_t *page;
	size_t n;
	int r;

	while ((r = tdat_reader_page(from, ring, &page, &n, e)) > 0)
		tdat_write_data(&d->w, page, n);
	return r ? r : d->out.error ? failed(d, -d->out.error, e) : 0;
}

static int copy_all(struct datfile *d, const struct tdat *from, struct tdat_reader *reader, struct err *e)
{
	uint32_t ring = 0;
	int r = 0;

	for (size_t b = 0; !r && b < from->buffers.n; b++) {
		const struct tdat_buffer *buffer = &from->buffers.v[b];

		r = tdat_write_buffer(&d->w, e);
		if (!r && buffer->latency)
			tdat_write_data(&d->w, buffer->text.s, buffer->text.n);
		for (size_t i = 0; !r && i < buffer->cpus.n; i++, ring++) {
			if (!buffer->cpus.v[i].size)
				continue;
			r = tdat_write_cpu(&d->w, buffer->cpus.v[i].cpu, e);
			if (!r)
				r = copy_ring(d, reader, ring, e);
		}
	}
	return r ? r : finish(d, e);
}

int datfile_copy(const struct datfile_want *w, const struct tdat *from, struct err *e)
{
	struct tdat_reader *reader = tdat_reader_new(from, -1, e);
	struct datfile *d = reader ? begin(w, e) : NULL;
	int r = d ? copy_all(d, from, reader, e) : -e->code;

	tdat_reader_free(reader);
	end(d, r);
	return r;
}

int datfile_write(const struct datfile_want *w, struct ringfile *const *rings, size_t n, struct err *e)
{
	int r = write_with(w, rings, n, w->once ? SPACE_GIVEN_BACK : SPACE_THERE, e);

	return !w->once && (r == -ENOSPC || r == -EDQUOT) ? write_with(w, rings, n, SPACE_GIVEN_BACK, e) : r;
}
