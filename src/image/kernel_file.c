/* kernel_file.c - see kernel_file.h. */
#include "image/kernel_file.h"

#include "obj/elf/symbols.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 128 };

size_t kernel_module_name(const char *path, char *buf, size_t size)
{
	const char *slash = strrchr(path, '/'), *base = slash && slash[1] ? slash + 1 : path, *ko = strstr(base, ".ko");
	size_t n = str_copy(buf, size, (struct sv){ base, ko ? (size_t)(ko - base) : strlen(base) });

	for (char *p = buf; (p = strchr(p, '-'));)
		*p = '_';
	return MIN(n, size - 1);
}

bool kernel_module_is(const char *path, struct sv module)
{
	char wanted[NAME_SIZE];
	size_t n = kernel_module_name(path, wanted, sizeof(wanted));

	if (n != module.n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (wanted[i] != (module.s[i] == '-' ? '_' : module.s[i]))
			return false;
	return true;
}

struct search {
	struct module *to;
	const struct image_files *files;
	const struct kernel_file_want *w;
};

static bool is_meant(const struct search *s)
{
	const struct kernel_file_want *w = s->w;
	const struct image *img = &s->to->code;
	struct build_id id;

	if ((w->arch && img->elf.machine != w->arch->elf_machine) || !w->is_useful(img))
		return false;
	if (!w->id.size)
		return true;
	return build_id_of(&img->elf, &id) ? build_id_same(&id, &w->id) : w->module != NULL;
}

static bool try(const struct search *s, const char *path)
{
	if (module_open(s->to, s->files, &(struct module_want){ .path = path }, NULL))
		return false;
	if (is_meant(s))
		return true;
	module_close(s->to);
	return false;
}

PRINTF(2, 3) static bool try_at(const struct search *s, const char *fmt, ...)
{
	const char *symfs = s->w->symfs ? s->w->symfs : "";
	size_t before = strlen(symfs);
	char path[PATH_SIZE];
	va_list ap;

	if (before >= sizeof(path))
		return false;
	memcpy(path, symfs, before);
	va_start(ap, fmt);
	int n = vsnprintf(path + before, sizeof(path) - before, fmt, ap);
	va_end(ap);
	return before + (size_t)n < sizeof(path) && try(s, path);
}

static bool by_build_id(const struct search *s)
{
	char path[PATH_SIZE];

	return s->w->id.size >= 2 && try(s, build_id_path(&s->w->id, s->w->symfs, path, sizeof(path)));
}

static bool find_kernel(const struct search *s)
{
	static const char *const places[][2] = {
		{ "/boot/vmlinux-", "" }, { "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/usr/lib/debug/boot/vmlinux-", ".debug" }, { "/usr/lib/debug/lib/modules/", "/vmlinux" },
		{ "/lib/modules/", "/build/vmlinux" }, { "/lib/modules/", "/vmlinux" },
	};

	if (!s->w->symfs && try(s, "vmlinux"))
		return true;
	for (size_t i = 0; s->w->release && i < ARRAY_SIZE(places); i++)
		if (try_at(s, "%s%s%s", places[i][0], s->w->release, places[i][1]))
			return true;
	return false;
}

/* Try a path in modules.dep, "kernel/fs/ext4/ext4.ko.xz: ...": its debug file, or an uncompressed one, may exist. */
static bool try_listed(const struct search *s, struct sv file)
{
	const char *slash = file.n ? memrchr(file.s, '/', file.n) : NULL, *end = memmem(file.s, file.n, ".ko", 3);
	int n = end ? (int)(end - file.s) : 0;

	if (!slash || !end || !kernel_module_is(s->w->module, (struct sv){ slash + 1, (size_t)(end - slash - 1) }))
		return false;
	return try_at(s, "/usr/lib/debug/lib/modules/%s/%.*s.ko", s->w->release, n, file.s) ||
	       try_at(s, "/lib/modules/%s/%.*s.ko", s->w->release, n, file.s);
}

static bool find_module(const struct search *s)
{
	char path[PATH_SIZE];
	const uint8_t *text;
	struct sv rest, line, file;
	bool found = false;
	size_t n;

	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.dep", s->w->symfs ? s->w->symfs : "",
		 s->w->release ? s->w->release : "");
	if (!s->w->release || s->files->map(s->files->arg, path, &text, &n))
		return false;
	for (rest = (struct sv){ (const char *)text, n }; !found && sv_cut(&rest, '\n', &line);)
		found = sv_cut(&line, ':', &file) && try_listed(s, file);
	if (s->files->unmap)
		s->files->unmap(s->files->arg, text, n);
	return found;
}

bool kernel_file_find(struct module *to, const struct image_files *files, const struct kernel_file_want *w)
{
	struct search s = { to, files, w };

	if (!files->map)
		return false;
	if (w->module && strchr(w->module, '/'))
		return try(&s, w->module);
	return by_build_id(&s) || (w->module ? find_module(&s) : find_kernel(&s));
}

uint64_t kernel_file_shift(const struct module *m, const char *symbol, uint64_t addr)
{
	struct elf_symbol s;

	return addr && elf_symbol_named(&m->code.elf, symbol, &s) ? addr - s.value : 0;
}
