/*
 * kernel_list.h - the kernel's lists of definitions, kprobe_events, uprobe_events and the other kinds of
 * dynamic_events: what is in them by anybody, adding to them, taking away, and why the kernel refused. All that sonde
 * defines goes this way, to stay (`probe --add`) or for one run (-e kprobe:...).
 */
#ifndef PROBING_KERNEL_LIST_H
#define PROBING_KERNEL_LIST_H

#include "base/vec.h"
#include "tracefs/grammar/dynevent.h"
#include "tracing/undo.h"

struct definer;
struct verbatim;

struct kernel_list {
	const struct tfs *tfs;    /* borrowed */
	struct undo *undo;        /* takes away again what is added; NULL: it stays */
	VEC(struct dynevent) v;   /* in the kernel's order: kernel probes, those of programs, others */
	size_t n_read;            /* of v; those behind are what kernel_list_add_verbatim has added */
	char *text[3];            /* that those read borrow */
};

/* undo is NULL afterwards. After an error there is nothing to deinit. */
int kernel_list_read(struct kernel_list *x, const struct tfs *t, struct err *e);
void kernel_list_deinit(struct kernel_list *x);

/* Is there a GROUP:EVENT? */
bool kernel_list_has(const struct kernel_list *x, struct sv group, struct sv event);

/*
 * Add what d has, all or none. Where one point has several places, those that the kernel refuses are left out of d and
 * counted in a note of it. x need not have been read.
 */
int kernel_list_add(struct kernel_list *x, struct definer *d, struct err *e);

/*
 * Add what was typed in the kernel's own words; l stays as long as x. An event of probes may be there already, by us
 * or, where they may be SHARED, by anybody: then this is another place of it (*again), which an undo takes away with
 * the event, and l->removal alone. -EEXIST for others.
 */
enum kernel_list_events { KERNEL_LIST_OWN, KERNEL_LIST_SHARED };
int kernel_list_add_verbatim(struct kernel_list *x, struct verbatim *l, enum kernel_list_events which, bool *again,
			     struct err *e);

/* Remove one. -EBUSY with who uses it. */
int kernel_list_remove(const struct tfs *t, const struct dynevent *d, struct err *e);

/* Would the kernel refuse the i-th of d, by what it lists of itself? -EINVAL with the reason. */
int kernel_list_foresee(const struct definer *d, size_t i, struct err *e);

/* What this kernel takes, in its own words: the tracing README, malloc'ed; "" where it cannot be read. */
char *kernel_list_readme(const struct sys *sys);

#endif
