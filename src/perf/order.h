/*
 * order.h - sort the records of a recording by time, in memory bounded by the number of records
 * between two rounds.
 *
 * Push every record's (time, offset) in file order; each per-CPU ring's records form ascending
 * runs, which are merged. At a FINISHED_ROUND the recorder promises that nothing later is older
 * than the newest record of the round before: everything up to there may be popped. Records that
 * break the promise may be popped at once and are counted as late. Records of equal time come out in
 * the order in which they were pushed. Time 0 means that the record has none (synthesised records): it
 * may be popped at once, too.
 */
#ifndef PERF_ORDER_H
#define PERF_ORDER_H

#include "base/heap.h"
#include "base/vec.h"

struct order_item {
	uint64_t time;   /* ns */
	uint64_t off;    /* for the caller: file offset of the record */
};

struct order;

struct order_stats {
	uint64_t pushed, late, rounds;
	uint64_t peak;   /* highest number of records held at once */
};

struct order *order_new(void);
void order_free(struct order *o);
int order_push(struct order *o, struct order_item it);  /* 0 or -ENOMEM */
void order_round(struct order *o);                      /* a FINISHED_ROUND was read */
void order_upto(struct order *o, uint64_t time);        /* no record older than this will be pushed any more */
void order_end(struct order *o);                        /* no more input: all may be popped */
/* The caller holds records up to this time elsewhere (perf_runs): the next round's promise covers them, too. */
void order_elsewhere(struct order *o, uint64_t time);
uint64_t order_limit(const struct order *o);             /* times up to this one may be popped */
const struct order_item *order_next(const struct order *o);   /* what order_pop() would return; NULL: nothing */
int order_pop(struct order *o, struct order_item *it);  /* 1: got one; 0: none may be popped now */
const struct order_stats *order_stats(const struct order *o);

#endif
