/*
 * spec.h - events with attributes for profilers, in the syntax of perf-prof's -e:
 *
 *	EVENT[,EVENT...]
 *	EVENT: NAME[/FILTER/ATTR/ATTR/.../]
 *
 *	sched:sched_wakeup/comm~"java"/key=pid/   kmem:kmalloc//ptr=ptr/size=bytes_alloc/stack/
 *	kprobe:do_sys_open   uprobe:f@"/bin/x"    cycles//stack/
 *
 * The name of a profiler may be used as an event, with its options in place of a filter: profile/-F 200 -g/untraced/
 * (cycles, or cpu-clock on a machine without counters) and page-faults/-g/.
 *
 * NAME is a name of the event grammar (perf/event.h) without slashes; fetch arguments of a probe are given with args=.
 * A '/' in quotes or parentheses does not separate; quotes around a value are removed.
 */
#ifndef ENGINE_SPEC_H
#define ENGINE_SPEC_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

enum { SPEC_TOPS = 8, SPEC_STACK_MAX = 1024 };

/* An expression that `top` sums up. */
struct spec_top {
	const char *expr;
	bool sorts;
};

/* Strings are NULL when not given. */
struct spec {
	const char *text;            /* as typed */
	const char *event;           /* for the event grammar */
	const char *instead;         /* event to use if the machine has no such counter; NULL: none */
	const char *filter;          /* in the kernel's filter language; "" none */
	const char *alias, *exec, *cpus, *args;
	const char *key, *printkey, *comm, *ptr, *size, *num, *role;
	struct spec_top top[SPEC_TOPS];
	unsigned n_top;
	unsigned max_stack;          /* frames; 0: the default */
	unsigned group;              /* index of its -e */
	bool stack, untraced, trigger;
	bool optional;               /* added by a profiler: skipped if the kernel or recording does not have it */
};

struct specs {
	VEC(struct spec) v;
	unsigned groups;             /* number of -e so far */
	struct arena arena;
};

/* Add the events of one -e. -EINVAL with a caret under the bad spot. */
int specs_add(struct specs *s, const char *text, struct err *e);
/* Add an event of the profiler itself, in the event grammar; -ENOMEM. */
int specs_add_event(struct specs *s, const char *event, struct err *e);
void specs_deinit(struct specs *s);

#endif
