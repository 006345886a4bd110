#include "probe/cost.h"

/* Enabling a probe takes the kernel milliseconds, so a shorter on time would measure little. */
static const uint64_t on_ns = 100 * 1000 * 1000, on_min_ns = 10 * 1000 * 1000;

/* With longer off times the samples would not be representative. */
static const uint64_t off_max_ns = UINT64_C(10) * 1000 * 1000 * 1000;

enum probe_kind probe_kind_of_code(const struct arch *a, const uint8_t *p, size_t n)
{
	struct arch_insn insn;

	if (!a || !a->insn || !a->insn(p, n, 0, &insn))
		return PROBE_OF_PROGRAM;
	return insn.flags & ARCH_INSN_SIMULATED ? PROBE_OF_PROGRAM_SIMULATED
	       : insn.flags & ARCH_INSN_NOP     ? PROBE_OF_PROGRAM_NOP
						: PROBE_OF_PROGRAM;
}

const char *probe_kind_where(enum probe_kind kind)
{
	static const char *const where[PROBE_KINDS] = {
		[PROBE_OF_KERNEL] = "the kernel",
		[PROBE_OF_PROGRAM] = "programs",
		[PROBE_OF_PROGRAM_NOP] = "programs (nop)",
		[PROBE_OF_PROGRAM_SIMULATED] = "programs (simulated)",
		[PROBE_OF_PROGRAM_RETURN] = "programs (return)",
	};

	return where[kind];
}

double cost_share(const struct cost_trial *t)
{
	return t->window_ns ? (double)t->hits * t->hit_ns / (double)t->window_ns : 0;
}

void cost_duty(struct cost_duty *d, double share, double limit)
{
	*d = (struct cost_duty){ .on_ns = on_ns };
	if (share <= limit)
		return;

	/* on / (on + off) is limit / share */
	double off_per_on = limit > 0 ? share / limit - 1 : (double)off_max_ns;

	if ((double)on_ns * off_per_on >= (double)off_max_ns) {
		double on = (double)off_max_ns / off_per_on;

		d->is_hopeless = on < (double)on_min_ns;
		d->on_ns = d->is_hopeless ? on_min_ns : (uint64_t)on;
		d->off_ns = off_max_ns;
		return;
	}
	d->off_ns = (uint64_t)((double)on_ns * off_per_on) + 1;
}
