/* dso.c - names of mappings, files behind them, where symbols are looked for. */
#include "sym/dso.h"

#include "obj/debuglink.h"
#include "obj/elf.h"
#include "image/functions.h"
#include "sym/jit.h"
#include "sym/resolver.h"

enum { PATH_SIZE = 4096 };

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

enum dso_kind dso_kind_user(const char *name)
{
	static const char *const no_file[] = {
		"/dev/", "/memfd:", "/SYSV", "/[aio]", "/i915", "//",
	};

	if (starts(name, "/dev/shm/"))
		return DSO_FILE;

	if (!strcmp(name, "[vdso]"))
		return DSO_VDSO;
	for (size_t i = 0; i < ARRAY_SIZE(no_file); i++) {
		if (starts(name, no_file[i]))
			return DSO_UNKNOWN;
	}
	return name[0] == '/' ? DSO_FILE : DSO_UNKNOWN;
}

enum dso_kind dso_kind_kernel(const char *name)
{
	return starts(name, "[kernel.") || starts(name, "[guest.kernel.") ? DSO_KERNEL : DSO_MODULE;
}

/* "/lib/modules/6.1/kernel/fs/nf-nat.ko.xz" is shown as [nf_nat], the name in kallsyms. */
static size_t module_short(const char *base, char *buf, size_t size)
{
	const char *ko = strstr(base, ".ko");
	size_t n = MIN(ko ? (size_t)(ko - base) : strlen(base), size - 3);

	buf[0] = '[';
	for (size_t i = 0; i < n; i++)
		buf[i + 1] = base[i] == '-' ? '_' : base[i];
	buf[n + 1] = ']';
	buf[n + 2] = '\0';
	return n + 2;
}

size_t dso_short(enum dso_kind kind, const char *name, char *buf, size_t size)
{
	const char *slash = strrchr(name, '/'), *base = slash && slash[1] ? slash + 1 : name;

	if (kind == DSO_JIT && !strncmp(base, "perf-", 5))
		return (size_t)snprintf(buf, size, "[JIT] tid %.*s", (int)strspn(base + 5, "0123456789"), base + 5);
	if (kind == DSO_MODULE && base[0] != '[')
		return module_short(base, buf, size);
	return MIN(str_copy(buf, size, sv_from(base)), size - 1);
}

/* Whose file a path means: that of the process which has mapped it, in its root; or ours. */
enum whose { INSIDE, OURS };

static int map_file(const struct dso *d, const struct sym_want *want, enum whose whose, struct dso_file *to,
		    const char *path)
{
	const struct sym_files *files = &want->files;
	struct sym_inside in = { .pid = d->pid, .ino = to == &d->image ? d->ino : 0 };

	if (whose == OURS)
		return files->map ? files->map(files->arg, path, &to->p, &to->n) : -ENOENT;
	return d->is_local && d->pid && !want->symfs && files->map_inside ?
	       files->map_inside(files->arg, &in, path, &to->p, &to->n) : -ENOENT;
}

static void unmap_file(const struct sym_want *want, struct dso_file *file)
{
	if (file->p && want->files.unmap)
		want->files.unmap(want->files.arg, file->p, file->n);
	file->p = NULL;
}

static int open_image(struct dso *d, const struct sym_want *want, enum whose whose)
{
	const struct sym_files *files = &want->files;
	const char *symfs = want->symfs ? want->symfs : "";
	char path[PATH_SIZE];

	if (d->kind == DSO_VDSO)
		return files->vdso && whose == OURS ? files->vdso(files->arg, &d->image.p, &d->image.n) : -ENOENT;
	if (d->kind != DSO_FILE)
		return -ENOENT;
	if (snprintf(path, sizeof(path), "%s%s", symfs, d->name) >= PATH_SIZE)
		return -ENAMETOOLONG;
	return map_file(d, want, whose, &d->image, path);
}

/* 32-bit programs of the same family run on both. */
static bool is_machine(const struct elf *f, const struct arch *arch)
{
	return !arch || f->machine == arch->elf_machine || !arch_by_elf(f->machine);
}

static bool is_recorded(const struct dso *d, const struct elf *f, const struct sym_want *want)
{
	struct build_id id;

	if (!is_machine(f, want->arch))
		return false;
	return !d->id.size || (build_id_of(f, &id) && build_id_same(&id, &d->id));
}

/*
 * Executable segments go first: they share pages of the file with their neighbours, and addresses
 * looked up are code.
 */
static void read_segments(struct dso *d, const struct elf *f, uint32_t exec)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s) && d->n_segments < DSO_SEGMENTS; i++) {
		if (s.type != ELF_PT_LOAD || (s.flags & ELF_PF_X) != exec || !s.filesz ||
		    s.filesz > UINT64_MAX - s.offset)
			continue;
		d->segment[d->n_segments++] = (struct dso_segment){
			.offset = s.offset, .end = s.offset + s.filesz, .vaddr = s.vaddr,
		};
	}
}

uint64_t dso_addr(const struct dso *d, uint64_t offset)
{
	for (unsigned i = 0; i < d->n_segments; i++) {
		if (offset >= d->segment[i].offset && offset < d->segment[i].end)
			return offset - d->segment[i].offset + d->segment[i].vaddr;
	}
	return offset;
}

static int read_headers(struct elf *f, const struct sym_want *want, const struct dso_file *file)
{
	return elf_init_mapped(f, file->p, file->n, mapped_find(want->files.mapped, file->p), NULL);
}

static void passed(void *arg, const void *bytes, size_t n)
{
	const struct sym_files *files = arg;

	if (files->forget)
		files->forget(files->arg, bytes, n);
}

/* The file's link says that it is this one; without a link, the build id that is its name. */
static bool is_meant(const struct dso *d, const struct elf *debug, struct debuglink_want *link)
{
	struct build_id id;

	return link ? debuglink_is(link, debug) : build_id_of(debug, &id) && build_id_same(&id, &d->id);
}

static int try_debug_of(struct dso *d, const struct sym_want *want, enum whose whose, const char *path,
			struct debuglink_want *link)
{
	struct elf f;
	struct dso_file file;
	int got = 0;

	if (map_file(d, want, whose, &file, path))
		return 0;
	if (!read_headers(&f, want, &file) && is_machine(&f, want->arch) && is_meant(d, &f, link))
		got = symtab_add_elf(&d->symtab, &f, SYMTAB_DEBUG, NULL);
	if (got > 0)
		d->debug = file;
	else
		unmap_file(want, &file);
	return got;
}

/* Take the symbols of a separate file if it is the one that is meant; keeps the file on success. */
static int try_debug(struct dso *d, const struct sym_want *want, const char *path, struct debuglink_want *link)
{
	int got = try_debug_of(d, want, INSIDE, path, link);

	return got ? got : try_debug_of(d, want, OURS, path, link);
}

static int by_build_id(struct dso *d, const struct sym_want *want)
{
	char path[PATH_SIZE];

	if (d->id.size < 2)
		return 0;
	return try_debug(d, want, build_id_path(&d->id, want->symfs, path, sizeof(path)), NULL);
}

static int by_link(struct dso *d, const struct sym_want *want, const struct elf *f)
{
	struct debuglink_buf path;
	struct sym_files files = want->files;
	struct debuglink link;
	struct debuglink_want meant = { .file = f, .link = &link, .passed = passed, .arg = &files };
	int got = 0;

	if (!debuglink_of(f, &link))
		return 0;
	for (unsigned i = 0; !got && debuglink_path(&link, want->symfs, d->name, i, &path); i++) {
		if (strcmp(path.v + (want->symfs ? strlen(want->symfs) : 0), d->name))
			got = try_debug(d, want, path.v, &meant);
	}
	return got;
}

struct search {
	struct dso *d;
	const struct sym_want *want;
	const struct elf *f;
};

static int add_debug(void *arg, struct symtab *t UNUSED)
{
	const struct search *s = arg;
	int got = by_build_id(s->d, s->want);

	return got ? got : by_link(s->d, s->want, s->f);
}

static int read_symbols(struct dso *d, const struct sym_want *want, const struct elf *f)
{
	struct search s = { d, want, f };

	if (!d->id.size)
		build_id_of(f, &d->id);
	return functions_read(&d->symtab, &(struct functions_want){ .file = f, .debug = add_debug, .arg = &s }, NULL);
}

static void close_image(struct dso *d, const struct sym_want *want)
{
	if (d->kind != DSO_VDSO)
		unmap_file(want, &d->image);
	d->image.p = NULL;
}

/* Its file, if it is the one that was recorded. */
static void find_image(struct dso *d, const struct sym_want *want, enum whose whose, struct elf *f)
{
	if (d->state == DSO_LOADED || open_image(d, want, whose))
		return;
	if (!read_headers(f, want, &d->image))
		d->state = is_recorded(d, f, want) ? DSO_LOADED : DSO_STALE;
	if (d->state != DSO_LOADED)
		close_image(d, want);
}

static int feed(void *to, const char *text, size_t n)
{
	return jit_feed(to, text, n);
}

/* Without a file it has no names: nothing is wrong with that. */
static int load_jit(struct dso *d, const struct sym_want *want)
{
	struct jit j = { .to = &d->symtab };
	int got = d->is_local && want->files.jit ? want->files.jit(want->files.arg, d->pid, feed, &j) : -ENOENT;

	d->is_foreign = got == -EPERM;
	d->is_cut = j.is_cut;
	if (got == -ENOMEM)
		return got;
	d->state = got < 0 ? DSO_MISSING : DSO_LOADED;
	return jit_finish(&j);
}

int dso_load(struct dso *d, const struct sym_want *want)
{
	struct elf f;

	if (d->state != DSO_FRESH)
		return 0;
	d->state = DSO_MISSING;
	if (d->kind == DSO_JIT)
		return load_jit(d, want);
	find_image(d, want, INSIDE, &f);
	find_image(d, want, OURS, &f);
	if (d->state != DSO_LOADED)
		return 0;
	read_segments(d, &f, ELF_PF_X);
	read_segments(d, &f, 0);

	int got = read_symbols(d, want, &f);

	if (dso_was_cut(d, want))
		symtab_deinit(&d->symtab);
	return got;
}

bool dso_was_cut(const struct dso *d, const struct sym_want *want)
{
	bool image = mapped_was_cut(mapped_find(want->files.mapped, d->image.p));
	bool debug = mapped_was_cut(mapped_find(want->files.mapped, d->debug.p));

	return image || debug;
}

void dso_deinit(struct dso *d, const struct sym_want *want)
{
	symtab_deinit(&d->symtab);
	close_image(d, want);
	unmap_file(want, &d->debug);
}
