/* cmd_inject.c - sonde inject: rewrites a recording with build ids added, or with JIT code as ELF files. */
#include "cmd/cmd.h"

#include "record/inject.h"
#include "sys/tty.h"

#include <unistd.h>

struct want {
	struct session_want session;
	const char *output, *known;
	bool hits, all, in_maps, jit, ignored;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, session.path, "<file>", "recording to read (default -: standard input)"),
	OPT_STR('o', "output", struct want, output, "<file>", "file to write (default -: standard output, as a pipe)"),
	OPT_FLAG('b', "build-ids", struct want, hits, "add build IDs of the DSOs with samples or callers"),
	OPT_FLAG(0, "buildid-all", struct want, all, "add build IDs of all mapped DSOs"),
	OPT_FLAG('B', "mmap2-buildids", struct want, in_maps,
		 "put the build IDs of all mapped DSOs into the MMAP2 records (perf 5.12 reads them)"),
	OPT_FLAG(0, "mmap2-buildid-all", struct want, in_maps, "same as -B"),
	OPT_STR(0, "known-build-ids", struct want, known, "<ids>",
		"build IDs to use instead of those in the files: 'ID PATH', comma-separated, or @FILE with such lines"),
	OPT_FLAG('j', "jit", struct want, jit, "write ELF files for the JIT code of jit-PID.dump, beside it"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print what was added"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_REFUSED('s', "sched-stat", OPT_NO_VALUE, "", "times that tasks slept are not put into their switches",
		    "record sched:sched_switch and sched:sched_stat_sleep, and see both with 'sonde script'"),
	OPT_REFUSED(0, "strip", OPT_NO_VALUE, "", "it goes with --itrace", "there is nothing to strip"),
	OPT_REFUSED(0, "itrace", OPT_OPTIONAL, "", "traces of instructions are not decoded here",
		    "perf on the machine itself knows its processor's"),
	OPT_REFUSED(0, "vm-time-correlation", OPT_OPTIONAL, "", "traces of instructions are not decoded here",
		    "perf on the machine itself knows its processor's"),
	OPT_REFUSED(0, "guest-data", 0, "", "recordings of a guest are not merged into its host's",
		    "report each of them on its own"),
	OPT_END,
};

static void tell(struct ctx *c, const struct want *w, const struct inject_stats *s)
{
	if (w->verbose && (w->hits || w->all || w->in_maps || w->known))
		cmd_note(c, "%llu build ids were put in", (unsigned long long)s->build_ids);
	if (w->verbose && w->jit)
		cmd_note(c, "%llu functions of %llu dumps became files", (unsigned long long)s->functions,
			 (unsigned long long)s->dumps);
	if (s->unknown)
		cmd_note(c, "%llu files have no build id, or are gone", (unsigned long long)s->unknown);
	if (s->bad_dumps)
		cmd_note(c, "%llu dumps of code could not be read, or break off", (unsigned long long)s->bad_dumps);
	else if (w->jit && !s->dumps)
		cmd_note(c, "no jit-PID.dump is mapped in it: nothing was put in");
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int write_to(struct ctx *c, const struct want *w, const char *known, struct session *s, struct err *e)
{
	struct inject_want iw = {
		.ids = w->in_maps	   ? INJECT_IN_MAPS :
		       w->all		   ? INJECT_ALL :
		       w->hits || known ? INJECT_HITS :
					     INJECT_NO_IDS,
		.known = known, .jit = w->jit,
	};
	struct inject_stats stats = { 0 };
	struct sink sink;
	int r = sink_open(&sink, c->sys, w->output ? w->output : "-", e);

	if (r)
		return r;
	r = inject_write(s, &sink, &iw, &stats, e);
	if (r) {
		sink_discard(&sink);
		return r;
	}
	sink_close(&sink);
	tell(c, w, &stats);
	session_footer(s, SESSION_LOSSES, note, c);
	return 0;
}

/* For "@FILE": the file's text, to be freed; otherwise NULL. */
static int read_known(struct ctx *c, const char *known, char **text, struct err *e)
{
	enum { KNOWN_MAX = 1 << 26 };
	size_t n;

	*text = NULL;
	if (!known || known[0] != '@')
		return 0;
	return sys_read_all(c->sys, known + 1, KNOWN_MAX, text, &n, e);
}

static int inject(struct ctx *c, struct want *w, struct err *e)
{
	struct session s;
	char *text;
	int r = read_known(c, w->known, &text, e);

	if (r)
		return r;
	w->session.no_names = true;
	r = session_open(&s, c->sys, &w->session, e);
	if (!r) {
		r = write_to(c, w, text ? text : w->known, &s, e);
		c->incomplete |= session_incomplete(&s);
		session_close(&s);
	}
	free(text);
	return r;
}

static int inject_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct err e = { 0 };

	if (argc) {
		err_set(&e, EINVAL, "what is '%s'? -i names the recording", argv[0]);
		return cmd_usage(c, cmd_find("inject"), &e);
	}
	if (!w->session.path)
		w->session.path = "-";
	if ((!w->output || !strcmp(w->output, "-")) && tty_is(STDOUT_FILENO)) {
		err_set(&e, EINVAL, "a recording is not for a terminal: give it a file with -o, or pipe it on");
		return cmd_usage(c, cmd_find("inject"), &e);
	}
	return inject(c, w, &e) ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(inject, .brief = "Add build IDs or JIT code to a recording",
	   .synopsis = "[options]",
	   .examples = PACKED(
		       "sonde record -o - sleep 1 | sonde inject -b | sonde report\tbuild IDs for a report on another "
		       	"machine\n"
		       "sonde inject -j -v -i perf.data -o jit.data\tELF files of JIT code, for perf, too\n"
		       "sonde inject --buildid-all -i perf.data -o all.data\tbuild IDs of all mapped DSOs\n"
		       "sonde record -o - sleep 1 | sonde inject -B -o ids.data\tbuild IDs in the MMAP2 records\n"
		       "sonde inject --known-build-ids @list -i perf.data -o known.data\tbuild IDs as printed by "
		       	"buildid-list\n"),
	   .details = PACKED(
		      "The output is a complete recording: header, all records in time order, compressed records "
		      "decompressed. -j writes jitted-PID-NUMBER.so beside each jit-PID.dump and needs a recording "
		      "with -k mono; report and script read such dumps without -j, with source lines."),
	   .opts = opts, .want_size = sizeof(struct want), .run = inject_run);
