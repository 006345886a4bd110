/*
 * print.h - a table of counts as perf stat prints it: text, separated values or one JSON object per line.
 * Columns, words and keys are those of perf 6.12, because scripts read them.
 *
 *   text  [time] [key] value unit event [cgroup] # metric  ( +- spread ) (time counted in %)
 *   CSV   [time,] [key,[places,]] value,unit,event[,cgroup][,spread],time counted in ns,in %,metric,its unit
 *         and if --max-overhead has paused probes: least,most of the range (most is empty: no upper limit)
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
	bool spread;                     /* several runs: print their deviation */
	bool cgroups;
	bool but_zeros;                  /* leave out rows of 0: most threads of a machine do nothing */
	bool metric_only;                /* print no counts, only metrics, a column for each */
	bool summary;                    /* these are the sums of all intervals */
	bool stamped;                    /* intervals: rows begin with `at_ns` */
	uint64_t at_ns;
	double elapsed_ns;               /* the time in which these counts were made */
	const struct arch *arch;
	const struct stat_events *events;
};

/* Text: the heading of a block, with the subject and the number of runs. */
void stat_print_title(const struct stat_print *p, const char *subject, uint64_t runs);

/* Text: the heading above intervals. */
void stat_print_columns(const struct stat_print *p, struct stat_table *t);

void stat_print_rows(const struct stat_print *p, struct stat_table *t);

struct stat_times {
	struct stats wall;           /* s, one value per run */
	double user, sys;            /* s, of the command */
	bool has_rusage;
};

/* Text: the elapsed time, below the rows. */
void stat_print_times(const struct stat_print *p, const struct stat_times *times);

#endif
