/* cmd_script.c - sonde script: prints every sample of a recording. */
#include "cmd/cmd.h"

#include "cmd/report/header.h"
#include "cmd/script/print.h"
#include "perf/attr.h"
#include "sys/tty.h"

static int set_fields(void *field, const char *value, struct err *e)
{
	struct script_want *w = field;

	return value ? script_parse_fields(&w->fields, value, e) : 0;
}

#define ACCEPTED(l, n, k, f)                                                                                          \
	{                                                                                                             \
		.letter = (l), .kind = (k), .flags = OPT_HIDDEN, .off = offsetof(struct script_want, f), .name = (n)  \
	}

const struct opt script_opts[] = {
	OPT_HEAD("Input"),
	OPT_SUB(session_opts, struct script_want, session),
	OPT_LIST('e', "event", struct script_want, events, "<names>",
		 "only these events; * and ? match"),
	OPT_SUB(filter_opts, struct script_want, filter),
	OPT_SUB(script_span_opts, struct script_want, span),
	OPT_HEAD("Output"),
	OPT_CALL_WANT('F', "fields", 0, set_fields, "<fields>",
		      "fields to print: comm pid tid time cpu event trace ip sym symoff dso dsoff srcline addr period; "
		      "if recorded weight ins_lat retire_lat data_src phys_addr data_page_size code_page_size cgroup "
		      "iregs uregs brstack brstacksym brstackoff bpf-output insn insnlen misc tod; +x and -x add and "
		      "remove fields; the prefix hw: sw: trace: raw: or break: limits it to events of this type"),
	OPT_FLAG('G', "hide-call-graph", struct script_want, hide_chains, "print no call chains"),
	SESSION_OPT_INLINE(struct script_want),
	OPT_U64(0, "max-stack", struct script_want, max_stack, "<n>", "print only the <n> innermost frames"),
	OPT_LIST(0, "stop-bt", struct script_want, stops, "<names>", "end call chains at these functions"),
	OPT_FLAG(0, "full-source-path", struct script_want, full_paths, "print full paths of source files"),
	OPT_SUB(script_times_opts, struct script_want, times),
	OPT_FLAG('L', "Latency", struct script_want, latency, "narrow columns for commands and CPUs"),
	OPT_SUB(script_show_opts, struct script_want, show),
	OPT_FLAG('D', "dump-raw-trace", struct script_want, dump, "dump each record in hex and decoded, too"),
	OPT_FLAG(0, "dump-unsorted-raw-trace", struct script_want, unsorted, "same as -D, in file order"),
	OPT_FLAG(0, "per-event-dump", struct script_want, per_event,
		 "write each event to its own file, RECORDING.EVENT.dump"),
	OPT_FLAG('j', "json", struct script_want, json, "print one line of JSON per sample"),
	OPT_SUB(jobs_opts, struct script_want, budget),
	OPT_FLAG(0, "header", struct script_want, header, "print the header of the recording, too"),
	OPT_FLAG('I', "show-info", struct script_want, full_header,
		 "print the header with CPU topology, caches and NUMA nodes, too"),
	OPT_FLAG(0, "header-only", struct script_want, header_only, "print only the header"),
	ACCEPTED('v', "verbose", OPT_KIND_COUNT, verbose),
	ACCEPTED('f', "force", OPT_KIND_FLAG, ignored),
	ACCEPTED('a', "all-cpus", OPT_KIND_FLAG, ignored),
	ACCEPTED(0, "demangle-kernel", OPT_KIND_FLAG, session.kernel_plain),
	OPT_SUB(script_refused_opts, struct script_want, ignored),
	OPT_END,
};

void script_defaults(void *want)
{
	struct script_want *w = want;

	w->fields = script_default_fields();
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static bool event_chosen(const struct script_want *w, const char *label)
{
	for (size_t i = 0; i < w->events.n; i++) {
		struct sv rest = sv_from(w->events.v[i]), piece;
		char pattern[200];

		while (sv_cut(&rest, ',', &piece)) {
			str_copy(pattern, sizeof(pattern), piece);
			if (str_glob(pattern, sv_from(label)))
				return true;
		}
	}
	return !w->events.n;
}

static int choose_fields(struct script *s, struct err *e)
{
	size_t n = s->session->head->events.n;
	int r = script_fields_fit(s->want, s->session->head, e);

	s->fields = calloc(n, sizeof(*s->fields));
	if (r || !s->fields)
		return r ? r : err_nomem(e);
	for (size_t i = 0; i < n && !r; i++) {
		const struct perf_event *ev = &s->session->head->events.v[i];
		bool silent = attr_is_dummy(&ev->attr) || ev->traced;

		s->name_width = MAX(s->name_width, (unsigned)strlen(ev->label));
		r = event_chosen(s->want, ev->label) ? script_fields_of(s->want, ev, &s->fields[i], silent ? NULL : e)
						     : 0;
		if (silent)
			r = 0;
	}
	return r;
}

/* Do --switch-on and --switch-off leave out this sample? Follows their state: call it once for each sample. */
static bool is_off(struct script *s, const struct perf_event *ev)
{
	const struct script_span *w = &s->want->span;
	bool ends = s->off ? w->on && !strcmp(ev->label, w->on) : w->off && !strcmp(ev->label, w->off);

	if (ends)
		s->off = !s->off;
	return ends ? !w->ends_too : s->off;
}

static int span_fits(const char *name, const char *option, const struct perf_head *h, struct err *e)
{
	for (size_t i = 0; name && i < h->events.n; i++)
		if (!strcmp(h->events.v[i].label, name))
			return 0;
	if (!name)
		return 0;
	err_set(e, EINVAL, "%s event not found (%s)", option, name);
	return err_hint(e, "sonde evlist lists the recording's events");
}

static bool dumps(const struct script_want *w)
{
	return w->dump || w->unsorted;
}

static int take_sample(struct script *s, const struct perf_event *ev, const struct sample *smp)
{
	const struct script_want *w = s->want;
	struct chain_frame f[CHAIN_MAX];
	struct script_taken t = { .ev = ev, .smp = smp, .frames = f };
	size_t max = w->hide_chains ? 1 : w->max_stack ? (size_t)MIN(w->max_stack, (uint64_t)CHAIN_MAX) : CHAIN_MAX;

	if (!s->fields[session_event_index(s->session, ev)] || !filter_sample(&s->filter, smp))
		return 0;
	t.comm = resolver_comm_of(s->session->resolver, smp->pid, smp->tid);
	if (dumps(s->want) && dump_place(&s->dump, &s->frames, smp, t.comm))
		return -ENOMEM;
	if (!filter_comm(&s->filter, t.comm))
		return 0;
	t.spaces = resolver_spaces(s->session->resolver, smp->pid, smp->time);
	t.n_frames = sample_frames(&ev->layout, smp, f, max);
	if (s->filter.by_name && t.n_frames) {
		uint32_t frame = frames_at(&s->frames, &t.spaces, &f[0]);

		if (frame == NAMES_NONE)
			return -ENOMEM;
		if (!filter_frame(&s->filter, &s->frames.v.v[frame]))
			return 0;
	}
	if (is_off(s, ev))
		return 0;
	s->shown++;
	return script_take(s, &t);
}

static int show_all(struct script *s, struct err *e)
{
	struct session_item it;
	int r;

	while ((r = session_next(s->session, &it, e)) == 1) {
		r = it.event ? take_sample(s, it.event, &it.sample) : script_take_record(s, &it);
		if (r)
			return r == -ENOMEM ? err_nomem(e) : r;
	}
	if (!r)
		r = lines_settle(s->lines);
	return r == -ENOMEM ? err_nomem(e) : r;
}

static const char *text_at(void *arg, uint64_t addr)
{
	const struct session *s = arg;

	return tevents_string(s->trace, addr);
}

/* Set up what lies between the recording and the output: fields, filters, files, caches. 0, -EINVAL or -ENOMEM. */
static int prepare(struct script *s, struct err *e)
{
	const struct script_want *w = s->want;
	struct lines_want lw = {
		.jobs = budget_of(&w->budget, s->c->sys).jobs, .out = s->c->out, .write = script_write, .arg = s,
		.own = sizeof(struct script_own),
	};
	int r = choose_fields(s, e);

	if (!r)
		r = filter_init(&s->filter, &w->filter, s->session, e);
	if (!r)
		r = span_fits(w->span.on, "switch-on", s->session->head, e);
	if (!r)
		r = span_fits(w->span.off, "switch-off", s->session->head, e);
	if (!r && w->per_event)
		r = script_files_open(&s->files, s->session, &lw, e);
	if (r)
		return r;
	s->off = w->span.on;
	/* A dump is printed while records are read, so one thread must print the lines of their samples, too. */
	if (dumps(w)) {
		dump_begin(&s->dump, s->session, s->c->out, true);
		lw.jobs = 1;
	}
	s->texts = (struct tprint_names){ .arg = s->session, .string = text_at };
	s->lines = lines_new(&lw);
	if (!s->lines || frames_init(&s->frames, s->session) || script_places_init(&s->places, s->want, &s->frames))
		return err_nomem(e);
	return 0;
}

static void clean_up(struct script *s)
{
	lines_free(s->lines);
	script_files_free(&s->files);
	map_deinit(&s->cgroups);
	script_places_deinit(&s->places);
	frames_deinit(&s->frames);
	filter_deinit(&s->filter);
	mem_out_deinit(&s->made);
	free(s->fields);
}

static int show(struct script *s, struct err *e)
{
	int r = prepare(s, e), pager;
	bool all;

	if (r)
		return r;
	pager = s->want->json ? 0 : tty_pager_begin(s->c->out);
	if ((s->want->header || s->want->full_header) && !s->want->json)
		report_header(s->session, s->want->full_header, s->c->out);
	r = show_all(s, e);
	if (!r)
		r = script_files_end(&s->files, s->c, e);
	tty_pager_end(s->c->out, pager);
	/* Errors of the output are reported by cmd_finish; that the reader closed the pipe is none. */
	if (r && r == s->c->out->error)
		r = 0;
	if (!r && !s->session->stats.samples)
		cmd_note(s->c, "no samples in %s", s->session->path);
	else if (!r && !s->shown)
		cmd_note_chosen(s->c);
	all = s->want->verbose || s->want->header || s->want->full_header;
	session_footer(s->session, all ? SESSION_ALL : SESSION_LOSSES, note, s->c);
	return r;
}

/* One word is a recording; "record NAME", "report NAME" are how perf runs scripts in other languages. */
static int take_words(struct script_want *w, int argc, char **argv, struct err *e)
{
	static const char *const verbs[] = { "record", "report" };

	for (size_t i = 0; argc && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(argv[0], verbs[i]) && argc > 1) {
			err_set(e, EINVAL, "'script %s' runs scripts in other languages, which this does not",
				verbs[i]);
			return err_hint(e, "script -j prints a line of JSON for each sample; sonde flame makes flame "
					   "graphs");
		}
	if (argc > 1 || (argc && w->session.path))
		return err_set(e, EINVAL, "what is '%s'? One recording at a time, and no scripts in other languages",
			       argv[argc - 1]);
	if (argc)
		w->session.path = argv[0];
	return 0;
}

/* Refuse options that exclude each other. */
static int check(const struct script_want *w, struct err *e)
{
	if (w->times.relative && w->times.delta)
		return err_set(e, EINVAL,
			       "reltime and deltatime - the two don't get along well. Please limit to --reltime or "
			       "--deltatime.");
	if (w->json && dumps(w))
		return err_set(e, EINVAL, "a dump is text: it goes without -j");
	return 0;
}

/* Called while the pipe is empty: print the lines so far, for people who watch a recording being made. */
static void show_so_far(void *out)
{
	out_flush(out);
}

static int script_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct script_want *w = want;
	struct session session;
	struct script s = { .c = c, .want = w, .session = &session };
	struct err e = { 0 };
	int r = 0;

	if (take_words(w, argc, argv, &e) || check(w, &e))
		return cmd_usage(c, cmd_find("script"), &e);
	w->session.raw_order = w->unsorted || w->show.rounds;
	w->session.rounds = dumps(w) || w->show.rounds;
	w->session.full = w->verbose > 0;
	/* In a pipe some header features come last, so a header can be printed only when all has been read. */
	if (!w->header && !w->full_header && !w->header_only) {
		w->session.idle = show_so_far;
		w->session.idle_arg = c->out;
	}
	if (session_open(&session, c->sys, &w->session, &e))
		return cmd_fail(c, &e);
	session.stacks.marks = !dumps(w);
	if (dumps(w) && dump_can(&session, &e)) {
		session_close(&session);
		return cmd_fail(c, &e);
	}
	if (w->header_only) {
		report_header(&session, w->full_header, c->out);
		session_footer(&session, SESSION_LOSSES, note, c);
	} else {
		mem_out_init(&s.made);
		r = show(&s, &e);
		clean_up(&s);
	}
	c->incomplete |= session_incomplete(&session);
	session_close(&session);
	if (r == -EINVAL)
		return cmd_usage(c, cmd_find("script"), &e);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(script, .brief = "Print each sample of a recording", .synopsis = "[options] [-i file]",
	   .examples = PACKED(
		       "sonde script\tcommand, TID, CPU, time, event and address\n"
		       "sonde script -F comm,tid,time,event,trace --ns\tother columns\n"
		       "sonde script -F +addr,-period -G\tone field more, one less, no call chains\n"
		       "sonde script --comms nginx --time 12.5,13\tonly some samples\n"
		       "sonde script -F +data_src,brstacksym,iregs\tadd fields that were recorded\n"
		       "sonde script --deltatime --switch-on sched:sched_wakeup\ttime since the previous line, from "
		       	"the first wakeup on (see --switch-off, --show-on-off-events)\n"
		       "sonde script --show-task-events --show-switch-events --show-lost-events\tside records, too; "
		       	"there are also mmap, namespace, cgroup, bpf, text-poke and round\n"
		       "sonde script -D -L\tdump each record by time (--dump-unsorted-raw-trace: in file order)\n"
		       "sonde script --per-event-dump --reltime\tone file per event\n"
		       "sonde script --stop-bt main -F +srcline --full-source-path\tcall chains without the callers of "
		       	"main\n"
		       "sonde record -a -e 'net:*' -o - | sonde script -i -\twhile recording\n"
		       "sonde script -j | jq .fields.prev_comm\ttracepoint fields for scripts\n"),
	   .details = PACKED(
		   "dsoff is the offset of a frame in its DSO. Return addresses are shown as the call before them. "
		   "misc is the CPU mode (K kernel, U user), tod the time of day in UTC. A pipe with a recording of "
		   "this machine is printed at the end of each of the recorder's rounds, unless it is compressed or "
		   "has SPE records; other pipes are read to their end first."),
	   .opts = script_opts, .want_size = sizeof(struct script_want), .defaults = script_defaults,
	   .run = script_run);
