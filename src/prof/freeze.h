/*
 * freeze.h - shows what happened around a pair that took too long: a trace buffer in overwrite mode is stopped when
 * such a pair is found, and its events of that time are printed. It has its own instance where the kernel supports
 * that, and is removed at the end.
 */
#ifndef PROF_FREEZE_H
#define PROF_FREEZE_H

#include "live/ringset.h"
#include "prof/prof.h"
#include "tracing/knames.h"
#include "tracing/plan.h"

struct rtext;

struct freeze_want {
	const char *around;              /* "before,after"; "": defaults; NULL: not wanted */
	struct opt_list events, functions;
	uint64_t kb, times;              /* per CPU; maximum number of pairs to show */
};
extern const struct opt freeze_opts[];

/* In the clock of the events, ns. */
struct freeze_span {
	uint64_t from, to;
};

/* Pages read from a ring. */
struct freeze_ring {
	uint8_t *bytes;
	VEC(uint32_t) pages;             /* size of each in bytes */
	size_t room, at;                 /* capacity in pages; index of the next page to decode */
	uint64_t begins;                 /* time of the first event, ns */
	bool overrun;                    /* older events were overwritten */
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
	struct freeze_ring *rings;       /* as read last: one for each of set's rings */
	uint64_t since, until;           /* time span of the trace that was read, ns; 0: nothing was read */
	VEC(struct freeze_span) gaps;    /* spans in it without tracing, and the one behind it */
	uint64_t resumed;                /* time when tracing went on */
	uint64_t left;                   /* number of pairs still to be shown */
	uint64_t missed;                 /* pairs beyond that number */
};

/*
 * Call when the feed is open. Starts tracing; 0 with want NULL if it is not wanted. freeze_close restores everything,
 * also after an error.
 */
int freeze_open(struct freeze *f, struct prof *p, const struct freeze_want *w, struct err *e);
int freeze_close(struct freeze *f, struct err *e);

/* Show what happened around a pair. An error is noted, and ends freezing. */
void freeze_at(struct freeze *f, const struct freeze_span *pair);

#endif
