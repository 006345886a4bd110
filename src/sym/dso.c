/* dso.c - names of mappings, and the files behind them. */
#include "sym/dso.h"

#include "image/kernel_file.h"
#include "sym/jit.h"
#include "sym/jitcode.h"
#include "sym/buildid_cache.h"
#include "sym/resolver.h"
#include "sym/file2.h"

enum { PATH_SIZE = 4096 };

bool dso_is_told(enum dso_kind kind, uint64_t type)
{
	static const enum file2_type types[] = {
		[DSO_UNKNOWN] = FILE2_TYPES, [DSO_JIT] = FILE2_JIT, [DSO_FILE] = FILE2_ELF, [DSO_VDSO] = FILE2_ELF,
		[DSO_KERNEL] = FILE2_KERNEL, [DSO_MODULE] = FILE2_MODULE, [DSO_BPF] = FILE2_TYPES,
	};

	return type < FILE2_TYPES && types[kind] == type;
}

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
static size_t module_short(const char *path, char *buf, size_t size)
{
	size_t n = kernel_module_name(path, buf + 1, size - 2);

	buf[0] = '[';
	memcpy(buf + n + 1, "]", 2);
	return n + 2;
}

size_t dso_short(enum dso_kind kind, const char *name, char *buf, size_t size)
{
	const char *slash = strrchr(name, '/'), *base = slash && slash[1] ? slash + 1 : name;

	if (kind == DSO_JIT && !strncmp(base, "perf-", 5))
		return (size_t)snprintf(buf, size, "[JIT] tid %.*s", (int)strspn(base + 5, "0123456789"), base + 5);
	if (kind == DSO_MODULE && base[0] != '[')
		return module_short(name, buf, size);
	return MIN(str_copy(buf, size, sv_from(base)), size - 1);
}

/*
 * exec: ELF_PF_X or 0. Executable segments are read first: segments may share a page of the file, and
 * the addresses to look up are code.
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

static int feed(void *to, const char *text, size_t n)
{
	return jit_feed(to, text, n);
}

static void drop_code(struct dso *d)
{
	if (d->code)
		jitcode_close(d->code);
	free(d->code);
	d->code = NULL;
}

/* Read the JIT dump. It has times, so it is preferred to FILE2 and the perf-PID.map, which have none. 0; -ENOMEM. */
static int load_code(struct dso *d, const struct sym_want *want)
{
	char path[PATH_SIZE];
	struct jitcode_want w = {
		.files = &want->files, .path = path, .arch = want->arch, .is_monotonic = want->is_monotonic,
		.inside = { .pid = d->is_local && !want->symfs ? d->pid : 0, .ino = d->dump_ino },
	};
	int r = snprintf(path, sizeof(path), "%s%s", want->symfs ? want->symfs : "", d->dump);

	if (r >= PATH_SIZE)
		return 0;
	d->code = calloc(1, sizeof(*d->code));
	if (!d->code)
		return -ENOMEM;
	r = jitcode_open(d->code, &d->jit, &w);
	if (r)
		drop_code(d);
	else
		d->file2 = NULL;
	d->is_other_dump = r == -ESTALE || r == -EBADMSG;
	return r == -ENOMEM ? r : 0;
}

/* Read /tmp/perf-PID.map; it is no error if there is none. */
static int load_map(struct dso *d, const struct sym_want *want)
{
	struct jit j = { .to = &d->jit };
	int got = d->is_local && want->files.jit ? want->files.jit(want->files.arg, d->pid, feed, &j) : -ENOENT;

	d->is_foreign = got == -EPERM;
	d->is_cut = j.is_cut;
	if (got == -ENOMEM)
		return got;
	d->state = got < 0 && !d->code ? DSO_MISSING : DSO_LOADED;
	return jit_finish(&j);
}

static int load_jit(struct dso *d, const struct sym_want *want)
{
	int r = d->dump && want->names != SYM_NAMES_NONE ? load_code(d, want) : 0;

	return r || d->file2 ? r : load_map(d, want);
}

static int open_own(struct dso *d, const struct sym_want *want)
{
	const struct image_files *files = &want->files;
	char path[PATH_SIZE];
	struct module_want w = {
		.path = d->name, .symfs = want->symfs, .id = d->id, .arch = want->arch,
		.inside = { .pid = d->is_local && !want->symfs ? d->pid : 0, .ino = d->ino },
	};
	const uint8_t *p;
	size_t n;

	if (d->kind == DSO_VDSO)
		return !d->is_local || !files->vdso || files->vdso(files->arg, &p, &n) ? -ENOENT
								       : module_borrow(d->module, p, n, &w, NULL);
	if (d->kind != DSO_FILE)
		return -ENOENT;
	if (snprintf(path, sizeof(path), "%s%s", want->symfs ? want->symfs : "", d->name) >= PATH_SIZE)
		return -ENAMETOOLONG;
	w.path = path;
	return module_open(d->module, files, &w, NULL);
}

/* Open the file; if it is gone or has another build-id, try the build-id cache. */
static int open_module(struct dso *d, const struct sym_want *want)
{
	struct module_want w = { .symfs = want->symfs, .id = d->id, .arch = want->arch };
	int r = open_own(d, want);

	if (r && r != -ENOMEM && (d->kind == DSO_FILE || d->kind == DSO_VDSO) &&
	    !buildid_cache_module(d->module, &want->files, &w, want->cache, d->kind == DSO_VDSO ? "vdso" : "elf"))
		return 0;
	return r;
}

/* Does neither its file nor FILE2 have a function of the only name that matters? */
static bool is_passed(const struct dso *d, const char *only)
{
	return only && module_lacks(d->module, only) && (!d->file2 || file2_lacks(d->file2, only));
}

static int load_module(struct dso *d, const struct sym_want *want)
{
	int r;

	d->module = calloc(1, sizeof(*d->module));
	if (!d->module)
		return -ENOMEM;
	r = open_module(d, want);
	if (r) {
		free(d->module);
		d->module = NULL;
		d->state = r == -ESTALE ? DSO_STALE : DSO_MISSING;
		return 0;
	}
	d->state = DSO_LOADED;
	read_segments(d, &d->module->code.elf, ELF_PF_X);
	read_segments(d, &d->module->code.elf, 0);
	d->is_passed = is_passed(d, want->only);
	r = d->is_passed || want->names == SYM_NAMES_NONE ? 0 : module_functions(d->module, FUNCTIONS_BEST, NULL);
	if (dso_was_cut(d))
		module_forget_functions(d->module);
	module_passed(d->module);
	return r;
}

static void drop_module(struct dso *d)
{
	module_close(d->module);
	free(d->module);
	d->module = NULL;
	d->n_segments = 0;
}

/*
 * The file is preferred to FILE2, since it also has lines and unwinding rules. But FILE2 is of the file that was
 * mapped: if no build-id proves that it is the same file, their functions must agree.
 */
static void use_told(struct dso *d)
{
	if (d->module && d->kind == DSO_FILE && !d->id.size && !file2_agrees(d->file2, &d->module->functions))
		drop_module(d);
	if (d->module)
		return;
	d->state = DSO_LOADED;
	d->n_segments = d->kind != DSO_JIT;
	d->segment[0] = (struct dso_segment){ .end = UINT64_MAX, .vaddr = d->file2->bias };
}

int dso_load(struct dso *d, const struct sym_want *want)
{
	int r = 0;

	if (d->state != DSO_FRESH)
		return 0;
	d->state = DSO_MISSING;
	r = d->kind == DSO_JIT ? load_jit(d, want) : load_module(d, want);
	if (!r && d->file2 && !d->is_passed && want->names != SYM_NAMES_NONE)
		use_told(d);
	return r;
}

const struct symtab *dso_functions(const struct dso *d)
{
	if (d->module)
		return &d->module->functions;
	return d->file2 && d->state == DSO_LOADED ? file2_functions(d->file2) : &d->jit;
}

bool dso_was_cut(const struct dso *d)
{
	return d->module && module_was_cut(d->module);
}

void dso_dumps(struct dso *d, const char *dump, uint64_t ino)
{
	if (d->dump)
		return;
	d->dump = dump;
	d->dump_ino = ino;
	if (d->state == DSO_FRESH)
		return;
	symtab_deinit(&d->jit);
	d->state = DSO_FRESH;
}

void dso_deinit(struct dso *d)
{
	symtab_deinit(&d->jit);
	drop_code(d);
	if (d->module)
		drop_module(d);
}
