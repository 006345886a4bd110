/* record.c - sonde stat record: counts like stat, and also writes the counts into a perf.data for stat report. */
#include "cmd/stat/record.h"

#include "cmd/stat/keep.h"
#include "record/stat_writer.h"

struct stat_keeper {
	const struct stat_want *w;
	struct stat_writer writer;
	bool has_counts;
};

/* How counts are summed up, by perf's number; false: perf 6.1 has none for it. */
static bool sums_of(const struct stat_want *w, enum perf_sums *sums)
{
	const struct stat_sums_want *u = &w->sums;
	const struct { bool set; enum perf_sums sums; } all[] = {
		{ u->no_aggr, PERF_SUMS_CPU }, { u->per_socket, PERF_SUMS_SOCKET }, { u->per_die, PERF_SUMS_DIE },
		{ u->per_core, PERF_SUMS_CORE }, { u->per_thread, PERF_SUMS_THREAD }, { u->per_node, PERF_SUMS_NODE },
	};

	*sums = PERF_SUMS_ALL;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].set)
			*sums = all[i].sums;
	return !w->more.per_cluster && !w->more.per_cache;
}

/* Refuse options whose results a recording cannot hold. */
static int check(const struct stat_want *w, struct err *e)
{
	enum perf_sums sums;

	if (w->when.repeat != 1)
		return err_set(e, EINVAL, "-r does not go with stat record: a recording is one run");
	if (w->form.append)
		return err_set(e, EINVAL, "--append does not go with stat record: a recording is one run");
	if (w->what.null_run)
		return err_set(e, EINVAL, "-n does not go with stat record: there would be nothing in it");
	if (w->what.max_overhead)
		return err_set(e, EINVAL, "--max-overhead does not go with stat record: estimates are no counts");
	if (!sums_of(w, &sums))
		return err_set(e, EINVAL, "--per-cluster and --per-cache have no place in a recording: record with -A");
	return 0;
}

int stat_keeper_begin(struct stat_keeper *k, const struct counters *c, const struct target *t, int pid,
		      struct err *e)
{
	struct stat_writer_want want = { .counters = c, .target = t, .tid = pid };

	if (!k)
		return 0;
	want.interval_ms = k->w->when.interval_ms;
	sums_of(k->w, &want.sums);
	return stat_writer_begin(&k->writer, &want, e);
}

void stat_keeper_take(struct stat_keeper *k, uint64_t ns)
{
	if (!k)
		return;
	k->has_counts = true;
	stat_writer_round(&k->writer, k->w->when.interval_ms ? PERF_STAT_INTERVAL : PERF_STAT_FINAL, ns);
}

/* Counts are printed, too, unless the recording is written to a pipe. */
bool stat_keeper_is_silent(const struct stat_keeper *k)
{
	return k && k->writer.sink.pipe;
}

/* With any counts in it the file is completed, however the command has ended; otherwise it is removed. */
static int finish(struct ctx *c, struct stat_keeper *k, int code)
{
	struct err e = { 0 };

	if (!k->has_counts) {
		stat_writer_discard(&k->writer);
		return code;
	}
	if (!stat_writer_end(&k->writer, c->argc, c->argv, &e))
		return code;
	cmd_fail(c, &e);
	return code ? code : EXIT_FAILED;
}

static int stat_record_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct stat_want *w = want;
	const char *path = w->form.output;
	struct stat_keeper k = { .w = w };
	struct err e = { 0 };

	if (check(w, &e) || sink_choose(c->sys, &path, &e))
		return cmd_usage(c, &cmd_stat_record, &e);
	if (stat_writer_open(&k.writer, c->sys, path, &e))
		return cmd_fail(c, &e);
	w->form.output = NULL;
	if (w->target.cgroups)
		cmd_note(c, "a recording of counts has no names of control groups: their counts stand in the order of "
			    "--cgroup");
	return finish(c, &k, stat_count(c, w, &k, argc, argv));
}

int stat_verb_behind(struct ctx *c, struct stat_want *w, int argc, char **argv)
{
	struct err e = { 0 };
	int at;

	if (!argc || strcmp(argv[0], cmd_stat_record.name))
		return -1;
	at = opt_parse(stat_opts, w, argc, argv, &e);
	if (at == -ECANCELED) {
		cmd_help(c, &cmd_stat_record, c->out);
		return EXIT_DONE;
	}
	return at < 0 ? cmd_usage(c, &cmd_stat_record, &e) : stat_record_run(c, w, argc - at, argv + at);
}

const struct cmd cmd_stat_record = {
	.name = "record", .family = "stat",
	.brief = "Count events, and write the counts into a perf.data", .opts = stat_opts,
	.synopsis = "[options] [-- command [arguments]]", .want_size = sizeof(struct stat_want),
	.defaults = stat_defaults, .run = stat_record_run,
	.details = PACKED(
		   "-o is the recording (default perf.data; -: standard output), for sonde or perf stat report."),
	.examples = PACKED(
		    "sonde stat record -o counts.data -- make\tdefault events, printed and recorded\n"
		    "sonde stat record -a -A -I 1000 -- sleep 60\teach CPU, every second for a minute\n"
		    "sonde stat record -a -o - -- sleep 1 | perf stat report -i -\tfor another tool\n"),
};
