/*
 * counted.h - profilers that read counters now and then, from here, instead of looking at hits: of CPUs or of tasks.
 * There is nothing of it in a recording.
 */
#ifndef PROF_COUNTED_H
#define PROF_COUNTED_H

#include "live/counter.h"
#include "live/event_env.h"
#include "live/loop.h"
#include "prof/prof.h"

struct counted {
	struct prof *prof;
	struct event_env *env;
	struct event_list events;
	VEC(uint32_t) spec_of;           /* by event: index of its spec */
	VEC(struct cpus) cpus;           /* by spec: those that it is asked for; none: all */
	struct target target;
	struct loop loop;
	struct counters counters;
	bool is_held, is_open;
};

struct counted_want {
	uint64_t period_ns;              /* between two looks */
	bool cpus;                       /* a command only says how long */
	/* At each look, and (last) at the end. 0 or -errno. */
	int (*look)(struct prof *p, struct counted *c, bool last, struct err *e);
};

/* Open the specs' events, and look until the end. 0 or -errno. */
int counted_run(struct prof *p, const struct counted_want *w, struct err *e);

/*
 * The same in somebody else's loop, and without a command: counted_close also after an error; values are those since
 * the counted_read, or the start, before the last one.
 */
int counted_open(struct counted *c, struct prof *p, struct err *e);
void counted_start(struct counted *c);
void counted_read(struct counted *c);
void counted_close(struct counted *c);

/* Places: CPUs, or threads, by number; n is one more than the last. */
size_t counted_places(const struct counted *c);
uint64_t counted_place(const struct counted *c, size_t place);   /* the CPU's number, the thread's */

/* Since the look before this one: of all events of a spec. False: nothing counts it there. */
bool counted_value(const struct counted *c, size_t spec, size_t place, struct counter_value *v);

/* What a row or column of a spec is called. */
const char *counted_name(const struct prof *p, size_t spec);

#endif
