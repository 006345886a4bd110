/* unwinder.c - read the rings as a session, and write its records, converted, to the file. */
#include "record/unwinder.h"

#include "base/fmt.h"
#include "record/offcpu.h"
#include "record/tee.h"
#include "source/session.h"
#include "source/unwound.h"

/* Bytes to write at once; several times the largest record. */
enum { BUFFER = 4 * RING_BOUNCE };

struct unwinder {
	struct recfile *file;
	struct source *source;
	struct session session;
	uint64_t undecodable;      /* samples that could not be decoded, and are left out */
	struct offcpu offcpu;
	const struct tevent *switches;   /* format of sched_switch; NULL: no off-CPU times wanted */
	size_t n;                  /* bytes in buf, whole records */
	uint8_t buf[BUFFER];
};

static int note_sweep(void *arg, struct bytes sweep, struct err *e)
{
	struct recfile *f = arg;

	return recording_note(f->rec, sweep, e);
}

/* Read the format of sched_switch. */
static int read_format(struct unwinder *u, struct err *e)
{
	enum { FORMAT_MAX = 1 << 20 };
	const char *tracefs = sys_tracefs(u->file->sys);
	char path[PATH_MAX], *text;
	size_t n;
	int r;

	if (!u->file->rec->offcpu.on)
		return 0;
	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/format", tracefs ? tracefs : "");
	r = sys_read_all(u->file->sys, path, FORMAT_MAX, &text, &n, e);
	if (r)
		return r;
	r = tevents_add(&u->source->trace, SV("sched"), (struct sv){ text, n }, e);
	free(text);
	u->switches = r ? NULL : tevents_by_kind(&u->source->trace, KIND_SCHED_SWITCH);
	if (!r && (!u->switches || !u->switches->field[SWITCH_PREV_STATE]))
		r = err_set(e, EBADMSG, "%s tells of no state", path);
	return r;
}

int unwinder_new(struct unwinder **to, struct recfile *f, struct err *e)
{
	static const struct session_want want = { .no_names = true };
	bool needed = f->rec->unwinds || f->rec->offcpu.on;
	struct unwinder *u = needed ? calloc(1, sizeof(*u)) : NULL;
	int r;

	if (!needed)
		return 0;
	if (!u)
		return err_nomem(e);
	u->file = f;
	r = tee_open_through(&u->source, f, note_sweep, e);
	r = r ? r : read_format(u, e);
	r = r ? r : session_over(&u->session, f->sys, u->source, &want, e);
	if (r) {
		source_close(u->source);
		f->also = NULL;
		free(u);
		return r;
	}
	*to = u;
	return 0;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	u->file->also = NULL;
	session_close(&u->session);
	source_close(u->source);
	offcpu_deinit(&u->offcpu);
	free(u);
}

/* --- records into the buffer, and the buffer into the file --- */

static int flush(struct unwinder *u, struct err *e)
{
	struct bytes all = { u->buf, u->n };

	u->n = 0;
	return all.n ? recording_write(u->file->rec, u->file->sink, all, e) : 0;
}

static int copy(const struct perf_record *r, uint8_t *to)
{
	struct perf_rec head = {
		.type = r->type, .misc = r->misc, .size = (uint16_t)(sizeof(head) + r->body.n),
	};

	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), r->body.p, r->body.n);
	return head.size;
}

/* --- switches --- */

/* Get the user part of a chain, in host byte order. False: it has none, as with kernel threads. */
static bool user_part(const struct sample_layout *l, const struct sample *s, uint64_t *to, struct bytes *stack)
{
	size_t n = 0;
	uint64_t i = 0;

	while (i < s->n_chain && sample_chain(l, s, i) != PERF_CONTEXT_USER)
		i++;
	for (uint64_t at = i + 1; at < s->n_chain && n < STACKS_CHAIN; at++) {
		uint64_t v = sample_chain(l, s, at);

		if (v < PERF_CONTEXT_MAX)
			to[n++] = v;
	}
	*stack = (struct bytes){ (const uint8_t *)to, n * sizeof(*to) };
	return i < s->n_chain;
}

/* Take a sample of sched_switch: its task leaves the CPU. 0; -EBADMSG: undecodable; -ENOMEM. */
static int take_switch(struct unwinder *u, const struct source_rec *rec)
{
	const struct sample_layout *l = &rec->event->layout;
	const struct cpus *cpus = u->file->rec->offcpu.cpus;
	uint64_t chain[STACKS_CHAIN];
	struct sample s;
	struct offcpu_out out;
	int r = 0;

	if (sample_decode(l, rec->perf.body, rec->perf.misc, &s, NULL))
		return -EBADMSG;
	out = (struct offcpu_out){
		.pid = s.pid, .tid = s.tid, .time = s.time,
		.state = tfmt_value(u->switches->field[SWITCH_PREV_STATE], s.raw.p, s.raw.n),
	};
	if (s.cpu >= CPUS_MAX || !cpus_has(cpus, s.cpu))
		return 0;
	if (s.user_regs.n && stacks_complete(&u->session.stacks, l, &s))
		return -ENOMEM;
	if (user_part(l, &s, chain, &out.stack))
		r = offcpu_leaves(&u->offcpu, &out);
	return r;
}

/* Take a SWITCH record of a task that is switched in. */
static void take_return(struct unwinder *u, const struct perf_record *r)
{
	struct sample s;

	if (!(r->misc & PERF_MISC_SWITCH_OUT) &&
	    !perf_record_ids(r, &u->session.head->events.v[0].layout, &s, NULL))
		offcpu_returns(&u->offcpu, s.tid, s.time);
}

/* Take the records of switches. 1: the record is summed up and not written; 0: it is to be written; -ENOMEM. */
static int add_up(struct unwinder *u, const struct source_rec *rec)
{
	struct recording *r = u->file->rec;
	int err;

	if (!r->offcpu.on)
		return 0;
	if (rec->perf.type == PERF_REC_SWITCH || rec->perf.type == PERF_REC_SWITCH_CPU_WIDE) {
		take_return(u, &rec->perf);
		return !r->offcpu.keeps_switches;
	}
	if (rec->perf.type != PERF_REC_SAMPLE || !rec->event ||
	    session_event_index(&u->session, rec->event) != r->offcpu.event)
		return 0;
	r->stats.samples--;
	err = take_switch(u, rec);
	u->undecodable += err == -EBADMSG;
	return err == -ENOMEM ? err : 1;
}

/* Make a sample from a row, as perf does: the period is the time in ns; the CPU is 0, as there was none. */
static size_t row_sample(const struct unwinder *u, size_t i, uint64_t time, uint8_t *to)
{
	const struct recfile *f = u->file;
	const struct offcpu_row *row = &u->offcpu.rows.v[i];
	struct bytes stack = offcpu_stack(&u->offcpu, row);
	uint64_t ip = 0;
	struct { uint64_t id, ip; uint32_t pid, tid; uint64_t time, cpu, period, n, marker; } body = {
		.id = f->events[f->rec->offcpu.event].ids[0], .pid = row->pid, .tid = row->tid,
		.time = time, .period = row->ns, .n = 1 + stack.n / sizeof(uint64_t),
		.marker = PERF_CONTEXT_USER,
	};
	struct perf_rec head = { PERF_REC_SAMPLE, PERF_MISC_USER, (uint16_t)(sizeof(head) + sizeof(body) + stack.n) };

	if (stack.n)
		memcpy(&ip, stack.p, sizeof(ip));
	body.ip = ip;
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), &body, sizeof(body));
	memcpy(to + sizeof(head) + sizeof(body), stack.p, stack.n);
	return head.size;
}

/* Write a row as a sample, and reset it. 1; 0: nothing was added to it since the last time; -errno. */
static int put_row(struct unwinder *u, size_t i, uint64_t time, struct err *e)
{
	struct offcpu_row *row = &u->offcpu.rows.v[i];
	int r;

	if (!row->times)
		return 0;
	u->n += row_sample(u, i, time, u->buf + u->n);
	u->file->rec->stats.samples++;
	row->ns = row->times = 0;
	r = BUFFER - u->n < RING_BOUNCE ? flush(u, e) : 0;
	return r ? r : 1;
}

/*
 * At exec, write the rows of the process, and at exit those of the thread: a reader must look up the addresses in their
 * stacks in the maps before this record.
 */
static int put_rows_of_past(struct unwinder *u, const struct source_rec *rec, struct err *e)
{
	struct side d;
	int r = 0;

	if (!u->file->rec->offcpu.on || (rec->perf.type != PERF_REC_COMM && rec->perf.type != PERF_REC_EXIT) ||
	    side_decode(&rec->perf, false, &d) != 1 || (d.type == PERF_REC_COMM && !d.comm.exec))
		return 0;
	for (uint32_t at = offcpu_first(&u->offcpu, d.pid); r >= 0 && at; at = u->offcpu.rows.v[at - 1].next)
		if (d.type == PERF_REC_COMM || u->offcpu.rows.v[at - 1].tid == d.tid)
			r = put_row(u, at - 1, rec->time, e);
	return MIN(r, 0);
}

/* At the end: write all rows, with times after that of the last sample. */
static int put_rows(struct unwinder *u, struct err *e)
{
	bool any = false;
	int r = 0;

	for (size_t i = 0; r >= 0 && i < u->offcpu.rows.n; i++) {
		r = put_row(u, i, u->file->rec->stats.last_time + 1 + i, e);
		any |= r > 0;
	}
	r = MIN(r, 0);
	if (r || !any)
		return r;
	r = flush(u, e);
	return r ? r : recording_round(u->file->sink, e);
}

/* Append a record; samples with copies of stacks are unwound, and left out if they cannot be decoded. */
static int put(struct unwinder *u, const struct source_rec *rec, struct err *e)
{
	bool is_sample = rec->perf.type == PERF_REC_SAMPLE && rec->event;
	uint8_t *to;
	int n = add_up(u, rec);

	if (n)
		return n < 0 ? err_nomem(e) : 0;
	n = put_rows_of_past(u, rec, e);
	if (n)
		return n;
	to = u->buf + u->n;
	if (is_sample && u->file->rec->unwinds && unwound_is_for(&rec->event->layout))
		n = unwound_sample(&u->session.stacks, &rec->event->layout, &rec->perf,
				   rec->event->attr.sample_max_stack, to);
	else
		n = copy(&rec->perf, to);
	if (n == -ENOMEM)
		return err_nomem(e);
	u->undecodable += n < 0;
	u->n += (size_t)MAX(n, 0);
	return BUFFER - u->n < RING_BOUNCE ? flush(u, e) : 0;
}

/* Take and write all records that are there now. 1; 0: there were none; -errno. */
static int pull(struct unwinder *u, struct err *e)
{
	struct source_rec rec;
	int got, r = 0, any = 0;

	while (!r && (got = session_next_record(&u->session, &rec, e)) == SOURCE_RECORD) {
		any = 1;
		r = put(u, &rec, e);
	}
	r = r ? r : MIN(got, 0);
	if (r || !any)
		return r;
	r = flush(u, e);
	r = r ? r : recording_round(u->file->sink, e);
	return r ? r : 1;
}

int unwinder_drain(struct unwinder *u, struct err *e)
{
	int r = pull(u, e);

	if (r >= 0 && u->source->end.code) {
		*e = u->source->end;
		return -EBADMSG;
	}
	return r;
}

int unwinder_end(struct unwinder *u, struct err *e)
{
	int r;

	if (!u || u->file->sink->full)
		return 0;
	recfile_tell_lost(u->file);
	u->source->kind->end(u->source);
	r = pull(u, e);
	r = r < 0 ? r : put_rows(u, e);
	u->file->also = NULL;
	return r < 0 && !u->file->sink->full ? r : 0;
}

struct speaker {
	void (*say)(void *arg, const char *line);
	void *arg;
};

static void tell(const struct speaker *to, uint64_t n, const char *what)
{
	char number[32], line[100];

	if (!n)
		return;
	snprintf(line, sizeof(line), "%s %s", fmt_grouped(number, sizeof(number), n), what);
	to->say(to->arg, line);
}

void unwinder_tell(const struct unwinder *u, void (*say)(void *arg, const char *line), void *arg)
{
	struct speaker to = { say, arg };

	if (!u)
		return;
	stacks_tell(&u->session.stacks.stats, say, arg);
	tell(&to, u->undecodable, "samples could not be decoded, and are left out");
	tell(&to, u->offcpu.dropped, "times off a CPU are not in offcpu-time: there were too many call chains");
	tell(&to, u->source->stats.late, "records came too late for their place in time");
}
