/* parts.h - the steps of `sonde record` that are not its loop. */
#ifndef CMD_RECORD_PARTS_H
#define CMD_RECORD_PARTS_H

#include "cmd/cmd.h"
#include "cmd/record/want.h"
#include "live/control.h"
#include "live/loop.h"
#include "live/probe_watch.h"
#include "record/recfile.h"
#include "record/unwinder.h"

struct record_run {
	struct record_want *want;
	const struct sys *sys;
	struct event_env *env;
	struct event_list events;
	struct target target;
	struct loop loop;
	struct recording rec;
	struct sink sink;
	struct recfile file;
	struct unwinder *unwinder;   /* NULL: samples are written as they are */
	struct control control;
	struct record_cut cut;
	int tracker;
	int status;               /* of the command, when its end was the recording's */
	uint64_t freq;            /* as asked for, or the most that the kernel allows */
	bool traces;              /* one of the events has a trace of its own */
	bool show_status, status_due, has_status, opened, kernel_hidden, freq_limited;
	bool hurried;             /* a signal came while the file's end was written */
	bool no_counter;          /* record_open failed because the machine cannot count the event */
	uint64_t started;         /* CLOCK_MONOTONIC, ns */
	struct probe_watch watch;
	struct record_trigger *trigger;   /* NULL: no event begins a file */
};

int record_check(struct record_run *run, struct err *e);     /* contradictions and limits of the options */
int record_self(struct record_run *run, struct err *e);      /* --exclude-perf */
void record_notes(struct ctx *c, const struct record_run *run);   /* what is not done as asked */
int record_open(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e);

/* Whoever has started us may switch the events on and off. obey, when something was polled; false: stop. */
int record_control_open(struct record_run *run, struct err *e);
void record_control_watch(struct record_run *run);
bool record_control_obey(struct ctx *c, struct record_run *run);
void record_control_close(struct record_run *run);

/*
 * Events of --switch-output-event, which begin a new file: opened before the recording, of which *w asks then for
 * places to poll; how many these are; and whether one has come, when something was polled.
 */
int record_trigger_open(struct record_run *run, struct recording_want *w, struct err *e);
void record_trigger_start(struct record_run *run);
size_t record_trigger_watch(struct record_run *run);
void record_trigger_look(struct record_run *run);
void record_trigger_tell(struct ctx *c, const struct record_run *run);
void record_trigger_close(struct record_run *run);

/* "sched:sched_switch/prev_prio < 100/": an event and its filter, in text. */
enum { RECORD_TRIGGER_TEXT = 512 };
int record_trigger_read(const char *spec, struct record_event *to, char *text, size_t size, struct err *e);

/* --off-cpu: the event that it takes, behind all others; what the recording must know of it, once it is open. */
int record_offcpu_add(struct record_run *run, struct err *e);
void record_offcpu_opened(struct record_run *run);

/*
 * Events of PMUs with a trace of their own: completed as perf does; the tracker beside them; why there is none; what
 * the trace lacks, in the end.
 */
int record_aux_prepare(struct record_run *run, struct err *e);
uint64_t record_aux_bytes(const struct record_run *run);   /* of an area, as asked for */
void record_aux_tracker(const struct record_run *run, struct event *dummy);
void record_aux_hint(const struct record_run *run, struct err *e);
void record_aux_tell(struct ctx *c, const struct record_run *run);

int record_begin(struct record_run *run, struct err *e);     /* the file's head and what was there before */
int record_next(struct ctx *c, struct record_run *run, struct err *e);   /* this file ends, another begins */
int record_drain(struct record_run *run, struct err *e);     /* what is in the rings: as recording_drain */
int record_end(struct ctx *c, struct record_run *run, struct err *e);
int record_summary(struct ctx *c, struct record_run *run);   /* what happened; returns the exit code */
void record_close(struct record_run *run);

#endif
