/* rtext.c - the columns before an event's text, in the widths of `trace-cmd report`. */
#include "tracefs/text/rtext_impl.h"

#include "base/digits.h"

enum { NAME_WIDTH = 20, ROOM = 4096 + 256 };

/* The name of a thread whose name is not known. */
static const char nobody[] = "<...>";

enum { FLAG_IRQS_OFF = 1, FLAG_IRQS_UNKNOWN = 2, FLAG_RESCHED = 4, FLAG_HARDIRQ = 8, FLAG_SOFTIRQ = 16 };

static bool cached_symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	s->name = rtext_name(arg, addr, &s->offset, NULL);
	return s->name != NULL;
}

static const char *string(void *arg, uint64_t addr)
{
	const struct tprint_names *n = ((const struct rtext_rec *)arg)->t->names;

	return n->string ? n->string(n->arg, addr) : NULL;
}

struct tprint_names rtext_names(const struct rtext_rec *r)
{
	return (struct tprint_names){ .arg = (void *)(uintptr_t)r, .symbol = cached_symbol, .string = string };
}

struct rtext *rtext_new(struct tevents *events, const struct tprint_names *names, unsigned flags)
{
	struct rtext *t = calloc(1, sizeof(*t));

	if (t) {
		t->events = events;
		t->names = names;
		t->flags = flags;
	}
	return t;
}

void rtext_free(struct rtext *t)
{
	if (!t)
		return;
	vec_free(&t->by_id);
	vec_free(&t->calls);
	arena_deinit(&t->arena);
	free(t);
}

static bool at(const struct tfield *f, uint32_t offset, uint32_t size)
{
	return f && f->offset == offset && f->size == size && !f->swap;
}

/* " name: ", padded with spaces for names of up to 20 letters. */
static bool make_label(struct rtext *t, struct rtext_event *x)
{
	size_t n = strlen(x->ev->fmt.name), width = MAX(n, (size_t)NAME_WIDTH) + 3;
	char *s = arena_alloc(&t->arena, width);

	if (!s)
		return false;
	memset(s, ' ', width);
	memcpy(s + 1, x->ev->fmt.name, n);
	s[n + 1] = ':';
	x->label = (struct sv){ s, width };
	return true;
}

static struct rtext_event *make_event(struct rtext *t, struct tevent *ev)
{
	struct rtext_event *x = arena_alloc(&t->arena, sizeof(*x));

	if (!x)
		return NULL;
	x->ev = ev;
	x->usual = at(ev->common[COMMON_FLAGS], 2, 1) && at(ev->common[COMMON_PREEMPT_COUNT], 3, 1) &&
		   at(ev->common[COMMON_PID], 4, 4);
	x->levels = ev->common[COMMON_MIGRATE_DISABLE] || ev->common[COMMON_LOCK_DEPTH];
	x->plugin = rtext_plugin(ev->kind);
	x->print = tevents_print(t->events, ev);
	x->asks_names = (x->plugin && x->plugin->asks_names) || (x->print && tprint_asks_names(x->print));
	while (t->by_id.n <= ev->fmt.id)
		if (!vec_add(&t->by_id))
			return NULL;
	return make_label(t, x) ? t->by_id.v[ev->fmt.id] = x : NULL;
}

const struct rtext_event *rtext_event(struct rtext *t, const struct tstream_rec *rec)
{
	struct tevent *ev;
	uint64_t id;

	if (rec->n < 8)
		return NULL;
	id = traw_load(rec->raw, 2, t->events->machine.swap);
	if (id < t->by_id.n && t->by_id.v[id])
		return t->by_id.v[id];
	ev = tevents_of(t->events, rec->raw, rec->n);
	return ev && ev->fmt.id <= UINT16_MAX ? make_event(t, ev) : NULL;
}

int rtext_mark(struct rtext *t, const struct rex *r, enum rtext_event_flag what)
{
	for (size_t i = 0; i < t->events->list.n; i++) {
		struct tevent *ev = t->events->list.v[i];
		struct rtext_event *x;

		if (!rex_match(r, sv_from(ev->fmt.name)) && !rex_match(r, sv_from(ev->fmt.system)))
			continue;
		x = ev->fmt.id < t->by_id.n ? t->by_id.v[ev->fmt.id] : NULL;
		if (!x && ev->fmt.id <= UINT16_MAX)
			x = make_event(t, ev);
		if (!x)
			return -ENOMEM;
		x->flags |= what;
	}
	return 0;
}

uint64_t rtext_common(const struct rtext_rec *r, enum tkind_common which)
{
	const struct rtext_event *x = r->ev;
	int32_t pid;

	if (x->usual && which == COMMON_FLAGS)
		return r->rec->raw[2];
	if (x->usual && which == COMMON_PREEMPT_COUNT)
		return r->rec->raw[3];
	if (x->usual && which == COMMON_PID) {
		memcpy(&pid, r->rec->raw + 4, 4);
		return (uint64_t)(int64_t)pid;
	}
	return tfmt_value(x->ev->common[which], r->rec->raw, r->rec->n);
}

const char *rtext_comm(struct rtext *t, uint32_t pid)
{
	unsigned i = pid % RTEXT_COMMS;
	const char *comm;

	if (t->comms[i].comm && t->comms[i].pid == pid)
		return t->comms[i].comm;
	comm = pid ? tevents_comm(t->events, pid) : "<idle>";
	if (!comm)
		return nobody;
	t->comms[i].pid = pid;
	t->comms[i].comm = comm;
	return comm;
}

void rtext_learn(struct rtext *t, uint32_t pid, struct sv comm)
{
	uint64_t *v;

	if (!pid || rtext_comm(t, pid) != nobody)
		return;
	v = map_add(&t->events->comms, pid, NULL);
	if (v)
		*v = (uint64_t)(uintptr_t)arena_dup(&t->events->arena, comm.s, comm.n);
}

const char *rtext_name(const struct rtext_rec *r, uint64_t addr, uint64_t *offset, size_t *n)
{
	const struct tprint_names *names = r->t->names;
	size_t at = hash_u64(addr) % RTEXT_CACHE;
	struct rtext_pen *p = r->pen;

	if (!names || !names->symbol)
		return NULL;
	if (!p->cache[at].used || p->cache[at].addr != addr) {
		struct tprint_symbol s = { 0 };
		bool found = names->symbol(names->arg, addr, &s);

		p->cache[at].used = true;
		p->cache[at].addr = addr;
		p->cache[at].offset = s.offset;
		p->cache[at].name = found ? s.name : NULL;
		p->cache[at].n = found ? (uint32_t)strlen(s.name) : 0;
	}
	if (offset)
		*offset = p->cache[at].offset;
	if (n)
		*n = p->cache[at].n;
	return p->cache[at].name;
}

const char *rtext_symbol(struct rtext *t, uint64_t addr, uint64_t *offset)
{
	struct rtext_rec r = { .t = t, .pen = &t->pen };

	return rtext_name(&r, addr, offset, NULL);
}

/* Write "  161.306132" to p, which has room for 40; returns its end. The text of the second is cached. */
static char *time_text(const struct rtext *t, struct rtext_pen *pen, uint64_t ts, char *p)
{
	bool nanos = t->flags & RTEXT_NS;
	uint32_t unit = nanos ? 1000000000 : 1000000, part;

	if (!nanos)
		ts = (ts + 500) / 1000;
	if (ts - pen->second * unit >= unit || !pen->n_second) {
		pen->second = ts / unit;
		pen->n_second = (uint8_t)snprintf(pen->second_text, sizeof(pen->second_text), "%5llu.",
						  (unsigned long long)pen->second);
	}
	memcpy(p, pen->second_text, sizeof(pen->second_text));
	p += pen->n_second;
	part = (uint32_t)(ts - pen->second * unit);
	if (nanos) {
		*p++ = (char)('0' + part / 100000000);
		memcpy(p, digit_pairs + part / 1000000 % 100 * 2, 2);
		part %= 1000000;
		p += 2;
	}
	memcpy(p, digit_pairs + part / 10000 * 2, 2);
	memcpy(p + 2, digit_pairs + part / 100 % 100 * 2, 2);
	memcpy(p + 4, digit_pairs + part % 100 * 2, 2);
	return p + 6;
}

void rtext_put_time(const struct rtext *t, struct rtext_pen *pen, uint64_t ts, struct out *o)
{
	char text[40];

	if (t->flags & RTEXT_UNITS)
		out_u64w(o, ts, 12);
	else
		out_bytes(o, text, (size_t)(time_text(t, pen, ts, text) - text));
}

void rtext_time(struct rtext *t, uint64_t ts, struct out *o)
{
	rtext_put_time(t, &t->pen, ts, o);
}

static void follow_time(struct rtext *t, uint64_t ts, struct rtext_past *past)
{
	if (!(t->flags & (RTEXT_NS | RTEXT_DIFF_NS)))
		ts = (ts + 500) / 1000;
	past->first = !t->last_ts;
	past->since = ts - t->last_ts;
	t->last_ts = ts;
}

static void put_diff(const struct rtext_past *past, struct out *o)
{
	char text[32] = "";

	if (!past->first)
		snprintf(text, sizeof(text), "(+%lld)", (long long)past->since);
	out_char(o, ' ');
	out_left(o, text, 8);
}

static void put_level(const struct rtext_rec *r, enum tkind_common which, struct out *o)
{
	int64_t v;

	if (!r->ev->ev->common[which])
		return;
	v = (int64_t)rtext_common(r, which);
	if (v < 0)
		out_char(o, '.');
	else
		out_i64(o, v);
}

void rtext_flags(unsigned f, unsigned pc, char p[RTEXT_FLAGS])
{
	bool hard = f & FLAG_HARDIRQ, soft = f & FLAG_SOFTIRQ;

	p[0] = f & FLAG_IRQS_OFF ? 'd' : f & FLAG_IRQS_UNKNOWN ? 'X' : '.';
	p[1] = f & FLAG_RESCHED ? 'N' : '.';
	p[2] = hard && soft ? 'H' : hard ? 'h' : soft ? 's' : '.';
	p[3] = pc & 0xf ? "0123456789abcdef"[pc & 0xf] : '.';
	p[4] = pc >> 4 & 0xf ? "0123456789abcdef"[pc >> 4 & 0xf] : '.';
}

static void flags_text(const struct rtext_rec *r, char p[RTEXT_FLAGS])
{
	rtext_flags((unsigned)rtext_common(r, COMMON_FLAGS), (unsigned)rtext_common(r, COMMON_PREEMPT_COUNT), p);
}

/* Flags, then the depths of migrate_disable and of the big kernel lock. */
static void put_flags(const struct rtext_rec *r, struct out *o)
{
	char text[5];

	flags_text(r, text);
	out_bytes(o, text, sizeof(text));
	put_level(r, COMMON_MIGRATE_DISABLE, o);
	put_level(r, COMMON_LOCK_DEPTH, o);
}

static void put_task(const struct rtext_rec *r, uint32_t pid, struct out *o)
{
	const char *comm = r->past->comm;
	char id[16];
	size_t n;

	if (r->t->flags & RTEXT_LATENCY) {
		n = MIN(strlen(comm), 8u);
		out_fill(o, ' ', 8 - n);
		out_bytes(o, comm, n);
	} else {
		out_right(o, comm, 16);
	}
	n = (size_t)snprintf(id, sizeof(id), "-%d", (int)pid);
	out_bytes(o, id, n);
	out_fill(o, ' ', n < 6 ? 6 - n : 0);
	if (r->t->flags & RTEXT_LATENCY) {
		out_char(o, ' ');
		out_u64w(o, r->rec->cpu, 3);
	} else {
		out_str(o, " [");
		out_zero(o, r->rec->cpu, 3);
		out_char(o, ']');
	}
}

/* The cached text "comm-pid   [cpu]"; NULL: not in the cache. */
static const struct rtext_task *known_task(const struct rtext_rec *r)
{
	uint32_t pid = (uint32_t)rtext_common(r, COMMON_PID), cpu = r->rec->cpu;
	const struct rtext_task *k = &r->pen->tasks[(pid * 7 + cpu) % RTEXT_TASKS];

	return k->n && k->comm == r->past->comm && k->pid == pid && k->cpu == cpu ? k : NULL;
}

/* Write the text and cache it if it is short. The output's buffer must have room for it. */
static void put_new_task(const struct rtext_rec *r, struct out *o)
{
	uint32_t pid = (uint32_t)rtext_common(r, COMMON_PID), cpu = r->rec->cpu;
	struct rtext_task *k = &r->pen->tasks[(pid * 7 + cpu) % RTEXT_TASKS];
	uint64_t start = o->total;
	size_t n;

	put_task(r, pid, o);
	k->n = 0;
	n = (size_t)(o->total - start);
	if (n < sizeof(k->text) && o->n >= n && !o->terminal) {
		k->comm = r->past->comm;
		k->pid = pid;
		k->cpu = cpu;
		k->n = (uint8_t)n;
		memcpy(k->text, o->buf + o->n - n, n);
	}
}

static void put_lost(const struct tstream_rec *rec, struct out *o)
{
	if (rec->lost == TPAGE_LOST_UNKNOWN)
		out_printf(o, "CPU:%u [EVENTS DROPPED]\n", rec->cpu);
	else if (rec->lost)
		out_printf(o, "CPU:%u [%llu EVENTS DROPPED]\n", rec->cpu, (unsigned long long)rec->lost);
}

static bool is_raw(const struct rtext *t, const struct rtext_event *x)
{
	return t->flags & RTEXT_RAW || x->flags & RTEXT_EVENT_RAW;
}

static bool has_plugin(const struct rtext *t, const struct rtext_event *x)
{
	return x->plugin && !is_raw(t, x) && !(x->flags & RTEXT_EVENT_PLAIN) && !(t->flags & RTEXT_NO_PLUGINS);
}

static void put_text(const struct rtext_rec *r, struct out *o)
{
	const struct tprint *p = r->ev->print;
	struct tprint_names names;

	if ((has_plugin(r->t, r->ev) && r->ev->plugin->write(r, o)) || !p)
		return;
	names = rtext_names(r);
	if (is_raw(r->t, r->ev)) {
		tprint_raw(p, r->t->names ? &names : NULL, r->rec->raw, r->rec->n, o);
		return;
	}
	if (tprint_state(p) == TPRINT_FIELDS)
		out_str(o, "[FAILED TO PARSE] ");
	tprint_record(p, r->t->names ? &names : NULL, r->rec->raw, r->rec->n, o);
}

/* Write the head of most lines as one piece. */
static void put_usual_head(const struct rtext_rec *r, const struct rtext_task *task, struct out *o)
{
	char text[sizeof(task->text) + 48], *p = text + task->n;

	memcpy(text, task->text, sizeof(task->text));
	*p = ' ';
	flags_text(r, p + 1);
	p[6] = ' ';
	p = time_text(r->t, r->pen, r->rec->ts, p + 7);
	*p++ = ':';
	out_bytes(o, text, (size_t)(p - text));
}

static void put_head(const struct rtext_rec *r, struct out *o)
{
	const struct rtext *t = r->t;
	const struct rtext_task *task = known_task(r);

	if (task && !r->ev->levels && !(t->flags & (RTEXT_LATENCY | RTEXT_RAW | RTEXT_UNITS | RTEXT_DIFF))) {
		put_usual_head(r, task, o);
		return;
	}
	if (task)
		out_bytes(o, task->text, task->n);
	else
		put_new_task(r, o);
	if (t->flags & RTEXT_RAW)
		out_printf(o, "-0x%x", (unsigned)rtext_common(r, COMMON_FLAGS));
	else {
		if (!(t->flags & RTEXT_LATENCY))
			out_char(o, ' ');
		put_flags(r, o);
	}
	if (!(t->flags & RTEXT_UNITS))
		out_char(o, ' ');
	rtext_put_time(t, r->pen, r->rec->ts, o);
	out_char(o, ':');
	if (t->flags & RTEXT_DIFF)
		put_diff(r->past, o);
}

void rtext_follow(struct rtext *t, const struct rtext_event *x, const struct tstream_rec *rec,
		  struct rtext_past *past)
{
	struct rtext_rec r = { .t = t, .pen = &t->pen, .ev = x, .rec = rec };

	*past = (struct rtext_past){ 0 };
	if (!x)
		return;
	past->comm = rtext_comm(t, (uint32_t)rtext_common(&r, COMMON_PID));
	if (t->flags & RTEXT_DIFF)
		follow_time(t, rec->ts, past);
	if (has_plugin(t, x) && x->plugin->follow)
		x->plugin->follow(t, &r, past);
}

void rtext_write(const struct rtext *t, struct rtext_pen *pen, const struct rtext_event *x,
		 const struct tstream_rec *rec, const struct rtext_leaf *leaf, const struct rtext_past *past,
		 struct out *o)
{
	struct rtext_rec r = { t, pen, x, rec, leaf, past };

	put_lost(rec, o);
	if (past->before)
		out_str(o, past->before);
	if (!x) {
		out_printf(o, "%16s-%-5s [%03u] ", "<...>", "?", rec->cpu);
		rtext_put_time(t, pen, rec->ts, o);
		out_printf(o, ": [UNKNOWN EVENT] %u bytes", rec->n);
		return;
	}
	/* Make room for most texts, so that their trailing line feed can be removed from the buffer. */
	if (o->cap - o->n < ROOM)
		out_flush(o);
	put_head(&r, o);
	out_sv(o, x->label);
	put_text(&r, o);
	if (o->n && o->buf[o->n - 1] == '\n') {
		o->n--;
		o->total--;
	}
}

void rtext_line(struct rtext *t, const struct rtext_event *x, const struct tstream_rec *rec,
		const struct rtext_leaf *leaf, struct out *o)
{
	struct rtext_past past;

	rtext_follow(t, x, rec, &past);
	rtext_write(t, &t->pen, x, rec, leaf, &past, o);
}
