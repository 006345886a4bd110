/*
 * file_header.c - a perf.data file's header, attributes and ids.
 *
 *   0 u64 magic    8 u64 header size   16 u64 attr entry size
 *  24 attrs       40 data              56 unused               72 feature bitmap, 32 bytes
 *
 * attrs, data and an entry's ids are {u64 offset, u64 size}. An attr entry is a perf_event_attr of
 * attr.size bytes and its ids section. The table of feature sections follows the data.
 */
#include "perf/file_parts.h"

enum {
	HEADER_SIZE = 104, HEADER_SIZE_OLD = 72,   /* the old one has no bitmap */
	SECTION_SIZE = 16,
};

struct section {
	uint64_t off, size;
};

struct head {
	uint64_t size, entry;
	struct section attrs, data;
	uint64_t bits[4];
};

/* Compilers allocate C bit-fields from the other end in the other byte order, so the flags' bits are reversed. */
static uint64_t flags_from(const struct cursor *c, uint64_t word)
{
	uint64_t flags = 0;

	if (!c->swap)
		return word;
	for (unsigned i = 0; i < 64; i++)
		flags |= (word >> i & 1) << (63 - i);
	return flags;
}

/* c holds exactly one attr; fields beyond its end, of a shorter attr, read as zero. */
static void attr_read(struct perf_attr *a, struct cursor *c)
{
	a->type = cur_u32(c);
	a->size = cur_u32(c);
	a->config = cur_u64(c);
	a->sample_period = cur_u64(c);
	a->sample_type = cur_u64(c);
	a->read_format = cur_u64(c);
	a->flags = flags_from(c, cur_u64(c));
	a->wakeup = cur_u32(c);
	a->bp_type = cur_u32(c);
	a->config1 = cur_u64(c);
	a->config2 = cur_u64(c);
	a->branch_sample_type = cur_u64(c);
	a->sample_regs_user = cur_u64(c);
	a->sample_stack_user = cur_u32(c);
	a->clockid = (int32_t)cur_u32(c);
	a->sample_regs_intr = cur_u64(c);
	a->aux_watermark = cur_u32(c);
	a->sample_max_stack = cur_u16(c);
	a->reserved_2 = cur_u16(c);
	a->aux_sample_size = cur_u32(c);
	a->aux_action = cur_u32(c);
	a->sig_data = cur_u64(c);
	a->config3 = cur_u64(c);
}

static bool all_zero(struct bytes b)
{
	for (size_t i = 0; i < b.n; i++)
		if (b.p[i])
			return false;
	return true;
}

int perf_file_add_event(struct perf_file *f, struct cursor *c, struct err *e)
{
	uint64_t off = (uint64_t)(c->pos - f->bytes.p);
	struct cursor peek = *c;

	cur_skip(&peek, offsetof(struct perf_attr, size));

	uint32_t size = cur_u32(&peek);

	if (!size)
		size = PERF_ATTR_VER0;   /* written before the field had a meaning */

	const uint8_t *p = cur_bytes(c, size);

	if (size < PERF_ATTR_VER0 || !p)
		return err_at(e, EBADMSG, off, "event attribute of %u bytes", size);

	struct cursor in = perf_head_cursor(&f->head, (struct bytes){ p, size });
	struct perf_attr attr = { 0 };

	attr_read(&attr, &in);

	const struct perf_event *ev = perf_head_add(&f->head, &attr);

	if (!ev)
		return err_nomem(e);
	if (size > PERF_ATTR_VER8 &&
	    !all_zero((struct bytes){ p + PERF_ATTR_VER8, size - PERF_ATTR_VER8 }))
		perf_file_note(f, "event %u uses fields that are not known here, in %u bytes",
			       ev->group_leader, size);
	return 0;
}

int perf_file_add_ids(struct perf_file *f, struct cursor *c, struct err *e)
{
	while (cur_left(c) >= sizeof(uint64_t)) {
		uint64_t *index = map_add(&f->head.ids, cur_u64(c), NULL);

		if (!index)
			return err_nomem(e);
		*index = f->head.events.n - 1;
	}
	return 0;
}

static struct section section_read(struct cursor *c)
{
	struct section s;

	s.off = cur_u64(c);
	s.size = cur_u64(c);
	return s;
}

static int attrs_read(struct perf_file *f, const struct head *h, struct err *e)
{
	struct cursor file = perf_head_cursor(&f->head, f->bytes);
	struct cursor c = cur_sub(&file, h->attrs.off, h->attrs.size);
	uint64_t ids_left = f->bytes.n;   /* a bound: overlapping sections would make the work quadratic */

	if (c.bad)
		return err_at(e, EBADMSG, h->attrs.off,
			      "event attributes (%llu bytes) lie beyond the end of the file",
			      (unsigned long long)h->attrs.size);
	for (uint64_t n = h->attrs.size / h->entry; n; n--) {
		int err = perf_file_add_event(f, &c, e);
		struct section at = section_read(&c);
		struct cursor ids = cur_sub(&file, at.size ? at.off : 0, at.size);

		if (err)
			return err;
		if (c.bad || ids.bad || at.size > ids_left)
			return err_at(e, EBADMSG, at.off, "ids of event %zu are not in the file",
				      f->head.events.n - 1);
		ids_left -= at.size;
		err = perf_file_add_ids(f, &ids, e);
		if (err)
			return err;
	}
	return 0;
}

/*
 * The bitmap is an array of unsigned long: in the foreign byte order the writer's word size
 * matters. perf always sets HOSTNAME, so the word size for which that bit is set is the writer's.
 */
static void bits_read(struct head *h, struct cursor *c)
{
	struct cursor again = *c;

	for (unsigned i = 0; i < 4; i++)
		h->bits[i] = cur_u64(c);
	if (!c->swap || h->bits[0] & PERF_BIT(PERF_FEAT_HOSTNAME))
		return;

	uint64_t lo = cur_u32(&again);

	if (!(lo & PERF_BIT(PERF_FEAT_HOSTNAME)))
		return;
	h->bits[0] = lo | (uint64_t)cur_u32(&again) << 32;
	for (unsigned i = 1; i < 4; i++) {
		lo = cur_u32(&again);
		h->bits[i] = lo | (uint64_t)cur_u32(&again) << 32;
	}
}

static bool overlap(struct section a, struct section b)
{
	return a.size && b.size && a.off < b.off + b.size && b.off < a.off + a.size;
}

static int head_check(const struct perf_file *f, const struct head *h, struct err *e)
{
	struct section self = { 0, h->size };

	if (h->size > f->bytes.n)
		return err_at(e, EBADMSG, f->bytes.n, "file ends within its header");
	if (h->entry < PERF_ATTR_VER0 + SECTION_SIZE)
		return err_at(e, EBADMSG, 16, "entries of %llu bytes for event attributes",
			      (unsigned long long)h->entry);
	if (h->data.off > UINT64_MAX - h->data.size || h->attrs.off > UINT64_MAX - h->attrs.size)
		return err_at(e, EBADMSG, 24, "sections are larger than any file");
	if (overlap(self, h->attrs) || overlap(self, h->data) || overlap(h->attrs, h->data) ||
	    h->data.off < h->size)
		return err_at(e, EBADMSG, 24, "header, attributes and data overlap");
	return 0;
}

static void data_find(struct perf_file *f, const struct head *h)
{
	uint64_t end = h->data.off + h->data.size;

	f->data_off = MIN(h->data.off, f->bytes.n);
	f->data_end = h->data.size ? MIN(end, f->bytes.n) : f->bytes.n;
	if (!h->data.size)
		err_hint(perf_file_missing(f, "the recorder did not finish this file: no features"),
			 "all records that were written are used");
	else if (end > f->bytes.n)
		perf_file_missing(f, "the file is cut: %llu of %llu bytes of data and all features "
				     "are missing", (unsigned long long)(end - f->bytes.n),
				  (unsigned long long)h->data.size);
	else
		perf_file_find_features(f, h->bits, end);
}

int perf_file_read_header(struct perf_file *f, uint64_t size, struct err *e)
{
	struct cursor c = perf_head_cursor(&f->head, f->bytes);
	struct head h = { .size = size };
	int err;

	if (size != HEADER_SIZE && size != HEADER_SIZE_OLD)
		return err_at(e, EBADMSG, 8, "perf.data header of %llu bytes",
			      (unsigned long long)size);
	cur_skip(&c, 2 * sizeof(uint64_t));
	h.entry = cur_u64(&c);
	h.attrs = section_read(&c);
	h.data = section_read(&c);
	section_read(&c);
	if (size == HEADER_SIZE)
		bits_read(&h, &c);
	err = head_check(f, &h, e);
	if (err)
		return err;
	data_find(f, &h);
	return attrs_read(f, &h, e);
}
