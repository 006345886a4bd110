/* event_env.c - the callbacks of perf/event.h, by PMUs of sysfs and tracepoints of tracefs. */
#include "live/event_env.h"

#include "machine/pmus.h"
#include "live/run_probes.h"
#include "machine/tracepoints.h"

struct live {
	struct event_env env;      /* must be first: the caller's pointer */
	struct pmus pmus;
	const struct sys *sys;
	struct run_probes *probes;   /* NULL: none yet */
	enum { EXTENDED_UNKNOWN, EXTENDED_YES, EXTENDED_NO } extended;
};

static int live_tracepoints(void *arg, const char *system, const char *name,
			    int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to,
			    struct err *e)
{
	const struct live *l = arg;

	return tracepoints_each(l->sys, system, name, found, to, e);
}

static void live_tracepoint_names(void *arg, void (*feed)(void *to, const char *name), void *to)
{
	const struct live *l = arg;

	tracepoints_names(l->sys, feed, to);
}

/* Depends on kernel version and PMU driver, so it is tried. For a copied tree, which cannot be tried, it is assumed. */
static bool live_extended(void *arg, const struct pmu *pmu)
{
	struct live *l = arg;
	struct perf_attr attr = {
		.type = PERF_HARDWARE,
		.size = PERF_ATTR_VER0,
		.config = PERF_HW_CYCLES | (uint64_t)pmu->type << 32,
		.flags = PERF_ATTR_DISABLED | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV,
	};

	if (l->extended == EXTENDED_UNKNOWN && l->sys->root[0])
		l->extended = EXTENDED_YES;
	if (l->extended == EXTENDED_UNKNOWN) {
		int fd = l->sys->perf_event_open(l->sys, &attr, 0, -1, -1, PERF_FLAG_CLOEXEC);

		l->extended = fd == -ENOENT || fd == -EINVAL ? EXTENDED_NO : EXTENDED_YES;
		if (fd >= 0)
			l->sys->close(l->sys, fd);
	}
	return l->extended == EXTENDED_YES;
}

static int live_probe(void *arg, const char *text, const struct event_probe_found *f, const char **end, struct err *e)
{
	struct live *l = arg;

	if (!l->probes)
		l->probes = run_probes_new(l->sys, e);
	return l->probes ? run_probes_add(l->probes, text, f, end, e) : -ENOMEM;
}

struct event_env *event_env_new(const struct sys *sys)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->sys = sys;
	pmus_init(&l->pmus, sys);
	l->env = (struct event_env){
		.pmus = &l->pmus,
		.arch = arch_native(),
		.tracepoints = live_tracepoints,
		.tracepoint_names = live_tracepoint_names,
		.extended_hw_type = live_extended,
		.probe = live_probe,
		.arg = l,
	};
	return &l->env;
}

const struct run_probes *event_env_probes(const struct event_env *env)
{
	return ((const struct live *)env)->probes;
}

void event_env_free(struct event_env *env)
{
	struct live *l = (struct live *)env;

	if (!l)
		return;
	run_probes_free(l->probes);
	pmus_deinit(&l->pmus);
	free(l);
}
