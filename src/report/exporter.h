/*
 * exporter.h - a session's samples into another tool's format: the one walk that all formats share.
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
	bool inlines;              /* chains have frames for what is inlined, too */
	bool code;                 /* of the functions that samples are in, where the format has a place for it */
	uint64_t max_stack;        /* innermost frames that count, 0: all */
	uint64_t memory;           /* bytes */
	void *to;                  /* as in struct export_about */
	/* From time to time, with how many samples were read. May be NULL. */
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
	uint32_t *event_of;        /* session's index -> event; NAMES_NONE: not wanted */
	struct exporter_thread recent[EXPORTER_RECENT];
	struct names id_names;     /* modules whose build ids the records tell -> index in ids */
	VEC(struct build_id) ids;
	struct mem_out text;
	uint64_t samples;          /* that went into it */
	struct hits hits;          /* of want.code */
	struct exporter_code_stats {
		uint64_t missing;      /* functions that have no code here */
		uint64_t left_out;     /* those that were too many */
		struct err why;        /* the first of the missing */
	} code;
};

/* Read all of the session, and write all of it. 0 or -errno. */
int exporter_run(struct exporter *p, struct session *s, const struct exporter_want *w, struct out *o, struct err *e);
/* exporter_code.c: a sample, and all code at the end. 0 or -ENOMEM. */
int exporter_code_take(struct exporter *p, const struct resolver_spaces *in, const struct chain_frame *f);
int exporter_code_put(struct exporter *p);

void exporter_deinit(struct exporter *p);

#endif
