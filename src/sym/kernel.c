/*
 * kernel.c - find symbols of the recorded kernel, and by how much it was relocated (KASLR).
 */
#include "sym/kernel.h"

#include "image/kernel_file.h"
#include "sym/buildid_cache.h"
#include "sym/resolver.h"

void kernel_init(struct kernel *k, const struct sym_want *want)
{
	*k = (struct kernel){ .want = want };
}

void kernel_deinit(struct kernel *k)
{
	kallsyms_deinit(&k->kallsyms);
	module_close(&k->vmlinux);
	asked_deinit(&k->asked);
}

void kernel_ref(struct kernel *k, const char *map_name, uint64_t addr)
{
	const char *end = strchr(map_name, ']');

	if (!addr || !end)
		return;
	str_copy(k->ref, sizeof(k->ref), sv_from(end + 1));
	k->ref_addr = addr;
}

static bool running_id(const struct kernel *k, struct build_id *id)
{
	const struct image_files *files = &k->want->files;
	uint8_t raw[20];

	if (!files->kernel_build_id || files->kernel_build_id(files->arg, raw))
		return false;
	*id = build_id_from(raw, sizeof(raw));
	return id->size;
}

bool kernel_is_running(const struct kernel *k)
{
	struct build_id id;

	return !k->id.size || (running_id(k, &id) && build_id_same(&id, &k->id));
}

/* The reference symbol's address in kallsyms; 0: unknown. */
static uint64_t running_ref(const struct kernel *k)
{
	return !strcmp(k->ref, "_text") ? k->kallsyms.text
					: !strcmp(k->ref, "_stext") ? k->kallsyms.stext : 0;
}

static void set_shift(struct kernel *k, uint64_t ref)
{
	k->shift = ref && k->ref_addr ? k->ref_addr - ref : 0;
}

static bool use_kallsyms(struct kernel *k)
{
	if (!k->kallsyms.table.syms.n) {
		k->problems |= k->kallsyms.hidden ? KERNEL_HIDDEN : 0;
		kallsyms_deinit(&k->kallsyms);
		return false;
	}
	set_shift(k, running_ref(k));
	k->state = KERNEL_KALLSYMS;
	return true;
}

/* Use a copy of kallsyms without checks, shifted to the recorded addresses. */
static bool file_kallsyms(struct kernel *k, const char *path)
{
	const struct image_files *files = &k->want->files;
	const uint8_t *p;
	size_t n;
	int r;

	if (!files->map || files->map(files->arg, path, &p, &n))
		return false;
	r = kallsyms_init(&k->kallsyms, (struct sv){ (const char *)p, n }, NULL);
	if (files->unmap)
		files->unmap(files->arg, p, n);
	return !r && use_kallsyms(k);
}

/* The file of option --kallsyms. */
static bool explicit_kallsyms(struct kernel *k)
{
	if (!k->want->kallsyms)
		return false;
	if (file_kallsyms(k, k->want->kallsyms))
		return true;
	k->problems |= KERNEL_BAD_KALLSYMS;
	return false;
}

/*
 * Without a recorded build-id only the kernel's address can show that it is the running one: with
 * KASLR it changes at each boot. If that was not recorded either, assume it is the running one,
 * since the caller allows kallsyms.
 */
static bool is_plausible(struct kernel *k)
{
	k->problems |= KERNEL_UNPROVEN;
	if (!k->ref_addr || running_ref(k) == k->ref_addr)
		return true;
	k->problems |= KERNEL_DIFFERS;
	return false;
}

static bool running_kallsyms(struct kernel *k)
{
	const struct image_files *files = &k->want->files;

	if (!files->kallsyms)
		return false;
	if (!kernel_is_running(k)) {
		k->problems |= KERNEL_DIFFERS;
		return false;
	}
	if (files->kallsyms(files->arg, &k->kallsyms) || !use_kallsyms(k))
		return false;
	if (k->id.size || is_plausible(k))
		return true;
	kallsyms_deinit(&k->kallsyms);
	k->state = KERNEL_FRESH;
	return false;
}

/* Read the symbols of the vmlinux: 0, -ENOMEM, -EBADMSG: no symbols, or of another machine. */
static int use_vmlinux(struct kernel *k)
{
	const struct arch *arch = k->want->arch;
	int r = arch && k->vmlinux.code.elf.machine != arch->elf_machine ? -EBADMSG : 0;

	r = r ? r : module_functions(&k->vmlinux, FUNCTIONS_BEST, NULL);
	if (!r && (!k->vmlinux.functions.syms.n || module_was_cut(&k->vmlinux)))
		r = -EBADMSG;
	if (r) {
		module_close(&k->vmlinux);
		return r;
	}
	k->shift = kernel_file_shift(&k->vmlinux, k->ref, k->ref_addr);
	k->state = KERNEL_VMLINUX;
	return 0;
}

static bool explicit_vmlinux(struct kernel *k)
{
	struct module_want w = { .path = k->want->vmlinux, .id = k->id };
	int r;

	if (!w.path)
		return false;
	r = module_open(&k->vmlinux, &k->want->files, &w, NULL);
	if (r && r != -ESTALE && r != -EBADMSG) {
		k->problems |= KERNEL_NO_VMLINUX;
		return false;
	}
	if (!r && !use_vmlinux(k))
		return true;
	k->problems |= KERNEL_BAD_VMLINUX;
	return false;
}

bool kernel_lacks_unused(const struct kernel *k)
{
	const struct image_files *files = &k->want->files;
	const uint8_t *p;
	size_t n;

	if (k->state != KERNEL_FRESH || !k->want->vmlinux || !files->map)
		return false;
	if (files->map(files->arg, k->want->vmlinux, &p, &n))
		return true;
	if (files->unmap)
		files->unmap(files->arg, p, n);
	return false;
}

/* Search for a vmlinux by release; the build-id must match, since an equal release proves nothing. */
static bool found_vmlinux(struct kernel *k)
{
	struct kernel_file_want w = {
		.id = k->id, .release = k->want->release, .symfs = k->want->symfs, .arch = k->want->arch,
		.is_useful = image_has_symbols,
	};

	return k->id.size >= 2 && kernel_file_find(&k->vmlinux, &k->want->files, &w) && !use_vmlinux(k);
}

/* Use the recorded kernel's vmlinux or kallsyms of the build-id cache. */
static bool kept(struct kernel *k)
{
	struct module_want w = { .id = k->id, .arch = k->want->arch };
	char path[4096];

	if (!k->want->cache || k->id.size < 2)
		return false;
	if (!buildid_cache_module(&k->vmlinux, &k->want->files, &w, k->want->cache, "elf") && !use_vmlinux(k))
		return true;
	return file_kallsyms(k, buildid_cache_path(k->want->cache, &k->id, "kallsyms", path, sizeof(path)));
}

static void load(struct kernel *k)
{
	if (!explicit_vmlinux(k) && !explicit_kallsyms(k) && !running_kallsyms(k) &&
	    !found_vmlinux(k) && !kept(k))
		k->state = KERNEL_NONE;
}

/* Is the recorded kernel known to be the running one, at the same address? (Its modules may have moved.) */
static bool is_in_place(const struct kernel *k)
{
	const struct image_files *files = &k->want->files;

	return k->id.size && k->ref_addr && files->mark && files->mark(files->arg, k->ref) == k->ref_addr;
}

/* Can the running kernel be asked for single functions? A namer that needs opening is used for recordings. */
static bool can_ask(const struct kernel *k)
{
	const struct kernel_namer *who = k->want->namer;

	if (!who || k->want->vmlinux || k->want->kallsyms || !kernel_is_running(k))
		return false;
	return !who->open || (is_in_place(k) && !who->open(who->arg));
}

/* For lookups by address: read all of kallsyms only if the kernel cannot be asked. */
static void load_for_places(struct kernel *k)
{
	if (can_ask(k))
		k->state = KERNEL_ASKED;
	else
		load(k);
}

/* For other lookups, which need the whole table. */
static void load_all(struct kernel *k)
{
	if (k->state == KERNEL_FRESH || k->state == KERNEL_ASKED)
		load(k);
}

static bool take_kallsyms(const struct kernel *k, const struct sym *sym, struct kernel_symbol *s)
{
	if (!sym)
		return false;
	s->name = kallsyms_name(&k->kallsyms, sym);
	s->module = kallsyms_module(&k->kallsyms, sym);
	s->start = sym->addr + k->shift;
	s->len = sym->size;
	/* Modules are not shifted like the kernel: after another boot they are at other addresses. */
	return !s->module || !k->shift;
}

static bool find_vmlinux(const struct kernel *k, uint64_t addr, struct kernel_symbol *s)
{
	const struct sym *sym = symtab_find(&k->vmlinux.functions, addr - k->shift);

	if (!sym)
		return false;
	*s = (struct kernel_symbol){
		.name = symtab_name(&k->vmlinux.functions, sym),
		.start = sym->addr + k->shift,
		.len = sym->size,
	};
	return true;
}

bool kernel_find(struct kernel *k, uint64_t addr, struct kernel_symbol *s)
{
	if (k->state == KERNEL_FRESH)
		load_for_places(k);
	switch (k->state) {
	case KERNEL_ASKED:
		return asked_find(&k->asked, k->want->namer, addr, s);
	case KERNEL_KALLSYMS:
		return take_kallsyms(k, kallsyms_find(&k->kallsyms, addr - k->shift), s);
	case KERNEL_VMLINUX:
		return find_vmlinux(k, addr, s);
	default:
		return false;
	}
}

bool kernel_extent(const struct kernel *k, uint64_t addr, uint64_t *from, uint64_t *to)
{
	const struct symtab *t = k->state == KERNEL_KALLSYMS ? &k->kallsyms.table : &k->vmlinux.functions;

	if ((k->state != KERNEL_KALLSYMS && k->state != KERNEL_VMLINUX) ||
	    !symtab_extent(t, addr - k->shift, from, to))
		return false;
	*from += k->shift;
	*to += k->shift;
	return true;
}

bool kernel_find_any(struct kernel *k, uint64_t addr, struct kernel_symbol *s)
{
	load_all(k);
	if (k->state == KERNEL_KALLSYMS)
		return take_kallsyms(k, kallsyms_find_any(&k->kallsyms, addr - k->shift), s);
	return kernel_find(k, addr, s);
}

int kernel_waits_at(struct kernel *k, uint64_t addr)
{
	const uint64_t *mark = k->kallsyms.mark;
	uint64_t at;

	load_all(k);
	at = addr - k->shift;
	if (k->state != KERNEL_KALLSYMS || !mark[KALLSYMS_SCHED_TEXT] || !mark[KALLSYMS_LOCK_TEXT])
		return -1;
	return (at >= mark[KALLSYMS_SCHED_TEXT] && at < mark[KALLSYMS_SCHED_TEXT_END]) ||
	       (at >= mark[KALLSYMS_LOCK_TEXT] && at < mark[KALLSYMS_LOCK_TEXT_END]);
}

uint64_t kernel_address(struct kernel *k, const char *name)
{
	const struct symtab *t = &k->vmlinux.functions;
	const struct sym *s = NULL;

	load_all(k);
	if (k->state == KERNEL_KALLSYMS)
		s = kallsyms_named(&k->kallsyms, name);
	for (size_t i = 0; k->state == KERNEL_VMLINUX && !s && i < t->syms.n; i++)
		if (!strcmp(symtab_name(t, &t->syms.v[i]), name))
			s = &t->syms.v[i];
	return s ? s->addr + k->shift : 0;
}
