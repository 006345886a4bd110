/*
 * The other end of `record -N`, with what a sender, or anybody, may say to it: a first part for the connection, the
 * rest for the rings that the listener opens. Sockets are real ones of this machine, files
 * are in memory. What it makes is a recording.
 */
#include "disk.h"
#include "parts.h"

#include "tracing/transport/listener.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { CHUNK = 1400, DESCRIPTORS = 64, SENT_MOST = 100 };

struct sender {
	struct disk *d;          /* first: disk_of() */
	struct bytes ring;
	int control;             /* the listener's descriptor */
	unsigned sent;
	struct sys real;
};

static struct sender the_sender;

static const char greeting[] = "-1V3\000766679\0";

static void send_chunk(int fd, const struct sockaddr_in *to)
{
	struct bytes *b = &the_sender.ring;
	size_t n = MIN(b->n, (size_t)CHUNK);

	if (sendto(fd, b->p, n, MSG_NOSIGNAL, (const struct sockaddr *)to, to ? sizeof(*to) : 0) < 0)
		return;
	b->p += n;
	b->n -= n;
}

/* To a ring of the listener: its data, as long as there are any. */
static void feed(int fd)
{
	struct sockaddr_in6 at = { 0 };
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at), size = sizeof(int);
	int listening = 0, type = 0, s;

	getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size);
	getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
	if ((!listening && (type != SOCK_DGRAM || !the_sender.ring.n)) || getsockname(fd, (struct sockaddr *)&at, &n))
		return;
	to.sin_port = at.sin6_port;
	s = the_sender.sent++ < SENT_MOST ? socket(AF_INET, type, 0) : -1;
	if (s < 0)
		return;
	if (!listening)
		send_chunk(s, &to);
	else if (!connect(s, (struct sockaddr *)&to, sizeof(to)))
		send_chunk(s, NULL);
	close(s);
}

/* Nobody is waited for: what is to come has been sent before. */
static int now_poll(const struct sys *s, struct pollfd *fds, size_t n, int timeout_ms)
{
	int r = poll(fds, n, 0);

	if (r)
		return r < 0 ? -errno : r;
	for (size_t i = 0; i < n; i++)
		if (fds[i].fd >= 0 && fds[i].fd < DISK_FD && fds[i].fd != the_sender.control && fds[i].events & POLLIN)
			feed(fds[i].fd);
	r = poll(fds, n, 0);
	disk_of(s)->now += r ? 1000 : (uint64_t)MAX(timeout_ms, 1) * 1000000;
	return r < 0 ? -errno : r;
}

static void pair(int fd[2])
{
	static struct sockaddr_in at;
	static int door = -1;
	socklen_t n = sizeof(at);

	if (door < 0) {
		at = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
		door = socket(AF_INET, SOCK_STREAM, 0);
		if (bind(door, (struct sockaddr *)&at, sizeof(at)) || listen(door, 1) ||
		    getsockname(door, (struct sockaddr *)&at, &n))
			abort();
	}
	fd[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd[1], (struct sockaddr *)&at, sizeof(at)))
		abort();
	fd[0] = accept(door, NULL, NULL);
	if (fd[0] < 0)
		abort();
	/* Closed without a state of its own left behind: there are thousands of them. */
	for (int i = 0; i < 2; i++)
		setsockopt(fd[i], SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 }, sizeof(struct linger));
}

static void tell(int fd, struct bytes control)
{
	if (send(fd, greeting, sizeof(greeting), MSG_NOSIGNAL) < 0 ||
	    (control.n && send(fd, control.p, control.n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0))
		abort();
	shutdown(fd, SHUT_WR);
}

/* A sender that asks for a thousand CPUs gets no more than there are descriptors. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ DESCRIPTORS, DESCRIPTORS });
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	struct bytes control = part_take(&c);
	struct disk *d = disk_new();
	struct receiver_room room = { .most = DISK_MOST };
	struct listener_want w = {
		.sys = &d->sys, .output = "out", .stop = -1, .timeout_ms = 5000, .room = &room };
	struct restore_result res;
	struct disk_file *out;
	struct tdat t;
	struct err e;
	int fd[2], r;

	pair(fd);
	the_sender = (struct sender){ .d = d, .ring = part_rest(&c), .control = fd[0], .real = sys_live };
	d->real = &the_sender.real;
	d->sys.poll = now_poll;
	w.fd = fd[0];
	if (net_parse(&w.peer, &d->sys, "[::ffff:127.0.0.1]:9", &e))
		abort();
	tell(fd[1], control);
	r = listener_run(&w, &res, &e);
	out = disk_find(d, "out");
	if (!r && (!out || tdat_init(&t, out->v, out->n, NULL)))
		abort();
	if (!r)
		tdat_deinit(&t);
	close(fd[0]);
	close(fd[1]);
	for (size_t i = 0; i < d->n; i++)
		if (d->file[i].there && strcmp(d->file[i].path, "out"))
			abort();
	disk_free(d);
	return 0;
}
