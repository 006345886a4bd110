/*
 * kmem.h - sonde kmem stat: which code allocates kernel memory; cmd/cmd_kmem.c runs it. stat.c reads the events,
 * text_slabs.c and text_pages.c print, flags.c handles the GFP flags.
 */
#ifndef KMEM_KMEM_H
#define KMEM_KMEM_H

#include "analyse/pages.h"
#include "analyse/slabs.h"
#include "base/sort.h"
#include "kmem/flags.h"
#include "perf/topology.h"
#include "prof/view.h"

/* The tables: what is counted, and by what. */
enum { KMEM_SLABS, KMEM_PAGES, KMEM_ABOUT };
enum { KMEM_BY_BLOCK, KMEM_BY_CALLER, KMEM_BY };

struct kmem_want {
	struct view_want view;
	/* Requested if not 0; the larger of the two was given later: the options after it apply to it. */
	unsigned about[KMEM_ABOUT], by[KMEM_BY];
	const char *sort[KMEM_ABOUT][KMEM_BY];
	const char *lines[KMEM_BY];
	const char *time;
	bool live, raw_ip;
};

struct kmem_rows {
	struct view_keys keys;
	uint64_t most;                   /* UINT64_MAX: all */
};

struct kmem {
	struct prof *prof;
	const struct kmem_want *want;
	const struct view_tap *taps;
	struct kmem_rows rows[KMEM_ABOUT][KMEM_BY];
	struct view_span span;
	struct slabs slabs;
	struct pages pages;
	struct gfp_flags flags;
	struct cpu_places places;        /* NUMA node of each CPU; empty: not known */
	struct map allocators;           /* code address -> is it in a function that allocates pages? 1 no, 2 yes */
	uint32_t page_size;
	bool has_pfn;                    /* pages are given by page frame number, not by address of their struct page */
	uint64_t unplaced, bad;          /* events whose nodes cannot be compared; inconsistent events */
};

extern const struct opt kmem_opts[];
extern const struct prof_kind kmem_stat;

/* Prints the result as text or as CSV/JSON rows. 0 or -ENOMEM. */
int kmem_put_slabs(struct kmem *k, struct out *o);
int kmem_put_pages(struct kmem *k, struct out *o);

/* Is this table requested? */
static inline bool kmem_has(const struct kmem *k, int about, int by)
{
	return k->want->about[about] && k->want->by[by];
}

/* The function that contains a kernel address; NULL: none, or with --raw-ip. */
const struct sym_loc *kmem_place(struct kmem *k, uint64_t addr);

/* n rows in their order: keys first, then as `order` has them. Numbers below n; NULL: no memory. */
uint32_t *kmem_sorted(size_t n, sort_order *order, const void *arg);

#endif
