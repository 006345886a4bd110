/* usdt.c - operands of USDT probes, in AT&T assembly: %rax, %eax, %al, $5, $-5, 8(%rsp). */
#include "base/str.h"

#include "arch/x86_64/parts.h"

/* A general register by its name in any width; not %ah, %bh, %ch, %dh. */
static const struct arch_reg *reg_of(struct sv s)
{
	char name[3];

	if (s.n < 3 || s.n > 5 || s.s[0] != '%')
		return NULL;
	s = (struct sv){ s.s + 1, s.n - 1 };
	if (s.s[0] == 'r' && s.s[1] >= '1' && s.s[1] <= '9') {
		if (memchr("dwb", s.s[s.n - 1], 3))
			s.n--;
	} else if (s.n == 3 && (s.s[0] == 'r' || s.s[0] == 'e')) {
		s = (struct sv){ s.s + 1, 2 };
	} else if (s.n == 3 && s.s[2] == 'l') {
		s.n = 2;
	} else if (s.n == 2 && s.s[1] == 'l') {
		name[0] = s.s[0];
		name[1] = 'x';
		s.s = name;
	}

	const struct arch_reg *reg = arch_reg_by_name(&arch_x86_64, s.s, s.n);

	/* By perf bit, ip, flags and the segments lie between sp and r8. */
	return reg && (reg->perf_bit <= arch_x86_64.reg_sp || reg->name[0] == 'r') ? reg : NULL;
}

static bool number(struct sv s, int64_t *v)
{
	uint64_t u;

	if (str_i64(s, 0, v))
		return true;
	if (!str_u64(s, 0, &u))
		return false;
	*v = (int64_t)u;
	return true;
}

void arch_x86_64_usdt(const char *operand, size_t n, struct arch_usdt *u)
{
	struct sv s = sv_trim((struct sv){ operand, n }), off;

	*u = (struct arch_usdt){ 0 };
	if (!s.n)
		return;
	if (s.s[0] == '$') {
		if (number((struct sv){ s.s + 1, s.n - 1 }, &u->off))
			u->kind = ARCH_USDT_CONST;
	} else if (s.s[s.n - 1] == ')') {
		s.n--;
		sv_cut(&s, '(', &off);
		u->reg = s.s && sv_starts(s, "%r") ? reg_of(s) : NULL;
		if (u->reg && (!off.n || number(off, &u->off)))
			u->kind = ARCH_USDT_MEM;
	} else if ((u->reg = reg_of(s))) {
		u->kind = ARCH_USDT_REG;
	}
}
