/*
 * The list of what a run has changed, as a dead run left it: read, and put back in a tracing file system in memory. The
 * rest of the input behind the first part is what the settings are now.
 */
#include "disk.h"
#include "parts.h"

#include "tracing/journal.h"
#include "tracing/undo.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const char boot[] = "0b0e1c4a\n";

static bool same(struct sv a, struct sv b)
{
	return a.n == b.n && (!a.n || !memcmp(a.s, b.s, a.n));
}

/* What is written again is read as the same; a kind is a letter. */
static void again(const struct sys *sys, const struct jrec *rec)
{
	struct journal j = { .sys = sys, .fd = -1 };
	struct jrec back;
	struct sv log;

	if (rec->kind < 'A')
		return;
	if (journal_add(&j, rec, NULL))
		abort();
	log = (struct sv){ j.log.v, j.log.n };
	if (!journal_next(&log, &back) || log.n || back.kind != rec->kind || !same(back.where, rec->where) ||
	    !same(back.what, rec->what) || !same(back.old, rec->old) || !same(back.is, rec->is))
		abort();
	journal_deinit(&j);
}

static void records(const struct sys *sys, struct sv log)
{
	const char *end = log.n ? log.s + log.n : NULL;
	struct jrec rec;
	size_t left = log.n;

	for (; log.n && journal_next(&log, &rec); left = log.n) {
		if (log.n >= left || log.s + log.n != end)
			abort();
		again(sys, &rec);
	}
}

static void say(void *arg, const char *line)
{
	(void)arg;
	if (strlen(line) > 400 || strchr(line, '\n'))
		abort();
}

static struct disk *machine(struct bytes now)
{
	static const char *const files[] = {
		"tracing_on", "current_tracer", "set_ftrace_filter", "set_event", "kprobe_events", "trace_options",
		"events/sched/sched_switch/trigger", "events/enable", "instances/mine/tracing_on", "buffer_size_kb",
		"instances/sonde-77-1/tracing_on",
	};
	struct disk *d = disk_new();
	char path[DISK_PATH];

	disk_put(d, "/sys/kernel/tracing/trace_pipe", "", 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/tracing/%s", files[i]);
		disk_put(d, path, now.p, now.n);
	}
	disk_put(d, "/proc/sys/kernel/random/boot_id", boot, sizeof(boot) - 1);
	disk_put(d, "/tmp/keep", "", 0);
	return d;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	struct bytes log = part_take(&c), now = part_rest(&c);
	struct disk *d = machine(now);
	struct err e;

	records(&d->sys, (struct sv){ (const char *)log.p, log.n });
	disk_put(d, "/run/sonde/undo-5-77-0", log.p, log.n);
	undo_sweep(&d->sys, UNDO_OURS, say, NULL, &e);
	disk_free(d);
	return 0;
}
