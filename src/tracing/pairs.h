/*
 * pairs.h - the time from one event to another with the same key, measured by the kernel: a variable in a histogram of
 * the first event, a synthetic event made by a histogram of the second (Linux 4.19).
 *
 *   pairs_define(&p, undo, &top, &want, e)   the synthetic event; before the buffer is made: the undo goes backwards
 *   pairs_start(&p, undo, &t, e)             the two histograms in buffer t, where synthetic:NAME occurs
 *   pairs_dropped(&p, &t)                    number of events that found no free key; the undo does the rest
 *
 * A second start with the same key replaces the first. Names contain the pid, so that runs do not collide.
 */
#ifndef TRACING_PAIRS_H
#define TRACING_PAIRS_H

#include "tracefs/grammar/trigger.h"
#include "tracing/evfile.h"

enum { PAIRS_FIELDS = 8 };

struct pairs_want {
	const char *from, *to;               /* as evfile_init takes them */
	const char *key, *to_key;            /* the key field of both; to_key NULL: the same as key */
	const char *from_if, *to_if;         /* filters, or NULL */
	const char *fields[PAIRS_FIELDS];    /* of `to`, copied into the synthetic event */
	size_t n_fields;
	const char *name;                    /* of the synthetic event; NULL: a generated one */
	bool ns;                             /* its field `us` becomes `ns` */
	uint64_t size;                       /* maximum number of keys; 0: 8192 */
};

struct pairs {
	struct evfile from, to;
	char name[64];                       /* of the synthetic event */
	char unit[4];                        /* its first field: "us" or "ns" */
	char define[TRIGGER_MAX];             /* line of synthetic_events */
	char start[TRIGGER_MAX], end[TRIGGER_MAX];   /* triggers of from and to */
};

/* Make the texts only. -ENOENT, -EINVAL with the nearest names. Call pairs_deinit after any result. */
int pairs_init(struct pairs *p, const struct tfs *t, const struct pairs_want *w, struct err *e);
void pairs_deinit(struct pairs *p);

int pairs_define(const struct pairs *p, struct undo *u, const struct tfs *top, struct err *e);
int pairs_start(const struct pairs *p, struct undo *u, const struct tfs *t, struct err *e);
uint64_t pairs_dropped(const struct pairs *p, const struct tfs *t);

#endif
