/*
 * event_group.c - {a,b}:mods. The kernel schedules a group as a whole on one PMU; software events may join any group.
 * If each member was expanded to one event per PMU (core types, uncore instances), the group becomes one group per
 * PMU. The kernel refuses other mixtures of PMUs, so they are refused here, or broken up for :W.
 */
#include "perf/event_impl.h"

/* A key for the PMU whose counters the event takes; NULL: a software event, which takes none. */
static const void *owner(struct event_parser *p, const struct event *ev)
{
	if (ev->pmu)
		return ev->pmu->kind == PMU_SOFTWARE ? NULL : ev->pmu;
	if (ev->attr.type == PERF_HARDWARE || ev->attr.type == PERF_HW_CACHE || ev->attr.type == PERF_RAW)
		return pmus_n_core(p->env->pmus) ? (const void *)p->env->pmus->list.v : p->env;
	return NULL;
}

/* To how many events of the group the typed event `alternative` was expanded. */
static size_t spread(const struct event *v, size_t n, unsigned alternative)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += v[i].alternative == alternative;
	return count;
}

static const char *owner_name(const struct event *ev)
{
	return ev->pmu ? ev->pmu->name : ev->name;
}

/* Is each hardware event there once per owner? If not, set the error. */
static int check_even(struct event_parser *p, const struct event *v, size_t n, size_t n_owners, const char *at)
{
	for (size_t i = 0; i < n; i++) {
		if (!owner(p, &v[i]) || spread(v, n, v[i].alternative) == n_owners)
			continue;

		const struct event *other = v;

		while (!owner(p, other) || owner(p, other) == owner(p, &v[i]))
			other++;
		event_fail(p, EINVAL, at, "a group cannot mix PMUs: %s and %s", owner_name(&v[i]), owner_name(other));
		return err_hint(p->e, "separate them with a comma outside of { }, or let the group break up: {...}:W");
	}
	return 0;
}

/* The distinct owners, in the order of their first event; returns their number. */
static size_t owners_collect(struct event_parser *p, const struct event *v, size_t n, const void **owners)
{
	size_t n_owners = 0;

	for (size_t i = 0; i < n; i++) {
		const void *o = owner(p, &v[i]);
		size_t j = 0;

		while (j < n_owners && owners[j] != o)
			j++;
		if (o && j == n_owners)
			owners[n_owners++] = o;
	}
	return n_owners;
}

/* Make one group per owner; software events go into the first. */
static void regroup(struct event_parser *p, struct event *to, const struct event *v, size_t n, const void **owners,
		    size_t n_owners, size_t first)
{
	size_t at = 0;

	for (size_t k = 0; k < MAX(n_owners, 1u); k++) {
		size_t leader = at;

		for (size_t i = 0; i < n; i++) {
			const void *o = owner(p, &v[i]);

			if (o ? o != owners[k] : k)
				continue;
			to[at] = v[i];
			to[at].leader = (int)(first + leader);
			if (at != leader)
				to[at].attr.flags &= ~(PERF_ATTR_PINNED | PERF_ATTR_EXCLUSIVE);
			at++;
		}
	}
}

/* Append those of the group's modifiers that change what is counted to the name of each member. */
static int rename_member(struct event_parser *p, struct event *ev, struct sv mods)
{
	size_t shown = 0;
	char letters[16];

	for (size_t i = 0; i < mods.n && shown < sizeof(letters) - 1; i++) {
		if (!memchr("SWDe", mods.s[i], 4))
			letters[shown++] = mods.s[i];
	}
	letters[shown] = '\0';
	if (!shown || ev->set & EVENT_SET_NAME || ev->attr.type == PERF_TRACEPOINT || ev->attr.type == PERF_BREAKPOINT)
		return 0;

	bool has_mods = strchr(ev->name, ':') || strchr(ev->name, '/');

	ev->name = event_text(p, "%s%s%s", ev->name, has_mods ? "" : ":", letters);
	return ev->name ? 0 : err_nomem(p->e);
}

static int apply_mods(struct event_parser *p, size_t first, struct sv mods)
{
	int r = 0;

	for (size_t i = first; !r && i < p->l->v.n; i++) {
		struct event *ev = &p->l->v.v[i];

		r = event_mods_apply(p, ev, mods);
		if (!r)
			r = rename_member(p, ev, mods);
	}
	return r;
}

int event_group_close(struct event_parser *p, size_t first, struct sv mods, const char *at)
{
	size_t n = p->l->v.n - first, n_owners = 0;
	struct event *v = p->l->v.v + first;
	int r = apply_mods(p, first, mods);

	if (r || !n)
		return r;

	struct event *old = malloc(n * sizeof(*old));
	const void **owners = malloc(n * sizeof(*owners));

	if (!old || !owners)
		r = err_nomem(p->e);
	else
		n_owners = owners_collect(p, v, n, owners);
	if (!r && n_owners > 1 && !(v->set & EVENT_WEAK_GROUP))
		r = check_even(p, v, n, n_owners, at);
	if (!r) {
		memcpy(old, v, n * sizeof(*old));
		regroup(p, v, old, n, owners, n_owners, first);
	}
	free(old);
	free(owners);
	return r;
}
