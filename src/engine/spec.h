/*
 * spec.h - events with what a profiler wants to know of them, as perf-prof's -e has them:
 *
 *	EVENT[,EVENT...]
 *	EVENT: NAME[/FILTER/ATTR/ATTR/.../]
 *
 *	sched:sched_wakeup/comm~"java"/key=pid/   kmem:kmalloc//ptr=ptr/size=bytes_alloc/stack/
 *	kprobe:do_sys_open   uprobe:f@"/bin/x"    cycles//stack/
 *
 * A profiler may stand for what it samples, with its options for a filter: profile/-F 200 -g/untraced/ (cycles, or
 * cpu-clock where there are none) and page-faults/-g/.
 *
 * NAME is one of the event grammar (perf/event.h) without its own slashes; what a probe fetches is args=. A '/' within
 * quotes or parentheses is part of the text; a value in quotes is what they hold.
 */
#ifndef ENGINE_SPEC_H
#define ENGINE_SPEC_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

enum { SPEC_TOPS = 8, SPEC_STACK_MAX = 1024 };

/* What top adds up. */
struct spec_top {
	const char *expr;
	bool sorts;
};

/* NULL where it was not given. */
struct spec {
	const char *text;            /* as typed */
	const char *event;           /* for the event grammar */
	const char *instead;         /* what it is where the machine has no such counter; NULL: nothing */
	const char *filter;          /* of the kernel's filters; "" none */
	const char *alias, *exec, *cpus, *args;
	const char *key, *printkey, *comm, *ptr, *size, *num, *role;
	struct spec_top top[SPEC_TOPS];
	unsigned n_top;
	unsigned max_stack;          /* frames; 0: as ever */
	unsigned group;              /* which -e it came with */
	bool stack, untraced, trigger;
	bool optional;               /* a profiler's own, which not each kernel and recording has: it is passed over */
};

struct specs {
	VEC(struct spec) v;
	unsigned groups;             /* -e so far */
	struct arena arena;
};

/* The events of one more -e. -EINVAL with a mark under the place. */
int specs_add(struct specs *s, const char *text, struct err *e);
/* One of its own, in the event grammar; -ENOMEM. */
int specs_add_event(struct specs *s, const char *event, struct err *e);
void specs_deinit(struct specs *s);

#endif
