/* records.c - report --stats, --tasks and --mmaps. */
#include "cmd/report/records.h"

#include "cmd/dump.h"
#include "cmd/side_text.h"
#include "report/tasklist.h"
#include "show/text.h"

const struct opt records_opts[] = {
	OPT_FLAG(0, "stats", struct records_want, stats, "print only the number of records of each type"),
	OPT_FLAG(0, "tasks", struct records_want, tasks, "print only the tasks, as a tree"),
	OPT_FLAG(0, "mmaps", struct records_want, mmaps, "print only the tasks, with their mappings"),
	OPT_FLAG('D', "dump-raw-trace", struct records_want, dump,
		 "dump each record in hex and decoded, then the numbers of records"),
	OPT_END,
};

const char *records_wanted(const struct records_want *w)
{
	return w->dump ? "-D" : w->stats ? "--stats" : w->tasks ? "--tasks" : w->mmaps ? "--mmaps" : NULL;
}

/* --- --stats ------------------------------------------------------------------------------------------------- */

enum { OTHERS = SIDE_NAMES };   /* counts records of unknown types */

struct counts {
	uint64_t by_type[OTHERS + 1], total;
	uint64_t *of_event;                   /* number of samples of each event */
	struct dump *dump;                    /* NULL: count records, do not dump them */
	struct frames *frames;
};

static void count(struct counts *n, uint32_t type, uint64_t times)
{
	n->by_type[MIN(type, (uint32_t)OTHERS)] += times;
	n->total += times;
}

/*
 * A sample with the counts of a group (PERF_SAMPLE_READ) is one record, but session_next returns a sample for each
 * event of it. Hence SAMPLE is what remains of all records; records that cannot be decoded are among them.
 */
static int count_records(struct counts *n, struct session *s, struct err *e)
{
	const struct source_stats *st = &s->source->stats;
	struct session_item item;
	int r;

	while ((r = session_next(s, &item, e)) > 0) {
		if (item.event)
			n->of_event[session_event_index(s, item.event)]++;
		else if (item.record.type != PERF_REC_FINISHED_ROUND)
			count(n, item.record.type, 1);
		if (item.event && n->dump &&
		    dump_place(n->dump, n->frames, &item.sample,
			       resolver_comm_of(s->resolver, item.sample.pid, item.sample.tid)))
			return err_nomem(e);
	}
	count(n, PERF_REC_FINISHED_ROUND, st->rounds);
	count(n, PERF_REC_COMPRESSED, st->packed);
	count(n, PERF_REC_COMPRESSED2, st->packed2);
	count(n, PERF_REC_SAMPLE, st->records - MIN(st->records, n->total));
	return r;
}

static void put_count(struct out *o, const char *name, uint64_t n)
{
	out_printf(o, "%16s events: %10llu", name, (unsigned long long)n);
}

static void put_counts(const struct counts *n, const struct session *s, struct out *o)
{
	out_str(o, "\nAggregated stats:\n");
	put_count(o, "TOTAL", n->total);
	out_char(o, '\n');
	for (size_t i = 0; i <= OTHERS; i++) {
		if (!n->by_type[i])
			continue;
		put_count(o, side_name((uint32_t)i) ? side_name((uint32_t)i) : "UNKNOWN", n->by_type[i]);
		out_printf(o, "  (%4.1f%%)\n", 100.0 * (double)n->by_type[i] / (double)n->total);
	}
	for (size_t i = 0; i < s->head->events.n; i++) {
		if (!n->of_event[i])
			continue;
		out_printf(o, "%s stats:\n", s->head->events.v[i].label);
		put_count(o, "SAMPLE", n->of_event[i]);
		out_char(o, '\n');
	}
}

static int show_stats(struct ctx *c, struct session *s, struct err *e)
{
	struct counts n = { .of_event = calloc(s->head->events.n + 1, sizeof(*n.of_event)) };
	int r = n.of_event ? count_records(&n, s, e) : err_nomem(e);

	if (!r)
		put_counts(&n, s, c->out);
	free(n.of_event);
	return r;
}

/* --- --tasks, --mmaps ---------------------------------------------------------------------------------------- */

static void put_name(const struct tasklist *l, const struct tasklist_task *t, struct session *s, struct out *o)
{
	const char *name = t->name == NAMES_NONE ? resolver_comm_of(s->resolver, t->pid, t->tid) :
						   names_str(&l->names, t->name);

	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
	out_char(o, '\n');
}

static void put_maps(struct tasklist *l, uint32_t pid, int indent, struct out *o)
{
	const struct maps *m = tasks_maps(&l->spaces, pid);
	const struct maps_range *r = maps_behind(m, 0);

	for (; r; r = maps_behind(m, r->end)) {
		const struct tasklist_file *f = &l->files.v[r->dso];

		out_printf(o, "%*s  %llx-%llx %c%c%c%c %08llx %llu ", indent, "", (unsigned long long)r->start,
			   (unsigned long long)r->end, f->prot & MAPS_READ ? 'r' : '-',
			   f->prot & MAPS_WRITE ? 'w' : '-', f->prot & MAPS_EXEC ? 'x' : '-', f->is_shared ? 's' : 'p',
			   (unsigned long long)r->pgoff, (unsigned long long)f->ino);
		text_put(o, sv_from(names_str(&l->names, f->name)), TEXT_ALL, TEXT_PLAIN);
		out_char(o, '\n');
	}
}

static void put_task(struct tasklist *l, const struct tasklist_task *t, int level, struct session *s, struct out *o)
{
	int n = snprintf(NULL, 0, "  %8d %8d %8d |%*s", (int)t->pid, (int)t->tid, (int)t->ppid, level, "");

	out_printf(o, "  %8d %8d %8d |%*s", (int)t->pid, (int)t->tid, (int)t->ppid, level, "");
	put_name(l, t, s, o);
	if (l->with_maps && t->pid == t->tid)
		put_maps(l, t->pid, n, o);
}

/* Print each task before its children. A loop, not a recursion: the tree may be as deep as there are forks. */
static void put_tasks(struct tasklist *l, struct session *s, struct out *o)
{
	uint32_t at = l->v.n ? l->v.v[0].child : 0;
	int level = 0;

	out_printf(o, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	while (at) {
		const struct tasklist_task *t = &l->v.v[at];

		put_task(l, t, MIN(level, 60), s, o);
		level += t->child != 0;
		at = t->child ? t->child : t->next;
		for (; !at && t->parent; at = t->next) {
			t = &l->v.v[t->parent];
			level--;
		}
	}
}

static int show_tasks(struct ctx *c, struct session *s, bool with_maps, struct err *e)
{
	struct tasklist l = { .with_maps = with_maps };
	struct session_item item;
	int r;

	while ((r = session_next(s, &item, e)) > 0)
		if (tasklist_take(&l, &item)) {
			r = err_nomem(e);
			break;
		}
	if (!r && tasklist_link(&l))
		r = err_nomem(e);
	if (!r)
		put_tasks(&l, s, c->out);
	tasklist_deinit(&l);
	return r;
}

static int show_dump(struct ctx *c, struct session *s, struct err *e)
{
	struct dump dump;
	struct frames frames = { 0 };
	struct counts n = { .of_event = calloc(s->head->events.n + 1, sizeof(*n.of_event)), .dump = &dump,
			    .frames = &frames };
	int r = dump_can(s, e);

	if (!r && (!n.of_event || frames_init(&frames, s)))
		r = err_nomem(e);
	if (!r) {
		dump_begin(&dump, s, c->out, false);
		r = count_records(&n, s, e);
	}
	if (!r)
		put_counts(&n, s, c->out);
	frames_deinit(&frames);
	free(n.of_event);
	return r;
}

int report_records(struct ctx *c, const struct records_want *w, struct session *s, struct err *e)
{
	if (w->dump)
		return show_dump(c, s, e);
	return w->stats ? show_stats(c, s, e) : show_tasks(c, s, w->mmaps, e);
}
