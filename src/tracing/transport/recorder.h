/*
 * recorder.h - pages of every CPU's ring into files or sockets, unread: one process for each ring moves whole
 * sub-buffers by splice, and what splice cannot give (the page being written) is read at the end, padded with zeros.
 *
 *   recorder_start     the processes run; nothing need be traced yet
 *   recorder_failed    a process has given up (full disk): the recording should end
 *   recorder_finish    tracing is off: the rest is drained, the processes have ended
 *   recorder_deinit    files are removed, unless recorder_keep was called
 *
 * After SIGKILL the files stay, and `restore` makes a recording of them.
 */
#ifndef TRACING_TRANSPORT_RECORDER_H
#define TRACING_TRANSPORT_RECORDER_H

#include "base/vec.h"
#include "tracing/rings.h"
#include "tracing/transport/ringfile.h"

struct recorder_want {
	const struct sys *sys;
	const char *path;          /* of the recording that is to be */
	enum rings_file from;
	bool drain;                /* only what is there now */
	uint64_t max_kb;           /* of each file; 0 no limit */
	uint64_t interval_us;      /* between two looks at a ring */
	unsigned priority;         /* SCHED_FIFO; 0 none */
	bool busy;                 /* no waiting in the ring's queue: that makes the traced CPU send interrupts */
};

struct recorder_state {        /* shared with its process */
	uint64_t size;         /* bytes in the file; whole sub-buffers */
	uint64_t start;        /* where its oldest sub-buffer is */
	uint64_t moved;        /* bytes taken out of the ring */
	int error;             /* errno */
};

struct recorder_ring {
	struct ringfile file;      /* complete after recorder_finish; fd is a socket when it was started with some */
	const struct tfs *tfs;     /* borrowed */
	uint32_t subbuf;           /* bytes */
	int pid;
	struct recorder_state *state;
	struct ring_stats stats;   /* after the end */
};

struct recorder {
	const struct recorder_want *want;   /* borrowed */
	VEC(struct recorder_ring) rings;    /* by buffer, then CPU */
	struct recorder_state *states;
	size_t states_bytes;
	int stop[2];                        /* processes see EOF when it is closed */
};

void recorder_init(struct recorder *r, const struct recorder_want *w);
void recorder_deinit(struct recorder *r);

/* Add the rings of a buffer: every online CPU. */
int recorder_add(struct recorder *r, const struct tfs *t, uint32_t buffer, struct err *e);

/*
 * fds: one for each ring to send to instead of a file, -1 where it comes later; closed with the recorder. NULL: files.
 */
int recorder_start(struct recorder *r, const int *fds, struct err *e);

/* That of one ring, from which nothing was taken until now. */
int recorder_connect(struct recorder *r, size_t ring, int fd, struct err *e);

/* 0, or the first error with its text. */
int recorder_failed(const struct recorder *r, struct err *e);

/*
 * Drain, end, take statistics. An error (a full disk, a process that was killed) does not make what was recorded
 * unusable.
 */
int recorder_finish(struct recorder *r, struct err *e);

/* The files stay. */
void recorder_keep(struct recorder *r);

#endif
