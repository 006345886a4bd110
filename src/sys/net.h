/*
 * net.h - sockets: connect, listen, accept. Names are numbers ("192.0.2.7", "2001:db8::1") or stand in /etc/hosts: a
 * resolver is not part of this program. Descriptors are read and written as files are.
 */
#ifndef SYS_NET_H
#define SYS_NET_H

#include "sys/sys.h"

enum { NET_NAME = 64 };

/* Of virtual machines' sockets (vsock(7)): context ids with a meaning. */
enum { NET_CID_LOCAL = 1, NET_CID_HOST = 2 };

struct net_addr {
	uint8_t bytes[28];      /* struct sockaddr_in, _in6 or _vm */
	uint32_t n;
};

/* "host:port", "[v6]:port". */
int net_parse(struct net_addr *a, const struct sys *sys, const char *text, struct err *e);

/* A virtual machine, or from inside of one its host. */
void net_vsock(struct net_addr *a, uint32_t cid, uint32_t port);

/* The context id; false: it is an address of another kind. */
bool net_cid(const struct net_addr *a, uint32_t *cid);

/* TCP or vsock. A descriptor, or -errno. */
int net_connect(const struct net_addr *to, struct err *e);

/* The same address with another port. */
void net_set_port(struct net_addr *a, unsigned port);

enum net_kind { NET_TCP, NET_UDP, NET_VSOCK };

/* That of an address of a connection. */
enum net_kind net_kind_of(const struct net_addr *a);

/* On all addresses; port 0: any. *port is what it became. */
int net_listen(enum net_kind kind, unsigned *port, struct err *e);

/* Does not wait: -EAGAIN when nobody is there any more. from: the other side. */
int net_accept(int fd, struct net_addr *from);

/* "192.0.2.7:40512", "@3:823" */
void net_name(const struct net_addr *a, char text[NET_NAME]);

/* Whatever the ports. */
bool net_same_host(const struct net_addr *a, const struct net_addr *b);

/* Who does not take what is sent is given up after that long; who has vanished without a word, after some minutes. */
void net_patience(int fd, unsigned ms);

/* What comes next is answered at once: a sender that writes in small pieces waits for that. */
void net_hurry(int fd);

/* All of it. A broken connection is told as EPIPE and ends nothing; -ETIMEDOUT: see net_patience. */
int net_send(const struct sys *sys, int fd, const void *p, size_t n);

/*
 * What is there, at most n bytes, without waiting: -EAGAIN for nothing, 0 at the end of a connection. from: who sent a
 * datagram; or NULL.
 */
ssize_t net_take(int fd, void *p, size_t n, struct net_addr *from);

struct net_wait {
	unsigned ms;            /* for all of what is waited for, however it dribbles in */
	int stop;               /* readable: give up at once, -ECANCELED; -1: nothing of the kind */
};

/* All n bytes: 0; -ENOTCONN at the end; -ETIMEDOUT; -errno. */
int net_receive(const struct sys *sys, int fd, void *p, size_t n, const struct net_wait *w);

/* Until something is there to be taken, or `until` (CLOCK_MONOTONIC) has come: 0 or as net_receive. */
int net_wait_for(const struct sys *sys, int fd, uint64_t until, int stop);

#endif
