/* tally.c - loads the counting programs, and reads their counts. */
#include "bpf/tally.h"

#include "abi/perf_event.h"

struct entry_key { uint64_t key; uint32_t event, part; };
struct extreme_key { uint64_t key; uint32_t event, part; uint64_t number; };

struct stack_key { uint32_t kernel, user, event, pid; char comm[16]; uint64_t lr; };

enum { LOSSES = 7, UNREAD_MAX = TALLY_ENTRIES + 16 };

/* Size of the map's key; for stacks the last member is only there if a link register is. */
static uint32_t key_size(const struct tally *t)
{
	const struct tally_event *ev = &t->want.events[0];

	if (!ev->is_by_stack)
		return sizeof(struct entry_key);
	return ev->lr ? sizeof(struct stack_key) : offsetof(struct stack_key, lr);
}

static int make_stacks(struct tally *t, struct err *e)
{
	static const struct bpf_map_make make = { BPF_MAP_STACK_TRACE, 4, 8 * TALLY_DEPTH, TALLY_STACKS, 0 };

	for (size_t i = 0; t->want.events[0].is_by_stack && i < TALLY_STACK_MAPS; i++) {
		t->stacks[i] = program_map(t->want.bpf, &make, e);
		if (t->stacks[i] < 0)
			return t->stacks[i];
	}
	return 0;
}

static int make_maps(struct tally *t, struct err *e)
{
	const struct bpf_map_make makes[] = {
		{ BPF_MAP_HASH, key_size(t), sizeof(struct tally_count), TALLY_ENTRIES, 0 },
		{ BPF_MAP_HASH, sizeof(struct entry_key), sizeof(struct tally_count), TALLY_ENTRIES / 8, 0 },
		{ BPF_MAP_HASH, sizeof(struct extreme_key), sizeof(struct tally_count), TALLY_EXTREMES, 0 },
		{ BPF_MAP_ARRAY, 4, 8, LOSSES, 0 },
		{ BPF_MAP_HASH, sizeof(uint64_t), sizeof(struct tally_count), TALLY_ENTRIES, 0 },
	};
	int *const to[] = { &t->counts, &t->bounds, &t->extremes, &t->losses, &t->begun };
	size_t n = ARRAY_SIZE(makes) - !t->want.events[0].pair;

	for (size_t i = 0; i < n; i++) {
		*to[i] = program_map(t->want.bpf, &makes[i], e);
		if (*to[i] < 0)
			return *to[i];
	}
	return make_stacks(t, e);
}

static int load(struct tally *t, uint32_t i, const struct ktypes *types, struct asm_prog *a, struct err *e)
{
	const struct tally_maps maps = { t->counts, t->bounds, t->extremes, t->losses, t->begun,
					 t->of_tasks ? &t->tasks.maps : NULL, t->stacks };
	const struct tally_event *ev = &t->want.events[i];
	const enum bpf_helper reads[] = { ev->is_user ? BPF_PROBE_READ_USER : BPF_PROBE_READ_KERNEL, BPF_PROBE_READ };
	int prog = -EINVAL, *to = vec_add(&t->progs);

	if (!to)
		return err_nomem(e);
	*to = -1;
	/* Before 5.5 a single helper reads all memory. */
	for (size_t k = 0; prog == -EINVAL && k < ARRAY_SIZE(reads); k++) {
		struct code c = {
			.types = types, .event = ev->event, .word = t->want.word, .read = reads[k],
			.fetches = ev->fetches,
		};
		int r = tally_build(a, ev, i, &c, &maps, e);

		if (r)
			return r;
		prog = program_load(t->want.bpf, a, ev->fetches.s ? BPF_PROG_KPROBE : BPF_PROG_RAW_TRACEPOINT, e);
	}
	if (prog < 0)
		return prog;
	*to = prog;
	t->n_insns += a->n;
	return 0;
}

static int load_all(struct tally *t, struct err *e)
{
	struct asm_prog *a = malloc(sizeof(*a));
	struct ktypes types;
	bool typed = !ktypes_open(&types, t->want.sys, NULL);
	int r = a ? 0 : err_nomem(e);

	for (uint32_t i = 0; !r && i < t->want.n; i++)
		r = load(t, i, typed ? &types : NULL, a, e);
	if (typed)
		ktypes_close(&types);
	free(a);
	return r;
}

/* The task set must be active before anything is counted. */
static int open_tasks(struct tally *t, struct err *e)
{
	int r = t->want.tasks ? taskset_open(&t->tasks, t->want.tasks, e) : 0;

	t->of_tasks = t->want.tasks && !r;
	t->want.tasks = NULL;
	if (t->of_tasks)
		t->n_insns += t->tasks.n_insns;
	return r;
}

int tally_open(struct tally *t, const struct tally_want *w, struct err *e)
{
	int r;

	*t = (struct tally){ .want = *w, .counts = -1, .bounds = -1, .extremes = -1, .losses = -1, .begun = -1 };
	for (size_t i = 0; i < TALLY_STACK_MAPS; i++)
		t->stacks[i] = -1;
	r = make_maps(t, e);
	r = r ? r : open_tasks(t, e);
	r = r ? r : load_all(t, e);
	if (r)
		tally_close(t);
	return r;
}

static void close_fd(const struct tally *t, int *fd)
{
	if (*fd >= 0)
		t->want.sys->close(t->want.sys, *fd);
	*fd = -1;
}

void tally_close(struct tally *t)
{
	tally_detach(t);
	for (size_t i = 0; i < t->progs.n; i++)
		close_fd(t, &t->progs.v[i]);
	for (size_t i = 0; i < t->want.n; i++)
		if (t->want.events[i].owns_fd)
			t->want.sys->close(t->want.sys, t->want.events[i].fd);
	t->want.n = 0;
	if (t->of_tasks)
		taskset_close(&t->tasks);
	t->of_tasks = false;
	close_fd(t, &t->counts);
	close_fd(t, &t->bounds);
	close_fd(t, &t->extremes);
	close_fd(t, &t->losses);
	close_fd(t, &t->begun);
	for (size_t i = 0; i < TALLY_STACK_MAPS; i++)
		close_fd(t, &t->stacks[i]);
	vec_free(&t->progs);
	vec_free(&t->links);
	vec_free(&t->before);
	names_deinit(&t->keys);
}

/* A probe's program is attached to its perf event, and goes with it. */
static int attach_probe(const struct tally *t, uint32_t i)
{
	return t->want.sys->ioctl(t->want.sys, t->want.events[i].fd, PERF_IOC_SET_BPF, (uintptr_t)t->progs.v[i]);
}

static int attach_tracepoint(struct tally *t, uint32_t i)
{
	struct bpf_raw_tracepoint at = { .name = (uintptr_t)t->want.events[i].event, .prog = (uint32_t)t->progs.v[i] };
	int *to = vec_add(&t->links);

	if (!to)
		return -ENOMEM;
	*to = t->want.bpf->call(t->want.bpf, BPF_RAW_TRACEPOINT, &at, sizeof(at));
	return MIN(*to, 0);
}

int tally_attach(struct tally *t, struct err *e)
{
	for (uint32_t i = 0; i < t->want.n; i++) {
		const struct tally_event *ev = &t->want.events[i];
		int r = ev->fetches.s ? attach_probe(t, i) : attach_tracepoint(t, i);

		if (r < 0)
			return err_set(e, -r, "%s: the kernel attaches no program to it: %s", ev->event, err_name(-r));
	}
	return 0;
}

void tally_detach(struct tally *t)
{
	for (size_t i = 0; i < t->links.n; i++)
		close_fd(t, &t->links.v[i]);
}

/* --- reading --- */

/* The increase of an entry since the last reading. */
static int since(struct tally *t, const void *k, const struct tally_count *v, struct tally_count *n)
{
	uint32_t id = names_add(&t->keys, k, key_size(t));
	struct tally_count *was;

	if (id == NAMES_NONE)
		return -ENOMEM;
	if (id == t->before.n && !vec_add(&t->before))
		return -ENOMEM;
	was = &t->before.v[id];
	*n = (struct tally_count){ .n = v->n - was->n, .sum = v->sum - was->sum };
	*was = *v;
	return 0;
}

/* The callback that gets the result: one of the two. */
struct taking {
	int (*each)(void *arg, const struct tally_entry *n);
	int (*each_stack)(void *arg, const struct tally_stack *s);
	void *arg;
};

static int give(const struct taking *to, const void *key, const struct tally_count *all, const struct tally_count *v)
{
	const struct stack_key *s = key;
	const struct entry_key *k = key;
	struct tally_stack stack;

	if (to->each)
		return to->each(to->arg, &(struct tally_entry){ .key = k->key, .event = k->event, .part = k->part,
								.n = v->n, .sum = v->sum });
	stack = (struct tally_stack){ .n = v->n, .since = all->sum, .event = s->event, .pid = s->pid,
				      .kernel = s->kernel, .user = s->user, .lr = s->lr };
	memcpy(stack.comm, s->comm, sizeof(s->comm));
	return to->each_stack(to->arg, &stack);
}

static int take_entries(struct tally *t, const struct taking *to)
{
	const struct bpf *b = t->want.bpf;
	struct stack_key at = { 0 }, next = { 0 };   /* large enough for both kinds of keys */
	bool any = false;
	int r = 0;

	/* Entries are never deleted: the walk visits all that existed at its start. */
	for (unsigned i = 0; !r && i < UNREAD_MAX && !program_map_next(b, t->counts, any ? &at : NULL, &next); i++) {
		struct tally_count v, n;

		any = true;
		at = next;
		if (program_map_get(b, t->counts, &at, &v))
			continue;
		r = since(t, &at, &v, &n);
		if (!r && n.n)
			r = give(to, &at, &v, &n);
	}
	return r;
}

int tally_read(struct tally *t, int (*each)(void *arg, const struct tally_entry *n), void *arg)
{
	return take_entries(t, &(struct taking){ .each = each, .arg = arg });
}

int tally_stacks(struct tally *t, int (*each)(void *arg, const struct tally_stack *s), void *arg)
{
	return take_entries(t, &(struct taking){ .each_stack = each, .arg = arg });
}

size_t tally_frames(const struct tally *t, uint32_t stack, uint64_t v[static TALLY_DEPTH])
{
	uint32_t at = stack % TALLY_STACKS;
	size_t n = 0;

	if (stack / TALLY_STACKS >= TALLY_STACK_MAPS ||
	    program_map_get(t->want.bpf, t->stacks[stack / TALLY_STACKS], &at, v))
		return 0;
	while (n < TALLY_DEPTH && v[n])
		n++;
	return n;
}

/* Read and remove each value beyond the known bounds. */
static int take_extremes(struct tally *t, int (*each)(void *arg, const struct tally_bound *b), void *arg)
{
	const struct bpf *b = t->want.bpf;
	struct extreme_key k;
	int r = 0;

	for (unsigned i = 0; !r && i < 2 * TALLY_EXTREMES && !program_map_next(b, t->extremes, NULL, &k); i++) {
		struct tally_bound bound = { .key = k.key, .event = k.event, .least = k.number, .most = k.number };

		program_map_drop(b, t->extremes, &k);
		r = each(arg, &bound);
	}
	return r;
}

int tally_bounds(struct tally *t, int (*each)(void *arg, const struct tally_bound *b), void *arg)
{
	static const struct tally_count fresh = { .n = UINT64_MAX, .sum = 0 };
	const struct bpf *b = t->want.bpf;
	struct entry_key at, next;
	bool any = false;
	int r = take_extremes(t, each, arg);

	for (unsigned i = 0; i < TALLY_ENTRIES && !program_map_next(b, t->bounds, any ? &at : NULL, &next); i++) {
		any = true;
		at = next;
		program_map_put(b, t->bounds, &at, &fresh);
	}
	return r;
}

struct tally_losses tally_lost(struct tally *t)
{
	uint64_t v[LOSSES] = { 0 }, missed = 0;
	struct tally_losses now, was = t->lost;

	for (uint32_t i = 0; i < LOSSES; i++)
		program_map_get(t->want.bpf, t->losses, &i, &v[i]);
	for (size_t i = 0; i < t->progs.n; i++)
		missed += program_missed(t->want.bpf, t->progs.v[i]);
	now = (struct tally_losses){
		.full = v[0], .negative = v[1], .unread = v[2], .untold = v[3], .replaced = v[4], .unstarted = v[5],
		.stackless = v[6], .missed = missed, .unfollowed = t->of_tasks ? taskset_lost(&t->tasks) : 0,
	};
	t->lost = now;
	return (struct tally_losses){
		.full = now.full - was.full, .negative = now.negative - was.negative, .unread = now.unread - was.unread,
		.untold = now.untold - was.untold, .replaced = now.replaced - was.replaced,
		.unstarted = now.unstarted - was.unstarted, .missed = now.missed - was.missed,
		.unfollowed = now.unfollowed - was.unfollowed, .stackless = now.stackless - was.stackless,
	};
}

uint64_t tally_begun(const struct tally *t)
{
	uint64_t at, next, n = 0;

	while (n < TALLY_ENTRIES && !program_map_next(t->want.bpf, t->begun, n ? &at : NULL, &next)) {
		at = next;
		n++;
	}
	return n;
}
