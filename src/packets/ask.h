/*
 * ask.h - ask a program about its packets, through Open vSwitch's control socket (JSON-RPC 1.0) or DPDK's telemetry
 * socket (SOCK_SEQPACKET, 20.05 and later). An answer is limited in size (ASK_BYTES) and time (ASK_MS): a program that
 * does not answer in time is given up.
 */
#ifndef PACKETS_ASK_H
#define PACKETS_ASK_H

#include "base/fmt.h"
#include "base/json_read.h"
#include "sys/local.h"

enum { ASK_MS = 1000, ASK_BYTES = 4 << 20, ASK_WORDS = 8 };

struct ask {
	const struct sys *sys;
	int fd;                       /* -1: closed */
	char *bytes;                  /* the answer */
	size_t n, cap;
};

/* pid, path: see local.h. Also reads DPDK's greeting. 0, or -errno; then nothing needs to be closed. */
int ask_open(struct ask *a, const struct sys *sys, enum local_kind kind, int pid, const char *path,
	     struct err *e);
void ask_close(struct ask *a);

/*
 * Call a method of ovs-vswitchd with words (NULL at the end); *text is its result, valid as long as d. -EREMOTEIO: it
 * answered with an error, whose text is in e. Any other -errno: the connection cannot be used any more.
 */
int ask_ovs(struct ask *a, const char *method, const char *const *words, struct json_doc *d, struct sv *text,
	    struct err *e);

/* question: e.g. "/ethdev/stats,0" */
int ask_dpdk(struct ask *a, const char *question, struct json_doc *d, struct err *e);

#endif
