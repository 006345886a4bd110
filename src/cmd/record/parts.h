/* parts.h - the steps of `sonde record` around its main loop. */
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
	int status;               /* exit status of the command, if its end has ended the recording */
	uint64_t freq;            /* as given, or limited to the kernel's perf_event_max_sample_rate */
	bool traces;              /* one of the events writes an AUX trace */
	bool show_status, status_due, has_status, opened, kernel_hidden, freq_limited;
	bool hurried;             /* a signal came while the end of the file was written */
	bool no_counter;          /* record_open() failed because the machine cannot count the event */
	uint64_t started;         /* CLOCK_MONOTONIC, ns */
	struct probe_watch watch;
	struct record_trigger *trigger;   /* --switch-output-event; NULL: not given */
};

int record_check(struct record_run *run, struct err *e);     /* contradictions and limits of the options */
int record_self(struct record_run *run, struct err *e);      /* --exclude-perf */
void record_notes(struct ctx *c, const struct record_run *run);   /* notes: what differs from what was asked for */
int record_open(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e);

/* --control: another process switches the events on and off. _obey after each poll; false: stop recording. */
int record_control_open(struct record_run *run, struct err *e);
void record_control_watch(struct record_run *run);
bool record_control_obey(struct ctx *c, struct record_run *run);
void record_control_close(struct record_run *run);

/*
 * Events of --switch-output-event, which begin a new file. _open comes before recording_open(), and sets w->more_polls
 * for the places they need in the poll array; _watch fills these in and returns their number; _look, after each poll,
 * checks whether one of the events has come.
 */
int record_trigger_open(struct record_run *run, struct recording_want *w, struct err *e);
void record_trigger_start(struct record_run *run);
size_t record_trigger_watch(struct record_run *run);
void record_trigger_look(struct record_run *run);
void record_trigger_tell(struct ctx *c, const struct record_run *run);
void record_trigger_close(struct record_run *run);

/* Split "sched:sched_switch/prev_prio < 100/" into the event and its filter; both point into `text`, a copy. */
enum { RECORD_TRIGGER_TEXT = 512 };
int record_trigger_read(const char *spec, struct record_event *to, char *text, size_t size, struct err *e);

/* --off-cpu: add its event behind all others; and, once that is open, tell the recording which one it is. */
int record_offcpu_add(struct record_run *run, struct err *e);
void record_offcpu_opened(struct record_run *run);

/*
 * Events of PMUs that write an AUX trace: _prepare completes them as perf does, _tracker the dummy event beside them,
 * _hint explains a missing PMU, and _tell reports at the end what the trace lacks.
 */
int record_aux_prepare(struct record_run *run, struct err *e);
uint64_t record_aux_bytes(const struct record_run *run);   /* size of an AUX area, as given; 0: not given */
void record_aux_tracker(const struct record_run *run, struct event *dummy);
void record_aux_hint(const struct record_run *run, struct err *e);
void record_aux_tell(struct ctx *c, const struct record_run *run);

int record_begin(struct record_run *run, struct err *e);     /* write the header, and what exists already */
int record_next(struct ctx *c, struct record_run *run, struct err *e);   /* end this part, begin the next */
int record_drain(struct record_run *run, struct err *e);     /* write what is in the rings: as recording_drain() */
int record_end(struct ctx *c, struct record_run *run, struct err *e);
int record_summary(struct ctx *c, struct record_run *run);   /* what happened; returns the exit code */
void record_close(struct record_run *run);

#endif
