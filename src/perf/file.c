/* file.c - a perf.data file: opening it, its notes, its records. */
#include "perf/file.h"

#include "perf/file_parts.h"

enum { HEADER_SIZE_PIPE = 16, NOTES_MAX = 32 };

#define MAGIC UINT64_C(0x32454c4946524550)   /* "PERFILE2" as a little-endian word */

static struct err *add_note(struct perf_file *f, const char *fmt, va_list ap)
{
	struct err *note = f->head.notes.n < NOTES_MAX ? vec_add(&f->head.notes) : NULL;

	if (!note)
		return NULL;
	note->code = EBADMSG;
	vsnprintf(note->text, sizeof(note->text), fmt, ap);
	return note;
}

struct err *perf_file_note(struct perf_file *f, const char *fmt, ...)
{
	struct err *note;
	va_list ap;

	va_start(ap, fmt);
	note = add_note(f, fmt, ap);
	va_end(ap);
	return note;
}

struct err *perf_file_missing(struct perf_file *f, const char *fmt, ...)
{
	struct err *note;
	va_list ap;

	f->head.incomplete = true;
	va_start(ap, fmt);
	note = add_note(f, fmt, ap);
	va_end(ap);
	return note;
}

/* Other kinds of file that users mistake for perf.data, by their first bytes. */
static const struct {
	const char *magic;
	uint8_t n;
	const char *what, *hint;
} others[] = {
	{ "\x17\x08\x44tracing", 10, "a trace.dat file of trace-cmd",
	  "trace-cmd report reads it" },
	{ "PERFFILE", 8, "a perf.data file of version 1 (PERFFILE), which perf no longer writes",
	  "record again, or convert it with the perf that wrote it" },
	{ "\x7f" "ELF", 4, "an ELF file", "" },
	{ "\x1f\x8b", 2, "compressed with gzip", "unpack it first" },
	{ "\x28\xb5\x2f\xfd", 4, "compressed with zstd", "unpack it first" },
	{ "\xfd" "7zXZ", 5, "compressed with xz", "unpack it first" },
};

static bool is_text(struct bytes b)
{
	for (size_t i = 0; i < MIN(b.n, (size_t)64); i++)
		if ((b.p[i] < ' ' && !memchr("\t\n\r", b.p[i], 3)) || b.p[i] == 0x7f)
			return false;
	return b.n > 0;
}

static int not_perf_data(struct bytes b, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (b.n < others[i].n || memcmp(b.p, others[i].magic, others[i].n))
			continue;
		err_set(e, EBADMSG, "not a perf.data file: it is %s", others[i].what);
		err_hint(e, "%s", others[i].hint);
		return -EBADMSG;
	}
	if (!b.n)
		return err_set(e, EBADMSG, "not a perf.data file: it is empty");
	return err_set(e, EBADMSG, "not a perf.data file%s", is_text(b) ? ": it is text" : "");
}

static int read_all(struct perf_file *f, const struct perf_file_walk *walk, struct err *e)
{
	struct cursor c = cur_from(f->bytes.p, f->bytes.n);
	uint64_t magic = cur_u64(&c);
	int err;

	if (c.bad || (magic != MAGIC && magic != __builtin_bswap64(MAGIC)))
		return not_perf_data(f->bytes, e);
	f->head.swap = c.swap = magic != MAGIC;

	uint64_t size = cur_u64(&c);

	f->pipe = size == HEADER_SIZE_PIPE;
	if (f->pipe)
		err = perf_file_read_pipe(f, walk, e);
	else
		err = perf_file_read_header(f, size, e);
	if (err)
		return err;
	if (!f->head.events.n)
		return err_set(e, EBADMSG, "perf.data file without events");
	if (!perf_head_find_ids(&f->head))
		perf_file_note(f, "events have no id at a common place: samples of which event cannot be told");
	return perf_file_read_features(f) || perf_file_set_labels(f) ? err_nomem(e) : 0;
}

int perf_file_init(struct perf_file *f, struct bytes bytes, const struct perf_file_walk *walk, struct err *e)
{
	*f = (struct perf_file){ .bytes = bytes };
	perf_head_init(&f->head);

	int err = read_all(f, walk, e);

	if (err)
		perf_file_deinit(f);
	return err;
}

void perf_file_deinit(struct perf_file *f)
{
	perf_head_deinit(&f->head);
}

int perf_file_next(const struct perf_file *f, uint64_t *off, struct perf_record *r, struct err *e)
{
	return perf_record_next((struct bytes){ f->bytes.p, (size_t)f->data_end }, f->head.swap, off, r, e);
}
