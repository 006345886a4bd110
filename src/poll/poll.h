/* poll.h - the profilers (prof/prof.h) of polling threads and of Open vSwitch, which cmd/cmd_pmd.c runs. */
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
