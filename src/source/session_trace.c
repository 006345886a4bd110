/*
 * session_trace.c - tracefs records as a session: each becomes a sample of its kind of event.
 *
 * A stack is a separate record, right behind its event in the same ring. So an event of a kind that may have a stack
 * waits for the next record of its ring, and younger records of all rings wait behind it; at most AHEAD records wait.
 */
#include "source/session_parts.h"

#include "perf/sample.h"
#include "analyse/funcgraph.h"
#include "source/dat_events.h"

enum { AHEAD = 1024 };

/* A waiting record. Its slot in the queue keeps both buffers for later records. */
struct waiting {
	struct tstream_rec rec;   /* rec.raw points into bytes */
	uint32_t kind;
	bool settled;             /* no stack can follow any more */
	VEC(uint8_t) bytes;
	VEC(uint64_t) chain;
};

struct trace_samples {
	struct dat_kinds *kinds;      /* the source's, or `own` */
	size_t met;                   /* number of kinds that were set up */
	struct dat_kinds own;
	bool live;                    /* kinds is &own: kinds of events, names and processes are added as they occur */
	struct map named;             /* live: tid -> 1: it has a name */
	struct map mapped;            /* live: pid -> 1: its maps were read */
	struct map last;              /* ring -> number of the record that waits for a stack, + 1 */
	struct waiting queue[AHEAD];
	uint64_t head, tail;          /* numbers of records: the next to deliver, the next to place */
	struct funcgraph graph;
	bool graphed;
	uint64_t self;                /* self time, ns, of the call that has just ended */
	struct source_rec taken;      /* with has_taken: the record to place next; its bytes are the source's */
	uint32_t taken_kind;
	bool has_taken, ended;
};

/* --- open ---------------------------------------------------------------------------------------------------- */

static int take_call(void *arg, const struct funcgraph_call *c)
{
	struct trace_samples *d = arg;

	d->self = c->self;
	return 0;
}

/* Set up the new kinds. The call graph is rebuilt only if there are returns: without them there are no times. */
static void meet_kinds(struct session *s)
{
	struct trace_samples *d = s->of_trace;
	struct funcgraph_want want = { .events = s->trace, .call = take_call, .arg = d };

	for (; d->met < d->kinds->v.n; d->met++) {
		enum dat_role role = d->kinds->v.v[d->met].role;

		if (role == DAT_GRAPH_EXIT)
			s->timed = (uint32_t)d->met;
		if (!d->graphed && (role == DAT_GRAPH_EXIT || (role == DAT_GRAPH_ENTRY && d->live)))
			d->graphed = !funcgraph_init(&d->graph, &want, NULL);
	}
}

void session_trace_close(struct session *s)
{
	struct trace_samples *d = s->of_trace;

	if (!d)
		return;
	for (size_t i = 0; i < AHEAD; i++) {
		vec_free(&d->queue[i].bytes);
		vec_free(&d->queue[i].chain);
	}
	if (d->graphed)
		funcgraph_deinit(&d->graph);
	map_deinit(&d->last);
	dat_kinds_deinit(&d->own);
	map_deinit(&d->named);
	map_deinit(&d->mapped);
	free(d);
}

/* --- names and maps ------------------------------------------------------------------------------------------ */

static const struct dat_kind *kind_of(const struct trace_samples *d, uint32_t kind)
{
	return &d->kinds->v.v[kind];
}

static uint32_t process_of(const struct trace_samples *d, uint32_t tid)
{
	const uint64_t *at = map_get(&d->kinds->tgids, tid);

	return at ? (uint32_t)*at : tid;
}

static int name_task(struct session *s, uint32_t tid, struct sv comm)
{
	struct trace_samples *d = s->of_trace;
	char text[16];

	if (!tid || !comm.n)
		return 0;
	if (d->live && !map_add(&d->named, tid, NULL))
		return -ENOMEM;
	str_copy(text, sizeof(text), comm);
	return resolver_comm(s->resolver, process_of(d, tid), tid, text, false);
}

/* Live: the name from saved_cmdlines, unless an event has had one. */
static int recall_name(struct session *s, uint32_t tid)
{
	const char *comm = map_get(&s->of_trace->named, tid) ? NULL : tevents_comm(s->trace, tid);

	return comm ? name_task(s, tid, sv_from(comm)) : 0;
}

/* Names change with the events; before a task's first event with a name it has the one from the recording's end. */
static int follow_names(struct session *s, const struct dat_kind *k, const struct tstream_rec *rec)
{
	uint64_t pid, *mapped;
	int r = 0;

	for (unsigned i = 0; i < 2 && !r; i++) {
		struct sv comm;

		if (!k->names[i].pid || !k->names[i].comm || !tfmt_u64(k->names[i].pid, rec->raw, rec->n, &pid))
			continue;
		comm = tfmt_str(k->names[i].comm, rec->raw, rec->n);
		for (const char *slash; k->path && (slash = memchr(comm.s, '/', comm.n)); )
			comm = (struct sv){ slash + 1, comm.n - (size_t)(slash + 1 - comm.s) };
		/* It has called exec: its maps must be read again. */
		mapped = k->path ? map_get(&s->of_trace->mapped, (uint32_t)pid) : NULL;
		if (mapped)
			*mapped = 0;
		r = name_task(s, (uint32_t)pid, comm);
	}
	return r;
}

/* "ffff8000 ffff9000 /usr/lib/libc.so.6": the first mapping of a file is assumed to start at its offset 0. */
static int take_map(struct session *s, uint32_t pid, struct sv line, char file[PATH_MAX], uint64_t *base)
{
	struct sv from, to;
	uint64_t start, end;

	if (!sv_cut(&line, ' ', &from) || !sv_cut(&line, ' ', &to) || !str_u64(from, 16, &start) ||
	    !str_u64(to, 16, &end) || !line.n || line.n >= PATH_MAX || end <= start)
		return 0;
	if (!sv_eq(line, file) || start < *base) {
		str_copy(file, PATH_MAX, line);
		*base = start;
	}
	return resolver_mmap(s->resolver, &(struct sym_map){ .pid = pid, .start = start, .len = end - start,
							      .pgoff = start - *base, .name = file });
}

/* "PID LINES COMMAND" (both in hex), and that many lines of maps. */
static int take_maps(void *arg, struct sv text)
{
	struct session *s = arg;
	char file[PATH_MAX] = "";
	uint64_t pid = 0, lines = 0, base = 0;
	struct sv line;
	int r = 0;

	text.n = strnlen(text.s, text.n);
	while (!r && sv_cut(&text, '\n', &line)) {
		struct sv rest = line, word;

		if (lines) {
			lines--;
			r = take_map(s, (uint32_t)pid, line, file, &base);
		} else if (sv_cut(&rest, ' ', &word) && str_u64(word, 16, &pid) && sv_cut(&rest, ' ', &word) &&
			   str_u64(word, 16, &lines)) {
			*file = '\0';
		} else {
			lines = 0;
		}
	}
	return r;
}

int session_trace_open(struct session *s)
{
	const struct map *comms = &s->trace->comms;
	struct trace_samples *d = s->of_trace = calloc(1, sizeof(*d));
	int r = 0;

	if (!d)
		return -ENOMEM;
	d->live = !s->source->kinds;
	d->kinds = d->live ? &d->own : s->source->kinds;
	/* An earlier session over the same source may have added events, in another order. */
	if (d->live)
		s->head->events.n = 0;
	meet_kinds(s);
	for (size_t i = 0; i < comms->cap && !r; i++) {
		const char *name = comms->used[i] ? tevents_comm(s->trace, (uint32_t)comms->slot[i].key) : NULL;

		r = name ? name_task(s, (uint32_t)comms->slot[i].key, sv_from(name)) : 0;
	}
	return r || !s->source->kind->maps ? r : s->source->kind->maps(s->source, 0, take_maps, s);
}

/* Live: a user stack record has the thread's tgid; the maps of that process are read once. */
static int follow_process(struct session *s, const struct dat_kind *k, const struct tstream_rec *rec)
{
	struct trace_samples *d = s->of_trace;
	uint64_t *mapped;
	uint32_t tgid;
	int r = dat_take_tgid(d->kinds, k, rec->raw, rec->n, &tgid);

	if (r != 1)
		return r;
	mapped = map_add(&d->mapped, tgid, NULL);
	if (!mapped || *mapped || !s->source->kind->maps)
		return mapped ? 0 : -ENOMEM;
	*mapped = 1;
	return s->source->kind->maps(s->source, tgid, take_maps, s);
}

/* --- samples ------------------------------------------------------------------------------------------------- */

static bool chain_put(struct waiting *w, uint64_t v)
{
	uint64_t *to = w->chain.n < CHAIN_MAX ? vec_add(&w->chain) : NULL;

	if (to)
		*to = v;
	return to || w->chain.n == CHAIN_MAX;
}

/* Add the callers of a stack record, up to its end, a zero, or an entry of all ones. */
static int chain_stack(struct waiting *w, const struct dat_kind *k, const struct tstream_rec *rec)
{
	uint32_t size = k->ip->long_size;
	bool good = chain_put(w, k->role == DAT_USER_STACK ? PERF_CONTEXT_USER : PERF_CONTEXT_KERNEL);

	for (size_t off = k->ip->offset; good && off <= rec->n && rec->n - off >= size; off += size) {
		uint64_t ip = traw_load(rec->raw + off, size, k->ip->swap);

		if (!ip || traw_sext(ip, size) == -1)
			break;
		good = chain_put(w, ip);
	}
	return good ? 0 : -ENOMEM;
}

/*
 * Add the functions that the task is in. Only their start addresses are known: + 1 makes them return addresses, which
 * are looked up one byte before.
 */
static int chain_graph(struct trace_samples *d, struct waiting *w, const struct dat_kind *k, uint64_t func,
		       uint32_t pid)
{
	uint64_t open[FUNCGRAPH_DEPTH];
	int r = funcgraph_add(&d->graph, &w->rec);
	size_t n = funcgraph_open(&d->graph, pid, w->rec.cpu, open, ARRAY_SIZE(open));
	bool good = chain_put(w, PERF_CONTEXT_KERNEL) && chain_put(w, func);

	for (size_t i = k->role == DAT_GRAPH_ENTRY; i < n && good; i++)
		good = chain_put(w, open[i] + 1);
	return r || !good ? -ENOMEM : 0;
}

static uint64_t field(const struct tfield *f, const struct tstream_rec *rec)
{
	return tfmt_value(f, rec->raw, rec->n);
}

static uint32_t pid_of(const struct dat_kind *k, const struct tstream_rec *rec)
{
	return (uint32_t)field(k->event->common[COMMON_PID], rec);
}

/* Add the callers that the record itself has; those of a stack record behind it were added before. */
static int chain_of(struct trace_samples *d, struct waiting *w, const struct dat_kind *k, uint64_t ip, uint32_t tid)
{
	if (d->graphed && (k->role == DAT_GRAPH_ENTRY || k->role == DAT_GRAPH_EXIT)) {
		d->self = 0;
		w->chain.n = 0;
		return chain_graph(d, w, k, ip, tid);
	}
	if (d->graphed && (w->rec.lost || w->rec.in_gap) && funcgraph_add(&d->graph, &w->rec))
		return -ENOMEM;
	if (k->role == DAT_KERNEL_STACK || k->role == DAT_USER_STACK)
		return chain_stack(w, k, &w->rec);
	if (k->role != DAT_FUNCTION || w->chain.n)
		return 0;
	if (!chain_put(w, PERF_CONTEXT_KERNEL) || !chain_put(w, ip) || !chain_put(w, field(k->parent, &w->rec)))
		return -ENOMEM;
	return 0;
}

static void count_sample(struct session *s, struct session_item *item)
{
	s->stats.samples++;
	item->event->n_samples++;
}

/* Fill the item from a waiting record: 1, or -ENOMEM. */
static int make_sample(struct session *s, struct waiting *w, struct session_item *item)
{
	struct trace_samples *d = s->of_trace;
	const struct dat_kind *k = kind_of(d, w->kind);
	uint32_t tid = pid_of(k, &w->rec);
	bool stack = k->role == DAT_KERNEL_STACK || k->role == DAT_USER_STACK;
	uint64_t ip = stack ? 0 : field(k->ip, &w->rec);
	int r = k->role == DAT_NAMES ? follow_names(s, k, &w->rec) : 0;

	r = !r && d->live ? recall_name(s, tid) : r;
	r = r ? r : chain_of(d, w, k, ip, tid);
	if (r)
		return r;
	if (!ip && w->chain.n > 1)
		ip = w->chain.v[1];
	item->event = &s->head->events.v[w->kind];
	item->sample = (struct sample){
		.ip = ip, .time = w->rec.ts, .pid = process_of(d, tid), .tid = tid, .cpu = w->rec.cpu,
		.period = d->graphed && k->role == DAT_GRAPH_EXIT ? d->self : 1,
		.cpumode = ip >> 63 || !ip || s->trace->machine.long_size == 4 ? PERF_MISC_KERNEL : PERF_MISC_USER,
		.n_chain = w->chain.n, .chain = { (const uint8_t *)w->chain.v, w->chain.n * sizeof(*w->chain.v) },
		.raw = { w->rec.raw, w->rec.n },
	};
	count_sample(s, item);
	return 1;
}

/* --- order --------------------------------------------------------------------------------------------------- */

static struct waiting *place(struct trace_samples *d, uint64_t number)
{
	return &d->queue[number % AHEAD];
}

/* The record of this ring that waits for a stack, or NULL. */
static struct waiting *waiting_in(struct trace_samples *d, uint32_t ring)
{
	const uint64_t *at = map_get(&d->last, ring);

	return at && *at > d->head ? place(d, *at - 1) : NULL;
}

/* Queue the record that was taken: 0. 1: it need not wait, and is in *item. -ENOMEM. */
static int place_record(struct session *s, struct session_item *item)
{
	struct trace_samples *d = s->of_trace;
	const struct tstream_rec *rec = &d->taken.trace;
	uint64_t *last = map_add(&d->last, rec->ring, NULL);
	struct waiting *w = place(d, d->tail);

	w->bytes.n = w->chain.n = 0;
	if (!last || vec_reserve(&w->bytes, rec->n))
		return -ENOMEM;
	w->rec = *rec;
	w->kind = d->taken_kind;
	w->settled = !kind_of(d, w->kind)->stacked;
	d->has_taken = false;
	/* No record waits, and this one waits for nothing: no copy is needed. */
	if (w->settled && d->head == d->tail)
		return make_sample(s, w, item);
	memcpy(w->bytes.v, rec->raw, rec->n);
	w->rec.raw = w->bytes.v;
	d->tail++;
	if (!w->settled)
		*last = d->tail;
	return 0;
}

/* Live: set the event of the record's kind, which may be new; it stays NULL if the format is unknown. */
static int meet_event(struct session *s)
{
	struct trace_samples *d = s->of_trace;
	int64_t kind = dat_kind_of(d->kinds, s->trace, d->taken.trace.raw, d->taken.trace.n);
	struct dat_kind *k;

	if (kind < 0)
		return kind == -ENOMEM ? -ENOMEM : 0;
	if ((size_t)kind >= s->head->events.n) {
		k = &d->kinds->v.v[kind];
		k->stacked = s->source->stacked && k->role != DAT_KERNEL_STACK && k->role != DAT_USER_STACK;
		if (dat_events_make(d->kinds, s->head))
			return -ENOMEM;
		meet_kinds(s);
	}
	d->taken.event = &s->head->events.v[kind];
	return 0;
}

/* Add a stack record to the event that waits for it; all other records are to be queued. */
static int sort_in(struct session *s)
{
	struct trace_samples *d = s->of_trace;
	const struct tstream_rec *rec = &d->taken.trace;
	struct waiting *w = waiting_in(d, rec->ring);
	const struct dat_kind *k;
	uint32_t kind;

	if (d->live && meet_event(s))
		return -ENOMEM;
	if (!d->taken.event) {
		s->stats.unknown_event++;
		return 0;
	}
	kind = (uint32_t)session_event_index(s, d->taken.event);
	k = kind_of(d, kind);
	if (d->live && k->tgid && follow_process(s, k, rec))
		return -ENOMEM;
	if (w && (k->role == DAT_KERNEL_STACK || k->role == DAT_USER_STACK) && !rec->lost &&
	    pid_of(k, rec) == pid_of(kind_of(d, w->kind), &w->rec))
		return chain_stack(w, k, rec);
	if (w)
		w->settled = true;
	d->taken_kind = kind;
	d->has_taken = true;
	return 0;
}

static int read_record(struct session *s, struct err *e)
{
	struct trace_samples *d = s->of_trace;
	int got = source_next(s->source, &d->taken, e);

	d->ended = !got;
	return got == 1 ? sort_in(s) : got;
}

/* Is the first record of the queue settled, or must it not wait any longer? */
static bool front_is_due(struct trace_samples *d)
{
	bool full = d->has_taken && d->tail - d->head == AHEAD;

	return d->head < d->tail && (place(d, d->head)->settled || full || d->ended);
}

int session_trace_next(struct session *s, struct session_item *item, struct err *e)
{
	struct trace_samples *d = s->of_trace;
	int r = 0;

	while (!r) {
		if (front_is_due(d))
			return make_sample(s, place(d, d->head++), item);
		if (d->has_taken)
			r = place_record(s, item);
		else if (d->ended)
			break;
		else
			r = read_record(s, e);
	}
	return r;
}
