/* page.c - an event's rows: which of them are shown, in which order, and the lines of the list. */
#include "cmd/browse/browse.h"

#include "base/sort.h"

static const struct hist_row *first_row(const struct browse_page *p, const uint32_t *row, size_t *of)
{
	*of = report_has(row);
	return &p->views[*of].hist->rows.v[row[*of]];
}

static bool same_thread(const struct hist_group *a, const struct hist_group *b)
{
	return a->comm == b->comm && a->pid == b->pid && a->tid == b->tid;
}

static bool fits(const struct browser *b, const uint32_t *row)
{
	const struct profile *pr = &b->report->profile;
	size_t of;
	const struct hist_row *r = first_row(&b->page, row, &of);
	const struct hist_frame *f = &pr->frames.v.v[r->frame];

	if (f->kernel ? b->filter.no_kernel : b->filter.no_user)
		return false;
	for (size_t i = 0; i < b->filter.n; i++) {
		enum browse_zoom by = b->filter.by[i];

		if (by == ZOOM_DSO && f->dso != b->filter.dso)
			return false;
		if (by == ZOOM_SOCKET && pr->groups.v[r->group].socket != b->filter.socket)
			return false;
		if (by == ZOOM_THREAD && !same_thread(&pr->groups.v[r->group], &b->filter.thread))
			return false;
		if (by == ZOOM_PART && !(f->sym && strstr(f->sym, b->filter.part)))
			return false;
	}
	return report_row_shown(b->page.views, row);
}

/* What is 100 %: all samples or, with `relative`, the rows that are shown. */
static void set_totals(struct browser *b)
{
	struct browse_page *p = &b->page;

	for (size_t k = 0; k < p->n; k++) {
		struct report_view *v = &p->views[k];
		uint64_t sum = 0;

		for (size_t i = 0; i < p->chosen.n; i++) {
			uint32_t row = p->rows.v[(size_t)p->chosen.v[i] * p->n + k];

			sum += row == HIST_NO_ROW ? 0 : v->hist->rows.v[row].self;
		}
		v->total = b->filter.relative ? sum : p->totals[k];
	}
}

static int heavier(const void *arg, uint32_t x, uint32_t y)
{
	const struct browser *b = arg;
	const struct browse_page *p = &b->page;
	uint64_t wx = report_row_weight(&p->views[b->by], p->rows.v[(size_t)x * p->n + b->by]);
	uint64_t wy = report_row_weight(&p->views[b->by], p->rows.v[(size_t)y * p->n + b->by]);

	return wx > wy ? -1 : wx < wy;
}

/* The rows are sorted by the first event already; sort them by event b->by if that is another. */
static int put_in_order(struct browser *b)
{
	struct browse_page *p = &b->page;
	uint32_t *spare = b->by ? malloc((p->chosen.n + 1) * sizeof(*spare)) : NULL;

	if (spare)
		sort_u32(p->chosen.v, spare, p->chosen.n, heavier, b);
	free(spare);
	return b->by && !spare ? -ENOMEM : 0;
}

int page_choose(struct browser *b)
{
	struct browse_page *p = &b->page;

	for (size_t k = 0; k < p->n; k++)
		p->views[k].total = p->totals[k];
	p->chosen.n = 0;
	for (size_t i = 0; i < p->rows.n; i++) {
		uint32_t *new;

		if (!fits(b, p->rows.v + i * p->n))
			continue;
		new = vec_add(&p->chosen);
		if (!new)
			return -ENOMEM;
		*new = (uint32_t)i;
	}
	set_totals(b);
	return put_in_order(b) ? -ENOMEM : page_lines(p);
}

int page_lines(struct browse_page *p)
{
	int r = 0;

	p->lines.n = 0;
	for (uint32_t i = 0; !r && i < p->chosen.n; i++) {
		struct browse_line *l = vec_add(&p->lines);
		const struct browse_fold *f;

		if (!l)
			return -ENOMEM;
		*l = (struct browse_line){ .at = i };
		f = unfold_find(p, page_row(p, l));
		if (f && f->shown)
			r = unfold_lines(p, f, i);
	}
	return r;
}

const struct browse_line *page_chosen(const struct browser *b)
{
	return b->list.selected < b->page.lines.n ? &b->page.lines.v[b->list.selected] : NULL;
}

/* Any row may be unfolded: index the call tree's nodes by row, for the first event, whose chains are shown. */
static int index_rows(struct browse_page *p)
{
	struct report_view *v = &p->views[0];

	return v->chains.graph == GRAPH_NONE ? 0 : hist_index(v->hist, 0);
}

static int fill(struct browser *b)
{
	struct browse_page *p = &b->page;
	int r = 0;

	for (size_t i = 0; !r && i < p->n; i++) {
		r = report_shown_init(b->report, p->events[i], &p->shown[i], &p->views[i]);
		p->totals[i] = p->views[i].total;
		p->views[i].with_dsos = b->with_dsos;
	}
	r = r ? r : index_rows(p);
	if (r)
		return r;
	p->rows = (struct report_rows){ .v = p->views->order, .n = p->views->hist->rows.n, .n_events = 1 };
	if (p->n > 1)
		r = report_join(&p->rows, p->views, p->n);
	if (!r)
		p->layout = report_layout_of(p->views, &p->rows);
	return r ? r : page_choose(b);
}

size_t page_firsts(const struct report *r, size_t firsts[REPORT_GROUP_MAX])
{
	size_t beside[REPORT_GROUP_MAX], n = 0;

	for (size_t i = 0; i < r->session->head->events.n && n < REPORT_GROUP_MAX; i++) {
		if (!report_worth_showing(r, i))
			continue;
		firsts[n++] = i;
		i = beside[report_group_of(r, i, beside) - 1];
	}
	return n;
}

int page_open(struct browser *b, size_t first)
{
	struct browse_page *p = &b->page;
	int r;

	page_close(p);
	b->by = 0;
	p->n = report_group_of(b->report, first, p->events);
	r = fill(b);
	if (r)
		page_close(p);
	return r;
}

void page_close(struct browse_page *p)
{
	for (size_t i = 0; i < p->folds.n; i++)
		unfold_deinit(&p->folds.v[i]);
	vec_free(&p->folds);
	vec_free(&p->lines);
	vec_free(&p->chosen);
	map_deinit(&p->fold_of);
	if (p->n > 1)
		report_rows_deinit(&p->rows);
	for (size_t i = 0; i < p->n; i++) {
		branches_deinit(&p->views[i].branches);
		report_shown_deinit(&p->shown[i]);
	}
	*p = (struct browse_page){ 0 };
}
