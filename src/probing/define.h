/*
 * define.h - from a point to definitions that the kernel takes: names, places, arguments, and the checks that keep a
 * probe harmless.
 */
#ifndef PROBING_DEFINE_H
#define PROBING_DEFINE_H

#include "base/fmt.h"
#include "base/map.h"
#include "probing/kernel_list.h"
#include "probing/subject.h"

struct define_want {
	bool force;              /* take another name where one is taken */
	bool at_returns;         /* probe the return instructions instead of the return address */
	bool prefer_cheap;       /* another instruction that is passed just as often and costs less */
	unsigned max_probes;     /* addresses that one point may have; 0: 128, without limit for a pattern */
	const char *group;       /* for all that do not say one, or NULL: perf's choice */
	bool unsafe;             /* also where a probe would stop the program from getting on */
};

/* One definition. */
struct defined {
	char group[64], event[64];
	char wanted[64];         /* the event's name before a number was put behind it */
	char *line;              /* as the kernel takes it; malloc'ed */
	const char *file;        /* "kprobe_events" or "uprobe_events" */
	const char *func;        /* function that has the address, borrowed from the subject */
	const char *inlined;     /* what is inlined there and was asked for, or NULL */
	const char *module;
	uint64_t addr, offset;
	uint64_t file_offset;    /* of a program */
	uint64_t semaphore;
	bool is_return, in_loop;
	char *fetch;             /* its arguments as in the line, for dynevent_next; malloc'ed */
	size_t before;           /* index + 1 of the one before that wanted the same name; 0: none */
	bool shares;             /* kernel_list_add: it is another place of an event that one before it has made */
};

struct definer {
	struct subject *s;
	const struct define_want *want;
	unsigned features;       /* of fetch.h */
	bool is_go;              /* the program is Go's */
	bool many_places;        /* the kernel lets one event have several addresses */
	const struct kernel_list *there;   /* names that are taken; or NULL */
	VEC(struct defined) v;
	size_t points;           /* that v is of */
	struct names taken;      /* "GROUP:EVENT" of v */
	struct names wanted;     /* "GROUP:NAME" before a number was put behind it, and newest of v with it */
	VEC(size_t) newest;
	struct {                 /* worth a line for the user, in words; "" none */
		char prologue[160], skipped[240], returns[160], loop[200], sign[200], missing[330], refused[400];
	} note;
};

void definer_init(struct definer *d, struct subject *s, const struct define_want *w, const char *readme);
void definer_deinit(struct definer *d);

/* Add the definitions of one point to d->v. -EEXIST, -ENOENT, -EINVAL (refused, with the nearest good place), -E2BIG.
 */
int define_point(struct definer *d, const struct point *p, struct err *e);

/* The notes one by one, i from 0 on; "" where there is none, NULL behind the last. */
const char *definer_note(const struct definer *d, size_t i);

#endif
