/*
 * freeze.h - what went on around a pair that took too long: a buffer of the tracing file system, which the kernel
 * writes over and over, is stopped when there was one, and what is in it of that time is shown. It has its own instance
 * where the kernel can do that, and goes with the run.
 */
#ifndef PROF_FREEZE_H
#define PROF_FREEZE_H

#include "live/ringset.h"
#include "prof/prof.h"
#include "tracing/knames.h"
#include "tracing/plan.h"

struct rtext;

struct freeze_want {
	const char *around;              /* "before,after"; "" as usual; NULL: none is wanted */
	struct opt_list events, functions;
	uint64_t kb, times;              /* of each CPU; so many pairs are shown */
};
extern const struct opt freeze_opts[];

/* Of the events' clock, ns. */
struct freeze_span {
	uint64_t from, to;
};

/* Pages of a ring. */
struct freeze_ring {
	uint8_t *bytes;
	VEC(uint32_t) pages;             /* bytes of each */
	size_t room, at;                 /* pages that there is memory for; the next one that is read */
	uint64_t begins;                 /* the first event, ns */
	bool overrun;                    /* there were others before it, which were overwritten */
};

struct freeze {
	const struct freeze_want *want;  /* NULL: closed */
	struct prof *prof;
	uint64_t before, after;          /* ns */
	struct plan plan;
	struct undo *undo;
	struct tfs top, tfs;
	struct tevents events;
	struct ringset set;
	struct knames_late names;
	struct tprint_names printed;
	struct rtext *text;
	struct out *out;
	struct freeze_ring *rings;       /* what was taken out at last: one for each of the set's */
	uint64_t since, until;           /* it is of this time of the trace's clock, ns; 0: nothing was taken out */
	VEC(struct freeze_span) gaps;    /* in it, and the one behind it */
	uint64_t resumed;                /* when it went on after that */
	uint64_t left;                   /* pairs that will still be shown */
	uint64_t missed;                 /* pairs beyond these */
};

/*
 * The feed is open. It is traced from here on; 0 with want NULL if none is wanted. freeze_close puts all back, also
 * after an error.
 */
int freeze_open(struct freeze *f, struct prof *p, const struct freeze_want *w, struct err *e);
int freeze_close(struct freeze *f, struct err *e);

/* A pair that took too long. What goes wrong is noted, and nothing frozen again. */
void freeze_at(struct freeze *f, const struct freeze_span *pair);

#endif
