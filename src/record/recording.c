/* recording.c - open the events, map the rings, drain them. */
#include "record/recording.h"

#include "perf/callgraph.h"
#include "perf/file.h"
#include "perf/ring.h"
#include "perf/side.h"
#include "record/aux.h"

#include <poll.h>
#include <time.h>

enum { RING_DEFAULT_BYTES = 512 * 1024, RING_LEAST_BYTES = 16 * 1024 };

/* Bytes of a ring, and about of all rings, with copies of stacks: samples pile up while unwinding rules are read. */
enum { RING_COPIES_BYTES = 2 << 20, RINGS_COPIES_BYTES = 64 << 20 };

static bool event_on_cpu(const struct event *ev, int cpu)
{
	return !ev->pmu || !ev->pmu->has_cpus || cpus_has(&ev->pmu->cpus, (unsigned)cpu);
}

static const struct rec_fd *find_fd(const struct recording *r, uint32_t event, int cpu, int tid)
{
	for (size_t i = r->fds.n; i-- > 0; ) {
		const struct rec_fd *f = &r->fds.v[i];

		if (f->event == event && f->cpu == cpu && f->tid == tid)
			return f;
	}
	return NULL;
}

static int set_filter(const struct recording *r, const struct event *ev, int fd, struct err *e)
{
	int ret = ev->filter ? r->sys->ioctl(r->sys, fd, PERF_IOC_SET_FILTER, (uintptr_t)ev->filter) : 0;

	return ret < 0 ? opener_no_filter(ev, -ret, e) : 0;
}

/* :P - the highest precise_ip that the PMU has: try 3 (no skid) down to 0. */
static int open_precise(struct recording *r, const struct event *ev, struct perf_attr *a, const struct opener_want *ow)
{
	int fd = -EOPNOTSUPP;

	if (!(ev->set & EVENT_PRECISE_MAX))
		return opener_open(&r->opener, a, ow);
	for (uint64_t precise = 4; precise-- > 0 && (fd == -EOPNOTSUPP || fd == -EINVAL); ) {
		a->flags = (a->flags & ~PERF_ATTR_PRECISE_MASK) | precise << PERF_ATTR_PRECISE_SHIFT;
		fd = opener_open(&r->opener, a, ow);
	}
	return fd;
}

static const char *group_name(const struct target *t, int fd)
{
	for (size_t i = 0; i < t->cgroups.n; i++)
		if (t->cgroups.v[i].fd == fd)
			return t->cgroups.v[i].name;
	return "";
}

/* --overwrite: all rings but the tracker's are overwritable. SWITCH records go with the samples, not the tracker. */
static void choose_newest(struct perf_attr *a, const struct recording_want *w, uint32_t i)
{
	if ((int)i == w->tracker)
		a->flags &= ~PERF_ATTR_CONTEXT_SWITCH;
	else
		a->flags |= PERF_ATTR_WRITE_BACKWARD | (i ? 0 : w->sampling.track & PERF_ATTR_CONTEXT_SWITCH);
}

/* Open one event for one task on one CPU. 0 also when there is nothing to open there (the task has ended). */
static int open_one(struct recording *r, const struct recording_want *w, uint32_t i, int cpu, int tid, unsigned flags,
		    struct err *e)
{
	struct event *ev = &r->events->v.v[i];
	const struct rec_fd *leader = ev->leader != (int)i ? find_fd(r, (uint32_t)ev->leader, cpu, tid) : NULL;
	struct opener_want ow = {
		.pid = tid, .cpu = cpu, .group = leader ? leader->fd : -1, .flags = flags,
		.may_drop_kernel = !(ev->set & EVENT_SET_USER_KERNEL),
	};
	struct perf_attr a;

	/* If the leader does not count on this CPU, the member is opened alone. */
	sampling_attr(&a, ev, &w->sampling,
		      ((int)i == w->tracker ? SAMPLING_TRACKER : 0) | (leader ? SAMPLING_FOLLOWER : 0));
	if (w->newest_only)
		choose_newest(&a, w, i);

	int fd = open_precise(r, ev, &a, &ow);

	if (fd == -ESRCH && tid > 0 && tid != w->child)
		return 0;
	if (fd == -ENOENT && flags & PERF_FLAG_PID_CGROUP)
		return target_no_cgroup(ev->name, group_name(w->target, tid), e);
	if (fd < 0) {
		/* Explain the attr that was tried, with the command's options. */
		struct event tried = *ev;

		tried.attr = a;
		return opener_explain(&r->opener, &tried, -fd, &ow, e);
	}

	struct rec_fd *f = vec_add(&r->fds);

	if (!f) {
		r->sys->close(r->sys, fd);
		return err_nomem(e);
	}
	*f = (struct rec_fd){ .fd = fd, .cpu = cpu, .tid = tid, .event = i };
	r->attrs[i] = a;
	if (r->sys->ioctl(r->sys, fd, PERF_IOC_ID, (uintptr_t)&f->id) < 0)
		f->id = 0;
	return set_filter(r, ev, fd, e);
}

static int open_event(struct recording *r, const struct recording_want *w, uint32_t i, struct err *e)
{
	const struct target *t = w->target;
	const struct event *ev = &r->events->v.v[i];
	/* A task's names and maps may be older than its move to the cgroup or CPU: so track all CPUs and tasks. */
	bool tracks = (int)i == w->tracker && r->events->v.n > 1, by_cgroup = t->cgroups.n && (int)i != w->tracker;
	/* Off-CPU: a task may be switched out on one CPU and in on another. */
	bool everywhere = tracks || (callgraph_can() && ev->set & EVENT_OFF_CPU);
	const struct cpus *cpus = everywhere && t->kind == TARGET_CPUS ? &t->online : &t->cpus;
	size_t n_tasks = t->kind == TARGET_TASKS ? t->tids.n : by_cgroup ? t->cgroups.n : 1;
	size_t before = r->fds.n;

	for (int cpu = cpus_next(cpus, 0); cpu >= 0; cpu = cpus_next(cpus, (unsigned)cpu + 1)) {
		for (size_t k = 0; k < n_tasks && event_on_cpu(ev, cpu); k++) {
			int tid = -1, ret;
			unsigned flags = 0;

			if (t->kind == TARGET_TASKS) {
				tid = t->tids.v[k];
			} else if (t->kind == TARGET_COMMAND) {
				tid = w->child;
			} else if (by_cgroup) {
				tid = t->cgroups.v[k].fd;
				flags = PERF_FLAG_PID_CGROUP;
			}
			ret = open_one(r, w, i, cpu, tid, flags, e);
			if (ret)
				return ret;
		}
	}
	if (r->fds.n > before)
		return 0;
	return t->kind == TARGET_TASKS ? err_set(e, ESRCH, "the tasks to watch have all ended")
				       : err_set(e, ENODEV, "%s counts on none of the chosen CPUs", ev->name);
}

static int map_ring(struct recording *r, struct rec_ring *ring, int fd, struct err *e)
{
	size_t kib = r->ring_pages * (size_t)r->sys->page_size(r->sys) / 1024;
	int ret = ring_map_init(&ring->map, r->sys, fd, r->ring_pages, ring->newest_only);

	if (ret >= 0)
		return 0;
	err_set(e, -ret, "cannot map a ring of %zu KiB for CPU %d: %s", kib, ring->cpu, err_name(-ret));
	if (ret == -EPERM)
		return err_hint(e, "all rings of a user together have a limit: ask for less with -m 64K, raise "
				   "/proc/sys/kernel/perf_event_mlock_kb, or run as root");
	if (ret == -ENOMEM)
		return err_hint(e, "there is one for each CPU: ask for less with -m");
	return ret;
}

static int ring_for(struct recording *r, uint32_t fd_index, struct err *e)
{
	struct rec_fd *f = &r->fds.v[fd_index];
	bool newest_only = r->attrs[f->event].flags & PERF_ATTR_WRITE_BACKWARD;

	for (uint32_t i = 0; i < r->rings.n; i++) {
		if (r->rings.v[i].cpu != f->cpu || r->rings.v[i].newest_only != newest_only)
			continue;
		f->ring = i;

		int ret =
			r->sys->ioctl(r->sys, f->fd, PERF_IOC_SET_OUTPUT, (uintptr_t)r->fds.v[r->rings.v[i].owner].fd);

		return ret < 0 ? err_set(e, -ret, "cannot share the ring of CPU %d: %s", f->cpu, err_name(-ret)) : 0;
	}

	struct rec_ring *ring = vec_add(&r->rings);

	if (!ring)
		return err_nomem(e);
	ring->cpu = f->cpu;
	ring->newest_only = newest_only;
	ring->owner = fd_index;
	f->ring = (uint32_t)r->rings.n - 1;
	return map_ring(r, ring, f->fd, e);
}

static void unmap_rings(struct recording *r)
{
	if (aux_can()) {
		aux_close(r->aux, r->sys);
		r->aux = NULL;
	}
	for (size_t i = 0; i < r->rings.n; i++)
		ring_map_deinit(&r->rings.v[i].map, r->sys);
	r->rings.n = 0;
}

/* An AUX area belongs to the event that its ring was mapped for, so traced events are mapped first. */
static int map_all(struct recording *r, struct err *e)
{
	enum { TRACED, OTHERS };
	int ret = 0;

	for (unsigned pass = aux_can() ? TRACED : OTHERS; pass <= OTHERS; pass++)
		for (uint32_t i = 0; !ret && i < r->fds.n; i++)
			if (!aux_can() || aux_is_traced(&r->events->v.v[r->fds.v[i].event]) == (pass == TRACED))
				ret = ring_for(r, i, e);
	return ret;
}

static int open_areas(struct recording *r, const struct recording_want *w, struct err *e)
{
	for (uint32_t i = 0; aux_can() && i < r->events->v.n; i++)
		if (aux_is_traced(&r->events->v.v[i]))
			return aux_open(r, i, w, e);
	return 0;
}

static bool copies_stacks(const struct recording *r)
{
	for (size_t i = 0; callgraph_can() && i < r->events->v.n; i++)
		if (r->attrs[i].sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return false;
}

/* Do samples have stacks or LR that are converted to call chains before they are written? */
static bool has_more_to_chain(const struct recording *r)
{
	for (size_t i = 0; callgraph_can() && i < r->events->v.n; i++)
		if (callgraph_is_lr(&r->attrs[i], UINT64_MAX))
			return true;
	return copies_stacks(r);
}

static uint64_t usual_bytes(const struct recording *r, const struct recording_want *w)
{
	uint64_t fair;

	if (!copies_stacks(r))
		return RING_DEFAULT_BYTES;
	fair = RINGS_COPIES_BYTES / MAX(cpus_count(&w->target->cpus), 1u);
	return MAX(MIN(fair, RING_COPIES_BYTES), RING_DEFAULT_BYTES);
}

/* Overwritable rings are always full: do not poll them. */
static void set_polls(struct recording *r)
{
	for (size_t i = 0; i < r->rings.n; i++)
		r->polls[i + 1] = (struct pollfd){
			.fd = r->fds.v[r->rings.v[i].owner].fd, .events = r->rings.v[i].newest_only ? 0 : POLLIN };
	r->polls[r->rings.n + 1].fd = -1;
}

/* Map all rings. Without an explicit size they are made smaller, all alike, until the mlock limit allows them. */
static int map_rings(struct recording *r, const struct recording_want *w, struct err *e)
{
	size_t page = (size_t)r->sys->page_size(r->sys);
	uint64_t bytes = w->ring_bytes ? w->ring_bytes : usual_bytes(r, w);
	int ret;

	for (r->ring_pages = 1; r->ring_pages * page < bytes; )
		r->ring_pages *= 2;
	while ((ret = map_all(r, e)) == -EPERM && !w->ring_bytes && r->ring_pages / 2 * page >= RING_LEAST_BYTES) {
		unmap_rings(r);
		r->ring_pages /= 2;
		r->pages_reduced = true;
	}
	if (ret)
		return ret;
	r->polls = calloc(r->rings.n + 2 + w->more_polls, sizeof(*r->polls));
	if (w->newest_only)
		r->newest = malloc(r->ring_pages * page);
	if (!r->polls || (w->newest_only && !r->newest))
		return err_nomem(e);
	set_polls(r);
	return 0;
}

int recording_open(struct recording *r, const struct sys *sys, struct event_list *events,
		   const struct recording_want *w, struct err *e)
{
	int ret = 0;

	*r = (struct recording){ .sys = sys, .events = events, .dsos.since = sys->now(sys, CLOCK_REALTIME) };
	r->attrs = calloc(events->v.n, sizeof(*r->attrs));
	r->bounce = malloc(RING_BOUNCE);
	if (w->pack)
		r->packer = packer_new();
	if (!r->attrs || !r->bounce || (w->pack && !r->packer)) {
		recording_close(r);
		return err_nomem(e);
	}
	opener_init(&r->opener, sys);
	for (uint32_t i = 0; !ret && i < events->v.n; i++)
		ret = open_event(r, w, i, e);
	r->unwinds = w->unwind && has_more_to_chain(r);
	if (!ret)
		ret = map_rings(r, w, e);
	ret = ret ? ret : open_areas(r, w, e);
	if (ret)
		recording_close(r);
	return ret;
}

int recording_drop(struct recording *r, const bool *drop, struct err *e)
{
	size_t n = 0;
	int ret;

	/* A mapped ring keeps its event alive, so unmap first. */
	unmap_rings(r);
	for (size_t i = 0; i < r->fds.n; i++) {
		if (drop[r->fds.v[i].event])
			r->sys->close(r->sys, r->fds.v[i].fd);
		else
			r->fds.v[n++] = r->fds.v[i];
	}
	r->fds.n = n;
	ret = map_all(r, e);
	if (!ret)
		set_polls(r);
	return ret;
}

void recording_close(struct recording *r)
{
	unmap_rings(r);
	for (size_t i = 0; i < r->fds.n; i++)
		r->sys->close(r->sys, r->fds.v[i].fd);
	opener_deinit(&r->opener);
	vec_free(&r->rings);
	vec_free(&r->fds);
	dsos_deinit(&r->dsos);
	packer_free(r->packer);
	r->packer = NULL;
	free(r->polls);
	free(r->attrs);
	free(r->bounce);
	free(r->newest);
	sidelog_deinit(&r->log);
	r->bounce = r->newest = NULL;
	r->polls = NULL;
	r->attrs = NULL;
}

/* The last event first: of a pair of events it is the end, and no start must be recorded without its end. */
void recording_enable(struct recording *r, enum recording_which which, int tracker)
{
	for (size_t i = r->fds.n; i--;) {
		bool is_tracker = (int)r->fds.v[i].event == tracker;

		if (which == RECORDING_ALL || is_tracker == (which == RECORDING_TRACKER))
			r->sys->ioctl(r->sys, r->fds.v[i].fd, PERF_IOC_ENABLE, 0);
	}
	if (aux_can() && r->aux && which != RECORDING_TRACKER)
		r->aux->stopped = false;
}

/* Do not restart the events of AUX areas any more. */
static void stop_areas(struct recording *r)
{
	if (aux_can() && r->aux)
		r->aux->stopped = true;
}

void recording_disable(struct recording *r)
{
	stop_areas(r);
	for (size_t i = 0; i < r->fds.n; i++)
		r->sys->ioctl(r->sys, r->fds.v[i].fd, PERF_IOC_DISABLE, 0);
}

void recording_suspend(struct recording *r, int tracker)
{
	stop_areas(r);
	for (size_t i = 0; i < r->fds.n; i++)
		if ((int)r->fds.v[i].event != tracker)
			r->sys->ioctl(r->sys, r->fds.v[i].fd, PERF_IOC_DISABLE, 0);
}

static void note_side(struct recording *r, const struct side *d)
{
	const struct side_map *map = &d->map;

	switch (d->type) {
	case PERF_REC_LOST:
	case PERF_REC_LOST_SAMPLES:
		r->stats.lost += d->lost;
		break;
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		if (!map->data && map->name[0] == '/' && map->name[1] != '/')
			dsos_add(&r->dsos, sv_from(map->name), (int)d->pid, map->ino);
		break;
	case PERF_REC_THROTTLE:
		r->stats.throttled++;
		break;
	}
}

static void count_record(struct recording *r, const struct perf_record *rec)
{
	struct recording_stats *st = &r->stats;
	struct cursor c = cur_from(rec->body.p, rec->body.n);
	struct side d;
	uint64_t t;

	st->records++;
	if (rec->type != PERF_REC_SAMPLE) {
		if (aux_can() && r->aux && rec->type == PERF_REC_AUX)
			aux_note(r->aux, rec);
		if (side_decode(rec, false, &d) >= 0)
			note_side(r, &d);
		return;
	}
	cur_skip(&c, SAMPLING_TIME_OFFSET - sizeof(struct perf_rec));
	t = cur_u64(&c);
	st->samples++;
	if (t < st->first_time || !st->first_time)
		st->first_time = t;
	if (t > st->last_time)
		st->last_time = t;
}

/* Count records for the status line and the footer, and check that the bytes are records. */
static int count_records(struct recording *r, struct ring ring)
{
	struct perf_record rec;
	int got;

	while ((got = ring_next(&ring, r->bounce, &rec, NULL)) == 1)
		count_record(r, &rec);
	return got;
}

static int write_records(struct recording *r, struct sink *s, const struct bytes *piece, size_t n, struct err *e)
{
	int ret = r->packer ? packer_write(r->packer, s, piece, n, e) : sink_write(s, piece, n, e);

	if (ret)
		return ret;
	for (size_t i = 0; i < n; i++)
		r->stats.bytes += piece[i].n;
	sink_mark(s);
	return 0;
}

static int drain_ring(struct recording *r, struct rec_ring *own, struct sink *s, struct err *e)
{
	struct ring_map *m = &own->map;
	struct ring ring = { m->data, m->size, .head = ring_map_head(m), .tail = m->tail };
	struct bytes piece[2];
	int n = ring_spans(&ring, piece, NULL), ret;

	if (!n)
		return 0;
	if (n < 0 || count_records(r, ring))
		return err_set(e, EBADMSG, "the ring of CPU %d holds no valid records between %llu and %llu", own->cpu,
			       (unsigned long long)ring.tail, (unsigned long long)ring.head);
	ret = write_records(r, s, piece, (size_t)n, e);
	if (ret)
		return ret;
	ring_map_release(m, ring.head);
	return 1;
}

int recording_round(struct sink *s, struct err *e)
{
	static const struct perf_rec round = { .type = PERF_REC_FINISHED_ROUND, .size = sizeof(round) };
	struct bytes piece = { (const uint8_t *)&round, sizeof(round) };
	int ret = sink_write(s, &piece, 1, e);

	if (!ret)
		sink_mark(s);
	return ret;
}

int recording_drain(struct recording *r, struct sink *s, struct err *e)
{
	int any = 0;

	for (size_t i = 0; i < r->rings.n; i++) {
		int ret = drain_ring(r, &r->rings.v[i], s, e);

		if (ret < 0)
			return ret;
		any |= ret;
	}
	if (any) {
		int ret = recording_round(s, e);

		if (ret)
			return ret;
	}
	return any;
}

int recording_note(struct recording *r, struct bytes sweep, struct err *e)
{
	struct perf_record rec;
	uint64_t off = 0;
	int ret;

	while ((ret = perf_record_next(sweep, false, &off, &rec, e)) == 1)
		count_record(r, &rec);
	return ret;
}

int recording_write(struct recording *r, struct sink *s, struct bytes records, struct err *e)
{
	return write_records(r, s, &records, 1, e);
}

int recording_put(struct recording *r, struct sink *s, struct bytes sweep, struct err *e)
{
	int ret = recording_note(r, sweep, e);

	ret = ret ? ret : recording_write(r, s, sweep, e);
	return ret ? ret : recording_round(s, e);
}

/* The polled descriptor's task has ended: poll another one that writes to the same ring. */
static void replace_owner(struct recording *r, uint32_t ring)
{
	r->fds.v[r->rings.v[ring].owner].gone = true;
	for (uint32_t i = 0; i < r->fds.n; i++) {
		struct rec_fd *f = &r->fds.v[i];

		if (f->ring == ring && !f->gone) {
			r->rings.v[ring].owner = i;
			r->polls[ring + 1].fd = f->fd;
			return;
		}
	}
	r->rings.v[ring].gone = true;
	r->polls[ring + 1].fd = -1;
}

bool recording_lives(struct recording *r)
{
	bool alive = false;

	for (uint32_t i = 0; i < r->rings.n; i++) {
		const struct pollfd *p = &r->polls[i + 1];

		if (p->fd >= 0 && p->revents & (POLLHUP | POLLERR))
			replace_owner(r, i);
		alive |= !r->rings.v[i].gone;
	}
	return alive;
}

/* Read value, time enabled, time running, id, lost, as far as read_format has them. Their number; 0: group or error. */
static size_t read_values(const struct recording *r, const struct rec_fd *f, uint64_t v[static 5])
{
	uint64_t format = r->attrs[f->event].read_format;
	size_t n = 1 + (size_t)__builtin_popcountll(format);

	if (format & PERF_FORMAT_GROUP || n > 5)
		return 0;
	return r->sys->read(r->sys, f->fd, v, n * sizeof(v[0])) == (ssize_t)(n * sizeof(v[0])) ? n : 0;
}

uint64_t recording_count(const struct recording *r, const struct rec_fd *f)
{
	uint64_t v[5];

	return read_values(r, f, v) ? v[0] : 0;
}

uint64_t recording_lost(const struct recording *r, const struct rec_fd *f)
{
	uint64_t v[5];
	size_t n = r->attrs[f->event].read_format & PERF_FORMAT_LOST ? read_values(r, f, v) : 0;

	return n ? v[n - 1] : 0;
}
