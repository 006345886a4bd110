/* probe_kinds.c - looks tracepoints up in the kernel's lists of dynamic events, and PMU types in sysfs. */
#include "live/probe_kinds.h"

#include "base/str.h"
#include "probing/cost_trial.h"
#include "probing/kernel_list.h"
#include "probing/pmu_probe.h"

static uint8_t kind_of_tracepoint(const struct sys *sys, const struct kernel_list *x, const struct event *ev)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < x->v.n; i++) {
		const struct dynevent *d = &x->v.v[i];

		if (!sv_eq(d->group, ev->tp_system) || !sv_eq(d->event, ev->tp_name))
			continue;
		str_copy(path, sizeof(path), d->target);
		return d->kind == DYNEVENT_UPROBE   ? (uint8_t)cost_kind_at(sys, path, d->offset, d->is_return)
		       : d->kind == DYNEVENT_KPROBE ? PROBE_OF_KERNEL
						    : PROBE_NONE;
	}
	return PROBE_NONE;
}

/* config1 points to the path; the lowest bit of config says that the function's return is probed. */
static enum probe_kind kind_of_attr(const struct sys *sys, const struct perf_attr *attr)
{
	return cost_kind_at(sys, (const char *)(uintptr_t)attr->config1, attr->config2, attr->config & 1);
}

/* Errors do not matter: without permission to read the lists no event of them could have been opened. */
static void read_lists(struct kernel_list *x, struct tfs *t, const struct sys *sys, const struct event_list *l)
{
	bool any = false;

	for (size_t i = 0; i < l->v.n; i++)
		any |= l->v.v[i].tp_name != NULL;
	if (any && !tfs_open(t, sys, NULL))
		kernel_list_read(x, t, NULL);
}

uint8_t *probe_kinds(const struct sys *sys, const struct event_list *l)
{
	int kernel = pmu_probe_type(sys, PMU_PROBE_KERNEL, NULL);
	int user = pmu_probe_type(sys, PMU_PROBE_USER, NULL);
	uint8_t *kinds = calloc(l->v.n + 1, 1);
	struct kernel_list x = { 0 };
	struct tfs t;

	if (!kinds)
		return NULL;
	read_lists(&x, &t, sys, l);
	for (size_t i = 0; i < l->v.n; i++) {
		const struct event *ev = &l->v.v[i];

		if (ev->tp_name)
			kinds[i] = kind_of_tracepoint(sys, &x, ev);
		else if (ev->attr.type == (uint32_t)kernel)
			kinds[i] = PROBE_OF_KERNEL;
		else if (ev->attr.type == (uint32_t)user)
			kinds[i] = (uint8_t)kind_of_attr(sys, &ev->attr);
	}
	kernel_list_deinit(&x);
	return kinds;
}
