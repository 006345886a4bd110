/* fetch.c - the arguments of a probe: their names, and the types by which the kernel prints them. */
#include "probe/fetch_parts.h"
#include "probe/probe_name.h"

enum { VARS_MAX = 4096 };
enum { FETCH_TYPE_SIZE = 24, ARRAY_MAX = 64, MEMBERS_LOOKED = 64, DIMENSIONS_MAX = 8 };

struct fetch_list {
	const struct fetch_env *env;
	const struct point *point;
	struct out *out;
	struct err *e;
	const char *at;          /* place of an error, in the text of the point */
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
 * Named as perf does it: by the last member; by the variable, with the type asked for; by the kernel's argN if it has
 * no name. Only characters that the kernel accepts, and no name twice.
 */
static int choose_name(struct fetch_list *l, const struct fetch_value *v, struct sv cast, struct err *e)
{
	char text[PROBE_NAME_SIZE], *name = l->names[l->n];
	size_t n = 0;

	/* tprint recognises the sign by this suffix. */
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

/* --- types: asked for, or of the source --- */

enum kind { K_NUMBER, K_AUTO, K_STRING, K_KERNEL };

static const struct name {
	const char *name;
	enum kind kind;
	unsigned needs;
} names[] = {
	{ "u8" }, { "u16" }, { "u32" }, { "u64" }, { "s8" }, { "s16" }, { "s32" }, { "s64" }, { "x8" },
	{ "x16" }, { "x32" }, { "x64" }, { "u", K_AUTO }, { "s", K_AUTO }, { "x", K_AUTO },
	{ "char", K_NUMBER, FETCH_CHAR }, { "string", K_STRING }, { "ustring", K_STRING, FETCH_USTRING },
	{ "symbol", K_KERNEL }, { "symstr", K_KERNEL, FETCH_SYMSTR }, { "%pd", K_KERNEL, FETCH_DENTRY },
	{ "%pD", K_KERNEL, FETCH_DENTRY },
};

/* bWIDTH@OFFSET/CONTAINER, in bits from the least significant one. */
static bool is_bits(struct sv s)
{
	struct sv width, off;
	uint64_t w, o, c;

	if (!sv_starts(s, "b"))
		return false;
	s.s++;
	s.n--;
	if (!sv_cut(&s, '@', &width) || !sv_cut(&s, '/', &off))
		return false;
	if (!str_u64(width, 10, &w) || !str_u64(off, 10, &o) || !str_u64(s, 10, &c))
		return false;
	return c >= 8 && c <= 64 && !(c & (c - 1)) && o < c && w && w <= c - o;
}

static int unknown(struct sv s, struct err *e)
{
	struct nearest near;
	char buf[100];

	nearest_init(&near, s);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		nearest_feed(&near, names[i].name);
	nearest_text(&near, buf, sizeof(buf));
	return err_set(e, EINVAL, "type '%.*s' is not known%s", (int)MIN(s.n, 40u), s.s,
		       *buf ? buf : ": there are u8-u64, s8-s64, x8-x64, string, ustring, symbol, bWIDTH@OFFSET/SIZE");
}

/* Find the type of "TYPE[N]"; *n: 0 without [N]. NULL: *r is an error, or 0 for a bit-field's type. */
static const struct name *find(const struct fetch_env *env, struct sv s, uint64_t *n, int *r, struct err *e)
{
	const char *open = memchr(s.s, '[', s.n);
	struct sv base = s;

	*n = 0;
	*r = 0;
	if (open) {
		base.n = (size_t)(open - s.s);
		if (s.s[s.n - 1] != ']' || !str_u64((struct sv){ open + 1, s.n - base.n - 2 }, 10, n) || !*n ||
		    *n > ARRAY_MAX) {
			*r = err_set(e, EINVAL, "an array's type ends in [1] to [%d]", ARRAY_MAX);
			return NULL;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!sv_eq(base, names[i].name))
			continue;
		if (env->is_user && names[i].kind == K_KERNEL) {
			*r = err_set(e, EINVAL, "type '%s' is of the kernel's own things only", names[i].name);
			return NULL;
		}
		if ((names[i].needs & env->features) == names[i].needs && (!open || env->features & FETCH_ARRAY))
			return &names[i];
		*r = err_set(e, EOPNOTSUPP, "this kernel has no type '%.*s'", (int)MIN(s.n, 40u), s.s);
		return NULL;
	}
	if (!is_bits(base))
		*r = unknown(base, e);
	return NULL;
}

static bool is_byte(const struct ctype_info *t)
{
	return t->kind == CTYPE_NONE || (t->size == 1 && (t->kind == CTYPE_CHAR || t->kind == CTYPE_INT));
}

/* All zero for an unknown type. */
static int type_info(struct ctype t, struct ctype_info *info, struct err *e)
{
	*info = (struct ctype_info){ 0 };
	return t.src ? ctype_info(t, info, e) : 0;
}

enum texts { ONE, SEVERAL };

/*
 * Make the value the place of a text: the target of a pointer, or an array. The text ends at a NUL, even where the
 * source knows its length. [N]: N pointers to texts.
 */
static int follow_text(struct fetch_value *v, const struct ctype_info *t, enum texts n, struct err *e)
{
	const char *refusal = n == ONE ? "not a text" : "not several pointers to text";
	struct ctype_info of = { 0 };
	struct ctype_member text, len;
	struct fetch_value whole;
	int r;

	if (v->base == FETCH_BASE_FINAL)
		return n == ONE ? 0 : fetch_fail_type(v, refusal, e);
	if (!v->type.src)
		return v->is_mem ? 0 : fetch_deref(v, e);
	if (n == ONE && fetch_is_text(v, &text, &len)) {
		whole = *v;
		r = fetch_member(v, text.name, e);
		v->name = whole.name;
		v->is_path = whole.is_path;
		return r ? r : fetch_deref(v, e);
	}
	r = type_info(t->target, &of, e);
	if (r)
		return r;
	if ((t->kind != CTYPE_PTR && t->kind != CTYPE_ARRAY) || (n == ONE ? !is_byte(&of) : of.kind != CTYPE_PTR))
		return fetch_fail_type(v, refusal, e);
	if (t->kind == CTYPE_PTR)
		return fetch_deref(v, e);
	return v->is_mem ? 0 : fetch_fail_type(v, "held in a register", e);
}

static int follow_array(struct fetch_value *v, const struct ctype_info *t, struct err *e)
{
	if (v->type.src && t->kind == CTYPE_PTR)
		return fetch_deref(v, e);
	return v->is_mem ? 0 : fetch_fail_type(v, "and arrays are in memory", e);
}

/* Choose the smallest memory access, aligned if possible, that contains the whole bit-field. */
static int put_bits(struct fetch_value *v, uint64_t size, char type[FETCH_TYPE_SIZE], struct err *e)
{
	uint64_t back = size && !(size & (size - 1)) && size <= 8 ? (uint64_t)v->off & (size - 1) : 0;
	unsigned c = (unsigned)size * 8;

	if (v->bits > 64)
		return err_set(e, EBADMSG, "a bit-field of %u bits", v->bits);
	if (!back || v->bit_off + 8 * back + v->bits > c)
		back = 0;
	v->off -= (int64_t)back;
	v->bit_off += 8 * (unsigned)back;
	if (!size || size > 8 || v->bit_off + v->bits > c)
		for (c = 8; c < v->bit_off + v->bits;)
			c *= 2;
	if (c > 64)
		return err_set(e, EOPNOTSUPP, "a bit-field of %u bits across 9 bytes", v->bits);
	snprintf(type, FETCH_TYPE_SIZE, "b%u@%u/%u", v->bits, v->bit_off, c);
	return 0;
}

static bool has_sign(const struct ctype_info *t)
{
	return t->is_signed && (t->kind == CTYPE_INT || t->kind == CTYPE_CHAR || t->kind == CTYPE_ENUM);
}

/* -EINVAL, with the first members as a hint. */
static int fail_struct(const struct fetch_value *v, struct err *e)
{
	char buf[80], list[160] = "";
	struct ctype_member m;
	size_t n = 0;

	for (unsigned i = 0; i < MEMBERS_LOOKED && n < 100; i++) {
		if (v->type.src->member(v->type.src, v->type.id, i, &m, NULL) <= 0)
			break;
		if (m.name.n)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s.%.*s", n ? " " : "",
					      (int)MIN(m.name.n, 24u), m.name.s);
	}
	err_set(e, EOPNOTSUPP, "it is %s as a whole", ctype_spell(v->type, buf, sizeof(buf)));
	return n ? err_hint(e, "ask for a member: %s", list) : -EOPNOTSUPP;
}

static int put_number(const struct fetch_value *v, const struct ctype_info *t, char prefix, char type[FETCH_TYPE_SIZE],
		      struct err *e)
{
	unsigned bits = v->type.src && t->kind != CTYPE_NONE ? (unsigned)MIN(t->size, 8u) * 8 : v->reg_bits;

	if ((t->kind == CTYPE_STRUCT || t->kind == CTYPE_UNION) && !prefix)
		return fail_struct(v, e);
	/* The kernel does not print floating point: show the bits. */
	if (!prefix)
		prefix = v->prefix ? v->prefix : has_sign(t) ? 's' : 'x';
	if (t->kind == CTYPE_FUNC || !bits || bits & (bits - 1))
		bits = 64;
	snprintf(type, FETCH_TYPE_SIZE, "%c%u", prefix, bits);
	return 0;
}

/* Print all elements of an array, or as many as the kernel can. */
static int put_array(const struct fetch_env *env, const struct fetch_value *v, struct ctype_info t, char prefix,
		     char type[FETCH_TYPE_SIZE], struct err *e)
{
	struct fetch_value of = *v;
	uint64_t n = 1;
	size_t len;
	int r = 0;

	for (unsigned i = 0; !r && t.kind == CTYPE_ARRAY && i < DIMENSIONS_MAX; i++) {
		n = MIN(n * MIN(t.count, (uint64_t)ARRAY_MAX), (uint64_t)ARRAY_MAX);
		of.type = t.target;
		r = type_info(of.type, &t, e);
	}
	if (r || !n || !(env->features & FETCH_ARRAY))
		return r;
	r = put_number(&of, &t, prefix, type, e);
	len = r ? 0 : strlen(type);
	if (!r)
		snprintf(type + len, FETCH_TYPE_SIZE - len, "[%u]", (unsigned)n);
	return r;
}

static int put_auto(const struct fetch_env *env, struct fetch_value *v, const struct ctype_info *t, char prefix,
		    char type[FETCH_TYPE_SIZE], struct err *e)
{
	if (v->bits) {
		/* The kernel prints bit-fields unsigned. */
		v->sign_bits = prefix == 's' || (!prefix && has_sign(t)) ? v->bits : 0;
		return put_bits(v, t->size, type, e);
	}
	if (!v->type.src && !prefix && !v->reg_bits && !v->name.n)
		return 0;               /* no type: the kernel's default */
	if (v->base == FETCH_BASE_FINAL && !v->type.src && !prefix)
		return 0;
	if (t->kind == CTYPE_ARRAY && v->is_mem)
		return put_array(env, v, *t, prefix, type, e);
	if (t->kind == CTYPE_ARRAY && !prefix)
		return err_set(e, EOPNOTSUPP, "it is an array that is not in memory: its elements can be asked for");
	return put_number(v, t, prefix, type, e);
}

/* Check the type asked for (if any), follow the pointers that it implies, and write it. */
static int put_type(const struct fetch_env *env, struct fetch_value *v, const struct point_arg *a,
		    char type[FETCH_TYPE_SIZE], struct err *e)
{
	struct sv cast = a->type;
	const struct name *k = NULL;
	struct ctype_info t;
	uint64_t n = 0;
	int r;

	type[0] = '\0';
	if (cast.n >= FETCH_TYPE_SIZE)
		return unknown(cast, e);
	r = type_info(v->type, &t, e);
	if (!r && cast.n)
		k = find(env, cast, &n, &r, e);
	if (r)
		return r;
	if (!cast.n || (k && k->kind == K_AUTO && !n))
		return put_auto(env, v, &t, cast.n ? cast.s[0] : '\0', type, e);
	if (v->bits)
		return err_set(e, EINVAL, "a bit-field has no other type than its own, or :u");
	if (k && k->kind == K_AUTO)
		return unknown(cast, e);
	str_copy(type, FETCH_TYPE_SIZE, cast);
	if (k && k->kind == K_STRING)
		return follow_text(v, &t, n ? SEVERAL : ONE, e);
	return n ? follow_array(v, &t, e) : 0;
}

/* --- one argument --- */

static int is_full(void *arg UNUSED, const char *bytes UNUSED, size_t n UNUSED)
{
	return -E2BIG;
}

/* Write " NAME=VALUE:TYPE", or nothing. */
static int put(struct fetch_list *l, struct fetch_value *v, const struct point_arg *a, struct err *e)
{
	char type[FETCH_TYPE_SIZE], text[FETCH_TEXT_MAX];
	struct out o = { .write = is_full, .buf = text, .cap = sizeof(text) };
	int r;

	if (l->n == FETCH_ARGS_MAX)
		return err_set(e, E2BIG, "more than %d arguments", FETCH_ARGS_MAX);
	r = put_type(l->env, v, a, type, e);
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

/* A string of Go or Rust without a type: write pointer and length as two arguments. */
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
 * NAME:string of such a string. The kernel reads strings up to a NUL, which these lack: fetch its first bytes instead,
 * and the length, by which tprint cuts them.
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

/* Write all variables, without those that cannot be fetched. */
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

/* $arg*: by debug information, else by the kernel's $argN. */
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

/* Set the error: the reason, and below it the text with a mark. */
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
