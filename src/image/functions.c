/* functions.c - see functions.h. */
#include "image/functions.h"

#include "image/plt.h"
#include "obj/dwarf/cfi.h"
#include "obj/go/gofunc.h"

const char *functions_source(const struct sym *s)
{
	static const char *const names[SYMTAB_SOURCES] = {
		".symtab", ".dynsym", "debug file", "Go's table", ".eh_frame", "stub",
	};

	return s->chooser ? "chooser (IFUNC)" : names[s->source];
}

/* The strings of Go's table: the table up to its last NUL. */
static struct sv go_strings(const struct gofuncs *g)
{
	const char *start = (const char *)g->table.start;
	size_t n = (size_t)(g->table.end - g->table.start);
	const char *last = n ? memrchr(start, '\0', n) : NULL;

	return (struct sv){ start, last ? (size_t)(last - start) + 1 : 0 };
}

static int add_go(struct symtab *t, const struct elf *f)
{
	struct gofuncs g;
	struct gofunc x;
	int r = 0;

	if (gofuncs_init(&g, f, NULL))
		return 0;

	struct sv strings = go_strings(&g);

	for (size_t i = 0; !r && i < g.n && t->syms.n < SYMTAB_MAX && !mapped_stopped(f->file); i++) {
		if (!gofuncs_get(&g, i, &x) || (size_t)(x.name - strings.s) >= MIN(strings.n, (size_t)SYMTAB_NAME_MAX))
			continue;
		t->strings[SYMTAB_GO] = strings;
		r = symtab_add(t, &(struct sym){
			.addr = x.start,
			.size = (uint32_t)MIN(x.end - x.start, (uint64_t)SYMTAB_SIZE_MAX) & SYMTAB_SIZE_MAX,
			.rank = SYMTAB_TOLD,
			.source = SYMTAB_GO,
			.name = (uint32_t)(x.name - strings.s) & (SYMTAB_NAME_MAX - 1),
		});
	}
	return r;
}

struct starts {
	struct symtab *t;
	const struct elf_code *code;
	struct plt_code stubs;
};

static int add_start(void *arg, const struct cfi_fde *fde)
{
	const struct starts *s = arg;

	if (!elf_code_find(s->code, fde->start) || plt_code_has(&s->stubs, fde->start))
		return 0;
	return symtab_add_start(s->t, fde->start, fde->end - fde->start);
}

/* Add the starts of .eh_frame, up to its end or to a damaged entry. */
static int add_starts(struct symtab *t, const struct elf *f, const struct elf_code *code)
{
	struct starts s = { .t = t, .code = code };
	struct cfi cfi;

	plt_code_init(&s.stubs, f);
	return !cfi_init(&cfi, f, NULL) && cfi_each(&cfi, add_start, &s, NULL) == -ENOMEM ? -ENOMEM : 0;
}

int functions_read(struct symtab *t, const struct functions_want *w, struct err *e)
{
	struct elf_code code;
	int r;

	elf_code_init(&code, w->file);
	t->has_aliases = w->what != FUNCTIONS_BEST;
	r = symtab_add_elf(t, w->file, SYMTAB_STATIC, NULL);
	if (!r && w->debug)
		r = w->debug(w->arg, t);
	if (r >= 0)
		r = symtab_add_elf(t, w->file, SYMTAB_DYNAMIC, NULL);
	if (r >= 0)
		r = add_go(t, w->file);
	if (r >= 0 && (w->what == FUNCTIONS_ALL || (w->what == FUNCTIONS_NAMED && !t->syms.n)))
		r = add_starts(t, w->file, &code);
	if (r >= 0)
		r = plt_add(t, w->file, NULL);
	if (r >= 0)
		r = symtab_finish(t, &code);
	return r < 0 ? err_nomem(e) : 0;
}

/* Could the name be in a string table as it is? Demangled names and names of stubs have other characters. */
static bool is_as_in_files(const char *name)
{
	static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

	return name[0] && !name[strspn(name, word)] && !symtab_is_start_name(name);
}

bool functions_lack(const struct elf *file, const char *name, const struct elf *(*debug)(void *arg), void *arg)
{
	const struct elf *more;
	struct gofuncs g;
	enum symtab_has has;

	if (!is_as_in_files(name))
		return false;
	has = symtab_has_elf(file, SYMTAB_STATIC, name);
	more = has == SYMTAB_NO_FUNCTIONS ? debug(arg) : NULL;
	if (more)
		has = symtab_has_elf(more, SYMTAB_DEBUG, name);
	return has != SYMTAB_PERHAPS && symtab_has_elf(file, SYMTAB_DYNAMIC, name) != SYMTAB_PERHAPS &&
	       gofuncs_init(&g, file, NULL);
}
