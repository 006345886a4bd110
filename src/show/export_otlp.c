/*
 * export_otlp.c - OpenTelemetry's profiles signal, opentelemetry.proto.profiles.v1development of opentelemetry-proto
 * 1.11: ProfilesData with a profile for each event. It is not stable: fields have changed in each of the last three
 * versions.
 *
 * ProfilesData: resource_profiles 1, dictionary 2. Dictionary: mapping_table 1, location_table 2, function_table 3,
 * link_table 4, string_table 5, attribute_table 6, stack_table 7; entry 0 of each is empty.
 */
#include "show/export_sum.h"
#include "show/pb.h"

enum { MAPPING = 1, LOCATION, FUNCTION, LINK, STRING, ATTRIBUTE, STACK };
enum { PID, TID, COMM, THREAD_ATTRIBUTES };

struct own {
	struct export_sums sums;
	struct names strings;
	struct pb pb;
	struct names attributes, functions;   /* encoded entries, to avoid duplicates */
	uint32_t *stack_of;        /* node -> entry of the stack table; 0: none */
	uint32_t *id_of;           /* module -> attribute with its build id; 0: none */
	uint32_t *function_of;     /* func -> entry */
	uint32_t *thread_of;       /* THREAD_ATTRIBUTES of each thread */
	uint32_t n_stacks;
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

static void empty(struct pb *pb, unsigned field)
{
	pb_begin(pb, field);
	pb_end(pb);
}

/* Index of the entry that was written from `start` on; a duplicate is removed again. */
static uint32_t once(struct own *own, struct names *entries, size_t start)
{
	size_t known = entries->list.n;
	uint32_t id;

	if (own->pb.error)
		return 0;
	id = names_add(entries, (const char *)own->pb.bytes.v + start, own->pb.bytes.n - start);
	if (id == NAMES_NONE)
		own->pb.error = -ENOMEM;
	else if (id < known)
		own->pb.bytes.n = start;
	return id == NAMES_NONE ? 0 : id + 1;
}

static uint32_t put_attribute(struct own *own, const char *key, const char *text, uint64_t number)
{
	size_t start = own->pb.bytes.n;

	pb_begin(&own->pb, ATTRIBUTE);
	pb_u64(&own->pb, 1, string(own, key));
	pb_begin(&own->pb, 2);
	if (text)
		pb_str(&own->pb, 1, sv_from(text));
	else
		pb_u64(&own->pb, 3, number);
	pb_end(&own->pb);
	pb_end(&own->pb);
	return once(own, &own->attributes, start);
}

static void put_attributes(struct export *x)
{
	struct own *own = x->own;
	char id[2 * BUILD_ID_MAX + 1];

	empty(&own->pb, ATTRIBUTE);
	for (size_t i = 0; i < x->t.n_modules; i++) {
		const struct export_module *m = &x->t.modules[i];

		if (m->id.size)
			own->id_of[i] = put_attribute(own, "process.executable.build_id.gnu",
						      build_id_text(&m->id, id, sizeof(id)), 0);
	}
	for (size_t i = 0; i < x->t.n_threads; i++) {
		uint32_t *of = own->thread_of + i * THREAD_ATTRIBUTES;

		of[PID] = put_attribute(own, "process.pid", NULL, (uint64_t)export_id(x->t.threads[i].pid));
		of[TID] = put_attribute(own, "thread.id", NULL, (uint64_t)export_id(x->t.threads[i].tid));
		of[COMM] = put_attribute(own, "thread.name", x->t.threads[i].comm, 0);
	}
}

static void put_tables(struct export *x)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;

	empty(pb, MAPPING);
	for (size_t i = 0; i < x->t.n_modules; i++) {
		pb_begin(pb, MAPPING);
		pb_u64(pb, 2, UINT64_MAX);
		pb_u64(pb, 4, string(own, x->t.modules[i].path));
		if (own->id_of[i]) {
			pb_begin(pb, 5);
			pb_item(pb, own->id_of[i]);
			pb_end(pb);
		}
		pb_end(pb);
	}
	empty(pb, FUNCTION);
	for (size_t i = 0; i < x->t.n_funcs; i++) {
		size_t start = pb->bytes.n;
		uint64_t name = string(own, x->t.funcs[i].name);

		pb_begin(pb, FUNCTION);
		pb_u64(pb, 1, name);
		pb_u64(pb, 2, name);
		pb_end(pb);
		own->function_of[i] = once(own, &own->functions, start);
	}
	empty(pb, LOCATION);
	for (size_t i = 0; i < x->t.n_frames; i++) {
		const struct export_func *f = &x->t.funcs[x->t.func_of[i]];

		pb_begin(pb, LOCATION);
		pb_u64(pb, 1, f->module + 1);
		pb_u64(pb, 2, x->t.frames[i].addr);
		if (f->known) {
			pb_begin(pb, 3);
			pb_u64(pb, 1, own->function_of[x->t.func_of[i]]);
			pb_end(pb);
		}
		pb_end(pb);
	}
	empty(pb, LINK);
}

/* Write chains with samples once, in order of their first sample. */
static void put_stacks(struct export *x)
{
	struct own *own = x->own;
	const struct ct_node *nodes = x->t.stacks->nodes.v;

	empty(&own->pb, STACK);
	for (size_t i = 0; i < own->sums.v.n; i++) {
		uint32_t stack = own->sums.v.v[i].stack;

		if (!stack || own->stack_of[stack])
			continue;
		own->stack_of[stack] = ++own->n_stacks;
		pb_begin(&own->pb, STACK);
		pb_begin(&own->pb, 1);
		for (uint32_t at = stack; at; at = nodes[at].parent)
			pb_item(&own->pb, nodes[at].key + 1);
		pb_end(&own->pb);
		pb_end(&own->pb);
	}
}

static void put_samples(struct export *x, uint32_t event)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;

	for (size_t i = 0; i < own->sums.v.n; i++) {
		const struct export_total *t = &own->sums.v.v[i];

		if (x->t.lanes[t->lane].event != event)
			continue;
		pb_begin(pb, 2);
		pb_u64(pb, 1, own->stack_of[t->stack]);
		pb_begin(pb, 2);
		for (uint32_t k = 0; k < THREAD_ATTRIBUTES; k++)
			pb_item(pb, own->thread_of[x->t.lanes[t->lane].thread * (size_t)THREAD_ATTRIBUTES + k]);
		pb_end(pb);
		pb_begin(pb, 4);
		pb_item(pb, t->weight);
		pb_end(pb);
		pb_end(pb);
	}
}

static void put_profile(struct export *x, uint32_t event)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	const struct export_event *ev = &x->t.events[event];
	uint64_t first, last;
	bool lasts = export_span(x, &first, &last);

	pb_begin(pb, 2);
	pb_begin(pb, 1);
	pb_u64(pb, 1, string(own, ev->name));
	pb_u64(pb, 2, string(own, ev->unit));
	pb_end(pb);
	put_samples(x, event);
	if (x->about.wall && lasts)
		pb_fixed64(pb, 3, x->about.wall + first - x->about.clock);
	if (lasts)
		pb_u64(pb, 4, last - first);
	pb_begin(pb, 5);
	pb_u64(pb, 1, string(own, ev->name));
	pb_u64(pb, 2, string(own, ev->unit));
	pb_end(pb);
	if (ev->period)
		pb_u64(pb, 6, ev->period);
	pb_end(pb);
}

static void put_all(struct export *x)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;

	string(own, "");
	pb_begin(pb, 2);
	put_attributes(x);
	put_tables(x);
	put_stacks(x);
	pb_end(pb);
	pb_begin(pb, 1);
	pb_begin(pb, 2);
	for (uint32_t i = 0; i < x->t.n_events; i++)
		if (x->t.events[i].samples)
			put_profile(x, i);
	pb_end(pb);
	pb_end(pb);
	/* Protobuf: a repeated occurrence of a message field is merged. */
	pb_begin(pb, 2);
	for (size_t i = 0; i < own->strings.list.n; i++)
		pb_str(pb, STRING, (struct sv){ own->strings.list.v[i].s, own->strings.list.v[i].len });
	pb_end(pb);
	pb_flush(pb, x->out);
}

static int end(struct export *x, struct err *e)
{
	struct own *own = x->own;

	own->stack_of = calloc(x->t.stacks->nodes.n, sizeof(*own->stack_of));
	own->id_of = calloc(x->t.n_modules + 1, sizeof(*own->id_of));
	own->function_of = calloc(x->t.n_funcs + 1, sizeof(*own->function_of));
	own->thread_of = calloc(x->t.n_threads + 1, THREAD_ATTRIBUTES * sizeof(*own->thread_of));
	if (!own->stack_of || !own->id_of || !own->function_of || !own->thread_of)
		return err_nomem(e);
	put_all(x);
	if (own->pb.error == -EOVERFLOW) {
		err_set(e, EOVERFLOW, "it comes to more than the 256 MB that one message has here");
		return err_hint(e, "choose some samples with --time or --comms, or another format");
	}
	return x->out->error == -ENOMEM ? err_nomem(e) : 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	export_sums_deinit(&own->sums);
	names_deinit(&own->strings);
	names_deinit(&own->attributes);
	names_deinit(&own->functions);
	pb_deinit(&own->pb);
	free(own->stack_of);
	free(own->id_of);
	free(own->function_of);
	free(own->thread_of);
}

const struct export_format export_otlp = {
	.name = "otlp", .ending = ".otlp",
	.brief = "OpenTelemetry profiles v1development of 1.11, still in development there",
	.needs = EXPORT_PLACES, .own = sizeof(struct own), .sample = take, .end = end, .close = forget,
};
