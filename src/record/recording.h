/*
 * recording.h - the events of a recording, open, with one ring per CPU, and the loop's one step: everything that is in
 * the rings to the sink. Between open and close nothing is allocated but the names of newly mapped files.
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
	uint32_t event;      /* index in the list */
	uint32_t ring;
	uint64_t id;         /* the kernel's, as it appears in records */
	bool gone;           /* its task has ended */
};

struct rec_ring {
	struct ring_map map;
	int cpu;
	uint32_t owner;      /* index of the descriptor that is polled for it */
	bool gone;           /* no descriptor of it is alive */
	bool newest_only;    /* written over and over */
};

struct aux;

struct recording_stats {
	uint64_t samples, lost;          /* as the records told; lost counts events */
	uint64_t records, bytes;
	uint64_t first_time, last_time;  /* of samples, ns; 0: none */
	uint64_t throttled;
};

/* Switches whose times are added up while they are read, see record/offcpu.h. */
struct recording_offcpu {
	bool on;
	bool keeps_switches;             /* SWITCH records are asked for besides */
	uint32_t event;
	const struct cpus *cpus;         /* on which tasks are seen to leave */
};

struct recording {
	const struct sys *sys;
	struct event_list *events;
	struct perf_attr *attrs;         /* as opened, one per event */
	struct opener opener;
	VEC(struct rec_fd) fds;
	VEC(struct rec_ring) rings;
	struct pollfd *polls;            /* the first is the loop's, then one per ring, one that is free (fd -1), and
					    those that were asked for */
	size_t ring_pages;               /* as mapped */
	bool pages_reduced;
	struct recording_stats stats;
	uint8_t *bounce;                 /* a record that wraps in its ring is joined here */
	uint8_t *newest;                 /* see newest.h: a ring's bytes in order of time. NULL: all is drained */
	struct sidelog log;
	struct packer *packer;           /* NULL: records are written as they are */
	bool unwinds;                    /* samples have copies of stacks, which are followed before they are written */
	struct recording_offcpu offcpu;
	struct aux *aux;                 /* areas of a PMU's own beside the rings; NULL: there are none */
	struct dsos dsos;                /* files that were mapped executable: their build ids go into the recording */
};

struct recording_want {
	const struct target *target;
	struct sampling_want sampling;
	uint64_t ring_bytes;             /* 0: 512 KiB, 2 MiB with copies of stacks; less where the limit is lower */
	int child;                       /* pid of the held command, 0 none */
	int tracker;                     /* index of the event that carries the side records */
	bool pack;
	bool newest_only;                /* --overwrite */
	size_t more_polls;               /* the caller's, behind the others */
	bool unwind;                     /* where there are copies of stacks */
	uint64_t aux_bytes;              /* of an AUX area; 0: as usual */
};

/* Open every event for the target, map the rings. On error everything is closed again. */
int recording_open(struct recording *r, const struct sys *sys, struct event_list *events,
		   const struct recording_want *w, struct err *e);
void recording_close(struct recording *r);

/*
 * Before anything has come: the events with drop[event] are closed, and the rings are those of the others, of which
 * each CPU must have one. On error it is to be closed.
 */
int recording_drop(struct recording *r, const bool *drop, struct err *e);

enum recording_which { RECORDING_ALL, RECORDING_TRACKER, RECORDING_SAMPLING };
void recording_enable(struct recording *r, enum recording_which which, int tracker);
void recording_disable(struct recording *r);
void recording_suspend(struct recording *r, int tracker);   /* all but the side records */

/* Everything in the rings goes to the sink, then a FINISHED_ROUND when there was anything. 1 something, 0 nothing,
 * -errno. */
int recording_drain(struct recording *r, struct sink *s, struct err *e);

/*
 * The same with what somebody else has swept from the rings, in one piece; or its three steps: the records are counted,
 * they, or what they have become, are written, and a round ends. 0 or -errno.
 */
int recording_put(struct recording *r, struct sink *s, struct bytes sweep, struct err *e);
int recording_note(struct recording *r, struct bytes sweep, struct err *e);
int recording_write(struct recording *r, struct sink *s, struct bytes records, struct err *e);
int recording_round(struct sink *s, struct err *e);

/* After polls were polled. False: every task has ended. */
bool recording_lives(struct recording *r);

/* How often its event has happened, while it was counted. */
uint64_t recording_count(const struct recording *r, const struct rec_fd *f);

/* Lost events of a descriptor as the kernel counted them (6.1, PERF_FORMAT_LOST), or 0. */
uint64_t recording_lost(const struct recording *r, const struct rec_fd *f);

#endif
