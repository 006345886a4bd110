/* cmd_convert.c - sonde convert: writes a recording in another tool's format, or as perf.data. */
#include "cmd/cmd.h"

#include "record/plain.h"
#include "report/budget.h"
#include "report/exporter.h"
#include "sys/output.h"
#include "sys/tty.h"

#include <fcntl.h>
#include <unistd.h>

struct want {
	struct session_want session;
	struct filter_want filter;
	struct budget_want budget;
	const char *output, *to, *event;
	uint64_t max_stack;
	bool period, sql, code, ignored;
};

#define PLAIN "perf.data"

static const struct opt opts[] = {
	OPT_HEAD("Input"),
	OPT_SUB(session_opts, struct want, session),
	OPT_STR('e', "event", struct want, event, "<name>",
		"only this event (default: all; for formats with one event the first with samples)"),
	OPT_SUB(filter_opts, struct want, filter),
	OPT_U64(0, "max-stack", struct want, max_stack, "<n>", "use only the <n> innermost frames (default all)"),
	SESSION_OPT_INLINE(struct want),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct want, output, "<file>", "file to write (default -: standard output)"),
	OPT_STR(0, "to", struct want, to, "<format>", "output format (default: by file name extension, see below)"),
	OPT_FLAG(0, "sql", struct want, sql, "same as --to sql: text for sqlite3, one table per event"),
	OPT_FLAG(0, "period", struct want, period, "weight by periods (event counts), not by samples"),
	OPT_FLAG(0, "code", struct want, code,
		 "include the instructions of functions with samples (perfetto)"),
	OPT_HEAD("Effort"),
	OPT_SUB(budget_opts, struct want, budget),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

struct convert {
	struct ctx *c;
	const struct want *want;
	const struct export_format *format;   /* NULL: write a perf.data */
	struct session session;
	bool to_file, watched;                /* watched: show progress, standard error is a terminal */
};

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

/* --- which format -------------------------------------------------------------------------------------------- */

static int no_format(const struct want *w, struct err *e)
{
	char list[200];
	size_t n = (size_t)snprintf(list, sizeof(list), PLAIN);
	struct nearest near;
	char text[160];

	nearest_init(&near, sv_from(w->to ? w->to : ""));
	nearest_feed(&near, PLAIN);
	for (size_t i = 0; export_formats[i]; i++) {
		n += (size_t)snprintf(list + n, sizeof(list) - n, " %s", export_formats[i]->name);
		nearest_feed(&near, export_formats[i]->name);
	}
	if (w->to)
		err_set(e, EINVAL, "there is no format '%s'%s", w->to, nearest_text(&near, text, sizeof(text)));
	else if (w->output)
		err_set(e, EINVAL, "the ending of %s says no format: name one with --to", w->output);
	else
		err_set(e, EINVAL, "which format? Name one with --to");
	return err_hint(e, "formats are %s", list);
}

static int choose_format(struct convert *v, struct err *e)
{
	const struct want *w = v->want;
	size_t n = w->output ? strlen(w->output) : 0;
	bool plain = w->to ? !strcmp(w->to, PLAIN) : n > 5 && !strcmp(w->output + n - 5, ".data");

	v->format = plain ? NULL : w->to ? export_named(w->to) : w->output ? export_by_ending(w->output) : NULL;
	if (!plain && !v->format)
		return no_format(w, e);
	if (w->period && !(v->format && v->format->needs & EXPORT_WEIGHS))
		return err_set(e, EINVAL, "--period: %s has %s",
			       plain ? "a perf.data" : v->format->name, "samples and counts in any case");
	if (w->code && !(v->format && v->format->code))
		return err_set(e, EINVAL, "--code: %s has no place for instructions",
			       plain ? "a perf.data" : v->format->name);
	if (plain && (w->event || w->max_stack || w->filter.cpus || w->filter.time || w->filter.comms.n ||
		      w->filter.dsos.n || w->filter.symbols.n || w->filter.pids.n || w->filter.tids.n ||
		      w->filter.symbol_part || w->filter.hide_unresolved))
		return err_set(e, EINVAL, "a perf.data has all samples: choose when you report it");
	return 0;
}

/* --- output -------------------------------------------------------------------------------------------------- */

static void show_progress(void *arg, uint64_t samples)
{
	const struct convert *v = arg;
	char number[32];

	if (!v->watched)
		return;
	out_control(v->c->msg, "\r");
	out_printf(v->c->msg, "%s samples ", fmt_grouped(number, sizeof(number), samples));
	out_flush(v->c->msg);
}

static void note_code(const struct convert *v, const struct exporter_code_stats *s)
{
	if (s->missing)
		cmd_note(v->c, "%llu functions have no code here: %s", (unsigned long long)s->missing, s->why.text);
	if (s->left_out)
		cmd_note(v->c, "the code of %llu functions is left out: their files have heavier ones that are enough",
			 (unsigned long long)s->left_out);
}

static int export(struct convert *v, struct out *o, struct err *e)
{
	const struct want *w = v->want;
	struct budget b = budget_of(&w->budget, v->c->sys);
	struct exporter_want ew = {
		.format = v->format, .filter = &w->filter, .path = v->session.path, .event = w->event,
		.version = "sonde " SONDE_VERSION, .weigh = w->period, .inlines = !w->session.outlined,
		.code = w->code,
		.max_stack = w->max_stack, .memory = b.memory,
		.progress = show_progress, .arg = v,
	};
	struct exporter p;
	char number[2][32];
	int r;

	if (b.jobs > 1)
		session_ahead(&v->session, true);
	r = exporter_run(&p, &v->session, &ew, o, e);
	out_flush(o);
	if (v->watched)
		out_control(v->c->msg, "\r\033[K");
	if (!r && !p.samples)
		cmd_note(v->c, v->session.stats.samples ? "no sample fits" : "no samples in %s", v->session.path);
	note_code(v, &p.code);
	if (!r && p.x.left_out)
		cmd_note(v->c, "%s has room for one event, %s: %s samples of others are left out; -e chooses",
			 v->format->name, p.x.t.events[p.x.event].name,
			 fmt_grouped(number[0], sizeof(number[0]), p.x.left_out));
	if (!r && v->to_file && !o->error)
		cmd_note(v->c, "%s: %s samples, %s", w->output, fmt_grouped(number[0], sizeof(number[0]), p.samples),
			 fmt_bytes(number[1], sizeof(number[1]), o->total));
	exporter_deinit(&p);
	return r;
}

static int export_to_file(struct convert *v, struct err *e)
{
	const char *path = v->want->output;
	struct output file;
	char buf[65536];
	struct out o;
	int r = output_open(&file, v->c->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);

	if (r)
		return r;
	output_text(&file, &o, buf, sizeof(buf));
	r = export(v, &o, e);
	out_end(&o);
	if (!r && o.error)
		r = err_set(e, -o.error, "cannot write %s: %s", path, err_name(-o.error));
	if (r)
		output_discard(&file);
	else
		output_close(&file);
	return r;
}

static int export_to_stdout(struct convert *v, struct err *e)
{
	if (v->format != &export_folded && v->format != &export_sql && tty_is(STDOUT_FILENO))
		return err_set(e, EINVAL, "%s is not for a terminal: give it a file with -o", v->format->name);
	return export(v, v->c->out, e);
}

static int make_plain(struct convert *v, struct err *e)
{
	struct plain_stats stats = { 0 };
	struct sink sink;
	char number[32];
	int r;

	if (!v->to_file)
		return err_set(e, ESPIPE, "a perf.data goes into a file: give it a name with -o");
	r = sink_open(&sink, v->c->sys, v->want->output, e);
	if (r)
		return r;
	r = plain_write(&v->session, &sink, &stats, e);
	if (r) {
		sink_discard(&sink);
		return r;
	}
	sink_close(&sink);
	cmd_note(v->c, "%s: %s records", v->want->output, fmt_grouped(number, sizeof(number), stats.records));
	if (stats.left_out)
		cmd_note(v->c, "left out of its records, for they came later: %s",
			 fmt_grouped(number, sizeof(number), stats.left_out));
	if (stats.features)
		cmd_note(v->c, "left out of its head, for it came later: %s",
			 fmt_grouped(number, sizeof(number), stats.features));
	if (stats.later)
		cmd_note(v->c, "samples have fields that came after perf 5.10, which misreads them");
	return 0;
}

static int convert(struct convert *v, struct err *e)
{
	return !v->format ? make_plain(v, e) : v->to_file ? export_to_file(v, e) : export_to_stdout(v, e);
}

static int convert_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct convert v = { .c = c, .want = w };
	struct err e = { 0 };
	int r;

	if (argc > 1 || (argc && w->session.path)) {
		err_set(&e, EINVAL, "what is '%s'? One recording at a time", argv[argc - 1]);
		return cmd_usage(c, cmd_find("convert"), &e);
	}
	if (argc)
		w->session.path = argv[0];
	if (w->sql && w->to && strcmp(w->to, "sql")) {
		err_set(&e, EINVAL, "sql and %s: one format at a time", w->to);
		return cmd_usage(c, cmd_find("convert"), &e);
	}
	if (w->sql)
		w->to = "sql";
	v.to_file = w->output && strcmp(w->output, "-");
	v.watched = v.to_file && tty_is(STDERR_FILENO);
	if (choose_format(&v, &e))
		return cmd_usage(c, cmd_find("convert"), &e);
	if (session_open(&v.session, c->sys, &w->session, &e))
		return cmd_fail(c, &e);
	r = convert(&v, &e);
	if (!r)
		session_footer(&v.session, SESSION_LOSSES, note, c);
	c->incomplete |= session_incomplete(&v.session);
	session_close(&v.session);
	if (r == -EINVAL)
		return cmd_usage(c, cmd_find("convert"), &e);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(convert, .brief = "Convert a recording: pprof, Perfetto, Firefox, speedscope, older perf",
	   .synopsis = "[options] [-i file] -o file",
	   .examples = PACKED(
		       "sonde convert -o out.pb.gz\tfor pprof -top out.pb.gz\n"
		       "sonde convert -o out.pftrace\tfor ui.perfetto.dev\n"
		       "sonde convert --code -o out.pftrace\twith the instructions of functions with samples\n"
		       "sonde convert --to firefox -o out.json\tfor profiler.firefox.com\n"
		       "sonde convert --to speedscope -o out.json\tfor speedscope.app\n"
		       "sonde convert --to folded | flamegraph.pl > out.svg\tfolded stacks\n"
		       "sonde convert --sql | sqlite3 run.db\tsqlite3 run.db 'SELECT count(*) FROM sched_switch'\n"
		       "sonde convert -i new.data -o old.data\tfor perf 5.10 and other old readers\n"),
	   .details = PACKED(
		      "Formats and file name extensions: perf.data (.data), folded (.folded), firefox (.firefox.json, "
		      ".profile.json), speedscope (.speedscope.json), pprof (.pb.gz, .pprof), perfetto (.pftrace, "
		      ".perfetto-trace), chrome (.trace.json, .chrome.json), otlp (.otlp: OpenTelemetry profiles "
		      "v1development of 1.11, which is not stable), sql (.sql: for sqlite3, one table per event with "
		      "perf-prof's columns and the event's fields; call chains in _stacks).\n"
		      "perf.data: compressed recordings are decompressed, directories become one file, and records "
		      "newer than perf 5.10 are rewritten in its format."),
	   .opts = opts, .want_size = sizeof(struct want), .run = convert_run);
