/* profile_live.c - see profile_live.h. */
#include "report/profile_live.h"

int profile_shot(struct calltree *to, const struct profile *p)
{
	const struct calltree *from = &p->tree;
	int r;

	*to = (struct calltree){ 0 };
	if (vec_reserve(&to->nodes, from->nodes.n))
		return -ENOMEM;
	memcpy(to->nodes.v, from->nodes.v, from->nodes.n * sizeof(*from->nodes.v));
	to->nodes.n = from->nodes.n;
	r = calltree_settle(to);
	if (r)
		calltree_deinit(to);
	return r;
}

/* Mark the nodes with weight, and their ancestors; returns how many. */
static size_t mark(const struct calltree *t, uint32_t *kept)
{
	size_t n = 0;

	for (size_t i = t->nodes.n; i-- > 0; ) {
		kept[i] |= !i || t->nodes.v[i].self;
		if (kept[i] && i)
			kept[t->nodes.v[i].parent] = 1;
		n += kept[i];
	}
	return n;
}

/* Remove all other nodes. A node's parent has a smaller index, so it has its new number already. */
static void prune(struct calltree *t, uint32_t *kept)
{
	struct ct_node *v = t->nodes.v;
	uint32_t n = 0;

	for (size_t i = 0; i < t->nodes.n; i++) {
		if (!kept[i])
			continue;
		v[n] = v[i];
		v[n].parent = i ? kept[v[i].parent] : 0;
		kept[i] = n++;
	}
	t->nodes.n = n;
	calltree_index(t);
}

/* Remove the frames that no node uses, and renumber the others. */
static int prune_frames(struct profile *p)
{
	uint32_t *used = calloc(p->frames.v.n + 1, sizeof(*used));
	struct ct_node *v = p->tree.nodes.v;

	if (!used)
		return -ENOMEM;
	for (size_t i = 1; i < p->tree.nodes.n; i++)
		if (v[i].parent)
			used[v[i].key] = 1;
	frames_keep(&p->frames, used);
	for (size_t i = 1; i < p->tree.nodes.n; i++)
		if (v[i].parent)
			v[i].key = used[v[i].key];
	calltree_index(&p->tree);
	free(used);
	return 0;
}

static void forget_groups(struct profile *p)
{
	names_deinit(&p->group_ids);
	p->group_ids = (struct names){ 0 };
	p->groups.n = 0;
	memset(p->recent_id, 0xff, sizeof(p->recent_id));
	memset(p->threads, 0, sizeof(p->threads));
	memset(p->valued, 0, sizeof(p->valued));
}

/* Drop all samples; those in batches are gathered first, since they refer to groups. */
static int forget(struct profile *p)
{
	if (profile_gather(p))
		return -ENOMEM;
	calltree_clear(&p->tree);
	forget_groups(p);
	for (size_t i = 0; i < p->events.n; i++)
		p->events.v[i] = (struct profile_event){ 0 };
	return prune_frames(p);
}

static uint64_t weaker(uint64_t v, unsigned eighths)
{
	return v / 8 * eighths + v % 8 * eighths / 8;
}

static void weaken(struct profile *p, unsigned eighths)
{
	for (size_t i = 0; i < p->old.n; i++) {
		struct ct_node *n = &p->tree.nodes.v[i];
		const struct profile_old *old = &p->old.v[i];

		n->self -= old->self - weaker(old->self, eighths);
		n->samples -= old->samples - (uint32_t)weaker(old->samples, eighths);
		/* A node with weight has at least one sample. */
		n->samples += n->self && !n->samples;
	}
	/* The nodes will be renumbered. */
	p->old.n = 0;
	for (size_t i = 0; i < p->events.n; i++) {
		struct profile_event *ev = &p->events.v[i];

		ev->weight -= ev->old_weight - weaker(ev->old_weight, eighths);
		ev->samples -= ev->old_samples - weaker(ev->old_samples, eighths);
		ev->latency -= ev->old_latency * (8 - eighths) / 8;
	}
}

/*
 * Drop the weight of nodes lighter than 2^-18 of their event's: such rows show as 0.00 %, and they are most of the
 * functions ever seen. Only in flat profiles: with chains many light nodes may add up to one heavy caller.
 */
static void drop_light(struct profile *p)
{
	enum { LIGHT_BITS = 18 };
	struct ct_node *v = p->tree.nodes.v;

	for (size_t i = 1; i < p->tree.nodes.n; i++) {
		const struct hist_group *g;
		struct profile_event *ev;
		size_t group = i;

		/* A group's node, or a node without weight. */
		if (!v[i].parent || !v[i].self)
			continue;
		while (v[group].parent)
			group = v[group].parent;
		g = &p->groups.v[v[group].key];
		ev = &p->events.v[g->event];
		if (v[i].self > ev->weight >> LIGHT_BITS)
			continue;
		ev->weight -= MIN(v[i].self, ev->weight);
		ev->samples -= MIN((uint64_t)v[i].samples, ev->samples);
		ev->latency -= g->parallelism ? (double)v[i].self / g->parallelism : 0;
		v[i].self = v[i].samples = 0;
	}
}

int profile_age(struct profile *p, unsigned eighths)
{
	uint32_t *kept;
	int r = 0;

	weaken(p, eighths);
	if (p->want.chains == PROFILE_FLAT)
		drop_light(p);
	kept = calloc(p->tree.nodes.n, sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	if (mark(&p->tree, kept) < p->tree.nodes.n)
		prune(&p->tree, kept);
	free(kept);
	if (p->frames.v.n > PROFILE_LIVE_FRAMES)
		r = prune_frames(p);
	if (r || (p->tree.nodes.n <= PROFILE_LIVE_NODES && p->frames.v.n <= PROFILE_LIVE_FRAMES &&
		  p->groups.n <= PROFILE_LIVE_GROUPS))
		return r;
	r = forget(p);
	return r ? r : 1;
}

long profile_trim(struct profile *p, uint64_t most, const char *also)
{
	const struct ct_node *v = p->tree.nodes.v;
	struct map needed = { 0 };
	bool ok = true;
	long n;

	if (resolver_bytes(p->session->resolver) <= most)
		return 0;
	for (size_t i = 1; ok && i < p->tree.nodes.n; i++)
		if (v[i].parent)
			ok = map_add(&needed, (uintptr_t)p->frames.v.v[v[i].key].dso, NULL);
	ok = ok && map_add(&needed, (uintptr_t)also, NULL);
	n = ok ? (long)resolver_trim(p->session->resolver, &needed) : -ENOMEM;
	map_deinit(&needed);
	return n;
}
