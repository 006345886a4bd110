/*
 * allow.h - which records of another user's journal root carries out. Such a journal may say anything: its records are
 * looked up in tables, and what is not in them is left for that user to do.
 *
 * Probes, synthetic events and instances are removed when their names show that a dead process has made them. A trigger
 * is removed together with such an instance. A setting in the tables gets a harmless value back when that user could
 * have written the file himself.
 */
#ifndef TRACING_ALLOW_H
#define TRACING_ALLOW_H

#include "tracing/journal.h"

struct allow {
	const struct sys *sys;
	const char *root;    /* of tracefs */
	unsigned uid;        /* the owner of the journal */
	uint64_t *starts;    /* start times of all processes; pids may differ between pid namespaces */
	size_t n;
};

int allow_init(struct allow *a, const struct sys *sys, const char *root, struct err *e);
void allow_deinit(struct allow *a);

/* NULL: carry it out. Else the reason against it, for a message. */
const char *allow_why_not(const struct allow *a, const struct jrec *rec);

#endif
