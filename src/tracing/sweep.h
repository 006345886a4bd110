/* sweep.h - put back what a journal says, last change first. */
#ifndef TRACING_SWEEP_H
#define TRACING_SWEEP_H

#include "tracing/journal.h"

struct allow;

struct sweep {
	const struct sys *sys;
	int fd;          /* of the journal, positioned at its end; -1 none */
	void (*say)(void *arg, const char *line);   /* may be NULL */
	void *arg;
	const struct allow *allow;   /* another user's journal: what may be done. NULL: all of it */
	unsigned done, waits, left;
	struct err *e;   /* the first error; may be NULL */
	int error;       /* the first, -errno */
};

/* Errors do not stop it: the first. -EBUSY: the journal is to be kept, for somebody still uses what should go back. */
int sweep_log(struct sweep *s, struct sv log);

enum sweep_how {
	SWEEP_PASS,    /* journals that are held are passed over */
	SWEEP_WAIT,    /* what dead runs have changed is put back at the end, by us or by their guards */
	/*
	 * So are settings that exist once; those belong to one run at a time, or each would put back what the other has
	 * set. -EBUSY: a live run has them.
	 */
	SWEEP_CLAIM,
};

/* Before an old value is read: what dead runs have left. own: path of our journal. -EBUSY also: it takes too long. */
int sweep_others(const struct sys *sys, enum sweep_how how, const char *own, struct err *e);

enum sweep_kept { SWEEP_KEPT, SWEEP_LOST };
enum sweep_kept sweep_is_kept(struct sv log);

#endif
