/*
 * ovs_text.c - read Open vSwitch's answers.
 *
 *	pmd thread numa_id 0 core_id 5:
 *
 *	  Iterations:             11218  (89.22 us/it)
 *	  - idle iterations:      11218  (100.0 % of used cycles)
 *	  Rx packets:               412  (0 Kpps, 1200 cycles/pkt)
 *	  - Upcalls:                  2  (  0.5 %, 61.0 us/upcall)
 *	  packets received: 412
 *	  processing cycles: 494400 (0.02%)
 *
 *	  port: p0                queue-id:  0 (enabled)   pmd usage:  3 %
 *	  overhead:  1 %
 *
 *	system@ovs-system:
 *	  flows         : (current 7) (avg 6) (max 118) (limit 10000)
 *	  dump duration : 1ms
 *
 *	datapath_drop_upcall_error   0.0/sec     0.000/sec        0.0000/sec   total: 3
 *
 *	netdev@ovs-netdev:
 *	  port 1: p0 (dpdk: configured_rx_queues=1, ...)
 *	    RX packets:412 errors:0 dropped:3 overruns:? frame:?
 */
#include "packets/ovs_text.h"

struct label {
	const char *text;
	enum ovs_number number;
};

/* Labels of pmd-perf-show and of pmd-stats-show. */
static const struct label labels[] = {
	{ "Rx packets:", OVS_PACKETS }, { "packets received:", OVS_PACKETS },
	{ "Iterations:", OVS_ITERATIONS }, { "- idle iterations:", OVS_IDLE },
	{ "- Upcalls:", OVS_UPCALLS }, { "miss with success upcall:", OVS_UPCALLS },
	{ "- Lost upcalls:", OVS_LOST }, { "miss with failed upcall:", OVS_LOST },
	{ "processing cycles:", OVS_BUSY_CYCLES }, { "idle cycles:", OVS_IDLE_CYCLES },
};

/* Read the decimal number at the start of the text, behind spaces; *rest: the text behind it. */
static bool number_at(struct sv text, uint64_t *v, struct sv *rest)
{
	size_t n = 0;

	while (text.n && *text.s == ' ') {
		text.s++;
		text.n--;
	}
	while (n < text.n && text.s[n] >= '0' && text.s[n] <= '9')
		n++;
	*rest = (struct sv){ text.s + n, text.n - n };
	return str_u64((struct sv){ text.s, n }, 10, v);
}

/* Read the number behind a word of the line. */
static bool number_behind(struct sv line, const char *word, uint64_t *v, struct sv *rest)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= line.n; i++)
		if (!memcmp(line.s + i, word, len))
			return number_at((struct sv){ line.s + i + len, line.n - i - len }, v, rest);
	return false;
}

/* Head lines: "pmd thread numa_id 0 core_id 5:", or "main thread:", which has no core. */
enum section { SECTION_SAME, SECTION_PMD, SECTION_OTHER };

static enum section section_of(struct sv line, unsigned *core)
{
	struct sv rest;
	uint64_t v;

	if (sv_starts(line, "main thread"))
		return SECTION_OTHER;
	if (!sv_starts(line, "pmd thread"))
		return SECTION_SAME;
	if (!number_behind(line, "core_id ", &v, &rest) || v >= CPUS_MAX)
		return SECTION_OTHER;
	*core = (unsigned)v;
	return SECTION_PMD;
}

const struct ovs_pmd *ovs_pmd_of(const struct ovs_stats *s, unsigned core)
{
	for (size_t i = 0; i < s->pmds.n; i++)
		if (s->pmds.v[i].core == core)
			return &s->pmds.v[i];
	return NULL;
}

/* Index + 1; 0: no memory. */
static size_t pmd_add(struct ovs_stats *s, unsigned core)
{
	const struct ovs_pmd *known = ovs_pmd_of(s, core);
	struct ovs_pmd *p;

	if (known)
		return (size_t)(known - s->pmds.v) + 1;
	p = vec_add(&s->pmds);
	if (p)
		p->core = core;
	return p ? s->pmds.n : 0;
}

static void take_number(struct ovs_pmd *p, const bool *before, struct sv line)
{
	struct sv rest;
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		enum ovs_number n = labels[i].number;

		if (!sv_starts(line, labels[i].text) || before[n])
			continue;
		if (number_behind(line, labels[i].text, &v, &rest)) {
			/* Two threads on one core belong to different datapaths: sum them up. */
			p->number[n] += v;
			p->known[n] = true;
		}
	}
}

int ovs_read_pmds(struct ovs_stats *s, struct sv text)
{
	bool before[OVS_NUMBERS] = { false };
	struct sv line;
	unsigned core;
	size_t at = 0;

	for (size_t i = 0; i < s->pmds.n; i++)
		for (unsigned n = 0; n < OVS_NUMBERS; n++)
			before[n] |= s->pmds.v[i].known[n];
	while (sv_cut(&text, '\n', &line)) {
		enum section section;

		line = sv_trim(line);
		section = section_of(line, &core);
		if (section == SECTION_PMD) {
			at = pmd_add(s, core);
			if (!at)
				return -ENOMEM;
		} else if (section == SECTION_OTHER) {
			at = 0;
		} else if (at) {
			take_number(&s->pmds.v[at - 1], before, line);
		}
	}
	return 0;
}

/* --- queues --- */

/* Read " 3 %" behind a word; "NOT AVAIL" is no number. */
static void take_usage(struct ovs_queue *q, struct sv line, const char *behind)
{
	struct sv rest;
	uint64_t v;

	q->has_usage = number_behind(line, behind, &v, &rest);
	if (q->has_usage)
		q->usage = (double)MIN(v, UINT64_C(100));
}

static int queue_add(struct ovs_stats *s, unsigned core, struct sv line)
{
	bool is_overhead = sv_starts(line, "overhead:");
	struct ovs_queue *q;
	struct sv name, rest;
	uint64_t queue = 0;

	if (!is_overhead && (!sv_starts(line, "port: ") || !number_behind(line, "queue-id:", &queue, &rest)))
		return 0;
	if (s->queues.n == OVS_QUEUES)
		return -E2BIG;
	q = vec_add(&s->queues);
	if (!q)
		return -ENOMEM;
	*q = (struct ovs_queue){ .core = core, .is_overhead = is_overhead, .queue = (unsigned)queue };
	take_usage(q, line, is_overhead ? "overhead:" : "pmd usage:");
	if (is_overhead)
		return 0;
	line.s += 6;
	line.n -= 6;
	line = sv_trim(line);
	sv_cut(&line, ' ', &name);
	str_copy(q->port, sizeof(q->port), name);
	return 0;
}

int ovs_read_queues(struct ovs_stats *s, struct sv text)
{
	bool in_pmd = false;
	unsigned core = 0;
	struct sv line;
	int r = 0;

	while (!r && sv_cut(&text, '\n', &line)) {
		enum section section;

		line = sv_trim(line);
		section = section_of(line, &core);
		if (section != SECTION_SAME)
			in_pmd = section == SECTION_PMD;
		else if (in_pmd)
			r = queue_add(s, core, line);
	}
	return r;
}

bool ovs_busy(const struct ovs_stats *s, unsigned core, double *percent)
{
	bool known = false;

	*percent = 0;
	for (size_t i = 0; i < s->queues.n; i++) {
		const struct ovs_queue *q = &s->queues.v[i];

		if (q->core != core || !q->has_usage)
			continue;
		known = true;
		*percent += q->usage;
	}
	*percent = MIN(*percent, 100.0);
	return known;
}

/* --- drops --- */

static int drop_add(struct ovs_stats *s, const char *name, uint64_t total, bool is_loss)
{
	struct ovs_drop *d;

	if (!total)
		return 0;
	if (s->drops.n == OVS_DROPS)
		return -E2BIG;
	d = vec_add(&s->drops);
	if (!d)
		return -ENOMEM;
	*d = (struct ovs_drop){ .total = total, .is_loss = is_loss };
	str_copy(d->name, sizeof(d->name), sv_from(name));
	return 0;
}

int ovs_read_drops(struct ovs_stats *s, struct sv text)
{
	struct sv line, word, rest;
	char name[OVS_NAME];
	uint64_t v;
	int r = 0;

	while (!r && sv_cut(&text, '\n', &line)) {
		bool is_loss = sv_starts(line, "datapath_drop_");

		if (!is_loss && !sv_starts(line, "vhost_tx_contention"))
			continue;
		if (!number_behind(line, "total: ", &v, &rest))
			continue;
		sv_cut(&line, ' ', &word);
		str_copy(name, sizeof(name), word);
		r = drop_add(s, name, v, is_loss);
	}
	return r;
}

/* "RX packets:7 errors:0 dropped:1 overruns:? frame:?"; '?' means unknown. */
static int take_port(struct ovs_stats *s, const char *port, struct sv line)
{
	static const char *const sides[] = { "RX packets:", "TX packets:" };
	static const char *const what[][2] = { { "rx dropped", "tx dropped" }, { "rx errors", "tx errors" } };
	static const char *const words[] = { "dropped:", "errors:" };
	char name[OVS_NAME];
	struct sv rest;
	uint64_t v;
	int r = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(sides); i++) {
		for (unsigned k = 0; !r && sv_starts(line, sides[i]) && k < ARRAY_SIZE(words); k++) {
			if (!number_behind(line, words[k], &v, &rest))
				continue;
			snprintf(name, sizeof(name), "%s %s", port, what[k][i]);
			r = drop_add(s, name, v, true);
		}
	}
	return r;
}

int ovs_read_ports(struct ovs_stats *s, struct sv text)
{
	char port[OVS_NAME - 12] = "";
	bool is_its_own = false;
	struct sv line, name;
	int r = 0;

	while (!r && sv_cut(&text, '\n', &line)) {
		if (line.n && line.s[0] != ' ') {
			is_its_own = !sv_starts(line, "system@");
			*port = 0;
		}
		line = sv_trim(line);
		if (sv_starts(line, "port ") && sv_cut(&line, ':', &name)) {
			line = sv_trim(line);
			sv_cut(&line, ' ', &name);
			str_copy(port, sizeof(port), name);
		} else if (is_its_own && *port) {
			r = take_port(s, port, line);
		}
	}
	return r;
}

/* --- flows --- */

static void take_flows(struct ovs_flows *f, struct sv line)
{
	const struct { const char *word; uint64_t *to; } numbers[] = {
		{ "(current ", &f->current }, { "(avg ", &f->average }, { "(max ", &f->most }, { "(limit ", &f->limit },
	};
	struct sv rest;

	if (sv_starts(line, "dump duration"))
		number_behind(line, ": ", &f->dump_ms, &rest);
	if (!sv_starts(line, "flows "))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		number_behind(line, numbers[i].word, numbers[i].to, &rest);
}

size_t ovs_read_flows(struct ovs_flows v[OVS_DATAPATHS], struct sv text)
{
	struct sv line;
	size_t n = 0;

	while (sv_cut(&text, '\n', &line)) {
		bool begins = line.n > 1 && line.s[0] != ' ' && line.s[0] != '\t' && line.s[line.n - 1] == ':';

		if (begins && n == OVS_DATAPATHS)
			break;
		if (begins) {
			v[n] = (struct ovs_flows){ 0 };
			str_copy(v[n++].name, OVS_NAME, (struct sv){ line.s, line.n - 1 });
		} else if (n) {
			take_flows(&v[n - 1], sv_trim(line));
		}
	}
	return n;
}

void ovs_clear(struct ovs_stats *s)
{
	s->pmds.n = s->queues.n = s->drops.n = 0;
}

void ovs_deinit(struct ovs_stats *s)
{
	vec_free(&s->pmds);
	vec_free(&s->queues);
	vec_free(&s->drops);
}
