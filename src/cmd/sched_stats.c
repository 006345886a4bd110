/* sched_stats.c - sonde sched stats: copies of /proc/schedstat, and the differences of their counts. */
#include "cmd/sched_stats.h"

#include "analyse/schedstat.h"
#include "cmd/view_command.h"
#include "live/loop.h"
#include "show/table.h"
#include "sys/output.h"

#include <fcntl.h>
#include <time.h>

#define SOURCE "/proc/schedstat"
#define COPIES "schedstat.txt"
#define NS_PER_MS UINT64_C(1000000)
enum { TEXT_MAX = 64 << 20 };

/* --- record --- */

struct record_stats {
	const char *output;
	uint64_t interval_ms;
	bool ignored;
};

static const struct opt record_stats_opts[] = {
	OPT_STR('o', "output", struct record_stats, output, "<file>", "file with the copies (default " COPIES ")"),
	OPT_U64('I', "interval", struct record_stats, interval_ms, "<ms>", "copy every <ms>, too"),
	OPT_IGNORED('a', "all-cpus", FLAG, struct record_stats, ignored),
	OPT_END,
};

/* Where copies go: to a file, or to memory if file is NULL. */
struct kept {
	struct output *file;
	struct mem_out *text;
};

static int copy(struct ctx *c, const struct kept *to, struct err *e)
{
	char *text;
	size_t n;
	int r = sys_read_all(c->sys, SOURCE, TEXT_MAX, &text, &n, e);

	if (r == -ENOENT)
		err_hint(e, "kernels with CONFIG_SCHEDSTATS have it; sonde sched latency needs only tracepoints");
	if (r)
		return r;
	if (to->file)
		r = output_write(to->file, text, n);
	else
		out_bytes(&to->text->out, text, n);
	free(text);
	return r ? err_set(e, -r, "cannot write %s", to->file->path) : 0;
}

static void note_switch(struct ctx *c)
{
	uint64_t on;

	if (!sys_read_u64(c->sys, &on, "/proc/sys/kernel/sched_schedstats") && !on)
		cmd_note(c, "kernel.sched_schedstats is 0: yields, wake-ups and balancing are not counted "
			 "(sysctl kernel.sched_schedstats=1)");
}

/* Make a copy at the start, one at the end, and one every interval_ms in between; 0: none in between. */
static int watch(struct ctx *c, uint64_t interval_ms, struct loop *l, const struct kept *to, struct err *e)
{
	enum loop_what what;
	int r = copy(c, to, e);

	r = r ? r : loop_go(l, e);
	if (interval_ms)
		loop_every(l, c->sys->now(c->sys, CLOCK_MONOTONIC), interval_ms * NS_PER_MS);
	while (!r) {
		what = loop_next(l);
		if (what == LOOP_END || what == LOOP_SIGNAL)
			break;
		if (what == LOOP_TICK && l->time == LOOP_INTERVAL)
			r = copy(c, to, e);
	}
	return r ? r : copy(c, to, e);
}

static int record_stats_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct record_stats *w = want;
	struct err e = { 0 };
	struct output to;
	struct loop l;
	int r, status = 0;

	if (w->interval_ms > 86400000) {
		err_set(&e, EINVAL, "-I: at most a day");
		return cmd_usage(c, c->cmd, &e);
	}
	loop_init(&l, c->sys);
	r = loop_open(&l, &e);
	r = r || !argc ? r : loop_hold(&l, argv, NULL, &e);
	if (!r)
		r = output_open(&to, c->sys, w->output ? w->output : COPIES, OUTPUT_KEEP_OLD, OUTPUT_PUBLIC, O_WRONLY,
				&e);
	if (!r) {
		note_switch(c);
		r = watch(c, w->interval_ms, &l, &(struct kept){ .file = &to }, &e);
		status = l.has_status ? l.status : 0;
		if (r)
			output_discard(&to);
		else if ((r = output_close(&to)))
			err_set(&e, -r, "cannot write %s", to.path);
	}
	loop_close(&l);
	return r ? cmd_fail(c, &e) : status;
}

static const struct cmd verb_record = {
	.name = "record", .family = "sched stats", .brief = "Copy /proc/schedstat before and after a command",
	.synopsis = "[-I <ms>] [-o <file>] [-- command [arguments]]",
	.details = PACKED(
		   "One copy before the command and one when it has ended; without a command one at start and one at "
		   "Ctrl-C. The copies are text, one after the other; those made with cat work, too. They are "
		   "system-wide."),
	.examples = PACKED(
		    "sonde sched stats record -- make\twhile a command runs\n"
		    "sonde sched stats record -I 1000 -o idle.txt sleep 10\tand a copy every second"),
	.opts = record_stats_opts, .want_size = sizeof(struct record_stats), .run = record_stats_run,
};

/* --- report, diff --- */

struct report_stats {
	const char *input, *cpus, *sep;
	bool json, summary, each;
};

#define OPTS_ROWS \
	OPT_STR('C', "cpu", struct report_stats, cpus, "<list>", "only these CPUs: 0,2-5"), \
	OPT_FLAG('s', "summary", struct report_stats, summary, "print only the sum of all CPUs"), \
	OPT_FLAG('j', "json", struct report_stats, json, "print rows as JSON"), \
	OPT_STR('x', "field-separator", struct report_stats, sep, "<sep>", "print rows as CSV with this separator")

static const struct opt report_stats_opts[] = {
	OPT_STR('i', "input", struct report_stats, input, "<file>", "file with the copies (default " COPIES ")"),
	OPT_FLAG(0, "each", struct report_stats, each,
		"compare each two neighboring copies, not the first and the last"),
	OPTS_ROWS,
	OPT_END,
};

static const struct opt diff_stats_opts[] = {
	OPTS_ROWS,
	OPT_END,
};

/* What is shown: rows for the sum of all CPUs, then rows for each CPU. */
struct shown {
	const struct report_stats *want;
	struct cpus cpus;
	struct table *table;
	unsigned part;                   /* --each: number of the interval, from 1; 0: not --each */
	const struct schedstat *other;   /* diff: the counts to compare with; else NULL */
};

static bool is_meant(const struct shown *s, uint32_t cpu)
{
	return !s->want->cpus || (cpu < CPUS_MAX && cpus_has(&s->cpus, cpu));
}

/* Sum up the CPUs: a row for each domain level, and one for the CPUs themselves. */
static int add_up(struct shown *s, const struct schedstat *from, struct schedstat_row **v, size_t *n)
{
	for (size_t i = 0; i < from->rows.n; i++) {
		const struct schedstat_row *r = &from->rows.v[i];
		size_t at = 0;

		if (!is_meant(s, r->cpu))
			continue;
		while (at < *n && (*v)[at].domain != r->domain)
			at++;
		if (at == *n) {
			struct schedstat_row *more = realloc(*v, (*n + 1) * sizeof(**v));

			if (!more)
				return -ENOMEM;
			*v = more;
			memset(&more[(*n)++], 0, sizeof(*more));
			more[at].domain = r->domain;
			memcpy(more[at].name, r->name, sizeof(r->name));
		}
		for (size_t k = 0; k < SCHEDSTAT_DOMAIN; k++)
			(*v)[at].n[k] += r->n[k];
	}
	return 0;
}

static void put_number(struct shown *s, const struct schedstat_row *r, const struct schedstat_row *other,
		       const struct schedstat_field *f, unsigned k)
{
	struct table *t = s->table;
	uint64_t n = r->n[k], base = f[k].of >= 0 ? r->n[f[k].of] : 0;

	table_u64(t, n);
	if (other) {
		table_u64(t, other->n[k]);
		if (n)
			table_fixed(t, 100 * ((double)other->n[k] - (double)n) / (double)n, 2);
		else
			table_none(t);
	} else if (base) {
		table_fixed(t, 100 * (double)n / (double)base, 2);
	} else {
		table_none(t);
	}
}

/* Text leaves out numbers that are 0, and describes the others; CSV and JSON have all numbers by key. */
static void put_row(struct shown *s, const char *cpu, const struct schedstat_row *r, const struct schedstat_row *other)
{
	bool is_text = !s->want->json && !s->want->sep;
	unsigned n;
	const struct schedstat_field *f = schedstat_fields(r->domain != UINT32_MAX, &n);
	char domain[SCHEDSTAT_NAME + 16] = "";

	if (r->domain != UINT32_MAX)
		snprintf(domain, sizeof(domain), "%u%s%s", r->domain, r->name[0] ? " " : "", r->name);
	for (unsigned k = 0; k < n; k++) {
		if (is_text && !r->n[k] && (!other || !other->n[k]))
			continue;
		if (s->part)
			table_u64(s->table, s->part);
		table_str(s->table, cpu);
		table_str(s->table, domain);
		put_number(s, r, other, f, k);
		table_str(s->table, is_text ? f[k].text : f[k].key);
	}
}

static int put_sums(struct shown *s, const struct schedstat *d)
{
	struct schedstat_row *v = NULL, *w = NULL;
	size_t n = 0, m = 0;
	int r = add_up(s, d, &v, &n);

	if (!r && s->other)
		r = add_up(s, s->other, &w, &m);
	for (size_t i = 0; !r && i < n; i++)
		put_row(s, "all", &v[i], s->other ? &w[i] : NULL);
	free(v);
	free(w);
	return r;
}

static int put_all(struct shown *s, const struct schedstat *d)
{
	int r = put_sums(s, d);
	char cpu[16];

	for (size_t i = 0; !r && !s->want->summary && i < d->rows.n; i++) {
		const struct schedstat_row *row = &d->rows.v[i];

		if (!is_meant(s, row->cpu))
			continue;
		snprintf(cpu, sizeof(cpu), "%u", row->cpu);
		put_row(s, cpu, row, s->other ? &s->other->rows.v[i] : NULL);
	}
	return r;
}

static int open_table(struct shown *s, struct err *e)
{
	static const struct table_col cols[] = {
		{ "PART", "part", TABLE_RIGHT, 0 }, { "CPU", "cpu", TABLE_RIGHT, 0 },
		{ "DOMAIN", "domain", TABLE_LEFT, 0 }, { "COUNT", "count", TABLE_RIGHT, 0 },
		{ "PERCENT", "percent", TABLE_RIGHT, 0 }, { "WHAT", "what", TABLE_LEFT, 0 },
	};
	static const struct table_col compared[] = {
		{ "CPU", "cpu", TABLE_RIGHT, 0 }, { "DOMAIN", "domain", TABLE_LEFT, 0 },
		{ "COUNT1", "count1", TABLE_RIGHT, 0 }, { "COUNT2", "count2", TABLE_RIGHT, 0 },
		{ "PCT_CHANGE", "percent_change", TABLE_RIGHT, 0 }, { "WHAT", "what", TABLE_LEFT, 0 },
	};
	bool parts = s->want->each;
	int r = s->want->cpus ? cpus_parse(&s->cpus, sv_from(s->want->cpus), e) : 0;

	if (r)
		return r;
	s->table = s->other ? table_new(compared, ARRAY_SIZE(compared)) :
			      table_new(cols + !parts, ARRAY_SIZE(cols) - !parts);
	return s->table ? 0 : err_nomem(e);
}

static int print(struct ctx *c, struct shown *s, struct err *e)
{
	struct table_want form = {
		.form = s->want->json ? TABLE_JSON : s->want->sep ? TABLE_CSV : TABLE_TEXT, .sep = s->want->sep,
	};

	return table_print(s->table, &form, c->out) ? err_nomem(e) : 0;
}

/* --- files --- */

static int read_copies(struct ctx *c, const char *path, char **text, struct sv *copies, struct err *e)
{
	size_t n;
	int r = sys_read_all(c->sys, path, TEXT_MAX, text, &n, e);

	if (r == -ENOENT)
		err_hint(e, "sonde sched stats record -- command makes " COPIES);
	if (r)
		return r;
	*copies = (struct sv){ *text, n };
	if (!sv_starts(*copies, "PERFILE2"))
		return 0;
	err_set(e, EOPNOTSUPP, "%s is a perf.data, which has no copies that are read here", path);
	return err_hint(e, "sonde sched stats record makes some, cat " SOURCE " does, too");
}

/* The difference between the last copy of a text and the first. */
static int read_whole(struct schedstat *to, struct sv copies, struct err *e)
{
	struct schedstat first = { 0 };
	int r = schedstat_next(&first, &copies, e), got = 1;
	unsigned n = 0;

	while (r > 0 && (got = schedstat_next(to, &copies, e)) > 0)
		n++;
	r = r < 0 ? r : got < 0 ? got : 0;
	if (!r && !n)
		r = err_set(e, EINVAL, "there is but one copy: what was counted is between two");
	r = r ? r : schedstat_since(to, &first, e);
	schedstat_deinit(&first);
	return r;
}

/* Show the difference of each pair of neighbours: `from` is read one copy behind `to`. */
static int show_each(struct shown *s, struct sv copies, struct err *e)
{
	struct schedstat from = { 0 }, to = { 0 };
	struct sv behind = copies;
	int r = schedstat_next(&to, &copies, e);

	while (r > 0 && (r = schedstat_next(&to, &copies, e)) > 0) {
		s->part++;
		r = schedstat_next(&from, &behind, e);
		r = r < 0 ? r : schedstat_since(&to, &from, e);
		r = r ? r : put_all(s, &to) ? err_nomem(e) : 1;
	}
	schedstat_deinit(&from);
	schedstat_deinit(&to);
	return r || s->part ? r : err_set(e, EINVAL, "there is but one copy: what was counted is between two");
}

static int show_copies(struct ctx *c, const struct report_stats *w, struct sv copies, struct err *e)
{
	struct shown s = { .want = w };
	struct schedstat d = { 0 };
	int r = open_table(&s, e);

	if (!r && w->each)
		r = show_each(&s, copies, e);
	else if (!r)
		r = read_whole(&d, copies, e);
	if (!r && !w->each)
		r = put_all(&s, &d) ? err_nomem(e) : 0;
	if (!r && !w->json && !w->sep && !w->each)
		out_printf(c->out, "%llu jiffies between the first copy and the last\n", (unsigned long long)d.jiffies);
	r = r ? r : print(c, &s, e);
	table_free(s.table);
	schedstat_deinit(&d);
	return r;
}

static int report(struct ctx *c, const struct report_stats *w, struct err *e)
{
	char *text = NULL;
	struct sv copies;
	int r = read_copies(c, w->input ? w->input : COPIES, &text, &copies, e);

	r = r ? r : show_copies(c, w, copies, e);
	free(text);
	return r;
}

/* Show the difference of two copies in memory. *status: the command's exit status. */
static int live(struct ctx *c, const struct report_stats *w, int argc, char **argv, int *status, struct err *e)
{
	struct mem_out m;
	struct loop l;
	int r;

	mem_out_init(&m);
	loop_init(&l, c->sys);
	r = loop_open(&l, e);
	r = r || !argc ? r : loop_hold(&l, argv, NULL, e);
	if (!r)
		note_switch(c);
	r = r ? r : watch(c, 0, &l, &(struct kept){ .text = &m }, e);
	*status = l.has_status ? l.status : EXIT_DONE;
	loop_close(&l);
	if (!r && (mem_out_str(&m), m.out.error))
		r = err_nomem(e);
	r = r ? r : show_copies(c, w, (struct sv){ m.v, m.n }, e);
	mem_out_deinit(&m);
	return r;
}

static int diff(struct ctx *c, const struct report_stats *w, const char *const path[2], struct err *e)
{
	struct schedstat d[2] = { 0 };
	struct shown s = { .want = w, .other = &d[1] };
	char *text[2] = { NULL };
	struct sv copies;
	int r = open_table(&s, e);

	for (int i = 0; !r && i < 2; i++) {
		r = read_copies(c, path[i], &text[i], &copies, e);
		r = r ? r : read_whole(&d[i], copies, e);
	}
	/* Rows are compared by index. */
	if (!r && d[0].rows.n != d[1].rows.n)
		r = err_set(e, EINVAL, "%s and %s do not have the same CPUs and domains", path[0], path[1]);
	r = r ? r : put_all(&s, &d[0]) ? err_nomem(e) : print(c, &s, e);
	table_free(s.table);
	for (int i = 0; i < 2; i++) {
		schedstat_deinit(&d[i]);
		free(text[i]);
	}
	return r;
}

static int report_stats_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct err e = { 0 };

	return report(c, want, &e) ? cmd_fail(c, &e) : EXIT_DONE;
}

static int diff_stats_run(struct ctx *c, void *want, int argc, char **argv)
{
	const char *path[2] = { COPIES ".old", COPIES };
	struct err e = { 0 };

	if (argc > 2) {
		err_set(&e, EINVAL, "diff is of two files");
		return cmd_usage(c, c->cmd, &e);
	}
	if (argc == 2)
		path[0] = argv[0];
	if (argc)
		path[1] = argv[argc - 1];
	return diff(c, want, path, &e) ? cmd_fail(c, &e) : EXIT_DONE;
}

static const struct cmd verb_report = {
	.name = "report", .family = "sched stats", .brief = "Show what the scheduler counted between copies",
	.opts = report_stats_opts,
	.details = PACKED(
		   "First all CPUs together, then each CPU with its scheduling domains, smallest first. PERCENT is the "
		   "share of the total that the count belongs to: local wakeups of all wakeups, balance calls that "
		   "found nothing to do of all, wait time of run time. Text leaves out counts of 0. Knows versions 15 "
		   "to 17 of /proc/schedstat."),
	.examples = PACKED(
		    "sonde sched stats record -- make && sonde sched stats report\tof a command\n"
		    "sonde sched stats report -s\tsum of all CPUs\n"
		    "sonde sched stats report --each -C 0 -x ,\tneighboring copies, one CPU, as CSV"),
	.want_size = sizeof(struct report_stats), .run = report_stats_run,
};

static const struct cmd verb_diff = {
	.name = "diff", .family = "sched stats", .brief = "Compare the counts of two files",
	.synopsis = "[options] [[<old>] <new>]",
	.details = PACKED(
		   "Without names " COPIES ".old, which record leaves, and " COPIES
			". PCT_CHANGE is the change from the first to the second."),
	.examples = PACKED(
		    "sonde sched stats diff\tthe last two recordings\n"
		    "sonde sched stats diff -s before.txt after.txt\tsum of all CPUs"),
	.opts = diff_stats_opts, .want_size = sizeof(struct report_stats), .run = diff_stats_run,
};

/* --- stats --- */

static const struct cmd *const verbs[] = { &verb_record, &verb_report, &verb_diff, NULL };

static int stats_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	const struct report_stats *w = want;
	const char *front[6];
	struct err e = { 0 };
	size_t n = 0;
	int status;

	if (!verb)
		return live(c, w, argc, argv, &status, &e) ? cmd_fail(c, &e) : status;
	if (w->cpus) {
		front[n++] = "-C";
		front[n++] = w->cpus;
	}
	if (w->summary)
		front[n++] = "-s";
	if (w->json)
		front[n++] = "-j";
	if (w->sep) {
		front[n++] = "-x";
		front[n++] = w->sep;
	}
	return view_start(c, verb, front, n, argc, argv);
}

const struct cmd sched_stats = {
	.name = "stats", .family = "sched", .brief = "Show the scheduler's own counters: /proc/schedstat",
	.synopsis = "[options] [--] [command [arguments]] | record | report | diff ...",
	.details = PACKED(
		   "Costs nothing while the command runs, and shows counts per CPU and of load balancing that no event "
		   "has. Without a verb it is live: counts during the command, or until Ctrl-C; always system-wide."),
	.examples = PACKED(
		    "sonde sched stats -s -- make\twhile a command runs\n"
		    "sonde sched stats record -- make\tcopies before and after\n"
		    "sonde sched stats report -s\tthe difference of the copies\n"
		    "sonde sched stats diff\tthe last two recordings"),
	.verbs = verbs, .opts = diff_stats_opts, .want_size = sizeof(struct report_stats), .run = stats_run,
};
