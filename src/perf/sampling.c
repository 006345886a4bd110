/* sampling.c - sample types, periods and flags of a recording. */
#include "perf/sampling.h"

#include "perf/attr.h"
#include "perf/callgraph.h"

#define SAMPLE_ALWAYS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define TRACK_FLAGS (PERF_ATTR_MMAP | PERF_ATTR_MMAP2 | PERF_ATTR_COMM | PERF_ATTR_COMM_EXEC | PERF_ATTR_TASK | \
		     PERF_ATTR_KSYMBOL)

/* Is every occurrence of the event recorded by default? Then a frequency would make no sense. */
static bool counts_each(const struct perf_attr *a, const struct event *ev)
{
	return a->type == PERF_TRACEPOINT || a->type == PERF_BREAKPOINT || ev->is_probe;
}

static void choose_period(struct perf_attr *a, const struct event *ev, const struct sampling_want *w)
{
	if (ev->set & (EVENT_SET_PERIOD | EVENT_SET_FREQ)) {
		a->flags |= ev->set & EVENT_SET_FREQ ? PERF_ATTR_FREQ : 0;
	} else if (w->period) {
		a->sample_period = w->period;
	} else if (w->freq && (w->freq_of_all || !counts_each(a, ev))) {
		a->sample_period = w->freq;
		a->flags |= PERF_ATTR_FREQ;
	} else if (counts_each(a, ev)) {
		a->sample_period = 1;
	} else {
		a->sample_period = SAMPLING_DEFAULT_FREQ;
		a->flags |= PERF_ATTR_FREQ;
	}
	if (w->no_samples && !(ev->set & EVENT_SET_PERIOD))
		a->sample_period = 0;
	/*
	 * The weight of a sample is its period; a constant one is in the attr. But some tracepoints count by more than
	 * 1 per hit (sched_stat_runtime by ns): without PERIOD the kernel would write that many samples for one hit.
	 */
	if (a->flags & PERF_ATTR_FREQ || (a->type == PERF_TRACEPOINT && a->sample_period == 1))
		a->sample_type |= PERF_SAMPLE_PERIOD;
}

static void choose_callchain(struct perf_attr *a, const struct event *ev, const struct sampling_want *w)
{
	bool want = (w->callchain || ev->set & EVENT_SET_CALLCHAIN) && !(ev->set & EVENT_SET_NO_CALLCHAIN);

	a->sample_stack_user = 0;
	if (!want)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (!(ev->set & EVENT_SET_MAX_STACK))
		a->sample_max_stack = w->max_stack;
	a->flags |= w->callchain_flags;
	if (!callgraph_copies(a, ev, w) && w->chain_regs &&
	    !(a->flags & (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_USER))) {
		a->sample_type |= PERF_SAMPLE_REGS_USER;
		a->sample_regs_user |= w->chain_regs;
	}
	/* A kernel probe hits at a known place, so LR is of use; other events hit at any instruction of the kernel. */
	if (w->chain_regs && ev->is_in_kernel &&
	    !(a->flags & (PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL))) {
		a->sample_type |= PERF_SAMPLE_REGS_INTR;
		a->sample_regs_intr |= w->chain_regs;
	}
	/* Since 6.12 kernel chains need the permission to sample the kernel: do not ask for what is excluded anyway. */
	if (a->flags & PERF_ATTR_EXCLUDE_KERNEL)
		a->flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
}

/*
 * {a,b}:S - only the leader samples, and each sample reads the whole group; inherited events cannot be read as groups
 * (Linux before 6.12). Every member keeps the leader's sample type, because the ids must be at the same offset in all
 * records of a recording.
 */
static void choose_leader_sampling(struct perf_attr *a, const struct event *ev, unsigned role)
{
	if (!(ev->set & EVENT_LEADER_SAMPLING))
		return;
	a->sample_type |= PERF_SAMPLE_READ;
	a->read_format |= PERF_FORMAT_GROUP;
	a->flags &= ~(PERF_ATTR_INHERIT | PERF_ATTR_INHERIT_STAT);
	if (role & SAMPLING_FOLLOWER) {
		a->sample_period = 0;
		a->flags &= ~PERF_ATTR_FREQ;
		a->sample_type |= PERF_SAMPLE_PERIOD;
	}
}

/*
 * Members of a group are opened enabled, so that they count whenever their leader does. If they were enabled after
 * a leader that is already running, Linux 6.12 would not count them.
 */
static void choose_start(struct perf_attr *a, const struct sampling_want *w, unsigned role)
{
	if (role & SAMPLING_FOLLOWER)
		return;
	a->flags |= PERF_ATTR_DISABLED;
	if (w->on_exec == SAMPLING_ALL_ON_EXEC || (w->on_exec && role & SAMPLING_TRACKER))
		a->flags |= PERF_ATTR_ENABLE_ON_EXEC;
}

/* The options that apply to every event. */
static void choose_extras(struct perf_attr *a, const struct sampling_want *w)
{
	bool never_samples = attr_is_dummy(a);

	/* The kernel refuses a branch stack for the dummy event. */
	a->sample_type |= never_samples ? w->extra & ~PERF_SAMPLE_BRANCH_STACK : w->extra;
	a->branch_sample_type = never_samples ? 0 : w->branches;
	a->sample_type |= w->shown_user && !never_samples ? PERF_SAMPLE_REGS_USER : 0;
	a->sample_type |= w->shown_intr && !never_samples ? PERF_SAMPLE_REGS_INTR : 0;
	a->sample_regs_user |= never_samples ? 0 : w->shown_user;
	a->sample_regs_intr |= never_samples ? 0 : w->shown_intr;
	if (w->raw || a->type == PERF_TRACEPOINT)
		a->sample_type |= PERF_SAMPLE_RAW;
	if (w->use_clockid) {
		a->flags |= PERF_ATTR_USE_CLOCKID;
		a->clockid = w->clockid;
	}
	if (w->task_counts || w->running_time)
		a->read_format |= PERF_FORMAT_ENABLED | PERF_FORMAT_RUNNING;
	if (w->task_counts)
		a->flags |= a->flags & PERF_ATTR_INHERIT ? PERF_ATTR_INHERIT_STAT : 0;
	if (w->each_wakes) {
		a->wakeup = 1;
	} else if (w->wakeup) {
		a->flags |= PERF_ATTR_WATERMARK;
		a->wakeup = w->wakeup;
	}
}

void sampling_attr(struct perf_attr *a, const struct event *ev, const struct sampling_want *w, unsigned role)
{
	bool inherit = ev->set & EVENT_SET_INHERIT ? true : ev->set & EVENT_SET_NO_INHERIT ? false : w->inherit;

	*a = ev->attr;
	a->size = sizeof(*a);
	a->sample_type |= SAMPLE_ALWAYS;
	a->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	a->flags |= PERF_ATTR_SAMPLE_ID_ALL;
	if (inherit)
		a->flags |= PERF_ATTR_INHERIT;
	choose_start(a, w, role);
	choose_period(a, ev, w);
	choose_callchain(a, ev, w);
	choose_extras(a, w);
	choose_leader_sampling(a, ev, role);
	if (role & SAMPLING_TRACKER)
		a->flags |= TRACK_FLAGS | w->track;
}

void sampling_tracker(struct event *ev)
{
	*ev = (struct event){
		.attr = { .type = PERF_SOFTWARE, .config = PERF_SW_DUMMY, .sample_period = 1 },
		.name = "dummy:HG",
		.tp_system = NULL,
		.set = EVENT_SET_PERIOD | EVENT_SET_NO_CALLCHAIN,
		.unit = "",
		.scale = 1,
	};
}
