/* want.h - what the user of `sonde record` wants: its options as data. */
#ifndef CMD_RECORD_WANT_H
#define CMD_RECORD_WANT_H

#include "base/opt.h"
#include "cmd/record/cut.h"
#include "live/target.h"
#include "perf/callgraph.h"
#include "perf/sampling.h"

enum { RECORD_EVENTS_MAX = 64 };

struct record_event {
	const char *text, *filter;
};

struct record_events {
	struct record_event v[RECORD_EVENTS_MAX];
	size_t n;
};

/* How often a sample is taken. */
struct record_pace {
	uint64_t freq, period;      /* samples per second; events: 0: not given */
	bool freq_max, freq_given, period_given, strict_freq;
};

struct record_chain {
	bool on, user, kernel;      /* user, kernel: only that part */
	uint64_t max_stack;         /* frames, 0: the kernel's limit */
	struct callgraph graph;     /* --call-graph; its `on` is the one above */
};

/* What a sample holds besides. */
struct record_holds {
	bool addr, period, weight, phys_addr, data_page_size, code_page_size;
};

/* What is told of tasks and programs, between the samples and before them. */
struct record_side {
	bool switches, namespaces, cgroups, no_bpf, build_ids, no_synth;
	uint64_t proc_map_ms;
};

struct record_ring {
	uint64_t pages, bytes;      /* of a ring; at most one of them is not 0 */
	uint64_t aux_pages, aux_bytes;   /* of an AUX area, likewise */
	uint64_t realtime;          /* priority of who reads them, 0: none */
	bool overwrite;             /* they keep what is newest, which is written at the end */
};

struct record_file {
	const char *output;
	uint64_t max_size, timeout_ms;
	bool compress, no_build_ids, no_symbols;
};

/* What a board's sonde has no option for. */
struct record_more_want {
	const char *control;        /* who may say when it records, see live/control.h; NULL: nobody */
	bool off_cpu;               /* how long tasks did not run, too */
	struct opt_list on;         /* events that begin a new file */
	uint64_t after_ns, rest_ns; /* so long behind one of them; and for so long no other; 0: at once, a second */
};

struct record_want {
	struct record_events events;
	struct target_want target;
	struct record_pace pace;
	struct record_chain chain;
	struct record_holds holds;
	struct record_side side;
	struct record_ring ring;
	struct record_file file;
	struct record_cut_want cut;
	struct record_more_want more;
	struct sampling_want sampling;   /* what the options say of it; record_open() adds what the target says */
	unsigned verbose;
	bool all_user, all_kernel, exclude_self, group, per_thread;
	bool dry_run, quiet, ignored;
};

extern const struct opt record_opts[];
extern const struct opt record_refused_opts[], record_more_opts[];
extern const char record_examples[];   /* as struct cmd has them */

/* What stands behind the comma of -m. 1: nothing stands in front of it; 0, -EINVAL. */
int record_aux_size(struct record_ring *ring, struct sv of_ring, struct sv text, struct err *e);

/* Contradictions and limits that need no look at the machine. Fills `sampling` and the target's inheritance. */
int record_want_check(struct record_want *w, struct err *e);

#endif
