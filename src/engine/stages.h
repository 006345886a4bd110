/*
 * stages.h - events that follow one another with the same key: A, then B, then C. Two consecutive stages are a pair,
 * and the time between their events is measured.
 *
 * An event ends the pair that the stage before it began, and begins the pair that the next stage ends. With `cycle` the
 * first stage ends what the last one began. A second beginning with the same key replaces the first. Pairs across lost
 * events are discarded, and counted; so are those beyond the limit of keys.
 */
#ifndef ENGINE_STAGES_H
#define ENGINE_STAGES_H

#include "analyse/spans.h"
#include "engine/hit.h"

enum stages_role { STAGES_BEGINS = 1, STAGES_ENDS = 2 };

struct stages_event {
	const struct hit *hit;
	unsigned stage, role;            /* role: mask of enum stages_role that the event may have */
	uint64_t key;
	uint64_t seq;                    /* for the caller, returned with the pair */
	uint64_t extra;                  /* the same */
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
	uint64_t replaced;               /* beginnings replaced by another one with the same key */
	uint64_t unstarted;              /* ends without a beginning */
	uint64_t discarded;              /* across lost events */
	uint64_t dropped;                /* beyond STAGES_KEYS */
};

enum { STAGES_KEYS = 1 << 18 };          /* limit of keys with an open pair */

struct stages {
	unsigned n;                      /* stages */
	bool cycle;
	struct spans open;               /* by key */
	uint64_t n_open;
	struct stages_stats stats;
	/* Called for each pair; non-zero is returned by stages_add(). */
	int (*pair)(void *arg, const struct stages_pair *p);
	void *arg;
};

void stages_init(struct stages *s, unsigned n, bool cycle);
void stages_deinit(struct stages *s);

/* 0, -ENOMEM or the result of `pair`. */
int stages_add(struct stages *s, const struct stages_event *ev);

/* Events of this CPU were lost; UINT32_MAX: of any. 0 or -ENOMEM. */
int stages_lose(struct stages *s, uint32_t cpu);

#endif
