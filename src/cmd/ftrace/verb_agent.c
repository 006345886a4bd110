/* verb_agent.c - sonde ftrace agent: record what another machine asks for, and send it there. */
#include "cmd/ftrace/profile_plan.h"
#include "cmd/ftrace/trecord.h"
#include "cmd/ftrace/verbs.h"
#include "sys/daemon.h"
#include "sys/worker.h"
#include "tracing/transport/traceid.h"

#include <fcntl.h>
#include <poll.h>

enum { TIMEOUT_S = 60, CIDS = 8 };

struct want_agent {
	const char *port, *client;
	uint64_t cids[CIDS], timeout_s;
	size_t n_cids;
	bool daemon, ignored;
	unsigned verbose;
};

static int add_cid(void *field, const char *value, struct err *e)
{
	struct want_agent *w = field;

	if (w->n_cids == CIDS)
		return err_set(e, EINVAL, "more than %d of them", CIDS);
	if (!strcmp(value, "any"))
		w->cids[w->n_cids++] = UINT64_MAX;
	else if (!str_u64(sv_from(value), 10, &w->cids[w->n_cids++]))
		return err_set(e, EINVAL, "'%s' is no context id", value);
	return 0;
}

static const struct opt opts[] = {
	OPT_STR('N', NULL, struct want_agent, client, "<host>",
		"listen on TCP, not vsock, for this client only; any process there may connect"),
	OPT_STR('p', "port", struct want_agent, port, "<port>", "port to listen on (default 823); 0: any free port"),
	OPT_FLAG('D', NULL, struct want_agent, daemon, "run in the background"),
	OPT_CALL_WANT(0, "cid", 0, add_cid, "<cid>",
		      "vsock: allow this client besides the host (2): 1 this machine, a guest's CID, any; repeatable"),
	OPT_U64(0, "timeout", struct want_agent, timeout_s, "<s>",
		"drop a client that sends nothing for <s> seconds (default 60)"),
	OPT_COUNT(0, "verbose", struct want_agent, verbose, "accepted"),
	OPT_IGNORED(0, "debug", FLAG, struct want_agent, ignored),
	OPT_REFUSED(0, "notimeout", OPT_NO_VALUE, "", "a client that is silent where it has to speak is given up",
		    "--timeout S says after how long"),
	OPT_REFUSED('P', NULL, 0, "", "a host is not traced from inside of its guest",
		    "run the agent in the guest, and 'ftrace record -A' on the host"),
	OPT_END,
};

struct job {
	struct ctx *c;
	const struct want_agent *w;
	enum net_kind kind;
	struct net_addr client;   /* the only client allowed, by TCP */
	unsigned port;
	int fd;                   /* listening socket */
	int session;              /* pid of the process that records for a client; 0: none */
	struct daemon daemon;
};

struct session {
	struct job *j;
	struct ctx *c;
	struct sender_asked asked;
	char from[NET_NAME];
	struct netmsg msg;
	struct agentmsg_request request;
	struct want *want;
	enum tdat_format format;
	struct dat_recording_want record;
	struct dat_recording rec;
	struct tdat_option options[1 + OPT_LIST_MAX];
};

/* --- what is asked for --- */

/*
 * Refuse options that would leave something here, write files here, or send data elsewhere than to the client. Call it
 * before want_finish().
 */
static int refuse(const struct want *w, struct err *e)
{
	static const char *const why = "an agent does not do that";
	const char *what = w->file.output         ? "-o"
			   : w->file.host         ? "-N"
			   : w->guest.n           ? "-A"
			   : w->keep              ? "-k"
			   : w->file.max_kb       ? "-m"
			   : w->file.temp         ? "--temp"
			   : w->work.user         ? "--user"
			   : w->work.daemonize    ? "--daemonize"
			   : w->file.proc_map     ? "--proc-map"
			   : w->work.only_command ? "-F"
			   : w->plans.n           ? "-B" : NULL;

	return what ? err_set(e, EINVAL, "%s: %s", what, why) : 0;
}

/* Version 7 by default, as trace-cmd's agents; the client may ask for another. */
static int choose_format(struct session *s, struct err *e)
{
	const struct want *w = s->want;

	return trecord_format(&(struct trecord_format){ w->file.file_version ? w->file.file_version : 7,
							 w->file.compression },
			      &s->format, e);
}

static int parse(struct session *s, struct err *e)
{
	struct want *w = s->want;
	int argc = (int)s->request.n_args + 1, at;
	/* opt_parse() begins at argv[1]. */
	char **argv = calloc((size_t)argc + 1, sizeof(*argv));
	struct tfs top;
	int r;

	if (!argv)
		return err_nomem(e);
	for (int i = 1; i < argc; i++)
		memcpy(&argv[i], &s->request.args[i - 1], sizeof(*argv));
	at = opt_parse(want_opts, w, argc, argv, e);
	r = at == -ECANCELED ? err_set(e, EINVAL, "--help is not for an agent") : MIN(at, 0);
	if (!r && at < argc)
		r = err_set(e, EINVAL, "'%s': an agent runs no commands", argv[at]);
	free(argv);
	if (!r)
		r = refuse(w, e);
	if (!r)
		r = want_finish(w, s->c->sys, WANT_SOMETHING, e);
	if (!r)
		r = want_check(w, WANT_RECORD, false, e);
	if (!r && trecord_leaves_text(w->plans.v[0].tracer))
		r = err_set(e, EINVAL, "-p %s leaves a text, which cannot be sent", w->plans.v[0].tracer);
	if (!r)
		r = choose_format(s, e);
	if (r)
		return r;
	trecord_markers(w);
	if (!w->prof.on && !w->prof.hooks.n)
		return 0;
	r = tfs_open(&top, s->c->sys, e);
	return r ? r : profile_plan(w, &top, e);
}

static void on_ready(void *arg, const struct run *run)
{
	struct session *s = arg;

	for (size_t i = 0; i < run->buffers.n; i++)
		if (*run->buffers.v[i].why)
			cmd_note(s->c, "%s", run->buffers.v[i].why);
	cmd_note(s->c, "%s: recording", s->from);
	if (s->rec.no_clocks.code)
		cmd_note(s->c, "clocks are not compared: %s", s->rec.no_clocks.text);
}

static void describe(struct session *s)
{
	const struct want *w = s->want;

	s->record = (struct dat_recording_want){
		.run = { .sys = s->c->sys, .plans = w->plans.v, .n_plans = w->plans.n, .before = want_before,
			 .arg = s->want },
		.path = "trace.dat",
		.recorder = { .sys = s->c->sys, .path = "trace.dat", .interval_us = w->interval_us,
			      .priority = (unsigned)w->priority, .busy = w->poll },
		.asked = &s->asked, .format = s->format, .formats = w->all_formats ? META_ALL : META_ENABLED,
		.date = w->file.date, .ready = on_ready, .arg = s, .id = s->asked.id, .options = s->options,
	};
	s->record.n_options = trecord_options(w, s->options);
}

static int record(struct session *s, struct err *e)
{
	int r;

	describe(s);
	r = dat_recording_run(&s->rec, &s->record, e);
	if (!r && s->rec.stopped.code) {
		*e = s->rec.stopped;
		r = -e->code;
	}
	if (!r)
		trecord_finish(s->c, &s->rec, TRECORD_QUIET, 0, e);
	dat_recording_deinit(&s->rec);
	return r;
}

static int ask(struct session *s, struct err *e)
{
	const struct net_wait wait = { .ms = MIN(s->asked.timeout_ms, (unsigned)NETMSG_WAIT_MS), .stop = -1 };
	int r = netmsg_receive(s->c->sys, s->asked.fd, &s->msg, &wait);

	if (r)
		return err_set(e, -r, "no request has come: %s", err_name(-r));
	r = agentmsg_request(&s->request, &s->msg, e);
	for (size_t i = 0; !r && i < s->request.n_protos; i++)
		s->asked.ptp |= !strcmp(s->request.protos[i], CLOCKSYNC_PTP);
	return r;
}

/* Runs in a process of its own. */
static int serve(void *arg)
{
	struct session *s = arg;
	struct want want = { 0 };
	struct err e = { 0 };
	int r;

	s->c->sys->close(s->c->sys, s->j->fd);
	net_patience(s->asked.fd, s->asked.timeout_ms);
	s->want = &want;
	s->asked.id = traceid_make(s->c->sys);
	cmd_note(s->c, "%s: connected", s->from);
	r = ask(s, &e);
	if (!r)
		r = parse(s, &e);
	if (!r)
		r = record(s, &e);
	if (r) {
		netmsg_refuse(s->c->sys, s->asked.fd, e.text);
		err_wrap(&e, "%s", s->from);
		cmd_fail(s->c, &e);
	} else {
		cmd_note(s->c, "%s: done", s->from);
	}
	want_deinit(&want);
	return r != 0;
}

/* --- clients --- */

static bool may_ask(const struct job *j, const struct net_addr *from)
{
	uint32_t cid;

	if (!net_cid(from, &cid))
		return net_same_host(from, &j->client);
	for (size_t i = 0; i < j->w->n_cids; i++)
		if (j->w->cids[i] == UINT64_MAX || j->w->cids[i] == cid)
			return true;
	return cid == NET_CID_HOST;
}

static void welcome(struct job *j)
{
	struct session s = { .j = j, .c = j->c };
	struct err e = { 0 };

	s.asked.timeout_ms = (unsigned)j->w->timeout_s * 1000;
	s.asked.fd = net_accept(j->fd, &s.asked.peer);
	if (s.asked.fd < 0)
		return;
	net_name(&s.asked.peer, s.from);
	if (!may_ask(j, &s.asked.peer)) {
		cmd_note(j->c, "%s may not ask: it is sent away", s.from);
	} else if (j->session) {
		netmsg_refuse(j->c->sys, s.asked.fd, "this agent records for somebody else now");
	} else {
		j->session = worker_start(WORKER_DIES_WITH_US, serve, &s, &e);
		if (j->session < 0)
			cmd_fail(j->c, &e);
		j->session = MAX(j->session, 0);
	}
	j->c->sys->close(j->c->sys, s.asked.fd);
}

static void reap(struct job *j)
{
	struct child c = { .pid = j->session, .go_fd = -1, .err_fd = -1 };
	int status;

	if (j->session && child_poll(&c, &status, NULL))
		j->session = 0;
}

static void serve_until_signal(struct job *j, struct loop *l)
{
	struct pollfd fds[] = { { 0 }, { .fd = j->fd, .events = POLLIN } };
	struct child c = { .go_fd = -1, .err_fd = -1 };
	enum loop_what what;

	loop_watch_fds(l, fds, ARRAY_SIZE(fds));
	while ((what = loop_next(l)) != LOOP_SIGNAL) {
		if (what == LOOP_CHILD)
			reap(j);
		if (what == LOOP_DATA)
			welcome(j);
	}
	c.pid = j->session;
	child_stop(&c);
}

static int listen_now(struct job *j, struct err *e)
{
	struct loop l;
	int r;

	j->fd = net_listen(j->kind, &j->port, e);
	if (j->fd == -EAFNOSUPPORT)
		err_hint(e, "this kernel has no vsock (modprobe vsock_loopback, or vmw_vsock_virtio_transport in a "
			    "guest); -N CLIENT listens on TCP");
	if (j->fd < 0)
		return j->fd;
	loop_init(&l, j->c->sys);
	r = loop_open(&l, e);
	if (r)
		return r;
	cmd_note(j->c, "listening on %sport %u; %s ends it", j->kind == NET_VSOCK ? "vsock " : "", j->port,
		 j->w->daemon ? "SIGINT" : "Ctrl-C");
	daemon_ready(&j->daemon);
	serve_until_signal(j, &l);
	loop_close(&l);
	return 0;
}

static int check(struct job *j, struct want_agent *w, struct err *e)
{
	char text[300];
	uint64_t port = AGENTMSG_PORT;

	j->kind = w->client ? NET_TCP : NET_VSOCK;
	if (w->port && (!str_u64(sv_from(w->port), 10, &port) || port > (w->client ? 65535 : UINT32_MAX - 1)))
		return err_set(e, EINVAL, "-p: '%s' is no port", w->port);
	j->port = (unsigned)port;
	w->timeout_s = w->timeout_s ? w->timeout_s : TIMEOUT_S;
	if (w->timeout_s > 86400)
		return err_set(e, EINVAL, "--timeout: at most a day");
	if (!w->client)
		return 0;
	if (w->n_cids)
		return err_set(e, EINVAL, "--cid is of vsock, and -N listens on TCP");
	snprintf(text, sizeof(text), strchr(w->client, ':') ? "[%s]:1" : "%s:1", w->client);
	return net_parse(&j->client, j->c->sys, text, e);
}

static int agent_verb(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct want_agent *w = want;
	struct job j = { .c = c, .w = w, .daemon.word = -1 };
	struct err e = { 0 };
	int r;

	if (check(&j, w, &e))
		return cmd_usage(c, cmd_verb(verbs, "agent"), &e);
	r = w->daemon ? daemon_begin(&j.daemon, &e) : 0;
	if (r > 0)
		return j.daemon.status;
	if (!r)
		r = listen_now(&j, &e);
	return r < 0 ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_VERB(agent, "agent", .brief = "Record for another machine, and send it the recording",
	    .details = PACKED(
		       "Clients are 'record -A' of sonde or trace-cmd: on the host of this guest by vsock, or with -N "
		       "by TCP on that machine. A client can trace everything, as root: use -N only on a trusted "
		       "network. One client is served at a time; when it disconnects, tracing stops and all settings "
		       "are restored."),
	    .examples = PACKED(
			"sonde ftrace agent -D\tin a guest: its host can trace it\n"
			"sonde ftrace record -e kvm -A 3 -e sched sleep 1\ton the host: trace host and guest 3\n"
			"sonde ftrace agent -N 192.0.2.7 -p 7000\ton a board: 192.0.2.7 can trace it\n"
			"sonde ftrace record -A 192.0.2.9:7000 -e irq sleep 5\ton 192.0.2.7\n"),
	    .opts = opts, .want_size = sizeof(struct want_agent), .run = agent_verb);
