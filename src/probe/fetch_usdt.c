/* fetch_usdt.c - arguments of a USDT marker, whose note tells their places. */
#include "probe/fetch_parts.h"

#include "obj/elf/usdt.h"

static bool usdt_value(const struct fetch_env *env, const struct usdt_arg *a, struct fetch_value *v)
{
	struct arch_usdt u = { 0 };

	*v = (struct fetch_value){ 0 };
	if (a->is_float)
		return false;
	env->arch->usdt(a->operand.s, a->operand.n, &u);
	switch (u.kind) {
	case ARCH_USDT_CONST:
		v->base = FETCH_BASE_FINAL;
		snprintf(v->text, sizeof(v->text), "\\%lld", (long long)u.off);
		return env->features & FETCH_IMMEDIATE;
	case ARCH_USDT_REG:
	case ARCH_USDT_MEM:
		v->is_mem = u.kind == ARCH_USDT_MEM;
		v->off = v->is_mem ? u.off : 0;
		return fetch_reg_put(u.reg, env->arch, v);
	default:
		return false;
	}
}

int fetch_usdt_arg(const struct fetch_env *env, unsigned n, struct fetch_value *v, struct err *e)
{
	struct sv rest = sv_from(env->usdt_args);
	struct usdt_arg a;

	for (unsigned i = 1; usdt_next(&rest, &a); i++) {
		unsigned bytes = (unsigned)(a.size < 0 ? -a.size : a.size);

		if (i != n)
			continue;
		if (a.is_float)
			return err_set(e, EOPNOTSUPP, "it is a floating-point number, which no probe can read");
		if (!usdt_value(env, &a, v))
			return err_set(e, EOPNOTSUPP, "it is held in a way that cannot be fetched: '%.*s'",
				       (int)MIN(a.operand.n, 60u), a.operand.s);
		v->reg_bits = bytes == 1 || bytes == 2 || bytes == 4 ? 8 * bytes : 64;
		v->prefix = a.size < 0 ? 's' : 'u';
		/* Use the loaded value: a text is where that points to. */
		return fetch_load(v, e);
	}
	rest = sv_from(env->usdt_args);
	for (n = 0; usdt_next(&rest, &a); n++)
		;
	return n ? err_set(e, EINVAL, "the marker has %u argument%s", n, n > 1 ? "s" : "")
		 : err_set(e, EINVAL, "the marker has no arguments");
}

void fetch_put_usdt(const struct fetch_env *env, const char *args, struct out *o, unsigned *skipped)
{
	struct sv rest = sv_from(args);
	struct usdt_arg a;

	*skipped = 0;
	for (unsigned i = 1; i <= FETCH_ARGS_MAX && usdt_next(&rest, &a); i++) {
		unsigned bytes = (unsigned)(a.size < 0 ? -a.size : a.size);
		struct fetch_value v;

		if (!usdt_value(env, &a, &v)) {
			++*skipped;
			continue;
		}
		out_printf(o, " arg%u=", i);
		fetch_value_put(env, &v, o, NULL);
		if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
			out_printf(o, ":%c%u", a.size < 0 ? 's' : 'u', bytes * 8);
	}
}
