/*
 * write.c - the file's and the pipe's header. Records are in write_record.c. Layouts: file.c,
 * file_pipe.c.
 */
#include "perf/write.h"

#include "perf/write_parts.h"

static const uint8_t sizes[] = {
	PERF_ATTR_VER0, PERF_ATTR_VER1, PERF_ATTR_VER2, PERF_ATTR_VER3, PERF_ATTR_VER4,
	PERF_ATTR_VER5, PERF_ATTR_VER6, PERF_ATTR_VER7, PERF_ATTR_VER8,
};

void write_u16(struct out *o, uint16_t v)
{
	out_bytes(o, &v, sizeof(v));
}

void write_u32(struct out *o, uint32_t v)
{
	out_bytes(o, &v, sizeof(v));
}

void write_u64(struct out *o, uint64_t v)
{
	out_bytes(o, &v, sizeof(v));
}

void write_rec(struct out *o, uint32_t type, uint16_t misc, size_t size)
{
	assert(size <= UINT16_MAX);
	write_u32(o, type);
	write_u16(o, misc);
	write_u16(o, (uint16_t)size);
}

static size_t used_bytes(const struct perf_attr *a)
{
	const uint8_t *p = (const uint8_t *)a;
	size_t n = sizeof(*a);

	while (n && !p[n - 1])
		n--;
	return n;
}

uint32_t perf_write_attr_size(const struct perf_write_event *ev, size_t n)
{
	size_t used = 0, i = 0;

	for (size_t k = 0; k < n; k++)
		used = MAX(used, used_bytes(&ev[k].attr));
	while (sizes[i] < used)
		i++;
	return sizes[i];
}

void perf_write_raw_attr(struct out *o, const struct perf_attr *attr, uint32_t size)
{
	struct perf_attr a = *attr;

	a.size = size;
	out_bytes(o, &a, size);
}

/* File offsets of the parts, which follow the header: ids of all events, attributes, records. */
struct places {
	uint32_t attr_size;
	uint64_t ids, attrs, attrs_size, data;
};

static struct places places_of(const struct perf_write_event *ev, size_t n)
{
	struct places p = { .attr_size = perf_write_attr_size(ev, n), .ids = PERF_WRITE_HEAD };
	uint64_t n_ids = 0;

	for (size_t i = 0; i < n; i++)
		n_ids += ev[i].n_ids;
	p.attrs = p.ids + n_ids * sizeof(uint64_t);
	p.attrs_size = n * (p.attr_size + 2 * sizeof(uint64_t));
	p.data = p.attrs + p.attrs_size;
	return p;
}

uint64_t perf_write_data_off(const struct perf_write_event *ev, size_t n)
{
	return places_of(ev, n).data;
}

void perf_write_head(uint8_t head[PERF_WRITE_HEAD], const struct perf_write_event *ev, size_t n,
		     const struct perf_write_end *end)
{
	struct places p = places_of(ev, n);
	const uint64_t words[] = {
		WRITE_MAGIC, PERF_WRITE_HEAD, p.attr_size + 2 * sizeof(uint64_t),
		p.attrs, p.attrs_size, p.data, end->data_size, 0, 0,
		end->features[0], end->features[1], end->features[2], end->features[3],
	};

	static_assert(sizeof(words) == PERF_WRITE_HEAD, "file header");
	memcpy(head, words, sizeof(words));
}

void perf_write_header(struct out *o, const struct perf_write_event *ev, size_t n)
{
	struct places p = places_of(ev, n);
	uint8_t head[PERF_WRITE_HEAD];
	uint64_t ids = p.ids;

	perf_write_head(head, ev, n, &(struct perf_write_end){ 0 });
	out_bytes(o, head, sizeof(head));
	for (size_t i = 0; i < n; i++)
		out_bytes(o, ev[i].ids, ev[i].n_ids * sizeof(uint64_t));
	for (size_t i = 0; i < n; i++) {
		perf_write_raw_attr(o, &ev[i].attr, p.attr_size);
		write_u64(o, ids);
		write_u64(o, ev[i].n_ids * sizeof(uint64_t));
		ids += ev[i].n_ids * sizeof(uint64_t);
	}
}

void perf_write_pipe(struct out *o)
{
	write_u64(o, WRITE_MAGIC);
	write_u64(o, 2 * sizeof(uint64_t));
}

/* Ids that do not fit into one record are left out: it holds about 8,000, one for each CPU. */
void perf_write_attr(struct out *o, const struct perf_write_event *ev)
{
	size_t size = sizeof(ev->attr), n = MIN(ev->n_ids, (WRITE_MAX - size) / sizeof(uint64_t));

	write_rec(o, PERF_REC_HEADER_ATTR, 0, sizeof(struct perf_rec) + size + n * sizeof(uint64_t));
	perf_write_raw_attr(o, &ev->attr, (uint32_t)size);
	out_bytes(o, ev->ids, n * sizeof(uint64_t));
}

void perf_write_tracing(struct out *o, struct bytes blob)
{
	size_t padded = ALIGN_UP(blob.n, (size_t)8);

	write_rec(o, PERF_REC_TRACING_DATA, 0, sizeof(struct perf_rec) + 2 * sizeof(uint32_t));
	write_u32(o, (uint32_t)padded);
	write_u32(o, 0);
	out_bytes(o, blob.p, blob.n);
	out_fill(o, '\0', padded - blob.n);
}

void write_update(struct out *o, enum perf_update what, uint64_t id, size_t payload)
{
	write_rec(o, PERF_REC_EVENT_UPDATE, 0,
		  sizeof(struct perf_rec) + 2 * sizeof(uint64_t) + payload);
	write_u64(o, what);
	write_u64(o, id);
}

void perf_write_update_text(struct out *o, enum perf_update what, uint64_t id, const char *text)
{
	write_update(o, what, id, write_text_size(text));
	write_text(o, text);
}

void perf_write_string(struct out *o, const char *s)
{
	enum { PAD = 64 };
	size_t n = strlen(s), padded = ALIGN_UP(n + 1, (size_t)PAD);

	write_u32(o, (uint32_t)padded);
	out_bytes(o, s, n);
	out_fill(o, '\0', padded - n);
}
