/*
 * cut.h - a recording in parts, each a complete file: what ends one (SIGUSR2, --control, a size, a time), how it
 * is called then, and how many are kept.
 *
 * A part is written as FILE and becomes FILE.YYYYMMDDhhmmsscc when it ends, as with perf; the time is UTC.
 */
#ifndef CMD_RECORD_CUT_H
#define CMD_RECORD_CUT_H

#include "base/vec.h"
#include "sys/sys.h"

struct record_cut_want {
	bool on;                 /* --switch-output */
	bool earlier;            /* files of earlier runs count as those of this one */
	bool stamp;              /* --timestamp-filename: one part, but with its time in the name */
	uint64_t size, ns;       /* bytes of a part, time it takes; both 0: when it is asked for */
	uint64_t max_files;      /* 0: all are kept */
	const char *stem;        /* what parts are called, and the time; NULL: as the file */
};

/* Behind a stem and its dot: a file that one of several writers has for itself, until it becomes a part. */
#define RECORD_CUT_RUN "run-"

/* "signal", 100M, 30s; NULL: signal. */
int record_cut_parse(struct record_cut_want *w, const char *value, struct err *e);

struct record_cut {
	VEC(char *) kept;        /* with max_files: those that are there, the oldest first */
	unsigned n;              /* parts that have ended */
	uint64_t bytes;          /* in all of them */
	bool due;                /* somebody has asked for the next one */
	char name[PATH_MAX];     /* the last that has ended */
};

/* path has been written, and gets its name (cut.name); what is too old goes. 0 or -errno. */
int record_cut_end(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, const char *path,
		   struct err *e);

/* What the names of parts begin with; path: that of the file. */
const char *record_cut_stem(const struct record_cut_want *w, const char *path);

/* A new file is that of this run: others shall see that it is written to. */
void record_cut_hold(const struct record_cut_want *w, const struct sys *sys, int fd);

/* path becomes name. 0, -EEXIST or another -errno. */
int record_cut_place(const struct sys *sys, const char *path, const char *name);

/* At the beginning: the parts that are there already, if they count. 0 or -ENOMEM. */
int record_cut_find(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, const char *path);
void record_cut_deinit(struct record_cut *c);

#endif
