/* code.c - machine code from a program's file, a vmlinux, or the running kernel's memory. */
#include "report/code.h"

#include "image/module.h"
#include "obj/demangle/demangle.h"
#include "obj/elf/symbols.h"
#include "sym/kernel.h"
#include "sys/kcore.h"

/* Limit for reading kernel memory: no function is that large. */
enum { KERNEL_CODE_MAX = 1 << 20 };

/* Size of the function; if unknown, up to the last sampled instruction. */
static uint64_t length(const struct session *s, const struct hits_func *f)
{
	uint64_t seen = f->last - f->at.start + MAX(s->arch->insn_size, 1);

	return f->at.len ? f->at.len : seen;
}

static void name_section(struct func_code *c, uint64_t addr)
{
	const struct elf *f = &c->module->code.elf;
	struct elf_section s;

	for (uint32_t i = 1; elf_section(f, i, &s); i++)
		if (s.flags & ELF_ALLOC && addr >= s.addr && addr - s.addr < s.size)
			str_copy(c->section, sizeof(c->section), sv_from(elf_section_name(f, &s)));
}

static int from_file(struct func_code *c, struct module *m, uint64_t n, struct err *e)
{
	struct cursor code = module_code(m, c->start - c->shift);

	if (code.bad || !cur_left(&code)) {
		err_set(e, ENODATA, "%s has no code at %llx", m->code.path ? m->code.path : c->at.dso,
			(unsigned long long)(c->start - c->shift));
		return err_hint(e, "a file with debug information alone has none: the program itself is needed");
	}
	c->module = m;
	c->bytes = cur_from(code.pos, MIN(n, (uint64_t)cur_left(&code)));
	name_section(c, c->start - c->shift);
	return 0;
}

static int from_kernel(struct func_code *c, uint64_t n, struct err *e)
{
	struct module *file = resolver_kernel_file(c->session->resolver, &c->shift);
	int r;

	if (file)
		return from_file(c, file, n, e);
	c->shift = 0;
	if (!c->session->running) {
		err_set(e, ENODATA, "the code of the recorded kernel is not here: another one is running");
		return err_hint(e, "-k names its vmlinux");
	}
	c->own = malloc(MIN(n, (uint64_t)KERNEL_CODE_MAX));
	if (!c->own)
		return err_nomem(e);
	r = sys_kcore_read(c->session->sys, c->start, c->own, MIN(n, (uint64_t)KERNEL_CODE_MAX), e);
	if (r)
		return err_hint(e, "root may read it, or -k names a vmlinux of this kernel");
	c->bytes = cur_from(c->own, MIN(n, (uint64_t)KERNEL_CODE_MAX));
	return 0;
}

static int no_file(const struct hits_func *f, struct err *e)
{
	if (f->at.dso[0] != '/')
		return err_set(e, ENODATA, "%s: its code is in no file", f->at.dso);
	err_set(e, ENODATA, "%s is not here as it was recorded", f->at.dso);
	return err_hint(e, "--symfs names the folder that has the recorded machine's files");
}

int code_of(struct func_code *c, struct session *s, const struct hits_func *f, struct err *e)
{
	int r;

	*c = (struct func_code){ .session = s, .at = f->at, .start = f->at.start };
	c->at.addr = f->at.start;
	if (f->at.kernel)
		r = from_kernel(c, length(s, f), e);
	else if (f->at.module)
		r = from_file(c, f->at.module, length(s, f), e);
	else
		r = no_file(f, e);
	if (r)
		code_deinit(c);
	return r;
}

void code_deinit(struct func_code *c)
{
	free(c->own);
	*c = (struct func_code){ 0 };
}

static void put_name(char name[LISTING_NAME], const char *symbol, uint64_t offset)
{
	char plain[LISTING_NAME - 24];

	if (!demangle(symbol, DEMANGLE_SHORT, plain, sizeof(plain)))
		str_copy(plain, sizeof(plain), sv_from(symbol));
	if (offset)
		snprintf(name, LISTING_NAME, "%s+0x%llx", plain, (unsigned long long)offset);
	else
		str_copy(name, LISTING_NAME, sv_from(plain));
}

/* The variable at an address, by a linear search: few addresses are looked up. */
static bool find_variable(const struct elf_symbols *t, uint64_t addr, char name[LISTING_NAME])
{
	struct elf_symbol s;

	for (size_t i = 0; elf_symbols_get(t, i, &s); i++) {
		if (s.type != ELF_OBJECT || s.section == ELF_UNDEF)
			continue;
		if (addr < s.value || addr - s.value >= MAX(s.size, 1u))
			continue;
		put_name(name, elf_symbols_name(t, &s), addr - s.value);
		return true;
	}
	return false;
}

static bool name_variable(struct module *m, uint64_t addr, char name[LISTING_NAME])
{
	const struct elf *debug = module_debug(m);
	struct elf_symbols t;

	if (debug && elf_symbols_static(debug, &t) && find_variable(&t, addr, name))
		return true;
	if (elf_symbols_static(&m->code.elf, &t) && find_variable(&t, addr, name))
		return true;
	return elf_symbols_dynamic(&m->code.elf, &t) && find_variable(&t, addr, name);
}

static bool name_in_file(struct module *m, uint64_t addr, char name[LISTING_NAME])
{
	const struct sym *s = module_functions(m, FUNCTIONS_BEST, NULL) ? NULL : symtab_find(&m->functions, addr);

	if (!s)
		return name_variable(m, addr, name);
	put_name(name, symtab_name(&m->functions, s), addr - s->addr);
	return true;
}

bool code_name(void *code, uint64_t addr, char name[LISTING_NAME])
{
	struct func_code *c = code;
	struct kernel_symbol s;

	/* Most branches stay inside the function. */
	if (addr >= c->start && addr - c->start < cur_left(&c->bytes)) {
		put_name(name, c->at.sym, addr - c->start);
		return true;
	}
	if (c->module)
		return name_in_file(c->module, addr - c->shift, name);
	if (!c->at.kernel || !resolver_kernel_thing(c->session->resolver, addr, &s))
		return false;
	put_name(name, s.name, addr - s.start);
	return true;
}

const struct marks *code_marks(struct func_code *c)
{
	return c->module ? module_marks(c->module) : NULL;
}

/* The source path. It is composed from several tables, so the last one is cached for consecutive lines of a file. */
static const char *name_file(struct func_code *c, uint64_t addr, const struct dwarf_spot *at)
{
	struct sym_spot v[SYM_SPOTS_MAX];
	struct sym_loc l = c->at;

	if (c->file && c->file_unit == at->u && c->file_number == at->file)
		return c->file;
	l.module = c->module;
	l.addr = addr;
	c->file = resolver_spots(c->session->resolver, &l, false, SYM_SPOTS_FILES, v) < 1 ? NULL : v[0].file;
	c->file_unit = at->u;
	c->file_number = at->file;
	return c->file;
}

bool code_line(struct func_code *c, uint64_t addr, struct sym_spot *spot)
{
	struct dwarf_spot v[DWARF_INLINE_DEPTH];

	if (!c->module || !module_dwarf(c->module, NULL) ||
	    module_spots(c->module, addr - c->shift, DWARF_SPOTS_LINES, v) < 1 || !v[0].line)
		return false;
	*spot = (struct sym_spot){ .line = v[0].line, .file = name_file(c, addr - c->shift, &v[0]) };
	return spot->file;
}
