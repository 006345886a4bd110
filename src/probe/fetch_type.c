/* fetch_type.c - how the kernel shows it: what was asked for, or what the source's type says. */
#include "probe/fetch_parts.h"

enum { ARRAY_MAX = 64, MEMBERS_LOOKED = 64, DIMENSIONS_MAX = 8 };

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

/* TYPE[N]: *n 0 without. NULL: *r, an error, or a bit-field's type. */
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

/* Nothing known: all zero. */
static int type_info(struct ctype t, struct ctype_info *info, struct err *e)
{
	*info = (struct ctype_info){ 0 };
	return t.src ? ctype_info(t, info, e) : 0;
}

enum texts { ONE, SEVERAL };

/*
 * Text is read where a pointer points to, or an array is; up to the next NUL, also where the source knows its length.
 * [N]: N pointers to text.
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

/* The smallest piece of memory, aligned if it can be, that has the whole bit-field. */
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

/* With a hint at the first members. */
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
	/* The kernel has no floating point: its bits are shown. */
	if (!prefix)
		prefix = v->prefix ? v->prefix : has_sign(t) ? 's' : 'x';
	if (t->kind == CTYPE_FUNC || !bits || bits & (bits - 1))
		bits = 64;
	snprintf(type, FETCH_TYPE_SIZE, "%c%u", prefix, bits);
	return 0;
}

/* All elements of an array, or as many as the kernel takes. */
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
		/* The kernel shows them without sign. */
		v->sign_bits = prefix == 's' || (!prefix && has_sign(t)) ? v->bits : 0;
		return put_bits(v, t->size, type, e);
	}
	if (!v->type.src && !prefix && !v->reg_bits && !v->name.n)
		return 0;               /* the kernel's own choice */
	if (v->base == FETCH_BASE_FINAL && !v->type.src && !prefix)
		return 0;
	if (t->kind == CTYPE_ARRAY && v->is_mem)
		return put_array(env, v, *t, prefix, type, e);
	if (t->kind == CTYPE_ARRAY && !prefix)
		return err_set(e, EOPNOTSUPP, "it is an array that is not in memory: its elements can be asked for");
	return put_number(v, t, prefix, type, e);
}

int fetch_type(const struct fetch_env *env, struct fetch_value *v, const struct point_arg *a,
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
