/*
 * why.h - sonde why: where the time of a task went; cmd/cmd_why.c runs it. ledger.c adds up, why.c takes events,
 * places.c interprets call chains, told.c reads /proc and cgroup files, polled.c works without events, text.c prints
 * the page.
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
	const char *task;                /* as the user named it, for the heading; NULL: a command */
	const char *name;                /* in a recording: threads of this name */
	const char *time;
	const char *duration;
	uint64_t freq, rows;
};

extern const struct opt why_options[];
void why_defaults(void *want);

/* What a call chain tells; names are ids of why.names, 0: none. */
struct why_place {
	uint32_t what;                   /* "read (pipe_read)": the system call, and the kernel function that waits */
	uint32_t by;                     /* the kernel function that wakes another task */
	bool known, is_disk, is_fault;
};

struct why_function {
	uint32_t name;
	uint64_t n;
	bool kernel;
};

/* Values from /proc and cgroup files: of the window, or totals until now. */
enum { WHY_LEVELS = 16 };
struct why_told {
	uint64_t minor, major;           /* page faults */
	bool has_faults;
	size_t n;                        /* control groups: the task's own, and its ancestors */
	struct why_group {
		char path[512];              /* its directory */
		size_t mount;                /* length of the mount point in path */
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
	VEC(struct why_place) places;    /* by node of callers' tree */
	struct why_samples samples;
	VEC(struct why_function) functions;
	struct map function_of;          /* name, and whether it is a kernel function -> index + 1 */
	VEC(uint32_t) ids;               /* pids; or tids, if are_threads */
	bool are_threads, with_children, has_begun;
	bool has_waking, has_irqs, has_samples, polled;
	struct why_told told;
	uint64_t ticks[2];               /* polled: ticks in user and kernel mode */
	uint64_t lost;                   /* events lost so far */
	uint64_t minor, major;           /* page faults of a recording, if it has such events */
	bool failed;
};

/* The id of a name; 0: it is empty, or there are too many; NAMES_NONE: no memory. */
uint32_t why_name(struct why *w, const char *text, size_t n);
const char *why_text(const struct why *w, uint32_t name);     /* "?" for 0 */
/* places.c: the place of a call chain. NULL: no memory. */
const struct why_place *why_place(struct why *w, uint32_t stack);

/* The id of "read (pipe_read)" from a thread's /proc files; NAMES_NONE: no memory. */
uint32_t why_place_told(struct why *w, uint32_t tid);

/* The cause for a state letter of /proc/TID/stat. */
enum ledger_cause why_cause_told(char state);

/* told.c: read the totals now; later replace them by what has come since. */
void why_told_now(struct why_told *t, const struct sys *sys, const uint32_t *pids, size_t n, bool threads);
void why_told_since(struct why_told *t, const struct sys *sys, const uint32_t *pids, size_t n, bool threads);
/* The group that was throttled most; NULL: none was. */
const struct why_group *why_throttled(const struct why_told *t);

/* Fields of /proc/.../stat by their numbers in proc(5), and the state (field 3). False: the thread has ended. */
enum { WHY_STAT_MINOR = 10, WHY_STAT_MAJOR = 12, WHY_STAT_USER = 14, WHY_STAT_KERNEL = 15, WHY_STATS };
struct why_stat {
	char state;
	uint64_t v[WHY_STATS];
};
bool why_stat(const struct sys *sys, const char *path, struct why_stat *st);

/* polled.c: without events. */
int why_alone(struct prof *p, struct out *o, struct err *e);

/* Set w->ids to the processes or threads that were asked for; child: the command's pid, 0: none. */
int why_ids(struct why *w, int child, struct err *e);
/* The end of a live run: take the values from /proc and cgroup files. */
void why_told_end(struct why *w, const struct loop *l);

/* text.c: print the page, or JSON. 0 or -ENOMEM. */
int why_show(struct why *w, struct out *o);

void why_close(struct why *w);

#endif
