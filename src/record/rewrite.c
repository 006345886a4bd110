/* rewrite.c - see rewrite.h. */
#include "record/rewrite.h"

enum { ROUND = 4096 };                       /* records in a round */

static int to_sink(void *arg, const char *bytes, size_t n)
{
	struct rewrite *w = arg;
	struct bytes piece = { (const uint8_t *)bytes, n };

	return sink_write(w->sink, &piece, 1, w->err);
}

/* --- events -------------------------------------------------------------------------------------------------- */

static void set_event(struct rewrite *w, size_t i, size_t first_id)
{
	const struct perf_event *ev = &w->session->head->events.v[i];

	w->events[i] = (struct perf_write_event){
		.attr = ev->attr, .ids = w->ids + first_id, .n_ids = w->events[i].n_ids, .name = ev->label,
		.group_leader = ev->group_leader,
	};
	if (w->change)
		w->change(&w->events[i].attr);
}

static int set_events(struct rewrite *w)
{
	const struct perf_head *h = w->session->head;
	size_t at = 0, *next = calloc(h->events.n + 1, sizeof(*next));

	w->events = calloc(h->events.n, sizeof(*w->events));
	w->ids = calloc(h->ids.n + 1, sizeof(*w->ids));
	if (!w->events || !w->ids || !next) {
		free(next);
		return -ENOMEM;
	}
	/* Group the ids by event: count them, compute the starts, then fill them in. */
	for (size_t k = 0; k < h->ids.cap; k++)
		if (h->ids.used[k] && h->ids.slot[k].val < h->events.n)
			w->events[h->ids.slot[k].val].n_ids++;
	for (size_t i = 0; i < h->events.n; i++) {
		next[i] = at;
		at += w->events[i].n_ids;
		set_event(w, i, next[i]);
	}
	for (size_t k = 0; k < h->ids.cap; k++)
		if (h->ids.used[k] && h->ids.slot[k].val < h->events.n)
			w->ids[next[h->ids.slot[k].val]++] = h->ids.slot[k].key;
	free(next);
	return 0;
}

/* --- build ids ----------------------------------------------------------------------------------------------- */

int rewrite_build_id(struct rewrite *w, const struct perf_build_id *id)
{
	uint32_t i = names_add(&w->id_names, id->name, strlen(id->name));
	struct perf_build_id *new;

	if (i != w->build_ids.n)
		return i == NAMES_NONE ? -ENOMEM : 0;
	new = vec_add(&w->build_ids);
	if (!new)
		return -ENOMEM;
	*new = *id;
	new->name = names_str(&w->id_names, i);
	if (w->sink->pipe)
		perf_write_build_id(&w->out, new);
	return 1;
}

/* --- head ---------------------------------------------------------------------------------------------------- */

static bool is_feature_kept(const struct rewrite *w, unsigned f)
{
	enum { AUXTRACE = 18 };              /* has file offsets */

	switch (f) {
	case PERF_FEAT_TRACING_DATA:
	case PERF_FEAT_BUILD_ID:
	case PERF_FEAT_EVENT_DESC:
	case AUXTRACE:
	case PERF_FEAT_DIR_FORMAT:
	case PERF_FEAT_COMPRESSED:
		return false;
	}
	return !w->keeps || w->keeps(f);
}

static void add_features(struct rewrite *w, struct feature_set *facts)
{
	const struct perf_head *h = w->session->head;

	for (unsigned f = 0; f < PERF_FEAT_MAX; f++)
		if (h->feature[f].p && is_feature_kept(w, f))
			feature_raw(facts, (enum perf_feature)f, h->feature[f]);
}

static int begin_pipe(struct rewrite *w)
{
	const struct perf_head *h = w->session->head;
	struct feature_set facts;
	int r;

	perf_write_pipe(&w->out);
	for (size_t i = 0; i < h->events.n; i++)
		perf_write_attr(&w->out, &w->events[i]);
	feature_set_init(&facts);
	add_features(w, &facts);
	r = feature_write_pipe(&facts, &w->out);
	feature_set_deinit(&facts);
	for (size_t i = 0; i < h->events.n; i++)
		if (w->events[i].n_ids)
			perf_write_update_text(&w->out, PERF_UPDATE_NAME, w->events[i].ids[0], w->events[i].name);
	if (h->tracing.p)
		perf_write_tracing(&w->out, h->tracing);
	return r;
}

static int refuse(const struct session *s, struct err *e)
{
	if (s->source->kind->form != SOURCE_PERF)
		return err_set(e, EOPNOTSUPP, "%s is no perf.data: its records are of another kind", s->path);
	if (s->head->swap)
		return err_set(e, EOPNOTSUPP, "%s has the other byte order: it can be read, but not written anew",
			       s->path);
	return 0;
}

int rewrite_begin(struct rewrite *w, struct err *e)
{
	const struct perf_head *h = w->session->head;
	int r = refuse(w->session, e);

	if (r)
		return r;
	w->err = e;
	w->out = (struct out){ .write = to_sink, .arg = w, .buf = w->buf, .cap = sizeof(w->buf) };
	r = set_events(w);
	if (!r && w->sink->pipe)
		r = begin_pipe(w);
	else if (!r)
		perf_write_header(&w->out, w->events, h->events.n);
	for (size_t i = 0; i < h->build_ids.n && r >= 0; i++)
		r = rewrite_build_id(w, &h->build_ids.v[i]);
	return r < 0 ? err_nomem(e) : w->out.error;
}

/* --- records ------------------------------------------------------------------------------------------------- */

bool rewrite_makes(const struct perf_record *r)
{
	switch (r->type) {
	case PERF_REC_HEADER_ATTR:
	case PERF_REC_EVENT_TYPE:
	case PERF_REC_TRACING_DATA:
	case PERF_REC_BUILD_ID:
	case PERF_REC_FINISHED_ROUND:
	case PERF_REC_HEADER_FEATURE:
	case PERF_REC_COMPRESSED:
	case PERF_REC_COMPRESSED2:
		return true;
	}
	return false;
}

void rewrite_count(struct rewrite *w)
{
	if (++w->records % ROUND == 0)
		perf_write_round(&w->out);
}

void rewrite_record(struct rewrite *w, const struct perf_record *r)
{
	struct perf_rec head = {
		.type = r->type, .misc = r->misc, .size = (uint16_t)(sizeof(struct perf_rec) + r->body.n),
	};
	struct cursor c = cur_from(r->body.p, r->body.n);
	uint64_t behind = r->type == PERF_REC_AUXTRACE ? cur_u64(&c) : 0;

	out_bytes(&w->out, &head, sizeof(head));
	out_bytes(&w->out, r->body.p, r->body.n);
	out_bytes(&w->out, r->body.p + r->body.n, (size_t)behind);
	rewrite_count(w);
}

/* --- end ----------------------------------------------------------------------------------------------------- */

static int end_file(struct rewrite *w, struct err *e)
{
	const struct perf_head *h = w->session->head;
	struct feature_set facts;
	struct perf_write_end end;
	uint8_t head[PERF_WRITE_HEAD];
	uint64_t at;
	int r;

	out_flush(&w->out);
	at = w->sink->pos;
	end.data_size = at - perf_write_data_off(w->events, h->events.n);
	feature_set_init(&facts);
	add_features(w, &facts);
	feature_events(&facts, w->events, h->events.n);
	if (w->build_ids.n)
		feature_build_ids(&facts, w->build_ids.v, w->build_ids.n);
	if (h->tracing.p)
		feature_tracing(&facts, h->tracing);
	r = feature_write_file(&facts, &w->out, at);
	out_flush(&w->out);
	memcpy(end.features, facts.bits, sizeof(end.features));
	feature_set_deinit(&facts);
	if (r || w->out.error)
		return r == -ENOMEM ? err_nomem(e) : w->out.error;
	perf_write_head(head, w->events, h->events.n, &end);
	return sink_patch(w->sink, 0, head, sizeof(head), e);
}

int rewrite_end(struct rewrite *w, struct err *e)
{
	perf_write_round(&w->out);
	if (!w->sink->pipe)
		return end_file(w, e);
	out_flush(&w->out);
	return w->out.error;
}

void rewrite_deinit(struct rewrite *w)
{
	free(w->events);
	free(w->ids);
	names_deinit(&w->id_names);
	vec_free(&w->build_ids);
}
