/*
 * dat_recording.h - a whole recording of the tracing file system: run the workload with the readers beside it, gather
 * what explains the pages, and put the trace.dat together.
 */
#ifndef LIVE_DAT_RECORDING_H
#define LIVE_DAT_RECORDING_H

#include "live/run.h"
#include "tracing/markers.h"
#include "tracing/meta.h"
#include "tracing/transport/clocksync.h"
#include "tracing/transport/datfile.h"
#include "tracing/transport/recorder.h"
#include "tracing/transport/sender.h"

struct pollfd;

struct dat_recording_want {
	struct run_want run;
	const char *path;                  /* the recording; those of the rings are at recorder.path */
	struct recorder_want recorder;     /* sys and path too */
	const char *host;                  /* "host:port": send it there as version 6, no file is made; NULL */
	const struct sender_asked *asked;  /* or to who has asked for it; NULL */
	enum tdat_format format;
	enum meta_which formats;           /* META_ENABLED is raised to META_ALL where a plan needs it */
	bool date;                         /* times shall become dates: --date */
	bool latency;                      /* the tracer leaves a text, not events: that is what is kept */
	uint64_t id;                       /* by which other recordings know it; 0: one of its own */
	const struct tdat_option *options; /* more of them: HOOK, PROCMAPS */
	size_t n_options;
	void (*ready)(void *arg, const struct run *run);   /* all is set up, tracing begins; may be NULL */
	void (*going)(void *arg);                          /* it does, and the command runs; may be NULL */
	void (*over)(void *arg);                           /* it does no more; may be NULL */
	void *arg;
};

struct dat_recording {
	const struct dat_recording_want *want;
	struct run run;
	struct recorder recorder;
	struct sender sender;
	struct clocksync clocks;           /* with that of who has asked */
	struct err no_clocks;              /* code 0, or why they are not compared */
	struct meta meta;
	uint64_t id;
	struct markers markers;
	VEC(struct tdat_option) options;
	VEC(struct tdat_write_buffer) buffers;
	VEC(char *) texts;                 /* what the two borrow */
	struct pollfd *polls;              /* wait_for_end's */
	struct err stopped;                /* code 0, or why the readers gave up before the end */
	struct err no_markers;             /* code 0, or why those that were found are not in it */
	bool no_date;                      /* the trace clock counts no ns */
	uint64_t given_up;                 /* newest bytes that went to make room on a full disk */
	bool broken;                       /* the pages were not put together: they stay in their own files */
};

/* To another machine: no file is made here. */
bool dat_recording_is_sent(const struct dat_recording_want *w);

/* 0: the file is there, though perhaps r->stopped; -errno: it is not. Either way dat_recording_deinit is due. */
int dat_recording_run(struct dat_recording *r, const struct dat_recording_want *w, struct err *e);
void dat_recording_deinit(struct dat_recording *r);

/*
 * The pieces, for what was traced before (extract): r->want, r->run.top and r->run.buffers are set by the caller, whose
 * plans only tell which of them are instances. Drains what is in the buffers, and describes it; then it is written.
 */
int dat_recording_drain(struct dat_recording *r, struct err *e);
int dat_recording_write(struct dat_recording *r, struct err *e);

#endif
