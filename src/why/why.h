/*
 * why.h - sonde why: where the time of a task went; cmd/cmd_why.c runs it. ledger.c adds up, why.c takes events,
 * places.c is what stacks tell, told.c what files of the kernel tell, polled.c does with these alone, text.c is the
 * page.
 */
#ifndef WHY_WHY_H
#define WHY_WHY_H

#include "engine/callers.h"
#include "prof/prof.h"
#include "prof/view.h"
#include "why/ledger.h"

extern const struct prof_kind why_kind;

struct why_want {
	struct prof_want prof;
	const char *task;                /* as it was asked for, for the heading; NULL: a command */
	const char *name;                /* of a recording: threads that are called so */
	const char *time;
	const char *duration;
	uint64_t freq, rows;
};

extern const struct opt why_options[];
void why_defaults(void *want);

/* What a stack tells; numbers are those of why.names, 0: nothing. */
struct why_place {
	uint32_t what;                   /* "read (pipe_read)": the call, and the function of the kernel that waits */
	uint32_t by;                     /* the function that wakes */
	bool known, is_disk, is_fault;
};

struct why_function {
	uint32_t name;
	uint64_t n;
	bool kernel;
};

/* Of files of the kernel, in the window or until now. */
enum { WHY_LEVELS = 16 };
struct why_told {
	uint64_t minor, major;           /* page faults */
	bool has_faults;
	size_t n;                        /* control groups: the task's own, and those above it */
	struct why_group {
		char path[512];              /* its folder */
		size_t mount;                /* length of the mount's part of it */
		uint64_t periods, throttled, ns;
	} group[WHY_LEVELS];
};

struct why_samples {
	uint64_t n, kernel, fault;
};

struct why {
	struct prof *prof;
	const struct why_want *want;
	struct ledger ledger;
	struct names names;
	struct callers callers;
	VEC(struct why_place) places;    /* by stack */
	struct why_samples samples;
	VEC(struct why_function) functions;
	struct map function_of;          /* name and whether it is of the kernel -> index + 1 */
	VEC(uint32_t) ids;               /* processes whose threads are meant, or threads */
	bool are_threads, with_children, has_begun;
	bool has_waking, has_irqs, has_samples, polled;
	struct why_told told;
	uint64_t ticks[2];               /* polled: of user code, of the kernel */
	uint64_t lost;                   /* events, so far */
	uint64_t minor, major;           /* of a recording, if it has such events */
	bool failed;
};

/* Number of a name; 0: "" or too many; NAMES_NONE: no memory. */
uint32_t why_name(struct why *w, const char *text, size_t n);
const char *why_text(const struct why *w, uint32_t name);     /* "?" of 0 */

/* places.c: of a stack of callers. NULL: no memory. */
const struct why_place *why_place(struct why *w, uint32_t stack);
/* "read (pipe_read)" of what /proc tells of a thread; NAMES_NONE: no memory. */
uint32_t why_place_told(struct why *w, uint32_t tid);
/* By a letter of /proc's stat: its state. */
enum ledger_cause why_cause_told(char state);

/* told.c: now; then what has come since `before`. */
void why_told_now(struct why_told *t, const struct sys *sys, const uint32_t *pids, size_t n, bool threads);
void why_told_since(struct why_told *t, const struct sys *sys, const uint32_t *pids, size_t n, bool threads);
/* The one that was throttled most; NULL: none was. */
const struct why_group *why_throttled(const struct why_told *t);

/* Fields of /proc's stat by their numbers in proc(5), the state (3) apart. False: the thread has ended. */
enum { WHY_STAT_MINOR = 10, WHY_STAT_MAJOR = 12, WHY_STAT_USER = 14, WHY_STAT_KERNEL = 15, WHY_STATS };
struct why_stat {
	char state;
	uint64_t v[WHY_STATS];
};
bool why_stat(const struct sys *sys, const char *path, struct why_stat *st);

/* polled.c: without events. */
int why_alone(struct prof *p, struct out *o, struct err *e);

/* Which processes, or threads, are meant; child: the command, 0: none. */
int why_ids(struct why *w, int child, struct err *e);
/* The end of what is live: what files of the kernel tell then. */
void why_told_end(struct why *w, const struct loop *l);

/* text.c: the page, or JSON. 0 or -ENOMEM. */
int why_show(struct why *w, struct out *o);

void why_close(struct why *w);

#endif
