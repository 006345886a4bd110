/* fetch_value.c - values in registers and memory, their members, and the kernel's notation for them. */
#include "probe/fetch_parts.h"

/* --- registers --- */

bool fetch_reg_put(const struct arch_reg *r, const struct arch *a, struct fetch_value *v)
{
	if (!r || r->perf_bit > 63 || !(a->user_regs_mask >> r->perf_bit & 1))
		return false;
	snprintf(v->text, sizeof(v->text), "%%%s", r->name);
	return true;
}

/* Names of the whole register or its lower half, as in assembly: w3, rax, eax, r8d. */
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

/* Is it a floating point register: "v0", "d0", "xmm1", in any width? */
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

/* --- values --- */

int fetch_load(struct fetch_value *v, struct err *e)
{
	if (!v->is_mem)
		return 0;
	if (v->n == FETCH_HOPS)
		return err_set(e, E2BIG, "more than %d pointers are followed", FETCH_HOPS);
	v->hop[v->n++] = (struct fetch_hop){ v->off, v->mem_is_user };
	v->off = 0;
	v->is_mem = false;
	return 0;
}

int fetch_deref(struct fetch_value *v, struct err *e)
{
	int r = fetch_load(v, e);

	if (r)
		return r;
	if (v->base == FETCH_BASE_FINAL || v->base == FETCH_BASE_SPREAD || v->bits)
		return err_set(e, EINVAL, "%s is no address that can be followed",
			       v->base == FETCH_BASE_FINAL ? v->text : "a part of a register");
	v->env = NULL;
	v->is_mem = true;
	v->mem_is_user = v->is_user;
	v->reg_bits = 0;
	v->prefix = '\0';
	return 0;
}

int64_t fetch_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

int fetch_value_put(const struct fetch_env *env, const struct fetch_value *v, struct out *o, struct err *e)
{
	unsigned inner = v->base == FETCH_BASE_AT || v->base == FETCH_BASE_ADDR, levels = v->n + v->is_mem;

	if (v->base == FETCH_BASE_SPREAD)
		return err_set(e, EOPNOTSUPP, "it is in several places: its members can be asked for");
	if (levels < inner || (!v->is_mem && v->off))
		return err_set(e, EOPNOTSUPP, "it is an address that the kernel cannot compute");
	for (unsigned i = levels; i-- > inner;) {
		struct fetch_hop h = i == v->n ? (struct fetch_hop){ v->off, v->mem_is_user } : v->hop[i];

		out_str(o, h.off < 0 ? "-" : "+");
		out_str(o, h.is_user && !env->is_user ? "u" : "");
		out_u64(o, h.off < 0 ? -(uint64_t)h.off : (uint64_t)h.off);
		out_char(o, '(');
	}
	if (v->base == FETCH_BASE_ADDR) {
		int64_t off = v->n ? v->hop[0].off : v->off;
		int r = env->address ? env->address(env->arg, v->addr + (uint64_t)off, o, e) :
		                       err_set(e, EOPNOTSUPP, "the kernel cannot reach this memory by a fixed address");

		if (r)
			return r;
	} else {
		out_str(o, v->text);
	}
	out_fill(o, ')', levels - inner);
	return 0;
}

/* Set the place of a variable. */
static int set_loc(const struct fetch_env *env, const struct loc *l, struct fetch_value *v, struct err *e)
{
	char buf[64];

	v->off = l->off;
	switch (l->kind) {
	case LOC_GONE:
		return err_set(e, ENODATA, "it is not there at this place: %s", l->why ? l->why : "optimised out");
	case LOC_CONST:
		v->off = 0;
		v->base = FETCH_BASE_FINAL;
		snprintf(v->text, sizeof(v->text), "\\%lld", (long long)l->off);
		if (!(env->features & FETCH_IMMEDIATE))
			return err_set(e, EOPNOTSUPP, "it is always %lld there; this kernel takes no constants",
				       (long long)l->off);
		return 0;
	case LOC_ADDR:
		v->base = FETCH_BASE_ADDR;
		v->addr = (uint64_t)l->off;
		v->off = 0;
		break;
	default:
		if (env->is_return)
			return err_set(e, EINVAL, "its place is known while the function runs, and this is its return");
		if (!fetch_reg_put(arch_reg_by_dwarf(env->arch, l->reg), env->arch, v))
			return err_set(e, EOPNOTSUPP, "it is in %s: no probe can read that",
				       fetch_reg_unread(env->arch, l->reg, buf));
		if (l->kind == LOC_REG) {
			v->off = 0;
			return 0;
		}
	}
	v->is_mem = l->kind != LOC_VALUE;
	for (unsigned i = 0; i < MIN(l->n_derefs, (unsigned)LOC_DEREFS) && v->is_mem; i++) {
		fetch_load(v, e);
		v->off = l->deref[i];
		v->is_mem = true;
	}
	return 0;
}

static bool has_parts(const struct ctype_info *t)
{
	return t->kind == CTYPE_STRUCT || t->kind == CTYPE_UNION || t->kind == CTYPE_ARRAY;
}

/* Find the piece of a split variable that has all bits from `from` to `to`. */
static int find_piece(struct fetch_value *v, uint64_t *from, uint64_t to, struct err *e)
{
	const char *why = NULL;

	for (unsigned i = 0; i < v->whole.n_pieces; i++) {
		const struct loc_piece *p = &v->whole.piece[i];
		struct loc l = { .kind = p->kind, .reg = p->reg, .off = p->off, .why = p->why };
		uint64_t start = 8 * p->at, end = start + 8 * p->size;

		if (*from >= end || to <= start)
			continue;
		if (l.kind == LOC_GONE || *from < start || to > end) {
			why = l.kind == LOC_GONE && l.why ? l.why : "split over several places";
			continue;
		}
		*from += p->shift - start;
		if (l.kind == LOC_MEM || l.kind == LOC_ADDR)
			l.off = fetch_add(l.off, (int64_t)(*from / 8));
		return set_loc(v->env, &l, v, e);
	}
	return err_set(e, ENODATA, "it is not there at this place: %s", why ? why : "optimised out");
}

/* Locate the selected part of a variable that is not in memory: the byte `at`, by the type and bits there. */
static int settle(struct fetch_value *v, struct err *e)
{
	uint64_t from = 8 * v->at + v->bit_off, size;
	struct ctype_info t;
	int r = ctype_info(v->type, &t, e);

	if (r)
		return r;
	size = v->bits ? v->bits : 8 * MIN(t.size, (uint64_t)FETCH_INDEX_MAX);
	v->is_mem = false;
	v->base = FETCH_BASE_TEXT;
	if (v->whole.kind == LOC_PIECES)
		r = find_piece(v, &from, from + size, e);
	else
		r = set_loc(v->env, &v->whole, v, e);
	from += v->whole.shift;
	if (r && has_parts(&t)) {
		/* The whole is not in one place, but its members may be. */
		v->base = FETCH_BASE_SPREAD;
		return 0;
	}
	if (r || v->is_mem)
		return r;
	if (from + size > 64 && !has_parts(&t))
		return fetch_fail_type(v, "beyond its register", e);
	if (has_parts(&t)) {
		if (from)
			v->base = FETCH_BASE_SPREAD;
	} else if (from || v->bits) {
		v->bits = (unsigned)size;
		v->bit_off = (unsigned)from;
	}
	return 0;
}

int fetch_value_of(const struct fetch_env *env, const struct fetch_var *var, struct fetch_value *v, struct err *e)
{
	int r = 0;

	v->type = var->type;
	v->name = var->name;
	if (var->loc.kind != LOC_PIECES)
		r = set_loc(env, &var->loc, v, e);
	if (!r && !v->is_mem && v->type.src) {
		v->env = env;
		v->whole = var->loc;
	}
	return v->env && (var->loc.kind == LOC_PIECES || var->loc.shift) ? settle(v, e) : r;
}

/* --- steps --- */

int fetch_fail_type(const struct fetch_value *v, const char *what, struct err *e)
{
	struct sv name = v->name.n ? v->name : SV("it");
	char buf[120] = "of no known type";

	if (v->type.src)
		ctype_spell(v->type, buf, sizeof(buf));
	return err_set(e, EINVAL, "%.*s is %s, %s", (int)MIN(name.n, 60u), name.s, buf, what);
}

static int step(struct fetch_value *v, int64_t bytes, struct err *e)
{
	if (v->is_mem) {
		v->off = fetch_add(v->off, bytes);
		return 0;
	}
	v->at += (uint64_t)bytes;
	return settle(v, e);
}

int fetch_member(struct fetch_value *v, struct sv name, struct err *e)
{
	struct ctype_member m;
	struct ctype_info t;
	int r = ctype_info(v->type, &t, e);

	if (!r && t.kind == CTYPE_PTR) {
		v->type = t.target;
		r = fetch_deref(v, e);
		if (!r)
			r = ctype_info(v->type, &t, e);
	}
	if (r)
		return r;
	if (t.kind != CTYPE_STRUCT && t.kind != CTYPE_UNION)
		return fetch_fail_type(v, "which has no members", e);
	if (!v->is_mem && !v->env)
		return fetch_fail_type(v, "held in a register: its members cannot be told apart", e);
	r = ctype_member(v->type, name, &m, e);
	if (r)
		return r;
	v->type = m.type;
	v->bits = m.bits;
	v->bit_off = m.bits ? m.bit_offset % 8 : 0;
	v->name = name;
	v->is_path = true;
	return step(v, (int64_t)(m.bit_offset / 8), e);
}

int fetch_element(struct fetch_value *v, int64_t i, struct err *e)
{
	struct ctype_info t, of = { 0 };
	int r = ctype_info(v->type, &t, e);

	if (r)
		return r;
	if (t.kind != CTYPE_PTR && t.kind != CTYPE_ARRAY)
		return fetch_fail_type(v, "neither pointer nor array", e);
	if (t.kind == CTYPE_ARRAY && t.count > 1 && (i < 0 || (uint64_t)i >= t.count))
		return err_set(e, EINVAL, "[%lld] is outside: it has %llu elements", (long long)i,
			       (unsigned long long)t.count);
	if (t.target.src)
		r = ctype_info(t.target, &of, e);
	if (r)
		return r;
	if (!of.size || of.size > FETCH_INDEX_MAX)
		return fetch_fail_type(v, "whose elements have no known size", e);
	if (t.kind == CTYPE_PTR)
		r = fetch_deref(v, e);
	else if (!v->is_mem && (!v->env || i < 0))
		r = fetch_fail_type(v, "held in a register", e);
	if (r)
		return r;
	v->type = t.target;
	v->is_path = true;
	v->bits = v->bit_off = 0;
	return step(v, i * (int64_t)of.size, e);
}

int fetch_target(struct fetch_value *v, struct err *e)
{
	struct ctype_info t;
	int r;

	if (!v->type.src)
		return fetch_deref(v, e);
	r = ctype_info(v->type, &t, e);
	if (!r && t.kind == CTYPE_PTR)
		r = fetch_deref(v, e);
	else if (!r && (t.kind != CTYPE_ARRAY || !v->is_mem))
		r = fetch_fail_type(v, "not a pointer", e);
	v->type = t.target;
	v->is_path = true;
	return r;
}

int fetch_address(struct fetch_value *v, struct err *e)
{
	if (!v->is_mem || v->bits)
		return fetch_fail_type(v, "not in memory: it has no address", e);
	v->is_mem = false;
	v->type = (struct ctype){ 0 };
	v->is_path = true;
	return 0;
}

bool fetch_is_text(const struct fetch_value *v, struct ctype_member *text, struct ctype_member *len)
{
	static const char *const names[][2] = { { "str", "len" }, { "data_ptr", "length" } };
	const struct ctype_source *src = v->type.src;
	struct ctype_info t, to;

	if (!src || ctype_info(v->type, &t, NULL) || t.kind != CTYPE_STRUCT ||
	    src->member(src, v->type.id, 0, text, NULL) <= 0 || src->member(src, v->type.id, 1, len, NULL) <= 0 ||
	    ctype_info(text->type, &t, NULL) || t.kind != CTYPE_PTR || ctype_info(t.target, &to, NULL) || to.size != 1)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (sv_eq(text->name, names[i][0]) && sv_eq(len->name, names[i][1]))
			return true;
	}
	return false;
}
