/* plain.c - a new header; records and features are copied, without later types and fields. */
#include "record/plain.h"

#include "perf/side.h"
#include "record/rewrite.h"

enum {
	MMAP2_FILE = 32, MMAP2_FILE_END = 56,   /* offsets in the body: device and inode, or the build-id */
	FEATURE_OLD_MAX = 29, FEATURE_OTHERS = 128,   /* OTHERS: features of other tools */
	RECORD_OLD_MAX = PERF_REC_TEXT_POKE,
	BODY_MAX = 1 << 16,
};

struct plain {
	struct rewrite w;
	struct plain_stats *stats;
	uint8_t body[BODY_MAX];              /* buffer for a record that is changed */
};

/* --- events -------------------------------------------------------------------------------------------------- */

/* Clear attr fields that perf 5.10 does not know; the changed records do not depend on them. */
static void make_old(struct perf_attr *a)
{
	a->flags &= PERF_ATTR_BUILD_ID - 1;
	a->read_format &= ~PERF_FORMAT_LOST;
	a->aux_action = 0;
	a->sig_data = 0;
	a->config3 = 0;
}

/* Do samples have fields that perf 5.10 does not know? */
static bool has_later_fields(const struct perf_attr *a)
{
	return a->sample_type >= PERF_SAMPLE_CGROUP << 1 ||
	       (a->sample_type & PERF_SAMPLE_BRANCH_STACK && a->branch_sample_type & PERF_BRANCH_COUNTERS);
}

/* --- build ids ----------------------------------------------------------------------------------------------- */

static int note_id(struct plain *p, const struct side_map *m)
{
	struct perf_build_id id = {
		.pid = -1, .cpumode = m->kernel ? PERF_MISC_KERNEL : PERF_MISC_USER,
		.size = (uint8_t)MIN(m->build_id_size, sizeof(id.id)), .name = m->name,
	};

	memcpy(id.id, m->build_id, id.size);
	return rewrite_build_id(&p->w, &id) < 0 ? -ENOMEM : 0;
}

/* --- records ------------------------------------------------------------------------------------------------- */

static bool is_kept(const struct perf_record *r)
{
	if (rewrite_makes(r) || r->type == PERF_REC_EVENT_UPDATE)
		return false;
	return r->type <= RECORD_OLD_MAX || (r->type >= PERF_REC_USER && r->type < PERF_REC_COMPRESSED);
}

/* Does leaving out the record lose data? Not for records about the file's form. */
static bool is_loss(const struct perf_record *r)
{
	return (r->type > RECORD_OLD_MAX && r->type < PERF_REC_USER) || r->type > PERF_REC_COMPRESSED2;
}

/* Move the build-id of an MMAP2 record to the table; device and inode become unknown. */
static int old_mmap2(struct plain *p, struct perf_record *r)
{
	struct side d;
	int err;

	if (r->body.n < MMAP2_FILE_END || side_decode(r, false, &d) != 1)
		return 0;
	err = note_id(p, &d.map);
	memcpy(p->body, r->body.p, r->body.n);
	memset(p->body + MMAP2_FILE, 0, MMAP2_FILE_END - MMAP2_FILE);
	r->misc &= (uint16_t)~PERF_MISC_MMAP_BUILD_ID;
	r->body.p = p->body;
	return err;
}

/* Remove the lost counts (PERF_FORMAT_LOST) from a sample's READ values. */
static void old_read(struct plain *p, const struct perf_event *ev, struct perf_record *r)
{
	uint64_t format = ev->attr.read_format;
	size_t head = 0, each = 2, at, n, word = sizeof(uint64_t);
	struct sample s;

	if (sample_decode(&ev->layout, r->body, r->misc, &s, NULL) || !s.read.p)
		return;
	if (format & PERF_FORMAT_GROUP)
		head = 1 + !!(format & PERF_FORMAT_ENABLED) + !!(format & PERF_FORMAT_RUNNING);
	else
		each += !!(format & PERF_FORMAT_ENABLED) + !!(format & PERF_FORMAT_RUNNING);
	each += !!(format & PERF_FORMAT_ID);
	at = (size_t)(s.read.p - r->body.p) + head * word;
	memcpy(p->body, r->body.p, at);
	n = at;
	for (size_t left = s.read.n / word - head; left >= each; left -= each) {
		memcpy(p->body + n, r->body.p + at, (each - 1) * word);
		n += (each - 1) * word;
		at += each * word;
	}
	memcpy(p->body + n, r->body.p + at, r->body.n - at);
	r->body = (struct bytes){ p->body, n + r->body.n - at };
}

static int take(struct plain *p, const struct source_rec *rec)
{
	struct perf_record r = rec->perf;
	int err = 0;

	if (!is_kept(&r)) {
		p->stats->left_out += is_loss(&r);
		return 0;
	}
	if (r.type == PERF_REC_MMAP2 && r.misc & PERF_MISC_MMAP_BUILD_ID)
		err = old_mmap2(p, &r);
	if (r.type == PERF_REC_SAMPLE && rec->event && rec->event->attr.sample_type & PERF_SAMPLE_READ &&
	    rec->event->attr.read_format & PERF_FORMAT_LOST)
		old_read(p, rec->event, &r);
	rewrite_record(&p->w, &r);
	return err;
}

/* --- the file ------------------------------------------------------------------------------------------------ */

static bool keeps(unsigned f)
{
	return f <= FEATURE_OLD_MAX || f >= FEATURE_OTHERS;
}

/* Count what is left out of the header. */
static void look_at_head(struct plain *p)
{
	const struct perf_head *h = p->w.session->head;

	for (size_t i = 0; i < h->events.n; i++)
		p->stats->later |= has_later_fields(&h->events.v[i].attr);
	for (unsigned f = FEATURE_OLD_MAX + 1; f < FEATURE_OTHERS; f++)
		p->stats->features += h->feature[f].p != NULL;
}

static int write_all(struct plain *p, struct err *e)
{
	struct source_rec rec;
	int r = rewrite_begin(&p->w, e);

	if (r)
		return r;
	look_at_head(p);
	while ((r = session_next_record(p->w.session, &rec, e)) == 1) {
		r = take(p, &rec);
		if (r)
			return err_nomem(e);
		if (p->w.out.error)
			return p->w.out.error;
	}
	return r ? r : rewrite_end(&p->w, e);
}

int plain_write(struct session *s, struct sink *to, struct plain_stats *stats, struct err *e)
{
	struct plain *p;
	int r;

	if (to->pipe)
		return err_set(e, ESPIPE, "a perf.data goes into a file: give it a name with -o");
	p = calloc(1, sizeof(*p));
	if (!p)
		return err_nomem(e);
	p->w.session = s;
	p->w.sink = to;
	p->w.change = make_old;
	p->w.keeps = keeps;
	p->stats = stats;
	r = write_all(p, e);
	stats->records = p->w.records;
	rewrite_deinit(&p->w);
	free(p);
	return r;
}
