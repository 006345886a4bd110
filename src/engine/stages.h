/*
 * stages.h - events that follow one another with the same key: A, then B, then C. Each two that stand behind one
 * another are a pair, and what is between them took its time.
 *
 * An event is the end of the pair that the stage before it began, and the beginning of one that the next stage ends.
 * With `cycle` the first stage ends what the last one began. A second beginning of the same key replaces the first.
 * Pairs during which events were lost are discarded, and counted; so are those that there is no memory for.
 */
#ifndef ENGINE_STAGES_H
#define ENGINE_STAGES_H

#include "analyse/spans.h"
#include "engine/hit.h"

enum stages_role { STAGES_BEGINS = 1, STAGES_ENDS = 2 };

struct stages_event {
	const struct hit *hit;
	unsigned stage, role;            /* role: enum stages_role; what the stage does not do is left out */
	uint64_t key;
	uint64_t seq;                    /* of the caller's own, given back with the pair */
	uint64_t extra;                  /* likewise */
	bool pinned;                     /* all of a key's events are on one CPU: only its losses matter */
};

struct stages_pair {
	const struct tap *first, *second;
	uint64_t key, from, to;          /* ns */
	uint32_t cpu_from, cpu_to, tid_from, tid_to, pid_from, pid_to;
	uint64_t seq_from, seq_to, extra_from, extra_to;
};

struct stages_stats {
	uint64_t pairs;
	uint64_t replaced;               /* beginnings before the end of the one with the same key */
	uint64_t unstarted;              /* ends without a beginning */
	uint64_t discarded;              /* across a loss */
	uint64_t dropped;                /* too many keys at a time */
};

enum { STAGES_KEYS = 1 << 18 };          /* open ones at a time */

struct stages {
	unsigned n;                      /* stages */
	bool cycle;
	struct spans open;               /* by key */
	uint64_t n_open;
	struct stages_stats stats;
	/* Not 0 ends stages_add with it. */
	int (*pair)(void *arg, const struct stages_pair *p);
	void *arg;
};

void stages_init(struct stages *s, unsigned n, bool cycle);
void stages_deinit(struct stages *s);

/* 0, -ENOMEM or what `pair` returned. */
int stages_add(struct stages *s, const struct stages_event *ev);

/* Events of this CPU were lost; UINT32_MAX: of any. 0 or -ENOMEM. */
int stages_lose(struct stages *s, uint32_t cpu);

#endif
