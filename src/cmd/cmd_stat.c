/* cmd_stat.c - sonde stat: counts events of a command, tasks or CPUs. */
#include "cmd/annotate/inline.h"
#include "cmd/cmd.h"
#include "cmd/settle.h"
#include "cmd/stat/keep.h"
#include "cmd/stat/print.h"
#include "cmd/stat/report.h"
#include "cmd/stat/run.h"
#include "cmd/stat/want.h"
#include "live/event_env.h"
#include "perf/attr.h"
#include "sys/output.h"

#include <fcntl.h>
#include <time.h>

/* The state of one call of stat. */
struct tally {
	struct ctx *c;
	const struct stat_want *w;
	struct stat_keeper *keeper;
	struct event_env *env;
	struct stat_events events;
	struct target target;
	struct counters counters;
	struct stat_table table;
	struct stat_print print;
	struct stat_times times;
	double limit;                /* --max-overhead as share of a core: 0.05 for 5 %; 0: none */
	struct duty duty;
	struct control control;
	struct probe_watch watch;    /* without --max-overhead: warns of costly probes */
	struct stat_sum sum;
	bool has_table;
	uint64_t lines_until_head;
	char subject[512];
	struct output file;
	struct out file_out;
	char file_buf[4096];
};

static int choose_form(struct tally *s, struct err *e)
{
	const struct stat_want *w = s->w;

	s->print.form = w->form.json ? STAT_JSON : w->form.sep ? STAT_CSV : STAT_TEXT;
	s->print.sep = w->form.sep && !strcmp(w->form.sep, "\\t") ? "\t" : w->form.sep;
	s->print.group_digits = w->form.big_num;
	s->print.metric_only = w->more.metric_only;
	s->print.core_threads = w->more.core_threads;
	if (w->form.json && w->form.sep)
		return err_set(e, EINVAL, "-j and -x are two different forms: choose one");
	if (w->form.append && !w->form.output)
		return err_set(e, EINVAL, "--append needs -o FILE");
	if (w->form.output && w->form.log_fd)
		return err_set(e, EINVAL, "-o and --log-fd are two different places: choose one");
	return 0;
}

static int choose_by(struct tally *s, struct err *e)
{
	const struct stat_sums_want *u = &s->w->sums;
	const struct stat_more_want *m = &s->w->more;
	static const enum stat_by bys[] = {
		STAT_BY_CPU, STAT_BY_CORE, STAT_BY_CLUSTER, STAT_BY_CACHE, STAT_BY_DIE, STAT_BY_SOCKET, STAT_BY_NODE,
		STAT_BY_THREAD,
	};
	bool set[] = { u->no_aggr, u->per_core, m->per_cluster, m->per_cache, u->per_die, u->per_socket, u->per_node,
		       u->per_thread };
	unsigned n = 0;

	s->sum = (struct stat_sum){
		.merge = u->no_merge ? STAT_NO_MERGE : STAT_MERGE, .cache_level = (unsigned)m->cache_level,
	};
	for (size_t i = 0; i < ARRAY_SIZE(set); i++) {
		if (set[i])
			s->sum.by = bys[i];
		n += set[i];
	}
	if (n > 1)
		return err_set(e, EINVAL, "-A and --per-... are different ways to sum up: choose one");
	if (s->sum.by == STAT_BY_THREAD && s->target.kind != TARGET_TASKS)
		return err_set(e, EINVAL, "--per-thread is for threads that exist: with -p, -t, -u or -a");
	if (n && s->sum.by != STAT_BY_THREAD && s->target.kind != TARGET_CPUS)
		return err_set(e, EINVAL,
			       "-A and --per-core, -cluster, -cache, -die, -socket, -node sum up CPUs: with -a or -C");
	return 0;
}

static int check_numbers(const struct tally *s, struct err *e)
{
	const struct stat_want *w = s->w;

	if (w->when.repeat != 1 && !s->target.argv)
		return err_set(e, EINVAL, "--repeat runs a command again and again: there is none");
	if (w->when.repeat != 1 && w->when.interval_ms)
		return err_set(e, EINVAL, "--repeat and --interval-print do not go together");
	if (w->when.interval_count && !w->when.interval_ms)
		return err_set(e, EINVAL, "--interval-count needs -I");
	if (stat_more_check(&w->more, w->sums.no_aggr, e))
		return -EINVAL;
	if (w->more.summary && !w->when.interval_ms)
		return err_set(e, EINVAL, "--summary is of the intervals of -I: there are none");
	if (w->what.all_user && w->what.all_kernel)
		return err_set(e, EINVAL, "--all-user and --all-kernel leave nothing");
	if (w->when.interval_ms > UINT32_MAX || w->when.timeout_ms > UINT32_MAX || w->when.repeat > UINT32_MAX)
		return err_set(e, EINVAL, "that number of milliseconds or runs is too large");
	return 0;
}

/* --max-overhead: "5", "5%", "0.1 %". */
static int choose_duty(struct tally *s, struct err *e)
{
	struct sv text = sv_from(s->w->what.max_overhead);
	double percent;

	while (text.n && strchr("% ", text.s[text.n - 1]))
		text.n--;
	if (!str_double(text, &percent) || !(percent > 0) || percent > 1e6)
		return err_set(e, EINVAL, "--max-overhead: '%s' is not a percentage above 0", s->w->what.max_overhead);
	if (s->target.kind == TARGET_COMMAND && s->target.inherit) {
		err_set(e, EINVAL, "--max-overhead closes probes and opens them again, which loses the tasks "
				   "that the command has started");
		return err_hint(e, "count everything while it runs with -a -- %s; or tasks that exist with -p",
				s->target.argv[0]);
	}
	s->limit = percent / 100;
	return 0;
}

static int open_output(struct tally *s, struct err *e)
{
	const struct stat_want *w = s->w;
	uint64_t fd;
	int r = 0;

	s->file = (struct output){ .sys = s->c->sys, .fd = -1 };
	s->print.o = s->c->msg;
	if (!w->form.output && !w->form.log_fd)
		return 0;
	if (w->form.log_fd && (!str_u64(sv_from(w->form.log_fd), 10, &fd) || fd > INT_MAX))
		return err_set(e, EINVAL, "--log-fd: '%s' is not a descriptor", w->form.log_fd);
	if (w->form.log_fd)
		s->file.fd = (int)fd;
	else
		r = output_open(&s->file, s->c->sys, w->form.output, w->form.append ? OUTPUT_APPEND : OUTPUT_REPLACE,
				OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	output_text(&s->file, &s->file_out, s->file_buf, sizeof(s->file_buf));
	s->print.o = &s->file_out;
	return 0;
}

static void date_line(struct tally *s)
{
	int64_t t = (int64_t)(s->c->sys->now(s->c->sys, CLOCK_REALTIME) / 1000000000u);
	char text[FMT_DATE];

	if (s->w->form.output && s->print.form != STAT_JSON)
		out_printf(s->print.o, "# started on %s\n\n", fmt_date(text, t));
}

static int close_output(struct tally *s, int code)
{
	out_end(s->print.o);
	if (s->file.fd < 0)
		return code;
	if (s->w->form.output)
		output_close(&s->file);
	if (!s->file_out.error)
		return code;
	cmd_note(s->c, "cannot write %s: %s", s->w->form.output ? s->w->form.output : "the output",
		 err_name(-s->file_out.error));
	return code ? code : EXIT_FAILED;
}

/* The subject of perf's heading: the command with its arguments, or which CPUs or tasks are counted. */
static void name_subject(struct tally *s)
{
	const struct target_want *w = &s->w->target;
	size_t n = 0, size = sizeof(s->subject);

	if (s->target.kind == TARGET_COMMAND) {
		for (int i = 0; i < s->target.argc && n < size; i++)
			n += (size_t)snprintf(s->subject + n, size - n, "%s%s", i ? " " : "'", s->target.argv[i]);
		n = MIN(n, size - 2);
		snprintf(s->subject + n, size - n, "'");
	} else if (w->cpus) {
		snprintf(s->subject, size, "'CPU(s) %s'", w->cpus);
	} else if (s->target.kind == TARGET_CPUS || w->all) {
		snprintf(s->subject, size, "'system wide'");
	} else {
		snprintf(s->subject, size, "%s", target_name(&s->target, w));
	}
}

static void show_opened(const struct tally *s)
{
	struct ctx *c = s->c;

	for (size_t i = 0; i < s->counters.list.n; i++) {
		const struct counter *k = &s->counters.list.v[i];

		out_printf(c->msg, "%s:\n", k->ev->name);
		attr_print(&k->attr, c->msg);
	}
	out_flush(c->msg);
}

/* The counters are open. The first run also makes the table. */
static int on_opened(struct tally *s, int pid, struct err *e)
{
	if (s->w->form.verbose > 1)
		show_opened(s);
	if (s->has_table)
		return 0;

	int r = stat_table_init(&s->table, &s->sum, &s->counters, &s->target, e);

	s->has_table = !r;
	if (!r)
		r = stat_keeper_begin(s->keeper, &s->counters, &s->target, pid, e);
	return r ? r : probe_watch_init(&s->watch, s->c->sys, &s->events.list, counters_places(&s->counters), e);
}

static void on_tick(struct tally *s, const struct stat_run *n)
{
	enum { ROWS_PER_HEAD = 25 };

	stat_keeper_take(s->keeper, n->at);
	if (stat_keeper_is_silent(s->keeper))
		return;
	stat_table_fill(&s->table, &s->counters);
	s->print.at_ns = n->at;
	s->print.elapsed_ns = (double)n->length;
	if (!s->lines_until_head) {
		stat_print_columns(&s->print, &s->table);
		s->lines_until_head = ROWS_PER_HEAD;
	}
	s->lines_until_head--;
	stat_print_rows(&s->print, &s->table);
	out_flush(s->print.o);
}

static void show_raw(const struct tally *s)
{
	for (size_t i = 0; i < s->counters.list.n; i++) {
		const struct counter *k = &s->counters.list.v[i];
		struct counter_value sum = { 0 };

		for (size_t j = 0; j < k->n; j++) {
			const struct counter_value *v = &s->counters.slots.v[k->first + j].now;

			sum.value += v->value;
			sum.enabled += v->enabled;
			sum.running += v->running;
		}
		out_printf(s->c->msg, "%s: %llu %llu %llu\n", k->ev->name, (unsigned long long)sum.value,
			   (unsigned long long)sum.enabled, (unsigned long long)sum.running);
	}
	out_flush(s->c->msg);
}

/* Print why the first unsupported event cannot be counted, and how many more there are. */
static void tell_unsupported(const struct tally *s, struct out *o)
{
	const char *done = NULL;
	size_t n = 0;
	struct err e = { 0 }, first = { 0 };

	for (size_t i = 0; i < s->counters.list.n; i++) {
		const struct counter *k = &s->counters.list.v[i];

		if (k->state != COUNTER_UNSUPPORTED)
			continue;
		counter_explain(&s->counters, k, &e);
		if (!done)
			first = e;
		done = k->ev->name;
		n++;
	}
	if (!n)
		return;
	out_printf(o, "%s", first.text);
	if (n > 1)
		out_printf(o, " (and %zu more)", n - 1);
	out_char(o, '\n');
	if (first.hint[0])
		out_printf(o, "  %s\n", first.hint);
}

static void tell_groups(const struct tally *s, struct out *o)
{
	for (size_t i = 0; i < s->counters.list.n; i++) {
		const struct counter *k = &s->counters.list.v[i];

		if (k->state != COUNTER_GROUP_REFUSED || k->leader != i)
			continue;
		out_printf(o, "%s and its group: not counted: the PMU cannot count all of them at the same time\n",
			   k->ev->name);
		out_str(o, "  use smaller groups, or {...}:W to count them in turns\n");
	}
}

static void tell_user_only(const struct tally *s, struct out *o)
{
	for (size_t i = 0; i < s->counters.list.n; i++) {
		if (!s->counters.list.v[i].user_only)
			continue;
		out_str(o, "only user space was counted (:u): no permission for the kernel's side, "
			   "where context switches and migrations happen\n"
			   "  run as root or with CAP_PERFMON, or: sysctl kernel.perf_event_paranoid=1\n");
		return;
	}
}

static void tell_library(const struct tally *s, struct out *o)
{
	char text[400];

	if (anchors_note(&s->counters.opener.anchors, text, sizeof(text)))
		out_printf(o, "%s\n", text);
}

/* Explain what generic events count on this architecture if their names mislead: cache-misses is L1D on arm64. */
static void tell_meanings(const struct tally *s, struct out *o)
{
	for (size_t i = 0; i < s->events.list.v.n; i++) {
		const struct event *ev = &s->events.list.v.v[i];
		char buf[64];
		const char *name = event_config_name(ev->attr.type, ev->attr.config, buf, sizeof(buf));
		bool cache = name && !strncmp(name, "cache-", 6);
		bool told = name && (cache || s->w->form.verbose);
		const char *label = told ? arch_generic_label(s->print.arch, name) : NULL;

		if (label)
			out_printf(o, "%s: counts %s on %s\n", name, label, s->print.arch->name);
	}
}

/* Notes go to standard error: CSV and JSON must not be mixed with them there, unless -v asks for it. */
static bool is_silent(const struct tally *s)
{
	return s->print.form != STAT_TEXT && s->file.fd < 0 && !s->w->form.verbose;
}

static void on_probes_off(const struct tally *s)
{
	struct out *o = s->c->msg;

	if (is_silent(s))
		return;
	out_flush(s->print.o);
	out_str(o, "probes are off for good: they would take ");
	duty_put_share(&s->duty, s->duty.share, o);
	out_printf(o, ",\n  and even 10 ms in 10 s of that is more than --max-overhead %s\n", s->w->what.max_overhead);
	out_flush(o);
}

static void on_probes_bad(const struct tally *s)
{
	struct out *o = s->c->msg;

	if (is_silent(s))
		return;
	out_flush(s->print.o);
	probe_watch_put(&s->watch, s->target.kind == TARGET_CPUS, o);
	out_printf(o, "; %s--max-overhead 5%% keeps them below that share\n",
		   s->target.kind == TARGET_COMMAND && s->target.inherit ? "-a " : "");
	out_flush(o);
}

/* How counts of a part of the time were scaled up; follows "their counts are estimates from". */
static const char *const pace_words[PACES] = {
	[PACE_TIME] = "that time, less what the hits took of it: it was slowed down by them,\n"
		      "  and no counter of instructions or cycles tells by how much",
	[PACE_TASK_TIME] = "what was counted in that time and the tasks' time in all of it,\n"
			   "  less what the hits took: the time seen was slowed down by them, and no counter of\n"
			   "  instructions or cycles tells by how much",
	[PACE_USER_CYCLES] = "what was counted in that time and cycles in user space\n"
			     "  in all of it, less those that the hits took: the time seen was slowed down by them",
	[PACE_USER_INSTRUCTIONS] = "what was counted in that time and instructions in user space\n"
				   "  in all of it: the time seen was slowed down by the hits",
	[PACE_INSTRUCTIONS] = "what was counted in that time and instructions,\n"
			      "  less those of the hits, in all of it: the time seen was slowed down by the hits",
};

static void tell_duty(const struct tally *s, struct out *o)
{
	const struct duty *d = &s->duty;

	if (!d->total_ns)
		return;
	if (!d->has_paused) {
		out_str(o, "probes were on all the time: they took at most ");
		duty_put_share(d, d->most, o);
		out_char(o, '\n');
		return;
	}
	out_str(o, "probes were on for ");
	out_fixed(o, 100 * (double)d->on_ns / (double)d->total_ns, 0, 1);
	out_printf(o, " %% of the time, to keep below --max-overhead %s:\n", s->w->what.max_overhead);
	out_str(o, "  they would take up to ");
	duty_put_share(d, d->most, o);
	out_printf(o, "\n  their counts are estimates from %s", pace_words[d->pace.by]);
	if (s->target.kind == TARGET_TASKS && s->target.inherit)
		out_str(o, ";\n  tasks started meanwhile are counted no longer than up to the first pause");
	out_char(o, '\n');
}

/* Print the notes that follow the table. */
static void tell(const struct tally *s)
{
	struct out *o = s->c->msg;

	if (is_silent(s))
		return;
	out_flush(s->print.o);
	tell_unsupported(s, o);
	tell_groups(s, o);
	tell_user_only(s, o);
	tell_library(s, o);
	tell_meanings(s, o);
	tell_duty(s, o);
	out_flush(o);
}

static void sum_of_intervals(struct tally *s)
{
	counters_since_start(&s->counters);
	stat_table_fill(&s->table, &s->counters);
	s->print.stamped = false;
	s->print.summary = s->w->more.csv_summary;
}

static void show_result(struct tally *s, uint64_t runs)
{
	if ((s->w->when.interval_ms && !s->w->more.summary) || stat_keeper_is_silent(s->keeper))
		return;
	if (s->w->when.interval_ms)
		sum_of_intervals(s);
	else
		stat_table_means(&s->table);
	s->print.elapsed_ns = s->times.wall.mean * 1e9;
	s->print.spread = runs > 1;
	if (!s->w->when.interval_ms)
		stat_print_title(&s->print, s->subject, runs);
	if (s->print.metric_only && !s->print.summary)
		stat_print_columns(&s->print, &s->table);
	stat_print_rows(&s->print, &s->table);
	if (s->print.form == STAT_TEXT && s->table.rows.n)
		out_char(s->print.o, '\n');
	stat_print_times(&s->print, &s->times);
}

static void add_result(struct tally *s, const struct stat_run *n)
{
	const struct loop *l = n->want->loop;

	stats_add(&s->times.wall, (double)n->elapsed_ns / 1e9);
	s->times.has_rusage = l->has_status && s->target.kind == TARGET_COMMAND;
	s->times.user = (double)l->usage.ru_utime.tv_sec + (double)l->usage.ru_utime.tv_usec / 1e6;
	s->times.sys = (double)l->usage.ru_stime.tv_sec + (double)l->usage.ru_stime.tv_usec / 1e6;
	if (s->w->when.interval_ms)
		return;
	stat_keeper_take(s->keeper, n->elapsed_ns);
	stat_table_fill(&s->table, &s->counters);
	stat_table_add_run(&s->table);
}

static int run_once(struct tally *s, const struct stat_run_want *w, struct stat_run *n, struct err *e)
{
	int r = stat_run_open(n, w, e);

	r = r ? r : on_opened(s, w->loop->child.pid, e);
	r = r ? r : stat_run_go(n, e);
	if (r)
		return r;
	for (enum stat_run_what what; (what = stat_run_next(n)) != STAT_RUN_END; ) {
		if (what == STAT_RUN_TICK)
			on_tick(s, n);
		if (what == STAT_RUN_PROBES_OFF)
			on_probes_off(s);
		if (what == STAT_RUN_PROBES_BAD)
			on_probes_bad(s);
		if (what == STAT_RUN_ODD_ORDER)
			cmd_note(s->c, "--control: '%s' is none of enable, disable, ping, stop", s->control.line);
	}
	return 0;
}

/* Run a command of --pre or --post by the shell. -ECANCELED if it fails: the run may depend on it. */
static int run_hook(const char *option, const char *command, struct err *e)
{
	char shell[] = "/bin/sh", words[] = "-c", *text = command ? strdup(command) : NULL;
	char *argv[] = { shell, words, text, NULL };
	struct child child;
	int r;

	if (!text)
		return command ? err_nomem(e) : 0;
	r = child_hold(&child, argv, NULL, e);
	free(text);
	r = r ? r : child_go(&child, argv[0], e);
	if (r)
		return r;
	r = child_wait(&child, NULL);
	return r ? err_set(e, ECANCELED, "%s '%s' ended with status %d", option, command, r) : 0;
}

/* Do all runs of -r. Returns the exit status of the last command, or -errno. */
static int run_all(struct tally *s, struct loop *l, struct err *e)
{
	const struct stat_want *w = s->w;
	struct stat_run_want rw = {
		.sys = s->c->sys,
		.loop = l,
		.events = &s->events.list,
		.target = &s->target,
		.counters = &s->counters,
		.interval_ns = w->when.interval_ms * 1000000,
		.max_intervals = w->when.interval_count,
		.timeout_ns = w->when.timeout_ms * 1000000,
		.duty = s->limit > 0 ? &s->duty : NULL,
		.watch = s->limit > 0 ? NULL : &s->watch,
		.control = w->more.control ? &s->control : NULL,
	};
	struct stat_run n;
	uint64_t run = 0;

	do {
		if (run)
			counters_close(&s->counters);

		int code = run_hook("--pre", w->more.pre, e);

		code = code ? code : run_once(s, &rw, &n, e);
		if (code)
			return code;
		add_result(s, &n);
		code = run_hook("--post", w->more.post, e);
		if (code)
			return code;
		if (w->form.verbose)
			show_raw(s);
		run++;
	} while (!n.interrupted && (run < w->when.repeat || !w->when.repeat));
	show_result(s, run);
	tell(s);
	return n.status;
}

/* Refuse options of perf that do not exist here. */
static int refuse(const struct stat_want *w, struct err *e)
{
	if (!w->theirs.scale)
		return err_set(e, EINVAL, "--no-scale: counts of a part of the time are scaled; -v has the times");
	if (w->theirs.sync)
		return err_set(e, EINVAL, "--sync: nothing is written back first; sync(1) does that");
	return w->theirs.table ? err_set(e, EINVAL, "--table: the runs of -r are not shown one by one") : 0;
}

/* -EINVAL: wrong usage, such as options that exclude each other. */
static int check_usage(struct tally *s, struct err *e)
{
	int r = refuse(s->w, e);

	r = r ? r : choose_form(s, e);
	if (!r)
		r = choose_by(s, e);
	if (!r && s->w->what.max_overhead)
		r = choose_duty(s, e);
	return r ? r : check_numbers(s, e);
}

static int choose_events(struct tally *s, struct err *e)
{
	const struct stat_want *w = s->w;
	struct opt_list metrics = w->what.metrics;

	if (w->what.topdown && metrics.n < OPT_LIST_MAX)
		metrics.v[metrics.n++] = "topdown";

	struct stat_events_want ew = {
		.events = &w->what.events,
		.filters = w->what.filters,
		.sides = (w->what.all_user ? PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV : 0) |
			 (w->what.all_kernel ? PERF_ATTR_EXCLUDE_USER : 0),
		.metrics = &metrics,
		.detail = w->what.detail,
		.clock = s->target.kind == TARGET_CPUS ? STAT_CPU_CLOCK : STAT_TASK_CLOCK,
	};

	int r = w->what.null_run ? 0 : stat_events_init(&s->events, &ew, s->env, e);

	for (size_t i = 0; w->theirs.group && i < s->events.list.v.n; i++)
		s->events.list.v.v[i].leader = 0;
	return r;
}

static int count(struct tally *s, struct err *e)
{
	struct loop loop;
	int r;

	loop_init(&loop, s->c->sys);
	r = loop_open(&loop, e);
	if (r)
		return r;
	r = open_output(s, e);
	if (!r && s->w->more.control)
		r = control_open(&s->control, s->c->sys, s->w->more.control, e);
	if (!r) {
		date_line(s);
		name_subject(s);
		r = run_all(s, &loop, e);
	}
	loop_close(&loop);
	return r;
}

static int start_duty(struct tally *s, struct err *e)
{
	struct pace_want w = { s->c->sys, s->env, &s->events.list, &s->target };

	return duty_init(&s->duty, &w, s->limit, e);
}

/* Returns the exit code. */
static int count_for(struct tally *s, int argc, char **argv, struct err *e)
{
	struct target_want tw = s->w->target;
	int r;

	tw.threads = s->w->sums.per_thread;
	r = target_init(&s->target, &tw, s->c->sys, argc, argv, e);
	if (!r && check_usage(s, e)) {
		cmd_fail(s->c, e);
		return cmd_usage_code(s->c);
	}
	s->print.cgroups = s->target.cgroups.n > 0;
	s->print.but_zeros = s->w->sums.per_thread && s->w->target.all;
	s->print.stamped = s->w->when.interval_ms > 0;
	if (!r && choose_events(s, e))
		return cmd_fail_events(s->c, e);
	if (!r)
		inline_notes(s->c, event_env_probes(s->env));
	if (!r && s->limit > 0)
		r = start_duty(s, e);
	if (!r)
		r = count(s, e);
	return r < 0 ? cmd_fail(s->c, e) : r;
}

int stat_count(struct ctx *c, const struct stat_want *w, struct stat_keeper *keeper, int argc, char **argv)
{
	struct tally *s = calloc(1, sizeof(*s));
	struct event_env *env = event_env_new(c->sys);
	struct err e = { 0 };
	int code;

	if (!s || !env) {
		free(s);
		event_env_free(env);
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	s->c = c;
	s->w = w;
	s->keeper = keeper;
	s->env = env;
	s->print.arch = env->arch;
	s->print.events = &s->events;
	s->print.o = c->msg;
	s->file.fd = -1;
	code = count_for(s, argc, argv, &e);
	code = close_output(s, code);
	if (s->has_table)
		stat_table_deinit(&s->table);
	counters_close(&s->counters);
	if (s->w->more.control)
		control_close(&s->control);
	duty_deinit(&s->duty);
	probe_watch_deinit(&s->watch);
	stat_events_deinit(&s->events);
	event_env_free(env);
	target_deinit(&s->target, c->sys);
	free(s);
	return code;
}

static int stat_main(struct ctx *c, void *want, int argc, char **argv)
{
	int code = stat_verb_behind(c, want, argc, argv);

	settle_target(c, &((struct stat_want *)want)->target);
	return code >= 0 ? code : stat_count(c, want, NULL, argc, argv);
}

DEFINE_CMD(stat, .brief = "Count events while a command runs, or for a while",
	   .synopsis = "[options] [-- command [arguments]]", .opts = stat_opts, .want_size = sizeof(struct stat_want),
	   .defaults = stat_defaults, .verbs = stat_verbs,
	   .details = PACKED(
		      "<not supported>: this machine cannot count the event.\n"
		      "<not counted>: the target did not run, or the group was never scheduled.\n"
		      "(70.00%): multiplexed; the count is scaled up from that share of the time.\n"
		      "(560,000 .. 650,000): an estimate of --max-overhead and its range."),
	   .examples = stat_examples,
	   .run = stat_main);
