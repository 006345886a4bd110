/* profile_plan.c - the usual events, and those of hooks. */
#include "cmd/ftrace/profile_plan.h"

#include "analyse/taskprof.h"

static const struct {
	enum tkind kind;
	bool stack;
} usual[] = {
	{ KIND_SCHED_SWITCH, true },
	{ KIND_SCHED_WAKEUP, true },
	{ KIND_SCHED_EXEC, false },
	{ KIND_IRQ_ENTRY, false },
	{ KIND_IRQ_EXIT, false },
	{ KIND_SOFTIRQ_RAISE, false },
	{ KIND_SOFTIRQ_ENTRY, false },
	{ KIND_SOFTIRQ_EXIT, false },
	{ KIND_SYS_ENTER, false },
	{ KIND_SYS_EXIT, false },
	{ KIND_PAGE_FAULT_USER, false },
};

static int add(struct want *w, const char *name, bool stack, struct err *e)
{
	struct plan_event *ev = vec_add(&w->plans.v[0].events);
	const char **trigger;

	if (!ev)
		return err_nomem(e);
	ev->pattern = arena_dup(&w->arena, name, strlen(name));
	trigger = stack ? vec_add(&ev->triggers) : NULL;
	if (!ev->pattern || (stack && !trigger))
		return err_nomem(e);
	if (stack)
		*trigger = "stacktrace";
	return 0;
}

static int add_usual(struct want *w, const struct tfs *top, struct err *e)
{
	char text[160];
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(usual) && !r; i++) {
		const char *system = tkind_system(usual[i].kind), *name = tkind_name(usual[i].kind);

		snprintf(text, sizeof(text), "events/%s/%s/enable", system, name);
		if (!tfs_has(top, text))
			continue;
		snprintf(text, sizeof(text), "%s:%s", system, name);
		r = add(w, text, usual[i].stack, e);
	}
	return r;
}

static int add_hooks(struct want *w, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < w->prof.hooks.n && !r; i++) {
		struct taskprof_pair p;

		r = taskprof_pair_parse(&p, w->prof.hooks.v[i], e);
		if (!r)
			r = add(w, p.start, p.flags & TASKPROF_STACK, e);
		if (!r)
			r = add(w, p.end, false, e);
	}
	return r;
}

int profile_plan(struct want *w, const struct tfs *top, struct err *e)
{
	struct plan *p = &w->plans.v[0];
	bool wanted = w->prof.on && !w->prof.only_given;
	int r = wanted ? add_usual(w, top, e) : 0;

	/* Functions of depth 1 show where tasks enter the kernel, and for how long. */
	if (wanted && !p->tracer && !p->functions.n && tfs_has(top, "max_graph_depth")) {
		p->tracer = "function_graph";
		p->graph_depth = p->graph_depth ? p->graph_depth : 1;
	}
	return r ? r : add_hooks(w, e);
}
