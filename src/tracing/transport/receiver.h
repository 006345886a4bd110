/*
 * receiver.h - receives one sender's description and the pages of each CPU, and makes a trace.dat of them. For
 * `listen`, to which senders connect, and for `record -A`, which connects to its agents.
 *
 *   receiver_init, receiver_port for each CPU
 *   receiver_run      until the sender has ended
 *   receiver_make     makes the recording
 *   receiver_deinit   removes the files beside it
 *
 * The sender is not trusted. Its disk space is limited, and so is its silence where it has to send something; data
 * from other addresses are not accepted on the ports of its rings.
 */
#ifndef TRACING_TRANSPORT_RECEIVER_H
#define TRACING_TRANSPORT_RECEIVER_H

#include "base/vec.h"
#include "tracing/transport/netmsg.h"
#include "tracing/transport/restore.h"

/* Shared by all senders, in memory that their processes share. */
struct receiver_room {
	uint64_t used, most;       /* bytes on the disk */
};

enum {
	RECEIVER_FILE = 65536,     /* the least that a recording is charged, which limits their number, too */
	RECEIVER_CPUS = 1024,      /* the most ports that fit into a message */
};

struct receiver_want {
	const struct sys *sys;
	const char *output;        /* the recording to make; OUTPUT.cpuN and OUTPUT.head exist beside it meanwhile */
	const char *who;           /* "sender", "agent": for messages */
	int fd;                    /* connection to it; borrowed */
	struct net_addr peer;      /* address of the sender */
	enum net_kind kind;        /* kind of socket of the rings */
	unsigned timeout_ms;       /* limit for silence within a message or the description */
	struct receiver_room *room;   /* NULL: no limit */
	int stop;                  /* readable: end with what was received so far; -1: none */
	int finish;                /* readable: ask the sender to end, and receive the rest; -1: none */
	void (*described)(void *arg);   /* called when the description is complete; may be NULL */
	void *arg;
};

struct receiver_port {
	struct ringfile file;
	int fd;                      /* listening socket, then the connection; -1: it has ended */
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
	bool stopping;               /* end now: only take what was already sent */
	bool finishing;              /* the sender was asked to end */
	unsigned waits;              /* number of waits while stopping */
	uint64_t last;               /* bytes received while stopping */
	uint64_t heard;              /* CLOCK_MONOTONIC ns of the latest message, or of its beginning */
	uint64_t taken;              /* bytes charged to the room */
	struct err cut;              /* why the recording is incomplete; code 0: it is complete */
	bool made;
	struct netmsg msg;
	char bytes[65536];           /* also the longest datagram */
};

/* ncpus: the number of ports to come. */
int receiver_init(struct receiver *l, const struct receiver_want *w, uint32_t ncpus, struct err *e);

/* Add the next CPU's port: fd is a connection, or, if waiting, a listening socket. Takes over fd, even on error. */
int receiver_port(struct receiver *l, int fd, bool waiting, struct err *e);

/* 0: the sender has ended, maybe prematurely: see receiver_unfinished. -errno: no recording can be made. */
int receiver_run(struct receiver *l, struct err *e);

/* Make the recording. more: options that the description lacks. */
int receiver_make(struct receiver *l, const struct tdat_option *more, size_t n_more, struct restore_result *res,
		  struct err *e);

/* 0, or why the recording that was made is incomplete: -ENOSPC, -ETIMEDOUT, -ENOTCONN. */
int receiver_unfinished(const struct receiver *l, struct err *e);
void receiver_deinit(struct receiver *l);

#endif
