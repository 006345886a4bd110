/*
 * branch.c - the flags, third word of an entry. Fields and their widths in bits, from the lowest bit on:
 *   mispred, predicted, in_tx, abort 1 each, cycles 16, type 4, spec 2, new_type 4, priv 3
 * A type of 15 (PERF_BR_EXTEND_ABI) says that new_type has the type.
 */
#include "perf/branch.h"

enum { ENTRY = 24, FURTHER = 15 };

static const char *const types[] = {
	"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL", "COND_RET", "ERET",
	"IRQ", "SERROR", "NO_TX",
};
static const char *const further[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};
static const char *const specs[] = {
	"", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH",
};

static const char *type_of(uint64_t flags)
{
	unsigned type = flags >> 20 & 15, more = flags >> 26 & 15;

	if (type < ARRAY_SIZE(types))
		return types[type];
	return more < ARRAY_SIZE(further) ? further[more] : "";
}

bool branch_at(const struct sample_layout *l, const struct sample *s, uint64_t i, struct branch *b)
{
	struct cursor c = cur_from(s->branch.p, s->branch.n);
	uint64_t flags;

	if (i >= s->branch.n / ENTRY)
		return false;
	c.swap = l->swap;
	cur_skip(&c, (size_t)i * ENTRY);
	*b = (struct branch){ .from = cur_u64(&c), .to = cur_u64(&c) };
	flags = cur_u64(&c);
	b->missed = flags & 1;
	b->predicted = flags & 2;
	b->in_tx = flags & 4;
	b->abort = flags & 8;
	b->cycles = (uint16_t)(flags >> 4);
	b->type = type_of(flags);
	b->spec = specs[flags >> 24 & 3];
	b->reserved = (uint32_t)(flags >> 33);
	return true;
}
