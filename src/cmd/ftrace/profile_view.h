/*
 * profile_view.h - the profile of tasks (analyse/taskprof.h) as text in the shape of trace-cmd: for each task its
 * events with their times, and below them the kernel stacks as a tree. For `report --profile` and `profile`:
 *
 *   profile_view_init(&v, &want, &source, e)   then profile_view_record for each event in order of time
 *   profile_view_print(&v, c, out, e)          with notes on what was left out
 */
#ifndef CMD_FTRACE_PROFILE_VIEW_H
#define CMD_FTRACE_PROFILE_VIEW_H

#include "analyse/taskprof.h"
#include "cmd/cmd.h"

struct profile_view_want {
	const struct opt_list *hooks;          /* -H, as taskprof_pair_parse takes them */
	const struct opt_list *comms, *pids;   /* only these tasks: lists of globs; NULL or empty: all */
	bool global, by_comm;                  /* -G, --by-comm */
};

/* Where events and symbols come from; all borrowed. */
struct profile_view_source {
	const struct tevents *events;
	const char *(*symbol)(void *arg, uint64_t addr);   /* as taskprof_want.symbol */
	void *arg;
};

struct profile_view {
	struct profile_view_want want;
	struct taskprof prof;
	struct taskprof_pair hooks[OPT_LIST_MAX];
};

/* -EINVAL: a hook that cannot be understood; nothing needs deinit after an error. */
int profile_view_init(struct profile_view *v, const struct profile_view_want *w, const struct profile_view_source *from,
		      struct err *e);
void profile_view_deinit(struct profile_view *v);

/* 0 or -ENOMEM. */
static inline int profile_view_record(struct profile_view *v, const struct tstream_rec *rec)
{
	return taskprof_record(&v->prof, rec);
}

/* Call it after the last record. */
int profile_view_print(struct profile_view *v, struct ctx *c, struct out *o, struct err *e);

#endif
