/*
 * rechain.c - each sample of a recording with copies of stacks, twice: as a report sees it, and as `record --call-graph
 * dwarf` would have written it. All that they hold must be the same.
 *
 *   rechain FILE     "N samples, N frames"; 1 and the first difference
 */
#include "perf/callgraph.h"
#include "source/session.h"
#include "source/unwound.h"

static struct err e;

static int bad(const char *what, const struct sample *s)
{
	printf("%s: %s at %llu of thread %u\n", what, e.text, s ? (unsigned long long)s->time : 0, s ? s->tid : 0);
	return 1;
}

static bool same_bytes(struct bytes a, struct bytes b)
{
	return a.n == b.n && (!a.n || !memcmp(a.p, b.p, a.n));
}

/* But for the chain, the registers and the stack. */
static bool same_fields(const struct sample *a, const struct sample *b)
{
	return a->id == b->id && a->ip == b->ip && a->time == b->time && a->addr == b->addr && a->pid == b->pid &&
	       a->tid == b->tid && a->cpu == b->cpu && a->period == b->period && a->cpumode == b->cpumode &&
	       a->weight == b->weight && a->data_src == b->data_src && a->phys_addr == b->phys_addr &&
	       same_bytes(a->raw, b->raw) && same_bytes(a->read, b->read) && same_bytes(a->branch, b->branch);
}

static size_t frames(const struct sample_layout *l, const struct sample *s, struct chain_frame f[static STACKS_CHAIN])
{
	memset(f, 0, STACKS_CHAIN * sizeof(*f));
	return sample_frames(l, s, f, STACKS_CHAIN);
}

static bool same_frames(const struct sample_layout *l, const struct sample *a, const struct sample_layout *plain,
			const struct sample *b, uint64_t *count)
{
	static struct chain_frame f[STACKS_CHAIN], g[STACKS_CHAIN];
	size_t n = frames(l, a, f);

	*count += n;
	return frames(plain, b, g) == n && !memcmp(f, g, n * sizeof(*f));
}

static struct sample_layout plain_layout(const struct perf_attr *attr)
{
	struct sample_layout l;
	struct perf_attr a = *attr;

	callgraph_plain(&a);
	sample_layout_init(&l, &a);
	return l;
}

/* The next sample of the other reader, with its bytes. */
static bool next_sample(struct session *s, struct source_rec *rec)
{
	while (session_next_record(s, rec, &e) == SOURCE_RECORD)
		if (rec->perf.type == PERF_REC_SAMPLE && rec->event)
			return true;
	return false;
}

static int compare(struct session *shown, struct session *raw, const struct session_item *item, uint64_t *n_frames)
{
	static uint8_t made[RING_BOUNCE];
	const struct perf_event *ev = shown->head->events.v + session_event_index(shown, item->event);
	struct sample_layout plain = plain_layout(&ev->attr);
	struct perf_record r = { .type = PERF_REC_SAMPLE };
	struct source_rec rec;
	struct sample s;
	uint64_t off = 0;
	int n;

	if (!next_sample(raw, &rec))
		return bad("there is no such sample", &item->sample);
	if (!unwound_is_for(&rec.event->layout))
		return 0;
	n = unwound_sample(&raw->stacks, &rec.event->layout, &rec.perf, 0, made);
	if (n < 0 || perf_record_next((struct bytes){ made, (size_t)n }, false, &off, &r, &e) != 1 ||
	    off != (uint64_t)n || r.misc != rec.perf.misc || sample_decode(&plain, r.body, r.misc, &s, &e))
		return bad("what was made cannot be read", &item->sample);
	if (!same_fields(&item->sample, &s))
		return bad("a field differs", &item->sample);
	return same_frames(&ev->layout, &item->sample, &plain, &s, n_frames) ? 0 : bad("a frame differs", &s);
}

int main(int argc, char **argv)
{
	static struct session shown, raw;
	struct session_want w = { .path = argc == 2 ? argv[1] : "" }, without = { .path = w.path, .no_names = true };
	uint64_t n = 0, n_frames = 0;
	struct session_item item;
	int r = 0;

	if (argc != 2 || session_open(&shown, &sys_live, &w, &e) || session_open(&raw, &sys_live, &without, &e)) {
		fprintf(stderr, "rechain: %s\n", e.text);
		return 2;
	}
	while (!r && session_next(&shown, &item, &e) == 1) {
		if (!item.event)
			continue;
		r = compare(&shown, &raw, &item, &n_frames);
		n++;
	}
	if (!r)
		printf("%llu samples, %llu frames\n", (unsigned long long)n, (unsigned long long)n_frames);
	session_close(&raw);
	session_close(&shown);
	return r;
}
