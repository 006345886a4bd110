/* probe_kinds.c - tracepoints that are in the lists of dynamic events, and events of the probe PMUs. */
#include "live/probe_kinds.h"

#include "base/str.h"
#include "probing/existing.h"
#include "probing/pmu_probe.h"
#include "probing/probe_kind.h"

static uint8_t kind_of_tracepoint(const struct sys *sys, const struct existing *x, const struct event *ev)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < x->v.n; i++) {
		const struct dynevent *d = &x->v.v[i];

		if (!sv_eq(d->group, ev->tp_system) || !sv_eq(d->event, ev->tp_name))
			continue;
		str_copy(path, sizeof(path), d->target);
		return d->kind == DYNEVENT_UPROBE   ? (uint8_t)probe_kind_at(sys, path, d->offset, d->is_return)
		       : d->kind == DYNEVENT_KPROBE ? PROBE_OF_KERNEL
						    : PROBE_NONE;
	}
	return PROBE_NONE;
}

/* config1 points to the path; the lowest bit of config says that the function's return is probed. */
static enum probe_kind kind_of_attr(const struct sys *sys, const struct perf_attr *attr)
{
	return probe_kind_at(sys, (const char *)(uintptr_t)attr->config1, attr->config2, attr->config & 1);
}

/* Who may not read the lists has opened none of their events. */
static void read_lists(struct existing *x, const struct sys *sys, const struct event_list *l)
{
	bool any = false;
	struct tfs t;

	for (size_t i = 0; i < l->v.n; i++)
		any |= l->v.v[i].tp_name != NULL;
	if (any && !tfs_open(&t, sys, NULL))
		existing_read(x, &t, NULL);
}

uint8_t *probe_kinds(const struct sys *sys, const struct event_list *l)
{
	int kernel = pmu_probe_type(sys, PMU_PROBE_KERNEL, NULL);
	int user = pmu_probe_type(sys, PMU_PROBE_USER, NULL);
	uint8_t *kinds = calloc(l->v.n + 1, 1);
	struct existing x = { 0 };

	if (!kinds)
		return NULL;
	read_lists(&x, sys, l);
	for (size_t i = 0; i < l->v.n; i++) {
		const struct event *ev = &l->v.v[i];

		if (ev->tp_name)
			kinds[i] = kind_of_tracepoint(sys, &x, ev);
		else if (ev->attr.type == (uint32_t)kernel)
			kinds[i] = PROBE_OF_KERNEL;
		else if (ev->attr.type == (uint32_t)user)
			kinds[i] = (uint8_t)kind_of_attr(sys, &ev->attr);
	}
	existing_deinit(&x);
	return kinds;
}
