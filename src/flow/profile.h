/*
 * profile.h - a recording's samples as one call tree: each address is resolved once, each distinct chain is kept once.
 *
 * What the tree's keys mean is said in analyse/hist.h.
 */
#ifndef FLOW_PROFILE_H
#define FLOW_PROFILE_H

#include "analyse/chain.h"
#include "analyse/hist.h"
#include "base/map.h"
#include "base/rex.h"
#include "flow/profile_filter.h"
#include "flow/profile_values.h"

enum { PROFILE_RECENT = 64, PROFILE_PATHS = 8 };

enum profile_chains { PROFILE_CHAINS, PROFILE_FLAT };   /* FLAT: the sampled address only */

struct profile_want {
	unsigned keys;             /* HIST_GROUP_KEYS that make groups */
	enum profile_chains chains;
	uint64_t max_stack;        /* innermost frames that count, 0: all */
	const struct rex *ends;    /* functions whose callees do not count: all is theirs. May be NULL; borrowed */
	struct values *values;     /* with HIST_VALUES; borrowed */
};

/* What an event's samples came to before names were filtered. */
struct profile_event {
	uint64_t samples, weight;   /* within the chosen processes, CPUs and times */
	uint64_t with_chain;
};

/* A frame of a process at a time: where it was resolved once. */
struct profile_slot {
	uint64_t ip;
	uint32_t space;        /* number of an address space as it was for a while; 0: free */
	uint32_t frame;
};

/* A chain that was seen before, and where it ends in the tree. */
struct profile_memo {
	uint64_t hash;         /* of the chain, the address spaces and the group */
	uint32_t node;         /* 0: free */
};

/* The last chain of a group: the next one mostly begins with the same callers. */
struct profile_path {
	uint32_t group, n;     /* n 0: none */
	uint32_t frame[CHAIN_MAX], node[CHAIN_MAX];   /* outermost first */
};

struct profile_space {
	uint32_t pid, space;
	bool known;
};

struct profile {
	struct session *session;
	struct profile_want want;
	struct filter filter;
	struct calltree tree;
	VEC(struct hist_frame) frames;
	VEC(struct hist_group) groups;
	VEC(struct profile_event) events;    /* by the session's index */
	uint64_t filtered;                   /* samples that the names left out */

	/* The way from an address to a frame. */
	uint32_t *frame_slot;                /* hash of (dso, addr, whether it is a symbol): index + 1, 0 = free */
	size_t frame_cap;
	struct names group_ids;
	struct arena labels;
	struct profile_slot *slot;
	uint64_t misses;                     /* addresses that the table did not know */
	struct map spaces;                   /* pid -> number, 0: changed since */
	struct profile_space last;
	uint32_t n_spaces, kernel_space;
	struct profile_memo *memo;
	struct profile_path *paths;          /* PROFILE_PATHS, by group */
	struct hist_group recent[PROFILE_RECENT];   /* groups, by a hash of the thread */
	uint32_t recent_id[PROFILE_RECENT];         /* NAMES_NONE: free */
	const char *swapper;
};

/* Read the whole session. f borrows w, filter texts and the session until deinit. */
int profile_init(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		 struct err *e);
void profile_deinit(struct profile *p);

struct hist_input profile_input(const struct profile *p);

/* What a frame is called, as long as the profile lives. Never NULL. */
const char *profile_label(struct profile *p, uint32_t frame);

/* The same into buf, of more than 24 bytes, when nobody asked for it before. */
const char *profile_label_text(const struct profile *p, uint32_t frame, char *buf, size_t size);

/* --- for those who look at single samples ----------------------------------------------------- */

/* A profile without samples, to resolve frames with. */
int profile_begin(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		  struct err *e);

/* To be called for every record that is no sample: mappings change. */
void profile_follow(struct profile *p, const struct perf_record *r);

/* Number of the frame that an address of a process is in; UINT32_MAX: no memory. */
uint32_t profile_frame(struct profile *p, uint32_t pid, const struct chain_frame *f);

/*
 * What an address is. A return address at the start of a symbol is looked up one byte before, in the function that
 * called: *behind is 1 then, else 0. NULL: no memory.
 */
const struct sym_loc *profile_loc(const struct profile *p, uint32_t pid, const struct chain_frame *f, unsigned *behind);

/* Of this frame, by its location. NAMES_NONE: no memory. */
uint32_t profile_frame_of(struct profile *p, const struct sym_loc *l);

#endif
