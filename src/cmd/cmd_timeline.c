/* cmd_timeline.c - sonde timeline: recordings as one page: which task ran on which CPU, what happened, how long. */
#include "cmd/cmd.h"

#include "report/budget.h"
#include "report/exporter.h"
#include "show/base64.h"
#include "show/gzip.h"
#include "sys/output.h"
#include "sys/tty.h"
#include "timeline/acts.h"
#include "timeline/html.h"

#include <fcntl.h>
#include <unistd.h>

struct want {
	struct session_want session;
	struct filter_want filter;
	struct opt_list input, sync, counters;
	const char *output, *title;
	uint64_t max_stack;
	bool ignored;
};

static const struct opt opts[] = {
	OPT_HEAD("Input"),
	OPT_LIST('i', "input", struct want, input, "<file>",
		 "recording to read, perf.data or trace.dat; repeatable (default: whichever exists, perf.data first)"),
	OPT_LIST(0, "sync", struct want, sync, "<how>",
		 "put several recordings on one clock: NAME=OFFSET adds a time (1.5ms, -3s) to the timestamps of that "
		 "file; EVENT: take the first EVENT of each recording as the same moment"),
	OPT_STR('C', "cpu", struct want, filter.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_STR(0, "time", struct want, filter.time, "<from>,<to>",
		"only this time range, in seconds, or a part of the recording: 10%-20%"),
	OPT_STR(0, "symfs", struct want, session.symfs, "<dir>", "folder with the recorded machine's files"),
	OPT_STR('k', "vmlinux", struct want, session.vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct want, session.kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_U64(0, "max-stack", struct want, max_stack, "<n>", "use only the <n> innermost frames (default all)"),
	SESSION_OPT_INLINE(struct want),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct want, output, "<file>", "HTML file to write; -: standard output"),
	OPT_STR(0, "title", struct want, title, "<text>", "title of the page (default: names of the recordings)"),
	OPT_LIST(0, "counter", struct want, counters, "<event>/<field>[/<by>]",
		 "draw an event's field as a curve, one per value of the field <by>: net:net_dev_queue/len/name"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

enum { RECORDINGS = OPT_LIST_MAX };

struct timeline_page {
	struct ctx *c;
	const struct want *want;
	const char *path[RECORDINGS];          /* NULL: the default recording */
	int64_t offset[RECORDINGS];
	size_t n;
	struct acts_counter counters[OPT_LIST_MAX + 8];
	size_t n_counters;
	struct roll roll;
	struct session *session;               /* the recording that is being read */
	uint64_t broken;
	bool failed;
};

/* --- options ------------------------------------------------------------------------------------------------- */

static int add_inputs(struct timeline_page *p, int argc, char **argv, struct err *e)
{
	const struct want *w = p->want;

	if (w->input.n + (size_t)argc > RECORDINGS)
		return err_set(e, EINVAL, "more than %d recordings", RECORDINGS);
	for (size_t i = 0; i < w->input.n; i++)
		p->path[p->n++] = w->input.v[i];
	for (int i = 0; i < argc; i++)
		p->path[p->n++] = argv[i];
	p->n = MAX(p->n, (size_t)1);
	return 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static int add_counter(struct timeline_page *p, const char *text, struct err *e)
{
	struct acts_counter *c = &p->counters[p->n_counters];
	struct sv rest = sv_from(text);

	*c = (struct acts_counter){ 0 };
	sv_cut(&rest, '/', &c->event);
	sv_cut(&rest, '/', &c->field);
	c->by = rest;
	if (!memchr(c->event.s, ':', c->event.n) || !c->field.n)
		return err_set(e, EINVAL, "--counter: '%.80s' is no event and field: net:net_dev_queue/len", text);
	p->n_counters++;
	return 0;
}

static int add_counters(struct timeline_page *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < p->want->counters.n && !r; i++)
		r = add_counter(p, p->want->counters.v[i], e);
	for (size_t i = 0; i < acts_n_counters; i++)
		p->counters[p->n_counters++] = acts_counters[i];
	return r;
}

/* --- --sync: offsets between the clocks of recordings --------------------------------------------------------- */

static int open_recording(struct timeline_page *p, size_t i, struct session *s, struct err *e)
{
	struct session_want sw = p->want->session;

	sw.path = p->path[i];
	return session_open(s, p->c->sys, &sw, e);
}

/* Parse --sync "guest.dat=-1.5ms". 1: the offset is set; 0: text is no offset, but the name of an event. */
static int sync_offset(struct timeline_page *p, struct sv text, struct err *e)
{
	struct sv name, rest = text;
	bool minus, found = false;
	uint64_t ns;

	if (!memchr(text.s, '=', text.n))
		return 0;
	sv_cut(&rest, '=', &name);
	minus = rest.n && *rest.s == '-';
	if (rest.n && (*rest.s == '-' || *rest.s == '+'))
		rest = (struct sv){ rest.s + 1, rest.n - 1 };
	if (!str_time(rest, 1000000000, &ns) || ns > INT64_MAX)
		return err_set(e, EINVAL, "--sync: '%.*s' is no time: 1.5ms, -3s, 250ns", (int)MIN(rest.n, (size_t)40),
			       rest.s);
	for (size_t i = 0; i < p->n; i++)
		if (p->path[i] && (sv_eq(name, p->path[i]) || sv_eq(name, base_of(p->path[i])))) {
			p->offset[i] = minus ? -(int64_t)ns : (int64_t)ns;
			found = true;
		}
	return found ? 1 : err_set(e, EINVAL, "--sync: '%.*s' is none of the recordings", (int)MIN(name.n, (size_t)80),
				   name.s);
}

static int first_time(struct timeline_page *p, size_t i, const char *event, uint64_t *time, struct err *e)
{
	struct session s;
	struct session_item it;
	int r = open_recording(p, i, &s, e);

	if (r)
		return r;
	while ((r = session_next(&s, &it, e)) == 1) {
		const char *colon = it.event ? strchr(it.event->label, ':') : NULL;

		if (it.event && (!strcmp(it.event->label, event) || (colon && !strcmp(colon + 1, event))))
			break;
	}
	if (r == 1)
		*time = it.sample.time;
	else if (!r)
		r = err_set(e, ENOENT, "--sync: %s has no event '%.80s'", s.path, event);
	session_close(&s);
	return MIN(r, 0);
}

static int sync_event(struct timeline_page *p, const char *event, struct err *e)
{
	uint64_t first, other;
	int r = p->n < 2 ? err_set(e, EINVAL, "--sync: there is one recording") : first_time(p, 0, event, &first, e);

	for (size_t i = 1; i < p->n && !r; i++) {
		r = first_time(p, i, event, &other, e);
		if (!r)
			p->offset[i] = (int64_t)(first - other);
	}
	return r;
}

static int sync_all(struct timeline_page *p, struct err *e)
{
	const struct opt_list *l = &p->want->sync;
	int r = 0;

	for (size_t i = 0; i < l->n && !r; i++) {
		r = sync_offset(p, sv_from(l->v[i]), e);
		r = r ? MIN(r, 0) : sync_event(p, l->v[i], e);
	}
	return r;
}

/* --- recordings ---------------------------------------------------------------------------------------------- */

/* Warnings are printed, and shown on the page. */
static void note(void *arg, const char *line)
{
	struct timeline_page *p = arg;

	cmd_note(p->c, "%s", line);
	p->failed |= roll_note(&p->roll, line) != 0;
}

static void note_number(struct timeline_page *p, uint64_t n, const char *what)
{
	char line[200], number[32];

	if (!n)
		return;
	snprintf(line, sizeof(line), "%s %s", fmt_grouped(number, sizeof(number), n), what);
	note(p, line);
}

static int add_host(struct timeline_page *p, size_t i, const char *path)
{
	struct roll_host *h = vec_add(&p->roll.hosts);

	if (!h)
		return -ENOMEM;
	h->name = roll_name(&p->roll, base_of(path));
	h->offset = p->offset[i];
	return h->name == NAMES_NONE ? -ENOMEM : 0;
}

static int read_session(struct timeline_page *p, size_t i, struct session *s, struct err *e)
{
	struct acts_to to = {
		.roll = &p->roll, .host = (uint32_t)i, .offset = p->offset[i], .counters = p->counters,
		.n_counters = p->n_counters,
	};
	struct exporter_want ew = {
		.format = &acts_format, .filter = &p->want->filter, .path = s->path, .version = "sonde " SONDE_VERSION,
		.inlines = !p->want->session.outlined, .max_stack = p->want->max_stack, .to = &to,
	};
	struct exporter x;
	int r = add_host(p, i, s->path);

	if (r)
		return err_nomem(e);
	r = exporter_run(&x, s, &ew, p->roll.to, e);
	exporter_deinit(&x);
	p->broken += to.broken;
	return r;
}

static int read_one(struct timeline_page *p, size_t i, struct err *e)
{
	struct session s;
	int r = open_recording(p, i, &s, e);

	if (r)
		return r;
	r = read_session(p, i, &s, e);
	if (!r)
		session_footer(&s, SESSION_LOSSES, note, p);
	p->c->incomplete |= session_incomplete(&s);
	session_close(&s);
	return r;
}

static bool has_counter(const struct roll *r, const struct acts_counter *c)
{
	char name[200];
	size_t n = (size_t)snprintf(name, sizeof(name), "%.*s %.*s", (int)MIN(c->event.n, (size_t)100), c->event.s,
				    (int)MIN(c->field.n, (size_t)60), c->field.s);

	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.v[i]->kind == LANE_COUNTER &&
		    !strncmp(names_str(&r->names, r->lanes.v[i]->owner), name, n))
			return true;
	return false;
}

static void note_counters(struct timeline_page *p)
{
	char line[200];

	for (size_t i = 0; i < p->want->counters.n; i++) {
		if (has_counter(&p->roll, &p->counters[i]))
			continue;
		snprintf(line, sizeof(line), "no event has told %.120s", p->want->counters.v[i]);
		note(p, line);
	}
}

static int read_all(struct timeline_page *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < p->n && !r; i++)
		r = read_one(p, i, e);
	if (r)
		return r;
	note_counters(p);
	note_number(p, p->roll.far, "events are more than 52 days from the first one: left out");
	note_number(p, p->roll.left_out, "items have no row: there is room for 16,384");
	note_number(p, p->broken, "interrupts or calls have no beginning in the recording");
	return p->failed || roll_end(&p->roll) ? err_nomem(e) : 0;
}

/* --- the page ------------------------------------------------------------------------------------------------ */

static void put_title(const struct timeline_page *p, char *to, size_t size)
{
	size_t n = 0;

	*to = '\0';
	if (p->want->title) {
		str_copy(to, size, sv_from(p->want->title));
		return;
	}
	for (size_t i = 0; i < p->n && n < size; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%s", i ? ", " : "",
				      p->path[i] ? base_of(p->path[i]) : "timeline");
}

static int write_page(struct timeline_page *p, struct out *o, struct err *e)
{
	struct base64 text;
	struct gzip *packed;
	char title[400];
	int r;

	put_title(p, title, sizeof(title));
	html_begin(o, title);
	base64_init(&text, o);
	packed = gzip_new(&text.out);
	if (!packed)
		return err_nomem(e);
	roll_init(&p->roll, gzip_out(packed));
	r = read_all(p, e);
	gzip_end(packed);
	base64_end(&text);
	if (html_end(o) && !r)
		r = err_nomem(e);
	roll_deinit(&p->roll);
	gzip_free(packed);
	return r;
}

/* Check that the recordings open before an old page is overwritten. A pipe cannot be tried: it opens only once. */
static int try_inputs(struct timeline_page *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < p->n && !r; i++) {
		struct session s;

		if (p->path[i] && !strcmp(p->path[i], "-"))
			continue;
		r = open_recording(p, i, &s, e);
		if (!r)
			session_close(&s);
	}
	return r;
}

static int write_file(struct timeline_page *p, struct err *e)
{
	const char *path = p->want->output;
	struct output file;
	char buf[65536], number[32];
	struct out o;
	int r = try_inputs(p, e);

	r = r ? r : output_open(&file, p->c->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	output_text(&file, &o, buf, sizeof(buf));
	r = write_page(p, &o, e);
	out_end(&o);
	if (!r && o.error)
		r = err_set(e, -o.error, "cannot write %s: %s", path, err_name(-o.error));
	if (r) {
		output_discard(&file);
		return r;
	}
	output_close(&file);
	cmd_note(p->c, "%s: %s", path, fmt_bytes(number, sizeof(number), o.total));
	return 0;
}

static int check(const struct want *w, struct err *e)
{
	if (!w->output)
		return err_set(e, EINVAL, "which file? Name the page with -o");
	if (!strcmp(w->output, "-") && tty_is(STDOUT_FILENO))
		return err_set(e, EINVAL, "a page is not for a terminal: give it a file with -o");
	return 0;
}

static int timeline_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct timeline_page *p = calloc(1, sizeof(*p));
	struct err e = { 0 };
	int r, code;

	if (!p) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	p->c = c;
	p->want = w;
	r = check(w, &e);
	r = r ? r : add_inputs(p, argc, argv, &e);
	r = r ? r : add_counters(p, &e);
	r = r ? r : sync_all(p, &e);
	if (!r)
		r = strcmp(w->output, "-") ? write_file(p, &e) : write_page(p, c->out, &e);
	code = !r ? EXIT_DONE : r == -EINVAL ? cmd_usage(c, cmd_find("timeline"), &e) : cmd_fail(c, &e);
	free(p);
	return code;
}

DEFINE_CMD(timeline, .brief = "Write an HTML timeline: tasks, CPUs, events and calls",
	   .synopsis = "[options] [-i file]... -o page.html",
	   .examples = PACKED(
		       "sonde timeline -o page.html\tperf.data, or trace.dat if there is no perf.data\n"
		       "sonde timeline -i trace.dat -o page.html\ta recording of ftrace or trace-cmd, with "
		       	"function_graph's calls\n"
		       "sonde timeline -i host.dat -i guest.dat -o page.html\thost and guest, clocks synchronized by "
		       	"trace-cmd\n"
		       "sonde timeline -i a.data -i b.data --sync b.data=-1.5ms -o page.html\ttwo recordings with "
		       	"different clocks\n"
		       "sonde timeline --counter net:net_dev_queue/len/name -o page.html\tpacket lengths as curves"),
	   .details = PACKED(
		      "The page is one self-contained file: a row per CPU (events, current task, interrupts) and per "
		      "task (its CPU, waits, calls), wakeups as lines, counters as curves, a flame graph of any time "
		      "range, search, filters, two markers. ? lists the keys.\n"
		      "To record all that it can show: sonde record -a -g -e cpu-clock -e "
		      "'sched:sched_switch,sched:sched_waking,irq:*'."),
	   .opts = opts, .want_size = sizeof(struct want), .run = timeline_run);
