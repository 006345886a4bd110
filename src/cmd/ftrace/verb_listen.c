/* verb_listen.c - sonde ftrace listen: take the recordings that other machines send. */
#include "cmd/ftrace/verbs.h"
#include "ftrace/listener.h"
#include "sys/child.h"
#include "sys/output.h"
#include "sys/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

struct want {
	uint64_t port;
	const char *output, *dir, *log;
	bool daemon;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_U64('p', "port", struct want, port, "<port>", "to listen on"),
	OPT_STR('o', "output", struct want, output, "<name>", "begin of the files' names (trace): NAME.HOST:PORT.dat"),
	OPT_STR('d', "dir", struct want, dir, "<dir>", "where to put them"),
	OPT_FLAG('D', "daemon", struct want, daemon, "go to the background"),
	OPT_STR('l', "log", struct want, log, "<file>", "write messages there"),
	OPT_COUNT(0, "verbose", struct want, verbose, "accepted"),
	OPT_END,
};

struct job {
	struct ctx *c;
	const struct want *w;
	struct out *log;
	int fd;                 /* where connections come in */
	int stop[2];            /* EOF: clients are to come to an end */
	VEC(int) clients;       /* processes */
};

struct client {
	struct job *j;
	int fd;
	char from[NET_NAME];
};

static int serve(void *arg)
{
	struct client *k = arg;
	struct job *j = k->j;
	char path[PATH_MAX];
	struct listener_want w = { .sys = j->c->sys, .output = path, .fd = k->fd, .stop = j->stop[0] };
	struct restore_result res = { 0 };
	struct err e = { 0 };
	int r;

	j->c->sys->close(j->c->sys, j->stop[1]);
	j->c->sys->close(j->c->sys, j->fd);
	snprintf(path, sizeof(path), "%s%s%s.%s.dat", j->w->dir ? j->w->dir : "", j->w->dir ? "/" : "",
		 j->w->output ? j->w->output : "trace", k->from);
	out_printf(j->log, "%s: connected\n", k->from);
	out_flush(j->log);
	r = listener_run(&w, &res, &e);
	if (r)
		out_printf(j->log, "%s: %s\n", k->from, e.text);
	else
		out_printf(j->log, "%s: %llu pages of %zu CPUs\n", path, (unsigned long long)res.pages, res.rings);
	out_flush(j->log);
	return r != 0;
}

static int welcome(struct job *j, struct err *e)
{
	struct client k = { .j = j, .fd = -1 };
	int *pid = vec_add(&j->clients), r;

	if (!pid)
		return err_nomem(e);
	k.fd = net_accept(j->fd, k.from, e);
	/* A connection that is gone already is no reason to end. */
	if (k.fd < 0) {
		j->clients.n--;
		return 0;
	}
	r = worker_start(WORKER_DIES_WITH_US, serve, &k, e);
	j->c->sys->close(j->c->sys, k.fd);
	*pid = r;
	return r < 0 ? r : 0;
}

/* Those that have ended; with `all`, wait for them. */
enum reap { REAP_ENDED, REAP_ALL };

static void reap(struct job *j, enum reap how)
{
	size_t n = 0;

	for (size_t i = 0; i < j->clients.n; i++) {
		struct child c = { .pid = j->clients.v[i], .go_fd = -1, .err_fd = -1 };
		int status;

		if (how == REAP_ALL)
			worker_wait(c.pid);
		else if (!child_poll(&c, &status, NULL))
			j->clients.v[n++] = c.pid;
	}
	j->clients.n = n;
}

static int loop(struct job *j, int signals, struct err *e)
{
	struct pollfd fds[2] = { { .fd = signals, .events = POLLIN }, { .fd = j->fd, .events = POLLIN } };
	bool end = false;
	int r = 0, sig;

	while (!r && !end) {
		j->c->sys->poll(j->c->sys, fds, 2, -1);
		while ((sig = signals_next(signals)))
			end |= sig == SIGINT || sig == SIGTERM || sig == SIGHUP;
		reap(j, REAP_ENDED);
		if (!end && fds[1].revents)
			r = welcome(j, e);
	}
	/* They put together what they have. */
	j->c->sys->close(j->c->sys, j->stop[1]);
	reap(j, REAP_ALL);
	return r;
}

static int listen_now(struct job *j, struct err *e)
{
	unsigned port = (unsigned)j->w->port;
	int signals, r;

	j->fd = net_listen(NET_TCP, &port, e);
	if (j->fd < 0)
		return j->fd;
	signals = signals_open(e);
	r = signals < 0 ? signals : worker_pipe(j->stop, 0, e);
	if (!r) {
		out_printf(j->log, "listening on port %u; Ctrl-C ends it\n", port);
		out_flush(j->log);
		r = loop(j, signals, e);
	}
	if (signals >= 0)
		signals_close(signals);
	vec_free(&j->clients);
	return r;
}

static int in_background(void *arg)
{
	struct job *j = arg;
	struct err e = { 0 };

	return listen_now(j, &e) ? cmd_fail(j->c, &e) : EXIT_DONE;
}

static int listen_verb(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct want *w = want;
	struct output file;
	char buf[1024];
	struct out log;
	struct job j = { .c = c, .w = w, .log = w->log ? &log : c->msg };
	struct err e = { 0 };
	int r;

	if (!w->port || w->port > 65535) {
		err_set(&e, EINVAL, "-p PORT is needed");
		return cmd_usage(c, cmd_verb(verbs, "listen"), &e);
	}
	if (w->log && output_open(&file, c->sys, w->log, OUTPUT_APPEND, OUTPUT_PUBLIC, O_WRONLY, &e))
		return cmd_fail(c, &e);
	if (w->log)
		output_text(&file, &log, buf, sizeof(buf));
	r = w->daemon ? worker_start(WORKER_OUTLIVES_US, in_background, &j, &e) : listen_now(&j, &e);
	return r < 0 ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_VERB(listen, "listen", .brief = "Take the recordings that other machines send",
	    .synopsis = "-p port [options]",
	    .details = "The sender is 'record -N HOST:PORT', this one or trace-cmd's; each becomes a file of its own.",
	    .examples = "sonde ftrace listen -p 7000 -d /tmp\there\n"
			"sonde ftrace record -N 192.0.2.7:7000 -e sched sleep 1\ton the board, which needs no disk\n",
	    .opts = opts, .want_size = sizeof(struct want), .run = listen_verb);
