/*
 * export_chrome.c - Chrome's trace events as JSON, written while the recording is read: samples as chunks of a CPU
 * profile for each event of each thread ("Profile", "ProfileChunk"), scheduling as spans of a process per CPU, other
 * tracepoints as instants. Times are microseconds with three decimals.
 */
#include "base/map.h"
#include "show/export.h"
#include "show/json.h"

enum { CHUNK = 32, DIGITS = 3, CPUS = 1 << 22 };   /* CPUS: a pid that Linux never uses */

/* Samples of a lane that are not written yet. */
struct pending {
	uint32_t n;
	uint64_t time;             /* of the sample before the first of these */
	uint32_t stack[CHUNK];
	uint64_t delta[CHUNK];     /* ns */
};

/* The task running on a CPU. */
struct cpu {
	uint64_t since;
	uint32_t tid;
	char comm[16];
	bool known;
};

struct own {
	struct json json;
	VEC(struct pending *) pending;    /* by lane */
	struct map told;                  /* (lane, node): it was written */
	VEC(uint8_t) threads;             /* whose names were written */
	VEC(struct cpu) cpus;
	uint64_t last;
	bool begun;
};

static void key_str(struct json *j, const char *key, struct sv value)
{
	json_key(j, key);
	json_str(j, value);
}

static void event_begin(struct json *j, const char *ph, struct sv name, uint32_t pid, uint32_t tid)
{
	json_line(j);
	json_begin_object(j);
	key_str(j, "ph", sv_from(ph));
	key_str(j, "name", name);
	json_member_i64(j, "pid", export_id(pid));
	json_member_i64(j, "tid", export_id(tid));
}

static void key_time(struct json *j, const char *key, uint64_t ns)
{
	json_key(j, key);
	json_scaled(j, ns, DIGITS);
}

static void put_name(struct json *j, const char *what, struct sv name, uint32_t pid, uint32_t tid)
{
	event_begin(j, "M", sv_from(what), pid, tid);
	json_key(j, "args");
	json_begin_object(j);
	key_str(j, "name", name);
	json_end(j);
	json_end(j);
}

static int put_thread(struct export *x, uint32_t i)
{
	struct own *own = x->own;
	const struct export_thread *t = &x->t.threads[i];

	while (own->threads.n <= i)
		if (!vec_add(&own->threads))
			return -ENOMEM;
	if (own->threads.v[i])
		return 0;
	own->threads.v[i] = 1;
	/* Name the process with each thread: its main thread may have no samples. */
	put_name(&own->json, "process_name", sv_from(t->process), t->pid, t->tid);
	put_name(&own->json, "thread_name", sv_from(t->comm), t->pid, t->tid);
	return 0;
}

/* --- samples ------------------------------------------------------------------------------------------------- */

enum { ROOT = 1 };   /* first node of a profile; node n of a chain is n + ROOT */

static void profile_begin(struct export *x, const char *name, uint32_t lane, uint64_t time)
{
	struct own *own = x->own;
	struct json *j = &own->json;
	const struct export_lane *l = &x->t.lanes[lane];
	const struct export_thread *t = &x->t.threads[l->thread];
	char id[16];

	snprintf(id, sizeof(id), "0x%x", lane + 1);
	event_begin(j, "P", sv_from(name), t->pid, t->tid);
	key_str(j, "cat", SV("disabled-by-default-v8.cpu_profiler"));
	key_str(j, "id", sv_from(id));
	key_time(j, "ts", time);
	json_key(j, "args");
	json_begin_object(j);
	json_key(j, "data");
	json_begin_object(j);
}

static void profile_end(struct json *j)
{
	json_end(j);
	json_end(j);
	json_end(j);
}

static void put_node(struct export *x, struct json *j, uint32_t node)
{
	const struct ct_node *n = &x->t.stacks->nodes.v[node];
	const struct export_func *f = node ? &x->t.funcs[x->t.func_of[n->key]] : NULL;

	json_begin_object(j);
	json_member_u64(j, "id", node + ROOT);
	if (node)
		json_member_u64(j, "parent", n->parent + ROOT);
	json_key(j, "callFrame");
	json_begin_object(j);
	key_str(j, "codeType", SV("other"));
	key_str(j, "functionName", f ? sv_from(f->name) : SV("(root)"));
	json_member_u64(j, "scriptId", 0);
	if (f)
		key_str(j, "url", sv_from(x->t.modules[f->module].path));
	json_end(j);
	json_end(j);
}

/* Write the nodes of a chain that this profile does not have, callers first. */
static int put_nodes(struct export *x, uint32_t lane, uint32_t stack)
{
	struct own *own = x->own;
	uint32_t chain[EXPORT_DEPTH + 1], n = 0;   /* includes the root */

	for (uint32_t at = stack; n < ARRAY_SIZE(chain); at = x->t.stacks->nodes.v[at].parent) {
		bool is_new;

		if (!map_add(&own->told, (uint64_t)lane << 32 | at, &is_new))
			return -ENOMEM;
		if (!is_new)
			break;
		chain[n++] = at;
		if (!at)
			break;
	}
	while (n)
		put_node(x, &own->json, chain[--n]);
	return 0;
}

static int put_chunk(struct export *x, uint32_t lane)
{
	struct own *own = x->own;
	struct json *j = &own->json;
	struct pending *p = own->pending.v[lane];
	int r = 0;

	if (!p->n)
		return 0;
	profile_begin(x, "ProfileChunk", lane, p->time);
	json_key(j, "cpuProfile");
	json_begin_object(j);
	json_key(j, "nodes");
	json_begin_array(j);
	for (uint32_t i = 0; i < p->n && !r; i++)
		r = put_nodes(x, lane, p->stack[i]);
	json_end(j);
	json_key(j, "samples");
	json_begin_array(j);
	for (uint32_t i = 0; i < p->n; i++)
		json_u64(j, p->stack[i] + ROOT);
	json_end(j);
	json_end(j);
	json_key(j, "timeDeltas");
	json_begin_array(j);
	for (uint32_t i = 0; i < p->n; i++) {
		p->time += p->delta[i];
		json_scaled(j, p->delta[i], DIGITS);
	}
	json_end(j);
	profile_end(j);
	p->n = 0;
	return r;
}

static struct pending *pending_of(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	struct pending **p;

	while (own->pending.n <= s->lane)
		if (!vec_add(&own->pending))
			return NULL;
	p = &own->pending.v[s->lane];
	if (*p)
		return *p;
	*p = calloc(1, sizeof(**p));
	if (!*p)
		return NULL;
	(*p)->time = s->time;
	profile_begin(x, "Profile", s->lane, s->time);
	key_time(&own->json, "startTime", s->time);
	key_str(&own->json, "title", sv_from(x->t.events[s->event].name));
	profile_end(&own->json);
	return *p;
}

static int put_sample(struct export *x, const struct export_sample *s)
{
	struct pending *p = pending_of(x, s);
	uint64_t before;

	if (!p)
		return -ENOMEM;
	before = p->time;
	for (uint32_t i = 0; i < p->n; i++)
		before += p->delta[i];
	p->stack[p->n] = s->stack;
	p->delta[p->n++] = s->time > before ? s->time - before : 0;
	return p->n == CHUNK ? put_chunk(x, s->lane) : 0;
}

/* --- the scheduler and other tracepoints --------------------------------------------------------------------- */

static void put_span(struct export *x, uint32_t cpu, uint64_t until)
{
	struct own *own = x->own;
	struct cpu *c = &own->cpus.v[cpu];

	if (!c->known || !c->tid || until < c->since)
		return;
	event_begin(&own->json, "X", sv_from(c->comm), CPUS, cpu);
	key_time(&own->json, "ts", c->since);
	key_time(&own->json, "dur", until - c->since);
	json_key(&own->json, "args");
	json_begin_object(&own->json);
	json_member_u64(&own->json, "tid", c->tid);
	json_end(&own->json);
	json_end(&own->json);
}

static int put_switch(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	uint32_t cpu = s->sched->cpu;
	char name[16];

	if (cpu >= CPUS_MAX || !s->sched->is_switch)
		return 0;
	while (own->cpus.n <= cpu) {
		if (!own->cpus.n)
			put_name(&own->json, "process_name", SV("CPUs"), CPUS, 0);
		snprintf(name, sizeof(name), "CPU %zu", own->cpus.n);
		put_name(&own->json, "thread_name", sv_from(name), CPUS, (uint32_t)own->cpus.n);
		if (!vec_add(&own->cpus))
			return -ENOMEM;
	}
	put_span(x, cpu, s->time);
	own->cpus.v[cpu] = (struct cpu){ .since = s->time, .tid = s->sched->next.tid, .known = true };
	str_copy(own->cpus.v[cpu].comm, sizeof(own->cpus.v[cpu].comm), s->sched->next.comm);
	return 0;
}

static void put_text(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	const struct export_thread *t = &x->t.threads[x->t.lanes[s->lane].thread];

	event_begin(&own->json, "i", sv_from(x->t.events[s->event].name), t->pid, t->tid);
	key_time(&own->json, "ts", s->time);
	key_str(&own->json, "s", SV("t"));
	json_key(&own->json, "args");
	json_begin_object(&own->json);
	key_str(&own->json, "text", s->text);
	json_end(&own->json);
	json_end(&own->json);
}

static void start(struct export *x)
{
	struct own *own = x->own;

	own->begun = true;
	own->json = json_on(x->out);
	json_begin_object(&own->json);
	key_str(&own->json, "displayTimeUnit", SV("ns"));
	json_key(&own->json, "traceEvents");
	json_begin_array(&own->json);
}

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	bool text = x->t.events[s->event].text;
	int r;

	if (!own->begun)
		start(x);
	own->last = MAX(own->last, s->time);
	r = put_thread(x, x->t.lanes[s->lane].thread);
	if (!r && s->sched)
		r = put_switch(x, s);
	if (!r && text && !s->sched)
		put_text(x, s);
	return r || (text && !s->stack) ? r : put_sample(x, s);
}

static int end(struct export *x, struct err *e)
{
	struct own *own = x->own;
	int r = 0;

	if (!own->begun)
		start(x);
	for (uint32_t i = 0; i < own->pending.n && !r; i++)
		r = own->pending.v[i] ? put_chunk(x, i) : 0;
	for (uint32_t i = 0; i < own->cpus.n; i++)
		put_span(x, i, own->last);
	json_end(&own->json);
	json_end(&own->json);
	out_char(x->out, '\n');
	return r ? err_nomem(e) : 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	for (size_t i = 0; i < own->pending.n; i++)
		free(own->pending.v[i]);
	vec_free(&own->pending);
	map_deinit(&own->told);
	vec_free(&own->threads);
	vec_free(&own->cpus);
}

const struct export_format export_chrome = {
	.name = "chrome", .ending = ".trace.json .chrome.json",
	.brief = "Chrome's trace events (chrome://tracing, DevTools), JSON",
	.needs = EXPORT_TEXTS, .own = sizeof(struct own), .sample = take, .end = end, .close = forget,
};
