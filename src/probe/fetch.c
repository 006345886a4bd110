/* fetch.c - the arguments of a probe: which ones, under which names. */
#include "probe/fetch_parts.h"
#include "probe/probe_name.h"

#include "obj/usdt.h"

enum { VARS_MAX = 4096 };

struct fetch_list {
	const struct fetch_env *env;
	const struct point *point;
	struct out *out;
	struct err *e;
	const char *at;          /* in the point's text, where it went wrong */
	unsigned n;
	char names[FETCH_ARGS_MAX][FETCH_NAME_SIZE];
};

unsigned fetch_features(const char *readme)
{
	static const struct { unsigned flag; const char *text; } marks[] = {
		{ FETCH_USTRING, "ustring" },
		{ FETCH_IMMEDIATE, "imm-value" },
		{ FETCH_SYMSTR, "symstr" },
		{ FETCH_CHAR, " char, " },
		{ FETCH_BTF, "<argname>[->field" },
		{ FETCH_REFCOUNT, "ref_ctr_offset" },
		{ FETCH_RETURN_SUFFIX, "%return" },
		{ FETCH_ARGN, "$arg<N>" },
		{ FETCH_RETURN_ARGS, "return probes support: $retval, $arg<N>" },
		{ FETCH_ARRAY, "<array-size>" },
		{ FETCH_DENTRY, "%pd/%pD" },
	};
	unsigned features = 0;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		features |= !readme[0] || strstr(readme, marks[i].text) ? marks[i].flag : 0;
	return features;
}

/* --- names --- */

static bool is_taken(void *arg, const char *name)
{
	const struct fetch_list *l = arg;

	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->names[i], name))
			return true;
	for (size_t i = 0; i < l->point->args.n; i++)
		if (sv_eq(l->point->args.v[i].name, name))
			return true;
	return false;
}

/*
 * As perf does: the last member's name; a variable's with the type asked for; the kernel's argN of what has no name.
 * The kernel's own characters only, and no name twice.
 */
static int choose_name(struct fetch_list *l, const struct fetch_value *v, struct sv cast, struct err *e)
{
	char text[PROBE_NAME_SIZE], *name = l->names[l->n];
	size_t n = 0;

	/* By this name tprint knows the sign. */
	if (v->name.n && v->sign_bits)
		snprintf(text, sizeof(text), "%.*s_s%u", (int)MIN(v->name.n, 40u), v->name.s, v->sign_bits);
	else if (v->name.n && v->base != FETCH_BASE_FINAL && !v->is_path && cast.n)
		snprintf(text, sizeof(text), "%.*s_%.*s", (int)MIN(v->name.n, 40u), v->name.s, (int)cast.n, cast.s);
	else if (v->name.n)
		str_copy(text, sizeof(text), v->name);
	else
		snprintf(text, sizeof(text), "arg%u", l->n + 1);
	for (const char *c = text; *c && n < FETCH_NAME_SIZE - 1; c++) {
		if (probe_name_is_legal((struct sv){ c, 1 }) || (n && *c >= '0' && *c <= '9'))
			name[n++] = *c;
		else if (!n || name[n - 1] != '_')
			name[n++] = '_';
	}
	while (n > 1 && name[n - 1] == '_' && text[n - 1] != '_')
		n--;
	name[n] = '\0';
	for (unsigned i = 2; is_taken(l, name); i++) {
		if (i > 2 * FETCH_ARGS_MAX)
			return err_set(e, EINVAL, "the name %s is taken", name);
		n = MIN(n, (size_t)(FETCH_NAME_SIZE - 5));
		snprintf(name + n, FETCH_NAME_SIZE - n, "_%u", i);
	}
	return 0;
}

static int own_name(struct fetch_list *l, struct sv name, struct err *e)
{
	if (name.n >= FETCH_NAME_SIZE)
		return err_set(e, EINVAL, "its name has more than %d characters", FETCH_NAME_SIZE - 1);
	for (unsigned i = 0; i < l->n; i++)
		if (sv_eq(name, l->names[i]))
			return err_set(e, EINVAL, "the name '%s' occurs twice", l->names[i]);
	str_copy(l->names[l->n], FETCH_NAME_SIZE, name);
	return 0;
}

/* --- one argument --- */

static int is_full(void *arg UNUSED, const char *bytes UNUSED, size_t n UNUSED)
{
	return -E2BIG;
}

/* " NAME=VALUE:TYPE", or nothing. */
static int put(struct fetch_list *l, struct fetch_value *v, const struct point_arg *a, struct err *e)
{
	char type[FETCH_TYPE_SIZE], text[FETCH_TEXT_MAX];
	struct out o = { .write = is_full, .buf = text, .cap = sizeof(text) };
	int r;

	if (l->n == FETCH_ARGS_MAX)
		return err_set(e, E2BIG, "more than %d arguments", FETCH_ARGS_MAX);
	r = fetch_type(l->env, v, a, type, e);
	if (!r)
		r = fetch_value_put(l->env, v, &o, e);
	if (r)
		return r;
	if (*type) {
		out_char(&o, ':');
		out_str(&o, type);
	}
	if (o.error)
		return err_set(e, E2BIG, "more than the %d characters that the kernel takes for one", FETCH_TEXT_MAX);
	r = a->name.n ? own_name(l, a->name, e) : choose_name(l, v, a->type, e);
	if (r)
		return r;
	if (v->sign_bits && a->name.n && l->env->signless)
		++*l->env->signless;
	out_char(l->out, ' ');
	out_str(l->out, l->names[l->n++]);
	out_char(l->out, '=');
	out_bytes(l->out, text, o.n);
	return 0;
}

/* A string of Go or Rust as a whole: where it is and how long, by two names. */
static int put_text(struct fetch_list *l, const struct fetch_value *v, const struct point_arg *a,
		    const struct ctype_member m[2], struct err *e)
{
	struct sv name = a->name.n ? a->name : v->name;
	int r = 0;

	for (unsigned i = 0; !r && i < 2; i++) {
		struct fetch_value part = *v;
		struct point_arg named = *a;
		char text[PROBE_NAME_SIZE];

		snprintf(text, sizeof(text), "%.*s_%s", (int)MIN(name.n, 24u), name.s, i ? "len" : "str");
		r = fetch_member(&part, m[i].name, e);
		part.name = sv_from(text);
		if (a->name.n)
			named.name = part.name;
		r = r ? r : put(l, &part, &named, e);
	}
	return r;
}

/*
 * NAME:string of such a one. The kernel reads texts up to a NUL, which is not there: its first bytes are taken instead,
 * and the length beside them, by which tprint cuts them.
 */
static int put_counted(struct fetch_list *l, const struct fetch_value *v, const struct point_arg *a,
		       const struct ctype_member m[2], struct err *e)
{
	struct fetch_value text = *v, len = *v;
	struct point_arg named = *a;
	char name[FETCH_NAME_SIZE];
	int r = fetch_member(&text, m[0].name, e);

	r = r ? r : fetch_deref(&text, e);
	r = r ? r : fetch_member(&len, m[1].name, e);
	if (r)
		return r;
	text.type = (struct ctype){ 0 };
	text.name = v->name;
	named.type = l->env->features & FETCH_CHAR ? SV("char[64]") : SV("x8[64]");
	if (!a->name.n && !v->is_path) {
		snprintf(name, sizeof(name), "%.*s_string", (int)MIN(v->name.n, 18u), v->name.s);
		text.name = sv_from(name);
		text.is_path = true;
	}
	r = put(l, &text, &named, e);
	if (r)
		return r;

	char behind[FETCH_NAME_SIZE + 4];

	snprintf(behind, sizeof(behind), "%.27s_len", l->names[l->n - 1]);
	named = (struct point_arg){ .text = a->text, .name = sv_from(behind) };
	return put(l, &len, &named, e);
}

static int put_value(struct fetch_list *l, struct fetch_value *v, const struct point_arg *a, struct err *e)
{
	struct ctype_member m[2];

	if (!v->bits && fetch_is_text(v, &m[0], &m[1])) {
		if (!a->type.n)
			return put_text(l, v, a, m, e);
		if (sv_eq(a->type, "string") && l->env->features & FETCH_ARRAY)
			return put_counted(l, v, a, m, e);
	}
	return put(l, v, a, e);
}

static int put_one(struct fetch_list *l, const struct point_arg *a)
{
	struct fetch_value v;
	int r = fetch_value_parse(l->env, a, &v, &l->at, l->e);

	if (r)
		return r;
	l->at = a->type.n ? a->type.s : a->expr.s;
	return put_value(l, &v, a, l->e);
}

/* --- all variables --- */

enum expand { EXPAND_VARS, EXPAND_PARAMS };

/* What cannot be fetched is left out. */
static int put_vars(struct fetch_list *l, enum expand what)
{
	static const struct point_arg plain;
	const struct fetch_env *env = l->env;
	struct fetch_var var;
	bool is_param;

	if (!env->nth)
		return err_set(l->e, ENODATA, "no names are known here: there is no debug information");
	if (env->is_return)
		return err_set(l->e, EINVAL, "variables are known while the function runs, and this is its return");
	for (unsigned i = 0; i < VARS_MAX; i++) {
		struct fetch_value v = { 0 };
		int r;

		var = (struct fetch_var){ 0 };
		is_param = false;
		r = env->nth(env->arg, i, &is_param, &var, l->e);
		if (r <= 0)
			return r;
		if (what == EXPAND_PARAMS && !is_param)
			continue;
		r = fetch_value_of(env, &var, &v, NULL);
		r = r ? r : put_value(l, &v, &plain, NULL);
		if (r && env->skipped)
			++*env->skipped;
	}
	return 0;
}

/* $arg*: by the debug information, else by the kernel's. */
static int put_all_args(struct fetch_list *l)
{
	const struct fetch_env *env = l->env;
	bool btf = fetch_has_btf(env);
	int r = -ENODATA;

	if (!env->is_return || !btf)
		r = put_vars(l, EXPAND_PARAMS);
	if (r != -ENODATA || !btf)
		return r;
	out_str(l->out, " $arg*");
	return 0;
}

static int put_arg(struct fetch_list *l, const struct point_arg *a)
{
	bool is_vars = sv_eq(a->expr, "$vars"), is_params = sv_eq(a->expr, "$params");

	if (!is_vars && !is_params && !sv_eq(a->expr, "$arg*"))
		return put_one(l, a);
	if (a->name.n || a->type.n || a->is_user)
		return err_set(l->e, EINVAL, "it stands for several: no name, type or @user");
	if (!is_vars && !is_params)
		return put_all_args(l);
	return put_vars(l, is_vars ? EXPAND_VARS : EXPAND_PARAMS);
}

/* What is wrong, and below it the text with a mark. */
static void marked(const struct fetch_list *l, const struct point_arg *a)
{
	struct err *e = l->e, was;

	if (!e)
		return;
	err_wrap(e, "argument '%.*s'", (int)MIN(a->text.n, 60u), a->text.s);
	was = *e;
	if (was.code != ENOMEM && l->point->text)
		point_mark(e, l->point->text, l->at, was.text);
	e->code = was.code;
	memcpy(e->hint, was.hint, sizeof(e->hint));
}

int fetch_put(const struct fetch_env *env, const struct point *p, struct out *o, struct err *e)
{
	struct fetch_list l = { .env = env, .point = p, .out = o, .e = e };

	for (size_t i = 0; i < p->args.n; i++) {
		const struct point_arg *a = &p->args.v[i];
		int r;

		l.at = a->text.s;
		r = put_arg(&l, a);
		if (r)
			return marked(&l, a), r;
	}
	return 0;
}

/* --- markers --- */

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
		/* Its value, not where it is: a text is where that points to. */
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
