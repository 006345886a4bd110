/*
 * export_pprof.c - pprof's profile.proto in gzip: a sample for each distinct chain of each thread, with count and
 * weight of each event.
 *
 * Profile: sample_type 1, sample 2, mapping 3, location 4, function 5, string_table 6, time_nanos 9, duration_nanos 10,
 * period_type 11, period 12, comment 13, default_sample_type 14. Ids begin with 1, string 0 is "". Fields may come in
 * any order.
 */
#include "perf/sample.h"
#include "show/export_sum.h"
#include "show/gzip.h"
#include "show/pb.h"

enum {
	SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING, TIME = 9, DURATION, PERIOD_TYPE, PERIOD, COMMENT,
	DEFAULT_TYPE,
};

struct own {
	struct export_sums sums;
	struct names strings;
	struct pb pb;
	struct gzip *gzip;
};

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;

	return export_sums_add(&own->sums, s);
}

static uint64_t string(struct own *own, const char *s)
{
	return pb_name(&own->pb, &own->strings, s);
}

/* Flush large tables in pieces. */
static void hand_on(struct own *own)
{
	if (own->pb.bytes.n > 1 << 16)
		pb_flush(&own->pb, gzip_out(own->gzip));
}

static void put_type(struct own *own, unsigned field, const char *type, const char *unit)
{
	pb_begin(&own->pb, field);
	pb_u64(&own->pb, 1, string(own, type));
	pb_u64(&own->pb, 2, string(own, unit));
	pb_end(&own->pb);
}

/* A trace has formats of all events of its kernel: no columns for those that never occur. */
static bool has_column(const struct export *x, uint32_t event)
{
	return event == x->event || x->t.events[event].samples;
}

/* Count first, then weight: pprof shows the last one by default. */
static void put_types(struct export *x)
{
	struct own *own = x->own;
	char name[200];

	export_choose(x);
	for (uint32_t i = 0; i < x->t.n_events; i++) {
		const struct export_event *ev = &x->t.events[i];

		if (!has_column(x, i))
			continue;
		snprintf(name, sizeof(name), "%s_samples", ev->name);
		put_type(own, SAMPLE_TYPE, x->left_out ? name : "samples", "count");
		put_type(own, SAMPLE_TYPE, ev->name, ev->unit);
	}
	pb_u64(&own->pb, DEFAULT_TYPE, string(own, x->t.events[x->event].name));
	put_type(own, PERIOD_TYPE, x->t.events[x->event].name, x->t.events[x->event].unit);
	if (x->t.events[x->event].period)
		pb_u64(&own->pb, PERIOD, x->t.events[x->event].period);
}

static void put_mapping(struct export *x, uint32_t i, bool has_functions)
{
	struct own *own = x->own;
	const struct export_module *m = &x->t.modules[i];
	char id[2 * BUILD_ID_MAX + 1];

	pb_begin(&own->pb, MAPPING);
	pb_u64(&own->pb, 1, i + 1);
	pb_u64(&own->pb, 3, UINT64_MAX);
	pb_u64(&own->pb, 5, string(own, m->path));
	if (m->id.size)
		pb_u64(&own->pb, 6, string(own, build_id_text(&m->id, id, sizeof(id))));
	if (has_functions)
		pb_u64(&own->pb, 7, 1);
	pb_end(&own->pb);
}

/* Programs before libraries before everything else. */
static unsigned rank(const struct export_module *m)
{
	return m->kernel || m->path[0] != '/' ? 0 : strstr(m->name, ".so") ? 1 : 2;
}

/* pprof names the profile after the first mapping. */
static int put_mappings(struct export *x)
{
	bool *named = calloc(x->t.n_modules + 1, sizeof(*named));
	size_t first = 0;

	if (!named)
		return -ENOMEM;
	for (size_t i = 0; i < x->t.n_funcs; i++)
		named[x->t.funcs[i].module] |= x->t.funcs[i].known;
	for (size_t i = 1; i < x->t.n_modules; i++)
		if (rank(&x->t.modules[i]) > rank(&x->t.modules[first]))
			first = i;
	if (x->t.n_modules)
		put_mapping(x, (uint32_t)first, named[first]);
	for (size_t i = 0; i < x->t.n_modules; i++)
		if (i != first)
			put_mapping(x, (uint32_t)i, named[i]);
	free(named);
	return 0;
}

static void put_places(struct export *x)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;

	for (size_t i = 0; i < x->t.n_funcs; i++, hand_on(own)) {
		pb_begin(pb, FUNCTION);
		pb_u64(pb, 1, i + 1);
		pb_u64(pb, 2, string(own, x->t.funcs[i].name));
		pb_u64(pb, 3, string(own, x->t.funcs[i].name));
		pb_end(pb);
	}
	for (size_t i = 0; i < x->t.n_frames; i++, hand_on(own)) {
		const struct export_func *f = &x->t.funcs[x->t.func_of[i]];

		pb_begin(pb, LOCATION);
		pb_u64(pb, 1, i + 1);
		pb_u64(pb, 2, f->module + 1);
		pb_u64(pb, 3, x->t.frames[i].addr);
		if (f->known) {
			pb_begin(pb, 4);
			pb_u64(pb, 1, x->t.func_of[i] + 1);
			pb_end(pb);
		}
		pb_end(pb);
	}
}

static void put_label(struct own *own, const char *key, const char *text, uint64_t number)
{
	pb_begin(&own->pb, 3);
	pb_u64(&own->pb, 1, string(own, key));
	if (text)
		pb_u64(&own->pb, 2, string(own, text));
	else
		pb_u64(&own->pb, 3, number);
	pb_end(&own->pb);
}

static void put_sample(struct export *x, const struct export_total *total)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	const struct ct_node *nodes = x->t.stacks->nodes.v;
	const struct export_lane *lane = &x->t.lanes[total->lane];
	const struct export_thread *t = &x->t.threads[lane->thread];

	pb_begin(pb, SAMPLE);
	pb_begin(pb, 1);
	for (uint32_t at = total->stack; at; at = nodes[at].parent)
		pb_item(pb, nodes[at].key + 1);
	pb_end(pb);
	pb_begin(pb, 2);
	for (uint32_t i = 0; i < x->t.n_events; i++) {
		if (!has_column(x, i))
			continue;
		pb_item(pb, i == lane->event ? total->samples : 0);
		pb_item(pb, i == lane->event ? total->weight : 0);
	}
	pb_end(pb);
	put_label(own, "thread", t->comm, 0);
	put_label(own, "pid", NULL, (uint64_t)export_id(t->pid));
	put_label(own, "tid", NULL, (uint64_t)export_id(t->tid));
	pb_end(pb);
}

static void put_times(struct export *x)
{
	struct own *own = x->own;
	uint64_t first, last;

	if (!export_span(x, &first, &last))
		return;
	if (x->about.wall)
		pb_u64(&own->pb, TIME, x->about.wall + first - x->about.clock);
	pb_u64(&own->pb, DURATION, last - first);
}

static int end(struct export *x, struct err *e)
{
	struct own *own = x->own;
	int r;

	own->gzip = gzip_new(x->out);
	if (!own->gzip)
		return err_nomem(e);
	string(own, "");
	put_types(x);
	x->left_out = 0;   /* all events are included */
	put_times(x);
	r = put_mappings(x);
	put_places(x);
	for (size_t i = 0; i < own->sums.v.n; i++, hand_on(own))
		put_sample(x, &own->sums.v.v[i]);
	pb_u64(&own->pb, COMMENT, string(own, x->about.version));
	for (size_t i = 0; i < own->strings.list.n; i++, hand_on(own))
		pb_str(&own->pb, STRING, (struct sv){ own->strings.list.v[i].s, own->strings.list.v[i].len });
	pb_flush(&own->pb, gzip_out(own->gzip));
	gzip_end(own->gzip);
	r = r ? r : gzip_out(own->gzip)->error;
	/* Reported by the owner of the output, like all its errors. */
	if (r && !x->out->error)
		x->out->error = r;
	return r == -ENOMEM ? err_nomem(e) : 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	gzip_free(own->gzip);
	export_sums_deinit(&own->sums);
	names_deinit(&own->strings);
	pb_deinit(&own->pb);
}

const struct export_format export_pprof = {
	.name = "pprof", .ending = ".pb.gz .pprof", .brief = "pprof's profile.proto, all events and threads",
	.needs = EXPORT_PLACES, .own = sizeof(struct own), .sample = take, .end = end, .close = forget,
};
