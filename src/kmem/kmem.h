/*
 * kmem.h - sonde kmem stat: who allocates memory of the kernel; cmd/cmd_kmem.c runs it. stat.c reads its events,
 * text_slabs.c and text_pages.c print, flags.c knows the flags of pages.
 */
#ifndef KMEM_KMEM_H
#define KMEM_KMEM_H

#include "analyse/pages.h"
#include "analyse/slabs.h"
#include "base/sort.h"
#include "kmem/flags.h"
#include "perf/topology.h"
#include "prof/view.h"

/* Tables there are: of what, and by what. */
enum { KMEM_SLABS, KMEM_PAGES, KMEM_ABOUT };
enum { KMEM_BY_BLOCK, KMEM_BY_CALLER, KMEM_BY };

struct kmem_want {
	struct view_want view;
	/* Asked for: 0 not, and the larger of two the later one: what comes behind it goes for it. */
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
	struct cpu_places places;        /* which NUMA node a CPU is on; none: that is not known */
	struct map allocators;           /* address of code -> is it in a function that allocates pages? 1 no, 2 yes */
	uint32_t page_size;
	bool has_pfn;                    /* pages are numbers, not addresses of the kernel's tables */
	uint64_t unplaced, bad;          /* nodes that cannot be compared; events that make no sense */
};

extern const struct opt kmem_opts[];
extern const struct prof_kind kmem_stat;

/* What was counted, as text or rows for programs. 0 or -ENOMEM. */
int kmem_put_slabs(struct kmem *k, struct out *o);
int kmem_put_pages(struct kmem *k, struct out *o);

/* Is this table asked for? */
static inline bool kmem_has(const struct kmem *k, int about, int by)
{
	return k->want->about[about] && k->want->by[by];
}

/* The function that an address of the kernel is in; NULL: none, or *raw: nobody wants to know. */
const struct sym_loc *kmem_place(struct kmem *k, uint64_t addr);

/* n rows in their order: keys first, then as `order` has them. Numbers below n; NULL: no memory. */
uint32_t *kmem_sorted(size_t n, sort_order *order, const void *arg);

#endif
