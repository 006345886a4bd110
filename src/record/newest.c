/* newest.c - see newest.h. */
#include "record/newest.h"

#include "perf/ring.h"

static int log_ring(struct recording *r, struct rec_ring *own, struct err *e)
{
	struct ring_map *m = &own->map;
	struct ring ring = { m->data, m->size, .head = ring_map_head(m), .tail = m->tail };
	struct perf_record rec;
	int got;

	while ((got = ring_next(&ring, r->bounce, &rec, e)) == 1) {
		struct bytes whole = { rec.body.p - sizeof(struct perf_rec), sizeof(struct perf_rec) + rec.body.n };

		got = recording_note(r, whole, e);
		if (got || sidelog_add(&r->log, whole))
			return got ? got : err_nomem(e);
	}
	if (got)
		return got;
	got = ring.tail != m->tail;
	ring_map_release(m, ring.tail);
	return got;
}

int newest_drain(struct recording *r, struct err *e)
{
	int any = 0;

	for (size_t i = 0; i < r->rings.n; i++) {
		int got = r->rings.v[i].newest_only ? 0 : log_ring(r, &r->rings.v[i], e);

		if (got < 0)
			return got;
		any |= got;
	}
	return sidelog_trim(&r->log) ? err_nomem(e) : any;
}

static void pause_ring(struct recording *r, const struct rec_ring *own, bool is_paused)
{
	r->sys->ioctl(r->sys, r->fds.v[own->owner].fd, PERF_IOC_PAUSE, is_paused);
}

/*
 * Copy the records of a ring in order of time: the newest ones, up to one that is partly overwritten or was written to
 * the file before. Meanwhile the ring is paused and the kernel counts new records as lost: so this only copies.
 */
static struct bytes copy_ring(struct recording *r, struct rec_ring *own)
{
	struct ring_map *m = &own->map;
	uint64_t head, size, at = m->size;
	struct perf_record rec;

	pause_ring(r, own, true);
	head = ring_map_head(m);
	size = MIN(m->tail - head, m->size);

	struct ring ring = { m->data, m->size, .head = head + size, .tail = head };

	while (ring_next(&ring, r->bounce, &rec, NULL) == 1) {
		at -= sizeof(struct perf_rec) + rec.body.n;
		memcpy(r->newest + at, rec.body.p - sizeof(struct perf_rec), sizeof(struct perf_rec) + rec.body.n);
	}
	m->tail = head;
	pause_ring(r, own, false);
	return (struct bytes){ r->newest + at, m->size - at };
}

static int put(struct recording *r, struct sink *s, struct bytes records, struct err *e)
{
	return records.n ? recording_write(r, s, records, e) : 0;
}

/* The log is drained and written last, so that it has all records that the samples need; readers sort by time. */
int newest_write(struct recording *r, struct sink *s, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->rings.n; i++) {
		struct bytes all;

		if (!r->rings.v[i].newest_only)
			continue;
		all = copy_ring(r, &r->rings.v[i]);
		ret = recording_note(r, all, e);
		ret = ret ? ret : put(r, s, all, e);
	}
	ret = ret ? ret : newest_drain(r, e);
	ret = ret < 0 ? ret : put(r, s, (struct bytes){ r->log.bytes.v, r->log.bytes.n }, e);
	return ret ? ret : recording_round(s, e);
}
