/* ptp.c - see ptp.h. */
#include "tracing/transport/ptp.h"

#include "base/cursor.h"

bool ptp_offset(const struct ptp_times *t, int64_t *time, int64_t *offset)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < PTP_PROBES; i++) {
		uint64_t took = (uint64_t)t->back[i] - (uint64_t)t->sent[i];

		if (!t->sent[i] || !t->back[i] || !t->met[i] || t->back[i] < t->sent[i] || took >= least)
			continue;
		least = took;
		*time = t->sent[i] + (int64_t)(took / 2);
		*offset = (int64_t)((uint64_t)t->met[i] - (uint64_t)*time);
	}
	return least != UINT64_MAX;
}

static uint8_t *put_u32(uint8_t *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

void ptp_put_results(uint8_t bytes[PTP_RESULTS_BYTES], uint32_t series, const struct ptp_times *t)
{
	uint8_t *p;

	memset(bytes, 0, PTP_RESULTS_BYTES);
	p = put_u32(put_u32(bytes, series), PTP_PROBES);
	for (uint32_t i = 0; i < PTP_PROBES; i++) {
		p = put_u32(p, (uint32_t)((uint64_t)t->met[i] >> 32));
		p = put_u32(p, (uint32_t)t->met[i]);
		/* A probe that was not seen gets number 0. */
		p = put_u32(p, t->met[i] ? i + 1 : 0);
	}
}

int ptp_take_results(struct ptp_times *t, const void *bytes, size_t n)
{
	struct cursor c = cur_from(bytes, n);
	uint32_t count;

	c.swap = true;
	cur_skip(&c, 4);
	count = cur_u32(&c);
	if (c.bad || count > 2 * PTP_PROBES)
		return -EBADMSG;
	memset(t->met, 0, sizeof(t->met));
	for (uint32_t i = 0; i < count; i++) {
		uint64_t time = cur_u64(&c);
		uint32_t number = cur_u32(&c);

		if (number && number <= PTP_PROBES)
			t->met[number - 1] = (int64_t)time;
	}
	return c.bad ? -EBADMSG : 0;
}
