/* profile_filter.c - parse the options, and test samples. */
#include "report/profile_filter.h"

const struct opt filter_opts[] = {
	OPT_HEAD("Filters"),
	OPT_LIST('c', "comms", struct filter_want, comms, "<names>", "only these command names"),
	OPT_LIST('d', "dsos", struct filter_want, dsos, "<names>", "only these DSOs, by name or path"),
	OPT_LIST('S', "symbols", struct filter_want, symbols, "<names>", "only these symbols"),
	OPT_STR(0, "symbol-filter", struct filter_want, symbol_part, "<text>", "only symbols whose name contains this"),
	OPT_STR('C', "cpu", struct filter_want, cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_LIST(0, "pid", struct filter_want, pids, "<list>", "only these processes, by PID"),
	OPT_LIST(0, "tid", struct filter_want, tids, "<list>", "only these threads, by TID"),
	OPT_STR(0, "time", struct filter_want, time, "<from>,<to>",
		"only this time range, in seconds, or a part of the recording: 10%-20%"),
	OPT_FLAG('U', "hide-unresolved", struct filter_want, hide_unresolved, "leave out rows without a symbol"),
	OPT_END,
};

static int add_id(struct filter *f, enum hist_key what, struct sv text, struct err *e)
{
	uint64_t v;
	uint32_t *id;

	if (!str_u64(sv_trim(text), 10, &v) || v > UINT32_MAX)
		return err_set(e, EINVAL, "'%.*s' is not the number of a %s", (int)MIN(text.n, 60u), text.s,
			       what == HIST_PID ? "process" : "thread");
	id = what == HIST_PID ? vec_add(&f->pids) : vec_add(&f->tids);
	if (!id)
		return err_nomem(e);
	*id = (uint32_t)v;
	return 0;
}

static int add_ids(struct filter *f, enum hist_key what, const struct opt_list *l, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct sv rest = sv_from(l->v[i]), piece;

		while (!r && sv_cut(&rest, ',', &piece))
			r = add_id(f, what, piece, e);
	}
	return r;
}

/* Times of the first and last sample from the file's header; false: it has none. */
static bool sample_times(const struct session *s, uint64_t *first, uint64_t *last)
{
	struct cursor c = perf_head_feature(s->head, PERF_FEAT_SAMPLE_TIME);

	*first = cur_u64(&c);
	*last = cur_u64(&c);
	return !c.bad && *first <= *last;
}

/* "10%" of the way from first to last. */
static bool part_time(struct sv text, uint64_t first, uint64_t last, uint64_t *t)
{
	uint64_t ns;

	if (!text.n || text.s[text.n - 1] != '%')
		return false;
	text.n--;
	/* str_time() parses decimals: with this scale 1 % is 1000000. */
	if (!str_time(text, 1000000, &ns) || ns > 100000000)
		return false;
	*t = first + (uint64_t)((double)(last - first) * ((double)ns / 100000000));
	return true;
}

static bool one_time(struct sv text, uint64_t none, uint64_t *t)
{
	*t = none;
	return !text.n || str_time(text, 1000000000, t);
}

static int set_times(struct filter *f, const struct session *s, struct err *e)
{
	struct sv rest = sv_from(f->want->time), from;
	uint64_t first, last;
	bool parts = memchr(rest.s, '%', rest.n);
	bool good;

	sv_cut(&rest, parts ? '-' : ',', &from);
	if (parts && !sample_times(s, &first, &last)) {
		err_set(e, EINVAL,
			"--time: the recording does not tell its first and last time, so it has no percents");
		return err_hint(e, "give seconds: --time 12.5,14");
	}
	if (parts)
		good = rest.s && part_time(from, first, last, &f->from) && part_time(rest, first, last, &f->to);
	else
		good = one_time(from, 0, &f->from) && one_time(rest, UINT64_MAX, &f->to);
	if (!good || f->from > f->to)
		return err_set(e, EINVAL, "--time: '%s' is not <from>,<to> in seconds, nor 10%%-20%%", f->want->time);
	return 0;
}

int filter_init(struct filter *f, const struct filter_want *w, const struct session *s, struct err *e)
{
	int r;

	*f = (struct filter){ .want = w, .to = UINT64_MAX };
	r = w->cpus ? cpus_parse(&f->cpus, sv_from(w->cpus), e) : 0;
	if (!r)
		r = add_ids(f, HIST_PID, &w->pids, e);
	if (!r)
		r = add_ids(f, HIST_TID, &w->tids, e);
	if (!r && w->time)
		r = set_times(f, s, e);
	f->by_name = w->dsos.n || w->symbols.n || w->symbol_part || w->hide_unresolved;
	f->any = w->cpus || f->pids.n || f->tids.n || w->time;
	if (r)
		filter_deinit(f);
	return r;
}

void filter_deinit(struct filter *f)
{
	vec_free(&f->pids);
	vec_free(&f->tids);
}

static bool has_id(const uint32_t *v, size_t n, uint32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == id)
			return true;
	return !n;
}

bool filter_chosen(const struct filter *f, const struct sample *smp)
{
	return smp->time >= f->from && smp->time <= f->to && has_id(f->pids.v, f->pids.n, smp->pid) &&
	       has_id(f->tids.v, f->tids.n, smp->tid) &&
	       (!f->want->cpus || (smp->cpu < CPUS_MAX && cpus_has(&f->cpus, smp->cpu)));
}

/* Is the name one of those listed? */
static bool listed(const struct opt_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++) {
		struct sv rest = sv_from(l->v[i]), piece;

		/* A C++ name may contain commas, so first compare the whole entry. */
		if (!strcmp(l->v[i], name))
			return true;
		while (sv_cut(&rest, ',', &piece))
			if (sv_eq(piece, name))
				return true;
	}
	return false;
}

bool filter_listed(const struct filter *f, const char *comm)
{
	return listed(&f->want->comms, comm);
}

bool filter_frame(const struct filter *f, const struct hist_frame *fr)
{
	const struct filter_want *w = f->want;

	if (!f->by_name)
		return true;
	if (w->dsos.n && !listed(&w->dsos, fr->dso_short) && !listed(&w->dsos, fr->dso))
		return false;
	if (w->symbols.n && !(fr->sym && listed(&w->symbols, fr->sym)))
		return false;
	if (w->symbol_part && !(fr->sym && strstr(fr->sym, w->symbol_part)))
		return false;
	return fr->sym || !w->hide_unresolved;
}
