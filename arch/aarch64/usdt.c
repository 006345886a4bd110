/* usdt.c - operands of USDT probes, in A64 assembly: x1, w0, wzr, sp, [x2], [sp, 12], [x0, #-8], 5, #-5. */
#include "base/str.h"

#include "arch/aarch64/parts.h"

enum { X30 = 30 };

/* A register by its 64-bit or 32-bit name; NULL for the zero register, too. */
static const struct arch_reg *reg_of(struct sv s)
{
	uint64_t n;

	if (s.n > 1 && (s.s[0] == 'x' || s.s[0] == 'w') &&
	    str_u64((struct sv){ s.s + 1, s.n - 1 }, 10, &n) && n <= X30)
		return &arch_aarch64.regs[n];
	if (sv_eq(s, "sp") || sv_eq(s, "wsp"))
		return &arch_aarch64.regs[arch_aarch64.reg_sp];
	if (sv_eq(s, "lr"))
		return &arch_aarch64.regs[arch_aarch64.reg_lr];
	return sv_eq(s, "fp") ? &arch_aarch64.regs[arch_aarch64.reg_fp] : NULL;
}

static bool number(struct sv s, int64_t *v)
{
	uint64_t u;

	if (s.n && s.s[0] == '#')
		s = (struct sv){ s.s + 1, s.n - 1 };
	if (str_i64(s, 0, v))
		return true;
	if (!str_u64(s, 0, &u))
		return false;
	*v = (int64_t)u;
	return true;
}

static void memory(struct sv s, struct arch_usdt *u)
{
	struct sv base;
	int64_t off = 0;

	if (!sv_cut(&s, ',', &base) || (s.s && s.n && !number(sv_trim(s), &off)))
		return;

	const struct arch_reg *reg = reg_of(sv_trim(base));

	if (reg && base.s[0] != 'w')
		*u = (struct arch_usdt){ ARCH_USDT_MEM, reg, off };
}

void arch_aarch64_usdt(const char *operand, size_t n, struct arch_usdt *u)
{
	struct sv s = sv_trim((struct sv){ operand, n });

	*u = (struct arch_usdt){ 0 };
	if (s.n > 2 && s.s[0] == '[' && s.s[s.n - 1] == ']') {
		memory((struct sv){ s.s + 1, s.n - 2 }, u);
	} else if ((u->reg = reg_of(s))) {
		u->kind = ARCH_USDT_REG;
	} else if (sv_eq(s, "xzr") || sv_eq(s, "wzr") || number(s, &u->off)) {
		u->kind = ARCH_USDT_CONST;
	}
}
