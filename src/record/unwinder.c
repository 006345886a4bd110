/* unwinder.c - a session over the rings, and its records on their way into the file. */
#include "record/unwinder.h"

#include "base/fmt.h"
#include "record/tee.h"
#include "source/session.h"
#include "source/unwound.h"

/* What is written at once; a multiple of what one record may have. */
enum { BUFFER = 4 * RING_BOUNCE };

struct unwinder {
	struct recfile *file;
	struct source *source;
	struct session session;
	uint64_t undecodable;      /* samples, which are left out */
	size_t n;                  /* bytes in buf, whole records */
	uint8_t buf[BUFFER];
};

static int note_sweep(void *arg, struct bytes sweep, struct err *e)
{
	struct recfile *f = arg;

	return recording_note(f->rec, sweep, e);
}

int unwinder_new(struct unwinder **to, struct recfile *f, struct err *e)
{
	static const struct session_want want = { .no_names = true };
	struct unwinder *u = f->rec->unwinds ? calloc(1, sizeof(*u)) : NULL;
	int r;

	if (!f->rec->unwinds)
		return 0;
	if (!u)
		return err_nomem(e);
	u->file = f;
	r = tee_open_through(&u->source, f, note_sweep, e);
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

/* Of unwound_sample: -EBADMSG: nobody could read it, nor would a reader know how it is laid out. */
static int put(struct unwinder *u, const struct source_rec *rec, struct err *e)
{
	bool is_sample = rec->perf.type == PERF_REC_SAMPLE && rec->event;
	uint8_t *to = u->buf + u->n;
	int n;

	if (is_sample && unwound_is_for(&rec->event->layout))
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

/* Until there is nothing more for now: 1 there was something, 0, -errno. */
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
	tell(&to, u->source->stats.late, "records came too late for their place in time");
}
