/*
 * latency.h - output of multi-trace and similar profilers: a row for each kind of pair (and key, if asked for), the
 * pairs that took too long, and the events between the two.
 */
#ifndef PROF_LATENCY_H
#define PROF_LATENCY_H

#include "analyse/spread.h"
#include "engine/stages.h"
#include "engine/timeline.h"
#include "prof/freeze.h"
#include "prof/heat.h"
#include "prof/stacks.h"

/* Options, for OPT_SUB. */
struct latency_want {
	const char *than, *only_than, *lower;      /* times */
	const char *detail;                        /* NULL: none; "": all events between the two */
	const char *heatmap;                       /* NULL: none */
	bool per_instance, cycle;
	struct freeze_want freeze;
};
extern const struct opt latency_opts[];
extern const struct opt latency_than_opts[];       /* the subset that is not about rows */

/* Which events around a pair are shown. */
struct latency_detail {
	bool on;
	uint64_t before, after;                    /* ns before and after the pair */
	uint64_t hide;                             /* skip events that follow the previous one within this time, ns */
	bool same_first, same_second;              /* only events of the pair's kinds */
	bool same_cpu, same_pid, same_tid, same_key;
};

struct latency_row {
	const struct tap *first, *second;
	uint64_t key;                              /* if rows are by key */
	uint64_t group;                            /* of latency_shape.group */
	struct spread spread;                      /* ns */
	uint64_t than;                             /* number of pairs that took longer */
	uint64_t extra;                            /* for the profiler: a number of events, or ns */
};

enum latency_columns { LATENCY_AVG = 1, LATENCY_P50 = 2, LATENCY_P95 = 4, LATENCY_P99 = 8 };
enum { LATENCY_ROWS = 1 << 16, LATENCY_NAMES = 6 };   /* limit for rows; columns that name a row, and those behind it */

/* Rows that differ from key, start => end: zeroed for those of multi-trace. */
struct latency_shape {
	unsigned columns;                          /* enum latency_columns; 0: P50, P95, P99 */
	struct table_col names[LATENCY_NAMES];     /* in place of key, start and end */
	size_t n_names;                            /* 0: key, start and end */
	const char *count;                         /* title of the count; NULL: calls */
	const struct table_col *more;              /* further columns; NULL: none */
	bool by_total;                             /* sort by total, within each key */
	/* Pairs with the same number share a row (per key with --perins). NULL: by their events. */
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
	/* Pairs whose details extend beyond their end. */
	VEC(struct stages_pair) pending;
	struct out *out;
	uint64_t record, seq;                      /* of the newest event in the timeline */
	uint64_t rowless;                          /* pairs without a row, beyond LATENCY_ROWS */
	struct latency_shape shape;
	/* Called for each pair in addition; may be NULL. */
	int (*pair)(void *arg, const struct stages_pair *p, struct latency_row *r);
	/* Show this pair's details? May be NULL: always. */
	bool (*wanted)(void *arg, const struct stages_pair *p);
	/* The name of a key; NULL: print the number. */
	const char *(*key_name)(void *arg, uint64_t key, char buf[64]);
	const char *key_head;                      /* NULL: rows are not by key */
	void *arg;
};

/* Call when the feed is open. stages: their number; `l` is zeroed except for `shape` and the members behind it. */
int latency_open(struct latency *l, struct prof *p, const struct latency_want *w, unsigned stages, struct err *e);
void latency_close(struct latency *l);

/* Process a hit of a stage; role: enum stages_role, 0: it is only shown between others. 0 or -errno. */
int latency_hit(struct latency *l, const struct hit *h, unsigned stage, unsigned role, uint64_t key);
/* The same with a prepared event; sets its seq. */
int latency_event(struct latency *l, struct stages_event *ev);
/* Process a pair that the caller found, of events that went through latency_event. */
int latency_pair(struct latency *l, const struct stages_pair *p);
int latency_lost(struct latency *l, uint32_t cpu);

/* Can BPF programs fill the rows, as only rows of two stages are wanted? -EOPNOTSUPP: the reason against it. */
int latency_ask(const struct latency *l, struct tally_event *asks, struct err *why);
/* Add what the programs counted: see prof_kind.counted and .bound. 0 or -ENOMEM. */
int latency_counted(struct latency *l, const struct tally_entry *n);
int latency_bound(struct latency *l, const struct tally_bound *b);
void latency_rest(struct latency *l);             /* prints what is in no pair */

/* The row of a pair; NULL: no memory, or too many rows. */
struct latency_row *latency_row_of(struct latency *l, const struct stages_pair *p);

/* Print the rows of the interval, or of everything. */
int latency_show(struct latency *l, bool last, struct out *o, struct err *e);

/* The same without printing rows: they are reset, and at the end the rest is reported. */
int latency_end(struct latency *l, bool last, struct out *o, struct err *e);

#endif
