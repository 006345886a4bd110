/*
 * cut.h - a recording in several parts, each a complete file: what ends a part (SIGUSR2, --control, a size, a time),
 * the name that the part gets then, and how many parts are kept.
 *
 * A part is written as FILE and becomes FILE.YYYYMMDDhhmmsscc when it ends, as with perf; the time is UTC.
 */
#ifndef CMD_RECORD_CUT_H
#define CMD_RECORD_CUT_H

#include "base/vec.h"
#include "sys/sys.h"

struct record_cut_want {
	bool on;                 /* --switch-output */
	bool earlier;            /* max_files counts the parts of earlier runs, too */
	bool stamp;              /* --timestamp-filename: only one part, with the time in its name */
	uint64_t size, ns;       /* bytes and duration that end a part; both 0: it ends on request only */
	uint64_t max_files;      /* 0: all parts are kept */
	const char *stem;        /* first part of the parts' names, before the time; NULL: the file's own path */
};

/* "STEM.run-...": the unfinished file of one of several runs that share a stem; at its end it becomes a part. */
#define RECORD_CUT_RUN "run-"

/* Parse the argument of --switch-output: "signal", 100M, 30s; NULL is "signal". 0 or -EINVAL. */
int record_cut_parse(struct record_cut_want *w, const char *value, struct err *e);

struct record_cut {
	VEC(char *) kept;        /* with max_files: paths of the parts that exist, the oldest first */
	unsigned n;              /* parts that have ended */
	uint64_t bytes;          /* size of all ended parts together */
	bool due;                /* a signal, --control or an event has asked for the next part */
	char name[PATH_MAX];     /* path of the part that ended last */
};

/* The part in `path` is complete: rename it (to c->name) and delete the oldest beyond max_files. 0 or -errno. */
int record_cut_end(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, const char *path,
		   struct err *e);

/* What the names of parts begin with: w->stem, else `path`, the output file. */
const char *record_cut_stem(const struct record_cut_want *w, const char *path);

/* Lock the new file of a run that shares its stem, so that other runs see that it is still being written. */
void record_cut_hold(const struct record_cut_want *w, const struct sys *sys, int fd);

/* Rename path to name without replacing a file. 0, -EEXIST or another -errno. */
int record_cut_place(const struct sys *sys, const char *path, const char *name);

/* At the start: with w->earlier find the parts of earlier runs. 0 or -ENOMEM. */
int record_cut_find(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, const char *path);
void record_cut_deinit(struct record_cut *c);

#endif
