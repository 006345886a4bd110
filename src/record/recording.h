/*
 * recording.h - the open events of a recording, with one ring per CPU, and the step of the recorder's loop: write all
 * that is in the rings to the sink. After the open only names of newly mapped files are allocated.
 */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include "record/dsos.h"
#include "live/opener.h"
#include "record/packer.h"
#include "record/sidelog.h"
#include "record/sink.h"
#include "live/target.h"
#include "perf/event.h"
#include "perf/sampling.h"
#include "sys/ring_map.h"

struct rec_fd {
	int fd;
	int cpu, tid;
	uint32_t event;      /* index in the list of events */
	uint32_t ring;
	uint64_t id;         /* sample id, as in records */
	bool gone;           /* its task has ended */
};

struct rec_ring {
	struct ring_map map;
	int cpu;
	uint32_t owner;      /* index of the descriptor that is polled for it */
	bool gone;           /* the tasks of all its descriptors have ended */
	bool newest_only;    /* overwritable, see newest.h */
};

struct aux;

struct recording_stats {
	uint64_t samples, lost;          /* SAMPLE records; events lost, by LOST records */
	uint64_t records, bytes;
	uint64_t first_time, last_time;  /* of samples, ns; 0: none */
	uint64_t throttled;
};

/* Off-CPU times, which are summed up while recording, see record/offcpu.h. */
struct recording_offcpu {
	bool on;
	bool keeps_switches;             /* SWITCH records are wanted in the file, too */
	uint32_t event;
	const struct cpus *cpus;         /* count switch-outs on these CPUs */
};

struct recording {
	const struct sys *sys;
	struct event_list *events;
	struct perf_attr *attrs;         /* as opened, one per event */
	struct opener opener;
	VEC(struct rec_fd) fds;
	VEC(struct rec_ring) rings;
	struct pollfd *polls;            /* first the loop's, then one per ring, one unused (fd -1), and those of
					    recording_want.more_polls */
	size_t ring_pages;               /* as mapped */
	bool pages_reduced;
	struct recording_stats stats;
	uint8_t *bounce;                 /* buffer for a record that wraps in its ring */
	uint8_t *newest;                 /* buffer for a ring's bytes in order of time, see newest.h; NULL: not used */
	struct sidelog log;
	struct packer *packer;           /* NULL: records are not compressed */
	bool unwinds;                    /* copies of stacks are unwound before samples are written */
	struct recording_offcpu offcpu;
	struct aux *aux;                 /* AUX areas beside the rings; NULL: none */
	struct dsos dsos;                /* files mapped executable, for their build ids */
};

struct recording_want {
	const struct target *target;
	struct sampling_want sampling;
	uint64_t ring_bytes;             /* 0: 512 KiB, 2 MiB with copies of stacks; less if the mlock limit is lower */
	int child;                       /* pid of the command that waits for its start; 0: none */
	int tracker;                     /* index of the event that carries the side records */
	bool pack;
	bool newest_only;                /* --overwrite */
	size_t more_polls;               /* number of entries in polls for the caller */
	bool unwind;                     /* unwind copies of stacks, if there are any */
	uint64_t aux_bytes;              /* size of an AUX area; 0: the default */
};

/* Open every event for the target, map the rings. On error everything is closed again. */
int recording_open(struct recording *r, const struct sys *sys, struct event_list *events,
		   const struct recording_want *w, struct err *e);
void recording_close(struct recording *r);

/*
 * Close the events with drop[event] set, and map the rings anew for the others, of which each CPU must have one. Only
 * before anything was recorded. After an error call recording_close.
 */
int recording_drop(struct recording *r, const bool *drop, struct err *e);

enum recording_which { RECORDING_ALL, RECORDING_TRACKER, RECORDING_SAMPLING };
void recording_enable(struct recording *r, enum recording_which which, int tracker);
void recording_disable(struct recording *r);
void recording_suspend(struct recording *r, int tracker);   /* all events but the tracker */

/* Write everything in the rings to the sink, and a FINISHED_ROUND behind it. 1; 0: the rings were empty; -errno. */
int recording_drain(struct recording *r, struct sink *s, struct err *e);

/*
 * The same for records that the caller has taken from the rings, in one piece; or its three steps: count the records,
 * write them (or what the caller made of them), and write a FINISHED_ROUND. 0 or -errno.
 */
int recording_put(struct recording *r, struct sink *s, struct bytes sweep, struct err *e);
int recording_note(struct recording *r, struct bytes sweep, struct err *e);
int recording_write(struct recording *r, struct sink *s, struct bytes records, struct err *e);
int recording_round(struct sink *s, struct err *e);

/* To be called after `polls` was polled. False: every task has ended. */
bool recording_lives(struct recording *r);

/* Count of the event of a descriptor; 0: it cannot be read. */
uint64_t recording_count(const struct recording *r, const struct rec_fd *f);

/* Lost samples of a descriptor, as the kernel counts them (PERF_FORMAT_LOST, Linux 6.0), or 0. */
uint64_t recording_lost(const struct recording *r, const struct rec_fd *f);

#endif
