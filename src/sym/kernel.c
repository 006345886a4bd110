/*
 * kernel.c - which symbols belong to the recorded kernel, and by how much they were moved (KASLR).
 */
#include "sym/kernel.h"

#include "obj/elf.h"
#include "obj/elf_symbols.h"
#include "sym/resolver.h"

enum { PATH_SIZE = 4096 };

void kernel_init(struct kernel *k, const struct sym_want *want)
{
	*k = (struct kernel){ .want = want };
}

static void close_vmlinux(struct kernel *k)
{
	symtab_deinit(&k->vmlinux.table);
	if (k->vmlinux.p && k->want->files.unmap)
		k->want->files.unmap(k->want->files.arg, k->vmlinux.p, k->vmlinux.n);
	k->vmlinux.p = NULL;
}

void kernel_deinit(struct kernel *k)
{
	kallsyms_deinit(&k->kallsyms);
	close_vmlinux(k);
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

/* Where the reference symbol is in the running kernel; 0: unknown. */
static uint64_t running_ref(const struct kernel *k)
{
	return !strcmp(k->ref, "_text") ? k->kallsyms.text
					: !strcmp(k->ref, "_stext") ? k->kallsyms.stext : 0;
}

static void set_shift(struct kernel *k, uint64_t ref)
{
	k->shift = ref && k->ref_addr ? k->ref_addr - ref : 0;
}

static bool use_kallsyms(struct kernel *k, char *text, size_t n)
{
	if (kallsyms_init(&k->kallsyms, text, n, NULL))
		return false;
	if (!k->kallsyms.table.syms.n) {
		k->problems |= k->kallsyms.hidden ? KERNEL_HIDDEN : 0;
		kallsyms_deinit(&k->kallsyms);
		return false;
	}
	set_shift(k, running_ref(k));
	k->state = KERNEL_KALLSYMS;
	return true;
}

/* The file the user named: taken as it is, but moved to the recorded addresses. */
static bool explicit_kallsyms(struct kernel *k)
{
	const struct image_files *files = &k->want->files;
	const uint8_t *p;
	size_t n;

	if (!k->want->kallsyms)
		return false;
	if (!files->map || files->map(files->arg, k->want->kallsyms, &p, &n)) {
		k->problems |= KERNEL_BAD_KALLSYMS;
		return false;
	}

	char *text = malloc(n + 1);

	if (text && n)
		memcpy(text, p, n);
	if (files->unmap)
		files->unmap(files->arg, p, n);
	if (text && use_kallsyms(k, text, n))
		return true;
	k->problems |= KERNEL_BAD_KALLSYMS;
	return false;
}

/*
 * Without a recorded build id only the address of the kernel speaks for the running one: it changes
 * with each boot where addresses are randomised. When it was not recorded either, believe the
 * caller, who allows kallsyms.
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
	char *text;
	size_t n;

	if (!files->kallsyms)
		return false;
	if (!kernel_is_running(k)) {
		k->problems |= KERNEL_DIFFERS;
		return false;
	}
	if (files->kallsyms(files->arg, &text, &n) || !use_kallsyms(k, text, n))
		return false;
	if (k->id.size || is_plausible(k))
		return true;
	kallsyms_deinit(&k->kallsyms);
	k->state = KERNEL_FRESH;
	return false;
}

static bool read_vmlinux(struct kernel *k, const struct elf *f)
{
	struct elf_symbol ref;
	struct elf_code code;

	elf_code_init(&code, f);
	if (symtab_add_elf(&k->vmlinux.table, f, SYMTAB_STATIC, NULL) <= 0 ||
	    symtab_finish(&k->vmlinux.table, &code))
		return false;
	set_shift(k, k->ref_addr && elf_symbol_named(f, k->ref, &ref) ? ref.value : 0);
	return true;
}

static bool is_recorded(const struct kernel *k, const struct elf *f)
{
	struct build_id id;

	if (k->want->arch && f->machine != k->want->arch->elf_machine)
		return false;
	return !k->id.size || (build_id_of(f, &id) && build_id_same(&id, &k->id));
}

/* -ENOENT, -EBADMSG: not the recorded kernel. */
static int try_vmlinux(struct kernel *k, const char *path)
{
	const struct image_files *files = &k->want->files;
	struct elf f;
	struct mapped *file;

	if (!files->map || files->map(files->arg, path, &k->vmlinux.p, &k->vmlinux.n)) {
		k->vmlinux.p = NULL;
		return -ENOENT;
	}
	file = mapped_find(files->mapped, k->vmlinux.p);
	if (elf_init_mapped(&f, k->vmlinux.p, k->vmlinux.n, file, NULL) || !is_recorded(k, &f) ||
	    !read_vmlinux(k, &f) || mapped_was_cut(file)) {
		close_vmlinux(k);
		return -EBADMSG;
	}
	k->state = KERNEL_VMLINUX;
	return 0;
}

static bool explicit_vmlinux(struct kernel *k)
{
	int r = k->want->vmlinux ? try_vmlinux(k, k->want->vmlinux) : -EINVAL;

	if (k->want->vmlinux && r)
		k->problems |= r == -ENOENT ? KERNEL_NO_VMLINUX : KERNEL_BAD_VMLINUX;
	return !r;
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

/*
 * Where distributions and builders put it. A release alone proves nothing, so the build id must be
 * known.
 */
static bool found_vmlinux(struct kernel *k)
{
	static const char *const places[] = {
		"/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/lib/modules/%s/vmlinux", "/lib/modules/%s/build/vmlinux",
	};
	const char *symfs = k->want->symfs ? k->want->symfs : "";
	char path[PATH_SIZE];

	if (k->id.size < 2)
		return false;
	if (!try_vmlinux(k, build_id_path(&k->id, symfs, path, sizeof(path))))
		return true;
	for (size_t i = 0; k->want->release && i < ARRAY_SIZE(places); i++) {
		const char *percent = strchr(places[i], '%');
		int before = (int)(percent - places[i]);
		int n = snprintf(path, sizeof(path), "%s%.*s%s%s", symfs, before, places[i],
				 k->want->release, percent + 2);

		if (n < (int)sizeof(path) && !try_vmlinux(k, path))
			return true;
	}
	return false;
}

static void load(struct kernel *k)
{
	if (!explicit_vmlinux(k) && !explicit_kallsyms(k) && !running_kallsyms(k) &&
	    !found_vmlinux(k))
		k->state = KERNEL_NONE;
}

static bool take_kallsyms(const struct kernel *k, const struct sym *sym, struct kernel_symbol *s)
{
	if (!sym)
		return false;
	s->name = kallsyms_name(&k->kallsyms, sym);
	s->module = kallsyms_module(&k->kallsyms, sym);
	s->start = sym->addr + k->shift;
	s->len = sym->size;
	/* Modules do not move with the kernel: after another boot they are elsewhere. */
	return !s->module || !k->shift;
}

static bool find_vmlinux(const struct kernel *k, uint64_t addr, struct kernel_symbol *s)
{
	const struct sym *sym = symtab_find(&k->vmlinux.table, addr - k->shift);

	if (!sym)
		return false;
	*s = (struct kernel_symbol){
		.name = symtab_name(&k->vmlinux.table, sym),
		.start = sym->addr + k->shift,
		.len = sym->size,
	};
	return true;
}

bool kernel_find(struct kernel *k, uint64_t addr, struct kernel_symbol *s)
{
	if (k->state == KERNEL_FRESH)
		load(k);
	switch (k->state) {
	case KERNEL_KALLSYMS:
		return take_kallsyms(k, kallsyms_find(&k->kallsyms, addr - k->shift), s);
	case KERNEL_VMLINUX:
		return find_vmlinux(k, addr, s);
	default:
		return false;
	}
}

bool kernel_find_any(struct kernel *k, uint64_t addr, struct kernel_symbol *s)
{
	if (k->state == KERNEL_FRESH)
		load(k);
	if (k->state == KERNEL_KALLSYMS)
		return take_kallsyms(k, kallsyms_find_any(&k->kallsyms, addr - k->shift), s);
	return kernel_find(k, addr, s);
}
