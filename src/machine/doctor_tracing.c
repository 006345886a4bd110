/* doctor_tracing.c - tracefs: its mount point and owner, which tracers; hist triggers. */
#include "machine/doctor_parts.h"

#include <fcntl.h>
#include <unistd.h>

enum { README_MAX = 1 << 20 };

/* Mount point of the first tracefs in /proc/mounts: "source dir type options". */
static bool mounted_at(const struct doctor *d, char *dir, size_t size)
{
	char *text;
	size_t n;
	struct sv rest, line, word, at;
	bool found = false;

	if (sys_read_all(d->sys, "/proc/mounts", 4 << 20, &text, &n, NULL))
		return false;
	for (rest = (struct sv){ text, n }; !found && sv_cut(&rest, '\n', &line);) {
		sv_cut(&line, ' ', &word);
		sv_cut(&line, ' ', &at);
		sv_cut(&line, ' ', &word);
		found = sv_eq(word, "tracefs");
		if (found)
			str_copy(dir, size, at);
	}
	free(text);
	return found;
}

static void row_closed(struct doctor *d)
{
	char dir[256];

	if (mounted_at(d, dir, sizeof(dir))) {
		doctor_add(d, "tracefs", DOCTOR_NO, "mounted at %s, closed to this user", dir);
		doctor_how(d, "/proc/mounts, access");
		doctor_do(d, "run as root, or let a group in: mount -o remount,gid=GROUP %s", dir);
		return;
	}
	if (doctor_has(d, "/sys/kernel/tracing")) {
		doctor_add(d, "tracefs", DOCTOR_NO, "not mounted");
		doctor_do(d, "as root: mount -t tracefs nodev /sys/kernel/tracing");
	} else {
		doctor_add(d, "tracefs", DOCTOR_NO, "the kernel has none (/sys/kernel/tracing is missing)");
		doctor_do(d, "build the kernel with CONFIG_FTRACE and CONFIG_EVENT_TRACING");
	}
	doctor_how(d, "/sys/kernel/tracing, /proc/mounts");
}

static bool may_write(const struct doctor *d, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", d->tracefs, file);
	/* For a copied tree: its mode bits are not the machine's. */
	return d->copied ? d->uid == 0 : !d->sys->access(d->sys, path, W_OK);
}

/* With lockdown=confidentiality the files exist with normal modes, but every open is refused: try it. */
static int try_open(const struct doctor *d, const char *file)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", d->tracefs, file);
	fd = d->sys->open(d->sys, path, O_RDONLY, 0);
	if (fd < 0)
		return fd;
	d->sys->close(d->sys, fd);
	return 0;
}

static bool row_tracefs(struct doctor *d)
{
	d->tracefs = sys_tracefs(d->sys);
	if (!d->tracefs) {
		row_closed(d);
		return false;
	}

	int r = try_open(d, "tracing_on");

	if (r == -EPERM || r == -EACCES) {
		doctor_add(d, "tracefs", DOCTOR_NO, "%s: %s", d->tracefs, err_name(-r));
		doctor_do(d, "%s", r == -EPERM ? "the kernel is locked down: see the row 'not locked down'"
					       : "run as root, or let a group in: mount -o remount,gid=GROUP");
	} else if (may_write(d, "tracing_on")) {
		doctor_add(d, "tracefs", DOCTOR_YES, "%s, writable", d->tracefs);
	} else {
		doctor_add(d, "tracefs", DOCTOR_PARTLY, "%s, readable only: events can be listed, not switched on",
			   d->tracefs);
		doctor_do(d, "run as root");
	}
	doctor_how(d, "%s", d->copied ? "owner of the copied process; not tried" : "opened tracing_on");
	return r >= 0;
}

static bool has_word(const char *text, const char *word)
{
	struct sv rest = sv_from(text), piece;

	while (sv_cut(&rest, ' ', &piece))
		if (sv_eq(piece, word))
			return true;
	return false;
}

static void rows_tracers(struct doctor *d)
{
	static const struct { const char *name, *what, *config; } wanted[] = {
		{ "function", "every kernel function's entry", "FUNCTION_TRACER and CONFIG_DYNAMIC_FTRACE" },
		{ "function_graph", "entry, exit and duration", "FUNCTION_GRAPH_TRACER" },
	};
	char tracers[512];
	uint64_t on = 1;

	sys_read_u64(d->sys, &on, "/proc/sys/kernel/ftrace_enabled");
	if (sys_read_line(d->sys, tracers, sizeof(tracers), "%s/available_tracers", d->tracefs) <= 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		bool there = has_word(tracers, wanted[i].name);

		doctor_add(d, wanted[i].name, there && on ? DOCTOR_YES : DOCTOR_NO, "%s%s", wanted[i].what,
			   there && !on ? ": switched off" : "");
		doctor_how(d, "available_tracers%s", there && !on ? ", sysctl kernel.ftrace_enabled" : "");
		if (there && !on)
			doctor_do(d, "as root: sysctl kernel.ftrace_enabled=1");
		else if (!there)
			doctor_do(d, "build the kernel with CONFIG_%s", wanted[i].config);
	}
	doctor_add(d, "tracers", DOCTOR_INFO, "%s", tracers);
	doctor_how(d, "available_tracers");
}

static bool tracefs_has(const struct doctor *d, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", d->tracefs, file);
	return doctor_has(d, path);
}

static void row_events(struct doctor *d)
{
	char path[256];
	struct sys_list systems;

	snprintf(path, sizeof(path), "%s/events", d->tracefs);
	if (sys_list_dir(d->sys, path, &systems))
		return;

	size_t n = 0;

	for (size_t i = 0; i < systems.n; i++) {
		/* Count folders; enable, header_page, header_event are files. */
		snprintf(path, sizeof(path), "events/%s/enable", systems.v[i]);
		n += tracefs_has(d, path);
	}
	doctor_add(d, "tracepoints", n ? DOCTOR_YES : DOCTOR_NO, "%zu systems%s", n,
		   tracefs_has(d, "events/syscalls") ? ", syscalls among them"
						     : "; no syscalls (CONFIG_FTRACE_SYSCALLS)");
	doctor_how(d, "%s/events", d->tracefs);
	sys_list_free(&systems);
}

static void row_feature(struct doctor *d, const char *name, bool there, const char *what)
{
	doctor_add(d, name, there ? DOCTOR_YES : DOCTOR_NO, "%s", what);
}

static void rows_hist(struct doctor *d)
{
	row_feature(d, "histograms", strstr(d->readme, "hist trigger"), "counts per key in the kernel (hist triggers)");
	doctor_how(d, "tracing README");
	if (!strstr(d->readme, "hist trigger"))
		doctor_do(d, "build the kernel with CONFIG_HIST_TRIGGERS");
	row_feature(d, "synthetic events", tracefs_has(d, "synthetic_events"),
		    "latencies between two events in the kernel");
	doctor_how(d, "synthetic_events in tracefs");
	if (!tracefs_has(d, "synthetic_events"))
		doctor_do(d, "build the kernel with CONFIG_SYNTH_EVENTS");
}

void doctor_tracing(struct doctor *d)
{
	char path[256];
	size_t n;

	d->topic = "Tracing";
	if (!row_tracefs(d))
		return;
	snprintf(path, sizeof(path), "%s/README", d->tracefs);
	sys_read_all(d->sys, path, README_MAX, &d->readme, &n, NULL);
	row_events(d);
	rows_tracers(d);
	if (d->readme)
		rows_hist(d);
}
