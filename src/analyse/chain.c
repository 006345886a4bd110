/* chain.c - walk the markers. */
#include "analyse/chain.h"

/* Mode of the addresses behind a marker; 0: not one we know. */
static uint8_t marker_mode(uint64_t v)
{
	switch (v) {
	case PERF_CONTEXT_KERNEL: return PERF_MISC_KERNEL;
	case PERF_CONTEXT_USER: return PERF_MISC_USER;
	case PERF_CONTEXT_HV: return PERF_MISC_HYPERVISOR;
	case PERF_CONTEXT_GUEST_KERNEL: return PERF_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_USER: return PERF_MISC_GUEST_USER;
	}
	return 0;
}

size_t chain_frames(const struct sample_layout *l, const struct sample *s, struct chain_frame *f, size_t max)
{
	bool has_ip = l->sample_type & PERF_SAMPLE_IP;
	uint8_t mode = s->cpumode;
	bool returns = false;
	size_t n = 0;

	if (has_ip && max)
		f[n++] = (struct chain_frame){ s->ip, s->cpumode, false };
	for (uint64_t i = 0; i < s->n_chain && n < max; i++) {
		uint64_t v = sample_chain(l, s, i);

		if (v >= PERF_CONTEXT_MAX) {
			uint8_t m = marker_mode(v);

			mode = m ? m : mode;
			returns = false;
			continue;
		}
		/* A caller of address 0 is how start code marks the end of the frame records. */
		if (!v && returns)
			continue;
		/* The sampled place begins the chain of its own mode; a kernel event may have a user chain only. */
		if (!(has_ip && n == 1 && !returns && v == s->ip))
			f[n++] = (struct chain_frame){ v, mode, returns };
		returns = true;
	}
	return n;
}
