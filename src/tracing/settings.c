/* settings.c - control files by their names. */
#include "tracing/settings.h"

#define OSNOISE "CONFIG_OSNOISE_TRACER"
#define TIMERLAT "CONFIG_TIMERLAT_TRACER"
#define HWLAT "CONFIG_HWLAT_TRACER"

const struct setting settings[] = {
	{ "tracing_thresh", "CONFIG_TRACER_MAX_TRACE", "us: only what takes longer (graphs, latency tracers, hwlat)" },
	{ "buffer_percent", "Linux 5.0", "how full a buffer is when who waits for it is woken" },
	{ "osnoise/cpus", OSNOISE, "CPUs that osnoise and timerlat look at" },
	{ "osnoise/options", OSNOISE, "of osnoise and timerlat, NO_ before what is off, commas between" },
	{ "osnoise/period_us", OSNOISE, "us from one look for noise to the next" },
	{ "osnoise/runtime_us", OSNOISE, "us of it that are spent looking" },
	{ "osnoise/print_stack", TIMERLAT, "us: a stack when the latency was longer; 0 none" },
	{ "osnoise/stop_tracing_us", OSNOISE, "us: a single noise this long ends tracing; 0 none" },
	{ "osnoise/stop_tracing_total_us", OSNOISE, "us: noise this long in one period ends tracing; 0 none" },
	{ "osnoise/timerlat_period_us", TIMERLAT, "us from one timer to the next" },
	{ "hwlat_detector/mode", HWLAT, "none, round-robin or per-cpu" },
	{ "hwlat_detector/width", HWLAT, "us of each window with interrupts off" },
	{ "hwlat_detector/window", HWLAT, "us from one look to the next" },
	{ 0 },
};

/* "cpu3/buffer_size_kb", "per_cpu/cpu3/buffer_size_kb" */
static bool is_cpu_size(struct sv name, uint64_t *cpu)
{
	static const struct sv tail = SV("/buffer_size_kb");

	if (sv_starts(name, "per_cpu/"))
		name = (struct sv){ name.s + 8, name.n - 8 };
	if (!sv_starts(name, "cpu") || name.n <= 3 + tail.n || memcmp(name.s + name.n - tail.n, tail.s, tail.n))
		return false;
	return str_u64((struct sv){ name.s + 3, name.n - 3 - tail.n }, 10, cpu);
}

static const struct setting *find(struct sv name)
{
	for (const struct setting *s = settings; s->file; s++) {
		const char *slash = strchr(s->file, '/');

		if (sv_eq(name, s->file) || (slash && sv_eq(name, slash + 1)))
			return s;
	}
	return NULL;
}

/* Find the file and value; needs: what the kernel must have, NULL: there is no such CPU. */
static int file_of(struct sv typed, char file[TFS_PATH], struct sv *value, const char **needs, struct err *e)
{
	const char *equals = memchr(typed.s, '=', typed.n);
	struct sv name = { typed.s, equals ? (size_t)(equals - typed.s) : typed.n };
	const struct setting *s = find(name);
	struct nearest near;
	uint64_t cpu = 0;
	char text[200];

	if (!equals || !name.n || equals + 1 == typed.s + typed.n)
		return err_set(e, EINVAL, "'%.*s' is not NAME=VALUE", (int)MIN(typed.n, 100u), typed.s);
	*value = (struct sv){ equals + 1, typed.n - name.n - 1 };
	*needs = s ? s->needs : NULL;
	if (s) {
		snprintf(file, TFS_PATH, "%s", s->file);
		return 0;
	}
	if (is_cpu_size(name, &cpu)) {
		snprintf(file, TFS_PATH, "per_cpu/cpu%llu/buffer_size_kb", (unsigned long long)cpu);
		return 0;
	}
	nearest_init(&near, name);
	for (s = settings; s->file; s++) {
		nearest_feed(&near, s->file);
		if (strchr(s->file, '/'))
			nearest_feed(&near, strchr(s->file, '/') + 1);
	}
	err_set(e, EINVAL, "there is no setting '%.*s'%s", (int)MIN(name.n, 80u), name.s,
		nearest_text(&near, text, sizeof(text)));
	return err_hint(e, "'list --settings' shows them");
}

int settings_check(const char *typed, struct err *e)
{
	char file[TFS_PATH];
	const char *needs;
	struct sv value;

	return file_of(sv_from(typed), file, &value, &needs, e);
}

int settings_put(struct undo *u, const struct tfs *t, const char *typed, struct err *e)
{
	char file[TFS_PATH], text[512];
	const char *needs;
	struct sv value;
	int r = file_of(sv_from(typed), file, &value, &needs, e);

	if (r)
		return r;
	if (!tfs_has(t, file)) {
		err_set(e, EOPNOTSUPP, "this %s no %s", needs ? "kernel has" : "machine has", file);
		return needs ? err_hint(e, "it needs %s", needs) : err_hint(e, "is there such a CPU?");
	}
	str_copy(text, sizeof(text), value);
	/* The kernel takes one osnoise option per write. */
	for (char *p = text; !strcmp(file, "osnoise/options") && (p = strpbrk(p, ", ")); )
		*p = '\n';
	r = undo_put(u, t, file, text, e);
	if (r == -EINVAL && !e->hint[0])
		err_hint(e, "%s", strstr(file, "_us") || strstr(file, "wi")
					? "a period is no shorter than the time in it: the order of two --set counts"
					: "'list --settings' shows what it is now");
	return r;
}
