/*
 * cmd_blackbox.c - sonde blackbox: a flight recorder of the whole machine. Overwriting rings hold the newest records;
 * a trigger writes them to a file. It is `record --overwrite --switch-output` with fitting events, sizes and names.
 */
#include "cmd/record/parts.h"
#include "cmd/view_command.h"
#include "sys/child.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#define NAME "blackbox.data"
#define MS UINT64_C(1000000)

enum { KEEP = 10, RING = 4 << 20, FREQ = 99, AFTER_MS = 200, REST_MS = 5000 };
enum { LONGEST_END = 48 };             /* bytes to reserve in a path for what follows the stem */

struct want {
	struct record_want record;       /* first: record's functions take a pointer to it */
	const char *dir, *only;
	bool chains, bare;
};

static int set_ns(void *field, const char *value, struct err *e)
{
	uint64_t *to = field;

	if (value && str_time(sv_from(value), MS, to) && *to <= UINT32_MAX * MS)
		return 0;
	return err_set(e, EINVAL, "'%.40s' is no time: 500ms, 2s, or a number of ms", value ? value : "");
}

static int set_ring(void *field, const char *value, struct err *e)
{
	uint64_t *to = field;

	if (value && str_size(sv_from(value), to) && *to >= 65536 && *to <= (uint64_t)1 << 30)
		return 0;
	return err_set(e, EINVAL, "'%.40s' is no size of 64K to 1G", value ? value : "");
}

static int add_event(void *field, const char *value, struct err *e)
{
	struct record_events *l = field;

	if (l->n == RECORD_EVENTS_MAX)
		return err_set(e, EINVAL, "more than %d events", RECORD_EVENTS_MAX);
	l->v[l->n++] = (struct record_event){ .text = value };
	return 0;
}

static const struct opt opts[] = {
	OPT_HEAD("When to write a file"),
	OPT_LIST(0, "on", struct want, record.more.on, "<event>",
		 "write a file when this event occurs; a tracepoint may have a filter: sched:sched_process_exit, "
		 "'oom:mark_victim', 'net:netif_rx/len > 9000/'; repeatable"),
	OPT_CALL(0, "after", 0, struct want, record.more.after_ns, set_ns, "<time>",
		 "wait this long after the event of --on, to keep what follows it, too (default 200ms)"),
	OPT_CALL(0, "rest", 0, struct want, record.more.rest_ns, set_ns, "<time>",
		 "after a file, ignore the events of --on for this long (default 5s)"),
	OPT_STR(0, "control", struct want, record.more.control, "<how>",
		"read commands from fd:CTL[,ACK] or fifo:CTL[,ACK]: snapshot, enable, disable, ping, stop"),
	OPT_HEAD("What to record"),
	OPT_CALL('m', "size", 0, struct want, record.ring.bytes, set_ring, "<size>",
		 "ring buffer size per CPU; the oldest records are overwritten (default 4M)"),
	OPT_CALL('e', "event", 0, struct want, record.events, add_event, "<event>",
		"record this event, too; repeatable"),
	OPT_FLAG(0, "bare", struct want, bare, "record only the events of -e and --on"),
	OPT_FLAG('g', NULL, struct want, chains, "call chains for context switches and wakeups, too"),
	OPT_U64('F', "freq", struct want, record.pace.freq, "<hz>", "samples per second and CPU (default 99)"),
	OPT_STR('C', "cpu", struct want, record.target.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct want, dir, "<dir>",
		"folder for the files, named " NAME " and the time in UTC (default: current folder)"),
	OPT_U64(0, "keep", struct want, record.cut.max_files, "<n>",
		"keep the newest <n> files, those of earlier runs included (default 10)"),
	OPT_FLAG('q', "quiet", struct want, record.quiet, "print errors only"),
	OPT_END,
};

static void defaults(void *want)
{
	struct want *w = want;

	w->record.more.after_ns = AFTER_MS * MS;
	w->record.more.rest_ns = REST_MS * MS;
	w->record.ring.bytes = RING;
	w->record.pace.freq = FREQ;
	w->record.cut.max_files = KEEP;
}

struct parts {
	char stem[PATH_MAX], path[PATH_MAX], sample[64];
	char text[OPT_LIST_MAX][RECORD_TRIGGER_TEXT];
};

static int find_dir(struct ctx *c, const struct want *w, struct parts *p, struct err *e)
{
	struct stat st;
	int r = w->dir ? c->sys->stat(c->sys, w->dir, &st) : 0;

	if (r)
		return err_set(e, -r, "%s: %s", w->dir, err_name(-r));
	if (w->dir && !S_ISDIR(st.st_mode))
		return err_set(e, ENOTDIR, "%s is no folder: the files are named in it", w->dir);
	r = snprintf(p->stem, sizeof(p->stem), "%s%s" NAME, w->dir ? w->dir : "", w->dir ? "/" : "");
	if (r >= (int)sizeof(p->stem) - LONGEST_END)
		return err_set(e, ENAMETOOLONG, "%.60s...: the name is too long", w->dir);
	/* Several blackboxes may share the folder, and in different containers even the pid: hence the time. */
	snprintf(p->path, sizeof(p->path), "%.*s." RECORD_CUT_RUN "%d-%llx", r, p->stem, sys_self(),
		 (unsigned long long)c->sys->now(c->sys, CLOCK_REALTIME));
	return 0;
}

/* The default events: samples, context switches, wakeups, interrupts. Those that the kernel lacks are left out. */
static size_t usual(struct ctx *c, const struct want *w, struct parts *p, const char **v)
{
	static const char *const events[] = {
		"sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup_new", "sched:sched_process_exec",
		"sched:sched_process_exit", "irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry",
		"irq:softirq_exit",
	};
	size_t n = 0;

	if (w->bare)
		return 0;
	snprintf(p->sample, sizeof(p->sample), "cpu-clock/freq=%llu,call-graph=fp/",
		 (unsigned long long)w->record.pace.freq);
	v[n++] = p->sample;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!sys_tracefs(c->sys) || view_has_event(c->sys, events[i]))
			v[n++] = events[i];
	return n;
}

static bool has_it(const char *const *v, size_t n, const char *event)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i], event))
			return true;
	return false;
}

/* Record the trigger events, too, so that each file shows its trigger. v: n events that are recorded anyway. */
static int add_triggers(struct want *w, struct parts *p, const char *const *v, size_t n, struct err *e)
{
	struct record_events *l = &w->record.events;
	int r = 0;

	for (size_t i = 0; !r && i < w->record.more.on.n; i++) {
		if (l->n == RECORD_EVENTS_MAX)
			return err_set(e, EINVAL, "more than %d events", RECORD_EVENTS_MAX);
		r = record_trigger_read(w->record.more.on.v[i], &l->v[l->n], p->text[i], sizeof(p->text[i]), e);
		l->n += !r && !has_it(v, n, l->v[l->n].text);
	}
	return r;
}

static int prepare(struct ctx *c, struct want *w, struct parts *p, struct err *e)
{
	const char *v[16];
	size_t n;
	int r = find_dir(c, w, p, e);

	if (!r && (!w->record.pace.freq || w->record.pace.freq > 10000))
		r = err_set(e, EINVAL, "--freq: 1 to 10000 samples in a second");
	if (!r && !w->record.cut.max_files)
		r = err_set(e, EINVAL, "--keep: at least one file");
	n = usual(c, w, p, v);
	r = r ? r : add_triggers(w, p, v, n, e);
	if (!r && n + w->record.events.n > RECORD_EVENTS_MAX)
		r = err_set(e, EINVAL, "with the usual ones more than %d events: --bare has those of -e and --on alone",
			    RECORD_EVENTS_MAX);
	if (r)
		return r;
	view_events(&w->record, v, n);
	if (!w->record.events.n)
		return err_set(e, EINVAL, "--bare: what then? -e and --on name it");
	return 0;
}

static int blackbox_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct parts *p = calloc(1, sizeof(*p));
	struct err e = { 0 };
	int r = p ? prepare(c, w, p, &e) : err_nomem(&e), code;

	if (!r) {
		w->record.target.all = !w->record.target.cpus;
		w->record.file.output = p->path;
		w->record.cut.stem = p->stem;
		w->record.ring.overwrite = true;
		w->record.cut.on = w->record.cut.earlier = true;
		w->record.chain.on = w->chains;
		w->record.exclude_self = false;
		code = cmd_find("record")->run(c, &w->record, argc, argv);
	} else {
		code = r == -EINVAL ? cmd_usage(c, c->cmd, &e) : cmd_fail(c, &e);
	}
	free(p);
	return code;
}

DEFINE_CMD(blackbox,
	.brief = "Flight recorder: write the last seconds to a file when an event occurs",
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED(
		"Ring buffers of fixed size per CPU keep the newest records of the whole system: samples with call "
		"chains, context switches, wakeups, interrupts. A file is written only on SIGUSR2, when an event of "
		"--on occurs, or when 'snapshot' is written to --control: all records in the ring buffers go into a "
		"perf.data with the time in its name, and recording goes on. Ctrl-C, SIGTERM and the end of the "
		"command write a last file. Files written shortly after each other do not repeat records. Between "
		"files only execs and mappings of programs are read, so it may run for weeks. With -o on a tmpfs it "
		"needs no disk. Several instances may write to one folder."),
	.examples = PACKED(
		"sonde blackbox -o /run\tuntil Ctrl-C; 'pkill -USR2 sonde' writes a file\n"
		"sonde blackbox -o /run --on oom:mark_victim --on 'sched:sched_process_exit/comm == \"vswitchd\"/'\ta "
			"file on OOM, or when this program ends\n"
		"sonde blackbox --control fifo:orders --keep 3\t'echo snapshot > orders' writes a file\n"
		"sonde blackbox -m 16M -g -C 2-3\tlarger buffers, call chains, two CPUs\n"
		"sonde blackbox --on 'irq:softirq_entry/vec == 3/' --after 1s --rest 1m -- ./server\twhile a command "
			"runs\n"
		"sonde blackbox --bare -e 'net:*' -F 49\tonly other events"),
	.opts = opts, .want_size = sizeof(struct want), .defaults = defaults, .run = blackbox_run);
