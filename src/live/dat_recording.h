/*
 * dat_recording.h - a complete tracefs recording: run the workload with the readers in parallel, collect the metadata
 * needed to decode the pages, and write the trace.dat.
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
	const char *path;                  /* output file; the per-ring files are at recorder.path */
	struct recorder_want recorder;     /* including sys and path */
	const char *host;                  /* "host:port": send it there as version 6 instead of to a file; or NULL */
	const struct sender_asked *asked;  /* or send it to the host that requested it; or NULL */
	enum tdat_format format;
	enum meta_which formats;           /* META_ENABLED is raised to META_ALL where a plan needs it */
	bool date;                         /* --date: convert times to dates */
	bool latency;                      /* the tracer produces text, not events: save the text */
	uint64_t id;                       /* trace ID by which other recordings refer to it; 0: make one */
	const struct tdat_option *options; /* additional options: HOOK, PROCMAPS */
	size_t n_options;
	void (*ready)(void *arg, const struct run *run);   /* set up, before tracing starts; may be NULL */
	void (*going)(void *arg);                          /* tracing is on and the command runs; may be NULL */
	void (*over)(void *arg);                           /* tracing is off; may be NULL */
	void *arg;
};

struct dat_recording {
	const struct dat_recording_want *want;
	struct run run;
	struct recorder recorder;
	struct sender sender;
	struct clocksync clocks;           /* synchronization with the requesting host's clock */
	struct err no_clocks;              /* code 0, or why the clocks are not synchronized */
	struct meta meta;
	uint64_t id;
	struct markers markers;
	VEC(struct tdat_option) options;
	VEC(struct tdat_write_buffer) buffers;
	VEC(char *) texts;                 /* owns the strings used by options and buffers */
	struct pollfd *polls;              /* for wait_for_end */
	struct err stopped;                /* code 0, or why the readers stopped before the end */
	struct err no_markers;             /* code 0, or why the markers found were not written */
	bool no_date;                      /* the trace clock does not count ns */
	uint64_t given_up;                 /* newest bytes dropped to make room on a full disk */
	bool broken;                       /* the pages were not merged: they stay in their per-ring files */
};

/* The recording is sent to another machine: no file is written here. */
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
