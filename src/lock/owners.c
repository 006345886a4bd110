#include "lock/owners.h"

/* Much longer than the BPF program takes, even with an interrupt: how old a record may be for OWNERS_FRESH. */
#define FRESH_NS UINT64_C(10000000)

struct owners_kept {
	struct lockowner_rec rec;
	uint32_t stack;
	uint32_t next;                   /* in the list of its bucket: index + 1; 0: the last */
	bool used;
};

int owners_open(struct owners *o, const struct lockowner_want *w, struct err *e)
{
	return lockowner_open(&o->program, w, e);
}

void owners_close(struct owners *o)
{
	lockowner_close(&o->program);
	names_deinit(&o->stacks);
	free(o->kept);
	o->kept = NULL;
}

static void take_out(struct owners *o, uint32_t at, uint32_t before)
{
	struct owners_kept *k = &o->kept[at - 1];
	uint32_t b = k->rec.tid % OWNERS_BUCKETS;

	if (before)
		o->kept[before - 1].next = k->next;
	else
		o->first[b] = k->next;
	if (o->last[b] == at)
		o->last[b] = before;
	k->used = false;
}

static uint32_t keep_stack(struct owners *o, const struct lockowner_rec *rec, const uint64_t *ips)
{
	size_t n = rec->stack > 0 ? (size_t)rec->stack / sizeof(*ips) * sizeof(*ips) : 0;
	bool full = o->stacks.list.n >= OWNERS_STACKS;
	uint32_t id;

	if (!n)
		return rec->stack == LOCKOWNER_RUNS ? OWNERS_RUNS : OWNERS_NO_STACK;
	id = full ? names_find(&o->stacks, (const char *)ips, n) : names_add(&o->stacks, (const char *)ips, n);
	o->stacks_left_out += id == NAMES_NONE;
	return id == NAMES_NONE ? OWNERS_NO_STACK : id;
}

static void put_in(struct owners *o, const struct lockowner_rec *rec, uint32_t stack)
{
	uint32_t at = o->n++ % OWNERS_KEPT + 1, b = rec->tid % OWNERS_BUCKETS;
	struct owners_kept *k;

	/* Out of memory: the owner then counts as not read. */
	if (!o->kept)
		o->kept = calloc(OWNERS_KEPT, sizeof(*o->kept));
	if (!o->kept)
		return;
	k = &o->kept[at - 1];
	/* The ring is full: this is the oldest record of all, and so the first of its bucket. */
	if (k->used)
		take_out(o, at, 0);
	*k = (struct owners_kept){ *rec, stack, 0, true };
	if (o->last[b])
		o->kept[o->last[b] - 1].next = at;
	else
		o->first[b] = at;
	o->last[b] = at;
}

const struct lockowner_rec *owners_take(struct owners *o, const struct contention_event *ev, enum owners_when when)
{
	uint32_t at, before = 0, next;
	struct lockowner_rec rec;
	const uint64_t *ips;
	bool found = false;

	while (lockowner_next(&o->program, &rec, &ips))
		if (!o->cpus || cpus_has(o->cpus, rec.cpu))
			put_in(o, &rec, keep_stack(o, &rec, ips));
	for (at = o->first[ev->tid % OWNERS_BUCKETS]; at; at = next) {
		const struct owners_kept *k = &o->kept[at - 1];

		next = k->next;
		if (k->rec.tid != ev->tid || k->rec.lock != ev->lock) {
			before = at;
			continue;
		}
		if (k->rec.time > ev->time)
			break;
		o->found = k->rec;
		o->found_stack = k->stack;
		found = true;
		take_out(o, at, before);
	}
	return found && (when == OWNERS_ANY || ev->time - o->found.time <= FRESH_NS) ? &o->found : NULL;
}

uint32_t owners_row(const struct owners *o, const struct lockowner_rec *rec, uint32_t flags)
{
	if (!rec)
		return lockowner_is_told(&o->program, flags) ? OWNERS_UNREAD : OWNERS_UNKNOWN;
	switch (rec->state) {
	case LOCKOWNER_TASK: return rec->owner;
	case LOCKOWNER_READERS: return OWNERS_READERS;
	case LOCKOWNER_NOBODY: return OWNERS_UNKNOWN;
	default: return OWNERS_UNREAD;
	}
}
