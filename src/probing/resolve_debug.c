/* resolve_debug.c - finds places by debug information: functions with their inlined copies, and source lines. */
#include "probing/resolve_parts.h"

#include "obj/dwarf/line.h"
#include "probing/src_file.h"

enum {
	DW_AT_INLINE = 0x20,
	DW_AT_ABSTRACT_ORIGIN = 0x31,
	DW_AT_DECL_FILE = 0x3a,
	DW_AT_DECL_LINE = 0x3b,
	DW_AT_EXTERNAL = 0x3f,
};

static uint64_t runtime(const struct resolving *g, uint64_t pc)
{
	return g->s->is_kernel ? pc + g->s->kernel.shift : pc;
}

/* A module's file is not linked: its addresses are section offsets, and only the function's symbol tells the place. */
static bool is_relocatable(const struct resolving *g)
{
	return g->s->is_kernel && g->s->kernel.file.code.elf.type == ELF_REL;
}

/*
 * GCC before 13 lets the DIE of a function begin behind the padding that -fpatchable-function-entry puts in front.
 * Limit for that distance from the symbol, bytes.
 */
enum { PADDING_MAX = 16 };

static uint64_t padding(const struct resolving *g, const struct dwarf_func *f)
{
	const char *name = die_name(&f->die);
	struct kallsyms_line sym;
	uint64_t size, at = runtime(g, f->entry);

	if (!g->s->is_kernel || f->is_inlined || is_relocatable(g) ||
	    !kernel_image_at(&g->s->kernel, at, &sym, &size) || at - sym.addr > PADDING_MAX)
		return 0;
	/* Symbols of clones have a suffix. */
	return sym.name.n >= strlen(name) && !memcmp(sym.name.s, name, strlen(name)) ? at - sym.addr : 0;
}

struct named_symbol {
	const char *name;
	struct kallsyms_line f;
	unsigned n;
};

static int same_name(void *arg, const struct kallsyms_line *f)
{
	struct named_symbol *x = arg;

	if (sv_eq(f->name, x->name)) {
		x->f = *f;
		x->n++;
	}
	return 0;
}

/* Set the spot's symbol. */
static void name_spot(struct resolving *g, struct spot *s)
{
	struct named_symbol x = { .name = die_name(&s->debug.outer) };
	const struct sym *own;
	struct dwarf_range start;

	if (!g->s->is_kernel) {
		resolve_program_at(g, s);
		/* If several symbols share the address, use the source's name. */
		own = s->func[0] ? symtab_named(&g->s->program.functions, s->addr - s->offset, x.name) : NULL;
		if (own)
			s->func = symtab_name(&g->s->program.functions, own);
		return;
	}
	if (!is_relocatable(g)) {
		resolve_kernel_at(g, s, s->addr);
		x.name = s->func;
		kernel_image_each(&g->s->kernel, same_name, &x);
		s->is_unique = x.n == 1;
		return;
	}
	kernel_image_each(&g->s->kernel, same_name, &x);
	if (x.n == 1 && die_ranges(&s->debug.outer, &start, 1, NULL) > 0) {
		s->func = resolve_keep(g, x.f.name);
		s->module = resolve_keep(g, x.f.module);
		s->offset = s->pc - start.start;
		s->addr = x.f.addr ? x.f.addr + s->offset : 0;
		s->is_unique = true;
	}
}

static void set_debug(struct spot *s, const struct dwarf_func *f, uint64_t pc)
{
	s->has_debug = true;
	s->debug = *f;
	s->pc = pc;
	if (!f->is_inlined)
		return;
	s->inlined = die_name(&f->die);
	s->inlined_symbol = die_linkage_name(&f->die);
	if (!s->inlined_symbol[0])
		s->inlined_symbol = s->inlined;
}

static struct spot *add(struct resolving *g, const struct dwarf_func *f, uint64_t pc, int *r)
{
	struct spot *s = resolve_add(g, runtime(g, pc), r);

	if (!s)
		return NULL;
	set_debug(s, f, pc);
	name_spot(g, s);
	return s;
}

void resolve_debug_at(struct resolving *g, struct spot *s)
{
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	struct dwarf *d = subject_dwarf(g->s, NULL);
	uint64_t pc = g->s->is_kernel ? s->addr - g->s->kernel.shift : s->addr;
	int n = d ? dwarf_functions_at(d, pc, v, NULL) : 0;

	if (n <= 0)
		return;
	/* At the function's first byte the function itself is meant, elsewhere the innermost inlined one. */
	set_debug(s, s->offset ? &v[n - 1] : &v[0], pc);
}

void resolve_debug_skip(struct resolving *g, struct spot *s)
{
	uint64_t behind;

	if (g->what != RESOLVE_VARIABLES || g->s->is_kernel || !s->has_debug || s->debug.is_inlined || s->offset ||
	    g->p->is_return || dwarf_is_optimised(&s->debug))
		return;
	behind = dwarf_after_prologue(&s->debug);
	if (behind <= s->pc)
		return;
	s->offset += behind - s->pc;
	s->addr += behind - s->pc;
	s->pc = behind;
	g->to->skipped_prologue = true;
}

/* --- functions --- */

struct wanted {
	struct resolving *g;
	int r;
	unsigned seen;           /* functions of that name, with or without code */
	unsigned near;           /* the nearest following line with code */
	const struct src_file *src;   /* source in which lines are searched by text; NULL: by number */
};

static bool in_source(const struct resolving *g, const struct die *die)
{
	struct dwarf_value v;
	char path[PATH_MAX];

	if (!g->p->src.n)
		return true;
	return die_attr_any(die, DW_AT_DECL_FILE, &v, NULL) > 0 &&
	       dwarf_file_is(dwarf_file(die->u, (uint32_t)v.u, path, sizeof(path)), g->p->src);
}

struct line_in {
	struct wanted *w;
	const struct dwarf_func *f;
	uint64_t line;
	uint64_t last;           /* end of the block taken last */
	bool in_block, hit;
	char file[PATH_MAX];
	const char *pattern_file;
};

/* Add the place of a line; at a function's entry move behind the prologue if variables are needed. */
static void add_line(struct resolving *g, const struct dwarf_func *f, uint64_t pc, int *r)
{
	struct spot *s = add(g, f, pc, r);

	if (s)
		resolve_debug_skip(g, s);
}

static void add_row(struct wanted *w, const struct dwarf_unit *u, uint64_t addr)
{
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	int n = dwarf_functions_at(u->d, addr, v, w->g->e);

	if (n > 0)
		add_line(w->g, &v[n - 1], addr, &w->r);
}

/* Take the first row of each block of that line. */
static int line_row(void *arg, const struct dwarf_row *row)
{
	struct line_in *x = arg;
	struct wanted *w = x->w;
	const struct dwarf_unit *u = x->f->die.u;
	char path[PATH_MAX];

	if (row->end_sequence || row->line != x->line || !row->is_stmt) {
		if (row->line > x->line && (!w->near || row->line < w->near) && !row->end_sequence)
			w->near = row->line;
		x->in_block &= !row->end_sequence && row->line == x->line;
		return 0;
	}
	if (x->in_block || strcmp(dwarf_file(u, row->file, path, sizeof(path)), x->file))
		return 0;
	x->in_block = true;
	x->hit = true;
	add_row(w, u, row->addr);
	return w->r;
}

static int relative_line(struct wanted *w, const struct dwarf_func *f)
{
	struct line_in x = { .w = w, .f = f };
	struct dwarf_value line, file;
	int r;

	if (die_attr_any(&f->die, DW_AT_DECL_LINE, &line, NULL) <= 0 ||
	    die_attr_any(&f->die, DW_AT_DECL_FILE, &file, NULL) <= 0)
		return 0;
	dwarf_file(f->die.u, (uint32_t)file.u, x.file, sizeof(x.file));
	if (!w->g->p->pattern.n) {
		x.line = line.u + w->g->p->line;
		r = dwarf_each_row(f->die.u, line_row, &x, w->g->e);
		/* The line of the function's name often has no code, which begins at the brace: take the entry. */
		if (r >= 0 && !x.hit && !w->g->p->line && f->entry)
			add_line(w->g, f, f->entry, &w->r);
		return r < 0 ? r : 0;
	}

	/* Search matching lines of the function by its rows, one by one. */
	struct src_file src;

	r = src_file_open(&src, w->g->s, x.file, f->die.u->comp_dir, w->g->e);
	size_t end = r ? 0 : src_file_end_of(f);
	unsigned last = r ? 0 : (unsigned)MIN(end, src.lines.n);

	for (unsigned i = (unsigned)line.u; !r && i <= last; i++) {
		if (!src_file_matches(&src, i, w->g->p->pattern))
			continue;
		x.line = i;
		x.in_block = false;
		r = dwarf_each_row(f->die.u, line_row, &x, w->g->e);
		if (r >= 0 && !x.hit && i == line.u && f->entry)
			add_line(w->g, f, f->entry, &w->r);
	}
	src_file_close(&src);
	return r;
}

static int function(void *arg, const struct dwarf_func *f)
{
	struct wanted *w = arg;
	struct resolving *g = w->g;
	struct spot *s;

	if (!in_source(g, &f->die))
		return 0;
	w->seen++;
	if (g->p->has_line || g->p->pattern.n) {
		w->r = relative_line(w, f);
		return w->r;
	}
	if (!f->entry || (f->is_inlined && (g->p->is_return || g->p->offset)))
		return 0;
	s = add(g, f, f->entry - padding(g, f) + g->p->offset, &w->r);
	/* The padding in front of the entry moves no variable: look them up at the entry. */
	if (s && !g->p->offset)
		s->pc = f->entry;
	if (s && !f->is_inlined)
		resolve_debug_skip(g, s);
	return w->r;
}

struct symbol_of {
	const char *name;
	uint64_t addr;
	unsigned n;
};

static int same_symbol(void *arg, const struct kallsyms_line *f)
{
	struct symbol_of *x = arg;

	if (sv_eq(f->name, x->name) && !f->module.n) {
		x->addr = f->addr;
		x->n++;
	}
	return 0;
}

/*
 * An external function whose symbol is unique and whose DIE has no abstract origin is inlined nowhere: only its unit is
 * read, instead of all debug information. That holds for most functions, and takes a moment instead of a second. A
 * static function's name may exist in other units, too, and be inlined there.
 */
static bool by_symbol(struct resolving *g, struct dwarf *d, struct dwarf_func *f)
{
	struct symbol_of x = { .name = g->name };
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	struct dwarf_value value;
	int n = 0;

	if (g->is_glob || is_relocatable(g))
		return false;
	if (g->s->is_kernel) {
		kernel_image_named(&g->s->kernel, g->name, same_symbol, &x);
		x.addr -= g->s->kernel.shift;
	} else if (!module_functions(&g->s->program, FUNCTIONS_ALL, NULL)) {
		const struct symtab *t = &g->s->program.functions;

		for (size_t i = 0; i < t->syms.n; i++) {
			const struct sym *fn = &t->syms.v[i];

			if (!strcmp(symtab_name(t, fn), g->name) && (!x.n || fn->addr != x.addr)) {
				x.addr = fn->addr;
				x.n++;
			}
		}
	}
	if (x.n != 1)
		return false;
	for (uint64_t pad = 0; n < 1 && pad <= (g->s->is_kernel ? PADDING_MAX : 0); pad += 4)
		n = dwarf_functions_at(d, x.addr + pad, v, NULL);
	if (n < 1 || v[0].entry - x.addr > PADDING_MAX || strcmp(die_name(&v[0].die), g->name) ||
	    die_attr(&v[0].die, DW_AT_ABSTRACT_ORIGIN, &value, NULL) > 0 ||
	    die_attr(&v[0].die, DW_AT_INLINE, &value, NULL) > 0 ||
	    die_attr_any(&v[0].die, DW_AT_EXTERNAL, &value, NULL) <= 0)
		return false;
	*f = v[0];
	return true;
}

int resolve_debug_func(struct resolving *g)
{
	struct dwarf_func one;
	struct dwarf_func_want fw = { .name = g->name, .is_glob = g->is_glob, .inlined = !g->s->want->no_inlines };
	struct dwarf *d = subject_dwarf(g->s, NULL);
	struct wanted w = { .g = g };
	size_t before = g->to->v.n;
	int r;

	if (!d || g->rex)
		return -ENODATA;
	r = by_symbol(g, d, &one) ? function(&w, &one) : dwarf_each_function(d, &fw, function, &w, g->e);
	if (w.r || r < 0)
		return w.r ? w.r : r;
	if (g->to->v.n > before)
		return 0;
	if (w.seen && g->p->is_return && !g->p->has_line)
		return err_set(g->e, EINVAL, "%s is inlined wherever it is called: it never returns", g->name);
	if (w.seen && (g->p->has_line || g->p->pattern.n)) {
		err_set(g->e, ENOENT, "there is no code of that line in %s", g->name);
		if (w.near)
			err_hint(g->e, "the next line with code is line %u of the file", w.near);
		return -EINVAL;
	}
	return -ENOENT;
}

static int found(void *arg UNUSED, const struct dwarf_func *f UNUSED)
{
	return 1;
}

bool resolve_debug_is_inlined(struct resolving *g)
{
	struct dwarf_func_want fw = { .name = g->name, .is_glob = g->is_glob, .inlined = true };
	struct dwarf *d = g->rex ? NULL : subject_dwarf(g->s, NULL);

	return d && dwarf_each_function(d, &fw, found, NULL, NULL) > 0;
}

/* --- lines --- */

static int file_line(void *arg, const struct dwarf_unit *u, const struct dwarf_row *row)
{
	struct wanted *w = arg;

	w->seen++;
	add_row(w, u, row->addr);
	return w->r;
}

/* If the line is that of a function's name take its entry. By text: only rows at an entry. */
static int declared_line(void *arg, const struct dwarf_unit *u, const struct dwarf_row *row)
{
	struct wanted *w = arg;
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	int n = dwarf_functions_at(u->d, row->addr, v, NULL);
	struct dwarf_value line;

	for (int i = 0; i < n && !w->r; i++) {
		if (die_attr_any(&v[i].die, DW_AT_DECL_LINE, &line, NULL) <= 0 || !in_source(w->g, &v[i].die) ||
		    !v[i].entry)
			continue;
		if (w->src ? v[i].entry != row->addr || line.u > UINT_MAX ||
				     !src_file_matches(w->src, (unsigned)line.u, w->g->p->pattern)
			   : line.u != w->g->p->line)
			continue;
		w->seen++;
		add_line(w->g, &v[i], v[i].entry, &w->r);
	}
	return w->r;
}

struct text_in {
	struct wanted *w;
	struct src_file src;
	char file[PATH_MAX];     /* the file searched for last; "": none */
	struct err missing;      /* why that file is missing; code 0: it is not */
};

/* Does the text of this row's line match? Several files may match, one is kept open. */
static int text_row(void *arg, const struct dwarf_unit *u, const struct dwarf_row *row)
{
	struct text_in *x = arg;
	struct wanted *w = x->w;
	char path[PATH_MAX];

	if (strcmp(dwarf_file(u, row->file, path, sizeof(path)), x->file)) {
		src_file_close(&x->src);
		memcpy(x->file, path, sizeof(path));
		w->src = &x->src;
		x->missing = (struct err){ 0 };
		if (src_file_open(&x->src, w->g->s, path, u->comp_dir, &x->missing) == -ENOMEM)
			w->r = err_nomem(w->g->e);
	}
	if (w->r || x->missing.code)
		return w->r;
	return src_file_matches(&x->src, row->line, w->g->p->pattern) ? file_line(w, u, row) : declared_line(w, u, row);
}

static int by_text(struct resolving *g, struct dwarf *d)
{
	struct wanted w = { .g = g };
	struct text_in x = { .w = &w };
	const struct point *p = g->p;
	int r = dwarf_each_line(d, p->src, DWARF_EVERY_LINE, text_row, &x, &w.near, g->e);

	src_file_close(&x.src);
	if (w.r || (r < 0 && r != -ENOENT))
		return w.r ? w.r : r;
	if (w.seen)
		return 0;
	if (x.missing.code) {
		*g->e = x.missing;
		return -g->e->code;
	}
	return r ? err_set(g->e, EINVAL, "the debug information has no code of a file '%.*s'", (int)p->src.n, p->src.s)
		 : err_set(g->e, EINVAL, "no line with code of %.*s matches '%.*s'", (int)p->src.n, p->src.s,
			   (int)p->pattern.n, p->pattern.s);
}

int resolve_debug_line(struct resolving *g)
{
	struct dwarf *d = subject_dwarf(g->s, NULL);
	struct wanted w = { .g = g };
	unsigned next;
	int r;

	if (!d)
		return -ENODATA;
	if (g->p->pattern.n)
		return by_text(g, d);
	r = dwarf_each_line(d, g->p->src, g->p->line, file_line, &w, &w.near, g->e);
	if (r == -ENOENT && !w.r && w.near)
		r = dwarf_each_line(d, g->p->src, w.near, declared_line, &w, &next, g->e);
	if (w.r || (r < 0 && r != -ENOENT))
		return w.r ? w.r : r;
	if (w.seen)
		return 0;
	err_set(g->e, ENOENT, "line %u of %.*s has no code", g->p->line, (int)g->p->src.n, g->p->src.s);
	if (w.near)
		err_hint(g->e, "the next line with code is %u", w.near);
	return -EINVAL;
}
