/*
 * define.h - turns a point into definitions for the kernel: names, places, arguments, and the checks that keep a probe
 * harmless.
 */
#ifndef PROBING_DEFINE_H
#define PROBING_DEFINE_H

#include "base/fmt.h"
#include "base/map.h"
#include "probing/kernel_list.h"
#include "probing/subject.h"

struct define_want {
	bool force;              /* if a name is taken choose another one */
	bool at_returns;         /* probe the return instructions instead of the return address */
	bool prefer_cheap;       /* choose a cheaper instruction that is executed exactly as often */
	unsigned max_probes;     /* limit for addresses of one point; 0: 128, and none for a pattern */
	const char *group;       /* for points that name none; NULL: as perf chooses it */
	bool unsafe;             /* also where a probe would keep the program from making progress */
};

/* One definition. */
struct defined {
	char group[64], event[64];
	char wanted[64];         /* the event's name before a number was appended */
	char *line;              /* as the kernel accepts it; malloc'ed */
	const char *file;        /* "kprobe_events" or "uprobe_events" */
	const char *func;        /* function that has the address, borrowed from the subject */
	const char *inlined;     /* inlined function there that was asked for, or NULL */
	const char *module;
	uint64_t addr, offset;
	uint64_t file_offset;    /* of a program; offset in the file */
	uint64_t semaphore;
	bool is_return, in_loop;
	char *fetch;             /* arguments as in the line, for dynevent_next; malloc'ed */
	size_t before;           /* index + 1 of the previous definition that wanted the same name; 0: none */
	bool shares;             /* set by kernel_list_add: a further place of an event made by a previous definition */
};

struct definer {
	struct subject *s;
	const struct define_want *want;
	unsigned features;       /* features of fetch.h that the kernel has */
	bool is_go;              /* the program is written in Go */
	bool many_places;        /* the kernel lets one event have several addresses */
	const struct kernel_list *there;   /* existing names; or NULL */
	VEC(struct defined) v;
	size_t points;           /* number of points that v comes from */
	struct names taken;      /* "GROUP:EVENT" of v */
	struct names wanted;     /* "GROUP:NAME" before numbers were appended; the index is that of `newest` */
	VEC(size_t) newest;
	struct {                 /* remarks for the user; "": none */
		char prologue[160], skipped[240], returns[160], loop[200], sign[200], missing[330], refused[400];
	} note;
};

void definer_init(struct definer *d, struct subject *s, const struct define_want *w, const char *readme);
void definer_deinit(struct definer *d);

/*
 * Append the definitions of one point to d->v. -EEXIST, -ENOENT, -EINVAL (refused, with the nearest good place),
 * -E2BIG.
 */
int define_point(struct definer *d, const struct point *p, struct err *e);

/* The i-th note; "" when it is empty, NULL behind the last one. */
const char *definer_note(const struct definer *d, size_t i);

#endif
