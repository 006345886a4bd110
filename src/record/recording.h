/*
 * recording.h - the open events of a recording with one ring per CPU, and one step of its loop: write the contents of
 * all rings to the sink. Between open and close no memory is allocated, except for names of newly mapped files.
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
	uint32_t owner;      /* index in fds of the descriptor that is polled for it */
	bool gone;           /* the tasks of all its descriptors have ended */
	bool newest_only;    /* overwritable */
};

struct aux;

struct recording_stats {
	uint64_t samples, lost;          /* by the records; lost: number of events */
	uint64_t records, bytes;
	uint64_t first_time, last_time;  /* of samples, ns; 0: none */
	uint64_t throttled;
};

/* Off-CPU times, summed up while switches are read, see record/offcpu.h. */
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
	struct pollfd *polls;            /* [0] is the loop's, then one per ring, a spare one (fd -1), and those of
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
	struct aux *aux;                 /* AUX areas of a PMU; NULL: none */
	struct dsos dsos;                /* files that were mapped executable, for their build-ids */
};

struct recording_want {
	const struct target *target;
	struct sampling_want sampling;
	uint64_t ring_bytes;             /* 0: 512 KiB, 2 MiB with copies of stacks; less if the mlock limit is lower */
	int child;                       /* pid of the held command, 0 none */
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
 * Before any record was written: close the events with drop[event], and map rings for the others, of which each CPU
 * must have one. On an error call recording_close().
 */
int recording_drop(struct recording *r, const bool *drop, struct err *e);

enum recording_which { RECORDING_ALL, RECORDING_TRACKER, RECORDING_SAMPLING };
void recording_enable(struct recording *r, enum recording_which which, int tracker);
void recording_disable(struct recording *r);
void recording_suspend(struct recording *r, int tracker);   /* all events but the tracker */

/* Write the contents of all rings to the sink, then a FINISHED_ROUND if there were any. 1: there were records, 0: none,
 * -errno. */
int recording_drain(struct recording *r, struct sink *s, struct err *e);

/*
 * The same for records that the caller has swept from the rings, in one piece (put); or its three steps: count the
 * records (note), write them or what they were converted to (write), and end the round. 0 or -errno.
 */
int recording_put(struct recording *r, struct sink *s, struct bytes sweep, struct err *e);
int recording_note(struct recording *r, struct bytes sweep, struct err *e);
int recording_write(struct recording *r, struct sink *s, struct bytes records, struct err *e);
int recording_round(struct sink *s, struct err *e);

/* To be called after poll(). False: all tasks have ended. */
bool recording_lives(struct recording *r);

/* The event's count, without scaling. */
uint64_t recording_count(const struct recording *r, const struct rec_fd *f);

/* Lost events of a descriptor as counted by the kernel (PERF_FORMAT_LOST, Linux 6.1), or 0. */
uint64_t recording_lost(const struct recording *r, const struct rec_fd *f);

#endif
