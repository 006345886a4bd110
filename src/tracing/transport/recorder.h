/*
 * recorder.h - moves the pages of every CPU's ring, undecoded, to files or sockets: one process per ring splices whole
 * sub-buffers; the page being written, which splice does not give, is read at the end and padded with zeros.
 *
 *   recorder_start     starts the processes; tracing may still be off
 *   recorder_failed    a process has given up (full disk): the recording should end
 *   recorder_finish    call with tracing off: drains the rest and ends the processes
 *   recorder_deinit    removes the files, unless recorder_keep was called
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
	const char *path;          /* of the recording to be made */
	enum rings_file from;
	bool drain;                /* only what is in the ring now */
	uint64_t max_kb;           /* per file; 0: no limit */
	uint64_t interval_us;      /* between two reads of a ring */
	unsigned priority;         /* SCHED_FIFO; 0: none */
	bool busy;                 /* poll, do not wait in the ring's queue: its wakeups are IPIs of the traced CPU */
};

struct recorder_state {        /* shared with its process */
	uint64_t size;         /* bytes in the file; whole sub-buffers */
	uint64_t start;        /* where the oldest sub-buffer is */
	uint64_t moved;        /* bytes read from the ring */
	int error;             /* errno */
};

struct recorder_ring {
	struct ringfile file;      /* complete after recorder_finish; fd is a socket if it was given one */
	const struct tfs *tfs;     /* borrowed */
	uint32_t subbuf;           /* bytes */
	int pid;
	struct recorder_state *state;
	struct ring_stats stats;   /* valid after recorder_finish */
};

struct recorder {
	const struct recorder_want *want;   /* borrowed */
	VEC(struct recorder_ring) rings;    /* by buffer, then CPU */
	struct recorder_state *states;
	size_t states_bytes;
	int stop[2];                        /* pipe; processes see EOF when it is closed */
};

void recorder_init(struct recorder *r, const struct recorder_want *w);
void recorder_deinit(struct recorder *r);

/* Add the rings of a buffer: one for every online CPU. */
int recorder_add(struct recorder *r, const struct tfs *t, uint32_t buffer, struct err *e);

/*
 * fds: for each ring a socket to send to instead of a file, -1: it follows later; closed by the recorder. NULL: files.
 */
int recorder_start(struct recorder *r, const int *fds, struct err *e);

/* Give one ring its socket; nothing was read from the ring before. */
int recorder_connect(struct recorder *r, size_t ring, int fd, struct err *e);

/* 0, or the first error of a process with its text. */
int recorder_failed(const struct recorder *r, struct err *e);

/*
 * Drain, end the processes, read statistics. After an error (a full disk, a process that was killed) the recording is
 * still usable.
 */
int recorder_finish(struct recorder *r, struct err *e);

/* Keep the files at recorder_deinit. */
void recorder_keep(struct recorder *r);

#endif
