/*
 * profile.h - a recording's samples as one call tree: each address is resolved once, each distinct chain is kept once,
 * and where there are too many for the memory that there is, the lightest are folded.
 *
 * What the tree's keys mean is said in analyse/hist.h.
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

/* The caller by which samples are told apart: the first function of a chain whose name matches. */
struct profile_parent {
	struct rex names;
	bool from_outside;         /* the first one from the outermost on, not from the innermost */
	bool alone;                /* samples that have none are not in the rows */
};

struct profile_want {
	unsigned keys;             /* HIST_GROUP_KEYS that make groups */
	unsigned rows;             /* other keys of the rows */
	enum profile_chains chains;
	uint64_t max_stack;        /* innermost frames that count, 0: all */
	bool nowhere;              /* neither rows nor chains are shown that tell where samples are */
	bool inlines;              /* chains have frames for what is inlined, too */
	const struct rex *ends;    /* functions whose callees do not count: all is theirs. May be NULL; borrowed */
	struct values *values;     /* with HIST_VALUES; borrowed */
	const struct profile_parent *parent;   /* with HIST_PARENT; borrowed */
	bool by_weight;            /* of a sample its own counts, as cycles of an access, and not its period */
	bool by_socket;            /* only samples of this socket are in the rows */
	int32_t socket;
	struct budget budget;
};

/* What an event's samples came to before names were filtered. */
struct profile_event {
	double latency;             /* weight, each sample's divided by how many tasks ran: with HIST_PARALLELISM */
	uint64_t samples, weight;   /* within the chosen processes, CPUs and times */
	uint64_t with_chain;
	uint64_t old_samples, old_weight;   /* of them what was there when they were last gathered */
	double old_latency;
};

/* What a node of the tree had then. Who gathers goes on: full batches are merged before it is done again. */
struct profile_old {
	uint64_t self;
	uint32_t samples;
};

enum { PROFILE_SPACES = 64, PROFILE_VALUED = 1024 };

/* A group of samples that have these values. */
struct profile_valued {
	const char *values;                  /* NULL: free */
	uint64_t of;                         /* the event, or the thread where that is told apart */
	uint32_t group;
};

/* Where a thread's samples of an event go, while no record changes anything. */
struct profile_thread {
	uint64_t changes;                    /* of the resolver */
	const char *comm;                    /* NULL: free */
	uint32_t pid, tid, event;
	uint32_t cpu;                        /* 0 when neither it nor its socket is one of the keys */
	uint32_t group;                      /* NAMES_NONE: each sample has its own */
	bool counts;                         /* the command is one of those that were chosen */
	uint64_t met;                        /* another number whenever any of these is another one */
	uint64_t round;                      /* of the profile: the spaces are of the batch that is filled in it */
	uint64_t since, until;               /* between these times, ns */
	uint32_t user, kernel;
};

struct profile;
struct touched_keys;

enum profile_step { PROFILE_ADD_UP, PROFILE_MERGE };

/*
 * Samples on their way: taken in while the address spaces are as they were, added up by any thread, each place made a
 * frame by the one that reads, and merged into the tree, one batch after another, by any. A batch keeps the address
 * spaces of its samples: by then the records have gone on.
 */
struct profile_batch {
	struct profile *of;
	enum profile_step step;              /* that is to be done by some thread */
	struct batch samples;
	VEC(uint32_t) frame;                 /* of each place; with FRAMES_LIST where its frames are in `lists` */
	VEC(uint32_t) lists;                 /* how many, and the frames, the outermost first */
	uint64_t filtered;                   /* samples that have no frame */
	int failed;                          /* to merge it: -ENOMEM */
	VEC(struct resolver_space) spaces;
	struct map space_of;                 /* generation -> index of the space */
	struct resolver_space recent[PROFILE_SPACES];   /* by a hash of the generation */
	uint32_t recent_id[PROFILE_SPACES];
};

struct profile {
	struct session *session;
	struct profile_want want;
	struct filter filter;
	bool nowhere;                      /* as wanted, and nothing is chosen by it */
	struct calltree tree;
	struct fold folded;                  /* branches that there was no memory for */
	size_t most_nodes, most_frames;      /* beyond these the next ones are folded */
	struct frames frames;
	struct touched_keys *touched;        /* with HIST_TOUCH_KEYS */
	VEC(struct hist_group) groups;
	VEC(struct profile_event) events;    /* by the session's index */
	VEC(struct profile_old) old;         /* by the tree's nodes; of later ones nothing is old */
	uint64_t filtered;                   /* samples that the names left out */

	struct names group_ids;
	struct jobs *jobs;                   /* NULL: not one batch was full yet */
	struct profile_batch *batches;
	size_t n_batches, given;             /* ready for use; given to other threads */
	struct profile_batch *batch;         /* is being filled */
	VEC(struct profile_batch *) added;   /* were added up, the oldest first */
	VEC(struct profile_batch *) idle;    /* are in the tree */
	bool merging;                        /* one goes into the tree in another thread */
	uint64_t round;                      /* counts the times that a batch began to be filled */
	VEC(uint32_t) node_of;               /* of the nodes of a batch that is being merged */
	VEC(uint32_t) depth_of, by_depth;    /* of its nodes */
	struct hist_group recent[PROFILE_RECENT];   /* groups, by a hash of the thread */
	uint32_t recent_id[PROFILE_RECENT];         /* NAMES_NONE: free */
	struct profile_thread threads[PROFILE_RECENT];   /* the same */
	uint64_t met;                        /* how many were, as new ones and again */
	struct profile_valued valued[PROFILE_VALUED];    /* by a hash of both, two places each */
	const char *swapper;
	struct running running;              /* with HIST_PARALLELISM */
	bool by_cpus;                        /* switches of all tasks are recorded */
	struct cpu_places places;            /* with HIST_SOCKET or by_socket */
};

/* Read the whole session. f borrows w, filter texts and the session until deinit. */
int profile_init(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		 struct err *e);
void profile_deinit(struct profile *p);

/*
 * The same piece by piece, for what goes on: begun once, each sample taken in as it comes, and all that were gathered
 * in the tree, which is not settled, before it is looked at (report/profile_live.h). -ENOMEM.
 */
int profile_begin(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		  struct err *e);
int profile_take(struct profile *p, const struct perf_event *ev, const struct sample *smp);

/* What is no sample: who comes to a CPU, and who goes. Of use with HIST_PARALLELISM. */
int profile_follow(struct profile *p, const struct session_item *it);
int profile_gather(struct profile *p);

/* What there was no memory for, in a line. Nothing is said when there was enough. */
void profile_footer(const struct profile *p, void (*say)(void *arg, const char *line), void *arg);

struct hist_input profile_input(const struct profile *p);

#endif
