/*
 * print.h - a table of counts as perf stat prints it: text, separated values or one JSON object per line.
 * Columns, words and keys are those of perf 6.12, because scripts read them.
 *
 *   text  [time] [key] value unit event [cgroup] # metric  ( +- spread ) (time counted in %)
 *   CSV   [time,] [key,[places,]] value,unit,event[,cgroup][,spread],time counted in ns,in %,metric,its unit
 *         of probes that --max-overhead has paused also: least,most (empty: no end)
 */
#ifndef CMD_STAT_PRINT_H
#define CMD_STAT_PRINT_H

#include "cmd/stat/events.h"
#include "cmd/stat/table.h"

enum stat_form { STAT_TEXT, STAT_CSV, STAT_JSON };

struct stat_print {
	struct out *o;
	enum stat_form form;
	const char *sep;                 /* CSV */
	bool group_digits;               /* 1,234,567 in text */
	bool core_threads;               /* events counted by core (percore) show each thread, not each core */
	bool spread;                     /* several runs: their deviation */
	bool cgroups;
	bool but_zeros;                  /* of every thread of a machine most did nothing: they have no rows */
	bool metric_only;                /* what counts add up to, a column each, not the counts */
	bool summary;                    /* behind the intervals: of all of them */
	bool stamped;                    /* intervals: rows begin with `at_ns` */
	uint64_t at_ns;
	double elapsed_ns;               /* what metrics relate to */
	const struct arch *arch;
	const struct stat_events *events;
};

/* The heading of a block in text: of what, and of how many runs. */
void stat_print_title(const struct stat_print *p, const char *subject, uint64_t runs);

/* The heading above intervals in text. */
void stat_print_columns(const struct stat_print *p, struct stat_table *t);

void stat_print_rows(const struct stat_print *p, struct stat_table *t);

struct stat_times {
	struct stats wall;           /* s, one value per run */
	double user, sys;            /* s, of the command */
	bool has_rusage;
};

/* Below the rows in text: elapsed time. */
void stat_print_times(const struct stat_print *p, const struct stat_times *times);

#endif
