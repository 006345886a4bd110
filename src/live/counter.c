/* counter.c - open, group, enable and read counters. */
#include "live/counter_parts.h"

#include <time.h>

enum { GROUP_MAX = 256 };

/* errno values that mean that the machine cannot count the event, not that the caller did something wrong. */
static bool is_unsupported(int code)
{
	return code == ENOENT || code == EINVAL || code == EOPNOTSUPP || code == ENOSYS || code == ENODEV ||
		code == ENXIO ||
	       code == E2BIG;
}

static int add_counter(struct counters *c, const struct event *ev, const struct target_cgroup *g,
		       size_t first_of_cgroup)
{
	struct counter *k = vec_add(&c->list);

	if (!k)
		return -ENOMEM;
	*k = (struct counter){
		.ev = ev,
		.cgroup = g ? g->name : NULL,
		.cgroup_fd = g ? g->fd : -1,
		.attr = ev->attr,
		.leader = (unsigned)(first_of_cgroup + (size_t)ev->leader),
		.first = c->slots.n,
	};
	return 0;
}

static int add_slot(struct counters *c, int cpu, int tid, size_t place)
{
	struct counter_slot *s = vec_add(&c->slots);

	if (!s)
		return -ENOMEM;
	*s = (struct counter_slot){ .fd = -1, .cpu = cpu, .tid = tid, .place = (unsigned)place };
	c->list.v[c->list.n - 1].n++;
	return 0;
}

/*
 * Where an event of this PMU is opened: a core PMU only on its own cores, an uncore one on the CPU that the kernel
 * names for it.
 */
static bool wanted_on(const struct event *ev, const struct target *t, unsigned cpu)
{
	return cpus_has(&t->cpus, cpu) && (!ev->pmu || !ev->pmu->has_cpus || cpus_has(&ev->pmu->cpus, cpu));
}

static int add_cpu_slots(struct counters *c, const struct event *ev, const struct target *t)
{
	size_t before = c->slots.n;
	int r = 0;

	for (int cpu = cpus_next(&t->cpus, 0); !r && cpu >= 0; cpu = cpus_next(&t->cpus, (unsigned)cpu + 1))
		if (wanted_on(ev, t, (unsigned)cpu))
			r = add_slot(c, cpu, -1, 0);
	/* An uncore PMU counts the same whichever CPU reads it, so -C with other CPUs does not leave it out. */
	if (!r && c->slots.n == before && ev->pmu && ev->pmu->kind == PMU_UNCORE && cpus_count(&ev->pmu->cpus))
		for (int cpu = cpus_next(&ev->pmu->cpus, 0); !r && cpu >= 0; cpu = cpus_next(&ev->pmu->cpus,
											     (unsigned)cpu + 1))
			r = add_slot(c, cpu, -1, 0);
	return r;
}

static int add_slots(struct counters *c, const struct event *ev, const struct counters_want *w)
{
	const struct target *t = w->target;
	int r = 0;

	if (ev->tool)
		return add_slot(c, t->kind == TARGET_CPUS ? cpus_next(&t->cpus, 0) : -1, -1, 0);
	if (t->kind == TARGET_CPUS)
		return add_cpu_slots(c, ev, t);
	if (t->kind == TARGET_COMMAND)
		return add_slot(c, -1, w->tid, 0);
	for (size_t i = 0; !r && i < t->tids.n; i++)
		r = add_slot(c, -1, t->tids.v[i], i);
	return r;
}

static int lay_out(struct counters *c, const struct counters_want *w)
{
	const struct target *t = w->target;
	size_t n_cgroups = t->cgroups.n ? t->cgroups.n : 1;
	int r = 0;

	for (size_t g = 0; g < n_cgroups; g++) {
		size_t first = c->list.n;

		for (size_t i = 0; !r && i < w->events->v.n; i++) {
			const struct event *ev = &w->events->v.v[i];

			r = add_counter(c, ev, t->cgroups.n ? &t->cgroups.v[g] : NULL, first);
			if (!r)
				r = add_slots(c, ev, w);
		}
	}
	return r;
}

static void slot_close(struct counters *c, struct counter_slot *s)
{
	if (s->fd >= 0)
		c->sys->close(c->sys, s->fd);
	s->fd = -1;
}

static void close_slots(struct counters *c, const struct counter *k)
{
	for (size_t i = 0; i < k->n; i++)
		slot_close(c, &c->slots.v[k->first + i]);
}

/* The leader's descriptor at the same place; -1: none there. */
static int group_fd(const struct counters *c, const struct counter *k, size_t i)
{
	const struct counter *lead = &c->list.v[k->leader];
	const struct counter_slot *s = &c->slots.v[k->first + i];

	if (k->leads)
		return -1;
	for (size_t j = 0; j < lead->n; j++) {
		/* Mostly the same index; not where the PMUs have different CPUs. */
		const struct counter_slot *l = &c->slots.v[lead->first + (i + j) % lead->n];

		if (l->cpu == s->cpu && l->tid == s->tid)
			return l->fd;
	}
	return -1;
}

static void prepare_attr(struct counter *k, const struct counters_want *w, bool grouped)
{
	struct perf_attr *a = &k->attr;

	*a = k->ev->attr;
	a->size = sizeof(*a);
	/* Counting only: ignore what the event's text says about sampling. */
	a->sample_period = 0;
	a->sample_max_stack = 0;
	a->sample_type = PERF_SAMPLE_IDENTIFIER;
	a->flags &= ~(PERF_ATTR_FREQ | PERF_ATTR_PRECISE_MASK);
	a->read_format = PERF_FORMAT_ENABLED | PERF_FORMAT_RUNNING;
	if (grouped)
		a->read_format |= PERF_FORMAT_GROUP;
	if (w->target->inherit && w->target->kind != TARGET_CPUS && !(k->ev->set & EVENT_SET_NO_INHERIT))
		a->flags |= PERF_ATTR_INHERIT;
	if (k->leads)
		a->flags |= PERF_ATTR_DISABLED;
	if (k->leads && w->start == COUNTERS_ON_EXEC)
		a->flags |= PERF_ATTR_ENABLE_ON_EXEC;
}

static struct opener_want slot_want(const struct counter *k, const struct counter_slot *s, int group)
{
	return (struct opener_want){
		.pid = k->cgroup ? k->cgroup_fd : s->tid,
		.cpu = s->cpu,
		.group = group,
		.flags = k->cgroup ? PERF_FLAG_PID_CGROUP : 0,
		/* Tracepoints are hit in kernel mode: without it they would count 0. */
		.may_drop_kernel = !(k->ev->set & EVENT_SET_USER_KERNEL) && k->ev->attr.type != PERF_TRACEPOINT,
	};
}

static bool alone_works(struct counters *c, const struct counter *k, const struct counter_slot *s)
{
	struct perf_attr a = k->attr;
	struct opener_want ow = slot_want(k, s, -1);
	int fd;

	a.read_format &= ~PERF_FORMAT_GROUP;
	fd = opener_open(&c->opener, &a, &ow);
	if (fd >= 0)
		c->sys->close(c->sys, fd);
	return fd >= 0;
}

static int set_filter(struct counters *c, const struct event *ev, int fd, struct err *e)
{
	int r = ev->filter ? c->sys->ioctl(c->sys, fd, PERF_IOC_SET_FILTER, (uintptr_t)ev->filter) : 0;

	return r < 0 ? opener_no_filter(ev, -r, e) : 0;
}

/* 0: opened, or skipped at this place; else an error for which counters_open gives up. */
static int open_slot(struct counters *c, struct counter *k, size_t i, struct err *e)
{
	struct counter_slot *s = &c->slots.v[k->first + i];
	int group = group_fd(c, k, i);
	struct opener_want ow = slot_want(k, s, group);
	struct perf_attr a = k->attr;

	/* Without its leader at this place, a member is not counted here either. */
	if (!k->leads && group < 0)
		return 0;
	s->fd = opener_open(&c->opener, &a, &ow);
	if (s->fd >= 0) {
		k->user_only = (a.flags & ~k->ev->attr.flags & PERF_ATTR_EXCLUDE_KERNEL) != 0;
		k->attr = a;
		return set_filter(c, k->ev, s->fd, e);
	}

	int code = -s->fd;

	s->fd = -1;
	k->code = code;
	if (code == EINVAL && !k->leads && alone_works(c, k, s)) {
		k->state = COUNTER_GROUP_REFUSED;
		return 0;
	}
	if (is_unsupported(code) || code == ESRCH)
		return 0;
	return opener_explain(&c->opener, k->ev, code, &ow, e);
}

static size_t n_open(const struct counters *c, const struct counter *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		n += c->slots.v[k->first + i].fd >= 0;
	return n;
}

static int open_counter(struct counters *c, unsigned at, const struct counters_want *w, bool grouped, struct err *e)
{
	struct counter *k = &c->list.v[at];
	int r = 0;

	k->leads = k->leader == at;
	if (k->ev->tool) {
		k->members = 1;
		return 0;
	}
	prepare_attr(k, w, grouped);
	for (size_t i = 0; !r && i < k->n && k->state != COUNTER_GROUP_REFUSED; i++)
		r = open_slot(c, k, i, e);
	if (r || k->state == COUNTER_GROUP_REFUSED)
		return r;
	if (!n_open(c, k)) {
		if (k->code == ESRCH)
			return err_set(e, ESRCH, "what was to be counted has ended before counting began");
		k->state = COUNTER_UNSUPPORTED;
	} else {
		c->list.v[k->leader].members++;
	}
	return 0;
}

/* Members come after their leader in the list, but not necessarily next to it. */
static void group_close(struct counters *c, unsigned leader)
{
	for (unsigned i = 0; i < c->list.n; i++)
		if (c->list.v[i].leader == leader)
			close_slots(c, &c->list.v[i]);
}

static void group_refused(struct counters *c, unsigned leader)
{
	group_close(c, leader);
	for (unsigned i = 0; i < c->list.n; i++) {
		struct counter *k = &c->list.v[i];

		if (k->leader == leader && k->state != COUNTER_UNSUPPORTED)
			k->state = COUNTER_GROUP_REFUSED;
	}
}

/* :W, a weak group: open the members one by one instead. */
static int group_split(struct counters *c, unsigned leader, const struct counters_want *w, struct err *e)
{
	int r = 0;

	group_close(c, leader);
	c->list.v[leader].members = 0;
	for (unsigned i = leader; !r && i < c->list.n; i++) {
		struct counter *k = &c->list.v[i];

		if (k->leader != leader || k->state == COUNTER_UNSUPPORTED)
			continue;
		k->state = COUNTER_OPEN;
		k->leader = i;
		r = open_counter(c, i, w, false, e);
	}
	return r;
}

static unsigned group_size(const struct counters *c, unsigned leader)
{
	unsigned n = 0;

	for (unsigned i = leader; i < c->list.n; i++)
		n += c->list.v[i].leader == leader;
	return n;
}

/* The machine cannot count the leader: the next member leads those that are left. */
static void hand_over(struct counters *c, unsigned leader)
{
	unsigned next = 0;

	for (unsigned i = leader + 1; i < c->list.n; i++) {
		if (c->list.v[i].leader != leader)
			continue;
		if (!next)
			next = i;
		c->list.v[i].leader = next;
	}
}

static int open_group(struct counters *c, unsigned leader, const struct counters_want *w, struct err *e)
{
	bool grouped = group_size(c, leader) > 1;
	int r = 0;

	for (unsigned i = leader; !r && i < c->list.n; i++) {
		struct counter *k = &c->list.v[i];

		if (k->leader != leader)
			continue;
		r = open_counter(c, i, w, grouped, e);
		if (r)
			break;
		if (i == leader && (k->state == COUNTER_UNSUPPORTED || k->ev->tool)) {
			hand_over(c, leader);
			break;
		}
		if (k->state != COUNTER_GROUP_REFUSED)
			continue;
		if (c->list.v[leader].ev->set & EVENT_WEAK_GROUP)
			return group_split(c, leader, w, e);
		group_refused(c, leader);
		break;
	}
	return r;
}

static int open_all(struct counters *c, const struct counters_want *w, struct err *e)
{
	int r = 0;

	for (unsigned i = 0; !r && i < c->list.n; i++) {
		struct counter *k = &c->list.v[i];

		if (k->leader == i && k->state == COUNTER_OPEN && !k->members)
			r = open_group(c, i, w, e);
	}
	return r;
}

bool counter_is_same(const struct counter *a, const struct counter *b)
{
	return a->cgroup == b->cgroup && a->ev->alternative == b->ev->alternative && a->ev->pmu && b->ev->pmu &&
	       a->ev->pmu->kind == PMU_CORE && b->ev->pmu->kind == PMU_CORE;
}

static void mark_over_cores(struct counters *c, const struct target *t)
{
	for (size_t i = 0; i < c->list.n && t->kind != TARGET_CPUS; i++)
		for (size_t j = 0; j < c->list.n; j++)
			if (i != j && counter_is_same(&c->list.v[i], &c->list.v[j]))
				c->list.v[i].over_cores = true;
}

static uint64_t now(const struct counters *c)
{
	return c->sys->now(c->sys, CLOCK_MONOTONIC);
}

static void count_from(struct counters *c, uint64_t t)
{
	for (size_t i = 0; i < c->slots.n; i++)
		c->slots.v[i].since = t;
}

int counters_open(struct counters *c, const struct counters_want *w, struct err *e)
{
	*c = (struct counters){ .sys = w->sys };
	opener_init(&c->opener, w->sys);

	int r = lay_out(c, w);

	if (!r)
		mark_over_cores(c, w->target);
	r = r ? err_nomem(e) : open_all(c, w, e);
	if (r)
		counters_close(c);
	count_from(c, now(c));
	return r;
}

void counters_close(struct counters *c)
{
	/* Members before their leader: the kernel then has no group to take apart. */
	for (size_t i = c->slots.n; i-- > 0;)
		slot_close(c, &c->slots.v[i]);
	opener_deinit(&c->opener);
	vec_free(&c->slots);
	vec_free(&c->list);
}

enum which { ALL, PAUSABLE };   /* PAUSABLE: only counters that counters_pause() closes */

static void each_leader(struct counters *c, enum which which, unsigned long request)
{
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; k->leads && (which == ALL || k->pausable) && j < k->n; j++)
			if (c->slots.v[k->first + j].fd >= 0)
				c->sys->ioctl(c->sys, c->slots.v[k->first + j].fd, request,
					      PERF_IOC_FLAG_GROUP);
	}
}

size_t counters_places(const struct counters *c)
{
	size_t n = 1;

	for (size_t i = 0; i < c->slots.n; i++)
		n = MAX(n, counter_place(&c->slots.v[i]) + 1);
	return n;
}

static void meter_from_here(struct counters *c)
{
	for (size_t i = 0; i < c->slots.n; i++)
		c->slots.v[i].meter = c->slots.v[i].meter_now;
}

void counters_enable(struct counters *c)
{
	count_from(c, now(c));
	if (c->pace)
		c->pace(c->pace_arg, c);
	meter_from_here(c);
	each_leader(c, ALL, PERF_IOC_ENABLE);
}

void counters_disable(struct counters *c)
{
	each_leader(c, ALL, PERF_IOC_DISABLE);
}

static void put(struct counter_slot *s, uint64_t value, uint64_t enabled, uint64_t running)
{
	s->now.value = s->past.value + value;
	s->now.enabled = s->past.enabled + enabled;
	s->now.running = s->past.running + running;
}

/* Read a counter without a group: value, enabled, running, then optional further fields. */
static void read_alone(struct counters *c, struct counter_slot *s)
{
	uint64_t v[5];

	if (c->sys->read(c->sys, s->fd, v, sizeof(v)) >= (ssize_t)(3 * sizeof(v[0])))
		put(s, v[0], v[1], v[2]);
}

/* The slot of k at the same place as the leader's slot number `at`; NULL: none is open. */
static struct counter_slot *same_place(struct counters *c, const struct counter *k, const struct counter_slot *ls,
				       size_t at)
{
	for (size_t j = 0; j < k->n; j++) {
		struct counter_slot *s = &c->slots.v[k->first + (at + j) % k->n];

		if (s->cpu == ls->cpu && s->tid == ls->tid)
			return s->fd >= 0 ? s : NULL;
	}
	return NULL;
}

/* Read a group: nr, enabled, running, then a value per member in the order in which they were opened. */
static void read_group(struct counters *c, unsigned leader, size_t at)
{
	const struct counter_slot *ls = &c->slots.v[c->list.v[leader].first + at];
	uint64_t v[3 + GROUP_MAX];
	ssize_t n = c->sys->read(c->sys, ls->fd, v, sizeof(v));
	size_t next = 3, got = n > 0 ? (size_t)n / sizeof(v[0]) : 0;

	for (unsigned i = leader; next < got && i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];
		struct counter_slot *s = k->leader == leader ? same_place(c, k, ls, at) : NULL;

		if (s)
			put(s, v[next++], v[1], v[2]);
	}
}

static uint64_t missed(const struct counter_slot *s, uint64_t t)
{
	return (uint64_t)((double)(t - s->since) * s->busy);
}

static void read_paused(struct counters *c)
{
	uint64_t t = now(c);

	for (size_t i = 0; i < c->slots.n; i++) {
		struct counter_slot *s = &c->slots.v[i];

		if (!s->paused)
			continue;
		s->now = s->past;
		s->now.enabled += missed(s, t);
	}
}

/* Update work, seen and cost of all slots. */
static void take_pace(struct counters *c)
{
	if (c->pace)
		c->pace(c->pace_arg, c);
	for (size_t i = 0; i < c->slots.n; i++) {
		struct counter_slot *s = &c->slots.v[i];

		if (!c->pace || !s->paced) {
			s->now.work = (double)s->now.enabled;
			s->now.seen = (double)s->now.running;
			continue;
		}
		s->now.work = s->past.work + s->did;
		s->now.seen = s->past.seen + (s->paused ? 0 : s->did);
		s->now.cost = s->past.cost + (s->paused ? 0 : s->did_cost);
	}
}

static void take_tools(struct counters *c)
{
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];
		struct counter_slot *s = &c->slots.v[k->first];

		if (k->ev->tool && k->n && c->tools.known[k->ev->tool]) {
			s->now.value = c->tools.value[k->ev->tool];
			s->now.enabled = s->now.running = c->tools.value[EVENT_DURATION_TIME];
		}
	}
}

void counters_since_start(struct counters *c)
{
	for (size_t i = 0; i < c->slots.n; i++)
		c->slots.v[i].base = (struct counter_value){ 0 };
}

/*
 * Hits and what paces them are looked at one after the other. A task of the same CPU that gets its turn in between does
 * four milliseconds' work whose hits were not there yet: then it is all looked at once more.
 */
static bool is_one_moment(const struct counters *c, uint64_t since)
{
	enum { MOMENT_NS = 500 * 1000 };

	return !c->pace || now(c) - since < MOMENT_NS;
}

enum { MOMENT_TRIES = 4 };

static void look(struct counters *c)
{
	read_paused(c);
	take_tools(c);
	for (unsigned i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; k->leads && j < k->n; j++) {
			struct counter_slot *s = &c->slots.v[k->first + j];

			if (s->fd < 0)
				continue;
			if (k->attr.read_format & PERF_FORMAT_GROUP)
				read_group(c, i, j);
			else
				read_alone(c, s);
		}
	}
	take_pace(c);
}

void counters_refresh(struct counters *c)
{
	uint64_t since;
	unsigned tries = 0;

	do {
		since = now(c);
		look(c);
	} while (!is_one_moment(c, since) && ++tries < MOMENT_TRIES);
}

void counters_read(struct counters *c)
{
	counters_refresh(c);
	for (size_t i = 0; i < c->slots.n; i++) {
		struct counter_slot *s = &c->slots.v[i];

		s->base = s->told;
		s->told = s->now;
	}
}

static void slot_pause(struct counters *c, struct counter_slot *s, uint64_t t)
{
	if (s->fd < 0)
		return;
	s->busy = t > s->since ? (double)(s->now.enabled - s->past.enabled) / (double)(t - s->since) : 0;
	s->whole = counter_whole(s);
	s->owed = 0;
	counter_window(s);
	s->past = s->now;
	s->meter = s->meter_now;
	s->paused = true;
	s->since = t;
	slot_close(c, s);
}

void counters_pause(struct counters *c)
{
	counters_refresh(c);

	uint64_t t = now(c);

	/* Members before their leader, as in counters_close. */
	for (size_t i = c->list.n; i-- > 0;) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; k->pausable && j < k->n; j++)
			slot_pause(c, &c->slots.v[k->first + j], t);
	}
}

static void slot_reopen(struct counters *c, const struct counter *k, size_t i)
{
	struct counter_slot *s = &c->slots.v[k->first + i];
	int group = group_fd(c, k, i);
	struct opener_want ow = slot_want(k, s, group);
	struct perf_attr a = k->attr;

	if (!s->paused || (!k->leads && group < 0))
		return;
	a.flags &= ~PERF_ATTR_ENABLE_ON_EXEC;
	s->fd = opener_open(&c->opener, &a, &ow);
	if (s->fd < 0)
		s->fd = -1;
}

/* What was done up to this moment is the pause's, and hits count from it. */
static void start_reopened(struct counters *c)
{
	uint64_t since;
	unsigned tries = 0;

	each_leader(c, PAUSABLE, PERF_IOC_ENABLE);
	do {
		since = now(c);
		read_paused(c);
		take_pace(c);
		each_leader(c, PAUSABLE, PERF_IOC_RESET);
	} while (!is_one_moment(c, since) && ++tries < MOMENT_TRIES);
}

void counters_resume(struct counters *c)
{
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; k->pausable && j < k->n; j++)
			slot_reopen(c, k, j);
	}

	start_reopened(c);
	for (size_t i = 0; i < c->slots.n; i++) {
		struct counter_slot *s = &c->slots.v[i];

		if (!s->paused)
			continue;
		s->owed += s->now.work - s->past.work;
		s->past.enabled = s->now.enabled;
		s->past.work = s->now.work;
		s->paused = s->fd < 0;
		s->busy = 0;
	}
	count_from(c, now(c));
	meter_from_here(c);
}

const char *counter_suffix(const struct counter *k, const char *name)
{
	size_t n = strlen(name);

	return !k->user_only ? "" : n && name[n - 1] == '/' ? "u" : ":u";
}

int counter_explain(const struct counters *c, const struct counter *k, struct err *e)
{
	struct counter_slot none = { .cpu = -1, .tid = -1 };
	struct opener_want ow = slot_want(k, k->n ? &c->slots.v[k->first] : &none, -1);

	if (!k->code) {
		err_set(e, ENODEV, "%s: not supported: its PMU has no CPU among those watched", k->ev->name);
		return err_hint(e, "leave out -C, or choose CPUs of that PMU");
	}
	if (k->cgroup && k->code == ENOENT)
		return target_no_cgroup(k->ev->name, k->cgroup, e);
	return opener_explain(&c->opener, k->ev, k->code, &ow, e);
}
