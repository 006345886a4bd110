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
	bool on, user, kernel;      /* user, kernel: only that part of the chain */
	uint64_t max_stack;         /* frames, 0: the kernel's limit */
	struct callgraph graph;     /* --call-graph; its `on` is the one above */
};

/* Optional fields of a sample. */
struct record_holds {
	bool addr, period, weight, phys_addr, data_page_size, code_page_size;
};

/* Side records: which kinds are recorded, and whether those of existing tasks are synthesized at the start. */
struct record_side {
	bool switches, namespaces, cgroups, no_bpf, build_ids, no_synth;
	uint64_t proc_map_ms;
};

struct record_ring {
	uint64_t pages, bytes;      /* size of a ring; at most one of the two is not 0 */
	uint64_t aux_pages, aux_bytes;   /* size of an AUX area, likewise */
	uint64_t realtime;          /* real-time priority of the recorder, 0: not changed */
	bool overwrite;             /* rings keep the newest records, which are written at the end */
};

struct record_file {
	const char *output;
	uint64_t max_size, timeout_ms;
	bool compress, no_build_ids, no_symbols;
};

/* Options that a board's sonde does not have. */
struct record_more_want {
	const char *control;        /* --control, see live/control.h; NULL: not given */
	bool off_cpu;               /* record the time that tasks did not run, too */
	struct opt_list on;         /* events that begin a new file: after_ns after the event (0: at once), and then */
	uint64_t after_ns, rest_ns; /* for rest_ns (0: 1 s) no other event does */
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
	struct sampling_want sampling;   /* filled from the options; record_open() adds what depends on the target */
	unsigned verbose;
	bool all_user, all_kernel, exclude_self, group, per_thread;
	bool dry_run, quiet, ignored;
};

extern const struct opt record_opts[];
extern const struct opt record_refused_opts[], record_more_opts[];
extern const char record_examples[];   /* as struct cmd has them */

/* Parse the part of -m behind the comma. 1: the part in front of it (of_ring) is empty; else 0 or -EINVAL. */
int record_aux_size(struct record_ring *ring, struct sv of_ring, struct sv text, struct err *e);

/* Check contradictions and limits that do not depend on the machine; fill `sampling` and target.no_inherit. */
int record_want_check(struct record_want *w, struct err *e);

#endif
