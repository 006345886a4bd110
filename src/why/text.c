/* text.c - the account as a page of 80 columns, or as JSON: causes, their rows, and commands that show more. */
#include "why/why.h"

#include "engine/line.h"
#include "show/json.h"
#include "show/text.h"

enum { COLUMNS = 80, NAME = 200, COMMAND = 160 };

/* A section of the page: the causes from..to. */
struct part {
	enum ledger_cause from, to;
	const char *key, *title, *live, *file;   /* live, file: commands that show more, with %s for -p or the file */
};

static const struct part parts[] = {
	{ LEDGER_RUN, LEDGER_RUN, "running", "on a CPU", "record -g %s", "report -i %s" },
	{ LEDGER_IRQ, LEDGER_SOFTIRQ, "interrupted", "interrupted", "kwork report -k irq,softirq -- sleep 5%.0s",
	  "kwork report -k irq,softirq -i %s" },
	{ LEDGER_BEHIND, LEDGER_BEHIND, "runnable", "could run, behind others", "sched timehist -w %s",
	  "sched timehist -w -i %s" },
	{ LEDGER_IDLE, LEDGER_IDLE, "runnable_idle", "could run, its CPU idle", "sched timehist -w %s",
	  "sched timehist -w -i %s" },
	{ LEDGER_DISK, LEDGER_DISK, "disk", "waited for a disk", "prof task-state -D --than 1ms -g %s",
	  "prof task-state -D --than 1ms -i %s" },
	{ LEDGER_FAULT, LEDGER_FAULT, "faults", "waited for a page", "prof page-faults -g %s",
	  "prof task-state -D --than 1ms -i %s" },
	{ LEDGER_BLOCKED, LEDGER_BLOCKED, "uninterruptible", "waited, uninterruptible",
	  "prof task-state -D --than 1ms -g %s", "prof task-state -D --than 1ms -i %s" },
	{ LEDGER_SLEEP, LEDGER_SLEEP, "sleeping", "slept", "trace %s", "prof task-state -S --than 10ms -i %s" },
	{ LEDGER_STOPPED, LEDGER_STOPPED, "stopped", "stopped", "prof task-state %s", "prof task-state -i %s" },
	{ LEDGER_UNKNOWN, LEDGER_UNKNOWN, "unknown", "not known", "sched timehist %s", "sched timehist -i %s" },
};

static bool is_in(const struct part *p, const struct ledger_row *r)
{
	return r->cause >= p->from && r->cause <= p->to;
}

static uint64_t sum_of(const struct why *w, const struct part *p)
{
	uint64_t ns = 0;

	for (unsigned cause = p->from; cause <= (unsigned)p->to; cause++)
		ns += ledger_sum(&w->ledger, (enum ledger_cause)cause);
	return ns;
}

/* The command that shows more: "sonde sched timehist -w -p 12 -- sleep 5" */
static const char *more_of(const struct why *w, const struct part *p, char buf[COMMAND])
{
	const struct prof_want *want = &w->want->prof;
	const char *id = want->target.pids ? want->target.pids : want->target.tids;
	char task[100], form[COMMAND];

	snprintf(form, sizeof(form), "sonde %s", want->from.input ? p->file : p->live);
	if (id)
		snprintf(task, sizeof(task), "-%c %.60s -- sleep 5", want->target.tids ? 't' : 'p', id);
	else
		snprintf(task, sizeof(task), "-- %.60s%s", w->prof->argc ? w->prof->argv[0] : "",
			 w->prof->argc > 1 ? " ..." : "");
	snprintf(buf, COMMAND, form, want->from.input ? want->from.input : task);
	return buf;
}

/* --- rows --- */

static int by_time(const void *a, const void *b)
{
	const struct ledger_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->what != y->what ? (x->what < y->what ? -1 : 1) : x->by < y->by ? -1 : x->by > y->by;
}

static int by_count(const void *a, const void *b)
{
	const struct why_function *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void sort(struct why *w)
{
	if (w->ledger.rows.n)
		qsort(w->ledger.rows.v, w->ledger.rows.n, sizeof(*w->ledger.rows.v), by_time);
	if (w->functions.n)
		qsort(w->functions.v, w->functions.n, sizeof(*w->functions.v), by_count);
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static double share(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

/* "behind hog[12]", "read (pipe_read), woken by x[3] (pipe_write)" */
static void name_row(const struct why *w, const struct ledger_row *r, char buf[NAME])
{
	if (r->cause == LEDGER_BEHIND)
		snprintf(buf, NAME, r->what ? "behind %s" : "behind whom is not known%.0s", why_text(w, r->what));
	else if (r->cause == LEDGER_IDLE || r->cause == LEDGER_UNKNOWN)
		*buf = '\0';
	else if (r->by)
		snprintf(buf, NAME, "%s, by %s", r->what ? why_text(w, r->what) : "(where was not seen)",
			 why_text(w, r->by));
	else
		snprintf(buf, NAME, "%s", r->what ? why_text(w, r->what) : "(where was not seen)");
}

/* --- the page --- */

static void put_row(const struct why *w, const struct ledger_row *r, struct out *o)
{
	char name[NAME];

	name_row(w, r, name);
	out_str(o, "       ");
	out_fixed(o, ms(r->ns), 12, 3);
	if (w->polled)
		out_str(o, "  ");
	else
		out_printf(o, "%7llux ", (unsigned long long)r->n);
	text_put(o, sv_from(name), COLUMNS - 28, TEXT_PLAIN);
	out_char(o, '\n');
}

static void put_rest(uint64_t ns, uint64_t n, struct out *o)
{
	if (!n)
		return;
	out_str(o, "       ");
	out_fixed(o, ms(ns), 12, 3);
	out_printf(o, "  %llu others\n", (unsigned long long)n);
}

static void put_rows(const struct why *w, const struct part *p, struct out *o)
{
	uint64_t shown = 0, rest = 0, others = 0;
	char name[NAME];

	for (size_t i = 0; i < w->ledger.rows.n; i++) {
		const struct ledger_row *r = &w->ledger.rows.v[i];

		name_row(w, r, name);
		if (!is_in(p, r) || r->cause == LEDGER_RUN || !*name)
			continue;
		if (shown++ < w->want->rows) {
			put_row(w, r, o);
		} else {
			rest += r->ns;
			others++;
		}
	}
	put_rest(rest, others, o);
}

static void put_functions(const struct why *w, struct out *o)
{
	uint64_t n = MIN((uint64_t)w->functions.n, w->want->rows);

	for (uint64_t i = 0; i < n; i++) {
		const struct why_function *f = &w->functions.v[i];

		out_str(o, "             ");
		out_fixed(o, share(f->n, w->samples.n), 5, 1);
		out_str(o, "%  ");
		text_put(o, sv_from(why_text(w, f->name)), COLUMNS - 30, TEXT_PLAIN);
		out_str(o, f->kernel ? " [kernel]\n" : "\n");
	}
}

static void put_sides(const struct why *w, struct out *o)
{
	uint64_t ticks = w->ticks[0] + w->ticks[1];
	double kernel = w->samples.n ? share(w->samples.kernel, w->samples.n) : share(w->ticks[1], ticks);

	if (!w->samples.n && !ticks)
		return;
	out_str(o, ": user ");
	out_fixed(o, 100 - kernel, 0, 1);
	out_str(o, "%, kernel ");
	out_fixed(o, kernel, 0, 1);
	out_char(o, '%');
	if (w->samples.n)
		out_printf(o, " of %llu samples", (unsigned long long)w->samples.n);
}

static void put_throttled(const struct why *w, struct out *o)
{
	const struct why_group *g = why_throttled(&w->told);
	char text[NAME];

	if (!g)
		return;
	snprintf(text, sizeof(text), "control group %s was throttled", g->path + g->mount);
	out_str(o, "                     ");
	text_put(o, sv_from(text), COLUMNS - 22, TEXT_PLAIN);
	out_printf(o, "\n                     in %llu of %llu periods, ", (unsigned long long)g->throttled,
		   (unsigned long long)g->periods);
	out_fixed(o, ms(g->ns), 0, 3);
	out_str(o, " ms of its CPUs\n");
}

static void put_part(const struct why *w, const struct part *p, uint64_t wall, struct out *o)
{
	uint64_t ns = sum_of(w, p);
	char more[COMMAND];

	if (!ns)
		return;
	out_fixed(o, share(ns, wall), 6, 2);
	out_char(o, '%');
	out_fixed(o, ms(ns), 12, 3);
	out_printf(o, "  %s", p->title);
	if (p->from == LEDGER_RUN)
		put_sides(w, o);
	out_char(o, '\n');
	if (p->from == LEDGER_RUN)
		put_functions(w, o);
	put_rows(w, p, o);
	if (p->from == LEDGER_IDLE)
		put_throttled(w, o);
	out_printf(o, "                     > %s\n", more_of(w, p, more));
}

static void put_faults(const struct why *w, struct out *o)
{
	uint64_t minor = w->told.has_faults ? w->told.minor : w->minor;
	uint64_t major = w->told.has_faults ? w->told.major : w->major;
	uint64_t ran = ledger_sum(&w->ledger, LEDGER_RUN);

	if (!minor && !major && !w->samples.fault)
		return;
	out_printf(o, "page faults: %llu minor, %llu major", (unsigned long long)minor, (unsigned long long)major);
	if (w->samples.n) {
		out_str(o, "; they took about ");
		out_fixed(o, ms(ran) * share(w->samples.fault, w->samples.n) / 100, 0, 3);
		out_str(o, " ms of the time on CPUs");
	}
	out_char(o, '\n');
}

static void put_counts(const struct why *w, struct out *o)
{
	const struct ledger *a = &w->ledger;

	if (!w->polled)
		out_printf(o, "\nwoken %llu times, lost its CPU to others %llu times, changed CPUs %llu times\n",
			   (unsigned long long)a->woken, (unsigned long long)a->preempted,
			   (unsigned long long)a->moved);
	else
		out_char(o, '\n');
	put_faults(w, o);
	if (!ledger_sum(a, LEDGER_IDLE))
		put_throttled(w, o);
}

static void put_missing(const struct why *w, struct out *o)
{
	if (w->polled && w->with_children)
		out_str(o, "What the command has started is not in it.\n");
	if (w->polled)
		out_str(o, "Without the right to watch the scheduler (sonde doctor says why) it was looked\n"
			   "at 100 times a second: not known are who had its CPU, who woke it, interrupts.\n");
	else if (!w->has_samples)
		out_str(o, "No samples: what it ran is not known (record -e cpu-clock, too).\n");
	if (!w->polled && !w->has_irqs)
		out_str(o, "No events of interrupts: their time is that of what they interrupted.\n");
	if (!w->polled && !w->has_waking)
		out_str(o, "No sched:sched_waking: who woke it, and from when it could run, is not known.\n");
	if (w->ledger.losses)
		out_printf(o, "Events were lost %u times: what spans that is not known.\n", w->ledger.losses);
	if (w->ledger.dropped)
		out_printf(o, "%llu threads or rows are left out: too many.\n", (unsigned long long)w->ledger.dropped);
}

static void put_head(const struct why *w, uint64_t wall, struct out *o)
{
	const struct ledger *a = &w->ledger;
	char name[NAME], time[LINE_TIME], all[LINE_TIME];

	snprintf(name, sizeof(name), "%.120s", w->want->task ? w->want->task : w->prof->argc ? w->prof->argv[0] : "?");
	text_put(o, sv_from(name), COLUMNS / 2, TEXT_PLAIN);
	out_printf(o, ", %zu thread%s: %s in %s\n\n", a->threads.n, a->threads.n == 1 ? "" : "s", line_time(all, wall),
		   line_time(time, a->to - MIN(a->from, a->to)));
}

static void put_page(const struct why *w, struct out *o)
{
	uint64_t wall = ledger_wall(&w->ledger);

	put_head(w, wall, o);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		put_part(w, &parts[i], wall, o);
	out_str(o, "100.00%");
	out_fixed(o, ms(wall), 12, 3);
	out_str(o, "  ms in all\n");
	put_counts(w, o);
	put_missing(w, o);
}

/* --- JSON --- */

static void json_ms(struct json *j, const char *key, uint64_t ns)
{
	json_key(j, key);
	json_scaled(j, ns, 6);
}

static void json_percent(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_fixed(j, v, 2);
}

static void json_rows(const struct why *w, const struct part *p, struct json *j)
{
	json_key(j, "rows");
	json_begin_array(j);
	for (size_t i = 0; i < w->ledger.rows.n; i++) {
		const struct ledger_row *r = &w->ledger.rows.v[i];

		if (!is_in(p, r) || (!r->what && !r->by))
			continue;
		json_line(j);
		json_begin_object(j);
		json_member_if(j, "what", r->what ? why_text(w, r->what) : NULL);
		json_member_if(j, "by", r->by ? why_text(w, r->by) : NULL);
		json_ms(j, "ms", r->ns);
		json_member_u64(j, "count", r->n);
		json_ms(j, "max_ms", r->max);
		json_end(j);
	}
	json_end(j);
}

static void json_functions(const struct why *w, struct json *j)
{
	json_member_u64(j, "samples", w->samples.n);
	json_percent(j, "kernel_percent", share(w->samples.kernel, w->samples.n));
	json_percent(j, "fault_percent", share(w->samples.fault, w->samples.n));
	json_key(j, "functions");
	json_begin_array(j);
	for (size_t i = 0; i < w->functions.n; i++) {
		json_line(j);
		json_begin_object(j);
		json_member_str(j, "name", why_text(w, w->functions.v[i].name));
		json_key(j, "kernel");
		json_bool(j, w->functions.v[i].kernel);
		json_member_u64(j, "samples", w->functions.v[i].n);
		json_end(j);
	}
	json_end(j);
}

static void json_part(const struct why *w, const struct part *p, uint64_t wall, struct json *j)
{
	char more[COMMAND];

	json_line(j);
	json_begin_object(j);
	json_member_str(j, "part", p->key);
	json_ms(j, "ms", sum_of(w, p));
	json_percent(j, "percent", share(sum_of(w, p), wall));
	json_member_str(j, "more", more_of(w, p, more));
	if (p->from == LEDGER_RUN)
		json_functions(w, j);
	json_rows(w, p, j);
	json_end(j);
}

static void json_rest(const struct why *w, struct json *j)
{
	const struct why_group *g = why_throttled(&w->told);
	const struct ledger *a = &w->ledger;

	json_member_u64(j, "woken", a->woken);
	json_member_u64(j, "preempted", a->preempted);
	json_member_u64(j, "migrations", a->moved);
	json_member_u64(j, "minor_faults", w->told.has_faults ? w->told.minor : w->minor);
	json_member_u64(j, "major_faults", w->told.has_faults ? w->told.major : w->major);
	json_member_u64(j, "losses", a->losses);
	json_key(j, "polled");
	json_bool(j, w->polled);
	if (!g)
		return;
	json_key(j, "throttled");
	json_begin_object(j);
	json_member_str(j, "group", g->path + g->mount);
	json_member_u64(j, "periods", g->periods);
	json_member_u64(j, "throttled", g->throttled);
	json_ms(j, "ms", g->ns);
	json_end(j);
}

static void put_json(const struct why *w, struct out *o)
{
	uint64_t wall = ledger_wall(&w->ledger);
	struct json j = json_on(o);

	json_begin_object(&j);
	json_member_str(&j, "task", w->want->task ? w->want->task : w->prof->argc ? w->prof->argv[0] : "");
	json_member_u64(&j, "threads", w->ledger.threads.n);
	json_ms(&j, "window_ms", w->ledger.to - MIN(w->ledger.from, w->ledger.to));
	json_ms(&j, "wall_ms", wall);
	json_key(&j, "parts");
	json_begin_array(&j);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		json_part(w, &parts[i], wall, &j);
	json_end(&j);
	json_rest(w, &j);
	json_end(&j);
	out_char(o, '\n');
}

int why_show(struct why *w, struct out *o)
{
	sort(w);
	if (w->want->prof.form.json)
		put_json(w, o);
	else
		put_page(w, o);
	return 0;
}
