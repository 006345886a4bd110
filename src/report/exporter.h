/*
 * exporter.h - export a session's samples into another tool's format: the one walk that all formats share.
 */
#ifndef REPORT_EXPORTER_H
#define REPORT_EXPORTER_H

#include "analyse/hits.h"
#include "report/profile_filter.h"
#include "show/export.h"
#include "source/frames.h"

struct exporter_want {
	const struct export_format *format;
	const struct filter_want *filter;
	const char *path, *event, *version;   /* as in struct export_about */
	bool weigh;
	bool inlines;              /* chains have frames for inlined functions, too */
	bool code;                 /* export the code of sampled functions, if the format can hold it */
	uint64_t max_stack;        /* keep so many innermost frames, 0: all */
	uint64_t memory;           /* bytes */
	void *to;                  /* as in struct export_about */
	/* Called from time to time with the number of samples read. May be NULL. */
	void (*progress)(void *arg, uint64_t samples);
	void *arg;
};

struct exporter_thread {
	uint32_t tid, thread;      /* thread + 1; 0: free */
	const char *comm;
};

enum { EXPORTER_RECENT = 64 };

struct exporter {
	struct session *session;
	struct exporter_want want;
	struct export x;
	struct filter filter;
	struct frames frames;
	struct calltree stacks;
	struct names func_keys, module_names, thread_keys;
	VEC(uint32_t) func_of;
	VEC(struct export_func) funcs;
	VEC(struct export_module) modules;
	VEC(struct export_thread) threads;
	VEC(struct export_event) events;
	VEC(struct export_lane) lanes;
	struct map lane_of;        /* event, thread -> lane */
	uint32_t *event_of;        /* session's event index -> exported event; NAMES_NONE: not exported */
	struct exporter_thread recent[EXPORTER_RECENT];
	struct names id_names;     /* modules with a build-id in MMAP2 records -> index in ids */
	VEC(struct build_id) ids;
	struct mem_out text;
	uint64_t samples;          /* number exported */
	struct hits hits;          /* with want.code */
	struct exporter_code_stats {
		uint64_t missing;      /* functions whose code was not found */
		uint64_t left_out;     /* functions beyond the limit */
		struct err why;        /* error of the first one missing */
	} code;
};

/* Read all of the session, and write all of it. 0 or -errno. */
int exporter_run(struct exporter *p, struct session *s, const struct exporter_want *w, struct out *o, struct err *e);
/* exporter_code.c: take in a sample; write all code at the end. 0 or -ENOMEM. */
int exporter_code_take(struct exporter *p, const struct resolver_spaces *in, const struct chain_frame *f);
int exporter_code_put(struct exporter *p);

void exporter_deinit(struct exporter *p);

#endif
