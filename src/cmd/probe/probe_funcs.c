/* probe_funcs.c - sonde probe --funcs: what can be probed, and where each name comes from. */
#include "base/find.h"
#include "cmd/probe/probe.h"
#include "obj/demangle/demangle.h"
#include "obj/elf/symbols.h"

struct row {
	const char *name;
	uint64_t addr, size;
	const char *from;
};

struct listing {
	VEC(struct row) v;
	struct arena arena;
	const char *filter;
	bool sizes;              /* collect in addrs the start of every kernel function */
	VEC(uint64_t) addrs;
	size_t nameless;         /* functions of a stripped program that are not listed */
	bool any;                /* the program has some function */
	int r;
};

static int add_row(struct listing *l, const char *name, uint64_t addr, uint64_t size, const char *from)
{
	struct row *at;

	if (!probe_filter(l->filter, sv_from(name), (struct sv){ 0 }))
		return 0;
	at = vec_add(&l->v);
	if (!at)
		return -ENOMEM;
	*at = (struct row){ name, addr, size, from };
	return 0;
}

static int kernel_row(void *arg, const struct kallsyms_line *f)
{
	struct listing *l = arg;

	if (l->sizes) {
		uint64_t *addr = vec_add(&l->addrs);

		if (!addr)
			return l->r = -ENOMEM;
		*addr = f->addr;
	}
	if (!probe_filter(l->filter, f->name, (struct sv){ 0 }))
		return 0;

	const char *keep = arena_dup(&l->arena, f->name.s, f->name.n);
	const char *from = f->module.n ? arena_dup(&l->arena, f->module.s, f->module.n) : "kernel";

	l->r = keep && from ? add_row(l, keep, f->addr, 0, from) : -ENOMEM;
	return l->r;
}

/* A PLT entry is not worth a probe of its own: calls through it reach the function itself. */
static bool is_stub(const struct sym *f)
{
	return f->source == SYMTAB_OWN;
}

static int program_rows(struct listing *l, struct subject *s, enum functions_what what, const struct probe_want *w,
			struct err *e)
{
	int r = module_functions(&s->program, what, e);

	for (size_t i = 0; !r && i < s->program.functions.syms.n; i++) {
		const struct sym *f = &s->program.functions.syms.v[i];
		const char *name = symtab_name(&s->program.functions, f);
		char plain[8192];

		if (is_stub(f))
			continue;
		l->any = true;
		if (!w->no_demangle && demangle(name, DEMANGLE_FULL, plain, sizeof(plain)))
			name = arena_dup(&l->arena, plain, strlen(plain));
		if (!name)
			return err_nomem(e);
		r = add_row(l, name, f->addr, f->size, functions_source(f));
	}
	return r;
}

static size_t count(const struct symtab *t, enum symtab_source source)
{
	size_t n = 0;

	for (size_t i = 0; i < t->syms.n; i++)
		n += t->syms.v[i].source == source;
	return n;
}

/*
 * The number of functions that only the unwinding tables of a stripped file know. For that the list of functions is
 * made anew, so call it after the named ones were listed.
 */
static size_t nameless(struct subject *s)
{
	struct elf_symbols t;
	const struct symtab *all = &s->program.functions;

	if (count(all, SYMTAB_FRAME) || count(all, SYMTAB_DEBUG) || elf_symbols_static(&s->program.code.elf, &t))
		return 0;
	module_forget_functions(&s->program);
	return module_functions(&s->program, FUNCTIONS_ALL, NULL) ? 0 : count(all, SYMTAB_FRAME);
}

/* Functions of a stripped file that have no names are listed with -v or a filter, or if there are no others. */
static int list_program(struct listing *l, struct subject *s, const struct probe_want *w, struct err *e)
{
	bool all = w->verbose || w->filter;
	int r = program_rows(l, s, all ? FUNCTIONS_ALL : FUNCTIONS_NAMED, w, e);

	if (!r && !all && l->v.n)
		l->nameless = nameless(s);

	if (r || all || l->v.n)
		return r;
	module_forget_functions(&s->program);
	return program_rows(l, s, FUNCTIONS_ALL, w, e);
}

static int by_addr(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* kallsyms has no sizes: a function ends where the next one begins. */
static void fill_sizes(struct listing *l)
{
	qsort(l->addrs.v, l->addrs.n, sizeof(*l->addrs.v), by_addr);
	for (size_t i = 0; i < l->v.n; i++) {
		struct row *x = &l->v.v[i];
		size_t n = find_number_upto(l->addrs.v, l->addrs.n, x->addr);

		x->size = n < l->addrs.n && x->addr ? l->addrs.v[n] - x->addr : 0;
	}
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	return r ? r : x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int none_matches(const struct listing *l, const struct subject *s, const struct probe_want *w, struct err *e)
{
	if (s->is_kernel || l->any)
		return err_set(e, ENOENT, "no function matches '%s'", l->filter);
	err_set(e, ENOENT, "no function is known in %s: there are no symbols and no tables for unwinding", w->exec);
	return err_hint(e, "an address can be probed all the same: -a 0x...");
}

/* By default names that begin with _ are left out, except mangled names of C++ and Rust. */
static const char *filter_of(const struct probe_want *w)
{
	if (w->filter)
		return w->filter;
	return w->no_demangle ? "(!_* | _Z* | _R*) & !*@plt" : "!_* & !*@plt";
}

int probe_funcs(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct listing l = { .filter = filter_of(w), .sizes = w->verbose };
	struct subject s;
	int r = probe_filter_check(l.filter, e);

	r = r ? r : probe_subject(c, w, &s, e);

	if (r)
		return r;
	if (s.is_kernel)
		r = kernel_image_each(&s.kernel, kernel_row, &l) ? err_nomem(e) : 0;
	else
		r = list_program(&l, &s, w, e);
	if (!r && s.is_kernel && l.addrs.n)
		fill_sizes(&l);
	if (!r && l.v.n)
		qsort(l.v.v, l.v.n, sizeof(l.v.v[0]), by_name);
	for (size_t i = 0; !r && i < l.v.n; i++) {
		const struct row *x = &l.v.v[i];

		if (w->verbose)
			out_printf(c->out, "%16llx %8llu  %-11s  ", (unsigned long long)x->addr,
				   (unsigned long long)x->size, x->from);
		else if (i && !strcmp(x->name, l.v.v[i - 1].name))
			continue;
		out_str(c->out, x->name);
		out_char(c->out, '\n');
	}
	if (!r && !l.v.n)
		r = s.is_kernel ? kernel_image_check_module(&s.kernel, e) : 0;
	if (!r && !l.v.n)
		r = none_matches(&l, &s, w, e);
	if (!r && l.nameless && !w->quiet)
		cmd_note(c, "%zu more functions have no names left: -v lists them by their addresses", l.nameless);
	vec_free(&l.v);
	vec_free(&l.addrs);
	arena_deinit(&l.arena);
	subject_close(&s);
	return r;
}
