/*
 * receiver.h - what one sender has for us: its description and the pages of each CPU, of which a trace.dat is made. For
 * `listen`, whose senders come to it, and for `record -A`, which goes to its agents.
 *
 *   receiver_init, receiver_port for each CPU
 *   receiver_run      until the sender has ended
 *   receiver_make     the recording
 *   receiver_deinit   files beside it are removed
 *
 * Who is at the other end is not known. What it may have is bounded: the room on the disk, the time in which it says
 * nothing where it has to say something, and what comes to the ports of its rings from elsewhere is not taken.
 */
#ifndef TRACING_TRANSPORT_RECEIVER_H
#define TRACING_TRANSPORT_RECEIVER_H

#include "base/vec.h"
#include "tracing/transport/netmsg.h"
#include "tracing/transport/restore.h"

/* Of all senders together, in memory that their processes share. */
struct receiver_room {
	uint64_t used, most;       /* bytes on the disk */
};

enum {
	RECEIVER_FILE = 65536,     /* the least that a recording counts, so that their number is bounded, too */
	RECEIVER_CPUS = 1024,      /* as many ports as a message holds */
};

struct receiver_want {
	const struct sys *sys;
	const char *output;        /* the recording to make; OUTPUT.cpuN and OUTPUT.head beside it meanwhile */
	const char *who;           /* "sender", "agent": for messages */
	int fd;                    /* connection to it; borrowed */
	struct net_addr peer;      /* at its other end */
	enum net_kind kind;        /* of its rings */
	unsigned timeout_ms;       /* who is silent in the middle of something is given up */
	struct receiver_room *room;   /* or NULL: no bound */
	int stop;                  /* readable: end with what has come so far; -1 */
	int finish;                /* readable: it is told to end, and what it still has is taken; -1 */
	void (*described)(void *arg);   /* the description is there; may be NULL */
	void *arg;
};

struct receiver_port {
	struct ringfile file;
	int fd;                      /* waiting for its connection, then that; -1: it has ended */
	bool waiting;
	unsigned number;
};

struct receiver {
	const struct receiver_want *w;
	const struct sys *sys;
	VEC(struct receiver_port) ports;
	struct pollfd *polls;
	size_t open;                 /* rings that have not ended */
	struct ringfile head;
	bool described, closed;      /* FIN_DATA; CLOSE of a sender, CLOSE_RESP of an agent */
	bool stopping;               /* we are to end: only what was sent already is taken */
	bool finishing;              /* the sender was told to end */
	unsigned waits;              /* since then */
	uint64_t last;               /* bytes, since then */
	uint64_t heard;              /* CLOCK_MONOTONIC ns: of the newest message, or of its beginning */
	uint64_t taken;              /* of the room */
	struct err cut;              /* code 0, or why it ends before the sender did */
	bool made;
	struct netmsg msg;
	char bytes[65536];           /* also the longest datagram */
};

/* ncpus: how many ports there will be. */
int receiver_init(struct receiver *l, const struct receiver_want *w, uint32_t ncpus, struct err *e);

/* The next CPU's: fd is a connection, or, waiting, where one comes in. Ours from now on, also after an error. */
int receiver_port(struct receiver *l, int fd, bool waiting, struct err *e);

/* 0: it has ended, though perhaps not as it should: receiver_unfinished. -errno: nothing can be made of it. */
int receiver_run(struct receiver *l, struct err *e);

/* more: options that the description lacks. */
int receiver_make(struct receiver *l, const struct tdat_option *more, size_t n_more, struct restore_result *res,
		  struct err *e);

/* The recording was made; that something is missing in it is told: -ENOSPC, -ETIMEDOUT, -ENOTCONN. */
int receiver_unfinished(const struct receiver *l, struct err *e);
void receiver_deinit(struct receiver *l);

#endif
