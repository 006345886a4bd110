/*
 * session_dat.c - a trace.dat as a session: it is read twice. The first time tells which kinds of events there are,
 * which of them are followed by stacks, and the processes of threads; the second time makes samples.
 *
 * A stack is a record of its own, right behind its event in the same ring. So an event of a kind that has stacks waits
 * for the next record of its ring, and those of other rings behind it; at most AHEAD records wait.
 */
#include "source/dat_events.h"

#include "analyse/chain.h"
#include "analyse/funcgraph.h"

enum { AHEAD = 1024, NOTES_MAX = 32, OTHER_KIND = 1 };

/* A record that waits. Both buffers stay with the place in the queue. */
struct waiting {
	struct tstream_rec rec;   /* raw: in bytes */
	uint32_t kind;
	bool settled;
	VEC(uint8_t) bytes;
	VEC(uint64_t) chain;
};

struct dat {
	struct tdat file;
	struct dat_kinds kinds;
	struct map tgids;             /* tid -> process, from user stacks */
	struct map last;              /* ring -> number of the record that waits for a stack, + 1 */
	struct waiting queue[AHEAD];
	uint64_t head, tail;          /* numbers of records: the next to give, the next to come */
	struct funcgraph graph;
	bool graphed;
	uint64_t self;                /* of the call that has just ended */
	struct tdat_reader *reader;   /* of the second time; NULL: it has not begun */
	struct tstream_rec taken;     /* was read and is to be placed, when has_taken; borrowed from the reader */
	uint32_t taken_kind;
	bool has_taken, ended;
};

/* --- open ---------------------------------------------------------------------------------------------------- */

/* "Linux host 6.12.1 #1 SMP ... aarch64" */
static void take_uname(struct dat *d, struct perf_file *f)
{
	const struct tdat_option *o = tdat_option(&d->file, TDAT_UNAME);
	struct sv rest = o ? sv_trim((struct sv){ o->data.s, strnlen(o->data.s, o->data.n) }) : SV(""), word;
	const char *text;

	for (unsigned i = 0; sv_cut(&rest, ' ', &word); i++) {
		text = arena_dup(&f->arena, word.s, word.n);
		if (!text)
			return;
		if (i == 1)
			f->hostname = text;
		else if (i == 2)
			f->release = text;
		else if (arch_by_name(text))
			f->arch = text;
	}
}

static int take_header(struct session *s)
{
	struct dat *d = s->dat;
	struct perf_file *f = &s->file;
	const struct tdat_option *o = tdat_option(&d->file, TDAT_VERSION);

	f->bytes = s->bytes;
	f->swap = d->file.blob.machine.swap;
	f->data_end = s->bytes.n;
	f->hostname = f->release = f->arch = f->cpudesc = f->cpuid = "";
	f->version = o ? arena_dup(&f->arena, o->data.s, strnlen(o->data.s, o->data.n)) : "";
	f->cpus_online = f->cpus_available = d->file.ncpus;
	take_uname(d, f);
	f->incomplete = d->file.incomplete;
	for (size_t i = 0; i < d->file.notes.n && f->notes.n < NOTES_MAX; i++) {
		struct err *note = vec_add(&f->notes);

		if (!note)
			return -ENOMEM;
		*note = d->file.notes.v[i];
	}
	return f->version ? 0 : -ENOMEM;
}

/* Times of the first and the last event, as perf's header tells them. */
static int put_times(struct session *s, uint64_t first, uint64_t last)
{
	uint64_t v[2] = { first, last };
	void *p = arena_alloc(&s->file.arena, sizeof(v));

	if (!p)
		return -ENOMEM;
	for (unsigned i = 0; s->file.swap && i < 2; i++)
		v[i] = __builtin_bswap64(v[i]);
	memcpy(p, v, sizeof(v));
	s->file.feature[PERF_FEAT_SAMPLE_TIME] = (struct bytes){ p, sizeof(v) };
	return 0;
}

/* What the first reading learns from one record. last: by ring, the kind of the event before, + OTHER_KIND. */
static int scan_one(struct session *s, const struct tstream_rec *rec, struct map *last)
{
	struct dat *d = s->dat;
	int64_t kind = dat_kind_of(&d->kinds, &s->trace, rec->raw, rec->n);
	uint64_t *before = map_add(last, rec->ring, NULL), tgid, tid, *at;
	const struct dat_kind *k;

	if (kind == -ENOENT)
		return 0;
	if (kind < 0 || !before)
		return -ENOMEM;
	k = &d->kinds.v.v[kind];
	if (k->role != DAT_KERNEL_STACK && k->role != DAT_USER_STACK) {
		*before = (uint64_t)kind + OTHER_KIND;
		return 0;
	}
	if (*before)
		d->kinds.v.v[*before - OTHER_KIND].stacked = true;
	if (!k->tgid || !k->event->common[COMMON_PID] || !tfmt_u64(k->tgid, rec->raw, rec->n, &tgid) ||
	    !tfmt_u64(k->event->common[COMMON_PID], rec->raw, rec->n, &tid) || !tgid)
		return 0;
	at = map_add(&d->tgids, (uint32_t)tid, NULL);
	if (!at)
		return -ENOMEM;
	*at = (uint32_t)tgid;
	return 0;
}

static int scan(struct session *s, struct err *e)
{
	struct tdat_reader *reader = tdat_reader_new(&s->dat->file, -1, e);
	struct tstream_rec rec;
	struct map last = { 0 };
	struct err end;
	uint64_t first_ts = UINT64_MAX, last_ts = 0;
	int r = 0;

	if (!reader)
		return -ENOMEM;
	while (!r && tdat_reader_next(reader, &rec, &end) == 1) {
		first_ts = MIN(first_ts, rec.ts);
		last_ts = MAX(last_ts, rec.ts);
		r = scan_one(s, &rec, &last);
	}
	tdat_reader_free(reader);
	map_deinit(&last);
	return r || first_ts > last_ts ? r : put_times(s, first_ts, last_ts);
}

static int take_call(void *arg, const struct funcgraph_call *c)
{
	struct dat *d = arg;

	d->self = c->self;
	return 0;
}

static int begin_graph(struct session *s)
{
	struct dat *d = s->dat;
	struct funcgraph_want want = { .events = &s->trace, .call = take_call, .arg = d };

	for (uint32_t i = 0; i < d->kinds.v.n; i++)
		if (d->kinds.v.v[i].role == DAT_GRAPH_EXIT)
			s->timed = i;
	d->graphed = s->timed != SESSION_NOT_TIMED && !funcgraph_init(&d->graph, &want, NULL);
	return 0;
}

static int open_dat(struct session *s, struct err *e)
{
	struct dat *d = s->dat = calloc(1, sizeof(*d));
	int r = d ? tdat_init(&d->file, s->bytes.p, s->bytes.n, e) : err_nomem(e);

	if (r) {
		free(d);
		s->dat = NULL;
		return r;
	}
	tevents_init(&s->trace, d->file.blob.machine);
	if (tevents_add_blob(&s->trace, &d->file.blob, NULL) == -ENOMEM || take_header(s))
		return err_nomem(e);
	r = scan(s, e);
	if (!r)
		r = dat_events_make(&d->kinds, &s->file);
	if (!r)
		r = begin_graph(s);
	return r == -ENOMEM ? err_nomem(e) : r;
}

static void close_dat(struct session *s)
{
	struct dat *d = s->dat;

	if (!d)
		return;
	for (size_t i = 0; i < AHEAD; i++) {
		vec_free(&d->queue[i].bytes);
		vec_free(&d->queue[i].chain);
	}
	if (d->graphed)
		funcgraph_deinit(&d->graph);
	tdat_reader_free(d->reader);
	vec_free(&d->kinds.v);
	map_deinit(&d->kinds.by_id);
	map_deinit(&d->tgids);
	map_deinit(&d->last);
	tdat_deinit(&d->file);
	free(d);
}

static int kallsyms_dat(const struct session *s, char **text, size_t *n)
{
	struct sv all = s->dat->file.blob.kallsyms;

	*text = all.n ? malloc(all.n + 1) : NULL;
	if (!*text)
		return all.n ? -ENOMEM : -ENOENT;
	memcpy(*text, all.s, all.n);
	(*text)[all.n] = '\0';
	*n = all.n;
	return 0;
}

/* --- names and maps ------------------------------------------------------------------------------------------ */

static uint32_t process_of(const struct dat *d, uint32_t tid)
{
	const uint64_t *at = map_get(&d->tgids, tid);

	return at ? (uint32_t)*at : tid;
}

static int name_task(struct session *s, uint32_t tid, struct sv comm)
{
	char text[16];

	if (!tid || !comm.n)
		return 0;
	str_copy(text, sizeof(text), comm);
	return resolver_comm(s->resolver, process_of(s->dat, tid), tid, text, false);
}

/* Names in the order of events; before the first that tells one, that of the end of the recording. */
static int follow_names(struct session *s, const struct dat_kind *k, const struct tstream_rec *rec)
{
	uint64_t pid;
	int r = 0;

	for (unsigned i = 0; i < 2 && !r; i++) {
		struct sv comm;

		if (!k->names[i].pid || !k->names[i].comm || !tfmt_u64(k->names[i].pid, rec->raw, rec->n, &pid))
			continue;
		comm = tfmt_str(k->names[i].comm, rec->raw, rec->n);
		for (const char *slash; k->path && (slash = memchr(comm.s, '/', comm.n)); )
			comm = (struct sv){ slash + 1, comm.n - (size_t)(slash + 1 - comm.s) };
		r = name_task(s, (uint32_t)pid, comm);
	}
	return r;
}

/* "ffff8000 ffff9000 /usr/lib/libc.so.6": the first piece of a file is taken for its start. */
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

/* The option that `record --proc-map` leaves: "PID LINES COMMAND" (PID in hex), and that many lines of maps. */
static int take_maps(struct session *s, struct sv text)
{
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

static int ready_dat(struct session *s, struct err *e)
{
	const struct map *comms = &s->trace.comms;
	struct dat *d = s->dat;
	int r = 0;

	for (size_t i = 0; i < comms->cap && !r; i++) {
		const char *name = comms->used[i] ? tevents_comm(&s->trace, (uint32_t)comms->slot[i].key) : NULL;

		r = name ? name_task(s, (uint32_t)comms->slot[i].key, sv_from(name)) : 0;
	}
	for (size_t i = 0; i < d->file.options.n && !r; i++)
		if (d->file.options.v[i].id == TDAT_PROCMAPS)
			r = take_maps(s, d->file.options.v[i].data);
	return r ? err_nomem(e) : 0;
}

/* --- samples ------------------------------------------------------------------------------------------------- */

static bool chain_put(struct waiting *w, uint64_t v)
{
	uint64_t *to = w->chain.n < CHAIN_MAX ? vec_add(&w->chain) : NULL;

	if (to)
		*to = v;
	return to || w->chain.n == CHAIN_MAX;
}

/* A stack record's callers: up to its end, to a zero, or to an entry of all ones. */
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

/* The functions that the task is in. Callers are where functions start; the call stands somewhere behind that. */
static int chain_graph(struct dat *d, struct waiting *w, const struct dat_kind *k, uint64_t func, uint32_t pid)
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

/* The callers that a record tells by itself; those of a stack behind it are there already. */
static int chain_of(struct dat *d, struct waiting *w, const struct dat_kind *k, uint64_t ip, uint32_t tid)
{
	if (d->graphed && (k->role == DAT_GRAPH_ENTRY || k->role == DAT_GRAPH_EXIT)) {
		d->self = 0;
		w->chain.n = 0;
		return chain_graph(d, w, k, ip, tid);
	}
	if (d->graphed && w->rec.lost && funcgraph_add(&d->graph, &w->rec))
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
	uint64_t time = item->sample.time;

	s->stats.samples++;
	item->event->n_samples++;
	s->stats.first_time = s->stats.first_time ? MIN(s->stats.first_time, time) : time;
	s->stats.last_time = MAX(s->stats.last_time, time);
}

/* 1, or -ENOMEM. */
static int make_sample(struct session *s, struct waiting *w, struct session_item *item)
{
	struct dat *d = s->dat;
	const struct dat_kind *k = &d->kinds.v.v[w->kind];
	uint32_t tid = pid_of(k, &w->rec);
	bool stack = k->role == DAT_KERNEL_STACK || k->role == DAT_USER_STACK;
	uint64_t ip = stack ? 0 : field(k->ip, &w->rec);
	int r = k->role == DAT_NAMES ? follow_names(s, k, &w->rec) : 0;

	r = r ? r : chain_of(d, w, k, ip, tid);
	if (r)
		return r;
	if (!ip && w->chain.n > 1)
		ip = w->chain.v[1];
	item->event = &s->file.events.v[w->kind];
	item->sample = (struct sample){
		.ip = ip, .time = w->rec.ts, .pid = process_of(d, tid), .tid = tid, .cpu = w->rec.cpu,
		.period = d->graphed && k->role == DAT_GRAPH_EXIT ? d->self : 1,
		.cpumode = ip >> 63 || !ip || s->trace.machine.long_size == 4 ? PERF_MISC_KERNEL : PERF_MISC_USER,
		.n_chain = w->chain.n, .chain = { (const uint8_t *)w->chain.v, w->chain.n * sizeof(*w->chain.v) },
		.raw = { w->rec.raw, w->rec.n },
	};
	count_sample(s, item);
	return 1;
}

/* --- order --------------------------------------------------------------------------------------------------- */

static struct waiting *place(struct dat *d, uint64_t number)
{
	return &d->queue[number % AHEAD];
}

/* The record that waits in this ring, or NULL. */
static struct waiting *waiting_in(struct dat *d, uint32_t ring)
{
	const uint64_t *at = map_get(&d->last, ring);

	return at && *at > d->head ? place(d, *at - 1) : NULL;
}

/* Behind those that wait. 1: it was alone, and waits for nothing; item is it. */
static int place_record(struct session *s, struct session_item *item)
{
	struct dat *d = s->dat;
	const struct tstream_rec *rec = &d->taken;
	uint64_t *last = map_add(&d->last, rec->ring, NULL);
	struct waiting *w = place(d, d->tail);

	w->bytes.n = w->chain.n = 0;
	if (!last || vec_reserve(&w->bytes, rec->n))
		return -ENOMEM;
	w->rec = *rec;
	w->kind = d->taken_kind;
	w->settled = !d->kinds.v.v[w->kind].stacked;
	d->has_taken = false;
	/* It need not be kept. */
	if (w->settled && d->head == d->tail)
		return make_sample(s, w, item);
	memcpy(w->bytes.v, rec->raw, rec->n);
	w->rec.raw = w->bytes.v;
	d->tail++;
	if (!w->settled)
		*last = d->tail;
	return 0;
}

/* A stack goes to its event; everything else is to be placed. */
static int sort_in(struct session *s)
{
	struct dat *d = s->dat;
	const struct tstream_rec *rec = &d->taken;
	int64_t kind = dat_kind_of(&d->kinds, &s->trace, rec->raw, rec->n);
	struct waiting *w = waiting_in(d, rec->ring);
	const struct dat_kind *k;

	s->stats.records++;
	if (kind < 0 || kind >= (int64_t)s->file.events.n) {
		s->stats.unknown_event++;
		return kind == -ENOMEM ? -ENOMEM : 0;
	}
	k = &d->kinds.v.v[kind];
	if (w && (k->role == DAT_KERNEL_STACK || k->role == DAT_USER_STACK) && !rec->lost &&
	    pid_of(k, rec) == pid_of(&d->kinds.v.v[w->kind], &w->rec))
		return chain_stack(w, k, rec);
	if (w)
		w->settled = true;
	d->taken_kind = (uint32_t)kind;
	d->has_taken = true;
	return 0;
}

static int read_record(struct session *s, struct err *e)
{
	struct dat *d = s->dat;
	const struct tstream_stats *stats;
	int got;

	if (!d->reader)
		d->reader = tdat_reader_new(&d->file, -1, e);
	if (!d->reader)
		return -ENOMEM;
	got = tdat_reader_next(d->reader, &d->taken, &s->end);
	stats = tdat_reader_stats(d->reader);
	s->stats.lost = stats->lost;
	s->stats.gaps = stats->lost ? 0 : stats->gaps;
	s->stats.undecodable = stats->bad_pages;
	d->ended = got != 1;
	if (!got)
		s->end.code = 0;
	return got == 1 ? sort_in(s) : 0;
}

/* What stands in front waits for nothing, or must not wait any longer. */
static bool front_is_due(struct dat *d)
{
	bool full = d->has_taken && d->tail - d->head == AHEAD;

	return d->head < d->tail && (place(d, d->head)->settled || full || d->ended);
}

static int next_dat(struct session *s, struct session_item *item, struct err *e)
{
	struct dat *d = s->dat;
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

static void footer_dat(const struct session *s, void (*say)(void *arg, const char *line), void *arg)
{
	char line[200];

	for (size_t i = 0; i < s->dat->file.buffers.n; i++) {
		const struct tdat_buffer *b = &s->dat->file.buffers.v[i];

		if (!b->latency)
			continue;
		snprintf(line, sizeof(line), "%.80s holds the text of a latency tracer: 'sonde ftrace report' shows it",
			 *b->name ? b->name : "the recording");
		say(arg, line);
	}
}

const struct session_kind session_dat = {
	.open = open_dat, .ready = ready_dat, .close = close_dat, .next = next_dat, .kallsyms = kallsyms_dat,
	.symbols = SESSION_SYMBOLS_FILE, .footer = footer_dat,
};
