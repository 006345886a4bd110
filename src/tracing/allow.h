/*
 * allow.h - what of another user's journal root carries out. Who wrote it may have written anything: what it says is
 * looked up in tables, and what is not found there stays to be done by that user.
 *
 * Probes, synthetic events and instances go when their names say that a process has made them that is dead. A trigger
 * goes with such an instance. A setting of the tables gets a harmless value back when that user could have written the
 * file himself.
 */
#ifndef TRACING_ALLOW_H
#define TRACING_ALLOW_H

#include "tracing/journal.h"

struct allow {
	const struct sys *sys;
	const char *root;    /* of the tracing file system */
	unsigned uid;        /* whose journal it is */
	uint64_t *starts;    /* when each process that there is started, whatever its number is for itself */
	size_t n;
};

int allow_init(struct allow *a, const struct sys *sys, const char *root, struct err *e);
void allow_deinit(struct allow *a);

/* NULL: it is carried out. Else why not, for a person. */
const char *allow_why_not(const struct allow *a, const struct jrec *rec);

#endif
