/* verb_record.c - sonde ftrace record: trace a workload into a trace.dat. */
#include "cmd/annotate/inline.h"
#include "cmd/ftrace/guests.h"
#include "cmd/ftrace/profile_plan.h"
#include "cmd/ftrace/trecord.h"
#include "cmd/ftrace/verbs.h"
#include "sys/daemon.h"
#include "tracing/transport/procmap.h"

struct mine {
	struct want want;
};

static const struct opt opts[] = { OPT_SUB(want_opts, struct mine, want), OPT_END };

enum { MAPS_MAX = 64 };

/* --proc-map: the memory maps of processes. */
struct maps {
	struct mem_out text[MAPS_MAX];
	size_t n;
};

struct job {
	struct maps maps;
	struct tdat_option extra[OPT_LIST_MAX + 1 + MAPS_MAX + WANT_GUESTS];
	struct guests guests;
	struct ctx *c;
	struct want *w;
	struct dat_recording_want want;
	struct dat_recording record;
	struct daemon daemon;
};

static void ready(void *arg, const struct run *run)
{
	struct job *j = arg;

	for (size_t i = 0; i < run->buffers.n; i++)
		if (*run->buffers.v[i].why && !j->w->quiet)
			cmd_note(j->c, "%s", run->buffers.v[i].why);
	if (!j->w->quiet)
		inline_notes(j->c, j->w->probes);
	if (!run->want->argv && !j->w->quiet && !j->w->work.daemonize)
		cmd_note(j->c, "recording; Ctrl-C ends it");
}

static void take_map(void *arg, int pid)
{
	struct job *j = arg;
	struct mem_out *m = &j->maps.text[j->maps.n];
	const char *text;

	if (j->maps.n == MAPS_MAX)
		return;
	mem_out_init(m);
	procmap_put(j->c->sys, pid, &m->out);
	text = mem_out_str(m);
	if (*text)
		j->extra[j->want.n_options++] = (struct tdat_option){ TDAT_PROCMAPS, { text, strlen(text) + 1 } };
	j->maps.n++;
}

static void take_maps(struct job *j)
{
	for (size_t i = 0; i < j->w->plans.n; i++)
		for (size_t k = 0; k < j->w->plans.v[i].pids.n; k++)
			take_map(j, j->w->plans.v[i].pids.v[k]);
	if (j->maps.n == MAPS_MAX)
		cmd_note(j->c, "--proc-map: only the first %d processes", MAPS_MAX);
}

/* Tracing has begun: with --daemonize the foreground process ends. */
static void going(void *arg)
{
	struct job *j = arg;

	if (j->w->file.proc_map)
		take_maps(j);
	if (j->w->work.daemonize && !j->w->quiet)
		cmd_note(j->c, "recording in the background; 'kill -INT %d' ends it", sys_self());
	daemon_ready(&j->daemon);
}

static void over(void *arg)
{
	struct job *j = arg;

	guests_stop(&j->guests);
}

/* --temp: the rings' temporary files may be on a faster disk. */
static void ring_path(const struct job *j, char path[PATH_MAX])
{
	const char *slash = strrchr(j->want.path, '/'), *base = slash ? slash + 1 : j->want.path;

	if (j->w->file.temp)
		snprintf(path, PATH_MAX, "%s/%s", j->w->file.temp, base);
	else
		snprintf(path, PATH_MAX, "%s", j->want.path);
}

static int record(struct job *j, char **argv, struct err *e)
{
	struct want *w = j->w;
	char path[PATH_MAX];
	int r;

	j->want.path = w->file.output ? w->file.output : "trace.dat";
	ring_path(j, path);
	j->want.options = j->extra;
	j->want.n_options = trecord_options(w, j->extra);
	if (w->guest.n)
		j->want.n_options += guests_options(&j->guests, j->extra + j->want.n_options);
	j->want.run = (struct run_want){
		.sys = j->c->sys, .plans = w->plans.v, .n_plans = w->plans.n, .argv = argv[0] ? argv : NULL,
		.child = { .out = w->work.daemonize ? CHILD_NO_STDIO : CHILD_STDOUT_SHARED, .as = w->work.child.as },
		.who = w->work.only_command ? RUN_WORKLOAD : RUN_EVERYONE, .keep = w->keep,
		.before = want_before, .arg = w,
	};
	if (w->file.proc_map && argv[0]) {
		j->want.run.child.leaving = take_map;
		j->want.run.child.arg = j;
	}
	j->want.recorder = (struct recorder_want){
		.sys = j->c->sys, .path = path, .max_kb = w->file.max_kb,
		.interval_us = w->interval_us, .priority = (unsigned)w->priority, .busy = w->poll,
	};
	j->want.formats = w->all_formats ? META_ALL : META_ENABLED;
	j->want.date = w->file.date;
	j->want.host = w->file.host;
	j->want.id = j->guests.id;
	j->want.latency = trecord_leaves_text(w->plans.v[0].tracer);
	j->want.ready = ready;
	j->want.going = going;
	j->want.over = over;
	j->want.arg = j;
	r = dat_recording_run(&j->record, &j->want, e);
	r = trecord_finish(j->c, &j->record,
			   w->quiet       ? TRECORD_QUIET
			   : w->prof.to_stderr ? TRECORD_SAY_STDERR
					  : TRECORD_SAY,
			   r, e);
	dat_recording_deinit(&j->record);
	for (size_t i = 0; i < j->maps.n; i++)
		mem_out_deinit(&j->maps.text[i]);
	return r;
}

/* Nothing is traced on this machine. */
static int wait_only(struct job *j, char **argv, struct err *e)
{
	int r = guests_wait(&j->guests, argv[0] ? argv : NULL, e);

	return r < 0 ? cmd_fail(j->c, e) : r;
}

/* -A: the guests start to trace when this machine does. */
static int record_with_guests(struct job *j, char **argv, struct err *e)
{
	const struct want *w = j->w;
	bool here = w->prof.on || !want_traces_nothing(w);
	int code = guests_begin(&j->guests, j->c, w, w->file.output ? w->file.output : "trace.dat", e), theirs;

	if (code)
		code = cmd_fail(j->c, e);
	else {
		code = here ? record(j, argv, e) : wait_only(j, argv, e);
		theirs = guests_finish(&j->guests);
		code = code ? code : theirs;
	}
	guests_deinit(&j->guests);
	return code;
}

static int check_maps(const struct want *w, char **argv, struct err *e)
{
	size_t pids = 0;

	for (size_t i = 0; i < w->plans.n; i++)
		pids += w->plans.v[i].pids.n;
	if (!w->file.proc_map)
		return 0;
	if (w->file.host)
		return err_set(e, EINVAL, "--proc-map: what a listener is told, it is told before the command runs");
	return argv[0] || pids ? 0 : err_set(e, EINVAL, "--proc-map is of a command, or of -P");
}

/* 1: this is the foreground process, and the recording goes on in the background. */
static int background(struct job *j, struct err *e)
{
	j->daemon.word = -1;
	return j->w->work.daemonize ? daemon_begin(&j->daemon, e) : 0;
}

/* "any" includes none, which is what -N needs. */
static bool any_compression(const struct want *w)
{
	return w->file.compression && !strcmp(w->file.compression, "any") && !w->file.file_version;
}

static int record_verb(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	struct mine *m = want;
	struct job j = { .c = c, .w = &m->want };
	struct err e = { 0 };
	struct tfs top;
	bool planned = j.w->prof.on || j.w->prof.hooks.n;
	int r;

	loglevel_apply(c, j.w->loglevel);
	r = want_finish(j.w, c->sys, j.w->guest.n ? WANT_ANYTHING : WANT_SOMETHING, &e);
	r = r ? r : want_check(j.w, WANT_RECORD, argv[0] != NULL, &e);
	r = r ? r : check_maps(j.w, argv, &e);

	if (!r)
		r = trecord_format(&(struct trecord_format){ j.w->file.file_version, j.w->file.compression },
				   &j.want.format, &e);
	if (!r && j.w->file.host && j.want.format != TDAT_V6 && !any_compression(j.w))
		r = err_set(&e, EINVAL, "-N sends version 6, which cannot be compressed: leave out %s",
			    j.w->file.compression ? "--compression" : "--file-version");
	if (!r && j.w->file.host && j.w->plans.n > 1)
		r = err_set(&e, EINVAL, "-N sends one buffer, and -B makes more of them");
	if (r) {
		r = cmd_usage(c, cmd_verb(verbs, "record"), &e);
	} else {
		r = background(&j, &e);
		if (r > 0) {
			want_deinit(j.w);
			return j.daemon.status;
		}
		trecord_markers(j.w);
		if (!r && planned)
			r = tfs_open(&top, c->sys, &e);
		if (!r && planned)
			r = profile_plan(j.w, &top, &e);
		if (r)
			r = cmd_fail(c, &e);
		else
			r = j.w->guest.n ? record_with_guests(&j, argv, &e) : record(&j, argv, &e);
	}
	want_deinit(j.w);
	return cmd_finish(c, r);
}

static void drop(void *want)
{
	want_deinit(&((struct mine *)want)->want);
}

DEFINE_VERB(record, "record", .brief = "Trace a command, or the system until Ctrl-C, into a trace.dat",
	    .synopsis = "[options] [-- command]",
	    .examples = PACKED(
			"sonde ftrace record -e sched sleep 1\tscheduler events, system-wide, for a second\n"
			"sonde ftrace record -F -p function_graph ls\tall kernel functions called by ls\n"
			"sonde ftrace record -e 'kprobe:do_sys_openat2/filename:string/' ls\ta temporary probe\n"
			"sonde ftrace record -e syscalls -P 1234 -m 10000\tthe last 10 MB of each CPU, until Ctrl-C\n"
			"sonde ftrace record -e kvm -A vm@3 -e sched sleep 5\thost and guest 3 (see agent)\n"),
	    .opts = opts, .want_size = sizeof(struct mine), .drop = drop, .run = record_verb);
