/*
 * table.h - counts summed for showing: a row per event (uncore instances of one event are one row), a key per
 * CPU, core, cluster, cache, die, socket, node or thread, or a single key for all. Cells are filled from the counters
 * again and again; nothing allocates after _init.
 */
#ifndef CMD_STAT_TABLE_H
#define CMD_STAT_TABLE_H

#include "analyse/derived.h"
#include "analyse/stats.h"
#include "live/counter.h"
#include "perf/topology.h"
#include "perf/write_stat.h"

enum stat_by {
	STAT_BY_ALL, STAT_BY_CPU, STAT_BY_CORE, STAT_BY_CLUSTER, STAT_BY_CACHE, STAT_BY_DIE, STAT_BY_SOCKET,
	STAT_BY_NODE, STAT_BY_THREAD
};

enum stat_merge { STAT_MERGE, STAT_NO_MERGE };

enum { STAT_LAST_CACHE = 0, STAT_CACHES_MAX = 4 };

/* How counts are summed up. */
struct stat_sum {
	enum stat_by by;
	enum stat_merge merge;
	unsigned cache_level;  /* STAT_BY_CACHE: 1 to STAT_CACHES_MAX, or STAT_LAST_CACHE of each CPU */
	/* The recording's, borrowed during _init; NULL: use this machine's topology, and the target's threads. */
	const struct cpu_places *places;
	const struct perf_stat_thread *threads;
	size_t n_threads;
};

struct stat_key {
	uint64_t id;           /* keys are sorted by it */
	char label[40];        /* "S0-D0-C1", "3" (CPU), "sleep-185" */
	int tid;               /* STAT_BY_THREAD */
	size_t first;          /* STAT_BY_CPU: index of the first key of the same core */
	char core[40];         /* and that core's label: "S0-D0-C1" */
};

struct stat_row {
	char name[160];        /* as shown */
	const struct event *ev;
	const char *cgroup;    /* NULL: none */
	enum derived_role role;
	uint64_t context, pmu; /* as in struct derived_count */
	enum counter_state state;
	unsigned group;        /* index of the group's leader */
};

struct stat_cell {
	double value;              /* in the event's unit */
	struct counter_doubt doubt;   /* error of an estimate, in that unit */
	bool estimated;
	double enabled, running;   /* ns, summed over the counters of the cell */
	unsigned n;                /* counters that were summed */
	bool used;                 /* some counter belongs here, whether it could be opened or not */
	struct stats runs;         /* -r: the values of the runs */
	double sum_enabled, sum_running;
	struct counter_doubt sum_doubt;
};

struct stat_table {
	enum stat_by by;
	unsigned cache_level;
	const struct cpu_places *places;
	VEC(struct stat_key) keys;
	VEC(struct stat_row) rows;
	struct stat_cell *cells;           /* rows.n for each key */
	unsigned *row_of;                  /* counter -> row */
	uint16_t *key_of_cpu;              /* CPU -> key */
	struct derived_count *counts;      /* rows.n counts of the key that is being shown */
};

int stat_table_init(struct stat_table *t, const struct stat_sum *sum, const struct counters *c,
		    const struct target *target, struct err *e);
void stat_table_deinit(struct stat_table *t);

/* Fill the cells with the difference between the counters' last two reads. */
void stat_table_fill(struct stat_table *t, const struct counters *c);

/* -r: take the filled values as one run; at the end _means puts the mean of all runs into the cells. */
void stat_table_add_run(struct stat_table *t);
void stat_table_means(struct stat_table *t);

struct stat_cell *stat_table_cell(const struct stat_table *t, size_t key, size_t row);
bool stat_cell_counted(const struct stat_cell *c);

/* The range of the true value of an estimate. False: there is no upper limit. */
bool stat_cell_range(const struct stat_cell *c, double *least, double *most);

/* Set t->counts to the counts of one key, for derived_of(). */
void stat_table_relate(struct stat_table *t, size_t key);

/*
 * The event's term `percore`: the counts of a core's hardware threads are summed, and each thread shows the sum. _keys
 * finds the keys (CPUs) of each core, _sums adds up their counts.
 */
void stat_percore_keys(struct stat_table *t, const struct sys *sys);
void stat_percore_sums(struct stat_table *t);

/* The topology of a CPU: of the recorded machine if the table is of a recording, else of this one. */
struct cpu_place stat_place(const struct stat_table *t, const struct sys *sys, int cpu);

/* Set k's id and label to the CPU's cache of t->cache_level: "S0-D0-L3-ID0"; ID is the first CPU that shares it. */
void stat_key_of_cache(struct stat_key *k, const struct stat_table *t, const struct sys *sys, int cpu);

#endif
