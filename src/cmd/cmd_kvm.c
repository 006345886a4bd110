/* cmd_kvm.c - sonde kvm stat: record guest exits, and the views of them (src/kvm). */
#include "cmd/view_command.h"
#include "kvm/kvm.h"

/* --- record --- */

static int no_kvm(struct ctx *c)
{
	struct err e = { 0 };

	err_set(&e, ENOENT, "this kernel has no %s: it is no host of guests", kvm_events[0]);
	err_hint(&e, "CONFIG_KVM, and the module kvm where it is one");
	return cmd_fail(c, &e);
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	const char *v[8];
	struct record_want *w = want;
	size_t n = 0;

	/* If no tracepoint can be read at all, record explains why; only kvm's may be missing here. */
	bool seen = view_has_event(c->sys, "sched:sched_switch");

	if (seen && !view_has_event(c->sys, kvm_events[0]))
		return no_kvm(c);
	for (size_t i = 0; kvm_events[i] && n < ARRAY_SIZE(v); i++)
		if (i < 2 || view_has_event(c->sys, kvm_events[i]))
			v[n++] = kvm_events[i];
	view_events(w, v, n);
	view_all(w);
	if (!w->file.output)
		w->file.output = KVM_RECORDING;
	return view_record(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "kvm stat", .brief = "Record VM exits and entries into " KVM_RECORDING,
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED(
		   "Runs sonde record with -a -m 1024 -c "
		   "1 -o " KVM_RECORDING
			" and the KVM tracepoints: entries, exits, and those of the architecture for MMIO, ports and "
			"MSRs. Takes record's options, too: -p 2347 instead of -a, more events with -e."),
	.examples = PACKED(
		    "sonde kvm stat record sleep 10\tall guests, for ten seconds\n"
		    "sonde kvm stat record -p 2347 -o vm.data sleep 10\tone guest"),
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run,
};

/* --- stat --- */

static const struct cmd *const verbs[] = { &verb_record, &kvm_stat_report.cmd, &kvm_stat_live.cmd, NULL };
static const struct prof_kind *const views[] = { &kvm_stat_report, &kvm_stat_live };

struct want {
	const char *input, *output;
	unsigned verbose;
	bool guest;
};

/* Options given in front of the verb, as words to insert behind it. Returns the number of words. */
enum { FRONT = 5 };
static size_t front_of(const struct want *w, bool records, bool is_any, const char *front[FRONT])
{
	size_t n = 0;

	if (w->input && (is_any || !records)) {
		front[n++] = "--input";
		front[n++] = w->input;
	}
	if (w->output && (is_any || records)) {
		front[n++] = "--output";
		front[n++] = w->output;
	}
	if (w->verbose)
		front[n++] = "-v";
	return n;
}

static int start_verb(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	const char *front[FRONT];

	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	return view_start(c, verb, front, front_of(want, verb == &verb_record, false, front), argc, argv);
}

static int stat_run(struct ctx *c, void *want, int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		if (c->cmd == &views[i]->cmd)
			return prof_command(c, views[i], want, argc, argv);
	return start_verb(c, want, argc, argv);
}

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "recording to read"),
	OPT_STR('o', "output", struct want, output, "<file>", "file that record writes"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print more detail"),
	OPT_IGNORED(0, "host", FLAG, struct want, guest),
	OPT_IGNORED(0, "guest", FLAG, struct want, guest),
	OPT_END,
};

static const struct cmd verb_stat = {
	.name = "stat", .family = "kvm", .brief = "Show VM exits: reason, count and duration",
	.synopsis = "record | report | live ...",
	.details = PACKED(
		   "record writes " KVM_RECORDING
			", report reads it, live needs no file. Options, columns and texts are perf kvm stat's."),
	.examples = PACKED(
		    "sonde kvm stat record sleep 10\trecord\n"
		    "sonde kvm stat report\tVM exits by reason\n"
		    "sonde kvm stat live\tlive, every second"),
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = stat_run,
};

/* --- kvm --- */

static const struct cmd *const subjects[] = { &verb_stat, NULL };

static int kvm_run(struct ctx *c, void *want, int argc, char **argv)
{
	static const char *const others[] = { "top", "record", "report", "diff", "buildid-list" };
	const char *front[FRONT];
	struct err e = { 0 };

	if (argc && !strcmp(argv[0], "stat"))
		return view_start(c, &verb_stat, front, front_of(want, false, true, front), argc, argv);
	for (size_t i = 0; argc && i < ARRAY_SIZE(others); i++)
		if (!strcmp(argv[0], others[i])) {
			err_set(&e, EINVAL, "kvm %s is not made: symbols within guests", others[i]);
			err_hint(&e, "sonde record inside the guest; of the host's side sonde kvm stat");
			return cmd_usage(c, c->cmd, &e);
		}
	return view_no_verb(c, argc ? argv[0] : NULL);
}

DEFINE_CMD(kvm,
	.brief = "Show the VM exits of KVM guests: reason, count and duration",
	.synopsis = "stat record | stat report | stat live ...",
	.details = PACKED("stat record writes " KVM_RECORDING ", stat report reads it, stat live needs no file."),
	.examples = PACKED(
		    "sonde kvm stat record sleep 10\trecord\n"
		    "sonde kvm stat report\tVM exits by reason\n"
		    "sonde kvm stat live\tlive, every second"),
	.verbs = subjects, .opts = opts, .want_size = sizeof(struct want), .run = kvm_run);
