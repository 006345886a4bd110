/*
 * file_pipe.c - a pipe-mode file has records instead of a header: HEADER_ATTR, HEADER_FEATURE,
 * TRACING_DATA, EVENT_UPDATE, BUILD_ID. They come first, except that a recorder writes build ids
 * as soon as it knows them: so init walks the headers of all records.
 */
#include "perf/file_parts.h"

enum { PIPE_HEADER = 16, UPDATE_NAME = 2, PASSED_STEP = 1 << 20 };

static int take_attr(struct perf_file *f, struct cursor *c, struct err *e)
{
	int err = perf_file_add_event(f, c, e);

	return err ? err : perf_file_add_ids(f, c, e);
}

/*
 * perf marks the end of its features with an empty HEADER_FEATURE whose number is the count of features it knows
 * (HEADER_LAST_FEATURE): that is not a feature.
 */
static void take_feature(struct perf_file *f, struct cursor *c)
{
	uint64_t feature = cur_u64(c);

	if (c->bad || feature >= PERF_FEAT_MAX || (!cur_left(c) && feature > PERF_FEAT_PMU_CAPS))
		return;
	f->head.feature[feature] = (struct bytes){ c->pos, cur_left(c) };
}

static void take_update(struct perf_file *f, struct cursor *c)
{
	uint64_t type = cur_u64(c), id = cur_u64(c);
	const uint64_t *index = map_get(&f->head.ids, id);

	if (type != UPDATE_NAME || !index)
		return;

	const char *name = cur_str(c);

	if (!c->bad)
		f->head.events.v[*index].name = name;
}

static int take_record(struct perf_file *f, const struct perf_record *r, struct err *e)
{
	struct cursor c = perf_head_cursor(&f->head, r->body);

	switch (r->type) {
	case PERF_REC_HEADER_ATTR:
		return take_attr(f, &c, e);
	case PERF_REC_HEADER_FEATURE:
		take_feature(f, &c);
		return 0;
	case PERF_REC_TRACING_DATA:
		f->head.tracing = (struct bytes){ r->body.p + r->body.n, cur_u32(&c) };
		return 0;
	case PERF_REC_EVENT_UPDATE:
		take_update(f, &c);
		return 0;
	case PERF_REC_BUILD_ID:
		if (perf_file_add_build_id(f, r->misc, r->body) == -ENOMEM)
			return err_nomem(e);
		return 0;
	default:
		return 0;
	}
}

int perf_file_read_pipe(struct perf_file *f, const struct perf_file_walk *walk, struct err *e)
{
	struct perf_record r;
	uint64_t off = PIPE_HEADER, passed = 0;

	f->data_off = MIN((size_t)PIPE_HEADER, f->bytes.n);
	f->data_end = f->bytes.n;

	/* A cut record ends this walk, but is no error here: whoever reads the records will find it, too. */
	while (perf_file_next(f, &off, &r, &f->end) > 0) {
		int err = take_record(f, &r, e);

		if (err)
			return err;
		if (walk && off - passed >= PASSED_STEP) {
			walk->passed(walk->arg, passed, r.off);
			passed = r.off;
		}
	}
	return 0;
}
