/*
 * latency.h - what multi-trace and its kin say of pairs: a row for each kind of pair (and key, where that is asked
 * for), events that took too long, and what happened between the two.
 */
#ifndef PROF_LATENCY_H
#define PROF_LATENCY_H

#include "analyse/spread.h"
#include "engine/stages.h"
#include "engine/timeline.h"
#include "prof/freeze.h"
#include "prof/heat.h"
#include "prof/stacks.h"

/* Options; for OPT_SUB. */
struct latency_want {
	const char *than, *only_than, *lower;      /* times */
	const char *detail;                        /* NULL: none; "" all between the two */
	const char *heatmap;                       /* NULL: none */
	bool per_instance, cycle;
	struct freeze_want freeze;
};
extern const struct opt latency_opts[];
extern const struct opt latency_than_opts[];       /* of them what is not of rows */

/* Which events around a pair are shown. */
struct latency_detail {
	bool on;
	uint64_t before, after;                    /* ns beyond the pair */
	uint64_t hide;                             /* events so close behind the one before are left out, ns */
	bool same_first, same_second;              /* only events like those of the pair */
	bool same_cpu, same_pid, same_tid, same_key;
};

struct latency_row {
	const struct tap *first, *second;
	uint64_t key;                              /* where rows are by key */
	uint64_t group;                            /* of struct latency_shape */
	struct spread spread;                      /* ns */
	uint64_t than;                             /* that took longer */
	uint64_t extra;                            /* of the profiler's own: a number of events, or ns */
};

enum latency_columns { LATENCY_AVG = 1, LATENCY_P50 = 2, LATENCY_P95 = 4, LATENCY_P99 = 8 };
enum { LATENCY_ROWS = 1 << 16, LATENCY_NAMES = 6 };   /* rows at most; columns that name a row, and those behind it */

/* What a row is and says where that is not start => end: all zero, as multi-trace has it. */
struct latency_shape {
	unsigned columns;                          /* enum latency_columns; 0: P50, P95, P99 */
	struct table_col names[LATENCY_NAMES];     /* in the place of key, start and end */
	size_t n_names;                            /* 0: there they are */
	const char *count;                         /* head of how many there were; NULL: calls */
	const struct table_col *more;              /* behind the numbers; NULL: none */
	bool by_total;                             /* the largest first, of each key */
	/* Pairs with the same number are one row (of a key with --perins). NULL: their events tell. */
	uint64_t (*group)(void *arg, const struct stages_pair *p);
	void (*put_names)(void *arg, struct table *t, const struct latency_row *r);
	void (*put_more)(void *arg, struct table *t, const struct latency_row *r);
};

struct latency {
	struct prof *prof;
	const struct latency_want *want;
	struct stages stages;
	struct prof_stacks stacks;
	struct timeline timeline;
	struct latency_detail detail;
	struct heat heat;
	struct freeze freeze;
	uint64_t than, only_than, lower;
	bool has_than, has_only_than, has_lower;
	struct map of;
	VEC(struct latency_row) rows;
	/* A pair whose detail goes on behind its end. */
	VEC(struct stages_pair) pending;
	struct out *out;
	uint64_t record, seq;                      /* the newest that is in the timeline */
	uint64_t rowless;                          /* pairs beyond LATENCY_ROWS */
	struct latency_shape shape;
	/* Called for each pair beside what is done here; may be NULL. */
	int (*pair)(void *arg, const struct stages_pair *p, struct latency_row *r);
	/* Is it shown though it took long? May be NULL: it is. */
	bool (*wanted)(void *arg, const struct stages_pair *p);
	/* The name of a key; NULL: a number. */
	const char *(*key_name)(void *arg, uint64_t key, char buf[64]);
	const char *key_head;                      /* NULL: rows are not by key */
	void *arg;
};

/* The feed is open. stages: how many, `l` is zeroed but for what stands from `shape` on. */
int latency_open(struct latency *l, struct prof *p, const struct latency_want *w, unsigned stages, struct err *e);
void latency_close(struct latency *l);

/* A hit of a stage; role: enum stages_role, 0: it only stands between others. 0 or -errno. */
int latency_hit(struct latency *l, const struct hit *h, unsigned stage, unsigned role, uint64_t key);
/* The same with more of it; its seq is set. */
int latency_event(struct latency *l, struct stages_event *ev);
/* A pair that was found elsewhere, of events that went through here. */
int latency_pair(struct latency *l, const struct stages_pair *p);
int latency_lost(struct latency *l, uint32_t cpu);

/* Are only rows wanted, of two stages, so that programs in the kernel may fill them? -EOPNOTSUPP: why not. */
int latency_ask(const struct latency *l, struct tally_event *asks, struct err *why);
/* What they have counted: see struct prof_kind's counted and bound. 0 or -ENOMEM. */
int latency_counted(struct latency *l, const struct tally_entry *n);
int latency_bound(struct latency *l, const struct tally_bound *b);
void latency_rest(struct latency *l);             /* what is no pair */

/* The row of a pair; NULL: no memory, or there are too many. */
struct latency_row *latency_row_of(struct latency *l, const struct stages_pair *p);

/* Rows of the interval, or of all. */
int latency_show(struct latency *l, bool last, struct out *o, struct err *e);

/* The same without rows: they are forgotten, and in the end it is told what is in none. */
int latency_end(struct latency *l, bool last, struct out *o, struct err *e);

#endif
