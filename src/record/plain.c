/* plain.c - the header anew, each record as it is but for what came later, features too but for those of form. */
#include "record/plain.h"

#include "base/map.h"
#include "perf/feature.h"
#include "perf/side.h"

enum {
	ROUND = 4096,                        /* records between two ends of a round */
	MMAP2_FILE = 32, MMAP2_FILE_END = 56,   /* of the body: device, inode; or the build id */
	FEATURE_AUXTRACE = 18, FEATURE_OLD_MAX = 29, FEATURE_OTHERS = 128,   /* OTHERS: not perf's own */
	RECORD_OLD_MAX = PERF_REC_TEXT_POKE,
	BODY_MAX = 1 << 16,
};

struct plain {
	struct session *session;
	struct sink *sink;
	struct plain_stats *stats;
	struct out out;
	char buf[32768];
	struct perf_write_event *events;
	uint64_t *ids;
	struct names id_names;               /* files whose build ids the records told, or the head */
	VEC(struct perf_build_id) build_ids;
	uint8_t body[BODY_MAX];              /* of a record that is changed */
	struct err *err;
};

static int to_sink(void *arg, const char *bytes, size_t n)
{
	struct plain *p = arg;
	struct bytes piece = { (const uint8_t *)bytes, n };

	return sink_write(p->sink, &piece, 1, p->err);
}

/* --- events -------------------------------------------------------------------------------------------------- */

/* What perf 5.10 does not know says nothing about how the records are laid out, once they are changed. */
static struct perf_attr old_attr(const struct perf_attr *attr)
{
	struct perf_attr a = *attr;

	a.flags &= PERF_ATTR_BUILD_ID - 1;
	a.read_format &= ~PERF_FORMAT_LOST;
	a.aux_action = 0;
	a.sig_data = 0;
	a.config3 = 0;
	return a;
}

/* Fields of samples that perf 5.10 does not know. */
static bool has_later_fields(const struct perf_attr *a)
{
	return a->sample_type >= PERF_SAMPLE_CGROUP << 1 ||
	       (a->sample_type & PERF_SAMPLE_BRANCH_STACK && a->branch_sample_type & PERF_BRANCH_COUNTERS);
}

static void set_event(struct plain *p, size_t i, size_t first_id)
{
	const struct perf_event *ev = &p->session->head->events.v[i];

	p->stats->later |= has_later_fields(&ev->attr);
	p->events[i] = (struct perf_write_event){
		.attr = old_attr(&ev->attr), .ids = p->ids + first_id, .n_ids = p->events[i].n_ids, .name = ev->label,
		.group_leader = ev->group_leader,
	};
}

static int set_events(struct plain *p)
{
	const struct perf_head *h = p->session->head;
	size_t at = 0, *next = calloc(h->events.n + 1, sizeof(*next));

	p->events = calloc(h->events.n, sizeof(*p->events));
	p->ids = calloc(h->ids.n + 1, sizeof(*p->ids));
	if (!p->events || !p->ids || !next) {
		free(next);
		return -ENOMEM;
	}
	/* Each event's ids stand together: how many, where they begin, then which. */
	for (size_t k = 0; k < h->ids.cap; k++)
		if (h->ids.used[k] && h->ids.slot[k].val < h->events.n)
			p->events[h->ids.slot[k].val].n_ids++;
	for (size_t i = 0; i < h->events.n; i++) {
		next[i] = at;
		at += p->events[i].n_ids;
		set_event(p, i, next[i]);
	}
	for (size_t k = 0; k < h->ids.cap; k++)
		if (h->ids.used[k] && h->ids.slot[k].val < h->events.n)
			p->ids[next[h->ids.slot[k].val]++] = h->ids.slot[k].key;
	free(next);
	return 0;
}

/* --- build ids ----------------------------------------------------------------------------------------------- */

static int add_id(struct plain *p, const struct perf_build_id *id)
{
	uint32_t i = names_add(&p->id_names, id->name, strlen(id->name));
	struct perf_build_id *new;

	if (i != p->build_ids.n)
		return i == NAMES_NONE ? -ENOMEM : 0;
	new = vec_add(&p->build_ids);
	if (!new)
		return -ENOMEM;
	*new = *id;
	new->name = names_str(&p->id_names, i);
	return 0;
}

static int note_id(struct plain *p, const struct side_map *m)
{
	struct perf_build_id id = {
		.pid = -1, .cpumode = m->kernel ? PERF_MISC_KERNEL : PERF_MISC_USER,
		.size = (uint8_t)MIN(m->build_id_size, sizeof(id.id)), .name = m->name,
	};

	memcpy(id.id, m->build_id, id.size);
	return add_id(p, &id);
}

/* --- records ------------------------------------------------------------------------------------------------- */

static bool is_kept(const struct perf_record *r)
{
	switch (r->type) {
	case PERF_REC_HEADER_ATTR:
	case PERF_REC_EVENT_TYPE:
	case PERF_REC_TRACING_DATA:
	case PERF_REC_BUILD_ID:
	case PERF_REC_FINISHED_ROUND:
	case PERF_REC_EVENT_UPDATE:
	case PERF_REC_HEADER_FEATURE:
		return false;   /* they stand in the header, or are made anew */
	}
	return r->type <= RECORD_OLD_MAX || (r->type >= PERF_REC_USER && r->type < PERF_REC_COMPRESSED);
}

/* Those of form are no loss. */
static bool is_loss(const struct perf_record *r)
{
	return (r->type > RECORD_OLD_MAX && r->type < PERF_REC_USER) || r->type > PERF_REC_COMPRESSED2;
}

/* Device and inode unknown in the place of a build id, which goes into the table. */
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

/* A sample's counters without how often each was lost, a word behind each. */
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

static void put_record(struct plain *p, const struct perf_record *r, uint64_t behind)
{
	struct perf_rec head = {
		.type = r->type, .misc = r->misc, .size = (uint16_t)(sizeof(struct perf_rec) + r->body.n),
	};

	out_bytes(&p->out, &head, sizeof(head));
	out_bytes(&p->out, r->body.p, r->body.n);
	/* What an AUXTRACE record announces stands behind it. */
	out_bytes(&p->out, r->body.p + r->body.n, (size_t)behind);
	if (++p->stats->records % ROUND == 0)
		perf_write_round(&p->out);
}

static int take(struct plain *p, const struct source_rec *rec)
{
	struct perf_record r = rec->perf;
	struct cursor c = cur_from(r.body.p, r.body.n);
	uint64_t behind = r.type == PERF_REC_AUXTRACE ? cur_u64(&c) : 0;
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
	put_record(p, &r, behind);
	return err;
}

/* --- the file ------------------------------------------------------------------------------------------------ */

static bool is_feature_kept(unsigned f)
{
	switch (f) {
	case PERF_FEAT_TRACING_DATA:
	case PERF_FEAT_BUILD_ID:
	case PERF_FEAT_EVENT_DESC:
	case FEATURE_AUXTRACE:          /* places in the file */
	case PERF_FEAT_DIR_FORMAT:
	case PERF_FEAT_COMPRESSED:
		return false;
	}
	return f <= FEATURE_OLD_MAX || f >= FEATURE_OTHERS;
}

static void add_features(struct plain *p, struct feature_set *facts)
{
	const struct perf_head *h = p->session->head;

	for (unsigned f = 0; f < PERF_FEAT_MAX; f++) {
		if (h->feature[f].p && is_feature_kept(f))
			feature_raw(facts, (enum perf_feature)f, h->feature[f]);
		p->stats->features += h->feature[f].p && f > FEATURE_OLD_MAX && !is_feature_kept(f);
	}
	feature_events(facts, p->events, h->events.n);
	if (p->build_ids.n)
		feature_build_ids(facts, p->build_ids.v, p->build_ids.n);
	if (h->tracing.p)
		feature_tracing(facts, h->tracing);
}

static int write_end(struct plain *p, struct err *e)
{
	const struct perf_head *h = p->session->head;
	struct feature_set facts;
	struct perf_write_end end;
	uint8_t head[PERF_WRITE_HEAD];
	uint64_t at;
	int r;

	perf_write_round(&p->out);
	out_flush(&p->out);
	at = p->sink->pos;
	end.data_size = at - perf_write_data_off(p->events, h->events.n);
	feature_set_init(&facts);
	add_features(p, &facts);
	r = feature_write_file(&facts, &p->out, at);
	out_flush(&p->out);
	memcpy(end.features, facts.bits, sizeof(end.features));
	feature_set_deinit(&facts);
	if (r || p->out.error)
		return r == -ENOMEM ? err_nomem(e) : p->out.error;
	perf_write_head(head, p->events, h->events.n, &end);
	return sink_patch(p->sink, 0, head, sizeof(head), e);
}

static int write_all(struct plain *p, struct err *e)
{
	const struct perf_head *h = p->session->head;
	struct source_rec rec;
	int r = set_events(p);

	for (size_t i = 0; i < h->build_ids.n && !r; i++)
		r = add_id(p, &h->build_ids.v[i]);
	if (r)
		return err_nomem(e);
	perf_write_header(&p->out, p->events, h->events.n);
	while ((r = source_next(p->session->source, &rec, e)) == 1) {
		r = take(p, &rec);
		if (r)
			return err_nomem(e);
		if (p->out.error)
			return p->out.error;
	}
	return r ? r : write_end(p, e);
}

int plain_write(struct session *s, struct sink *to, struct plain_stats *stats, struct err *e)
{
	struct plain *p;
	int r;

	if (s->source->kind->form != SOURCE_PERF)
		return err_set(e, EOPNOTSUPP, "%s is no perf.data: its records are of another kind", s->path);
	if (s->head->swap)
		return err_set(e, EOPNOTSUPP, "%s has the other byte order: it can be read, but not written anew",
			       s->path);
	if (to->pipe)
		return err_set(e, ESPIPE, "a perf.data goes into a file: give it a name with -o");
	p = calloc(1, sizeof(*p));
	if (!p)
		return err_nomem(e);
	p->session = s;
	p->sink = to;
	p->stats = stats;
	p->err = e;
	p->out = (struct out){ .write = to_sink, .arg = p, .buf = p->buf, .cap = sizeof(p->buf) };
	r = write_all(p, e);
	free(p->events);
	free(p->ids);
	names_deinit(&p->id_names);
	vec_free(&p->build_ids);
	free(p);
	return r;
}
