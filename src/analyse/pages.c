/* pages.c - pages, call sites and kinds are numbered, so that a pair of numbers is a key for a row. */
#include "analyse/pages.h"

#include "analyse/numbered.h"

void pages_deinit(struct pages *p)
{
	map_deinit(&p->of_kind);
	map_deinit(&p->of_site);
	map_deinit(&p->of_page);
	map_deinit(&p->of_caller);
	map_deinit(&p->of_row);
	vec_free(&p->kinds);
	vec_free(&p->pages);
	vec_free(&p->callers);
	vec_free(&p->rows);
}

/* Numbers of analyse/numbered.h. */

static int64_t find_kind(struct pages *p, const struct pages_kind *k)
{
	uint64_t key = (uint64_t)k->flags << 32 | k->order << 8 | k->type;
	int64_t i = numbered(&p->of_kind, key, p->kinds.n, PAGES_KINDS);
	struct pages_kind *to = i > (int64_t)p->kinds.n ? vec_add(&p->kinds) : NULL;

	if (to)
		*to = *k;
	return i > (int64_t)p->kinds.n ? -ENOMEM : i;
}

static int64_t find_site(struct pages *p, uint64_t site)
{
	int64_t i = numbered(&p->of_site, site, p->sites, PAGES_SITES);

	p->sites += i > (int64_t)p->sites;
	return i;
}

static int64_t find_page(struct pages *p, uint64_t page)
{
	int64_t i = numbered(&p->of_page, page, p->pages.n, PAGES_MAX);
	struct pages_page *to = i > (int64_t)p->pages.n ? vec_add(&p->pages) : NULL;

	if (to)
		to->at = page;
	return i > (int64_t)p->pages.n ? -ENOMEM : i;
}

static int64_t find_caller(struct pages *p, uint64_t site, int64_t kind)
{
	int64_t number = find_site(p, site), i = number;
	struct pages_row *to;

	if (i > 0)
		i = numbered(&p->of_caller, (uint64_t)number << 32 | (uint64_t)kind, p->callers.n, PAGES_ROWS);
	to = i > (int64_t)p->callers.n ? vec_add(&p->callers) : NULL;
	if (to)
		*to = (struct pages_row){ .at = site, .kind = (uint32_t)kind - 1 };
	return i > (int64_t)p->callers.n ? -ENOMEM : i;
}

static int64_t find_row(struct pages *p, uint64_t page, int64_t number, int64_t kind)
{
	int64_t i = numbered(&p->of_row, (uint64_t)number << 32 | (uint64_t)kind, p->rows.n, PAGES_ROWS);
	struct pages_row *to = i > (int64_t)p->rows.n ? vec_add(&p->rows) : NULL;

	if (to)
		*to = (struct pages_row){ .at = page, .kind = (uint32_t)kind - 1 };
	return i > (int64_t)p->rows.n ? -ENOMEM : i;
}

static void add(struct pages_row *r, const struct pages_event *ev)
{
	r->site = ev->site;
	r->bytes += ev->bytes;
	r->allocs++;
}

/* Mark a page as free; with `live` subtract it from the sums. */
static void release(struct pages *p, struct pages_page *page)
{
	const struct pages_kind *k = &p->kinds.v[page->kind - 1];
	struct pages_row *r = page->row ? &p->callers.v[page->row - 1] : NULL;

	page->kind = 0;
	if (!p->live)
		return;
	p->orders[k->order][k->type]--;
	if (r) {
		r->allocs--;
		r->bytes -= page->bytes;
	}
}

void pages_failed(struct pages *p, uint64_t bytes)
{
	p->allocs.n++;
	p->allocs.bytes += bytes;
	p->failed.n++;
	p->failed.bytes += bytes;
}

int pages_alloc(struct pages *p, const struct pages_event *ev)
{
	int64_t kind = find_kind(p, &ev->kind), page = kind > 0 ? find_page(p, ev->page) : 0;
	int64_t caller = kind > 0 ? find_caller(p, ev->site, kind) : 0;
	int64_t row = page > 0 && p->by_page && !p->live ? find_row(p, ev->page, page, kind) : 0;

	if (kind < 0 || page < 0 || caller < 0 || row < 0)
		return -ENOMEM;
	p->allocs.n++;
	p->allocs.bytes += ev->bytes;
	if (page && p->pages.v[page - 1].kind)
		release(p, &p->pages.v[page - 1]);
	p->dropped += !page || !caller || (!row && p->by_page && !p->live);
	/* A page beyond the limit is unknown at its free, so it would stay live for ever. */
	if (p->live && !page)
		return 0;
	p->orders[ev->kind.order][ev->kind.type]++;
	if (caller)
		add(&p->callers.v[caller - 1], ev);
	if (row)
		add(&p->rows.v[row - 1], ev);
	if (page)
		p->pages.v[page - 1] = (struct pages_page){
			.at = ev->page, .kind = (uint32_t)kind, .row = (uint32_t)caller, .site = ev->site,
			.bytes = ev->bytes,
		};
	return 0;
}

void pages_free(struct pages *p, uint64_t page, uint64_t bytes)
{
	uint64_t *at = map_get(&p->of_page, page);

	p->frees.n++;
	p->frees.bytes += bytes;
	if (at && p->pages.v[*at - 1].kind) {
		release(p, &p->pages.v[*at - 1]);
		return;
	}
	p->unknown.n++;
	p->unknown.bytes += bytes;
}

int pages_live_rows(struct pages *p)
{
	p->rows.n = 0;
	for (size_t i = 0; i < p->pages.n; i++) {
		const struct pages_page *page = &p->pages.v[i];
		struct pages_row *r = page->kind ? vec_add(&p->rows) : NULL;

		if (page->kind && !r)
			return -ENOMEM;
		if (r)
			*r = (struct pages_row){
				.at = page->at, .site = page->site, .bytes = page->bytes, .allocs = 1,
				.kind = page->kind - 1,
			};
	}
	return 0;
}

/* Remove free pages, and renumber the others. */
static int keep_pages(struct pages *p)
{
	size_t n = 0;

	map_deinit(&p->of_page);
	for (size_t i = 0; i < p->pages.n; i++) {
		uint64_t *at = p->pages.v[i].kind ? map_add(&p->of_page, p->pages.v[i].at, NULL) : NULL;

		if (!p->pages.v[i].kind)
			continue;
		if (!at)
			return -ENOMEM;
		p->pages.v[n++] = p->pages.v[i];
		*at = n;
	}
	p->pages.n = n;
	return 0;
}

int pages_forget(struct pages *p)
{
	p->allocs = p->frees = p->failed = p->unknown = (struct pages_sum){ 0 };
	map_deinit(&p->of_row);
	p->rows.n = 0;
	if (!p->live) {
		memset(p->orders, 0, sizeof(p->orders));
		for (size_t i = 0; i < p->callers.n; i++)
			p->callers.v[i].bytes = p->callers.v[i].allocs = 0;
	}
	return keep_pages(p);
}
