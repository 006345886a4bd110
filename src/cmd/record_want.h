/* record_want.h - what the user of `sonde record` wants: its options as data. */
#ifndef CMD_RECORD_WANT_H
#define CMD_RECORD_WANT_H

#include "base/opt.h"
#include "live/target.h"
#include "perf/sampling.h"

enum { RECORD_EVENTS_MAX = 64 };

struct record_event {
	const char *text, *filter;
};

struct record_events {
	struct record_event v[RECORD_EVENTS_MAX];
	size_t n;
};

struct record_want {
	struct record_events events;
	struct target_want target;
	struct sampling_want sampling;   /* what the options say of it; record_open() adds what the target says */
	uint64_t freq, period, max_stack, ring_pages, ring_bytes, timeout_ms, max_size, realtime, proc_map_ms;
	const char *output;
	unsigned verbose;
	bool freq_max, freq_given, period_given, callchain, addr, weight, phys_addr, data_page_size, code_page_size;
	bool no_bpf, user_callchains, kernel_callchains, namespaces, switches, build_ids;
	bool all_user, all_kernel, exclude_self, group, per_thread, no_synth, no_build_ids, dry_run;
	bool quiet, strict_freq, compress, ignored;
};

extern const struct opt record_opts[];

/* Contradictions and limits that need no look at the machine. Fills `sampling` and the target's inheritance. */
int record_want_check(struct record_want *w, struct err *e);

#endif
