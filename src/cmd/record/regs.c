/* regs.c - see regs.h. */
#include "cmd/record/regs.h"

#include "arch/arch.h"
#include "base/str.h"

#include <strings.h>

/* The bit of this machine's register of that name; 0: there is none. */
static uint64_t bit_of(const struct arch *a, struct sv name)
{
	for (size_t i = 0; i < a->n_regs; i++)
		if (name.n == strlen(a->regs[i].name) && !strncasecmp(name.s, a->regs[i].name, name.n))
			return a->regs[i].perf_bit < 64 ? UINT64_C(1) << a->regs[i].perf_bit & a->user_regs_mask : 0;
	return 0;
}

static int unknown(const struct arch *a, struct sv name, struct err *e)
{
	char text[300] = "";
	size_t n = 0;

	for (size_t i = 0; i < a->n_regs && n < sizeof(text); i++)
		if (bit_of(a, sv_from(a->regs[i].name)))
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %s", a->regs[i].name);
	return err_set(e, EINVAL, "'%.*s' is no register; there are:%s", (int)MIN(name.n, 40u), name.s, text);
}

int record_regs_parse(uint64_t *mask, const char *value, struct err *e)
{
	const struct arch *a = arch_native();
	struct sv rest = sv_from(value), one;

	*mask = value ? 0 : a->user_regs_mask;
	while (value && sv_cut(&rest, ',', &one)) {
		uint64_t bit = bit_of(a, one);

		if (!bit)
			return unknown(a, one, e);
		*mask |= bit;
	}
	return 0;
}
