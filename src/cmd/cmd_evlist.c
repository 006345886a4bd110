/* cmd_evlist.c - sonde evlist: lists the events of a recording. */
#include "cmd/cmd.h"

#include "cmd/report/header.h"

struct want {
	struct session_want session;
	bool freq, group, fields, ignored;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_SUB(session_opts, struct want, session),
	OPT_FLAG('F', "freq", struct want, freq, "print sampling frequency or period"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print all attributes"),
	OPT_FLAG('g', "group", struct want, group, "print the events of a group on one line"),
	OPT_FLAG(0, "trace-fields", struct want, fields, "print the fields of tracepoints"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

/* Names of events [from, end): "a", or for a group "{a,b}". */
static void names(const struct perf_head *h, size_t from, size_t end, struct out *o)
{
	for (size_t i = from; i < end; i++)
		out_printf(o, "%s%s", i > from ? "," : end > from + 1 ? "{" : "", h->events.v[i].label);
	if (end > from + 1)
		out_char(o, '}');
}

/* Fields of a tracepoint, without the common ones (common_type ...), which are first in the format. */
static void fields(const struct session *s, const struct perf_event *ev, const char *before, struct out *o)
{
	const struct tevent *t = ev->attr.type == PERF_TRACEPOINT ? tevents_by_id(s->trace, ev->attr.config) : NULL;

	if (ev->attr.type != PERF_TRACEPOINT)
		out_printf(o, "%s(not a tracepoint)", before);
	for (uint32_t i = t ? t->fmt.n_common : 0; t && i < t->fmt.n_fields; i++)
		out_printf(o, "%s%s%s", i > t->fmt.n_common ? "," : before, i > t->fmt.n_common ? "" : "trace_fields: ",
			   t->fmt.fields[i].name);
}

static void show(const struct session *s, const struct want *w, struct out *o)
{
	const struct perf_head *h = s->head;
	bool traced = false, grouped = false;

	for (size_t i = 0, end; i < h->events.n; i = end) {
		const struct perf_event *ev = &h->events.v[i];

		end = perf_head_group_end(h, i);
		grouped |= end > i + 1;
		end = w->group ? end : i + 1;
		names(h, i, end, o);
		if (w->verbose) {
			out_str(o, ": ");
			report_attr(&ev->attr, ": ", o);
		} else if (w->freq) {
			out_printf(o, ": sample_%s=%llu", ev->attr.flags & PERF_ATTR_FREQ ? "freq" : "period",
				   (unsigned long long)ev->attr.sample_period);
		}
		if (w->fields)
			fields(s, ev, w->verbose || w->freq ? ", " : ": ", o);
		traced |= ev->attr.type == PERF_TRACEPOINT;
		out_char(o, '\n');
	}
	if (traced && !w->fields)
		out_str(o, "# --trace-fields shows the fields of tracepoints\n");
	if (grouped && !w->group)
		out_str(o, "# -g shows the groups\n");
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int evlist_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct session s;
	struct err e = { 0 };

	if (argc > 1 || (argc && w->session.path)) {
		err_set(&e, EINVAL, "what is '%s'? One recording at a time", argv[argc - 1]);
		return cmd_usage(c, cmd_find("evlist"), &e);
	}
	if (argc)
		w->session.path = argv[0];
	/* List recorded events only, none that are synthesized from AUX data. */
	if (!w->session.itrace)
		w->session.itrace = "";
	if (session_open(&s, c->sys, &w->session, &e))
		return cmd_fail(c, &e);
	show(&s, w, c->out);
	session_footer(&s, SESSION_LOSSES, note, c);
	c->incomplete |= s.head->incomplete;
	session_close(&s);
	return EXIT_DONE;
}

DEFINE_CMD(evlist, .brief = "List the events of a recording", .synopsis = "[options] [-i file]",
	   .examples = PACKED(
		       "sonde evlist\tone per line\n"
		       "sonde evlist -F\twith the frequency or the period of each\n"
		       "sonde evlist -v\twith all attributes\n"
		       "sonde evlist --trace-fields\tfields for report -s and script -F\n"),
	   .opts = opts, .want_size = sizeof(struct want), .run = evlist_run);
