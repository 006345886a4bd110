/* verb_snapshot.c - sonde ftrace snapshot: keep the trace of this moment while tracing goes on. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

struct snapshot_want {
	const char *buffer, *cpu;
	bool take, reset, free;
};

static const struct opt opts[] = {
	OPT_FLAG('s', NULL, struct snapshot_want, take, "take a snapshot"),
	OPT_FLAG('r', NULL, struct snapshot_want, reset, "clear the snapshot"),
	OPT_FLAG('f', NULL, struct snapshot_want, free, "free the snapshot's memory"),
	OPT_STR('B', NULL, struct snapshot_want, buffer, "<name>", "of this trace buffer (instance)"),
	OPT_STR('c', NULL, struct snapshot_want, cpu, "<cpu>", "of this CPU only"),
	OPT_END,
};

static int check(const struct snapshot_want *w, uint64_t *cpu, struct err *e)
{
	if (w->take + w->reset + w->free > 1)
		return err_set(e, EINVAL, "only one of -s, -r and -f");
	if (w->cpu && (!str_u64(sv_from(w->cpu), 10, cpu) || *cpu >= CPUS_MAX))
		return err_set(e, EINVAL, "-c takes a CPU's number");
	return 0;
}

static int is_there(const struct tfs *t, const char *file, struct err *e)
{
	if (!tfs_has_own(t, "snapshot"))
		return buffers_no_snapshot(t, e);
	if (tfs_has_own(t, file))
		return 0;
	err_set(e, ENOENT, "there is no %s", file);
	return err_hint(e, "is there such a CPU?");
}

static int snapshot_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct snapshot_want *w = want;
	const char *value = w->take ? "1" : w->reset ? "2" : w->free ? "0" : NULL;
	struct err e = { 0 };
	char file[64] = "snapshot";
	uint64_t cpu = 0;
	struct tfs t;
	int r;

	if (check(w, &cpu, &e))
		return cmd_usage(c, cmd_verb(verbs, "snapshot"), &e);
	if (w->cpu)
		snprintf(file, sizeof(file), "per_cpu/cpu%u/snapshot", (unsigned)cpu);
	r = buffers_one(c, w->buffer, &t, &e);
	r = r ? r : is_there(&t, file, &e);
	r = r ? r : value ? tfs_put(&t, file, value, &e) : buffers_cat(c, &t, file, &e);
	if (r == -EBUSY && !e.hint[0])
		err_hint(&e, "a latency tracer uses the snapshot buffer itself");
	return buffers_done(c, r, &e);
}

DEFINE_VERB(snapshot, "snapshot", .brief = "Take or show a snapshot of the trace",
	    .examples = PACKED(
			"sonde ftrace snapshot -s\ttake a snapshot, tracing goes on\n"
			"sonde ftrace snapshot\tprint it\n"
			"sonde ftrace snapshot -f\tfree its memory\n"),
	    .opts = opts, .want_size = sizeof(struct snapshot_want), .run = snapshot_run);
