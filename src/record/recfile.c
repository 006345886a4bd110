/* recfile.c - header and end of a perf.data file. */
#include "record/recfile.h"

#include "machine/facts.h"
#include "machine/places.h"
#include "perf/callgraph.h"
#include "record/aux.h"
#include "record/symbols.h"
#include "source/perf_rings.h"
#include "sys/notes.h"
#include "tracefs/dat/blob.h"

#include <time.h>

enum { FORMAT_MAX = 1 << 20 };   /* bytes of one format file */

static int to_sink(void *arg, const char *bytes, size_t n)
{
	struct recfile *f = arg;
	struct bytes piece = { (const uint8_t *)bytes, n };

	if (f->log)
		return sidelog_add(f->log, piece);

	int r = f->also ? perf_rings_give(f->also, piece) : 0;

	return r || (f->also && f->through) ? r : sink_write(f->sink, &piece, 1, NULL);
}

static int collect_ids(struct recfile *f, struct err *e)
{
	struct recording *r = f->rec;
	size_t n_events = r->events->v.n, at = 0;

	f->events = calloc(n_events, sizeof(*f->events));
	f->ids = calloc(r->fds.n, sizeof(*f->ids));
	if (!f->events || !f->ids)
		return err_nomem(e);
	for (size_t i = 0; i < n_events; i++) {
		const struct event *ev = &r->events->v.v[i];
		size_t first = at;

		for (size_t k = 0; k < r->fds.n; k++)
			if (r->fds.v[k].event == i)
				f->ids[at++] = r->fds.v[k].id;
		f->events[i] = (struct perf_write_event){
			.attr = r->attrs[i], .ids = f->ids + first, .n_ids = at - first,
			.name = ev->name, .group_leader = (uint32_t)ev->leader,
		};
		if (!callgraph_off_cpu(&f->events[i].attr, ev) && r->unwinds)
			callgraph_plain(&f->events[i].attr);
	}
	return 0;
}

/* Read a file in tracefs; the text is kept in `a`. */
static bool read_trace_file(struct recfile *f, struct arena *a, const char *path, struct sv *text)
{
	char *p;
	size_t n;

	if (sys_read_all(f->sys, path, FORMAT_MAX, &p, &n, NULL))
		return false;
	*text = (struct sv){ arena_dup(a, p, n), n };
	free(p);
	return text->s != NULL;
}

static int add_formats(struct recfile *f, struct tblob *b, struct arena *a, const char *tracefs, struct err *e)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < f->rec->events->v.n; i++) {
		const struct event *ev = &f->rec->events->v.v[i];
		struct sv text;

		if (!ev->tp_system)
			continue;
		snprintf(path, sizeof(path), "%s/events/%s/%s/format", tracefs, ev->tp_system, ev->tp_name);
		if (!read_trace_file(f, a, path, &text))
			return err_set(e, ENOENT, "cannot read %s: a recording of %s needs it", path, ev->name);
		if (tblob_add(b, sv_from(ev->tp_system), text))
			return err_nomem(e);
	}
	return 0;
}

/* Make the body of TRACING_DATA: the formats of the recorded tracepoints. */
static int make_blob(struct recfile *f, const char *tracefs, struct err *e)
{
	struct tblob b = { .machine = { .long_size = sizeof(long) }, .page_size = (uint32_t)f->sys->page_size(f->sys) };
	struct arena a = { 0 };
	struct mem_out m;
	char path[PATH_MAX];
	int r = add_formats(f, &b, &a, tracefs, e);

	mem_out_init(&m);
	if (!r && b.formats.n) {
		snprintf(path, sizeof(path), "%s/events/header_page", tracefs);
		read_trace_file(f, &a, path, &b.header_page);
		snprintf(path, sizeof(path), "%s/events/header_event", tracefs);
		read_trace_file(f, &a, path, &b.header_event);
		snprintf(path, sizeof(path), "%s/printk_formats", tracefs);
		read_trace_file(f, &a, path, &b.printk_formats);
		tblob_write(&b, &m.out);
		mem_out_str(&m);
		f->blob = m.v;
		f->n_blob = m.n;
		r = m.out.error ? err_nomem(e) : 0;
		m.v = NULL;
	}
	mem_out_deinit(&m);
	tblob_deinit(&b);
	arena_deinit(&a);
	return r;
}

/* Add feature COMPRESSED, with the size of a ring, which perf uses as the size of its buffer for unpacked data. */
static void tell_packing(struct feature_set *facts, const struct recording *r)
{
	uint64_t made = r->packer ? packer_made(r->packer) : 0;
	uint64_t ring = (r->ring_pages + 1) * (uint64_t)r->sys->page_size(r->sys);

	if (r->packer)
		feature_compressed(facts, made ? (uint32_t)(packer_given(r->packer) / made) : 0, (uint32_t)ring);
}

static void begin_pipe(struct recfile *f)
{
	size_t n = f->rec->events->v.n;
	struct feature_set facts;

	perf_write_pipe(&f->out);
	for (size_t i = 0; i < n; i++)
		perf_write_attr(&f->out, &f->events[i]);
	feature_set_init(&facts);
	facts_collect(&facts, f->sys, "sonde");
	facts_places(&facts, f->sys);
	tell_packing(&facts, f->rec);
	feature_write_pipe(&facts, &f->out);
	feature_set_deinit(&facts);
	for (size_t i = 0; i < n; i++)
		if (f->events[i].n_ids)
			perf_write_update_text(&f->out, PERF_UPDATE_NAME, f->events[i].ids[0], f->events[i].name);
	if (f->n_blob)
		perf_write_tracing(&f->out, (struct bytes){ (const uint8_t *)f->blob, f->n_blob });
}

static int out_error(struct recfile *f, struct err *e)
{
	int code = -f->out.error;

	return code ? err_set(e, code, "cannot write %s: %s", f->sink->path, err_name(code)) : 0;
}

static int begin(struct recfile *f, const char *tracefs, struct err *e)
{
	int ret;

	f->out = (struct out){ .write = to_sink, .arg = f, .buf = f->buf, .cap = sizeof(f->buf) };
	ret = collect_ids(f, e);
	if (!ret && tracefs)
		ret = make_blob(f, tracefs, e);
	if (!ret)
		f->id = (struct perf_write_id){ .sample_type = f->events[0].attr.sample_type, .id = f->ids[0] };
	return ret;
}

int recfile_begin_unwritten(struct recfile *f, struct recording *r, const char *tracefs, struct err *e)
{
	*f = (struct recfile){ .sys = r->sys, .rec = r, .through = true };
	return begin(f, tracefs, e);
}

int recfile_begin(struct recfile *f, struct recording *r, struct sink *s, const char *tracefs, struct err *e)
{
	int ret;

	*f = (struct recfile){ .sys = r->sys, .sink = s, .rec = r };
	ret = begin(f, tracefs, e);
	if (ret)
		return ret;
	if (s->pipe)
		begin_pipe(f);
	else
		perf_write_header(&f->out, f->events, r->events->v.n);
	if (aux_can() && r->aux)
		aux_begin(r->aux, r, &f->out);
	out_flush(&f->out);
	f->data_off = perf_write_data_off(f->events, r->events->v.n);
	sink_mark(s);
	return out_error(f, e);
}

struct build_ids {
	VEC(struct perf_build_id) list;
};

static void add_build_id(struct build_ids *v, const char *name, const struct build_id *id, uint8_t cpumode)
{
	struct perf_build_id *b = vec_add(&v->list);

	if (!b)
		return;
	*b = (struct perf_build_id){ .pid = -1, .cpumode = cpumode, .size = id->size, .name = name };
	memcpy(b->id, id->v, MIN(sizeof(b->id), (size_t)id->size));
}

static void collect_build_ids(struct recfile *f, struct build_ids *v)
{
	const struct dsos *dsos = &f->rec->dsos;
	struct build_id id;

	if (sys_kernel_build_id(f->sys, &id))
		add_build_id(v, "[kernel.kallsyms]", &id, PERF_MISC_KERNEL);
	for (size_t i = 0; i < dsos->seen.n && !(f->sys->mapped && f->sys->mapped->stopped); i++) {
		const char *name = names_str(&dsos->names, (uint32_t)i);

		if (dsos_build_id(dsos, f->sys, i, &id) > 0)
			add_build_id(v, name, &id, name[0] == '[' ? PERF_MISC_KERNEL : PERF_MISC_USER);
	}
}

void recfile_tell_lost(struct recfile *f)
{
	struct recording *r = f->rec;
	uint64_t known = r->stats.lost, total = 0;

	for (size_t i = 0; i < r->fds.n; i++)
		total += recording_lost(r, &r->fds.v[i]);
	if (total <= known)
		return;
	perf_write_lost(&f->out, &f->id, f->ids[0], total - known);
	out_flush(&f->out);
	r->stats.lost = total;
}

static int end_pipe(struct recfile *f, const struct build_ids *ids, struct err *e)
{
	for (size_t i = 0; i < ids->list.n; i++)
		perf_write_build_id(&f->out, &ids->list.v[i]);
	out_flush(&f->out);
	return out_error(f, e);
}

/* Write the features behind the data. If there is no room for them, the sink cuts them off again. */
static int put_features(struct recfile *f, struct feature_set *facts, struct err *e)
{
	int r;

	f->out.error = 0;
	f->out.n = 0;
	r = feature_write_file(facts, &f->out, f->sink->pos);
	out_flush(&f->out);
	f->out.error = r ? r : f->out.error;
	return out_error(f, e);
}

/* Write the final header, with the sizes; the data ends at `at`. */
static int put_head(struct recfile *f, const struct feature_set *facts, uint64_t at, struct err *e)
{
	struct perf_write_end end = { .data_size = at - f->data_off };
	uint8_t head[PERF_WRITE_HEAD];

	memcpy(end.features, facts->bits, sizeof(end.features));
	perf_write_head(head, f->events, f->rec->events->v.n, &end);
	return sink_patch(f->sink, 0, head, sizeof(head), e);
}

/* Write the features; *at: the end of the data. If the disk is full, the newest records are given up to make room. */
static int end_file(struct recfile *f, struct feature_set *facts, uint64_t *at, struct err *e)
{
	struct sink *s = f->sink;
	uint64_t had = s->pos, dropped = s->dropped;
	int r;

	do {
		*at = s->pos;
		aux_tell(f->rec->aux, facts, *at);
		r = put_features(f, facts, e);
	} while (r && s->full && sink_step_back(s));
	if (r)
		return r;
	s->dropped = dropped + (had - *at);
	return put_head(f, facts, *at, e);
}

/* Write the features again, with the names of functions (FILE2); if these do not fit, without them as before. */
static int add_names(struct recfile *f, struct feature_set *facts, uint64_t at, struct bytes names, struct err *e)
{
	struct sink *s = f->sink;

	sink_cut(s, at);
	feature_raw(facts, PERF_FEAT_FILE2, names);
	if (put_features(f, facts, &f->unnamed)) {
		if (!s->full)
			return *e = f->unnamed, -f->unnamed.code;
		s->full = false;
		s->dropped = 0;
		sink_cut(s, at);
		feature_drop(facts, PERF_FEAT_FILE2);
		return put_features(f, facts, e);
	}
	return put_head(f, facts, at, e);
}

/* Add the names of sampled functions. The file is complete before, since this reads files that may be large. */
static int name_functions(struct recfile *f, struct feature_set *facts, uint64_t at, struct err *e)
{
	char *names = NULL;
	size_t n = 0;
	int r = 0;

	bool hits = f->rec->stats.samples || (aux_can() && f->rec->aux);

	if (!symbols_can() || f->no_symbols || f->no_build_ids || f->sink->full || !hits)
		return 0;
	if (!symbols_collect(&names, &n, f->sys, f->sink->path, &f->rec->dsos, &f->unnamed) && n)
		r = add_names(f, facts, at, (struct bytes){ (const uint8_t *)names, n }, e);
	free(names);
	return r;
}

/* -k: the clock of the recorded times, and its value at a time of day. */
static void tell_clock(struct feature_set *facts, const struct sys *sys, int32_t clockid)
{
	feature_u64(facts, PERF_FEAT_CLOCKID, 1);
	feature_clock_data(facts, (uint32_t)clockid, sys->now(sys, CLOCK_REALTIME), sys->now(sys, clockid));
}

int recfile_end(struct recfile *f, int argc, char **argv, struct err *e)
{
	struct recording_stats *st = &f->rec->stats;
	size_t n = f->rec->events->v.n;
	struct feature_set facts;
	struct build_ids ids = { 0 };
	uint64_t at;
	int r;

	f->out.error = 0;
	recfile_tell_lost(f);
	f->also = NULL;
	if (f->out.error && !f->sink->full)
		return out_error(f, e);
	f->out.error = 0;
	if (!f->no_build_ids)
		collect_build_ids(f, &ids);
	feature_set_init(&facts);
	if (f->sink->pipe) {
		r = end_pipe(f, &ids, e);
	} else {
		facts_collect(&facts, f->sys, "sonde");
		feature_strings(&facts, PERF_FEAT_CMDLINE, (const char *const *)argv, (size_t)argc);
		feature_events(&facts, f->events, n);
		feature_groups(&facts, f->events, n);
		if (!f->no_build_ids)
			feature_build_ids(&facts, ids.list.v, ids.list.n);
		if (f->n_blob)
			feature_tracing(&facts, (struct bytes){ (const uint8_t *)f->blob, f->n_blob });
		tell_packing(&facts, f->rec);
		facts_places(&facts, f->sys);
		if (f->events[0].attr.flags & PERF_ATTR_USE_CLOCKID)
			tell_clock(&facts, f->sys, f->events[0].attr.clockid);
		if (st->last_time)
			feature_sample_time(&facts, st->first_time, st->last_time);
		r = end_file(f, &facts, &at, e);
		r = r ? r : name_functions(f, &facts, at, e);
	}
	feature_set_deinit(&facts);
	vec_free(&ids.list);
	return r;
}

void recfile_deinit(struct recfile *f)
{
	free(f->events);
	free(f->ids);
	free(f->blob);
	f->events = NULL;
	f->ids = NULL;
	f->blob = NULL;
}
