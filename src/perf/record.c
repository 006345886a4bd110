/* record.c - the fields of a record that are at fixed places; sample.c decodes the rest of a sample. */
#include "perf/record.h"

#include "perf/head.h"

/* Bytes that follow a record without belonging to it. */
static uint64_t bytes_outside(const struct perf_record *r, bool swap)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = swap;
	if (r->type == PERF_REC_AUXTRACE)
		return cur_u64(&c);
	return ALIGN_UP((uint64_t)cur_u32(&c), 8);   /* TRACING_DATA */
}

/* The header, or of a cut one the fields that are whole; the others are 0. */
static struct perf_rec read_header(const uint8_t *p, size_t left, bool swap)
{
	struct perf_rec head = { 0 };

	if (left >= sizeof(head))
		memcpy(&head, p, sizeof(head));
	else if (left >= sizeof(head.type))
		memcpy(&head, p, left & ~(size_t)1);
	if (swap) {
		head.type = __builtin_bswap32(head.type);
		head.misc = __builtin_bswap16(head.misc);
		head.size = __builtin_bswap16(head.size);
	}
	return head;
}

int perf_record_next(struct bytes b, bool swap, uint64_t *off, struct perf_record *r, struct err *e)
{
	uint64_t at = *off, outside = 0;
	size_t left = at < b.n ? (size_t)(b.n - at) : 0;
	struct perf_rec head;

	if (!left)
		return 0;
	head = read_header(b.p + at, left, swap);
	r->off = at;
	r->type = head.type;
	r->misc = head.misc;
	if (head.size < sizeof(struct perf_rec) || head.size > left)
		return err_at(e, EBADMSG, at, "record of type %u has %u bytes, %zu are left",
			      r->type, head.size, left);
	r->body = (struct bytes){ b.p + at + sizeof(head), head.size - sizeof(head) };
	if (r->type == PERF_REC_TRACING_DATA || r->type == PERF_REC_AUXTRACE)
		outside = bytes_outside(r, swap);
	if (outside > left - head.size)
		return err_at(e, EBADMSG, at,
			      "record of type %u announces %llu bytes, %zu are left", r->type,
			      (unsigned long long)outside, left - head.size);
	*off = at + head.size + outside;
	return 1;
}

/* The body of COMPRESSED is all data; that of COMPRESSED2 is padded, and starts with the data's length, a u64. */
struct bytes perf_record_packed(const struct perf_record *r, bool swap)
{
	struct cursor c = cur_from(r->body.p, r->body.n);
	uint64_t n;

	c.swap = swap;
	if (r->type == PERF_REC_COMPRESSED)
		return r->body;
	if (r->type != PERF_REC_COMPRESSED2)
		return (struct bytes){ 0 };
	n = cur_u64(&c);
	return n <= cur_left(&c) ? (struct bytes){ c.pos, (size_t)n } : (struct bytes){ 0 };
}

/* The u64 at offset off of the body; false: beyond its end. */
static inline bool word_at(struct bytes body, const struct perf_head *h, size_t off, uint64_t *v)
{
	if (body.n < sizeof(*v) || off > body.n - sizeof(*v))
		return false;
	memcpy(v, body.p + off, sizeof(*v));
	if (h->swap)
		*v = __builtin_bswap64(*v);
	return true;
}

/* Bytes of the record's own fields, for types whose size the kernel may have set too large; 0: the size is right. */
static size_t own_size(const struct perf_record *r, bool swap)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = swap;
	switch (r->type) {
	case PERF_REC_BPF_EVENT:
		return 16;
	case PERF_REC_KSYMBOL:
		cur_skip(&c, 16);
		cur_str(&c);
		break;
	case PERF_REC_TEXT_POKE:
		cur_skip(&c, 8);
		cur_skip(&c, (size_t)cur_u16(&c) + cur_u16(&c));
		break;
	}
	return ALIGN_UP(cur_off(&c), 8);
}

/* The body up to the end of its trailer, see perf_record_ids(). */
static struct bytes told(const struct perf_record *r, const struct sample_layout *l)
{
	size_t own = own_size(r, l->swap), n = own ? own + sample_trailer_size(l) : r->body.n;

	return (struct bytes){ r->body.p, MIN(n, r->body.n) };
}

int perf_record_ids(const struct perf_record *r, const struct sample_layout *l, struct sample *s, struct err *e)
{
	return sample_decode_trailer(l, told(r, l), s, e);
}

static struct perf_event *by_id(const struct perf_record *r, const struct perf_head *h)
{
	struct perf_event *first = h->events.v;
	bool sample = r->type == PERF_REC_SAMPLE;
	int pos = sample ? h->id_off : h->id_off_end;
	const struct perf_near *near;
	const uint64_t *index;
	struct bytes own;
	uint64_t id;

	if (!sample && !first->layout.id_all)
		return first;
	if (pos < 0)
		return sample ? NULL : first;
	own = sample ? r->body : told(r, &first->layout);
	if (!word_at(own, h, sample ? (size_t)pos : own.n - (size_t)pos, &id))
		return NULL;
	near = &h->near[id % PERF_NEAR];
	if (near->event && near->id == id)
		return &h->events.v[near->event - 1];
	index = map_get(&h->ids, id);
	if (index)
		return &h->events.v[*index];
	return id ? NULL : first;   /* records that perf synthesised have id 0 */
}

struct perf_event *perf_record_event(const struct perf_record *r, const struct perf_head *h)
{
	return h->events.n == 1 ? h->events.v : by_id(r, h);
}

bool perf_record_time(const struct perf_record *r, const struct perf_head *h, const struct perf_event *ev,
		      uint64_t *time)
{
	uint64_t type = ev ? ev->layout.sample_type : 0;
	struct bytes own;
	size_t trailer;

	if (!(type & PERF_SAMPLE_TIME))
		return false;
	if (r->type == PERF_REC_SAMPLE)
		return word_at(r->body, h, 8 * ((size_t)!!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_IP) +
					  !!(type & PERF_SAMPLE_TID)), time);
	trailer = sample_trailer_size(&ev->layout);
	own = told(r, &ev->layout);
	return trailer && trailer <= own.n &&
	       word_at(own, h, own.n - trailer + 8 * (size_t)!!(type & PERF_SAMPLE_TID), time);
}
