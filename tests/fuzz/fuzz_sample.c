/* One sample of any layout: the first 40 bytes are the layout, the rest is the record. */
#include "perf/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void check_inside(struct bytes all, struct bytes part)
{
	if (part.n && (part.p < all.p || part.n > all.n || part.p > all.p + (all.n - part.n)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	struct perf_attr attr = { 0 };
	struct sample_layout l;
	struct sample s;

	attr.sample_type = cur_u64(&c);
	attr.read_format = cur_u64(&c);
	attr.branch_sample_type = cur_u64(&c);
	attr.sample_regs_user = cur_u64(&c);
	attr.sample_regs_intr = cur_u64(&c);
	attr.flags = attr.sample_type >> 40 & 1 ? PERF_ATTR_SAMPLE_ID_ALL : 0;
	sample_layout_init(&l, &attr);
	l.swap = l.sample_type >> 41 & 1;

	struct bytes body = { c.pos, cur_left(&c) };

	if (!sample_decode(&l, body, 2, &s, NULL)) {
		const struct bytes parts[] = { s.chain,	    s.raw,	 s.read, s.branch,
					       s.user_regs, s.intr_regs, s.stack };

		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			check_inside(body, parts[i]);
		if (s.chain.n != s.n_chain * 8 || s.branch.n != s.n_branch * 24)
			abort();
		struct sample_value v;

		for (uint64_t i = 0; sample_read(&l, &s, i, &v); i++)
			;
		if (s.n_chain)
			sample_chain(&l, &s, s.n_chain - 1);
	}
	if (sample_id_offset(l.sample_type) > 40 || sample_id_offset_end(l.sample_type) > 32)
		abort();
	sample_decode_trailer(&l, body, &s, NULL);
	return 0;
}
