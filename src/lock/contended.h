/*
 * contended.h - what `lock contention` knows: contention.c adds waits to rows, contention_text.c prints them. For these
 * two files only.
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
	struct owners owners;            /* by owner */
	struct names ids, texts, stacks; /* ids: what rows are told apart by */
	VEC(struct lock_row) rows;
	bool owner_stacks;               /* rows are by owner and stack */
	struct err no_stacks;            /* why there are none */
	uint64_t dropped;
};

/* The location of a frame of process pid (UINT32_MAX: of the kernel); as resolver_find(). */
const struct sym_loc *contended_place(struct contended *c, uint32_t pid, const struct chain_frame *f);

/* The text in the place of an owner's name, for owners from OWNERS_READERS on. */
const char *contended_nobody(uint32_t owner);

/* Print the rows in the form that was asked for. 0 or -ENOMEM. */
int contended_put(struct contended *c, struct out *o);

#endif
