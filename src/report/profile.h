/*
 * profile.h - a recording's samples as one call tree: each address is resolved once, each distinct chain is kept once,
 * and when memory runs short, the branches with the least weight are folded into "[other]".
 *
 * analyse/hist.h says what the tree's keys mean.
 */
#ifndef REPORT_PROFILE_H
#define REPORT_PROFILE_H

#include "analyse/batch.h"
#include "analyse/running.h"
#include "base/map.h"
#include "base/rex.h"
#include "perf/topology.h"
#include "report/budget.h"
#include "source/frames.h"
#include "report/profile_filter.h"
#include "report/profile_values.h"

enum { PROFILE_RECENT = 64 };

enum profile_chains { PROFILE_CHAINS, PROFILE_FLAT };   /* FLAT: the sampled address only */

/* Sort key "parent" (perf's --parent): the first function of a chain whose name matches. */
struct profile_parent {
	struct rex names;
	bool from_outside;         /* search from the outermost frame on, not from the innermost */
	bool alone;                /* samples without such a caller are not in the rows */
};

struct profile_want {
	unsigned keys;             /* those of HIST_GROUP_KEYS by which samples are grouped */
	unsigned rows;             /* other keys of the rows */
	enum profile_chains chains;
	uint64_t max_stack;        /* use so many innermost frames, 0: all */
	bool nowhere;              /* no row key needs the address, and no chains are shown */
	bool inlines;              /* chains have frames for inlined functions, too */
	const struct rex *ends;    /* functions that absorb their callees. May be NULL; borrowed */
	struct values *values;     /* with HIST_VALUES; borrowed */
	const struct profile_parent *parent;   /* with HIST_PARENT; borrowed */
	bool by_weight;            /* use a sample's WEIGHT (cycles of an access), not its period */
	bool by_socket;            /* only samples of this socket are in the rows */
	int32_t socket;
	struct budget budget;
};

/* Sums over an event's samples, before filters by name. */
struct profile_event {
	double latency;             /* sum of weight / number of running tasks: with HIST_PARALLELISM */
	uint64_t samples, weight;   /* within the chosen processes, CPUs and times */
	uint64_t with_chain;
	uint64_t old_samples, old_weight;   /* the sums at the last profile_gather() */
	double old_latency;
};

/* The sums of a node of the tree at the last profile_gather(): full batches may be merged before the next one. */
struct profile_old {
	uint64_t self;
	uint32_t samples;
};

enum { PROFILE_SPACES = 64, PROFILE_VALUED = 1024 };

/* Cache entry: the group of samples with these values. */
struct profile_valued {
	const char *values;                  /* NULL: free */
	uint64_t of;                         /* the event, or profile_thread.met if threads are part of the key */
	uint32_t group;
};

/* Cache entry: group and address spaces of a thread's samples of an event, valid until a side record changes them. */
struct profile_thread {
	uint64_t changes;                    /* resolver_changes() when the entry was made */
	const char *comm;                    /* NULL: free */
	uint32_t pid, tid, event;
	uint32_t cpu;                        /* 0 when neither CPU nor socket is a key */
	uint32_t group;                      /* NAMES_NONE: depends on the sample */
	bool counts;                         /* the command passes the filter */
	uint64_t met;                        /* unique number of this state of the thread */
	uint64_t round;                      /* profile.round in which `user` and `kernel` are valid */
	uint64_t since, until;               /* they are valid at since <= time < until, ns */
	uint32_t user, kernel;               /* number of the address space in the batch, + 1 */
};

struct profile;
struct touched_keys;

enum profile_step { PROFILE_ADD_UP, PROFILE_MERGE };

/*
 * A batch of samples: the reading thread fills it; any thread sums it up to a small tree of places (addresses in
 * address spaces); the reading thread resolves each place to a frame; then any thread merges it into the profile's
 * tree, one batch at a time. A batch keeps the address spaces of its samples, since later records change the current
 * ones.
 */
struct profile_batch {
	struct profile *of;
	enum profile_step step;              /* the next step for a thread */
	struct batch samples;
	VEC(uint32_t) frame;                 /* frame of each place; with FRAMES_LIST an index of `lists` */
	VEC(uint32_t) lists;                 /* for each list its length, then its frames, outermost first */
	uint64_t filtered;                   /* samples that filters by name left out */
	int failed;                          /* result of merging: 0 or -ENOMEM */
	VEC(struct resolver_space) spaces;
	struct map space_of;                 /* generation -> index of the space */
	struct resolver_space recent[PROFILE_SPACES];   /* cache, indexed by a hash of the generation */
	uint32_t recent_id[PROFILE_SPACES];
};

struct profile {
	struct session *session;
	struct profile_want want;
	struct filter filter;
	bool nowhere;                      /* addresses are not needed: want.nowhere, and no filter needs them */
	struct calltree tree;
	struct fold folded;                  /* branches that were folded for lack of memory */
	size_t most_nodes, most_frames;      /* fold when there are more */
	struct frames frames;
	struct touched_keys *touched;        /* with HIST_TOUCH_KEYS */
	VEC(struct hist_group) groups;
	VEC(struct profile_event) events;    /* indexed like the session's events */
	VEC(struct profile_old) old;         /* indexed by node; later nodes are new */
	uint64_t filtered;                   /* samples that filters by name left out */

	struct names group_ids;
	struct jobs *jobs;                   /* NULL: no batch was full yet */
	struct profile_batch *batches;
	size_t n_batches, given;             /* allocated batches; those given to threads */
	struct profile_batch *batch;         /* being filled */
	VEC(struct profile_batch *) added;   /* summed up, oldest first */
	VEC(struct profile_batch *) idle;    /* merged, free for reuse */
	bool merging;                        /* another thread is merging one */
	uint64_t round;                      /* counts how often filling of a batch began */
	VEC(uint32_t) node_of;               /* of the nodes of a batch that is being merged */
	VEC(uint32_t) depth_of, by_depth;    /* of its nodes */
	struct hist_group recent[PROFILE_RECENT];   /* groups, by a hash of the thread */
	uint32_t recent_id[PROFILE_RECENT];         /* NAMES_NONE: free */
	struct profile_thread threads[PROFILE_RECENT];   /* the same */
	uint64_t met;                        /* how many were, as new ones and again */
	struct profile_valued valued[PROFILE_VALUED];    /* by a hash of both, two places each */
	const char *swapper;
	struct running running;              /* with HIST_PARALLELISM */
	bool by_cpus;                        /* the recording has SWITCH_CPU_WIDE records, of all tasks */
	struct cpu_places places;            /* with HIST_SOCKET or by_socket */
};

/* Read the whole session. p borrows w, filter texts and the session until deinit. */
int profile_init(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		 struct err *e);
void profile_deinit(struct profile *p);

/*
 * The same step by step, for a live session: profile_begin() once, profile_take() for each sample, and
 * profile_gather(), which merges all samples into the tree, before looking at it (report/profile_live.h). -ENOMEM.
 */
int profile_begin(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		  struct err *e);
int profile_take(struct profile *p, const struct perf_event *ev, const struct sample *smp);

/* Take in a record that is no sample, for HIST_PARALLELISM: switches tell how many tasks run. */
int profile_follow(struct profile *p, const struct session_item *it);
int profile_gather(struct profile *p);

/* Say in a line what was folded for lack of memory; nothing if nothing was. */
void profile_footer(const struct profile *p, void (*say)(void *arg, const char *line), void *arg);

struct hist_input profile_input(const struct profile *p);

#endif
