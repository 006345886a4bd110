/*
 * contended.h - state of `lock contention`: contention.c adds waits to rows, contention_text.c prints them. Internal to
 * these two files.
 */
#ifndef LOCK_CONTENDED_H
#define LOCK_CONTENDED_H

#include "lock/lock.h"
#include "lock/owners.h"
#include "prof/rows.h"

struct lock_want {
	struct view_want view;
	struct lock_show_want show;
	struct lock_chosen_want chosen;
	bool threads, addresses, owner, bpf;
	uint64_t map_entries, max_stack, skip;
};

struct contended {
	struct prof *prof;
	const struct lock_want *want;
	const struct view_tap *taps;
	struct lock_show show;
	struct lock_chosen chosen;
	struct contention waits;
	struct owners owners;            /* with -o */
	struct names ids, texts, stacks; /* ids: the keys of the rows, by row */
	VEC(struct lock_row) rows;
	bool owner_stacks;               /* -ov: a row per owner and its stack */
	struct err no_stacks;            /* why the owners' stacks cannot be read */
	uint64_t dropped;                /* waits in no row, as there are too many rows */
};

/* The symbol at a frame of process pid (UINT32_MAX: a kernel frame), as returned by resolver_find(). */
const struct sym_loc *contended_place(struct contended *c, uint32_t pid, const struct chain_frame *f);

/* What is printed instead of an owner's name if it is unknown: for OWNERS_READERS, _UNKNOWN and _UNREAD. */
const char *contended_nobody(uint32_t owner);

/* Print the rows as text, CSV or JSON, as the options say. 0 or -ENOMEM. */
int contended_put(struct contended *c, struct out *o);

#endif
