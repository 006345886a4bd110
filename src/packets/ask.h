/*
 * ask.h - questions to a program about its packets: by Open vSwitch's control socket (JSON-RPC 1.0) or DPDK's telemetry
 * (SOCK_SEQPACKET, 20.05 and later). What comes back is bounded, and so is the time that it may take: a program that
 * does not answer is given up, not waited for.
 */
#ifndef PACKETS_ASK_H
#define PACKETS_ASK_H

#include "base/fmt.h"
#include "base/json_read.h"
#include "sys/local.h"

enum { ASK_MS = 1000, ASK_BYTES = 4 << 20, ASK_WORDS = 8 };

struct ask {
	const struct sys *sys;
	int fd;                       /* -1: it is closed */
	char *bytes;                  /* of the answer */
	size_t n, cap;
};

/* Pid, path: see local.h. Of DPDK the greeting is read, too. 0 or -errno; then there is nothing to close. */
int ask_open(struct ask *a, const struct sys *sys, enum local_kind kind, int pid, const char *path,
	     struct err *e);
void ask_close(struct ask *a);

/*
 * A method of ovs-vswitchd, with words (NULL at the end), and the text of its result, which is d's. -EREMOTEIO: it says
 * that it cannot, and e what it says. Else -errno, and the connection is of no use any more.
 */
int ask_ovs(struct ask *a, const char *method, const char *const *words, struct json_doc *d, struct sv *text,
	    struct err *e);

/* "/ethdev/stats,0" */
int ask_dpdk(struct ask *a, const char *question, struct json_doc *d, struct err *e);

#endif
