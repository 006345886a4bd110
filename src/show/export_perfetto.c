/*
 * export_perfetto.c - Perfetto's protobuf trace, written while the recording is read: a packet for each sample and each
 * scheduler event; names and chains when they first occur (protos/perfetto/trace/trace_packet.proto).
 *
 * Scheduling uses generic kernel events, texts of tracepoints track events, which are both stable. Samples are
 * PerfSample, which all versions of the UI read. Each event has its own packet sequence, since interned ids and
 * defaults belong to a sequence; sequence 1 has everything else.
 */
#include "base/map.h"
#include "show/export.h"
#include "show/pb.h"

enum {                             /* fields of a packet */
	CLOCK_SNAPSHOT = 6, TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, INTERNED = 12, SEQUENCE_FLAGS = 13,
	DEFAULTS = 59, TRACK_DESCRIPTOR = 60, PERF_SAMPLE = 66, TASK_STATE = 117, MODULE_DISASSEMBLY = 140,
};
enum { FUNCTION_NAMES = 5, FRAMES, CALLSTACKS, BUILD_IDS = 16, MAPPING_PATHS, MAPPINGS = 19 };   /* of InternedData */
enum { COMMON_SEQUENCE = 1, FIRST_SEQUENCE };
enum { CLEARED = 1, NEEDS = 2 };
enum { CLOCK_REALTIME = 1, CLOCK_BOOTTIME = 6 };
enum { KERNEL = 1, USER = 2 };
enum { RUNNABLE = 2, RUNNING, INTERRUPTIBLE, UNINTERRUPTIBLE, STOPPED, DEAD };
enum { INSTANT = 3 };

/* What a sequence has already written, a byte for each id. */
struct told {
	VEC(uint8_t) v;
};

struct sequence {
	struct told funcs, frames, stacks, modules;
	bool begun;
};

struct own {
	struct pb pb;
	VEC(struct sequence) sequences;   /* by event */
	struct told threads;
	struct map processes;             /* pid: it was written */
	struct map running;               /* tid: 1 while it runs */
	struct names files;               /* of the source, in the module whose code is being written */
	bool begun, in_func;
};

/* Is the id new? It counts as written from now on. */
static bool is_new(struct own *own, struct told *t, uint32_t i)
{
	if (i >= t->v.n) {
		if (vec_reserve(&t->v, i + 1 - t->v.n)) {
			own->pb.error = -ENOMEM;
			return false;
		}
		memset(t->v.v + t->v.n, 0, i + 1 - t->v.n);
		t->v.n = i + 1;
	}
	if (t->v.v[i])
		return false;
	t->v.v[i] = 1;
	return true;
}

/* --- packets ------------------------------------------------------------------------------------------------- */

static void packet_begin(struct own *own, uint64_t time, uint64_t sequence)
{
	pb_begin(&own->pb, 1);
	pb_u64(&own->pb, TIMESTAMP, time);
	pb_u64(&own->pb, SEQUENCE, sequence);
}

static int packet_end(struct export *x)
{
	struct own *own = x->own;

	pb_end(&own->pb);
	pb_flush(&own->pb, x->out);
	return x->out->error == -ENOMEM ? -ENOMEM : 0;
}

static void put_clock(struct pb *pb, uint64_t id, uint64_t ns)
{
	pb_begin(pb, 1);
	pb_u64(pb, 1, id);
	pb_u64(pb, 2, ns);
	pb_end(pb);
}

/* The recording's clock is presented as boot time, the default clock of trace packets. */
static int put_clocks(struct export *x, uint64_t time)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	uint64_t at = x->about.wall ? x->about.clock : time;

	own->begun = true;
	packet_begin(own, time, COMMON_SEQUENCE);
	pb_u64(pb, SEQUENCE_FLAGS, CLEARED);
	pb_begin(pb, CLOCK_SNAPSHOT);
	put_clock(pb, CLOCK_BOOTTIME, at);
	if (x->about.wall)
		put_clock(pb, CLOCK_REALTIME, x->about.wall);
	pb_u64(pb, 2, CLOCK_BOOTTIME);
	pb_end(pb);
	return packet_end(x);
}

static uint64_t track_of(uint32_t tid)
{
	return (UINT64_C(1) << 32) + tid;
}

/* Write the process on a track of its own: the UI ignores a process on a thread's track. */
static int put_process(struct export *x, const struct export_sample *s, const struct export_thread *t)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	bool is_first;

	if (!map_add(&own->processes, t->pid, &is_first))
		return -ENOMEM;
	/* A main thread is written again when its name changes. */
	if (!is_first && t->pid != t->tid)
		return 0;
	packet_begin(own, s->time, COMMON_SEQUENCE);
	pb_begin(pb, TRACK_DESCRIPTOR);
	pb_u64(pb, 1, (UINT64_C(2) << 32) + t->pid);
	pb_begin(pb, 3);
	pb_u64(pb, 1, (uint64_t)export_id(t->pid));
	pb_str(pb, 6, sv_from(t->process));
	pb_end(pb);
	pb_end(pb);
	return packet_end(x);
}

static int put_thread(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	uint32_t i = x->t.lanes[s->lane].thread;
	const struct export_thread *t = &x->t.threads[i];

	if (!is_new(own, &own->threads, i))
		return 0;
	if (put_process(x, s, t))
		return -ENOMEM;
	packet_begin(own, s->time, COMMON_SEQUENCE);
	pb_begin(pb, TRACK_DESCRIPTOR);
	pb_u64(pb, 1, track_of(t->tid));
	pb_begin(pb, 4);
	pb_u64(pb, 1, (uint64_t)export_id(t->pid));
	pb_u64(pb, 2, (uint64_t)export_id(t->tid));
	pb_str(pb, 5, sv_from(t->comm));
	pb_end(pb);
	pb_end(pb);
	return packet_end(x);
}

/* --- names and chains ---------------------------------------------------------------------------------------- */

static void put_interned(struct pb *pb, unsigned field, uint64_t iid, struct sv text)
{
	pb_begin(pb, field);
	pb_u64(pb, 1, iid);
	pb_str(pb, 2, text);
	pb_end(pb);
}

static void put_module(struct export *x, struct sequence *q, uint32_t i)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	const struct export_module *m = &x->t.modules[i];

	if (!is_new(own, &q->modules, i))
		return;
	put_interned(pb, MAPPING_PATHS, i + 1, sv_from(m->path));
	if (m->id.size) {
		pb_begin(pb, BUILD_IDS);
		pb_u64(pb, 1, i + 1);
		pb_bytes(pb, 2, (struct sv){ (const char *)m->id.v, m->id.size });
		pb_end(pb);
	}
	pb_begin(pb, MAPPINGS);
	pb_u64(pb, 1, i + 1);
	if (m->id.size)
		pb_u64(pb, 2, i + 1);
	pb_u64(pb, 5, UINT64_MAX);
	pb_u64(pb, 7, i + 1);
	pb_end(pb);
}

static void put_frame(struct export *x, struct sequence *q, uint32_t i)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	uint32_t func = x->t.func_of[i];
	const struct export_func *f = &x->t.funcs[func];

	if (!is_new(own, &q->frames, i))
		return;
	put_module(x, q, f->module);
	if (f->known && is_new(own, &q->funcs, func))
		put_interned(pb, FUNCTION_NAMES, func + 1, sv_from(f->name));
	pb_begin(pb, FRAMES);
	pb_u64(pb, 1, i + 1);
	if (f->known)
		pb_u64(pb, 2, func + 1);
	pb_u64(pb, 3, f->module + 1);
	pb_u64(pb, 4, x->t.frames[i].addr);
	pb_end(pb);
}

static void put_stack(struct export *x, struct sequence *q, uint32_t stack)
{
	struct own *own = x->own;
	const struct ct_node *nodes = x->t.stacks->nodes.v;
	uint32_t chain[EXPORT_DEPTH];
	size_t n;

	if (!stack || !is_new(own, &q->stacks, stack))
		return;
	n = export_chain(&x->t, stack, chain, ARRAY_SIZE(chain));
	pb_begin(&own->pb, INTERNED);
	for (uint32_t at = stack; at; at = nodes[at].parent)
		put_frame(x, q, nodes[at].key);
	pb_begin(&own->pb, CALLSTACKS);
	pb_u64(&own->pb, 1, stack);
	for (size_t i = 0; i < n; i++)
		pb_u64(&own->pb, 2, chain[i] + 1);
	pb_end(&own->pb);
	pb_end(&own->pb);
}

/* --- samples ------------------------------------------------------------------------------------------------- */

/* TracePacketDefaults.perf_sample_defaults.timebase: name and period of the event. */
static void put_defaults(struct export *x, uint32_t event)
{
	struct pb *pb = &((struct own *)x->own)->pb;
	const struct export_event *ev = &x->t.events[event];

	pb_begin(pb, DEFAULTS);
	pb_begin(pb, 12);
	pb_begin(pb, 1);
	pb_u64(pb, 1, MAX(ev->period, 1u));
	pb_str(pb, 10, sv_from(ev->name));
	pb_end(pb);
	pb_end(pb);
	pb_end(pb);
}

static struct sequence *sequence_of(struct own *own, uint32_t event)
{
	while (own->sequences.n <= event)
		if (!vec_add(&own->sequences))
			return NULL;
	return &own->sequences.v[event];
}

static int put_sample(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	struct sequence *q = sequence_of(own, s->event);
	const struct export_thread *t = &x->t.threads[x->t.lanes[s->lane].thread];

	if (!q)
		return -ENOMEM;
	packet_begin(own, s->time, FIRST_SEQUENCE + s->event);
	pb_u64(pb, SEQUENCE_FLAGS, q->begun ? NEEDS : CLEARED | NEEDS);
	if (!q->begun)
		put_defaults(x, s->event);
	q->begun = true;
	put_stack(x, q, s->stack);
	pb_begin(pb, PERF_SAMPLE);
	if (s->cpu != UINT32_MAX)
		pb_u64(pb, 1, s->cpu);
	pb_u64(pb, 2, (uint64_t)export_id(t->pid));
	pb_u64(pb, 3, (uint64_t)export_id(t->tid));
	if (s->stack)
		pb_u64(pb, 4, s->stack);
	pb_u64(pb, 5, s->kernel ? KERNEL : USER);
	pb_end(pb);
	return packet_end(x);
}

static int put_text(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;

	packet_begin(own, s->time, COMMON_SEQUENCE);
	pb_begin(pb, TRACK_EVENT);
	pb_u64(pb, 9, INSTANT);
	pb_u64(pb, 11, track_of(x->t.threads[x->t.lanes[s->lane].thread].tid));
	pb_str(pb, 22, SV("tracepoint"));
	pb_str(pb, 23, sv_from(x->t.events[s->event].name));
	if (s->text.n) {
		pb_begin(pb, 4);
		pb_str(pb, 10, SV("text"));
		pb_str(pb, 6, s->text);
		pb_end(pb);
	}
	pb_end(pb);
	return packet_end(x);
}

/* --- the scheduler ------------------------------------------------------------------------------------------- */

static int put_state(struct export *x, const struct export_sample *s, const struct export_task *t, unsigned state)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;

	/* Skip the idle task. */
	if (!t->tid)
		return 0;
	packet_begin(own, s->time, COMMON_SEQUENCE);
	pb_begin(pb, TASK_STATE);
	pb_u64(pb, 1, s->sched->cpu);
	pb_str(pb, 2, t->comm);
	pb_u64(pb, 3, t->tid);
	pb_u64(pb, 4, state);
	pb_u64(pb, 5, t->prio);
	pb_end(pb);
	return packet_end(x);
}

/* A task about to sleep may be woken while it still runs: then it remains running. */
static bool is_running(const struct own *own, uint32_t tid)
{
	const uint64_t *at = map_get(&own->running, tid);

	return at && *at;
}

static int set_running(struct own *own, uint32_t tid, uint64_t runs)
{
	uint64_t *at = map_add(&own->running, tid, NULL);

	if (!at)
		return -ENOMEM;
	*at = runs;
	return 0;
}

static int put_sched(struct export *x, const struct export_sample *s)
{
	static const uint8_t states[] = {
		[EXPORT_RUNNABLE] = RUNNABLE, [EXPORT_SLEEPING] = INTERRUPTIBLE, [EXPORT_WAITING] = UNINTERRUPTIBLE,
		[EXPORT_STOPPED] = STOPPED, [EXPORT_DEAD] = DEAD,
	};
	struct own *own = x->own;
	int r;

	if (!s->sched->is_switch)
		return is_running(own, s->sched->next.tid) ? 0 : put_state(x, s, &s->sched->next, RUNNABLE);
	if (set_running(own, s->sched->prev.tid, 0) || set_running(own, s->sched->next.tid, 1))
		return -ENOMEM;
	r = put_state(x, s, &s->sched->prev, states[s->sched->state]);
	return r ? r : put_state(x, s, &s->sched->next, RUNNING);
}

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;
	bool text = x->t.events[s->event].text;
	int r = own->begun ? 0 : put_clocks(x, s->time);

	if (!r)
		r = put_thread(x, s);
	if (!r && s->sched)
		r = put_sched(x, s);
	if (!r && text && !s->sched)
		r = put_text(x, s);
	return r || (text && !s->stack) ? r : put_sample(x, s);
}

/* --- code ---------------------------------------------------------------------------------------------------- */

static void code_module(struct export *x, const struct export_module *m)
{
	struct pb *pb = &((struct own *)x->own)->pb;

	pb_begin(pb, 1);
	pb_u64(pb, SEQUENCE, COMMON_SEQUENCE);
	pb_begin(pb, MODULE_DISASSEMBLY);
	pb_str(pb, 1, sv_from(m->path));
	/* As raw bytes; the interned build-id is hex digits. */
	if (m->id.size)
		pb_bytes(pb, 2, (struct sv){ (const char *)m->id.v, m->id.size });
}

static void code_func_end(struct own *own)
{
	if (own->in_func)
		pb_end(&own->pb);
	own->in_func = false;
}

static void code_func(struct export *x, const struct export_code_func *f)
{
	struct own *own = x->own;

	code_func_end(own);
	own->in_func = true;
	pb_begin(&own->pb, 3);
	pb_str(&own->pb, 1, sv_from(f->name));
	pb_u64(&own->pb, 2, f->start);
	pb_u64(&own->pb, 3, f->size);
}

static void code_insn(struct export *x, const struct export_insn *i)
{
	struct own *own = x->own;
	struct pb *pb = &own->pb;
	uint32_t file = i->file ? names_add(&own->files, i->file, strlen(i->file)) : NAMES_NONE;

	pb_begin(pb, 4);
	pb_u64(pb, 1, i->addr);
	pb_bytes(pb, 2, i->bytes);
	pb_str(pb, 3, i->text);
	if (i->target)
		pb_u64(pb, 4, i->target);
	if (i->target_name)
		pb_str(pb, 5, sv_from(i->target_name));
	if (file != NAMES_NONE) {
		pb_u64(pb, 6, file);
		pb_u64(pb, 7, i->line);
	}
	pb_end(pb);
}

static int code_end(struct export *x)
{
	struct own *own = x->own;

	code_func_end(own);
	for (uint32_t i = 0; i < own->files.list.n; i++)
		pb_str(&own->pb, 4, sv_from(names_str(&own->files, i)));
	names_deinit(&own->files);
	own->files = (struct names){ 0 };
	pb_end(&own->pb);
	return packet_end(x);
}

static const struct export_code code = { code_module, code_func, code_insn, code_end };

static int end(struct export *x UNUSED, struct err *e UNUSED)
{
	return 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	for (size_t i = 0; i < own->sequences.n; i++) {
		struct sequence *q = &own->sequences.v[i];

		vec_free(&q->funcs.v);
		vec_free(&q->frames.v);
		vec_free(&q->stacks.v);
		vec_free(&q->modules.v);
	}
	vec_free(&own->sequences);
	vec_free(&own->threads.v);
	map_deinit(&own->processes);
	map_deinit(&own->running);
	names_deinit(&own->files);
	pb_deinit(&own->pb);
}

const struct export_format export_perfetto = {
	.name = "perfetto", .ending = ".pftrace .perfetto-trace",
	.brief = "Perfetto's protobuf: samples, the scheduler, tracepoints",
	.needs = EXPORT_PLACES | EXPORT_TEXTS, .own = sizeof(struct own), .sample = take, .end = end,
	.close = forget, .code = &code,
};
