/* probe_vars.c - sonde probe --vars: the variables that can be fetched at a place. */
#include "cmd/probe/probe.h"
#include "probing/vars.h"

/* perf's filter: it hides the symbols of kernel modules' export tables. */
#define VARS_FILTER "!__k???tab_* & !__crc_*"

int probe_place(struct point *p, struct arena *a, const char *text, struct err *e)
{
	int r = point_parse(p, a, text, e);

	if (!r && p->args.n)
		r = err_set(e, EINVAL, "arguments have no place in '%s'", text);
	return r;
}

struct shown {
	char *text;
};

struct var_list {
	VEC(struct shown) v;
	const struct probe_want *w;
	const struct arch *arch;
};

static void put_where(const struct arch *a, const struct loc *l, struct out *o)
{
	const struct loc_piece *p = l->piece;
	const struct arch_reg *reg = arch_reg_by_dwarf(a, l->reg);

	switch (l->kind) {
	case LOC_REG: out_printf(o, "  in %%%s", reg ? reg->name : "?"); break;
	case LOC_MEM: out_printf(o, "  at %%%s%+lld", reg ? reg->name : "?", (long long)l->off); break;
	case LOC_ADDR: out_printf(o, "  at 0x%llx", (unsigned long long)l->off); break;
	case LOC_VALUE:
		out_printf(o, l->shift ? "  is %%%s>>%lld" : "  is %%%s%+lld", reg ? reg->name : "?",
			   l->shift ? (long long)l->shift : (long long)l->off);
		break;
	case LOC_CONST: out_printf(o, "  is %lld", (long long)l->off); break;
	case LOC_GONE: out_printf(o, "  (%s)", l->why ? l->why : "optimised out"); break;
	case LOC_PIECES:
		for (; p < l->piece + l->n_pieces; p++)
			put_where(a, &(struct loc){ .kind = p->kind, .reg = p->reg, .off = p->off, .shift = p->shift,
						     .why = p->why }, o);
		break;
	}
}

static int keep_var(void *arg, const struct fetch_var *v)
{
	struct var_list *l = arg;
	char type[200];
	struct mem_out m;
	struct shown *at;

	/*
	 * perf leaves out variables that cannot be fetched; --range and -v print where each is, or why it is
	 * unavailable.
	 */
	if (v->loc.kind == LOC_GONE && !l->w->range && !l->w->verbose)
		return 0;
	if (!probe_filter(l->w->filter ? l->w->filter : VARS_FILTER, v->name, (struct sv){ 0 }))
		return 0;
	ctype_spell(v->type, type, sizeof(type));
	/* As perf writes it: "char*". */
	for (char *star = type; (star = strstr(star, " *"));)
		memmove(star, star + 1, strlen(star));
	mem_out_init(&m);
	out_printf(&m.out, "%s\t%.*s", type, (int)v->name.n, v->name.s);
	if (l->w->range || l->w->verbose)
		put_where(l->arch, &v->loc, &m.out);
	at = vec_add(&l->v);
	if (at)
		at->text = strdup(mem_out_str(&m));
	mem_out_deinit(&m);
	return at && at->text ? 0 : -ENOMEM;
}

static int by_text(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int put_vars(struct ctx *c, struct probe_want *w, struct subject *s, const struct spot *spot, struct err *e)
{
	struct var_list l = { .w = w, .arch = s->arch };
	struct vars v = { .s = s, .spot = spot };
	int r = vars_each(&v, w->externs ? VARS_GLOBALS : VARS_LOCAL, keep_var, &l, e);

	out_printf(c->out, "\t@<%s+%llu>\n", spot->func, (unsigned long long)spot->offset);
	if (l.v.n)
		qsort(l.v.v, l.v.n, sizeof(l.v.v[0]), by_text);
	else if (r >= 0)
		out_str(c->out, "\t\t(No matched variables)\n");
	for (size_t i = 0; r >= 0 && i < l.v.n; i++)
		if (!i || strcmp(l.v.v[i].text, l.v.v[i - 1].text))
			out_printf(c->out, "\t\t%s\n", l.v.v[i].text);
	for (size_t i = 0; i < l.v.n; i++)
		free(l.v.v[i].text);
	vec_free(&l.v);
	return r < 0 ? r : 0;
}

void probe_tell_missing(struct ctx *c, const struct probe_want *w, const struct subject *s, int failed,
			struct err *e)
{
	char text[330];

	if (!subject_missing(s, text, sizeof(text)))
		return;
	if (!failed)
		probe_note(c, w, text);
	else if (!e->hint[0])
		err_hint(e, "%s", text);
}

int probe_vars(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct subject s;
	struct spots to = { 0 };
	struct arena arena = { 0 };
	struct point p = { 0 };
	int r = w->filter ? probe_filter_check(w->filter, e) : 0;

	r = r ? r : probe_subject(c, w, &s, e);
	if (r)
		return r;
	r = probe_place(&p, &arena, w->point, e);
	r = r ? r : resolve(&s, &p, RESOLVE_PLACE, &to, e);
	if (!r)
		out_printf(c->out, "Available variables at %s\n", w->point);
	for (size_t i = 0; !r && i < to.v.n; i++)
		r = put_vars(c, w, &s, &to.v.v[i], e);
	spots_deinit(&to);
	probe_tell_missing(c, w, &s, r, e);
	point_deinit(&p);
	arena_deinit(&arena);
	subject_close(&s);
	return r;
}
