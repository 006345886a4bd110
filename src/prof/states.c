/* states.c - one span for each task: its current state. */
#include "prof/states.h"

#include "analyse/taskprof.h"

struct stay {
	struct span span;                /* must be first; its owner is the task */
	enum task_state state;
	uint32_t stack;
	uint64_t seq;
};

const char *task_state_name(enum task_state s)
{
	static const char *const names[TASK_STATES] = { "R", "S", "D", "T", "t", "P", "I", "RD" };

	return s < TASK_STATES ? names[s] : "?";
}

/* The state by prev_state; TASK_STATES: dead, or another state. */
static enum task_state state_of(uint64_t prev_state)
{
	/* Bits of TASK_REPORT, Linux 4.14; the next bit, "R+", means preempted. */
	static const enum task_state states[] = {
		TASK_S, TASK_D, TASK_T, TASK_TRACED, TASK_STATES, TASK_STATES, TASK_PARKED, TASK_IDLE,
	};

	for (unsigned i = 0; i < ARRAY_SIZE(states); i++)
		if (prev_state >> i & 1)
			return states[i];
	return prev_state & ~(uint64_t)TASKPROF_PREEMPTED ? TASK_STATES : TASK_RD;
}

static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	struct states *s = arg;

	s->dropped++;
	s->n_open--;
}

void states_init(struct states *s)
{
	spans_init(&s->open, sizeof(struct stay), &(struct spans_limits){ 1, STATES_TASKS, dropped, s });
}

void states_deinit(struct states *s)
{
	spans_deinit(&s->open);
}

/* End the open stay. */
static int leave(struct states *s, struct stay *old, const struct states_at *at)
{
	struct states_stay stay = {
		.tid = at->tid, .cpu = old->span.cpu, .state = old->state, .from = old->span.ts, .to = at->time,
		.seq = old->seq, .stack = old->stack, .end_stack = at->stack, .comm = at->comm,
	};
	bool whole = spans_whole(&s->open, &old->span, at->cpu) && at->time >= old->span.ts;

	spans_close(&s->open, &old->span);
	s->n_open--;
	if (whole)
		return s->over(s->arg, &stay);
	s->discarded++;
	return 0;
}

static int enter(struct states *s, const struct states_at *at, enum task_state state)
{
	/* Both ends of a stay on a CPU are events of that CPU. */
	struct stay *stay = spans_open(&s->open, &(struct span){ .owner = at->tid, .ts = at->time, .cpu = at->cpu,
								 .pinned = state == TASK_R });

	if (!stay)
		return -ENOMEM;
	stay->state = state;
	stay->stack = at->stack;
	stay->seq = at->seq;
	s->n_open++;
	return 0;
}

static struct stay *now(const struct states *s, uint32_t tid)
{
	return (struct stay *)spans_newest(&s->open, tid);
}

/* A stay in an impossible state is the result of lost events: discard it. */
static int leave_if(struct states *s, const struct states_at *at, bool fits)
{
	struct stay *old = now(s, at->tid);

	if (!old)
		return 0;
	if (fits)
		return leave(s, old, at);
	spans_close(&s->open, &old->span);
	s->n_open--;
	s->discarded++;
	return 0;
}

int states_switched_out(struct states *s, const struct states_at *at, uint64_t prev_state)
{
	enum task_state state = state_of(prev_state);
	const struct stay *old = now(s, at->tid);
	int r;

	if (!at->tid)
		return 0;
	r = leave_if(s, at, old && old->state == TASK_R);
	return r || state >= TASK_STATES ? r : enter(s, at, state);
}

int states_switched_in(struct states *s, const struct states_at *at)
{
	const struct stay *old = now(s, at->tid);
	int r;

	if (!at->tid)
		return 0;
	r = leave_if(s, at, old && old->state != TASK_R);
	return r ? r : enter(s, at, TASK_R);
}

int states_woken(struct states *s, const struct states_at *at)
{
	const struct stay *old = now(s, at->tid);
	int r = 0;

	/* A task that is running or runnable cannot be woken. */
	if (!at->tid || (old && (old->state == TASK_R || old->state == TASK_RD)))
		return 0;
	if (old)
		r = leave_if(s, at, true);
	return r ? r : enter(s, at, TASK_RD);
}

int states_lose(struct states *s, uint32_t cpu)
{
	return spans_lose(&s->open, cpu);
}
