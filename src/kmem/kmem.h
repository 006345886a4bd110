/*
 * kmem.h - sonde kmem stat: allocations of kernel memory and their callers; cmd/cmd_kmem.c runs it. stat.c reads the
 * events, text_slabs.c and text_pages.c print, flags.c has the texts of gfp_flags.
 */
#ifndef KMEM_KMEM_H
#define KMEM_KMEM_H

#include "analyse/pages.h"
#include "analyse/slabs.h"
#include "base/sort.h"
#include "kmem/flags.h"
#include "perf/topology.h"
#include "prof/view.h"

/* The four tables: of slab or page allocations, with a row per block (or page) or per call site. */
enum { KMEM_SLABS, KMEM_PAGES, KMEM_ABOUT };
enum { KMEM_BY_BLOCK, KMEM_BY_CALLER, KMEM_BY };

struct kmem_want {
	struct view_want view;
	/* 0: not asked for. Of two, the option given later has the larger number: a following -s or -l is for it. */
	unsigned about[KMEM_ABOUT], by[KMEM_BY];
	const char *sort[KMEM_ABOUT][KMEM_BY];
	const char *lines[KMEM_BY];
	const char *time;
	bool live, raw_ip;
};

struct kmem_rows {
	struct view_keys keys;
	uint64_t most;                   /* rows to print; UINT64_MAX: all */
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
	struct cpu_places places;        /* NUMA nodes of CPUs; empty: unknown */
	struct map allocators;           /* code address -> is it in a function that allocates pages? 1 no, 2 yes */
	uint32_t page_size;
	bool has_pfn;                    /* events have page frame numbers, not addresses of struct page */
	uint64_t unplaced, bad;          /* allocations on CPUs of unknown node; events with impossible values */
};

extern const struct opt kmem_opts[];
extern const struct prof_kind kmem_stat;

/* Print the tables and the summary, as text, JSON or CSV. 0 or -ENOMEM. */
int kmem_put_slabs(struct kmem *k, struct out *o);
int kmem_put_pages(struct kmem *k, struct out *o);

/* Is this table requested? */
static inline bool kmem_has(const struct kmem *k, int about, int by)
{
	return k->want->about[about] && k->want->by[by];
}

/* The function of a kernel address; NULL: unknown, or --raw-ip was given. */
const struct sym_loc *kmem_place(struct kmem *k, uint64_t addr);

/* The indices 0 to n - 1 in the given order, malloc'ed; NULL: no memory. */
uint32_t *kmem_sorted(size_t n, sort_order *order, const void *arg);

#endif
