/*
 * pages.h - page allocations and frees, summed up as `perf kmem stat --page` does: by call site and by page, for each
 * order, migrate type and set of GFP flags.
 *
 * live: only pages that are not freed count. If a page is allocated whose free was not seen, it was freed before.
 */
#ifndef ANALYSE_PAGES_H
#define ANALYSE_PAGES_H

#include "base/map.h"

enum {
	PAGES_ORDERS = 16, PAGES_TYPES = 6,         /* the kernel has 11 orders, 14 with pages of 64 KiB */
	PAGES_KINDS = 1 << 12, PAGES_SITES = 1 << 16, PAGES_MAX = 1 << 21, PAGES_ROWS = 1 << 21,
};

struct pages_kind {
	uint32_t flags, order, type;     /* order below PAGES_ORDERS, type below PAGES_TYPES */
};

/* allocs 0: the row is empty. */
struct pages_row {
	uint64_t at;                     /* the page, or the address of the call site */
	uint64_t site;                   /* call site of the newest allocation */
	uint64_t bytes;
	uint32_t allocs, kind;
};

struct pages_page {
	uint64_t at;
	uint32_t kind;                   /* index + 1; 0: the page is free */
	uint32_t row;                    /* row of its call site, index + 1; 0: none, beyond the limit */
	uint64_t site, bytes;
};

struct pages_sum {
	uint64_t n, bytes;
};

struct pages {
	bool live;
	bool by_page;                    /* make rows by page */
	struct map of_kind, of_site, of_page, of_caller, of_row;
	VEC(struct pages_kind) kinds;
	VEC(struct pages_page) pages;
	VEC(struct pages_row) callers, rows;   /* rows: by page; with `live` made by pages_live_rows() */
	uint64_t sites;
	struct pages_sum allocs, frees, failed;
	struct pages_sum unknown;        /* frees of pages whose allocation was not seen */
	int64_t orders[PAGES_ORDERS][PAGES_TYPES];
	uint64_t dropped;                /* pages, call sites or kinds beyond the limits */
};

struct pages_event {
	uint64_t page, site, bytes;
	struct pages_kind kind;
};

void pages_deinit(struct pages *p);

int pages_alloc(struct pages *p, const struct pages_event *ev);   /* 0 or -ENOMEM */
void pages_failed(struct pages *p, uint64_t bytes);
void pages_free(struct pages *p, uint64_t page, uint64_t bytes);

/* Fill `rows` with the pages that are allocated now. 0 or -ENOMEM. */
int pages_live_rows(struct pages *p);

/* Start the next interval: sums are reset, except live ones; allocated pages stay known. 0 or -ENOMEM. */
int pages_forget(struct pages *p);

#endif
