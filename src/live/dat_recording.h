/*
 * dat_recording.h - a whole ftrace recording: run the workload while readers drain the rings, collect the metadata
 * that decoding needs, and write the trace.dat or send it.
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
	const char *path;                  /* the trace.dat; the rings' own files are at recorder.path */
	struct recorder_want recorder;     /* its sys and path must be set, too */
	const char *host;                  /* "host:port": send it to this listener, as version 6, instead; or NULL */
	const struct sender_asked *asked;  /* send it to the host that asked for it (as agent) instead; or NULL */
	enum tdat_format format;
	enum meta_which formats;           /* META_ENABLED is raised to META_ALL where a plan needs it */
	bool date;                         /* --date: readers shall show times as dates */
	bool latency;                      /* a latency tracer: keep its text (`trace`) instead of ring pages */
	uint64_t id;                       /* trace id; 0: make one */
	const struct tdat_option *options; /* further options for the file: HOOK, PROCMAPS */
	size_t n_options;
	void (*ready)(void *arg, const struct run *run);   /* called when all is set up; may be NULL */
	void (*going)(void *arg);                          /* called when tracing is on; may be NULL */
	void (*over)(void *arg);                           /* called before tracing is switched off; may be NULL */
	void *arg;
};

struct dat_recording {
	const struct dat_recording_want *want;
	struct run run;
	struct recorder recorder;
	struct sender sender;
	struct clocksync clocks;           /* comparison of the trace clock with the asking host's */
	struct err no_clocks;              /* code 0, or why clocks are not compared */
	struct meta meta;
	uint64_t id;
	struct markers markers;
	VEC(struct tdat_option) options;
	VEC(struct tdat_write_buffer) buffers;
	VEC(char *) texts;                 /* strings that options and buffers borrow */
	struct pollfd *polls;              /* for wait_for_end */
	struct err stopped;                /* code 0, or why the readers gave up before the end */
	struct err no_markers;             /* code 0, or why markers that were found are not in the file */
	bool no_date;                      /* --date was not possible: the trace clock does not count ns */
	uint64_t given_up;                 /* bytes of the newest pages dropped to make room on a full disk */
	bool broken;                       /* no trace.dat was written: the pages stay in the rings' files */
};

/* Is it sent to another machine, so that no file is made here? */
bool dat_recording_is_sent(const struct dat_recording_want *w);

/* 0: the file is complete, but see r->stopped; -errno: there is none. dat_recording_deinit is needed in any case. */
int dat_recording_run(struct dat_recording *r, const struct dat_recording_want *w, struct err *e);
void dat_recording_deinit(struct dat_recording *r);

/*
 * The two steps for extract, which saves what was traced before: drain the buffers and collect the metadata, then write
 * the file. The caller sets r->want, r->run.top and r->run.buffers; their plans only say which are instances.
 */
int dat_recording_drain(struct dat_recording *r, struct err *e);
int dat_recording_write(struct dat_recording *r, struct err *e);

#endif
