/* symbols.c - see symbols.h. */
#include "cmd/prof/symbols.h"

#include "base/find.h"
#include "base/map.h"
#include "image/module.h"
#include "show/text.h"
#include "sym/maps.h"
#include "sys/image_files.h"

#include <unistd.h>

enum { PIECES_MAX = 1 << 16, LINE_BYTES = 1 << 16 };

struct piece {
	uint64_t start, end, pgoff;
	uint32_t file;
};

struct symbols {
	struct ctx *c;
	struct image_files files;
	struct module program;
	VEC(struct piece) pieces;
	bool is_sorted;
	struct names paths;
	VEC(struct module *) modules;    /* by index in paths; NULL: not opened yet, or that failed */
};

/* --- mappings and files --- */

static int add_piece(struct symbols *s, const struct maps_line *l, struct err *e)
{
	uint32_t id;
	struct piece *p;

	if (!(l->prot & MAPS_EXEC) || !l->name.n || l->name.s[0] != '/')
		return 0;
	if (s->pieces.n == PIECES_MAX)
		return err_set(e, E2BIG, "more than %d mappings", PIECES_MAX);
	id = names_add(&s->paths, l->name.s, l->name.n);
	p = id == NAMES_NONE ? NULL : vec_add(&s->pieces);
	/* vec_add() has zeroed it: not opened yet. */
	if (!p || (id == s->modules.n && !vec_add(&s->modules)))
		return err_nomem(e);
	*p = (struct piece){ l->start, l->end, l->pgoff, id };
	s->is_sorted = false;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static const struct piece *piece_at(struct symbols *s, uint64_t addr)
{
	size_t at, n = s->pieces.n;

	if (!s->is_sorted && n)
		qsort(s->pieces.v, n, sizeof(*s->pieces.v), by_start);
	s->is_sorted = true;
	at = find_upto(s->pieces.v, n, end, addr);
	return at < n && s->pieces.v[at].start <= addr ? &s->pieces.v[at] : NULL;
}

/* NULL: the file cannot be read. */
static struct module *module_at(struct symbols *s, uint32_t file)
{
	struct module *m = s->modules.v[file];

	if (m)
		return m;
	m = calloc(1, sizeof(*m));
	if (m && module_open(m, &s->files, &(struct module_want){ .path = names_str(&s->paths, file) }, NULL)) {
		free(m);
		return NULL;
	}
	s->modules.v[file] = m;
	return m;
}

/* Translate an offset in the file to a virtual address of its segments, or back. */
static bool segment_of(const struct elf *f, uint64_t at, bool is_offset, uint64_t *to)
{
	struct elf_segment p;

	for (uint32_t i = 0; elf_segment(f, i, &p); i++) {
		uint64_t from = is_offset ? p.offset : p.vaddr;

		if (p.type != ELF_PT_LOAD || at < from || at - from >= p.filesz)
			continue;
		*to = at - from + (is_offset ? p.vaddr : p.offset);
		return true;
	}
	return false;
}

/* --- lines --- */

static bool put_address(struct symbols *s, uint64_t addr, struct err *e)
{
	const struct piece *p = piece_at(s, addr);
	struct module *m = p ? module_at(s, p->file) : NULL;
	const struct sym *found;
	uint64_t at;

	if (!m || module_functions(m, FUNCTIONS_BEST, e) ||
	    !segment_of(&m->code.elf, addr - p->start + p->pgoff, true, &at))
		return false;
	found = symtab_find(&m->functions, at);
	if (!found)
		return false;
	text_put(s->c->out, sv_from(symtab_name(&m->functions, found)), TEXT_ALL, TEXT_PLAIN);
	out_printf(s->c->out, "+0x%llx\n", (unsigned long long)(at - found->addr));
	return true;
}

static bool put_name(struct symbols *s, struct sv name, struct err *e)
{
	const struct symtab *t = &s->program.functions;
	const struct sym *found = NULL;
	uint64_t offset;

	if (module_functions(&s->program, FUNCTIONS_NAMED, e))
		return false;
	for (size_t i = 0; i < t->syms.n; i++)
		if (sv_eq(name, symtab_name(t, &t->syms.v[i])) && (!found || t->syms.v[i].rank > found->rank))
			found = &t->syms.v[i];
	if (!found || !segment_of(&s->program.code.elf, found->addr, false, &offset))
		return false;
	out_printf(s->c->out, "0x%llx\n", (unsigned long long)offset);
	return true;
}

static int take_line(struct symbols *s, struct sv line, struct err *e)
{
	struct maps_line l;
	uint64_t addr;
	bool told;

	if (maps_parse_line(line, &l))
		return add_piece(s, &l, e);
	line = sv_trim(line);
	if (!line.n)
		return 0;
	if (sv_starts(line, "0x") && str_u64((struct sv){ line.s + 2, line.n - 2 }, 16, &addr))
		told = put_address(s, addr, e);
	else
		told = put_name(s, line, e);
	if (!told && !e->code)
		out_str(s->c->out, "??\n");
	/* The process that asks waits for each answer. */
	out_flush(s->c->out);
	return -e->code;
}

static int take_input(struct symbols *s, struct err *e)
{
	char *text = malloc(LINE_BYTES);
	size_t n = 0;
	ssize_t got = 1;
	int r = text ? 0 : err_nomem(e);

	while (!r && (got > 0 || got == -EINTR)) {
		struct sv rest, line;

		got = s->c->sys->read(s->c->sys, STDIN_FILENO, text + n, LINE_BYTES - n);
		n += got > 0 ? (size_t)got : 0;
		rest = (struct sv){ text, n };
		/* The last line may lack its end; a line longer than the buffer is cut. */
		while (!r && rest.n && (memchr(rest.s, '\n', rest.n) || !got || rest.n == LINE_BYTES)) {
			sv_cut(&rest, '\n', &line);
			r = take_line(s, line, e);
		}
		n = rest.n;
		memmove(text, rest.s, n);
	}
	if (!r && got < 0)
		r = err_set(e, (int)-got, "cannot read standard input: %s", err_name((int)-got));
	free(text);
	return r;
}

static void symbols_close(struct symbols *s)
{
	for (size_t i = 0; i < s->modules.n; i++)
		if (s->modules.v[i]) {
			module_close(s->modules.v[i]);
			free(s->modules.v[i]);
		}
	vec_free(&s->modules);
	vec_free(&s->pieces);
	names_deinit(&s->paths);
	module_close(&s->program);
}

int prof_symbols(struct ctx *c, const char *program)
{
	struct symbols s = { .c = c, .files = sys_image_files(c->sys) };
	struct err e = { 0 };
	int r = module_open(&s.program, &s.files, &(struct module_want){ .path = program }, &e);

	r = r ? r : take_input(&s, &e);
	symbols_close(&s);
	return r ? cmd_fail(c, &e) : cmd_finish(c, EXIT_DONE);
}
