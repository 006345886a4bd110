/*
 * split.h - splits a recording into recordings: a time range, or so many events, pages, microseconds; each part begins
 * with the event behind the previous part. No event is lost or duplicated between parts.
 */
#ifndef TRACING_TRANSPORT_SPLIT_H
#define TRACING_TRANSPORT_SPLIT_H

#include "base/vec.h"
#include "sys/sys.h"
#include "tracefs/dat/dat.h"

enum split_unit { SPLIT_WHOLE, SPLIT_NS, SPLIT_EVENTS, SPLIT_PAGES };

struct split_buffer {
	size_t from;            /* index in d->buffers */
	const char *name;       /* in the parts; "": the top-level buffer */
};

struct split_want {
	const struct sys *sys;
	const struct tdat *d;
	const char *output;     /* with `repeat`: "output.0001", "output.0002" ... */
	enum split_unit unit;
	uint64_t count;
	bool repeat;
	bool each_cpu;          /* count the unit separately for each ring */
	int cpu;                /* only this CPU; -1: all */
	uint64_t start, end;    /* ns as reports show them; end UINT64_MAX: no end */
	VEC(struct split_buffer) buffers;   /* empty: all */
	void (*made)(void *arg, const char *path, uint64_t events);
	void *arg;
	const struct sv *kept;  /* as datfile_want's */
	uint64_t *bad_pages;    /* incremented for pages that end in an invalid entry */
};

/* Returns the number of parts, or -errno. */
int split_run(const struct split_want *w, struct err *e);

#endif
