/* recorder.c - starts and ends the rings' processes, and their files. */
#include "tracing/transport/recorder.h"

#include "sys/worker.h"
#include "tracing/transport/pump.h"

#include <sys/mman.h>

void recorder_init(struct recorder *r, const struct recorder_want *w)
{
	*r = (struct recorder){ .want = w, .stop = { -1, -1 } };
}

static void end_pipe(struct recorder *r, int end)
{
	if (r->stop[end] >= 0)
		r->want->sys->close(r->want->sys, r->stop[end]);
	r->stop[end] = -1;
}

void recorder_keep(struct recorder *r)
{
	for (size_t i = 0; i < r->rings.n; i++)
		ringfile_keep(&r->rings.v[i].file);
}

void recorder_deinit(struct recorder *r)
{
	end_pipe(r, 0);
	end_pipe(r, 1);
	for (size_t i = 0; i < r->rings.n; i++) {
		struct recorder_ring *ring = &r->rings.v[i];

		if (ring->pid > 0) {
			worker_kill(ring->pid);
			worker_wait(ring->pid);
		}
		ringfile_drop(&ring->file, r->want->sys);
	}
	if (r->states)
		r->want->sys->munmap(r->want->sys, r->states, r->states_bytes);
	vec_free(&r->rings);
}

int recorder_add(struct recorder *r, const struct tfs *t, uint32_t buffer, struct err *e)
{
	struct tpage_layout layout;
	struct cpus cpus;
	int ret = rings_layout(t, &layout, e);

	if (!ret)
		ret = rings_cpus(t, &cpus, e);
	if (ret)
		return ret;
	for (int cpu = cpus_next(&cpus, 0); cpu >= 0; cpu = cpus_next(&cpus, (unsigned)cpu + 1)) {
		struct recorder_ring *ring = vec_add(&r->rings);

		if (!ring)
			return err_nomem(e);
		*ring = (struct recorder_ring){
			.tfs = t, .subbuf = rings_subbuf(&layout),
			.file = { .buffer = buffer, .cpu = (uint32_t)cpu, .fd = -1 },
		};
	}
	return 0;
}

static int start_one(struct recorder *r, struct recorder_ring *ring, struct err *e)
{
	const struct sys *s = r->want->sys;
	struct pump p = {
		.sys = s, .want = r->want, .state = ring->state, .subbuf = ring->subbuf, .to = ring->file.fd,
		.from = rings_open(ring->tfs, ring->file.cpu, r->want->from, e), .stop = { r->stop[0], r->stop[1] },
	};

	if (p.from < 0)
		return p.from;
	ring->pid = worker_start(WORKER_DIES_WITH_US, pump_run, &p, e);
	s->close(s, p.from);
	return ring->pid < 0 ? ring->pid : 0;
}

/* Close our copy: the peer must see EOF when the ring's process ends, not when we do. */
int recorder_connect(struct recorder *r, size_t i, int fd, struct err *e)
{
	struct recorder_ring *ring = &r->rings.v[i];
	int ret;

	ring->file.fd = fd;
	ret = start_one(r, ring, e);
	ringfile_drop(&ring->file, r->want->sys);
	return ret;
}

/* The first buffer becomes the main one of the recording, even if it is an instance. */
static int start_to_file(struct recorder *r, struct recorder_ring *ring, struct err *e)
{
	const char *name = ring->file.buffer ? ring->tfs->name : "";
	int ret = ringfile_make(&ring->file, r->want->sys, r->want->path, name, e);

	return ret ? ret : start_one(r, ring, e);
}

int recorder_start(struct recorder *r, const int *fds, struct err *e)
{
	const struct sys *s = r->want->sys;
	void *shared = NULL;
	int ret;

	s->raise_fd_limit(s);
	r->states_bytes = r->rings.n * sizeof(*r->states);
	ret = s->mmap(s, &shared, r->states_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ret)
		return err_set(e, -ret, "cannot map memory: %s", err_name(-ret));
	r->states = shared;
	ret = worker_pipe(r->stop, 0, e);
	for (size_t i = 0; !ret && i < r->rings.n; i++)
		r->rings.v[i].state = &r->states[i];
	for (size_t i = 0; !ret && i < r->rings.n; i++)
		if (!fds)
			ret = start_to_file(r, &r->rings.v[i], e);
		else if (fds[i] >= 0)
			ret = recorder_connect(r, i, fds[i], e);
	return ret;
}

static int ring_error(const struct recorder_ring *ring, int code, struct err *e)
{
	err_set(e, code, "CPU %u: %s after %llu bytes", ring->file.cpu, err_name(code),
		(unsigned long long)ring->state->size);
	if (code == ENOSPC || code == EDQUOT)
		err_hint(e, "the disk is full: what was recorded until then is kept");
	return -code;
}

int recorder_failed(const struct recorder *r, struct err *e)
{
	for (size_t i = 0; i < r->rings.n; i++) {
		int code = __atomic_load_n(&r->rings.v[i].state->error, __ATOMIC_RELAXED);

		if (code)
			return ring_error(&r->rings.v[i], code, e);
	}
	return 0;
}

int recorder_finish(struct recorder *r, struct err *e)
{
	int ret = 0;

	end_pipe(r, 1);
	for (size_t i = 0; i < r->rings.n; i++) {
		struct recorder_ring *ring = &r->rings.v[i];
		int status = ring->pid ? worker_wait(ring->pid) : 0;

		ring->pid = 0;
		if (status > 128 && !ret)
			ret = err_set(e, EINTR, "the reader of CPU %u was killed by signal %d", ring->file.cpu,
				      status - 128);
		/* The process may have been killed in the middle of a page. */
		ring->file.size = ring->state->size / ring->subbuf * ring->subbuf;
		ring->file.start = MIN(ring->state->start, ring->file.size);
		rings_stats(ring->tfs, ring->file.cpu, &ring->stats);
	}
	return ret ? ret : recorder_failed(r, e);
}
