/* packets.c - find the program's socket, ask, and keep the last two answers. */
#include "packets/packets.h"

#include "packets/ask.h"

#include <time.h>

static const char telemetry[] = "/dpdk_telemetry.v2";

/* ".../ovs-vswitchd.1234.ctl". Other programs may have sockets of such a name, too. */
static int look(void *arg, const char *path)
{
	struct packets *p = arg;
	struct sv text = sv_from(path);
	size_t n = sizeof(telemetry) - 1;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	bool is_ovs = text.n > 4 && !strcmp(path + text.n - 4, ".ctl") && !strncmp(name, "ovs-vswitchd", 12);
	bool is_dpdk = text.n > n && !strcmp(path + text.n - n, telemetry);
	char *kept;

	/* Open vSwitch with DPDK has both sockets; its own one has more about threads. */
	if (!(is_ovs || is_dpdk) || (is_dpdk && p->kind == PACKETS_OVS))
		return 0;
	kept = strdup(path);
	if (!kept)
		return -ENOMEM;
	free(p->path);
	p->path = kept;
	p->kind = is_ovs ? PACKETS_OVS : PACKETS_DPDK;
	return 0;
}

int packets_open(struct packets *p, const struct sys *sys, int pid, struct err *e)
{
	int r;

	*p = (struct packets){ .sys = sys, .pid = pid };
	r = local_listening(sys, pid, look, p);
	if (!r && !p->kind) {
		err_set(e, ENOENT, "process %d tells nothing of its packets: it has neither a control socket of Open "
				   "vSwitch nor DPDK's telemetry", pid);
		err_hint(e, "DPDK's is on unless the program is started with --no-telemetry");
		r = -ENOENT;
	} else if (r) {
		err_set(e, -r, "cannot see the sockets of process %d: %s", pid, err_name(-r));
	}
	if (r)
		packets_close(p);
	return r;
}

static void told_deinit(struct packets_told *t)
{
	ovs_deinit(&t->ovs);
	dpdk_deinit(&t->dpdk);
}

void packets_close(struct packets *p)
{
	told_deinit(&p->before);
	told_deinit(&p->now);
	free(p->path);
	p->path = NULL;
	p->kind = PACKETS_NONE;
}

/* --- ask --- */

struct question {
	const char *method;
	const char *words[ASK_WORDS];
	int (*read)(struct ovs_stats *s, struct sv text);
	bool is_of_threads;          /* some versions lack one of the two; a program that lacks both is no switch */
};

static const struct question questions[] = {
	{ "dpif-netdev/pmd-perf-show", { NULL }, ovs_read_pmds, true },
	{ "dpif-netdev/pmd-stats-show", { NULL }, ovs_read_pmds, true },
	/* Since Open vSwitch 3.1 of the last 5 seconds; older versions show the last minute. */
	{ "dpif-netdev/pmd-rxq-show", { "-secs", "5" }, ovs_read_queues, false },
	{ "coverage/show", { NULL }, ovs_read_drops, false },
	{ "dpctl/show", { "-s" }, ovs_read_ports, false },
};

static int ask_one(struct ask *a, const struct question *q, const char *const *words, struct ovs_stats *s,
		   struct err *e)
{
	struct json_doc d = { 0 };
	struct sv text;
	int r = ask_ovs(a, q->method, words, &d, &text, e);

	if (!r) {
		r = q->read(s, text);
		if (r)
			err_set(e, -r, "%s: %s", q->method, err_name(-r));
	}
	json_doc_deinit(&d);
	return r;
}

static int ask_switch(struct ask *a, struct ovs_stats *s, struct err *e)
{
	bool has_threads = false;
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		const struct question *q = &questions[i];

		r = ask_one(a, q, q->words, s, e);
		if (r == -EREMOTEIO && q->words[0])
			r = ask_one(a, q, NULL, s, e);
		if (r && r != -EREMOTEIO)
			return r;
		has_threads |= !r && q->is_of_threads;
	}
	return has_threads ? 0 : err_set(e, ENOTSUP, "it tells nothing of threads that poll: is it ovs-vswitchd?");
}

/* A question about port or core `id`, and its answer. */
static int ask_number(struct ask *a, const char *about, unsigned id, struct json_doc *d, struct err *e)
{
	char question[64];

	snprintf(question, sizeof(question), "%s,%u", about, id);
	*d = (struct json_doc){ 0 };
	return ask_dpdk(a, question, d, e);
}

static int ask_port(struct ask *a, struct dpdk_port *p, struct err *e)
{
	struct json_doc d;
	int r = ask_number(a, "/ethdev/stats", p->id, &d, e);

	if (!r)
		dpdk_read_port_stats(p, &d);
	json_doc_deinit(&d);
	r = r ? r : ask_number(a, "/ethdev/info", p->id, &d, e);
	if (!r)
		dpdk_read_port_info(p, &d);
	json_doc_deinit(&d);
	return r;
}

static int ask_core(struct ask *a, struct dpdk_core *c, struct err *e)
{
	struct json_doc d;
	int r = ask_number(a, "/eal/lcore/info", c->id, &d, e);

	if (!r)
		dpdk_read_core_info(c, &d);
	json_doc_deinit(&d);
	return r;
}

/* Older versions answer unknown questions with null: that is an empty list. */
static int ask_list(struct ask *a, const char *question, struct dpdk_stats *s,
		    int (*read)(struct dpdk_stats *s, const struct json_doc *d, struct err *e), struct err *e)
{
	struct json_doc d = { 0 };
	int r = ask_dpdk(a, question, &d, e);

	r = r ? r : read(s, &d, e);
	json_doc_deinit(&d);
	return r;
}

static int take_usage(struct dpdk_stats *s, const struct json_doc *d, struct err *e UNUSED)
{
	dpdk_read_usage(s, d);
	return 0;
}

static int ask_program(struct ask *a, struct dpdk_stats *s, struct err *e)
{
	struct err none = { 0 };
	int r = ask_list(a, "/ethdev/list", s, dpdk_read_ports, e);

	for (size_t i = 0; !r && i < s->ports.n; i++)
		r = ask_port(a, &s->ports.v[i], e);
	if (r || ask_list(a, "/eal/lcore/list", s, dpdk_read_cores, &none))
		return r;
	for (size_t i = 0; !r && i < s->cores.n; i++)
		r = ask_core(a, &s->cores.v[i], e);
	return r ? r : ask_list(a, "/eal/lcore/usage", s, take_usage, e);
}

int packets_flows(struct packets *p, struct ovs_flows v[OVS_DATAPATHS], struct err *e)
{
	struct json_doc d = { 0 };
	struct sv text;
	struct ask a;
	int r;

	if (p->kind != PACKETS_OVS)
		return err_set(e, ENOENT, "process %d has no control socket of Open vSwitch", p->pid);
	r = ask_open(&a, p->sys, LOCAL_STREAM, p->pid, p->path, e);
	if (r)
		return r;
	r = ask_ovs(&a, "upcall/show", NULL, &d, &text, e);
	r = r ? r : (int)ovs_read_flows(v, text);
	json_doc_deinit(&d);
	ask_close(&a);
	return r;
}

int packets_read(struct packets *p, struct err *e)
{
	struct packets_told old = p->before;
	struct ask a;
	int r;

	p->before = p->now;
	p->now = old;
	p->now.at = 0;
	ovs_clear(&p->now.ovs);
	dpdk_clear(&p->now.dpdk);
	r = ask_open(&a, p->sys, p->kind == PACKETS_OVS ? LOCAL_STREAM : LOCAL_SEQPACKET, p->pid,
		     p->path, e);
	if (!r) {
		r = p->kind == PACKETS_OVS ? ask_switch(&a, &p->now.ovs, e) : ask_program(&a, &p->now.dpdk, e);
		ask_close(&a);
	}
	if (r)
		return err_wrap(e, "%s", p->path);
	p->now.at = p->sys->now(p->sys, CLOCK_MONOTONIC);
	return 0;
}

/* --- differences of the two answers --- */
/* How much a counter has grown; one that was cleared has grown from 0. */
static uint64_t grown_by(uint64_t before, uint64_t now)
{
	return now >= before ? now - before : now;
}

static bool has_both(const struct packets *p)
{
	return p->before.at && p->now.at;
}

bool packets_ovs(const struct packets *p, unsigned core, enum ovs_number number, uint64_t *grown)
{
	const struct ovs_pmd *before = ovs_pmd_of(&p->before.ovs, core), *now = ovs_pmd_of(&p->now.ovs, core);

	if (!has_both(p) || !before || !now || !before->known[number] || !now->known[number])
		return false;
	*grown = grown_by(before->number[number], now->number[number]);
	return true;
}

/* The port of index i in `now`, as it was in `before`. NULL: it did not exist. */
static const struct dpdk_port *port_before(const struct packets *p, size_t i)
{
	const struct dpdk_stats *s = &p->before.dpdk;

	for (size_t k = 0; has_both(p) && k < s->ports.n; k++)
		if (s->ports.v[k].id == p->now.dpdk.ports.v[i].id)
			return &s->ports.v[k];
	return NULL;
}

static const struct dpdk_core *core_on(const struct dpdk_stats *s, int cpu)
{
	for (size_t i = 0; i < s->cores.n; i++)
		if (s->cores.v[i].cpu == cpu && s->cores.v[i].has_usage)
			return &s->cores.v[i];
	return NULL;
}

bool packets_dpdk_busy(const struct packets *p, int cpu, double *percent)
{
	const struct dpdk_core *before = core_on(&p->before.dpdk, cpu), *now = core_on(&p->now.dpdk, cpu);
	uint64_t total = has_both(p) && before && now ? grown_by(before->total, now->total) : 0;
	double busy;

	if (!total)
		return false;
	busy = 100.0 * (double)grown_by(before->busy, now->busy) / (double)total;
	*percent = MIN(100.0, busy);
	return true;
}

bool packets_dpdk_received(const struct packets *p, uint64_t *grown)
{
	*grown = 0;
	if (!has_both(p))
		return false;
	for (size_t i = 0; i < p->now.dpdk.ports.n; i++) {
		const struct dpdk_port *before = port_before(p, i);

		*grown += grown_by(before ? before->received : 0, p->now.dpdk.ports.v[i].received);
	}
	return true;
}

/* The previous total of drop counter i of `now`; 0 for a new counter. */
static uint64_t total_before(const struct packets *p, size_t i)
{
	const struct ovs_stats *s = &p->before.ovs;
	const char *name = p->now.ovs.drops.v[i].name;

	for (size_t k = 0; k < s->drops.n; k++) {
		const struct ovs_drop *d = &s->drops.v[(i + k) % s->drops.n];

		if (!strcmp(d->name, name))
			return d->total;
	}
	return 0;
}

static void tell_switch(const struct packets *p, void (*one)(void *arg, const struct packets_drop *d), void *arg)
{
	for (size_t i = 0; i < p->now.ovs.drops.n; i++) {
		const struct ovs_drop *now = &p->now.ovs.drops.v[i];
		uint64_t n = grown_by(total_before(p, i), now->total);

		if (n && now->is_loss)
			one(arg, &(struct packets_drop){ now->name, "", n });
	}
}

static void tell_program(const struct packets *p, void (*one)(void *arg, const struct packets_drop *d), void *arg)
{
	static const struct dpdk_port none = { 0 };

	for (size_t i = 0; i < p->now.dpdk.ports.n; i++) {
		const struct dpdk_port *now = &p->now.dpdk.ports.v[i], *before = port_before(p, i);
		char name[24];

		before = before ? before : &none;
		snprintf(name, sizeof(name), "port %u", now->id);
		for (unsigned k = 0; k < DPDK_DROPS; k++) {
			uint64_t n = grown_by(before->dropped[k], now->dropped[k]);

			if (n)
				one(arg, &(struct packets_drop){ *now->name ? now->name : name, dpdk_drop_name(k), n });
		}
	}
}

bool packets_drops(const struct packets *p, void (*one)(void *arg, const struct packets_drop *d), void *arg)
{
	if (!has_both(p))
		return false;
	if (p->kind == PACKETS_OVS)
		tell_switch(p, one, arg);
	else
		tell_program(p, one, arg);
	return true;
}
