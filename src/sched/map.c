/* map.c - sonde sched map: which task is on which CPU, one line per switch. */
#include "sched/common.h"

#include "base/map.h"

enum { MAP_TASKS = 1 << 18, CPUS_UNKNOWN = 1, NAMES_MAX = 64, CELL = 4, ROW_ENDS = 4 };

#define NO_COLUMN UINT32_MAX

#define BLUE "\x1b[34m"
#define ON_RED "\x1b[41m"
#define NORMAL "\x1b[m"

struct want {
	struct view_want sched;
	const char *cpus, *color_cpus, *color_pids, *names;
	bool compact, fuzzy;
};

static const struct opt opts[] = {
	OPT_HEAD("What is shown"),
	OPT_FLAG(0, "compact", struct want, compact, "print only CPUs with switches, in order of their first one"),
	OPT_STR(0, "cpus", struct want, cpus, "<list>", "only switches on these CPUs: 0,2-5"),
	OPT_STR(0, "task-name", struct want, names, "<names>", "only switches from or to tasks with these names"),
	OPT_FLAG(0, "fuzzy-name", struct want, fuzzy, "match parts of names in --task-name"),
	OPT_STR(0, "color-pids", struct want, color_pids, "<tids>", "print these threads in blue"),
	OPT_STR(0, "color-cpus", struct want, color_cpus, "<list>", "print these CPUs with red background"),
	OPT_HEAD("Input"),
	OPT_STR('i', "input", struct want, sched.prof.from.input, "<file>", "recording to read (default perf.data)"),
	OPT_SUB(view_opts, struct want, sched),
	OPT_END,
};

struct task {
	uint32_t tid;
	char name[3];                    /* "A0"; ". ": idle; "- ": not in --task-name; "": not yet named */
	bool renamed, colored;
	bool known;                      /* its comm is known, from a COMM record or an event */
	bool ended;                      /* its tid belongs to another task now */
};

struct cpu {
	uint32_t on;                     /* index of the running task + 1; 0: unknown */
	uint32_t column;                 /* NO_COLUMN: with --compact, no switch yet */
};

struct map_view {
	struct prof *prof;
	const struct want *want;
	struct out *out;
	struct sched_ends ends;
	struct map of;                   /* tid -> index + 1 */
	VEC(struct task) tasks;
	VEC(struct cpu) cpus;
	VEC(uint32_t) order;             /* column -> CPU */
	VEC(char) row;                   /* the line: two spaces, the cells (" A0 ") without star, two spaces */
	struct cpus only, red;
	VEC(uint32_t) blue;
	char letter, digit;              /* of the next two-letter name */
	uint64_t dropped, switches, bugs;
};

/* --- options --- */

static int read_ids(struct map_view *m, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), piece;

	while (sv_cut(&rest, ',', &piece)) {
		uint64_t id;
		uint32_t *to;

		if (!str_u64(sv_trim(piece), 10, &id) || id > INT32_MAX)
			return err_set(e, EINVAL, "--color-pids: '%.*s' is no number of a task",
				       (int)MIN(piece.n, 40u), piece.s);
		to = vec_add(&m->blue);
		if (!to)
			return err_nomem(e);
		*to = (uint32_t)id;
	}
	return 0;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct map_view *m = p->own;
	int r = w->cpus ? cpus_parse(&m->only, sv_from(w->cpus), e) : 0;

	if (!r && w->color_cpus)
		r = cpus_parse(&m->red, sv_from(w->color_cpus), e);
	if (!r && w->color_pids)
		r = read_ids(m, w->color_pids, e);
	if (!r && w->fuzzy && !w->names)
		r = err_set(e, EINVAL, "--fuzzy-name: which name? --task-name says it");
	return r ? r : prof_add(p, "sched:sched_switch", e);
}

static int ends(void *arg, uint32_t tid)
{
	struct map_view *m = arg;
	uint64_t *at = map_get(&m->of, tid);

	if (at && *at) {
		m->tasks.v[*at - 1].ended = true;
		*at = 0;
	}
	return 0;
}

/* Append a column for the CPU, with a blank cell. */
static int add_column(struct map_view *m, uint32_t cpu)
{
	uint32_t *of = vec_reserve(&m->row, CELL) ? NULL : vec_add(&m->order);

	if (!of)
		return -ENOMEM;
	*of = cpu;
	m->cpus.v[cpu].column = (uint32_t)m->order.n - 1;
	memset(m->row.v + m->row.n, ' ', CELL);
	m->row.n += CELL;
	return 0;
}

static int need_cpus(struct map_view *m, uint32_t n)
{
	while (m->cpus.n < n) {
		struct cpu *c = vec_add(&m->cpus);

		if (!c)
			return -ENOMEM;
		c->column = NO_COLUMN;
		if (!m->want->compact && add_column(m, (uint32_t)m->cpus.n - 1))
			return -ENOMEM;
	}
	return 0;
}

/* Add a column for this CPU if it has none. 1: added; 0: it has one; -ENOMEM. */
static int need_column(struct map_view *m, uint32_t cpu)
{
	if (m->cpus.v[cpu].column != NO_COLUMN)
		return 0;
	return add_column(m, cpu) ? -ENOMEM : 1;
}

static int begin(struct prof *p, struct err *e)
{
	struct map_view *m = p->own;
	uint32_t cpus = view_cpus(p);

	m->prof = p;
	m->want = p->want;
	m->out = p->feed.expr.out;
	m->letter = 'A';
	m->digit = '0';
	m->ends = (struct sched_ends){ .ends = ends, .arg = m };
	sched_watch_ends(p, &m->ends);
	if (vec_reserve(&m->row, ROW_ENDS))
		return err_nomem(e);
	memset(m->row.v, ' ', ROW_ENDS);
	m->row.n = ROW_ENDS;
	return need_cpus(m, cpus ? cpus : CPUS_UNKNOWN) ? err_nomem(e) : 0;
}

/* --- tasks --- */

static bool is_named(const struct map_view *m, const char *comm)
{
	struct sv rest = sv_from(m->want->names ? m->want->names : ""), one;
	char name[NAMES_MAX];

	while (m->want->names && sv_cut(&rest, ',', &one)) {
		str_copy(name, sizeof(name), one);
		if (m->want->fuzzy ? strstr(comm, name) != NULL : !strcmp(comm, name))
			return true;
	}
	return !m->want->names;
}

static bool is_blue(const struct map_view *m, uint32_t tid)
{
	for (size_t i = 0; i < m->blue.n; i++)
		if (m->blue.v[i] == tid)
			return true;
	return false;
}

/* Names are A0 to Z0, A1 to Z1 and so on; after Z9 they repeat. */
static void name_task(struct map_view *m, struct task *t, const char *comm)
{
	if (!t->tid) {
		memcpy(t->name, ". ", 3);
		return;
	}
	if (!is_named(m, comm)) {
		memcpy(t->name, "- ", 3);
		return;
	}
	t->name[0] = m->letter;
	t->name[1] = m->digit;
	if (m->letter < 'Z') {
		m->letter++;
		return;
	}
	m->letter = 'A';
	m->digit = m->digit < '9' ? m->digit + 1 : '0';
}

/* Index + 1 of a task, which is added if it is new; 0: too many tasks; -ENOMEM. */
static int find(struct map_view *m, uint32_t tid)
{
	uint64_t *at = map_get(&m->of, tid);
	struct task *t;

	if (at && *at)
		return (int)*at;
	if (m->tasks.n >= MAP_TASKS) {
		m->dropped++;
		return 0;
	}
	at = vec_reserve(&m->tasks, 1) ? NULL : map_add(&m->of, tid, NULL);
	t = at ? vec_add(&m->tasks) : NULL;
	if (!t)
		return -ENOMEM;
	*at = m->tasks.n;
	t->tid = tid;
	t->colored = is_blue(m, tid);
	return (int)*at;
}

/* The same for the task that leaves a CPU: mostly the one known to be on it, which needs no lookup. */
static int find_on(struct map_view *m, const struct cpu *cpu, uint32_t tid)
{
	const struct task *t = cpu->on ? &m->tasks.v[cpu->on - 1] : NULL;

	return t && t->tid == tid && !t->ended ? (int)cpu->on : find(m, tid);
}

/* --- lines --- */

static void put_colored(struct map_view *m, const char *color, const char *text)
{
	if (m->out->color && color)
		out_control(m->out, color);
	out_str(m->out, text);
	if (m->out->color && color)
		out_control(m->out, NORMAL);
}

static const struct task *task_on(const struct map_view *m, uint32_t cpu)
{
	return m->cpus.v[cpu].on ? &m->tasks.v[m->cpus.v[cpu].on - 1] : NULL;
}

/* The cell of a CPU: a place for the star, two letters, a space. */
static char *cell_of(const struct map_view *m, uint32_t cpu)
{
	return m->row.v + ROW_ENDS / 2 + (size_t)CELL * m->cpus.v[cpu].column;
}

static void set_cell(const struct map_view *m, uint32_t cpu)
{
	const struct task *t = task_on(m, cpu);

	if (m->cpus.v[cpu].column != NO_COLUMN)
		memcpy(cell_of(m, cpu) + 1, t ? t->name : "  ", 2);
}

static void put_on(struct map_view *m, uint32_t cpu, uint32_t task)
{
	m->cpus.v[cpu].on = task;
	set_cell(m, cpu);
}

/* Name a task and update its cells; a recording with lost events may have it on several CPUs. */
static void show_name(struct map_view *m, struct task *t, const char *comm)
{
	name_task(m, t, comm);
	for (uint32_t cpu = 0; cpu < m->cpus.n; cpu++)
		if (task_on(m, cpu) == t)
			set_cell(m, cpu);
}

static void put_colored_cell(struct map_view *m, uint32_t cpu, uint32_t here)
{
	const struct task *t = task_on(m, cpu);
	const char *cell = cell_of(m, cpu);
	char name[3] = { cell[1], cell[2] };

	put_colored(m, cpu == here && m->want->color_cpus && cpus_has(&m->red, cpu) ? ON_RED : NULL,
		    cpu == here ? "*" : " ");
	put_colored(m, t && t->colored ? BLUE : NULL, name);
	out_char(m->out, ' ');
}

static void put_colored_row(struct map_view *m, uint32_t here)
{
	out_str(m->out, "  ");
	for (size_t i = 0; i < m->order.n; i++)
		put_colored_cell(m, m->order.v[i], here);
	out_str(m->out, "  ");
}

/* gone: the line for the task that leaves (--task-name): the CPU's cell is "- " in it. */
static void put_cells(struct map_view *m, const struct hit *h, bool gone)
{
	char *cell = cell_of(m, h->cpu);

	if (gone)
		memcpy(cell + 1, "- ", 2);
	cell[0] = '*';
	if (m->out->color)
		put_colored_row(m, h->cpu);
	else
		out_bytes(m->out, m->row.v, m->row.n);
	cell[0] = ' ';
	if (gone)
		set_cell(m, h->cpu);
	view_time(m->out, h->time, 12);
	out_str(m->out, " secs ");
}

static void put_legend(struct map_view *m, const struct task *t, const char *comm)
{
	bool colored = t->colored && m->out->color;

	if (colored)
		out_control(m->out, BLUE);
	out_str(m->out, t->name);
	out_str(m->out, " => ");
	out_str(m->out, comm);
	out_char(m->out, ':');
	out_u64(m->out, t->tid);
	if (colored)
		out_control(m->out, NORMAL);
}

struct change {
	struct task *in, *out;
	bool named, is_new_column;       /* named: `in` has just got its two-letter name */
};

static void put_change(struct map_view *m, const struct hit *h, const struct change *c)
{
	/* Looking up names is slow: only with --task-name. */
	bool comes = !m->want->names || is_named(m, feed_comm(&m->prof->feed, c->in->tid));
	bool goes = m->want->names && is_named(m, feed_comm(&m->prof->feed, c->out->tid)) && *c->out->name;

	if (comes) {
		put_cells(m, h, false);
		if (c->named || c->in->renamed || (m->want->sched.verbose && c->in->tid))
			put_legend(m, c->in, feed_comm(&m->prof->feed, c->in->tid));
		if (c->is_new_column)
			out_printf(m->out, " (CPU %u)", h->cpu);
		c->in->renamed = false;
		out_char(m->out, '\n');
	}
	if (goes) {
		put_cells(m, h, true);
		out_char(m->out, '\n');
	}
}

static void learn(struct map_view *m, const struct hit *h, struct task *t, unsigned tid, unsigned comm)
{
	if (!t->known)
		sched_learn(m->prof, h, tid, comm);
	t->known = true;
}

static int take(struct map_view *m, const struct hit *h)
{
	uint32_t next = (uint32_t)hit_field(h, SWITCH_NEXT_PID), prev = (uint32_t)hit_field(h, SWITCH_PREV_PID);
	struct change c = { 0 };
	struct cpu *cpu;
	int column, in, out;

	if (h->cpu >= CPUS_MAX)
		return 0;
	column = need_cpus(m, h->cpu + 1) ? -ENOMEM : need_column(m, h->cpu);
	in = column < 0 ? column : find(m, next);
	cpu = &m->cpus.v[h->cpu];
	out = in <= 0 ? in : find_on(m, cpu, prev);
	if (out <= 0)
		return out;
	m->switches++;
	m->bugs += cpu->on && cpu->on != (uint32_t)out;
	put_on(m, h->cpu, (uint32_t)in);
	c.is_new_column = column > 0;
	c.in = &m->tasks.v[in - 1];
	c.out = &m->tasks.v[out - 1];
	learn(m, h, c.in, SWITCH_NEXT_PID, SWITCH_NEXT_COMM);
	learn(m, h, c.out, SWITCH_PREV_PID, SWITCH_PREV_COMM);
	c.named = !*c.in->name || (c.in->renamed && *c.in->name == '-');
	if (c.named)
		show_name(m, c.in, feed_comm(&m->prof->feed, next));
	if (!m->want->cpus || cpus_has(&m->only, h->cpu))
		put_change(m, h, &c);
	return 0;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	return hit_kind(h) == KIND_SCHED_SWITCH ? take(p->own, h) : 0;
}

static int record(struct prof *p, const struct session_item *item)
{
	struct map_view *m = p->own;
	uint64_t *at = item->side.type == PERF_REC_COMM ? map_get(&m->of, item->side.tid) : NULL;

	if (at && *at)
		m->tasks.v[*at - 1].renamed = true;
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct map_view *m = p->own;

	for (size_t i = 0; i < m->cpus.n; i++)
		if (cpu == UINT32_MAX || i == cpu)
			put_on(m, (uint32_t)i, 0);
	return 0;
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e UNUSED)
{
	struct map_view *m = p->own;

	if (last) {
		view_note(p, m->bugs, "switches are from a task that nobody saw come");
		view_note(p, m->dropped, "events are left out: too many tasks");
	}
	return 0;
}

static void close(struct prof *p)
{
	struct map_view *m = p->own;

	map_deinit(&m->of);
	vec_free(&m->tasks);
	vec_free(&m->cpus);
	vec_free(&m->order);
	vec_free(&m->row);
	vec_free(&m->blue);
}

const struct prof_kind sched_map = {
	.cmd = {
		.name = "map", .family = "sched",
		.brief = "Show which task is on which CPU, one line per context switch",
		.synopsis = "[options] [-i <file>] | -a | [--] command",
		.details = PACKED(
			"One column per CPU with a two-letter name for its current task; . is idle. * marks the CPU "
			"that switched. The task behind a two-letter name is printed when the name is first used and "
			"when the task's name changes."),
		.examples = PACKED(
			"sonde sched record -- make && sonde sched map\tas with perf\n"
			"sonde sched map --compact\tonly CPUs with switches\n"
			"sonde sched map --task-name rcu --fuzzy-name\tswitches from or to rcu_preempt and its like\n"
			"sonde sched map --cpus 2,3 --color-cpus 2 --color-pids 2347\ttwo CPUs, a thread in blue\n"
			"sonde sched map -- make\tlive"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct map_view), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit,
	.record = record, .lost = lost, .show = show, .close = close, .everywhere = true, .lines = true,
	.kernel_only = true,
};
