/*
 * dump.h - each record of a recording as its bytes and as perf's `-D` tells it, in the order in which they are given:
 * what a record says as it comes, then the place of each sample that is made of it.
 */
#ifndef CMD_DUMP_H
#define CMD_DUMP_H

#include "source/frames.h"
#include "source/session.h"

struct dump {
	struct session *session;
	struct out *o;
	bool of_script;          /* perf's report does something with types that its script does nothing with */
	const char *path;        /* as perf names it */
	uint64_t before;         /* bytes of the file that perf does not count: of a pipe the header */
	uint64_t combined;       /* sample_type of all events; those of a pipe are told one after another */
	bool id_all;             /* all of them */
	size_t n_events;
};

/* A trace.dat has no records of perf's: -EOPNOTSUPP. */
int dump_can(const struct session *s, struct err *e);

/* Before the first session_next; the session is watched until it is closed, and o must stay. */
void dump_begin(struct dump *d, struct session *s, struct out *o, bool of_script);

/* The thread and the file of a sample; comm is the thread's name. 0 or -ENOMEM. */
int dump_place(struct dump *d, const struct frames *f, const struct sample *smp, const char *comm);

#endif
