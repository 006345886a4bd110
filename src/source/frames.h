/*
 * frames.h - map addresses of processes to frames, one for each distinct function (or address), with its name.
 *
 * Two caches of fixed size: (generation of the address space, address) -> frame, see resolver_generation(), and
 * (file, address in it) -> frame, since processes mostly share their files.
 */
#ifndef SOURCE_FRAMES_H
#define SOURCE_FRAMES_H

#include "perf/sample.h"
#include "analyse/hist.h"
#include "base/arena.h"
#include "base/vec.h"
#include "sym/resolver.h"

struct session;

/* Tells frames apart by the data that their instructions access. */
struct frames_touch {
	int (*of)(void *arg, const struct sym_loc *l, struct hist_touch *t);   /* 0 or -ENOMEM; NULL: not used */
	void *arg;
};

/* An entry of a cache: an address in a generation of an address space, or in a file, and its frame. */
struct frames_known {
	uint64_t ip;
	uint32_t tag;                /* generation or file number, and TAG_RETURNS for a return address; 0: free */
	uint32_t frame;
};

struct frames {
	struct resolver *resolver;   /* borrowed */
	const struct arch *arch;     /* of the recorded machine */
	VEC(struct hist_frame) v;
	uint32_t *slot;              /* hash table of v: index + 1, 0: free */
	size_t cap;                  /* size of slot */
	struct arena labels;
	struct frames_known *known;  /* cache by generation */
	struct frames_known *places; /* cache by file */
	uint64_t misses;             /* lookups that neither cache had */
	struct calltree lists;       /* lists of the frames of one address, outermost first; equal lists share a node */
	struct frames_touch touch;   /* its texts are interned */
	bool exact;                  /* one frame for each address, not for each function */
	bool inlines;                /* an address has frames for the functions inlined there, too */
	bool lines;                  /* one frame for each line of the source */
};

/* Enough frames for a chain of CHAIN_MAX addresses, inlined functions included. */
enum { FRAMES_DEPTH = 4 * CHAIN_MAX };

/* Flag in a result of frames_at(): the other bits are a node of `lists`, not an index of `v`. */
#define FRAMES_LIST (UINT32_C(1) << 31)

int frames_init(struct frames *f, const struct session *s);   /* 0 or -ENOMEM; borrows the session */
void frames_deinit(struct frames *f);

/* No more addresses will be looked up: free the caches and tables, but keep the frames. */
void frames_settle(struct frames *f);

/*
 * Keep only the frames i with used[i] == 1, and set used[i] to their new indices. Caches and tables are emptied.
 */
void frames_keep(struct frames *f, uint32_t *used);

/* A frame with this name and without an address; NAMES_NONE: no memory. */
uint32_t frames_named(struct frames *f, const char *name);

/* The frame of an address, or a list of frames for frames_of(); NAMES_NONE: no memory. */
uint32_t frames_at(struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c);

/* Prefetch the cache entry of an address that frames_at() will look up soon. */
void frames_near(const struct frames *f, uint32_t generation, const struct chain_frame *c);

/* Expand a result of frames_at() to frames, outermost first; returns their number. */
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

/* The outermost of these frames: the function that is not inlined. */
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
 * The location of an address. A return address at the start of a symbol, or in no symbol, is looked up one byte
 * before, which is in the caller: then *behind is 1, else 0. NULL: no memory.
 */
const struct sym_loc *frames_loc(const struct frames *f, const struct resolver_spaces *in, const struct chain_frame *c,
				 unsigned *behind);

/* The label of a frame, valid as long as f. Never NULL. */
const char *frames_label(struct frames *f, uint32_t frame);

/* The same without keeping it: written into buf, of more than 24 bytes, unless frames_label() has made it. */
const char *frames_label_text(const struct frames *f, uint32_t frame, char *buf, size_t size);

#endif
