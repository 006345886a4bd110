/*
 * fetch_expr.c - expressions of the source and of the kernel:
 *
 *   UNARY   := ('*' | '&') UNARY | PRIMARY { '.' NAME | '->' NAME | '[' N ']' }
 *   PRIMARY := NAME | '(' UNARY ')' | (+|-)[u]N '(' UNARY ')'
 *            | %REG | $retval | $argN | $stack[N] | $comm | @SYM | @ADDR | \IMM
 */
#include "probe/fetch_parts.h"

enum { DEPTH_MAX = 24 };

struct expr {
	const struct fetch_env *env;
	struct sv all, rest;
	const char *at;          /* current position in the text */
	unsigned depth;
	struct err *e;
};

static bool is_name(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (unsigned char)c >= 0x80;
}

static char peek(const struct expr *x)
{
	return x->rest.n ? x->rest.s[0] : '\0';
}

static void skip(struct expr *x, size_t n)
{
	x->rest.s += n;
	x->rest.n -= n;
}

static bool take(struct expr *x, const char *token)
{
	x->rest = sv_trim(x->rest);
	if (!sv_starts(x->rest, token))
		return false;
	skip(x, strlen(token));
	return true;
}

static int bad(struct expr *x, const char *what)
{
	x->at = x->rest.s;
	return err_set(x->e, EINVAL, "%s", what);
}

/* A name, "a" or "ns::a". */
static struct sv take_name(struct expr *x)
{
	struct sv s = x->rest;
	size_t n = 0;

	while (n < s.n && (is_name(s.s[n]) || (n + 2 < s.n && s.s[n] == ':' && s.s[n + 1] == ':')))
		n += s.s[n] == ':' ? 2 : 1;
	s.n = n;
	skip(x, n);
	return s;
}

static bool take_number(struct expr *x, int64_t *v)
{
	struct sv s = { x->rest.s, 0 };

	while (s.n < x->rest.n && (is_name(s.s[s.n]) || (!s.n && s.s[0] == '-')))
		s.n++;
	if (!str_i64(s, 0, v))
		return false;
	skip(x, s.n);
	return true;
}

/* Addresses in the kernel exceed the range of signed numbers. */
static bool take_unsigned(struct expr *x)
{
	struct sv s = { x->rest.s, 0 };
	uint64_t v;

	while (s.n < x->rest.n && is_name(s.s[s.n]))
		s.n++;
	if (!str_u64(s, 0, &v))
		return false;
	skip(x, s.n);
	return true;
}

static int unary(struct expr *x, struct fetch_value *v);

/* $argN: by its register if the kernel does not support it. */
static int arg_n(const struct expr *x, int64_t n, struct fetch_value *v)
{
	const struct fetch_env *env = x->env;
	bool by_kernel = !env->is_user && env->features & (env->is_return ? FETCH_RETURN_ARGS : FETCH_ARGN);
	const uint8_t *regs = env->arg_regs ? env->arg_regs : env->arch->arg_regs;
	int n_regs = env->arg_regs ? env->n_arg_regs : env->arch->n_arg_regs;

	if (env->usdt_args)
		return fetch_usdt_arg(env, (unsigned)MIN((uint64_t)n, (uint64_t)UINT_MAX), v, x->e);
	if (env->is_return ? !by_kernel : !env->at_entry)
		return err_set(x->e, EINVAL, "$arg%lld is known at a function's first instruction only", (long long)n);
	if (n < 1)
		return err_set(x->e, EINVAL, "the first argument is $arg1");
	if (env->at_entry) {
		int r = fetch_abi_arg(env, (unsigned)MIN(n, (int64_t)UINT_MAX), v, x->e);

		if (r != -ENODATA && (r || !by_kernel))
			return r;
		*x->e = (struct err){ 0 };
	}
	if (n > n_regs)
		return err_set(x->e, EINVAL, "$arg1 to $arg%d are in registers, others are not", n_regs);
	if (!by_kernel) {
		fetch_reg_put(&env->arch->regs[regs[n - 1]], env->arch, v);
		return 0;
	}
	snprintf(v->text, sizeof(v->text), "$arg%lld", (long long)n);
	return 0;
}

static int return_value(const struct expr *x, struct fetch_value *v)
{
	const struct fetch_env *env = x->env;

	if (!env->is_return && !env->at_ret_insn)
		return err_set(x->e, EINVAL, "$retval is known at a function's return only: FUNC%%return");
	if (env->at_ret_insn)
		fetch_reg_put(&env->arch->regs[env->arch->ret_reg], env->arch, v);
	else
		str_copy(v->text, sizeof(v->text), SV("$retval"));
	if (env->returns)
		v->type = env->returns(env->arg);
	return fetch_abi_returned(env, v->type, x->e);
}

static int dollar(struct expr *x, struct fetch_value *v)
{
	struct sv word = take_name(x), digits = word;
	int64_t n = 0;

	while (digits.n && (*digits.s < '0' || *digits.s > '9')) {
		digits.s++;
		digits.n--;
	}
	if (sv_eq(word, "retval"))
		return return_value(x, v);
	if (sv_starts(word, "arg") && word.n - digits.n == 3 && str_i64(digits, 10, &n))
		return arg_n(x, n, v);
	if (sv_eq(word, "comm") || sv_eq(word, "COMM"))
		v->base = FETCH_BASE_FINAL;
	else if (!sv_starts(word, "stack") || word.n - digits.n != 5 || (digits.n && !str_i64(digits, 10, &n)))
		return err_set(x->e, EINVAL, "$%.*s is not known: there are $retval, $argN, $stack, $stackN, $comm, "
			       "and alone $vars, $params and $arg*", (int)MIN(word.n, 40u), word.s);
	snprintf(v->text, sizeof(v->text), "$%.*s", (int)MIN(word.n, 40u), word.s);
	return 0;
}

/* @SYM[+OFF], @ADDR of the kernel; @+OFFSET of a program's file. */
static int at_sign(struct expr *x, struct fetch_value *v)
{
	size_t n = 0;

	while (n < x->rest.n && (is_name(x->rest.s[n]) || strchr("+-.:$", x->rest.s[n])))
		n++;
	v->base = FETCH_BASE_AT;
	v->is_mem = true;
	if (!n || n + 2 > sizeof(v->text))
		return bad(x, "a symbol or an address is expected");
	if (x->env->is_user != (x->rest.s[0] == '+'))
		return err_set(x->e, EINVAL, x->env->is_user ?
			       "in a program it is @+OFFSET; a global variable is asked for by its name alone" :
			       "@+OFFSET is of a program's file; the kernel's memory is @SYMBOL or @ADDRESS");
	snprintf(v->text, sizeof(v->text), "@%.*s", (int)n, x->rest.s);
	skip(x, n);
	return 0;
}

/* \5, \-1, \"text": immediate values */
static int immediate(struct expr *x, struct fetch_value *v)
{
	const char *from = x->rest.s;
	int64_t n;

	v->base = FETCH_BASE_FINAL;
	if (!(x->env->features & FETCH_IMMEDIATE))
		return err_set(x->e, EOPNOTSUPP, "this kernel takes no constants");
	if (peek(x) == '"') {
		const char *end = memchr(from + 1, '"', x->rest.n - 1);

		if (!end)
			return bad(x, "this quote is not closed");
		skip(x, (size_t)(end + 1 - from));
	} else if (!take_number(x, &n) && !take_unsigned(x)) {
		return bad(x, "a number or a \"text\" is expected");
	}
	if ((size_t)(x->rest.s - from) + 2 > sizeof(v->text))
		return err_set(x->e, E2BIG, "a constant of more than %d characters", FETCH_TEXT_MAX - 1);
	snprintf(v->text, sizeof(v->text), "\\%.*s", (int)(x->rest.s - from), from);
	return 0;
}

/* +8(X): the kernel's notation for a dereference. */
static int raw_deref(struct expr *x, bool is_minus, struct fetch_value *v)
{
	bool is_user = take(x, "u");
	int64_t off;
	int r;

	if (!take_number(x, &off) || off < 0)
		return bad(x, "an offset is expected");
	if (!take(x, "("))
		return bad(x, "'(' is expected");
	r = unary(x, v);
	if (!r && !take(x, ")"))
		r = bad(x, "')' is expected");
	if (!r && is_user && !x->env->is_user && !(x->env->features & FETCH_USTRING))
		return err_set(x->e, EOPNOTSUPP, "this kernel cannot tell the user's memory from its own");
	if (!r)
		r = fetch_deref(v, x->e);
	v->mem_is_user |= is_user;
	v->off = fetch_add(v->off, is_minus ? -off : off);
	v->type = (struct ctype){ 0 };
	v->name.n = 0;
	return r;
}

bool fetch_has_btf(const struct fetch_env *env)
{
	return !env->is_user && env->features & FETCH_BTF &&
	       (env->is_return ? env->features & FETCH_RETURN_ARGS : env->at_entry);
}

/* Newer kernels resolve names of arguments and their members by BTF. */
static int by_kernel(struct expr *x, struct fetch_value *v)
{
	struct sv all = x->all;

	for (size_t i = 0; i < all.n; i++) {
		if (!is_name(all.s[i]) && !strchr(".->", all.s[i]))
			return bad(x, "without debug information the kernel takes a->b.c only, not this:");
		if (is_name(all.s[i]) && (!i || !is_name(all.s[i - 1])))
			v->name = (struct sv){ all.s + i, all.n - i };
	}
	if (v->is_user || all.n > FETCH_TEXT_MAX)
		return err_set(x->e, EOPNOTSUPP, v->is_user ? "@user needs debug information" :
			       "it is too long for the kernel");
	v->is_path = v->name.s > all.s;
	v->base = FETCH_BASE_FINAL;
	str_copy(v->text, sizeof(v->text), all);
	x->rest.n = 0;
	return 0;
}

static int by_name(struct expr *x, struct fetch_value *v)
{
	const struct fetch_env *env = x->env;
	bool btf = fetch_has_btf(env);
	struct sv name = take_name(x);
	struct fetch_var var = { 0 };
	int r = -ENODATA;

	if (!name.n)
		return bad(x, "a variable, %REG, $retval, $argN or the like is expected");
	if (*name.s >= '0' && *name.s <= '9')
		return err_set(x->e, EINVAL, peek(x) == '(' ? "an offset begins with + or -: +8(...)" :
			       "this is no name; a constant is \\5, memory of the kernel is @ADDRESS");
	if (env->variable)
		r = env->variable(env->arg, name, &var, x->e);
	else
		err_set(x->e, ENODATA, "no names are known here: there is no debug information");
	if (!r)
		var.name = name;
	if (btf && (r == -ENODATA || (!r && env->is_return && var.loc.kind != LOC_ADDR && var.loc.kind != LOC_CONST)))
		return by_kernel(x, v);
	return r ? r : fetch_value_of(env, &var, v, x->e);
}

static int primary(struct expr *x, struct fetch_value *v)
{
	struct sv name;
	int r;

	x->rest = sv_trim(x->rest);
	x->at = x->rest.s;
	switch (peek(x)) {
	case '(':
		skip(x, 1);
		r = unary(x, v);
		return r || take(x, ")") ? r : bad(x, "')' is expected");
	case '%':
		skip(x, 1);
		name = take_name(x);
		return fetch_reg(x->env->arch, name, v, x->e);
	case '$':
		skip(x, 1);
		return dollar(x, v);
	case '@':
		skip(x, 1);
		return at_sign(x, v);
	case '\\':
		skip(x, 1);
		return immediate(x, v);
	case '+':
	case '-':
		r = peek(x) == '-';
		skip(x, 1);
		return raw_deref(x, r, v);
	}
	return by_name(x, v);
}

static int postfix(struct expr *x, struct fetch_value *v)
{
	int r = primary(x, v);

	while (!r && x->rest.n) {
		int64_t i;

		x->at = x->rest.s;
		if (take(x, "[")) {
			if (!take_number(x, &i) || i < -FETCH_INDEX_MAX || i > FETCH_INDEX_MAX || !take(x, "]"))
				return bad(x, "an index, a number in brackets, is expected");
			r = fetch_element(v, i, x->e);
		} else if (take(x, "->") || take(x, ".")) {
			struct sv name = take_name(x);

			r = name.n ? fetch_member(v, name, x->e) : bad(x, "a member's name is missing");
		} else {
			break;
		}
	}
	return r;
}

static int unary(struct expr *x, struct fetch_value *v)
{
	int r;

	const char *from = x->rest.s;

	if (++x->depth > DEPTH_MAX)
		return bad(x, "it is nested too deep");
	if (take(x, "*")) {
		r = unary(x, v);
		x->at = r ? x->at : from;
		r = r ? r : fetch_target(v, x->e);
	} else if (take(x, "&")) {
		r = unary(x, v);
		x->at = r ? x->at : from;
		r = r ? r : fetch_address(v, x->e);
	} else {
		r = postfix(x, v);
	}
	x->depth--;
	return r;
}

int fetch_value_parse(const struct fetch_env *env, const struct point_arg *a, struct fetch_value *v, const char **at,
		      struct err *e)
{
	struct expr x = { .env = env, .all = a->expr, .rest = a->expr, .at = a->expr.s, .e = e };
	int r;

	*v = (struct fetch_value){ .is_user = a->is_user };
	if (a->is_user && !env->is_user && !(env->features & FETCH_USTRING))
		return err_set(e, EOPNOTSUPP, "this kernel cannot tell the user's memory from its own");
	r = unary(&x, v);
	x.rest = sv_trim(x.rest);
	if (!r && x.rest.n)
		r = bad(&x, "nothing more is expected");
	*at = x.at;
	return r;
}
