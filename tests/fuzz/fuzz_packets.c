/* What Open vSwitch and DPDK answer: JSON whole and in pieces, and what is read of it. The first byte chooses. */
#include "packets/dpdk_text.h"
#include "packets/ovs_text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void read_switch(struct sv text)
{
	struct ovs_stats s = { 0 };
	double busy;

	ovs_read_pmds(&s, text);
	ovs_read_pmds(&s, text);
	ovs_read_queues(&s, text);
	ovs_read_drops(&s, text);
	ovs_read_ports(&s, text);
	for (size_t i = 0; i < s.pmds.n; i++)
		if (ovs_pmd_of(&s, s.pmds.v[i].core) != &s.pmds.v[i])
			abort();
	for (size_t i = 0; i < MIN(s.queues.n, (size_t)64); i++)
		if (ovs_busy(&s, s.queues.v[i].core, &busy) && !(busy >= 0 && busy <= 100))
			abort();
	ovs_deinit(&s);
}

static void read_program(const struct json_doc *d)
{
	struct dpdk_stats s = { 0 };

	dpdk_read_ports(&s, d, NULL);
	dpdk_read_cores(&s, d, NULL);
	if (s.ports.n > DPDK_PORTS || s.cores.n > DPDK_CORES)
		abort();
	for (size_t i = 0; i < s.ports.n; i++) {
		dpdk_read_port_stats(&s.ports.v[i], d);
		dpdk_read_port_info(&s.ports.v[i], d);
	}
	for (size_t i = 0; i < s.cores.n; i++)
		dpdk_read_core_info(&s.cores.v[i], d);
	dpdk_read_usage(&s, d);
	dpdk_deinit(&s);
}

/* Each node is reached once from the first, and strings end with a NUL. */
static void walk(const struct json_doc *d)
{
	size_t told = 1;

	for (size_t i = 0; i < d->v.n; i++) {
		const struct json_node *n = &d->v.v[i];

		if ((n->kind == JSON_STRING || n->kind == JSON_NUMBER) && n->text.s[n->text.n])
			abort();
		for (n = json_first(d, n); n; n = json_next(d, n))
			told++;
	}
	if (told != d->v.n)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct json_doc d = { 0 };
	struct json_scan whole = { 0 }, pieces = { 0 };
	const char *text = (const char *)p + 1;
	size_t end, at = 0;

	if (!n)
		return 0;
	n--;
	if (*p & 1) {
		read_switch((struct sv){ text, n });
		return 0;
	}
	end = json_find_end(&whole, text, n);
	while (at < n && !json_find_end(&pieces, text + at, 1))
		at++;
	if (end ? at + 1 != end : at != n)
		abort();
	if (!json_read(&d, text, n, NULL)) {
		walk(&d);
		read_program(&d);
	}
	json_doc_deinit(&d);
	return 0;
}
