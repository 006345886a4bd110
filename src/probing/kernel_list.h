/*
 * kernel_list.h - the kernel's lists of definitions: kprobe_events, uprobe_events and the other kinds of
 * dynamic_events. Reads what anybody has added, adds, removes, and explains why the kernel refused. All of sonde's
 * probes are added here, permanently (`probe --add`) or for one run (-e kprobe:...).
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
	struct undo *undo;        /* removes what is added; NULL: additions are permanent */
	VEC(struct dynevent) v;   /* in the kernel's order: kprobes, uprobes, others */
	size_t n_read;            /* entries of v that were read; later ones were added by kernel_list_add_verbatim */
	char *text[3];            /* texts of the files, from which v borrows */
};

/* Sets undo to NULL. After an error there is nothing to deinit. */
int kernel_list_read(struct kernel_list *x, const struct tfs *t, struct err *e);
void kernel_list_deinit(struct kernel_list *x);

/* Does an event GROUP:EVENT exist? */
bool kernel_list_has(const struct kernel_list *x, struct sv group, struct sv event);

/*
 * Add the definitions of d, all or none. If one point has several places, those that the kernel refuses are removed
 * from d and counted in one of its notes. x need not have been read.
 */
int kernel_list_add(struct kernel_list *x, struct definer *d, struct err *e);

/*
 * Add a definition in the kernel's grammar; l must outlive x. The probe event may exist already, added by us or, with
 * SHARED, by anybody: then this becomes a further place of it (*again), which the undo removes with the event, and
 * l->removal alone. -EEXIST for other kinds of events.
 */
enum kernel_list_events { KERNEL_LIST_OWN, KERNEL_LIST_SHARED };
int kernel_list_add_verbatim(struct kernel_list *x, struct verbatim *l, enum kernel_list_events which, bool *again,
			     struct err *e);

/* Remove one definition. -EBUSY with its users. */
int kernel_list_remove(const struct tfs *t, const struct dynevent *d, struct err *e);

/* Would the kernel refuse the i-th definition of d, by its own lists? -EINVAL with the reason. */
int kernel_list_foresee(const struct definer *d, size_t i, struct err *e);

/* The tracing README, which tells what this kernel supports, malloc'ed; "" when it cannot be read. */
char *kernel_list_readme(const struct sys *sys);

#endif
