/* tee.c - make a head for the recording's events, and a source over its rings that writes each sweep to the file. */
#include "record/tee.h"

#include "source/perf_rings.h"
#include "sys/notes.h"

#include <sys/utsname.h>

static int add_event(struct perf_head *h, const struct perf_write_event *from, const struct perf_attr *opened)
{
	struct perf_event *ev = perf_head_add(h, opened);

	if (!ev)
		return -ENOMEM;
	ev->name = ev->label = from->name;
	ev->group_leader = from->group_leader;
	for (size_t i = 0; i < from->n_ids; i++) {
		uint64_t *index = map_add(&h->ids, from->ids[i], NULL);

		if (!index)
			return -ENOMEM;
		*index = h->events.n - 1;
	}
	return 0;
}

static int add_kernel(struct perf_head *h, const struct sys *sys)
{
	struct perf_build_id *b;
	struct build_id id;

	if (!sys_kernel_build_id(sys, &id))
		return 0;
	b = vec_add(&h->build_ids);
	if (!b)
		return -ENOMEM;
	*b = (struct perf_build_id){
		.pid = -1, .cpumode = PERF_MISC_KERNEL, .size = id.size, .name = "[kernel.kallsyms]",
	};
	memcpy(b->id, id.v, MIN(sizeof(b->id), (size_t)id.size));
	return 0;
}

/* The same head as in the file, but with the attrs as opened, which describe the records in the rings. */
static int make_head(struct perf_head *h, const struct recfile *f)
{
	struct utsname u;
	int r = 0;

	perf_head_init(h);
	for (size_t i = 0; i < f->rec->events->v.n && !r; i++)
		r = add_event(h, &f->events[i], &f->rec->attrs[i]);
	if (!r && !f->sys->uname(f->sys, &u)) {
		h->release = arena_dup(&h->arena, u.release, strlen(u.release));
		h->arch = arena_dup(&h->arena, u.machine, strlen(u.machine));
		r = h->release && h->arch ? 0 : -ENOMEM;
	}
	r = r ? r : add_kernel(h, f->sys);
	h->tracing = (struct bytes){ (const uint8_t *)f->blob, f->n_blob };
	/* Our own events always have their ids at a common offset. */
	if (!r)
		perf_head_find_ids(h);
	return r;
}

static int write_sweep(void *arg, struct bytes sweep, struct err *e)
{
	struct recfile *f = arg;

	return recording_put(f->rec, f->sink, sweep, e);
}

static int open_rings(struct source **to, struct recfile *f,
		      int (*tap)(void *arg, struct bytes sweep, struct err *e), struct err *e)
{
	struct recording *rec = f->rec;
	struct perf_rings_want w = { .n_rings = rec->rings.n, .tap = tap, .arg = f };
	struct ring_map **rings = calloc(rec->rings.n + 1, sizeof(*rings));
	int r = make_head(&w.head, f);

	if (r || !rings) {
		perf_head_deinit(&w.head);
		free(rings);
		return err_nomem(e);
	}
	for (size_t i = 0; i < rec->rings.n; i++)
		rings[i] = &rec->rings.v[i].map;
	w.rings = rings;
	r = perf_rings_open(to, &w, e);
	free(rings);
	if (!r)
		f->also = *to;
	return r;
}

int tee_open(struct source **to, struct recfile *f, struct err *e)
{
	return open_rings(to, f, write_sweep, e);
}

int tee_open_through(struct source **to, struct recfile *f, int (*tap)(void *arg, struct bytes sweep, struct err *e),
		     struct err *e)
{
	f->through = true;
	return open_rings(to, f, tap, e);
}
