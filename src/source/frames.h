/*
 * frames.h - addresses of processes to frames: each distinct place once, with its name.
 *
 * Two tables of fixed size remember (generation of the address space, address) -> frame, see resolver_generation, and
 * (file, address in it) -> frame: what one process had, the next one mostly has, too.
 */
#ifndef SOURCE_FRAMES_H
#define SOURCE_FRAMES_H

#include "perf/sample.h"
#include "analyse/hist.h"
#include "base/arena.h"
#include "base/vec.h"
#include "sym/resolver.h"

struct session;

/* What tells frames apart by what their addresses touch. */
struct frames_touch {
	int (*of)(void *arg, const struct sym_loc *l, struct hist_touch *t);   /* 0 or -ENOMEM; NULL: nothing does */
	void *arg;
};

/* A place of an address space as it was for a while, or of a file: where it was resolved once. */
struct frames_known {
	uint64_t ip;
	uint32_t tag;                /* generation or file, and whether it is a return address; 0: free */
	uint32_t frame;
};

struct frames {
	struct resolver *resolver;   /* borrowed */
	const struct arch *arch;     /* of the recorded machine */
	VEC(struct hist_frame) v;
	uint32_t *slot;              /* hash of (dso, addr, whether it is a symbol): index + 1, 0: free */
	size_t cap;                  /* of slot */
	struct arena labels;
	struct frames_known *known;  /* by generation */
	struct frames_known *places; /* by file */
	uint64_t misses;             /* places that were not known */
	struct calltree lists;       /* frames of one address: from the outermost on, equal lists are one node */
	struct frames_touch touch;   /* texts are interned */
	bool exact;                  /* each address is a frame of its own, not each function */
	bool inlines;                /* an address has the frames of what is inlined there, too */
	bool lines;                  /* frames are told apart by where they are in the source, too */
};

/* More frames than a chain of CHAIN_MAX addresses has, with what is inlined in them. */
enum { FRAMES_DEPTH = 4 * CHAIN_MAX };

/* In what frames_at returns: the rest is a node of the lists. */
#define FRAMES_LIST (UINT32_C(1) << 31)

int frames_init(struct frames *f, const struct session *s);   /* 0 or -ENOMEM; borrows the session */
void frames_deinit(struct frames *f);

/* No more addresses come: what only leads to frames goes. */
void frames_settle(struct frames *f);

/*
 * Keep the frames that used[] has a 1 for; it becomes the new number of each. Nothing else is remembered after that.
 */
void frames_keep(struct frames *f, uint32_t *used);

/* A frame of this name that is at no address; NAMES_NONE: no memory. */
uint32_t frames_named(struct frames *f, const char *name);

/* The frame, or frames (frames_of), that an address of a process is in; NAMES_NONE: no memory. */
uint32_t frames_at(struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c);

/* frames_at will be asked for it soon: what the table has is brought into the cache meanwhile. */
void frames_near(const struct frames *f, uint32_t generation, const struct chain_frame *c);

/* The frames that frames_at means, outermost first. How many. */
static inline size_t frames_of(const struct frames *f, uint32_t id, uint32_t of[SYM_SPOTS_MAX])
{
	const struct ct_node *v = f->lists.nodes.v;
	size_t n = 0, at;

	if (!(id & FRAMES_LIST)) {
		of[0] = id;
		return 1;
	}
	for (uint32_t i = id & ~FRAMES_LIST; i; i = v[i].parent)
		n++;
	at = n;
	for (uint32_t i = id & ~FRAMES_LIST; i; i = v[i].parent)
		of[--at] = v[i].key;
	return n;
}

/* The one out of line. */
static inline uint32_t frames_outer(const struct frames *f, uint32_t id)
{
	const struct ct_node *v = f->lists.nodes.v;
	uint32_t i = id & ~FRAMES_LIST;

	if (!(id & FRAMES_LIST))
		return id;
	while (v[i].parent)
		i = v[i].parent;
	return v[i].key;
}

/*
 * What an address is. A return address at the start of a symbol, or in none, is looked up one byte before, in the
 * function that called: *behind is 1 then, else 0. NULL: no memory.
 */
const struct sym_loc *frames_loc(const struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c,
				 unsigned *behind);

/* What a frame is called, as long as f lives. Never NULL. */
const char *frames_label(struct frames *f, uint32_t frame);

/* The same into buf, of more than 24 bytes, when nobody asked for it before. */
const char *frames_label_text(const struct frames *f, uint32_t frame, char *buf, size_t size);

#endif
