/* record_parts.h - the steps of `sonde record` that are not its loop. */
#ifndef CMD_RECORD_PARTS_H
#define CMD_RECORD_PARTS_H

#include "cmd/cmd.h"
#include "cmd/record_want.h"
#include "flow/probe_watch.h"
#include "flow/recfile.h"
#include "sys/child.h"

enum record_stop {
	RECORD_GO_ON,
	RECORD_STOP_CHILD,
	RECORD_STOP_SIGNAL,
	RECORD_STOP_SIZE,
	RECORD_STOP_TIME,
	RECORD_STOP_TASKS
};

struct record_run {
	struct record_want *want;
	const struct sys *sys;
	struct event_env *env;
	struct event_list events;
	struct target target;
	struct child child;
	struct recording rec;
	struct sink sink;
	struct recfile file;
	int signal_fd, tracker, signal, child_status;
	uint64_t freq;            /* as asked for, or the most that the kernel allows */
	bool child_done, enabled, show_status, opened, kernel_hidden, freq_limited;
	bool hurried;             /* a signal came while the file's end was written */
	bool no_counter;          /* record_open failed because the machine cannot count the event */
	uint64_t started, now, last_status;   /* CLOCK_MONOTONIC, ns */
	enum record_stop stop;
	struct probe_watch watch;
};

int record_check(struct record_run *run, struct err *e);     /* contradictions and limits of the options */
int record_filter(struct record_run *run, size_t from, const char *filter, struct err *e);
int record_self(struct record_run *run, struct err *e);      /* --exclude-perf */
void record_notes(struct ctx *c, const struct record_run *run);   /* what is not done as asked */
int record_open(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e);
int record_begin(struct record_run *run, struct err *e);     /* the file's head and what was there before */
int record_end(struct record_run *run, int argc, char **argv, struct err *e);   /* the command line, for the file */
int record_summary(struct ctx *c, struct record_run *run);   /* what happened; returns the exit code */
void record_close(struct record_run *run);

#endif
