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
	nearest_init(&near, name);
	for (size_t i = 0; i < a->n_regs; i++)
		nearest_feed(&near, a->regs[i].name);
	return err_set(e, EINVAL, "%.*s is no register of %s%s", (int)MIN(name.n, 40u), name.s, a->name,
		       nearest_text(&near, buf, sizeof(buf)));
}
