/*
 * pairs.h - the time from one event to another with the same key, measured by the kernel: a variable in a histogram of
 * the first event, a synthetic event made by a histogram of the second (Linux 4.19).
 *
 *   pairs_define(&p, undo, &top, &want, e)   the synthetic event; before the buffer is made, so that it goes after it
 *   pairs_start(&p, undo, &t, e)             the two histograms, in the buffer t; the event is synthetic:NAME there
 *   pairs_dropped(&p, &t)                    how many events found no place among the keys; the rest is the undo's
 *
 * A second start with the same key replaces the first. Names carry the process id: runs do not meet.
 */
#ifndef TRACING_PAIRS_H
#define TRACING_PAIRS_H

#include "tracefs/grammar/trigger.h"
#include "tracing/evfile.h"

enum { PAIRS_FIELDS = 8 };

struct pairs_want {
	const char *from, *to;               /* as evfile_init takes them */
	const char *key, *to_key;            /* what is the same in both; to_key NULL: key */
	const char *from_if, *to_if;         /* filters, or NULL */
	const char *fields[PAIRS_FIELDS];    /* of `to`, carried along in the synthetic event */
	size_t n_fields;
	const char *name;                    /* of the synthetic event; NULL: one of our own */
	bool ns;                             /* its field `us` becomes `ns` */
	uint64_t size;                       /* keys at a time; 0: 8192 */
};

struct pairs {
	struct evfile from, to;
	char name[64];                       /* of the synthetic event */
	char unit[4];                        /* its first field: "us" or "ns" */
	char define[TRIGGER_MAX];             /* line of synthetic_events */
	char start[TRIGGER_MAX], end[TRIGGER_MAX];   /* triggers of from and to */
};

/* Only the texts. -ENOENT, -EINVAL with the nearest names. Always to be followed by pairs_deinit. */
int pairs_init(struct pairs *p, const struct tfs *t, const struct pairs_want *w, struct err *e);
void pairs_deinit(struct pairs *p);

int pairs_define(const struct pairs *p, struct undo *u, const struct tfs *top, struct err *e);
int pairs_start(const struct pairs *p, struct undo *u, const struct tfs *t, struct err *e);
uint64_t pairs_dropped(const struct pairs *p, const struct tfs *t);

#endif
