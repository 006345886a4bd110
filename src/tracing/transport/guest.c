/* guest.c - see guest.h. */
#include "tracing/transport/guest.h"

#include "sys/worker.h"

#include <poll.h>
#include <sys/mman.h>

enum {
	SILENT_MS = 60000, ANSWER_MS = 60000,   /* enabling many events takes time */
	STARTS_MS = 500,   /* an agent that does not signal it starts a process for each CPU before it traces */
};

/* --- name and address --- */

static bool is_number(struct sv s)
{
	uint64_t v;

	return str_u64(s, 10, &v) && v < UINT32_MAX;
}

/* NAME@CID:PORT. False: not an address of vsock. */
static bool parse_vsock(struct guest *g, struct sv where, struct sv *name)
{
	struct sv rest = where, cid, port;
	const char *at = memrchr(where.s, '@', where.n);
	uint64_t c, p = AGENTMSG_PORT;

	if (at) {
		*name = (struct sv){ where.s, (size_t)(at - where.s) };
		rest = (struct sv){ at + 1, where.n - name->n - 1 };
	}
	sv_cut(&rest, ':', &cid);
	port = rest;
	if (!is_number(cid) || (port.s && !is_number(port)))
		return false;
	str_u64(cid, 10, &c);
	if (port.s)
		str_u64(port, 10, &p);
	if (!at)
		*name = cid;
	net_vsock(&g->addr, (uint32_t)c, (uint32_t)p);
	return true;
}

static int parse_network(struct guest *g, const char *where, struct sv *name, struct err *e)
{
	char text[300];
	const char *colon = strrchr(where, ':');
	bool port = colon && strspn(colon + 1, "0123456789") == strlen(colon + 1) && colon[1];

	snprintf(text, sizeof(text), port ? "%s" : "%s:%d", where, AGENTMSG_PORT);
	*name = (struct sv){ where, port ? (size_t)(colon - where) : strlen(where) };
	if (!net_parse(&g->addr, g->sys, text, e))
		return 0;
	err_wrap(e, "%s", where);
	return err_hint(e, "NAME@CID:PORT or CID:PORT is a virtual machine, HOST:PORT one of the network");
}

/* "trace.dat" -> "trace-NAME.dat", as in trace-cmd. */
static int name_file(struct guest *g, const char *output, struct err *e)
{
	const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output, *dot = strrchr(base, '.');
	int n = (int)(dot && dot != base ? (size_t)(dot - output) : strlen(output));

	if (snprintf(g->output, sizeof(g->output), "%.*s-%s%s", n, output, g->name, output + n) < PATH_MAX)
		return 0;
	return err_set(e, ENAMETOOLONG, "%s is too long a name", output);
}

int guest_init(struct guest *g, const struct sys *sys, const char *where, const char *name, const char *output,
	       struct err *e)
{
	struct sv called = sv_from("");
	void *shared = NULL;
	int r = 0;

	*g = (struct guest){ .sys = sys, .fd = -1, .stop = { -1, -1 }, .make = { -1, -1 } };
	if (!parse_vsock(g, sv_from(where), &called))
		r = parse_network(g, where, &called, e);
	if (r)
		return r;
	str_copy(g->name, sizeof(g->name), name ? sv_from(name) : called.n ? called : SV("guest"));
	for (char *p = g->name; *p; p++)
		*p = *p == '/' || (*p == '.' && p == g->name) ? '_' : *p;
	r = sys->mmap(sys, &shared, sizeof(*g->shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r)
		return err_set(e, -r, "cannot map memory: %s", err_name(-r));
	g->shared = shared;
	return name_file(g, output, e);
}

/* If the agent agreed, it waits for this connection. */
static void compare_clocks(struct guest *g, const char *clock, int64_t interval_ms)
{
	struct net_addr to = g->addr;

	if (!g->answer.proto[0]) {
		err_set(&g->no_clocks, EOPNOTSUPP, "its agent cannot");
		return;
	}
	net_set_port(&to, g->answer.proto_port);
	if (strcmp(g->answer.proto, CLOCKSYNC_PTP))
		err_set(&g->no_clocks, EOPNOTSUPP, "its agent wants to do it by '%s'", g->answer.proto);
	else if (clocksync_lead(&g->clocks, g->sys, clock, &to, g->answer.cpus, interval_ms, &g->no_clocks))
		clocksync_deinit(&g->clocks);
}

int guest_ask(struct guest *g, const struct agentmsg_request *q, const char *clock, int64_t interval_ms,
	      struct err *e)
{
	const struct net_wait wait = { .ms = ANSWER_MS, .stop = -1 };
	int r = datfile_check(g->sys, g->output, e);

	if (r)
		return r;
	g->fd = net_connect(&g->addr, e);
	if (g->fd < 0)
		return err_wrap(e, "%s", g->name);
	net_patience(g->fd, SILENT_MS);
	r = agentmsg_ask(g->sys, g->fd, q, e);
	if (!r && (r = netmsg_receive(g->sys, g->fd, &g->msg, &wait)))
		err_set(e, -r, "the agent does not answer: %s", err_name(-r));
	if (!r)
		r = agentmsg_answer(&g->answer, &g->msg, e);
	if (!r && q->n_protos)
		compare_clocks(g, clock, interval_ms);
	g->host_id = q->id;
	return r ? err_wrap(e, "%s", g->name) : 0;
}

/* --- the process --- */

struct receiving {
	struct guest *g;
	int word;              /* to the parent: a byte when the guest is about to trace */
};

static void is_described(void *arg)
{
	struct receiving *r = arg;

	sys_write_all(r->g->sys, r->word, "", 1);
}

static int connect_rings(struct receiver *l, struct guest *g, struct err *e)
{
	struct sv ports = g->answer.ports;
	uint32_t port;
	int r = 0, fd;

	for (uint32_t cpu = 0; !r && cpu < g->answer.cpus; cpu++) {
		if (!agentmsg_port(&ports, &port))
			return err_set(e, EPROTO, "the agent has no port for CPU %u", cpu);
		net_set_port(&g->addr, port);
		fd = net_connect(&g->addr, e);
		r = fd < 0 ? fd : receiver_port(l, fd, false, e);
	}
	return r;
}

/* Wait until the parent says that the recording can be made. */
static void wait_for_word(const struct guest *g)
{
	struct pollfd p = { .fd = g->make[0], .events = POLLIN };

	while (g->sys->poll(g->sys, &p, 1, -1) < 1)
		;
}

static int make(struct receiver *l, struct guest *g, struct err *e)
{
	struct tdat_option shift = { .id = TDAT_TIME_SHIFT };
	struct mem_out m;
	size_t n;
	int r;

	mem_out_init(&m);
	n = clocksync_put(&g->clocks, g->host_id, &m.out);
	shift.data = (struct sv){ mem_out_str(&m), (size_t)m.out.total };
	r = receiver_make(l, &shift, n, &g->shared->res, e);
	mem_out_deinit(&m);
	g->shared->made = !r;
	return r;
}

static int receive(struct receiver *l, struct guest *g, struct err *e)
{
	int r = connect_rings(l, g, e);

	if (!r)
		r = receiver_run(l, e);
	if (r)
		return r;
	wait_for_word(g);
	r = make(l, g, e);
	return r ? r : receiver_unfinished(l, e);
}

static int work(void *arg)
{
	struct receiving *me = arg;
	struct guest *g = me->g;
	struct receiver_want w = {
		.sys = g->sys, .output = g->output, .who = "agent", .fd = g->fd, .peer = g->addr,
		.kind = net_kind_of(&g->addr), .timeout_ms = SILENT_MS, .stop = -1, .finish = g->stop[0],
		.described = is_described, .arg = me,
	};
	struct receiver *l = malloc(sizeof(*l));
	struct err e = { 0 };
	int r = l ? receiver_init(l, &w, g->answer.cpus, &e) : err_nomem(&e);

	if (!r)
		r = receive(l, g, &e);
	if (l)
		receiver_deinit(l);
	free(l);
	if (r)
		g->shared->why = e;
	return r != 0;
}

static void end_pipe(struct guest *g, int *end)
{
	if (*end >= 0)
		g->sys->close(g->sys, *end);
	*end = -1;
}

int guest_start(struct guest *g, struct err *e)
{
	int word[2], r = worker_pipe(word, 0, e);
	struct receiving me = { .g = g, .word = word[1] };
	char byte;

	if (r)
		return r;
	r = worker_pipe(g->stop, 0, e);
	if (!r)
		r = worker_pipe(g->make, 0, e);
	if (!r)
		r = g->pid = worker_start(WORKER_DIES_WITH_US, work, &me, e);
	g->pid = MAX(g->pid, 0);
	end_pipe(g, &word[1]);
	/* Only the process keeps the connection: the agent notices when the process ends. */
	end_pipe(g, &g->fd);
	if (r >= 0 && g->sys->read(g->sys, word[0], &byte, 1) != 1)
		r = guest_finish(g, e);
	else if (r >= 0 && !g->answer.traces)
		g->sys->poll(g->sys, NULL, 0, STARTS_MS);
	end_pipe(g, &word[0]);
	return MIN(r, 0);
}

/* Send a byte instead of closing: another guest's process may hold the write end open. */
static void tell(struct guest *g, int *end)
{
	if (*end >= 0)
		sys_write_all(g->sys, *end, "", 1);
	end_pipe(g, end);
}

void guest_stop(struct guest *g)
{
	tell(g, &g->stop[1]);
	if (g->clocks.sys)
		clocksync_stop(&g->clocks);
}

int guest_finish(struct guest *g, struct err *e)
{
	int status;

	guest_stop(g);
	if (g->clocks.sys)
		clocksync_wait(&g->clocks, SILENT_MS);
	tell(g, &g->make[1]);
	status = g->pid ? worker_wait(g->pid) : 0;
	g->pid = 0;
	if (status && g->shared->why.code)
		*e = g->shared->why;
	else if (status)
		err_set(e, EINTR, "the process that takes its pages has ended (%d)", status);
	return status ? err_wrap(e, "%s", g->name) : 0;
}

void guest_deinit(struct guest *g)
{
	if (g->pid) {
		worker_kill(g->pid);
		worker_wait(g->pid);
	}
	end_pipe(g, &g->stop[0]);
	end_pipe(g, &g->stop[1]);
	end_pipe(g, &g->make[0]);
	end_pipe(g, &g->make[1]);
	end_pipe(g, &g->fd);
	clocksync_deinit(&g->clocks);
	if (g->shared)
		g->sys->munmap(g->sys, g->shared, sizeof(*g->shared));
	g->shared = NULL;
}
