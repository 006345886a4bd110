/*
 * existing.h - the events that are defined now, by anybody: kprobe_events, uprobe_events, and the other kinds of
 * dynamic_events.
 */
#ifndef PROBING_EXISTING_H
#define PROBING_EXISTING_H

#include "base/vec.h"
#include "tracing/tfs.h"
#include "tracefs/dynevent.h"

struct existing {
	VEC(struct dynevent) v;   /* in the kernel's order: kernel probes, those of programs, others */
	char *text[3];            /* that they borrow */
};

int existing_read(struct existing *x, const struct tfs *t, struct err *e);
void existing_deinit(struct existing *x);

/* Is there a GROUP:EVENT? */
bool existing_has(const struct existing *x, struct sv group, struct sv event);

/* Remove one. -EBUSY with who uses it. */
int existing_remove(const struct tfs *t, const struct dynevent *d, struct err *e);

#endif
