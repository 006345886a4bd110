/* verb_listen.c - sonde ftrace listen: take the recordings that other machines send. */
#include "cmd/ftrace/loglevel.h"
#include "cmd/ftrace/verbs.h"
#include "live/loop.h"
#include "sys/daemon.h"
#include "sys/output.h"
#include "sys/worker.h"
#include "tracing/transport/listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
	PEERS = 16,
	TIMEOUT_S = 60,
	LOG_MOST = 16 << 20,    /* bytes of log: clients that connect again and again must not fill the disk */
};

#define ROOM (UINT64_C(16) << 30)

struct want {
	const char *port;
	const char *output, *dir, *log;
	uint64_t max_peers, max_size, timeout_s;
	bool daemon;
	enum loglevel loglevel;
};

static const struct opt opts[] = {
	OPT_STR('p', "port", struct want, port, "<port>", "port to listen on; 0: any free port"),
	OPT_STR('o', "output", struct want, output, "<name>",
		"prefix of file names (default trace): NAME.HOST:PORT.dat"),
	OPT_STR('d', "dir", struct want, dir, "<dir>", "folder for the files"),
	OPT_FLAG('D', "daemon", struct want, daemon, "run in the background"),
	OPT_STR('l', "log", struct want, log, "<file>", "write messages to this file"),
	OPT_U64(0, "max-peers", struct want, max_peers, "<n>",
		"maximum number of clients (default 16); one address gets at most half"),
	OPT_SIZE(0, "max-size", struct want, max_size, "<size>",
		"maximum size of all these files together (default 16G)"),
	OPT_U64(0, "timeout", struct want, timeout_s, "<s>",
		"drop a client that sends nothing for <s> seconds (default 60)"),
	OPT_LOGLEVEL(0, struct want, loglevel),
	OPT_END,
};

struct peer {
	int pid;
	struct net_addr addr;
};

struct shared {
	struct receiver_room room;
	uint64_t logged;        /* bytes of log written so far */
};

struct job {
	struct ctx *c;
	const struct want *w;
	struct out *log;
	unsigned port;
	int fd;                 /* listening socket */
	int spare;              /* closed to accept, and refuse, a connection when no other descriptor is free */
	int stop[2];            /* pipe; its EOF tells the clients' processes to finish */
	VEC(struct peer) peers;
	struct shared *shared;  /* memory shared with those processes */
	bool refusing;          /* a refusal was logged already */
	struct daemon daemon;
};

struct client {
	struct job *j;
	int fd;
	struct net_addr addr;
	char from[NET_NAME];
};

static void PRINTF(3, 4) say(struct job *j, enum loglevel level, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!loglevel_says(j->w->loglevel, level))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	out_str(j->log, text);
	out_flush(j->log);
}

static const char *name_of(const struct want *w)
{
	return w->output ? w->output : "trace";
}

static int serve(void *arg)
{
	struct client *k = arg;
	struct job *j = k->j;
	char path[PATH_MAX];
	struct listener_want w = {
		.sys = j->c->sys, .output = path, .fd = k->fd, .peer = k->addr, .room = &j->shared->room,
		.timeout_ms = (unsigned)j->w->timeout_s * 1000, .stop = j->stop[0],
	};
	struct restore_result res = { 0 };
	struct err e = { 0 };
	int r;

	j->c->sys->close(j->c->sys, j->stop[1]);
	j->c->sys->close(j->c->sys, j->fd);
	snprintf(path, sizeof(path), "%s%s%s.%s.dat", j->w->dir ? j->w->dir : "", j->w->dir ? "/" : "",
		 name_of(j->w), k->from);
	say(j, LOGLEVEL_INFO, "%s: connected\n", k->from);
	r = listener_run(&w, &res, &e);
	if (r)
		say(j, LOGLEVEL_ERR, "%s: %s\n", k->from, e.text);
	if (!r || res.rings)
		say(j, LOGLEVEL_INFO, "%s: %llu pages of %zu CPUs\n", path, (unsigned long long)res.pages, res.rings);
	return r != 0;
}

static bool is_at_limit(const struct job *j, const struct net_addr *from)
{
	size_t same = 0;

	for (size_t i = 0; i < j->peers.n; i++)
		same += net_same_host(&j->peers.v[i].addr, from);
	return j->peers.n >= j->w->max_peers || same >= (j->w->max_peers + 1) / 2;
}

/* Logged once until a client is served again: a stranger may connect a thousand times a second. */
static void refuse(struct job *j, int fd, const char *why)
{
	if (fd >= 0)
		j->c->sys->close(j->c->sys, fd);
	if (!j->refusing)
		say(j, LOGLEVEL_WARN, "a connection is refused: %s\n", why);
	j->refusing = true;
}

static int dev_null(const struct job *j)
{
	return j->c->sys->open(j->c->sys, "/dev/null", O_RDONLY, 0);
}

/* Without accept() the connection would stay pending, and poll() return at once each time. */
static void refuse_without_descriptor(struct job *j, int code)
{
	struct net_addr from;

	if (j->spare >= 0)
		j->c->sys->close(j->c->sys, j->spare);
	refuse(j, net_accept(j->fd, &from), err_name(code));
	j->spare = dev_null(j);
}

static void welcome(struct job *j)
{
	struct client k = { .j = j };
	struct err e = { 0 };
	struct peer *p;
	int pid;

	k.fd = net_accept(j->fd, &k.addr);
	if (k.fd == -EMFILE || k.fd == -ENFILE || k.fd == -ENOBUFS || k.fd == -ENOMEM)
		refuse_without_descriptor(j, -k.fd);
	/* That a client has gone already is no reason to end. */
	if (k.fd < 0)
		return;
	net_name(&k.addr, k.from);
	p = is_at_limit(j, &k.addr) ? NULL : vec_add(&j->peers);
	if (!p) {
		refuse(j, k.fd, "--max-peers");
		return;
	}
	pid = worker_start(WORKER_DIES_WITH_US, serve, &k, &e);
	if (pid < 0) {
		j->peers.n--;
		refuse(j, k.fd, e.text);
		return;
	}
	*p = (struct peer){ pid, k.addr };
	j->refusing = false;
	j->c->sys->close(j->c->sys, k.fd);
}

struct sum {
	const struct job *j;
	const char *dir, *prefix;
	uint64_t bytes;
};

static int add_file(void *arg, const char *name)
{
	struct sum *s = arg;
	const struct sys *sys = s->j->c->sys;
	char path[PATH_MAX];
	struct stat st;

	if (strncmp(name, s->prefix, strlen(s->prefix)) || name[strlen(s->prefix)] != '.' || !strstr(name, ".dat"))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", s->dir, name);
	if (!sys->lstat(sys, path, &st) && S_ISREG(st.st_mode))
		s->bytes += MAX((uint64_t)st.st_size, (uint64_t)RECEIVER_FILE);
	return 0;
}

/*
 * Sum up the sizes of the files: those of earlier runs count, those that were moved away do not. Called while no client
 * is served.
 */
static void measure(struct job *j)
{
	char dir[PATH_MAX];
	const char *name = name_of(j->w), *slash = strrchr(name, '/');
	struct sum s = { .j = j, .dir = dir, .prefix = slash ? slash + 1 : name };
	size_t n = (size_t)snprintf(dir, sizeof(dir), "%s%s", j->w->dir ? j->w->dir : *name == '/' ? "" : ".",
				    slash || j->w->dir ? "/" : "");

	if (slash && n < sizeof(dir))
		str_copy(dir + n, sizeof(dir) - n, (struct sv){ name, (size_t)(slash - name) });
	j->c->sys->each_entry(j->c->sys, dir, add_file, &s);
	__atomic_store_n(&j->shared->room.used, s.bytes, __ATOMIC_RELAXED);
}

/* Reap the processes that have ended, or wait for all. */
enum reap { REAP_ENDED, REAP_ALL };

static void reap(struct job *j, enum reap how)
{
	size_t n = 0;

	for (size_t i = 0; i < j->peers.n; i++) {
		struct child c = { .pid = j->peers.v[i].pid, .go_fd = -1, .err_fd = -1 };
		int status;

		if (how == REAP_ALL)
			worker_wait(c.pid);
		else if (!child_poll(&c, &status, NULL))
			j->peers.v[n++] = j->peers.v[i];
	}
	if (!n)
		measure(j);
	j->peers.n = n;
}

static void serve_until_signal(struct job *j, struct loop *l)
{
	struct pollfd fds[] = { { 0 }, { .fd = j->fd, .events = POLLIN } };
	enum loop_what what;

	loop_watch_fds(l, fds, ARRAY_SIZE(fds));
	while ((what = loop_next(l)) != LOOP_SIGNAL) {
		/* Reap also before a client is accepted: files that were moved away have made room. */
		reap(j, REAP_ENDED);
		if (what == LOOP_DATA)
			welcome(j);
	}
	/* This makes the clients' processes finish their files. */
	j->c->sys->close(j->c->sys, j->stop[1]);
	reap(j, REAP_ALL);
}

static int share(struct job *j, struct err *e)
{
	const struct sys *s = j->c->sys;
	void *shared = NULL;
	int r = s->mmap(s, &shared, sizeof(*j->shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (r)
		return err_set(e, -r, "cannot map memory: %s", err_name(-r));
	j->shared = shared;
	j->shared->room.most = j->w->max_size;
	return 0;
}

static int listen_now(struct job *j, struct err *e)
{
	struct loop l;
	int r = share(j, e);

	if (r)
		return r;
	j->fd = net_listen(NET_TCP, &j->port, e);
	if (j->fd < 0)
		return j->fd;
	j->spare = dev_null(j);
	measure(j);
	loop_init(&l, j->c->sys);
	r = loop_open(&l, e);
	r = r ? r : worker_pipe(j->stop, 0, e);
	if (!r) {
		say(j, LOGLEVEL_INFO, "listening on port %u; %s ends it\n", j->port,
		    j->w->daemon ? "SIGINT" : "Ctrl-C");
		daemon_ready(&j->daemon);
		serve_until_signal(j, &l);
	}
	loop_close(&l);
	vec_free(&j->peers);
	return r;
}

struct log {
	struct output file;
	const struct job *job;
};

static int write_log(void *arg, const char *bytes, size_t n)
{
	struct log *l = arg;
	uint64_t all = __atomic_add_fetch(&l->job->shared->logged, n, __ATOMIC_RELAXED);

	return all <= LOG_MOST ? output_write(&l->file, bytes, n) : 0;
}

static int check(struct want *w, unsigned *port, struct err *e)
{
	uint64_t n;

	if (!w->port)
		return err_set(e, EINVAL, "-p PORT is needed");
	if (!str_u64(sv_from(w->port), 10, &n) || n > 65535)
		return err_set(e, EINVAL, "-p: '%s' is no port", w->port);
	*port = (unsigned)n;
	w->max_peers = w->max_peers ? w->max_peers : PEERS;
	w->max_size = w->max_size ? w->max_size : ROOM;
	w->timeout_s = w->timeout_s ? w->timeout_s : TIMEOUT_S;
	if (w->timeout_s > 86400)
		return err_set(e, EINVAL, "--timeout: at most a day");
	return 0;
}

static int listen_verb(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct want *w = want;
	struct log file;
	char buf[1024];
	struct out log;
	struct job j = { .c = c, .w = w, .log = w->log ? &log : c->msg, .spare = -1, .daemon.word = -1 };
	struct err e = { 0 };
	int r;

	file.job = &j;
	loglevel_apply(c, w->loglevel);
	if (check(w, &j.port, &e))
		return cmd_usage(c, cmd_verb(verbs, "listen"), &e);
	r = w->log ? output_open(&file.file, c->sys, w->log, OUTPUT_APPEND, OUTPUT_PUBLIC, O_WRONLY, &e) : 0;
	if (!r && w->log) {
		output_text(&file.file, &log, buf, sizeof(buf));
		log.write = write_log;
		log.arg = &file;
	}
	if (!r && w->daemon)
		r = daemon_begin(&j.daemon, &e);
	if (r > 0)
		return j.daemon.status;
	if (!r)
		r = listen_now(&j, &e);
	return r < 0 ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_VERB(listen, "listen", .brief = "Receive recordings from other machines",
	    .synopsis = "-p port [options]",
	    .details = PACKED(
	    	"Clients are 'record -N HOST:PORT' of sonde or trace-cmd; each client's recording becomes a file."),
	    .examples = PACKED(
			"sonde ftrace listen -p 7000 -d /tmp\ton this machine\n"
			"sonde ftrace record -N 192.0.2.7:7000 -e sched sleep 1\ton the board, without a disk\n"),
	    .opts = opts, .want_size = sizeof(struct want), .run = listen_verb);
