/*
 * net.h - sockets: connect, listen, accept. Hosts are numbers ("192.0.2.7", "2001:db8::1") or names in /etc/hosts:
 * there is no resolver. Descriptors are read and written as files are.
 */
#ifndef SYS_NET_H
#define SYS_NET_H

#include "sys/sys.h"

enum { NET_NAME = 64 };

/* Well-known context ids of virtual machines' sockets (vsock(7)). */
enum { NET_CID_LOCAL = 1, NET_CID_HOST = 2 };

struct net_addr {
	uint8_t bytes[28];      /* struct sockaddr_in, _in6 or _vm */
	uint32_t n;
};

/* Parse "host:port", "[v6]:port". */
int net_parse(struct net_addr *a, const struct sys *sys, const char *text, struct err *e);

/* The address of a virtual machine, or for a guest of its host. */
void net_vsock(struct net_addr *a, uint32_t cid, uint32_t port);

/* Get the context id; false: not an address of vsock. */
bool net_cid(const struct net_addr *a, uint32_t *cid);

/* Connect by TCP or vsock. A descriptor, or -errno. */
int net_connect(const struct net_addr *to, struct err *e);

/* Change the port of an address. */
void net_set_port(struct net_addr *a, unsigned port);

enum net_kind { NET_TCP, NET_UDP, NET_VSOCK };

/* The kind of socket that an address needs. */
enum net_kind net_kind_of(const struct net_addr *a);

/* Listen on all addresses; *port 0: any. *port is set to the actual one. */
int net_listen(enum net_kind kind, unsigned *port, struct err *e);

/* Does not wait: -EAGAIN when no connection is pending. from: address of the peer. */
int net_accept(int fd, struct net_addr *from);

/* "192.0.2.7:40512", "@3:823" */
void net_name(const struct net_addr *a, char text[NET_NAME]);

/* Compare addresses without ports. */
bool net_same_host(const struct net_addr *a, const struct net_addr *b);

/* Set timeouts: ms for a peer that does not accept our data, some minutes for one that has vanished. */
void net_patience(int fd, unsigned ms);

/* Acknowledge the next data at once (TCP_QUICKACK): a sender of small pieces waits for that. */
void net_hurry(int fd);

/* Send everything. A broken connection gives EPIPE without SIGPIPE; -ETIMEDOUT: see net_patience. */
int net_send(const struct sys *sys, int fd, const void *p, size_t n);

/*
 * Receive at most n bytes without waiting: -EAGAIN for nothing, 0 at the end of a connection. from: sender of a
 * datagram, or NULL.
 */
ssize_t net_take(int fd, void *p, size_t n, struct net_addr *from);

struct net_wait {
	unsigned ms;            /* timeout for the whole of it, however slowly it arrives */
	int stop;               /* readable: give up at once, -ECANCELED; -1: none */
};

/* Receive exactly n bytes: 0; -ENOTCONN at the end; -ETIMEDOUT; -errno. */
int net_receive(const struct sys *sys, int fd, void *p, size_t n, const struct net_wait *w);

/* Wait until there is something to receive, or the time `until` (CLOCK_MONOTONIC): 0, or errors as net_receive. */
int net_wait_for(const struct sys *sys, int fd, uint64_t until, int stop);

#endif
