/* sweep.h - undoes what a journal records, the last change first. */
#ifndef TRACING_SWEEP_H
#define TRACING_SWEEP_H

#include "tracing/journal.h"

struct allow;

struct sweep {
	const struct sys *sys;
	int fd;          /* of the journal, to append to; -1: none */
	void (*say)(void *arg, const char *line);   /* reports each step; may be NULL */
	void *arg;
	const struct allow *allow;   /* another user's journal: what may be done. NULL: everything */
	unsigned done, waits, left;
	struct err *e;   /* receives the first error; may be NULL */
	int error;       /* the first, -errno */
};

/* Undo a log. Errors do not stop it; returns the first. -EBUSY: keep the journal, a change is still in use. */
int sweep_log(struct sweep *s, struct sv log);

enum sweep_how {
	SWEEP_PASS,    /* skip locked journals */
	SWEEP_WAIT,    /* at the end all changes of dead runs are undone, by us or by their guards */
	/*
	 * The same for shared settings, which only one run at a time may change: two would restore each other's values.
	 * -EBUSY: a live run has changed them.
	 */
	SWEEP_CLAIM,
};

/*
 * Undo what dead runs have left, before old values are read. own: path of our journal. -EBUSY also: it takes too long.
 */
int sweep_others(const struct sys *sys, enum sweep_how how, const char *own, struct err *e);

enum sweep_kept { SWEEP_KEPT, SWEEP_LOST };
enum sweep_kept sweep_is_kept(struct sv log);

#endif
