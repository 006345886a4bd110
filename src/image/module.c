/* module.c - see module.h. */
#include "image/module.h"

#include "image/debugfile.h"
#include "obj/elf/symbols.h"

/* An unknown machine is accepted: 32-bit programs of the same family run on both 64-bit ones. */
static bool is_machine(const struct elf *f, const struct arch *arch)
{
	return !arch || f->machine == arch->elf_machine || !arch_by_elf(f->machine);
}

static bool is_meant(const struct elf *f, const struct module_want *w)
{
	struct build_id id;

	return is_machine(f, w->arch) && (!w->id.size || (build_id_of(f, &id) && build_id_same(&id, &w->id)));
}

static int check(struct module *m, const struct module_want *w, struct err *e)
{
	if (is_meant(&m->code.elf, w))
		return 0;
	image_close(&m->code);
	return err_set(e, ESTALE, "%s is another file by now: it is of another build, or for another machine", w->path);
}

static int open_code(struct module *m, const struct image_files *files, const struct module_want *w,
		     const struct image_inside *in, struct err *e)
{
	int r = image_open(&m->code, files, in, w->path, e);

	return r ? r : check(m, w, e);
}

static bool is_same_build(const struct module *m)
{
	struct build_id a, b;

	return !build_id_of(&m->code.elf, &a) || !build_id_of(&m->debug.elf, &b) || build_id_same(&a, &b);
}

/* Open the debug file that the user has named. */
static int open_debug(struct module *m, const struct module_want *w, struct err *e)
{
	int r = w->debug ? image_open(&m->debug, m->code.files, NULL, w->debug, e) : 0;

	m->has_looked = w->debug;
	if (!r && w->debug && !is_same_build(m))
		r = err_set(e, ESTALE, "%s is not of %s: its build id is another one", w->debug, w->path);
	return r;
}

int module_open(struct module *m, const struct image_files *files, const struct module_want *w, struct err *e)
{
	int inside, r;

	*m = (struct module){ .symfs = w->symfs, .pid = w->inside.pid };
	inside = m->pid ? open_code(m, files, w, &w->inside, NULL) : -ENOENT;
	r = inside ? open_code(m, files, w, NULL, e) : 0;
	if (r)
		return inside == -ESTALE ? inside : r;
	r = open_debug(m, w, e);
	if (r)
		module_close(m);
	return r;
}

int module_borrow(struct module *m, const uint8_t *bytes, size_t n, const struct module_want *w, struct err *e)
{
	int r = image_borrow(&m->code, bytes, n, e);

	m->has_looked = true;
	return r ? r : check(m, w, e);
}

void module_close(struct module *m)
{
	debuginfo_close(&m->info);
	module_forget_functions(m);
	marks_deinit(&m->marks);
	for (enum module_frames i = 0; i < MODULE_FRAMES; i++)
		cfi_index_deinit(&m->index[i]);
	image_close(&m->debug);
	image_close(&m->code);
	*m = (struct module){ 0 };
}

const struct elf *module_debug(struct module *m)
{
	if (!m->has_looked)
		debugfile_find(&m->debug, &(struct debugfile_want){ &m->code, m->symfs, m->pid });
	m->has_looked = true;
	return m->debug.bytes ? &m->debug.elf : NULL;
}

static int add_debug(void *arg, struct symtab *t)
{
	const struct elf *debug = module_debug(arg);

	return debug ? symtab_add_elf(t, debug, SYMTAB_DEBUG, NULL) : 0;
}

static void pass(const struct image *img)
{
	if (img->bytes && !img->own)
		image_passed((void *)(uintptr_t)img->files, img->bytes, img->n);
}

void module_passed(const struct module *m)
{
	pass(&m->code);
	pass(&m->debug);
}

void module_settle(struct module *m)
{
	debuginfo_close(&m->info);
	m->info = (struct debuginfo){ 0 };
	m->has_dwarf = m->has_frames[MODULE_DEBUG_FRAME] = false;
	module_passed(m);
}

int module_functions(struct module *m, enum functions_what what, struct err *e)
{
	struct functions_want w = { .file = &m->code.elf, .debug = add_debug, .arg = m, .what = what };
	int r = m->has_functions ? 0 : functions_read(&m->functions, &w, e);

	if (r)
		symtab_deinit(&m->functions);
	m->has_functions = !r;
	return r;
}

static const struct elf *find_debug(void *arg)
{
	return module_debug(arg);
}

bool module_lacks(struct module *m, const char *name)
{
	return functions_lack(&m->code.elf, name, find_debug, m);
}

void module_forget_functions(struct module *m)
{
	symtab_deinit(&m->functions);
	m->has_functions = false;
}

const struct marks *module_marks(struct module *m)
{
	if (!m->has_marks)
		marks_read(&m->marks, &m->code.elf, m->debug.bytes ? &m->debug.elf : NULL);
	m->has_marks = true;
	return &m->marks;
}

static void read_dwarf(struct module *m, struct err *e)
{
	const struct image *of = &m->code;

	if (m->debug.bytes || !image_has_debug(&m->code))
		module_debug(m);
	if (m->debug.bytes && (image_has_debug(&m->debug) || !image_has_debug(&m->code)))
		of = &m->debug;
	if (image_has_debug(of)) {
		debuginfo_open(&m->info, of, &m->code, e);
		return;
	}
	err_set(e, ENODATA, "%s has no debug information", of->path ? of->path : "the vDSO");
	err_hint(e, "arguments are %%REGISTER or $argN there; --debug-file FILE names a file with it");
}

struct dwarf *module_dwarf(struct module *m, struct err *e)
{
	if (!m->has_dwarf)
		read_dwarf(m, e);
	m->has_dwarf = true;
	return m->info.dwarf;
}

int module_spots(struct module *m, uint64_t pc, enum dwarf_spots_what what, struct dwarf_spot v[DWARF_INLINE_DEPTH])
{
	struct dwarf *d = module_dwarf(m, NULL);

	if (d && !m->info.spots)
		m->info.spots = dwarf_spots_new(d);
	if (d && !m->info.spots)
		return -ENOMEM;
	return d ? dwarf_spots_at(m->info.spots, pc, what, v) : 0;
}

static bool read_frames(struct module *m, enum module_frames i)
{
	struct dwarf *d;

	if (i == MODULE_DEBUG_FRAME) {
		d = module_dwarf(m, NULL);
		return d && dwarf_frames(d, &m->frames[i]);
	}
	/* In a relocatable file .eh_frame has no addresses yet. */
	return m->code.elf.type != ELF_REL && !cfi_init(&m->frames[i], &m->code.elf, NULL);
}

const struct cfi *module_frames(struct module *m, enum module_frames i)
{
	if (!m->has_frames[i])
		m->no_frames[i] = !read_frames(m, i);
	m->has_frames[i] = true;
	return m->no_frames[i] ? NULL : &m->frames[i];
}

bool module_function(struct module *m, enum module_frames i, uint64_t pc, struct cfi_fde *fde)
{
	const struct cfi *c = module_frames(m, i);

	if (!c)
		return false;
	if (!m->has_index[i] && !cur_left(&c->table))
		m->has_index[i] = !cfi_index_init(&m->index[i], c);
	return m->has_index[i] ? cfi_index_find(&m->index[i], pc, fde) : cfi_find(c, pc, fde, NULL) > 0;
}

const struct gofuncs *module_go(struct module *m)
{
	if (!m->has_go)
		m->no_go = gofuncs_init(&m->go, &m->code.elf, NULL);
	m->has_go = true;
	return m->no_go ? NULL : &m->go;
}

static bool is_stub(struct module *m, uint64_t addr)
{
	if (!m->has_stubs)
		plt_code_init(&m->stubs, &m->code.elf);
	m->has_stubs = true;
	return plt_code_has(&m->stubs, addr);
}

bool module_start(struct module *m, uint64_t pc, struct cfi_fde *fde)
{
	return module_function(m, MODULE_EH_FRAME, pc, fde) && image_is_code(&m->code, fde->start) &&
	       !is_stub(m, fde->start) && !symtab_find(&m->functions, fde->start);
}

bool module_is_tls(const struct module *m, struct sv name)
{
	const struct elf *const files[] = { &m->code.elf, m->debug.bytes ? &m->debug.elf : NULL };
	struct elf_symbols t;
	struct elf_symbol s;

	for (size_t k = 0; k < 2 * ARRAY_SIZE(files); k++) {
		const struct elf *f = files[k / 2];

		if (!f || !(k % 2 ? elf_symbols_dynamic(f, &t) : elf_symbols_static(f, &t)))
			continue;
		for (size_t i = 0; elf_symbols_get(&t, i, &s); i++)
			if (s.type == ELF_TLS && sv_eq(name, elf_symbols_name(&t, &s)))
				return true;
	}
	return false;
}

bool module_was_cut(const struct module *m)
{
	bool code = image_was_cut(&m->code), debug = image_was_cut(&m->debug);

	return code || debug;
}
