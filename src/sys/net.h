/*
 * net.h - sockets: connect, listen, accept. Names are numbers ("192.0.2.7", "2001:db8::1") or stand in /etc/hosts: a
 * resolver is not part of this program. Descriptors are read and written as files are.
 */
#ifndef SYS_NET_H
#define SYS_NET_H

#include "sys/sys.h"

enum { NET_NAME = 64 };

struct net_addr {
	uint8_t bytes[28];      /* struct sockaddr_in or _in6 */
	uint32_t n;
};

/* "host:port", "[v6]:port". */
int net_parse(struct net_addr *a, const struct sys *sys, const char *text, struct err *e);

/* TCP. A descriptor, or -errno. */
int net_connect(const struct net_addr *to, struct err *e);

/* The same address with another port. */
void net_set_port(struct net_addr *a, unsigned port);

enum net_kind { NET_TCP, NET_UDP };

/* On all addresses; port 0: any. *port is what it became. */
int net_listen(enum net_kind kind, unsigned *port, struct err *e);

/* Reading waits no longer than that: -EAGAIN. 0: for ever. */
void net_patience(int fd, unsigned ms);

/* from: "192.0.2.7:40512" of the other side. */
int net_accept(int fd, char from[NET_NAME], struct err *e);

/* A broken connection is told as EPIPE and ends nothing. */
int net_send(const struct sys *sys, int fd, const void *p, size_t n);
int net_receive(const struct sys *sys, int fd, void *p, size_t n);   /* all n: 0; -ENOTCONN at the end; -errno */

#endif
