/* treport_where.c - report --boundary and --debug: where events lie in the ring's sub-buffers. */
#include "cmd/ftrace/treport.h"

/* "CPU:0 [SUBBUFFER START] [time:offset in the file]" */
static void put_start(const struct treport_file *f, const struct tstream_rec *rec, struct out *o)
{
	const struct tpage *page = rec->page;
	const uint8_t *bytes = f->file.bytes;
	uint64_t ts = traw_load(page->start, sizeof(ts), page->swap);

	out_printf(o, "CPU:%u [SUBBUFFER START]", rec->cpu);
	if (f->want->debug)
		out_printf(o, " [%llu:", (unsigned long long)ts);
	if (f->want->debug && page->start >= bytes && page->start < bytes + f->file.n)
		out_printf(o, "0x%llx]", (unsigned long long)(page->start - bytes));
	else if (f->want->debug)
		out_str(o, "packed]");
	out_char(o, '\n');
}

/* The entries between this record and the next: padding, time extends and time stamps. */
static void put_between(const struct tpage *page, const uint8_t *at, struct out *o)
{
	static const char *const names[] = {
		[TPAGE_PADDING] = "PADDING", [TPAGE_EXTEND] = "TIME EXTEND", [TPAGE_STAMP] = "TIME STAMP",
	};
	struct tpage_entry en;

	for (; tpage_entry(page, at, &en) && en.kind != TPAGE_RECORD; at = en.next)
		out_printf(o, "\n %s: %s:%llu length:%u", names[en.kind],
			   en.kind == TPAGE_STAMP ? "timestamp" : "delta", (unsigned long long)en.delta, en.n);
}

/* " [delta:offset in the sub-buffer:bytes]" */
static void put_debug(const struct tstream_rec *rec, struct out *o)
{
	const uint8_t *at = rec->page->data;
	struct tpage_entry en;

	for (; tpage_entry(rec->page, at, &en); at = en.next)
		if (en.raw == rec->raw)
			break;
	if (en.raw != rec->raw)
		return;
	out_printf(o, " [%llu:0x%llx:%u]", (unsigned long long)en.delta, (unsigned long long)(at - rec->page->start),
		   rec->n);
	put_between(rec->page, en.next, o);
}

static bool is_first(const struct tstream_rec *rec)
{
	const uint8_t *at = rec->page->data;
	struct tpage_entry en;

	while (tpage_entry(rec->page, at, &en) && en.kind != TPAGE_RECORD)
		at = en.next;
	return en.raw == rec->raw;
}

void treport_where(const struct treport_file *f, const struct tstream_rec *rec, struct out *before, struct out *behind)
{
	if (is_first(rec))
		put_start(f, rec, before);
	if (f->want->debug)
		put_debug(rec, behind);
}
