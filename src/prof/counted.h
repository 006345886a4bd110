/*
 * counted.h - for profilers that read counters periodically from user space instead of taking hits: of CPUs or of
 * tasks. Recordings have no such counters.
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
	VEC(struct cpus) cpus;           /* by spec: CPUs on which it counts; none: all */
	struct target target;
	struct loop loop;
	struct counters counters;
	bool is_held, is_open;
};

struct counted_want {
	uint64_t period_ns;              /* between two reads */
	bool cpus;                       /* count CPUs; a command only determines the duration */
	/* Called at each read, and (last) at the end. 0 or -errno. */
	int (*look)(struct prof *p, struct counted *c, bool last, struct err *e);
};

/* Open the specs' events, and read them until the end. 0 or -errno. */
int counted_run(struct prof *p, const struct counted_want *w, struct err *e);

/*
 * The same in the caller's loop, and without a command. Call counted_close also after an error. Values are those
 * between the last two calls of counted_read (or counted_start).
 */
int counted_open(struct counted *c, struct prof *p, struct err *e);
void counted_start(struct counted *c);
void counted_read(struct counted *c);
void counted_close(struct counted *c);

/* Places: CPUs or threads, by index. */
size_t counted_places(const struct counted *c);
uint64_t counted_place(const struct counted *c, size_t place);   /* number of the CPU or thread */

/* Sum of all events of a spec since the previous read. False: not counted there. */
bool counted_value(const struct counted *c, size_t spec, size_t place, struct counter_value *v);

/* Name of a spec's row or column. */
const char *counted_name(const struct prof *p, size_t spec);

#endif
