/*
 * export_speedscope.c - speedscope's own format: a profile for each event of each thread, with shared frames. Format:
 * github.com/jlfwong/speedscope, src/lib/file-format-spec.ts. Consecutive samples of the same chain are merged: the
 * page keeps everything in memory.
 */
#include "show/export_log.h"
#include "show/json.h"

struct own {
	struct export_log log;
};

static int begin(struct export *x)
{
	struct own *own = x->own;

	own->log.limit = x->about.memory;
	return 0;
}

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;

	return export_log_add(&own->log, s);
}

static void put_frames(struct export *x, struct json *j)
{
	json_key(j, "shared");
	json_begin_object(j);
	json_key(j, "frames");
	json_begin_array(j);
	for (size_t i = 0; i < x->t.n_funcs; i++) {
		const struct export_func *f = &x->t.funcs[i];

		json_line(j);
		json_begin_object(j);
		json_key(j, "name");
		json_str(j, sv_from(f->name));
		json_key(j, "file");
		json_str(j, sv_from(x->t.modules[f->module].name));
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void put_chain(const struct export *x, struct json *j, uint32_t stack)
{
	uint32_t chain[EXPORT_DEPTH];
	size_t n = export_chain(&x->t, stack, chain, EXPORT_DEPTH);

	json_begin_array(j);
	for (size_t i = 0; i < n; i++)
		json_u64(j, x->t.func_of[chain[i]]);
	json_end(j);
}

static bool is_weighed(const struct export *x, const struct export_lane *lane)
{
	return x->about.weigh || lane->event == x->about.timed;
}

/* Read a run of samples with the same chain: returns true with its weight and chain. */
static bool next_run(struct export_reader *r, bool weighed, bool *more, uint32_t *stack, uint64_t *weight)
{
	if (!*more)
		return false;
	*stack = r->stack;
	*weight = 0;
	do
		*weight += weighed ? r->weight : 1;
	while ((*more = export_log_next(r)) && r->stack == *stack);
	return true;
}

static void put_column(const struct export *x, struct json *j, uint32_t lane, bool weights)
{
	const struct own *own = x->own;
	struct export_reader r = export_log_begin(&own->log, lane);
	bool more = export_log_next(&r), weighed = is_weighed(x, &x->t.lanes[lane]);
	uint32_t stack;
	uint64_t weight;

	json_key(j, weights ? "weights" : "samples");
	json_begin_array(j);
	while (next_run(&r, weighed, &more, &stack, &weight)) {
		if (weights)
			json_u64(j, weight);
		else
			put_chain(x, j, stack);
	}
	json_end(j);
}

static void put_profile(struct export *x, struct json *j, uint32_t i)
{
	const struct export_lane *lane = &x->t.lanes[i];
	const struct export_thread *t = &x->t.threads[lane->thread];
	const struct export_event *ev = &x->t.events[lane->event];
	bool weighed = is_weighed(x, lane);
	char name[200];

	snprintf(name, sizeof(name), "%s %lld/%lld, %s", t->comm, (long long)export_id(t->pid),
		 (long long)export_id(t->tid), ev->name);
	json_line(j);
	json_begin_object(j);
	json_key(j, "type");
	json_str(j, SV("sampled"));
	json_key(j, "name");
	json_str(j, sv_from(name));
	json_key(j, "unit");
	json_str(j, weighed && !strcmp(ev->unit, "nanoseconds") ? SV("nanoseconds") : SV("none"));
	json_key(j, "startValue");
	json_u64(j, 0);
	json_key(j, "endValue");
	json_u64(j, weighed ? lane->weight : lane->samples);
	put_column(x, j, i, false);
	put_column(x, j, i, true);
	json_end(j);
}

static int end(struct export *x, struct err *e UNUSED)
{
	struct json j = json_on(x->out);

	json_begin_object(&j);
	json_key(&j, "$schema");
	json_str(&j, SV("https://www.speedscope.app/file-format-schema.json"));
	json_key(&j, "exporter");
	json_str(&j, sv_from(x->about.version));
	json_key(&j, "name");
	json_str(&j, sv_from(x->about.path));
	put_frames(x, &j);
	json_key(&j, "profiles");
	json_begin_array(&j);
	for (uint32_t i = 0; i < x->t.n_lanes; i++)
		put_profile(x, &j, i);
	json_end(&j);
	json_end(&j);
	out_char(x->out, '\n');
	return 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	export_log_deinit(&own->log);
}

const struct export_format export_speedscope = {
	.name = "speedscope", .ending = ".speedscope.json .speedscope",
	.brief = "speedscope's JSON, a profile for each thread",
	.needs = EXPORT_WEIGHS, .own = sizeof(struct own), .begin = begin, .sample = take, .end = end,
	.close = forget,
};
