/*
 * export_firefox.c - the Firefox Profiler's processed format, version 66: newer front-ends upgrade it, older ones
 * refuse newer versions. Tables are columns of equal length. Format: firefox-devtools/profiler, src/types/profile.ts
 * and docs-developer/CHANGELOG-formats.md.
 *
 * Samples of one event become the threads' samples; hits of other tracepoints become markers.
 */
#include "show/export_log.h"
#include "show/json.h"

enum { FORMAT = 66, MS_DIGITS = 6, RESOURCE_LIBRARY = 1, INSTANT = 0 };
enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL };
enum { TIME_MARGIN = 1000000 };   /* minimum of an interval, ns */

struct own {
	struct export_log log;
	struct names strings;
	uint64_t first, last;      /* ns */
	/* Lists of each thread's lanes, as index + 1; 0: end of the list. */
	uint32_t *lane_first, *lane_next;
};

static int begin(struct export *x)
{
	struct own *own = x->own;

	own->log.limit = x->about.memory;
	own->first = UINT64_MAX;
	return 0;
}

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;

	own->first = MIN(own->first, s->time);
	own->last = MAX(own->last, s->time);
	return export_log_add(&own->log, s);
}

static void key_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	json_bool(j, value);
}

static void key_null(struct json *j, const char *key)
{
	json_key(j, key);
	json_null(j);
}

static void key_empty(struct json *j, const char *key)
{
	json_key(j, key);
	json_begin_array(j);
	json_end(j);
}

static void string(struct export *x, struct json *j, const char *s)
{
	struct own *own = x->own;
	uint32_t id = names_add(&own->strings, s, strlen(s));

	if (id == NAMES_NONE && !x->out->error)
		x->out->error = -ENOMEM;
	json_u64(j, id);
}

static void ms(struct export *x, struct json *j, uint64_t time)
{
	struct own *own = x->own;

	json_scaled(j, time - own->first, MS_DIGITS);
}

/* --- meta ---------------------------------------------------------------------------------------------------- */

static void put_category(struct json *j, const char *name, const char *color)
{
	json_begin_object(j);
	json_member_str(j, "name", name);
	json_member_str(j, "color", color);
	json_key(j, "subcategories");
	json_begin_array(j);
	json_str(j, SV("Other"));
	json_end(j);
	json_end(j);
}

static void put_categories(struct json *j)
{
	json_key(j, "categories");
	json_begin_array(j);
	put_category(j, "Other", "grey");
	put_category(j, "User", "yellow");
	put_category(j, "Kernel", "orange");
	json_end(j);
}

/* The front-end draws samples as bars of the interval's width. */
static uint64_t interval(const struct export *x)
{
	const struct export_event *ev = &x->t.events[x->event];
	const struct own *own = x->own;

	if (ev->period && !strcmp(ev->unit, "nanoseconds"))
		return ev->period;
	return ev->samples && own->last > own->first ? MAX((own->last - own->first) / ev->samples, 1u) : TIME_MARGIN;
}

static void put_extensions(struct json *j)
{
	json_key(j, "extensions");
	json_begin_object(j);
	json_member_u64(j, "length", 0);
	key_empty(j, "baseURL");
	key_empty(j, "id");
	key_empty(j, "name");
	json_end(j);
	json_key(j, "sampleUnits");
	json_begin_object(j);
	json_member_str(j, "time", "ms");
	json_member_str(j, "eventDelay", "ms");
	json_member_str(j, "threadCPUDelta", "ns");
	json_end(j);
}

static void put_meta(struct export *x, struct json *j)
{
	struct own *own = x->own;
	uint64_t start = x->about.wall ? x->about.wall + own->first - x->about.clock : 0;

	json_key(j, "meta");
	json_begin_object(j);
	json_key(j, "interval");
	json_scaled(j, interval(x), MS_DIGITS);
	json_key(j, "startTime");
	json_scaled(j, start, MS_DIGITS);
	json_member_u64(j, "processType", 0);
	json_member_str(j, "product", x->about.path);
	json_member_str(j, "importedFrom", x->about.version);
	json_member_u64(j, "stackwalk", 1);
	json_member_u64(j, "version", 24);
	json_member_u64(j, "preprocessedProfileVersion", FORMAT);
	key_bool(j, "symbolicated", true);
	key_bool(j, "symbolicationNotSupported", true);
	key_bool(j, "debug", false);
	json_member_str(j, "oscpu", x->about.release);
	json_member_str(j, "platform", x->about.arch);
	json_member_str(j, "CPUName", x->about.cpudesc);
	json_member_str(j, "sourceURL", "");
	put_categories(j);
	key_empty(j, "markerSchema");
	key_empty(j, "pausedRanges");
	put_extensions(j);
	json_end(j);
}

/* --- shared by all threads --- */

static void put_libs(struct export *x, struct json *j)
{
	json_key(j, "libs");
	json_begin_array(j);
	for (size_t i = 0; i < x->t.n_modules; i++) {
		const struct export_module *m = &x->t.modules[i];
		char id[2 * BUILD_ID_MAX + 1];

		json_begin_object(j);
		json_member_str(j, "name", m->name);
		json_member_str(j, "path", m->path);
		json_member_str(j, "debugName", m->name);
		json_member_str(j, "debugPath", m->path);
		json_member_str(j, "breakpadId", "");
		json_key(j, "codeId");
		if (m->id.size)
			json_str(j, sv_from(build_id_text(&m->id, id, sizeof(id))));
		else
			json_null(j);
		json_member_str(j, "arch", x->about.arch);
		json_end(j);
	}
	json_end(j);
}

/* Write a column of n equal values. */
static void fill(struct json *j, const char *key, size_t n, const char *value)
{
	json_key(j, key);
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_word(j, value);
	json_end(j);
}

static void put_stacks(struct export *x, struct json *j)
{
	const struct ct_node *nodes = x->t.stacks->nodes.v;
	size_t n = x->t.stacks->nodes.n;

	json_key(j, "stackTable");
	json_begin_object(j);
	json_key(j, "frame");
	json_begin_array(j);
	for (size_t i = 1; i < n; i++)
		json_u64(j, nodes[i].key);
	json_end(j);
	json_key(j, "prefixOffset");
	json_begin_array(j);
	for (size_t i = 1; i < n; i++)
		json_u64(j, nodes[i].parent ? i - nodes[i].parent : 0);
	json_end(j);
	json_member_u64(j, "length", n - 1);
	json_end(j);
}

static void put_frames(struct export *x, struct json *j)
{
	size_t n = x->t.n_frames;

	json_key(j, "frameTable");
	json_begin_object(j);
	json_key(j, "address");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++) {
		if (x->t.funcs[x->t.func_of[i]].known && !x->t.frames[i].kernel)
			json_u64(j, x->t.frames[i].addr);
		else
			json_i64(j, -1);
	}
	json_end(j);
	json_key(j, "inlineDepth");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_u64(j, x->t.frames[i].inlined);
	json_end(j);
	json_key(j, "category");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_u64(j, x->t.frames[i].kernel ? CATEGORY_KERNEL : CATEGORY_USER);
	json_end(j);
	fill(j, "subcategory", n, "0");
	json_key(j, "func");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_u64(j, x->t.func_of[i]);
	json_end(j);
	fill(j, "nativeSymbol", n, "null");
	fill(j, "innerWindowID", n, "0");
	fill(j, "line", n, "null");
	fill(j, "column", n, "null");
	fill(j, "originalLocation", n, "null");
	json_member_u64(j, "length", n);
	json_end(j);
}

static void put_funcs(struct export *x, struct json *j)
{
	size_t n = x->t.n_funcs;

	json_key(j, "funcTable");
	json_begin_object(j);
	json_key(j, "name");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		string(x, j, x->t.funcs[i].name);
	json_end(j);
	fill(j, "isJS", n, "false");
	fill(j, "relevantForJS", n, "false");
	json_key(j, "resource");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_u64(j, x->t.funcs[i].module);
	json_end(j);
	fill(j, "source", n, "null");
	fill(j, "lineNumber", n, "null");
	fill(j, "columnNumber", n, "null");
	fill(j, "originalLocation", n, "null");
	json_member_u64(j, "length", n);
	json_end(j);
}

/* One library for each module. */
static void put_resources(struct export *x, struct json *j)
{
	size_t n = x->t.n_modules;

	json_key(j, "resourceTable");
	json_begin_object(j);
	json_key(j, "lib");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_u64(j, i);
	json_end(j);
	json_key(j, "name");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		string(x, j, x->t.modules[i].name);
	json_end(j);
	fill(j, "host", n, "null");
	fill(j, "type", n, "1");
	static_assert(RESOURCE_LIBRARY == 1, "its number as text");
	json_member_u64(j, "length", n);
	json_end(j);
}

static void put_empty(struct json *j, const char *key, const char *columns)
{
	struct sv rest = sv_from(columns), column;
	char name[32];

	json_key(j, key);
	json_begin_object(j);
	while (sv_cut(&rest, ' ', &column)) {
		str_copy(name, sizeof(name), column);
		key_empty(j, name);
	}
	json_member_u64(j, "length", 0);
	json_end(j);
}

/* Strings come last: the threads add some, too. */
static void put_shared(struct export *x, struct json *j)
{
	struct own *own = x->own;

	json_key(j, "shared");
	json_begin_object(j);
	put_stacks(x, j);
	put_frames(x, j);
	put_funcs(x, j);
	put_resources(x, j);
	put_empty(j, "nativeSymbols", "libIndex address name functionSize");
	put_empty(j, "sources", "id filename startLine startColumn sourceMapURL content");
	put_empty(j, "sourceLocationTable", "source line column");
	json_key(j, "stringArray");
	json_begin_array(j);
	for (size_t i = 0; i < own->strings.list.n; i++)
		json_str(j, (struct sv){ own->strings.list.v[i].s, own->strings.list.v[i].len });
	json_end(j);
	json_end(j);
}

/* --- threads ------------------------------------------------------------------------------------------------- */

enum column { STACKS, TIMES, WEIGHTS };

static uint64_t put_column(struct export *x, struct json *j, uint32_t lane, enum column what)
{
	static const char *const names[] = { "stack", "time", "weight" };
	const struct own *own = x->own;
	struct export_reader r = export_log_begin(&own->log, lane);
	uint64_t n = 0, time = 0;

	json_key(j, names[what]);
	json_begin_array(j);
	for (; export_log_next(&r); n++) {
		/* The front-end uses binary search: times must ascend, so a late sample gets the previous time. */
		time = MAX(time, r.time);
		if (what == TIMES)
			ms(x, j, time);
		else if (what == WEIGHTS)
			json_scaled(j, r.weight, x->event == x->about.timed ? MS_DIGITS : 0);
		else if (r.stack)
			json_u64(j, r.stack - 1);
		else
			json_null(j);
	}
	json_end(j);
	return n;
}

/* lane NAMES_NONE: the thread has no samples of the event. */
static void put_samples(struct export *x, struct json *j, uint32_t lane)
{
	uint64_t n;

	json_key(j, "samples");
	json_begin_object(j);
	n = put_column(x, j, lane, STACKS);
	put_column(x, j, lane, TIMES);
	if (export_weighs(x))
		put_column(x, j, lane, WEIGHTS);
	else
		key_null(j, "weight");
	json_member_str(j, "weightType", x->event == x->about.timed ? "tracing-ms" : "samples");
	json_member_u64(j, "length", n);
	json_end(j);
}

/* Write a column of the thread's markers: lanes of other tracepoints. */
static size_t put_marker_column(struct export *x, struct json *j, uint32_t thread, const char *key, const char *value)
{
	const struct own *own = x->own;
	size_t n = 0;

	json_key(j, key);
	json_begin_array(j);
	for (uint32_t i = own->lane_first[thread]; i; i = own->lane_next[i - 1]) {
		const struct export_lane *lane = &x->t.lanes[i - 1];
		struct export_reader r = export_log_begin(&own->log, i - 1);

		if (lane->event == x->event || !x->t.events[lane->event].text)
			continue;
		for (; export_log_next(&r); n++) {
			if (value)
				json_word(j, value);
			else if (!strcmp(key, "name"))
				string(x, j, x->t.events[lane->event].name);
			else
				ms(x, j, r.time);
		}
	}
	json_end(j);
	return n;
}

static void put_markers(struct export *x, struct json *j, uint32_t thread)
{
	json_key(j, "markers");
	json_begin_object(j);
	put_marker_column(x, j, thread, "data", "null");
	put_marker_column(x, j, thread, "name", NULL);
	put_marker_column(x, j, thread, "startTime", NULL);
	put_marker_column(x, j, thread, "endTime", "null");
	put_marker_column(x, j, thread, "phase", "0");
	static_assert(INSTANT == 0 && CATEGORY_OTHER == 0, "their numbers as text");
	json_member_u64(j, "length", put_marker_column(x, j, thread, "category", "0"));
	json_end(j);
}

static uint32_t lane_of(const struct export *x, uint32_t thread)
{
	const struct own *own = x->own;

	for (uint32_t i = own->lane_first[thread]; i; i = own->lane_next[i - 1])
		if (x->t.lanes[i - 1].event == x->event)
			return i - 1;
	return NAMES_NONE;
}

static void put_thread(struct export *x, struct json *j, uint32_t i)
{
	const struct export_thread *t = &x->t.threads[i];
	char pid[24];

	snprintf(pid, sizeof(pid), "%lld", (long long)export_id(t->pid));
	json_line(j);
	json_begin_object(j);
	json_member_str(j, "processType", "default");
	json_key(j, "processStartupTime");
	ms(x, j, t->first);
	key_null(j, "processShutdownTime");
	json_key(j, "registerTime");
	ms(x, j, t->first);
	key_null(j, "unregisterTime");
	key_empty(j, "pausedRanges");
	json_member_str(j, "name", t->comm);
	key_bool(j, "isMainThread", t->pid == t->tid);
	key_bool(j, "showMarkersInTimeline", true);
	json_member_str(j, "processName", t->process);
	json_member_str(j, "pid", pid);
	json_member_i64(j, "tid", export_id(t->tid));
	put_samples(x, j, lane_of(x, i));
	put_markers(x, j, i);
	json_end(j);
}

/* Build the list of lanes for each thread at once: there may be a hundred thousand of both. */
static int find_lanes(struct export *x)
{
	struct own *own = x->own;

	own->lane_first = calloc(x->t.n_threads + 1, sizeof(*own->lane_first));
	own->lane_next = calloc(x->t.n_lanes + 1, sizeof(*own->lane_next));
	if (!own->lane_first || !own->lane_next)
		return -ENOMEM;
	for (size_t i = x->t.n_lanes; i > 0; i--) {
		uint32_t *first = &own->lane_first[x->t.lanes[i - 1].thread];

		own->lane_next[i - 1] = *first;
		*first = (uint32_t)i;
	}
	return 0;
}

static int end(struct export *x, struct err *e)
{
	struct own *own = x->own;
	struct json j = json_on(x->out);

	if (find_lanes(x))
		return err_nomem(e);
	export_choose(x);
	for (size_t i = 0; i < x->t.n_events; i++)
		if (i != x->event && x->t.events[i].text)
			x->left_out -= x->t.events[i].samples;
	own->first = MIN(own->first, own->last);
	json_begin_object(&j);
	put_meta(x, &j);
	put_libs(x, &j);
	json_key(&j, "threads");
	json_begin_array(&j);
	for (uint32_t i = 0; i < x->t.n_threads; i++)
		put_thread(x, &j, i);
	json_end(&j);
	put_shared(x, &j);
	key_empty(&j, "pages");
	key_empty(&j, "profilerOverhead");
	key_empty(&j, "counters");
	json_end(&j);
	out_char(x->out, '\n');
	return x->out->error == -ENOMEM ? err_nomem(e) : 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	export_log_deinit(&own->log);
	names_deinit(&own->strings);
	free(own->lane_first);
	free(own->lane_next);
}

const struct export_format export_firefox = {
	.name = "firefox", .ending = ".firefox.json .profile.json",
	.brief = "the Firefox Profiler's JSON (profiler.firefox.com)",
	.needs = EXPORT_ONE_EVENT | EXPORT_WEIGHS, .own = sizeof(struct own), .begin = begin, .sample = take,
	.end = end, .close = forget,
};
