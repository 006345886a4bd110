/* fetch_reg.c - registers, by every name that people have for them. */
#include "probe/fetch_parts.h"

bool fetch_reg_put(const struct arch_reg *r, const struct arch *a, struct fetch_value *v)
{
	if (!r || r->perf_bit > 63 || !(a->user_regs_mask >> r->perf_bit & 1))
		return false;
	snprintf(v->text, sizeof(v->text), "%%%s", r->name);
	return true;
}

/* Names of the whole register or its lower half, as assemblers have them: w3, rax, eax, r8d. */
static const struct arch_reg *part(const struct arch *a, struct sv name, unsigned *bits)
{
	char whole[8];

	if (name.n < 2 || name.n >= sizeof(whole))
		return NULL;
	str_copy(whole, sizeof(whole), name);
	switch (*name.s | 32) {
	case 'w':
		whole[0] = 'x';
		*bits = 32;
		return arch_reg_by_name(a, whole, name.n);
	case 'e':
		*bits = 32;
		return arch_reg_by_name(a, name.s + 1, name.n - 1);
	case 'r':
		if ((name.s[name.n - 1] | 32) == 'd') {
			*bits = 32;
			return arch_reg_by_name(a, whole, name.n - 1);
		}
		return arch_reg_by_name(a, name.s + 1, name.n - 1);
	}
	return NULL;
}

const char *fetch_reg_unread(const struct arch *a, unsigned dwarf, char buf[64])
{
	if (dwarf >= a->float_dwarf && dwarf - a->float_dwarf < a->n_float_regs)
		snprintf(buf, 64, "register %s%u, which is for floating point", a->float_reg, dwarf - a->float_dwarf);
	else
		snprintf(buf, 64, "register %u of DWARF", dwarf);
	return buf;
}

/* "v0", "d0", "xmm1": in all widths. */
static bool is_float(const struct arch *a, struct sv name)
{
	const char *const all[] = { a->float_reg, "v", "q", "d", "s", "h", "ymm", "st" };
	uint64_t n;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		size_t len = strlen(all[i]);

		if (sv_starts(name, all[i]) && str_u64((struct sv){ name.s + len, name.n - len }, 10, &n) &&
		    n < a->n_float_regs)
			return true;
	}
	return false;
}

int fetch_reg(const struct arch *a, struct sv name, struct fetch_value *v, struct err *e)
{
	const struct arch_reg *r = arch_reg_by_name(a, name.s, name.n);
	struct nearest near;
	char buf[100];

	if (!r && (sv_eq(name, "x30") || sv_eq(name, "w30")))
		r = arch_reg_by_name(a, "lr", 2);
	if (!r && sv_eq(name, "fp"))
		r = &a->regs[a->reg_fp];
	if (!r)
		r = part(a, name, &v->reg_bits);
	if (sv_eq(name, "w30"))
		v->reg_bits = 32;
	if (fetch_reg_put(r, a, v))
		return 0;
	if (a->elf_machine == 183 && sv_eq(name, "pstate")) {
		str_copy(v->text, sizeof(v->text), SV("%pstate"));
		return 0;
	}
	if (is_float(a, name))
		return err_set(e, EOPNOTSUPP, "%%%.*s is a register for floating point, which no probe can read",
			       (int)name.n, name.s);
	nearest_init(&near, name);
	for (size_t i = 0; i < a->n_regs; i++)
		nearest_feed(&near, a->regs[i].name);
	return err_set(e, EINVAL, "%.*s is no register of %s%s", (int)MIN(name.n, 40u), name.s, a->name,
		       nearest_text(&near, buf, sizeof(buf)));
}
