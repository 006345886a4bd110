/* poll.h - views of polling threads and of Open vSwitch: each is a profiler (prof/prof.h), run by cmd/cmd_pmd.c. */
#ifndef POLL_POLL_H
#define POLL_POLL_H

#include "prof/prof.h"

/* sonde pmd's options. */
struct pmd_want {
	struct prof_want prof;
	bool no_gaps;
};

extern const struct prof_kind poll_pmd;     /* sonde pmd */
extern const struct prof_kind poll_steal;   /* sonde pmd steal */
extern const struct prof_kind poll_flame;   /* sonde pmd flame */
extern const struct prof_kind poll_polls;   /* sonde pmd polls */
extern const struct prof_kind poll_delay;   /* sonde ovs delay */
extern const struct prof_kind poll_loop;    /* sonde ovs loop */
extern const struct prof_kind poll_upcalls; /* sonde ovs upcalls */
extern const struct prof_kind poll_reval;   /* sonde ovs reval */

#endif
