/* net.c - sockets. */
#include "sys/net.h"

#include "base/fmt.h"

#include <arpa/inet.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The contents of a struct net_addr. */
union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_vm vm;
};

static_assert(sizeof(((struct net_addr *)0)->bytes) >= sizeof(struct sockaddr_in6), "room for both");

static union address load(const struct net_addr *a)
{
	union address u = { 0 };

	memcpy(&u, a->bytes, a->n);
	return u;
}

static uint32_t size_of(int family)
{
	return family == AF_INET ? sizeof(struct sockaddr_in)
	       : family == AF_VSOCK ? sizeof(struct sockaddr_vm)
				    : sizeof(struct sockaddr_in6);
}

/* A dual-stack socket shows IPv4 peers as mapped IPv6 addresses: convert them back. */
static union address plain(union address u)
{
	union address v4 = { .v4 = { .sin_family = AF_INET, .sin_port = u.v6.sin6_port } };

	if (u.any.sa_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&u.v6.sin6_addr))
		return u;
	memcpy(&v4.v4.sin_addr, u.v6.sin6_addr.s6_addr + 12, 4);
	return v4;
}

static void store(struct net_addr *a, const union address *from)
{
	union address u = plain(*from);

	a->n = size_of(u.any.sa_family);
	memcpy(a->bytes, &u, a->n);
}

static bool parse_number(struct net_addr *a, const char *text)
{
	union address u = { 0 };

	if (inet_pton(AF_INET, text, &u.v4.sin_addr) == 1)
		u.any.sa_family = AF_INET;
	else if (inet_pton(AF_INET6, text, &u.v6.sin6_addr) == 1)
		u.any.sa_family = AF_INET6;
	else
		return false;
	store(a, &u);
	return true;
}

/* "192.0.2.7  board board.lan  # comment" */
static bool find_host(struct net_addr *a, const struct sys *sys, const char *name)
{
	char text[8192], number[NET_NAME];
	struct sv rest, line, word;

	if (sys_read_text(sys, "/etc/hosts", text, sizeof(text)) <= 0)
		return false;
	for (char *p = text; *p; p++)
		*p = *p == '\t' ? ' ' : *p;
	for (rest = sv_from(text); sv_cut(&rest, '\n', &line); ) {
		line.n = MIN(line.n, strcspn(line.s, "#"));
		if (!sv_cut(&line, ' ', &word))
			continue;
		str_copy(number, sizeof(number), word);
		while (sv_cut(&line, ' ', &word))
			if (sv_eq(word, name) && parse_number(a, number))
				return true;
	}
	return false;
}

int net_parse(struct net_addr *a, const struct sys *sys, const char *text, struct err *e)
{
	const char *colon = strrchr(text, ':');
	char host[NET_NAME];
	uint64_t port;
	struct sv name = { text, colon ? (size_t)(colon - text) : 0 };

	if (!colon || !str_u64(sv_from(colon + 1), 10, &port) || !port || port > 65535)
		return err_set(e, EINVAL, "'%s' is not HOST:PORT", text);
	if (name.n > 1 && name.s[0] == '[' && name.s[name.n - 1] == ']')
		name = (struct sv){ name.s + 1, name.n - 2 };
	str_copy(host, sizeof(host), name.n ? name : SV("127.0.0.1"));
	if (!parse_number(a, strcmp(host, "localhost") ? host : "127.0.0.1") && !find_host(a, sys, host)) {
		err_set(e, ENOENT, "no address is known for '%s'", host);
		return err_hint(e, "give it as a number, or enter it in /etc/hosts");
	}
	net_set_port(a, (unsigned)port);
	return 0;
}

static void set_port(union address *u, unsigned port)
{
	/* The port is at the same offset in IPv4 and IPv6 addresses. */
	if (u->any.sa_family == AF_VSOCK)
		u->vm.svm_port = port;
	else
		u->v4.sin_port = htons((uint16_t)port);
}

static unsigned port_of(const union address *u)
{
	return u->any.sa_family == AF_VSOCK ? u->vm.svm_port : ntohs(u->v4.sin_port);
}

void net_set_port(struct net_addr *a, unsigned port)
{
	union address u = load(a);

	set_port(&u, port);
	store(a, &u);
}

void net_vsock(struct net_addr *a, uint32_t cid, uint32_t port)
{
	union address u = { .vm = { .svm_family = AF_VSOCK, .svm_cid = cid, .svm_port = port } };

	store(a, &u);
}

bool net_cid(const struct net_addr *a, uint32_t *cid)
{
	union address u = load(a);

	*cid = u.vm.svm_cid;
	return u.any.sa_family == AF_VSOCK;
}

enum net_kind net_kind_of(const struct net_addr *a)
{
	return load(a).any.sa_family == AF_VSOCK ? NET_VSOCK : NET_TCP;
}

int net_connect(const struct net_addr *to, struct err *e)
{
	union address u = load(to);
	int fd = socket(u.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	if (fd >= 0 && !connect(fd, &u.any, to->n)) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		return fd;
	}

	int code = errno;

	if (fd >= 0)
		close(fd);
	return err_set(e, code, "cannot connect to port %u: %s", port_of(&u), err_name(code));
}

/* IPv6's any address also accepts IPv4; a kernel without IPv6 only has IPv4. */
static int open_any(int family, int type, unsigned port)
{
	union address u = { .any.sa_family = (sa_family_t)family };
	int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1, code;

	if (fd < 0)
		return -errno;
	if (family == AF_VSOCK)
		u.vm.svm_cid = VMADDR_CID_ANY;
	set_port(&u, family == AF_VSOCK && !port ? VMADDR_PORT_ANY : port);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, &u.any, size_of(family)) &&
	    (type == SOCK_DGRAM || !listen(fd, 8)))
		return fd;
	code = errno;
	close(fd);
	return -code;
}

int net_listen(enum net_kind kind, unsigned *port, struct err *e)
{
	int type = kind == NET_UDP ? SOCK_DGRAM : SOCK_STREAM;
	int fd = open_any(kind == NET_VSOCK ? AF_VSOCK : AF_INET6, type, *port);
	union address u = { 0 };
	socklen_t n = sizeof(u);

	if (kind != NET_VSOCK && (fd == -EAFNOSUPPORT || fd == -EADDRNOTAVAIL))
		fd = open_any(AF_INET, type, *port);
	if (fd < 0)
		return err_set(e, -fd, "cannot listen on %sport %u: %s", kind == NET_VSOCK ? "vsock " : "", *port,
			       err_name(-fd));
	getsockname(fd, &u.any, &n);
	*port = port_of(&u);
	return fd;
}

int net_accept(int fd, struct net_addr *from)
{
	union address u = { 0 };
	socklen_t n = sizeof(u);
	int got = accept4(fd, &u.any, &n, SOCK_CLOEXEC), one = 1;

	if (got < 0)
		return -errno;
	setsockopt(got, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	store(from, &u);
	return got;
}

void net_name(const struct net_addr *a, char text[NET_NAME])
{
	union address u = load(a);
	struct mem_out m;

	if (u.any.sa_family == AF_VSOCK) {
		snprintf(text, NET_NAME, "@%u:%u", u.vm.svm_cid, u.vm.svm_port);
		return;
	}
	mem_out_init(&m);
	if (u.any.sa_family == AF_INET)
		out_ip4(&m.out, (const uint8_t *)&u.v4.sin_addr);
	else
		out_ip6(&m.out, u.v6.sin6_addr.s6_addr);
	snprintf(text, NET_NAME, "%.50s:%u", mem_out_str(&m), port_of(&u));
	mem_out_deinit(&m);
}

bool net_same_host(const struct net_addr *a, const struct net_addr *b)
{
	union address x = load(a), y = load(b);

	if (x.any.sa_family != y.any.sa_family)
		return false;
	if (x.any.sa_family == AF_VSOCK)
		return x.vm.svm_cid == y.vm.svm_cid;
	if (x.any.sa_family == AF_INET)
		return x.v4.sin_addr.s_addr == y.v4.sin_addr.s_addr;
	return !memcmp(&x.v6.sin6_addr, &y.v6.sin6_addr, sizeof(x.v6.sin6_addr));
}

void net_patience(int fd, unsigned ms)
{
	struct timeval t = { .tv_sec = (time_t)(ms / 1000), .tv_usec = (suseconds_t)(ms % 1000 * 1000) };
	int yes = 1, idle = 60, step = 10, tries = 6;

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &step, sizeof(step));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof(tries));
}

void net_hurry(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof(one));
}

int net_send(const struct sys *sys, int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n) {
		ssize_t done = sys->write(sys, fd, at, n);

		if (done == -EINTR)
			continue;
		if (done <= 0)
			return done == -EAGAIN ? -ETIMEDOUT : done ? (int)done : -EIO;
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

ssize_t net_take(int fd, void *p, size_t n, struct net_addr *from)
{
	union address u = { 0 };
	socklen_t size = sizeof(u);
	ssize_t got = recvfrom(fd, p, n, MSG_DONTWAIT, &u.any, &size);

	if (got < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (from)
		store(from, &u);
	return got;
}

int net_wait_for(const struct sys *sys, int fd, uint64_t until, int stop)
{
	struct pollfd fds[2] = { { .fd = fd, .events = POLLIN }, { .fd = stop, .events = POLLIN } };

	for (;;) {
		uint64_t now = sys->now(sys, CLOCK_MONOTONIC);
		uint64_t ms = until > now ? (until - now + 999999) / 1000000 : 0;
		int r = sys->poll(sys, fds, 2, (int)MIN(ms, 1u << 30));

		if (r < 0 && r != -EINTR)
			return r;
		if (r > 0 && fds[1].revents)
			return -ECANCELED;
		if (r > 0)
			return 0;
		if (!r && sys->now(sys, CLOCK_MONOTONIC) >= until)
			return -ETIMEDOUT;
	}
}

int net_receive(const struct sys *sys, int fd, void *p, size_t n, const struct net_wait *w)
{
	uint64_t until = sys->now(sys, CLOCK_MONOTONIC) + w->ms * UINT64_C(1000000);
	char *at = p;

	while (n) {
		ssize_t got;
		int r = net_wait_for(sys, fd, until, w->stop);

		if (r)
			return r;
		got = net_take(fd, at, n, NULL);
		if (got == -EAGAIN)
			continue;
		if (got <= 0)
			return got ? (int)got : -ENOTCONN;
		at += got;
		n -= (size_t)got;
	}
	return 0;
}
