/*
 * taskprof.c - pair events to spans, and sum them up in rows.
 *
 * A task's key is its tid; idle tasks, CPUs and the machine have keys of their own above 32 bits. The owner of a span
 * is the task, but for the span of being on a CPU, which the CPU owns.
 */
#include "analyse/taskprof_parts.h"

enum { STATE_ENDED = 0x30 };   /* X and Z of prev_state */
enum { OPEN_MAX = 256, OWNERS_MAX = 1 << 18, ROWS_MAX = 1 << 18, CPU_MAX = 8192, STACK_MAX = 256 };

#define KEY_IDLE (UINT64_C(1) << 32)
#define KEY_CPU (UINT64_C(2) << 32)
#define KEY_MACHINE (UINT64_C(3) << 32)

struct open {
	struct span span;
	uint64_t match, serial, val;
	uint32_t what, label, event;
	uint32_t node;   /* its stack, see stack_hold(); 0: none yet */
};

static struct open *open_of(struct span *sp)
{
	return (struct open *)sp;
}

/* The owner of the span of a task being on the CPU; other owners are indices of tasks. */
static uint64_t owner_of_cpu(uint32_t cpu)
{
	return UINT64_C(1) << 32 | cpu;
}

/* --- begin, end ---------------------------------------------------------------------------------------------- */

/* Limits were exceeded: the oldest starts, the least likely to find their end, are discarded. */
static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	((struct taskprof *)arg)->discarded++;
}

int taskprof_init(struct taskprof *t, const struct taskprof_want *w, struct err *e)
{
	*t = (struct taskprof){ .want = *w };
	spans_init(&t->open, sizeof(struct open), &(struct spans_limits){ .deep = OPEN_MAX, .owners = OWNERS_MAX,
									  .dropped = dropped, .arg = t });
	if (taskprof_pairs(t) || calltree_init(&t->stacks)) {
		taskprof_deinit(t);
		return err_nomem(e);
	}
	return 0;
}

void taskprof_deinit(struct taskprof *t)
{
	spans_deinit(&t->open);
	free(t->pairs);
	vec_free(&t->classes);
	map_deinit(&t->class_of);
	vec_free(&t->tasks);
	map_deinit(&t->task_of);
	vec_free(&t->rows);
	names_deinit(&t->row_ids);
	vec_free(&t->cpus);
	calltree_deinit(&t->stacks);
	vec_free(&t->times);
	names_deinit(&t->frames);
	map_deinit(&t->frame_of);
}

/* --- tasks and CPUs ------------------------------------------------------------------------------------------ */

static struct taskprof_cpu *cpu_of(struct taskprof *t, uint32_t cpu)
{
	cpu = MIN(cpu, (uint32_t)CPU_MAX - 1);
	while (t->cpus.n <= cpu) {
		struct taskprof_cpu *c = vec_add(&t->cpus);

		if (!c)
			return NULL;
		c->running = c->before = c->last_task = c->last_row = NAMES_NONE;
	}
	return &t->cpus.v[cpu];
}

static uint32_t task_by_key(struct taskprof *t, uint64_t key)
{
	uint64_t *at = map_add(&t->task_of, key, NULL);
	struct taskprof_task *task;

	if (!at || *at)
		return at ? (uint32_t)*at - 1 : NAMES_NONE;
	task = vec_add(&t->tasks);
	if (!task)
		return NAMES_NONE;
	*at = t->tasks.n;
	task->key = key;
	task->pid = (uint32_t)key;
	task->owner = (enum taskprof_owner)(key >> 32);
	return (uint32_t)t->tasks.n - 1;
}

static uint32_t task_by_pid(struct taskprof *t, uint64_t pid, uint32_t cpu)
{
	return task_by_key(t, pid ? (uint32_t)pid : KEY_IDLE | cpu);
}

static void learn_comm(struct taskprof_task *task, const struct tfield *f, const struct tstream_rec *rec)
{
	struct sv name = tfmt_str(f, rec->raw, rec->n);

	if (name.n)
		str_copy(task->comm, sizeof(task->comm), name);
}

/* Use the name in saved_cmdlines, until an event has a name. */
static void recall_comm(const struct taskprof *t, struct taskprof_task *task)
{
	const char *comm = tevents_comm(t->want.events, task->pid);

	if (comm)
		str_copy(task->comm, sizeof(task->comm), sv_from(comm));
}

static uint64_t field(const struct tfield *f, const struct tstream_rec *rec)
{
	return tfmt_value(f, rec->raw, rec->n);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

struct row_key {
	uint64_t val;
	uint32_t task, what, event, zero;
};

static uint32_t row_of(struct taskprof *t, struct row_key key, uint32_t label)
{
	struct taskprof_row *row;
	uint32_t id;

	/* Bound the rows: the values by which a hook matches may all be different. */
	if (key.what >= TASKPROF_PAIR && t->rows.n >= ROWS_MAX)
		key.val = UINT64_MAX;
	id = names_add(&t->row_ids, (const char *)&key, sizeof(key));
	if (id != t->rows.n)
		return id;
	row = vec_add(&t->rows);
	if (!row)
		return NAMES_NONE;
	*row = (struct taskprof_row){
		.task = key.task, .what = key.what, .event = key.event, .val = key.val, .label = label
	};
	return id;
}

static void time_add(struct taskprof_time *m, bool first, uint64_t delta, uint64_t ts)
{
	if (first || delta > m->max) {
		m->max = delta;
		m->max_ts = ts;
	}
	if (first || delta < m->min) {
		m->min = delta;
		m->min_ts = ts;
	}
}

static void row_add(struct taskprof *t, uint32_t id, uint64_t delta, uint64_t ts)
{
	struct taskprof_row *row = &t->rows.v[id];

	row->count++;
	row->total += delta;
	if (row->what == TASKPROF_FUNCTION || row->what == TASKPROF_EVENT)
		return;
	time_add(&row->time, row->count == 1, delta, ts);
}

/* --- stacks -------------------------------------------------------------------------------------------------- */

static uint32_t frame_of(struct taskprof *t, uint64_t addr)
{
	uint64_t *at = map_add(&t->frame_of, addr, NULL);
	const char *name;
	char hex[24];
	uint32_t id;

	if (!at)
		return NAMES_NONE;
	if (*at)
		return (uint32_t)*at - 1;
	name = t->want.symbol ? t->want.symbol(t->want.arg, addr) : NULL;
	if (!name) {
		snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)addr);
		name = hex;
	}
	id = names_add(&t->frames, name, strlen(name));
	if (id != NAMES_NONE)
		*at = id + 1;
	return id;
}

/*
 * Stacks of open spans are kept in the same tree, below a node for that purpose, until the span ends: so equal stacks
 * are the same node.
 */
enum { GROUP_HELD = 0 };

static uint32_t stack_child(struct taskprof *t, uint32_t at, uint32_t key)
{
	at = calltree_child(&t->stacks, at, key);
	return at != CALLTREE_NONE && t->stacks.nodes.n > t->times.n &&
			       vec_reserve(&t->times, t->stacks.nodes.n - t->times.n) ? CALLTREE_NONE : at;
}

/* Keep a stack: callers up to the end of the record, or to an entry of all ones. CALLTREE_NONE: no memory, 0: empty. */
static uint32_t stack_hold(struct taskprof *t, const struct tfield *f, const struct tstream_rec *rec)
{
	uint32_t size = f->long_size, at = stack_child(t, 0, GROUP_HELD);
	bool any = false;

	for (size_t off = f->offset, n = 0; n < STACK_MAX && off <= rec->n && rec->n - off >= size; off += size, n++) {
		uint64_t addr = traw_load(rec->raw + off, size, f->swap);
		uint32_t frame;

		if (traw_sext(addr, size) == -1 || !addr)
			break;
		frame = frame_of(t, addr);
		at = frame == NAMES_NONE || at == CALLTREE_NONE ? CALLTREE_NONE : stack_child(t, at, frame);
		any = true;
	}
	return any ? at : 0;
}

/* Add a kept stack below its row. */
static int stack_add(struct taskprof *t, uint32_t row, uint32_t held, uint64_t delta, uint64_t ts)
{
	uint32_t path[STACK_MAX], n = 0, at;

	for (at = held; t->stacks.nodes.v[at].parent && n < STACK_MAX; at = t->stacks.nodes.v[at].parent)
		path[n++] = t->stacks.nodes.v[at].key;
	at = stack_child(t, 0, row + 1);
	if (at == CALLTREE_NONE)
		return -ENOMEM;
	t->rows.v[row].node = at;
	while (n && at != CALLTREE_NONE)
		at = stack_child(t, at, path[--n]);
	if (at == CALLTREE_NONE)
		return -ENOMEM;
	while (t->times.n < t->stacks.nodes.n)
		t->times.v[t->times.n++] = (struct taskprof_time){ 0 };
	time_add(&t->times.v[at], !t->stacks.nodes.v[at].samples, delta, ts);
	calltree_add(&t->stacks, at, delta, 1);
	return 0;
}

/* --- spans --------------------------------------------------------------------------------------------------- */

static bool is_pinned(const struct taskprof *t, uint32_t what)
{
	return what >= TASKPROF_PAIR && t->pairs[what - TASKPROF_PAIR].flags & TASKPROF_PINNED;
}

static int span_open(struct taskprof *t, uint32_t task, struct open o, struct taskprof_cpu *cpu)
{
	struct open *new;

	o.span.owner = task;
	o.span.pinned = is_pinned(t, o.what);
	new = spans_open(&t->open, &o.span);
	if (!new)
		return -ENOMEM;
	o.span = new->span;
	*new = o;
	new->serial = ++t->opened;
	cpu->last_task = task;
	cpu->last_open = new->serial;
	cpu->last_row = NAMES_NONE;
	return 0;
}

/* The duration of a span. False: events were lost within it; it is counted as discarded. */
static bool span_took(struct taskprof *t, const struct span *sp, const struct tstream_rec *rec, uint64_t *delta)
{
	*delta = rec->ts > sp->ts ? rec->ts - sp->ts : 0;
	if (spans_whole(&t->open, sp, rec->cpu))
		return true;
	t->discarded++;
	return false;
}

/* End the newest start of this kind. 1: there was one and it counts; 0; -ENOMEM. */
static int span_close(struct taskprof *t, uint32_t task, uint32_t what, uint64_t match, const struct tstream_rec *rec)
{
	struct span *sp = spans_newest(&t->open, task);
	struct taskprof_cpu *cpu = cpu_of(t, rec->cpu);
	const struct open *o;
	uint64_t delta;
	uint32_t row;

	while (sp && !(open_of(sp)->what == what && open_of(sp)->match == match))
		sp = spans_older(&t->open, sp);
	if (!sp)
		return 0;
	spans_close(&t->open, sp);
	if (!span_took(t, sp, rec, &delta))
		return 0;
	o = open_of(sp);
	row = row_of(t, (struct row_key){ o->val, task, what, o->event, 0 }, o->label);
	if (row == NAMES_NONE)
		return -ENOMEM;
	row_add(t, row, delta, rec->ts);
	if (o->node)
		return stack_add(t, row, o->node, delta, rec->ts) ? -ENOMEM : 1;
	cpu->last_row = row;
	cpu->last_delta = delta;
	return 1;
}

/* --- events -------------------------------------------------------------------------------------------------- */

static int count_event(struct taskprof *t, uint32_t task, const struct taskprof_class *c, const struct tstream_rec *rec,
		       struct taskprof_cpu *cpu)
{
	bool function = c->kind == KIND_FUNCTION;
	uint32_t what = function ? TASKPROF_FUNCTION : TASKPROF_EVENT, id = c->event->fmt.id, label, row;
	uint64_t val = function ? field(c->event->field[FUNCTION_IP], rec) : id;

	label = function ? frame_of(t, val) : names_add(&t->frames, c->event->fmt.name, strlen(c->event->fmt.name));
	/* All addresses in one function are one row. */
	row = label == NAMES_NONE ? NAMES_NONE
				  : row_of(t, (struct row_key){ function ? label : val, task, what, id, 0 }, label);
	if (row == NAMES_NONE)
		return -ENOMEM;
	row_add(t, row, 0, rec->ts);
	cpu->last_row = row;
	cpu->last_delta = 0;
	return 0;
}

static uint32_t pair_task(struct taskprof *t, uint32_t pair, uint32_t running, const struct tfield *pid,
			  const struct tstream_rec *rec)
{
	unsigned flags = t->pairs[pair].flags;

	if (flags & TASKPROF_GLOBAL)
		return task_by_key(t, flags & TASKPROF_PINNED ? KEY_CPU | rec->cpu : KEY_MACHINE);
	return pid ? task_by_pid(t, field(pid, rec), rec->cpu) : running;
}

static uint32_t pair_label(struct taskprof *t, uint32_t pair, const struct taskprof_class *c,
			   const struct tstream_rec *rec, uint64_t match)
{
	struct sv name = { 0 };

	if (t->pairs[pair].flags & TASKPROF_CALL)
		return frame_of(t, match);
	if (c->of[pair].label)
		name = tfmt_str(c->of[pair].label, rec->raw, rec->n);
	return name.n ? names_add(&t->frames, name.s, name.n) : NAMES_NONE;
}

static int take_pairs(struct taskprof *t, uint32_t running, const struct taskprof_class *c,
		      const struct tstream_rec *rec, struct taskprof_cpu *cpu)
{
	int r = 0;

	for (uint32_t i = 0; r >= 0 && c->ends >> i; i++) {
		uint32_t task = c->ends >> i & 1 ? pair_task(t, i, running, c->of[i].pid, rec) : 0;

		if (task == NAMES_NONE)
			return -ENOMEM;
		if (c->ends >> i & 1)
			r = span_close(t, task, TASKPROF_PAIR + i, field(c->of[i].end, rec), rec);
	}
	for (uint32_t i = 0; r >= 0 && c->starts >> i; i++) {
		uint64_t match = field(c->of[i].start, rec);
		uint32_t task = c->starts >> i & 1 ? pair_task(t, i, running, c->of[i].pid, rec) : 0;

		if (task == NAMES_NONE)
			return -ENOMEM;
		if (!(c->starts >> i & 1))
			continue;
		r = span_open(t, task, (struct open){ .span = { .ts = rec->ts, .cpu = rec->cpu }, .match = match,
				       .val = match, .what = TASKPROF_PAIR + i, .event = c->event->fmt.id,
				       .label = pair_label(t, i, c, rec, match) }, cpu);
	}
	return r < 0 ? r : 0;
}

/* A task leaves the CPU: count the time that it was on it. */
static int off_cpu(struct taskprof *t, uint32_t task, const struct tstream_rec *rec, struct taskprof_cpu *cpu)
{
	struct span *sp = spans_newest(&t->open, owner_of_cpu(rec->cpu));
	uint64_t delta;
	uint32_t row;

	if (!sp || cpu->running != task || t->tasks.v[task].owner != TASKPROF_TASK)
		return 0;
	spans_close(&t->open, sp);
	if (!span_took(t, sp, rec, &delta))
		return 0;
	row = row_of(t, (struct row_key){ 0, task, TASKPROF_RUN, 0, 0 }, NAMES_NONE);
	if (row == NAMES_NONE)
		return -ENOMEM;
	row_add(t, row, delta, rec->ts);
	return 0;
}

static void leave_cpu(struct taskprof *t, uint32_t cpu)
{
	struct span *sp = spans_newest(&t->open, owner_of_cpu(cpu));

	if (sp)
		spans_close(&t->open, sp);
}

static int on_cpu(struct taskprof *t, uint32_t task, const struct tstream_rec *rec, struct taskprof_cpu *cpu)
{
	struct span start = { .owner = owner_of_cpu(rec->cpu), .ts = rec->ts, .cpu = rec->cpu, .pinned = true };

	leave_cpu(t, rec->cpu);
	cpu->running = task;
	return spans_open(&t->open, &start) ? 0 : -ENOMEM;
}

/* An event shows a task on the CPU without a switch: its time counts from here only at the start of the trace. */
static int on_cpu_unseen(struct taskprof *t, uint32_t task, const struct tstream_rec *rec, struct taskprof_cpu *cpu)
{
	if (cpu->running == NAMES_NONE)
		return on_cpu(t, task, rec, cpu);
	leave_cpu(t, rec->cpu);
	cpu->running = task;
	return 0;
}

/* A task has ended: close its spans, since its tid may be reused. */
static void forget(struct taskprof *t, uint32_t task)
{
	struct span *sp;

	while ((sp = spans_newest(&t->open, task)) != NULL)
		spans_close(&t->open, sp);
}

static int take_switch(struct taskprof *t, const struct taskprof_class *c, const struct tstream_rec *rec,
		       struct taskprof_cpu *cpu)
{
	const struct tfield **f = c->event->field;
	uint64_t state = field(f[SWITCH_PREV_STATE], rec), low = state & (TASKPROF_PREEMPTED - 1);
	uint32_t prev = task_by_pid(t, field(f[SWITCH_PREV_PID], rec), rec->cpu);
	uint32_t next = task_by_pid(t, field(f[SWITCH_NEXT_PID], rec), rec->cpu);
	int r;

	t->switches++;
	if (prev == NAMES_NONE || next == NAMES_NONE || off_cpu(t, prev, rec, cpu) || on_cpu(t, next, rec, cpu))
		return -ENOMEM;
	learn_comm(&t->tasks.v[prev], f[SWITCH_PREV_COMM], rec);
	learn_comm(&t->tasks.v[next], f[SWITCH_NEXT_COMM], rec);
	t->tasks.v[prev].sleeping = low;
	t->tasks.v[next].sleeping = false;
	cpu->before = prev;
	/* It was woken, or it was preempted (or its wake-up was not seen). */
	r = span_close(t, next, TASKPROF_WAKEUP, 0, rec);
	if (r >= 0)
		r = span_close(t, next, TASKPROF_SWITCH, 0, rec);
	if (r < 0)
		return r;
	cpu->last_row = NAMES_NONE;
	if (low & STATE_ENDED) {
		forget(t, prev);
		return 0;
	}
	return span_open(t, prev, (struct open){ .span = { .ts = rec->ts, .cpu = rec->cpu }, .what = TASKPROF_SWITCH,
			 .label = NAMES_NONE, .val = low ? low : state ? TASKPROF_PREEMPTED : 0 }, cpu);
}

static int take_wakeup(struct taskprof *t, const struct taskprof_class *c, const struct tstream_rec *rec,
		       struct taskprof_cpu *cpu)
{
	const struct tfield **f = c->event->field;
	uint32_t task = task_by_pid(t, field(f[WAKEUP_PID], rec), rec->cpu);

	if (task == NAMES_NONE)
		return -ENOMEM;
	learn_comm(&t->tasks.v[task], f[WAKEUP_COMM], rec);
	if (!t->tasks.v[task].sleeping || (f[WAKEUP_SUCCESS] && !field(f[WAKEUP_SUCCESS], rec)))
		return 0;
	t->tasks.v[task].sleeping = false;
	if (span_close(t, task, TASKPROF_SWITCH, 0, rec) < 0)
		return -ENOMEM;
	return span_open(t, task, (struct open){ .span = { .ts = rec->ts, .cpu = rec->cpu }, .what = TASKPROF_WAKEUP,
			 .label = NAMES_NONE }, cpu);
}

/* A stack belongs to the event before it on the same CPU and of the same task. */
static int take_stack(struct taskprof *t, const struct taskprof_class *c, const struct tstream_rec *rec,
		      struct taskprof_cpu *cpu)
{
	bool owned = cpu->last_open || cpu->last_row != NAMES_NONE;
	uint32_t held = owned ? stack_hold(t, c->event->field[STACK_CALLER], rec) : 0, row = cpu->last_row;
	uint64_t serial = cpu->last_open;

	cpu->last_row = NAMES_NONE;
	cpu->last_open = 0;
	if (!held || held == CALLTREE_NONE)
		return held ? -ENOMEM : 0;
	if (row != NAMES_NONE)
		return stack_add(t, row, held, cpu->last_delta, rec->ts);
	for (struct span *sp = spans_newest(&t->open, cpu->last_task); sp; sp = spans_older(&t->open, sp))
		if (open_of(sp)->serial == serial)
			open_of(sp)->node = held;
	return 0;
}

static int take(struct taskprof *t, const struct taskprof_class *c, const struct tstream_rec *rec, uint32_t pid)
{
	struct taskprof_cpu *cpu = cpu_of(t, rec->cpu);
	uint32_t task = task_by_pid(t, pid, rec->cpu);

	if (!cpu || task == NAMES_NONE)
		return -ENOMEM;
	if (!*t->tasks.v[task].comm && pid)
		recall_comm(t, &t->tasks.v[task]);
	/* A task may still have events after its sched_switch event. */
	if (cpu->running != task && cpu->before != task && c->kind != KIND_SCHED_SWITCH &&
	    on_cpu_unseen(t, task, rec, cpu))
		return -ENOMEM;
	if (c->kind == KIND_KERNEL_STACK)
		return cpu->last_pid == pid ? take_stack(t, c, rec, cpu) : 0;
	cpu->last_pid = pid;
	cpu->last_open = 0;
	cpu->last_row = NAMES_NONE;
	/* Hooks may use switches and wake-ups, too; they belong to the task that was running before. */
	if (c->starts | c->ends && take_pairs(t, task, c, rec, cpu))
		return -ENOMEM;
	if (c->kind == KIND_SCHED_SWITCH)
		return take_switch(t, c, rec, cpu);
	if (c->kind == KIND_SCHED_WAKEUP)
		return take_wakeup(t, c, rec, cpu);
	return c->starts | c->ends ? 0 : count_event(t, task, c, rec, cpu);
}

int taskprof_record(struct taskprof *t, const struct tstream_rec *rec)
{
	struct taskprof_cpu *cpu = cpu_of(t, rec->cpu);
	const struct taskprof_class *c = taskprof_class_of(t, rec->raw, rec->n);
	uint64_t pid;

	if (!cpu || !c || spans_follow(&t->open, rec))
		return -ENOMEM;
	t->last_ts = MAX(t->last_ts, rec->ts);
	if (!c->event || !c->event->common[COMMON_PID])
		return 0;
	if (!tfmt_u64(c->event->common[COMMON_PID], rec->raw, rec->n, &pid))
		return 0;
	return take(t, c, rec, (uint32_t)pid);
}

int taskprof_end(struct taskprof *t)
{
	/* The running tasks are known only if switches are traced. */
	for (uint32_t i = 0; t->switches && i < t->cpus.n; i++) {
		struct tstream_rec now = { .ts = t->last_ts, .cpu = i };
		struct taskprof_cpu *cpu = &t->cpus.v[i];
		const struct span *sp = spans_newest(&t->open, owner_of_cpu(i));

		if (sp && sp->ts < now.ts && off_cpu(t, cpu->running, &now, cpu))
			return -ENOMEM;
		cpu->running = NAMES_NONE;
	}
	return 0;
}
