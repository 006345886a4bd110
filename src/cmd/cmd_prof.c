/* cmd_prof.c - sonde prof: perf-prof's profilers, which are in src/prof. */
#include "cmd/prof/command.h"
#include "cmd/prof/symbols.h"
#include "prof/list.h"

enum { EVENTS_MAX = 64 };

struct want {
	const char *symbols;
};

static const struct opt opts[] = {
	OPT_STR(0, "symbols", struct want, symbols, "<program>",
		"resolve symbols of this program from standard input: lines of /proc/PID/maps, then 0xADDRESS become "
		"NAME+0xOFFSET; function names become file offsets"),
	OPT_END,
};

/* "sonde prof sched:sched_switch help" names no profiler: print help on the events only. */
static int events_help(struct ctx *c, int n, char **events)
{
	char trace[] = "trace", event[] = "-e", *words[2 * EVENTS_MAX + 3] = { trace };
	struct err e = { 0 };
	int at = 1;

	if (n > EVENTS_MAX) {
		err_set(&e, E2BIG, "help is for up to %d events at once", EVENTS_MAX);
		return cmd_usage(c, c->cmd, &e);
	}
	for (int i = 0; i < n; i++) {
		words[at++] = event;
		words[at++] = events[i];
	}
	words[at++] = events[n];
	words[at] = NULL;
	return cmd_start(c, cmd_verb(profs, "trace"), c->cmd, at, words);
}

static int prof_cmd_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct want *w = want;
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (c->cmd != cmd_find("prof"))
		return prof_command(c, prof_of(c->cmd), want, argc, argv);
	if (w->symbols && !argc)
		return prof_symbols(c, w->symbols);
	if (w->symbols) {
		err_set(&e, EINVAL, "--symbols reads standard input: '%s' has no meaning", argv[0]);
		return cmd_usage(c, c->cmd, &e);
	}
	if (argc == 1 && !strcmp(argv[0], "help")) {
		cmd_help(c, c->cmd, c->out);
		return EXIT_DONE;
	}
	if (argc > 1 && strchr(argv[0], ':') && !strcmp(argv[argc - 1], "help"))
		return events_help(c, argc - 1, argv);
	nearest_init(&near, sv_from(argc ? argv[0] : ""));
	for (size_t i = 0; profs[i]; i++)
		nearest_feed(&near, profs[i]->name);
	if (argc && !strcmp(argv[0], "sql")) {
		err_set(&e, EINVAL, "SQL is left to sqlite3, over a recording");
		err_hint(&e, "sonde record -e EVENT ...; sonde convert --sql | sqlite3 run.db");
	} else if (argc)
		err_set(&e, EINVAL, "there is no profiler '%s'%s", argv[0], nearest_text(&near, text, sizeof(text)));
	else {
		err_set(&e, EINVAL, "which profiler?");
		err_hint(&e, "sonde prof help lists them; sonde prof sched:sched_switch help, fields of an event");
	}
	return cmd_usage(c, c->cmd, &e);
}

DEFINE_CMD(prof,
	.brief = "Profilers on live or recorded events: latencies, leaks, states",
	.synopsis = "PROFILER [options] [help] [-- command [arguments]]",
	.details = PACKED("Takes perf-prof's command lines; -i is an interval in ms, or a recording."),
	.examples = PACKED(
		"sonde prof multi-trace -e irq:softirq_entry -e irq:softirq_exit -k vec -i 1000\tlatencies of "
			"softirqs\n"
		"sonde prof sched:sched_wakeup help\tfields of an event, and its attributes\n"
		"echo malloc | sonde prof --symbols /usr/lib/aarch64-linux-gnu/libc.so.6\tfile offset for a uprobe"),
	.verbs = profs, .opts = opts, .want_size = sizeof(struct want), .run = prof_cmd_run);
