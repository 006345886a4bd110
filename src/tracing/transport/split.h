/*
 * split.h - parts of a recording as recordings of their own: a range of time, so many events, pages, microseconds; the
 * next part begins with the event behind. No event is lost or doubled between parts.
 */
#ifndef TRACING_TRANSPORT_SPLIT_H
#define TRACING_TRANSPORT_SPLIT_H

#include "base/vec.h"
#include "sys/sys.h"
#include "tracefs/dat/dat.h"

enum split_unit { SPLIT_WHOLE, SPLIT_NS, SPLIT_EVENTS, SPLIT_PAGES };

struct split_buffer {
	size_t from;            /* index in d->buffers */
	const char *name;       /* in the parts; "" the top one */
};

struct split_want {
	const struct sys *sys;
	const struct tdat *d;
	const char *output;     /* with `repeat`: "output.0001", "output.0002" ... */
	enum split_unit unit;
	uint64_t count;
	bool repeat;
	bool each_cpu;          /* the unit is counted for each ring */
	int cpu;                /* only this; -1 all */
	uint64_t start, end;    /* ns as they are shown; end UINT64_MAX: none */
	VEC(struct split_buffer) buffers;   /* empty: all */
	void (*made)(void *arg, const char *path, uint64_t events);
	void *arg;
	const struct sv *kept;  /* as datfile_want's */
	uint64_t *bad_pages;    /* counted up by pages that end in something impossible */
};

/* How many parts were made, or -errno. */
int split_run(const struct split_want *w, struct err *e);

#endif
