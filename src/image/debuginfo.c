/* debuginfo.c - see debuginfo.h. */
#include "image/debuginfo.h"

#include "obj/elf/build_id.h"

enum { PATH_SIZE = 4096 };

/* Length of the directory part of a path, including its slash. */
static int folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

/* Open dwz's shared file, by .gnu_debugaltlink: name, NUL, build-id. */
static void find_alt(struct debuginfo *d, const struct image *of)
{
	struct elf_section s;
	char path[PATH_SIZE];

	if (!of->files || !of->path || !elf_section_find(&of->elf, ".gnu_debugaltlink", &s))
		return;

	struct cursor c = elf_section_data(&of->elf, &s);
	const char *name = cur_str(&c);

	if (c.bad)
		return;

	struct build_id id = build_id_from(c.pos, cur_left(&c));

	if (!image_open(&d->alt, of->files, NULL, build_id_path(&id, NULL, path, sizeof(path)), NULL))
		return;
	snprintf(path, sizeof(path), "%.*s%s", name[0] == '/' ? 0 : folder(of->path), of->path, name);
	if (image_open(&d->alt, of->files, NULL, path, NULL))
		str_copy(d->missing, sizeof(d->missing), sv_from(name));
}

static const struct image *known_split(const struct debuginfo *d, const char *path)
{
	for (size_t i = 0; i < d->splits.n; i++)
		if (!strcmp(d->splits.v[i]->path, path))
			return d->splits.v[i];
	return NULL;
}

static const struct image *new_split(struct debuginfo *d, const char *path)
{
	struct image *img = calloc(1, sizeof(*img)), **at;

	if (!img || image_open(img, d->code->files, NULL, path, NULL)) {
		free(img);
		return NULL;
	}
	at = vec_add(&d->splits);
	if (at)
		return *at = img;
	image_close(img);
	free(img);
	return NULL;
}

PRINTF(2, 3) static const struct image *try_split(struct debuginfo *d, const char *fmt, ...)
{
	char path[PATH_SIZE];
	const struct image *known;
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (n >= PATH_SIZE)
		return NULL;
	known = known_split(d, path);
	return known ? known : new_split(d, path);
}

/* Find split DWARF: a .dwo where the compiler wrote it or beside the program, or PROGRAM.dwp. */
static bool find_split(void *arg, const char *name, const char *dir, uint64_t id UNUSED, struct elf *out)
{
	struct debuginfo *d = arg;
	const char *program = d->code->path ? d->code->path : "", *base = strrchr(name, '/');
	const struct image *img = name[0] == '/' ? try_split(d, "%s", name) : try_split(d, "%s/%s", dir, name);

	img = img ? img : try_split(d, "%.*s%s", folder(program), program, base ? base + 1 : name);
	img = img ? img : try_split(d, "%s.dwp", program);
	if (img)
		*out = img->elf;
	else if (!d->missing[0])
		str_copy(d->missing, sizeof(d->missing), sv_from(name));
	return img;
}

static void passed(void *arg, const void *bytes, size_t n)
{
	const struct debuginfo *d = arg;

	image_passed((void *)(uintptr_t)d->code->files, bytes, n);
}

int debuginfo_open(struct debuginfo *d, const struct image *of, const struct image *code, struct err *e)
{
	struct dwarf_files f = {
		.elf = &of->elf, .code = &code->elf, .split = code->files ? find_split : NULL, .passed = passed,
		.arg = d,
	};

	*d = (struct debuginfo){ .code = code };
	find_alt(d, of);
	f.alt = d->alt.bytes ? &d->alt.elf : NULL;
	d->dwarf = dwarf_new(&f, e);
	if (d->dwarf)
		return 0;
	debuginfo_close(d);
	return e && e->code ? -e->code : -ENODATA;
}

void debuginfo_close(struct debuginfo *d)
{
	dwarf_spots_free(d->spots);
	dwarf_free(d->dwarf);
	for (size_t i = 0; i < d->splits.n; i++) {
		image_close(d->splits.v[i]);
		free(d->splits.v[i]);
	}
	vec_free(&d->splits);
	image_close(&d->alt);
	d->dwarf = NULL;
	d->spots = NULL;
}
