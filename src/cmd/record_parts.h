/* record_parts.h - the steps of `sonde record` that are not its loop. */
#ifndef CMD_RECORD_PARTS_H
#define CMD_RECORD_PARTS_H

#include "cmd/cmd.h"
#include "flow/recfile.h"
#include "sys/child.h"

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
	uint64_t freq, period, max_stack, ring_pages, ring_bytes, timeout_ms, max_size;
	const char *output, *ignored_text;
	unsigned verbose;
	bool freq_max, callchain, addr, raw, weight, all_user, all_kernel, exclude_self, quiet, strict_freq, ignored;
};

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
	int argc;
	char **argv;              /* the command line, for the file */
	bool child_done, enabled, fell_back, show_status, opened, kernel_hidden;
	uint64_t started, now, last_status;   /* CLOCK_MONOTONIC, ns */
	enum record_stop stop;
};

int record_check(struct record_run *run, struct err *e);     /* contradictions and limits of the options */
int record_filter(struct record_run *run, size_t from, const char *filter, struct err *e);
int record_open(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e);
int record_begin(struct record_run *run, struct err *e);     /* the file's head and what was there before */
int record_end(struct record_run *run, struct err *e);
int record_summary(struct ctx *c, struct record_run *run);   /* what happened; returns the exit code */
void record_close(struct record_run *run);

#endif
