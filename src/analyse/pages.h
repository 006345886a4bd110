/*
 * pages.h - pages of memory from their allocation to their free, as `perf kmem stat --page` adds them up: by who
 * allocated, and by page, of each order, migrate type and set of flags.
 *
 * Live: only what is not freed counts. A page that is allocated while it was not seen being freed was freed before.
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

/* allocs 0: it is none any more. */
struct pages_row {
	uint64_t at;                     /* the page, or the address of the call */
	uint64_t site;                   /* of the newest allocation */
	uint64_t bytes;
	uint32_t allocs, kind;
};

struct pages_page {
	uint64_t at;
	uint32_t kind;                   /* index + 1; 0: it is free */
	uint32_t row;                    /* of who allocated it, index + 1; 0: there is no room for that */
	uint64_t site, bytes;
};

struct pages_sum {
	uint64_t n, bytes;
};

struct pages {
	bool live;
	bool by_page;                    /* rows of pages are asked for */
	struct map of_kind, of_site, of_page, of_caller, of_row;
	VEC(struct pages_kind) kinds;
	VEC(struct pages_page) pages;
	VEC(struct pages_row) callers, rows;   /* rows: by page; live ones are made by pages_live_rows */
	uint64_t sites;
	struct pages_sum allocs, frees, failed;
	struct pages_sum unknown;        /* frees of pages that nobody was seen to allocate */
	int64_t orders[PAGES_ORDERS][PAGES_TYPES];
	uint64_t dropped;                /* too many pages, places or kinds */
};

struct pages_event {
	uint64_t page, site, bytes;
	struct pages_kind kind;
};

void pages_deinit(struct pages *p);

int pages_alloc(struct pages *p, const struct pages_event *ev);   /* 0 or -ENOMEM */
void pages_failed(struct pages *p, uint64_t bytes);
void pages_free(struct pages *p, uint64_t page, uint64_t bytes);

/* What is allocated now, into `rows`. 0 or -ENOMEM. */
int pages_live_rows(struct pages *p);

/* The next interval: sums begin anew but for live ones, pages that are not freed stay known. 0 or -ENOMEM. */
int pages_forget(struct pages *p);

#endif
