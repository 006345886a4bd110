/* debugfile.c - see debugfile.h. */
#include "image/debugfile.h"

#include "obj/elf/build_id.h"
#include "obj/elf/debuglink.h"
#include "pack/pack.h"

/* Limit for unpacking: symbols of the largest programs take some megabytes. */
enum { PACKED_MAX = 1 << 26 };

struct search {
	const struct debugfile_want *w;
	struct image *to;
	struct build_id id;              /* size 0: none */
	const struct debuglink *link;    /* NULL: search by build-id */
};

static bool is_meant(const struct search *s)
{
	struct debuglink_want link = {
		.file = &s->w->of->elf, .link = s->link, .passed = image_passed,
		.arg = (void *)(uintptr_t)s->w->of->files,
	};
	struct build_id id;

	if (s->link)
		return debuglink_is(&link, &s->to->elf);
	return build_id_of(&s->to->elf, &id) && build_id_same(&id, &s->id);
}

static bool try_of(const struct search *s, const struct image_inside *in, const char *path)
{
	if (image_open(s->to, s->w->of->files, in, path, NULL))
		return false;
	if ((image_has_symbols(s->to) || image_has_debug(s->to)) && is_meant(s))
		return true;
	image_close(s->to);
	return false;
}

static bool try(const struct search *s, const char *path)
{
	struct image_inside in = { .pid = s->w->pid };

	return strcmp(path, s->w->of->path) && ((in.pid && try_of(s, &in, path)) || try_of(s, NULL, path));
}

static bool by_build_id(const struct search *s)
{
	char path[4096];

	return s->id.size >= 2 && try(s, build_id_path(&s->id, s->w->symfs, path, sizeof(path)));
}

static bool by_link(struct search *s)
{
	const struct image *of = s->w->of;
	const char *name = of->path + (s->w->symfs ? strlen(s->w->symfs) : 0), *path;
	struct debuglink link;
	struct debuglink_buf buf;

	if (!debuglink_of(&of->elf, &link))
		return false;
	s->link = &link;
	for (unsigned i = 0; (path = debuglink_path(&link, s->w->symfs, name, i, &buf)); i++)
		if (try(s, path))
			return true;
	return false;
}

/* .gnu_debugdata: an ELF file compressed with xz. */
static bool packed(struct image *to, const struct image *of)
{
	struct elf_section s;
	struct cursor c;
	uint64_t size;
	size_t n;

	if (!elf_section_find(&of->elf, ".gnu_debugdata", &s))
		return false;
	c = elf_section_data(&of->elf, &s);
	if (c.bad || xz_size(c.pos, cur_left(&c), &size, NULL) || size > PACKED_MAX)
		return false;

	uint8_t *bytes = malloc((size_t)size + 1);

	if (!bytes || xz_unpack(bytes, (size_t)size, c.pos, cur_left(&c), &n, NULL)) {
		free(bytes);
		return false;
	}
	if (image_take(to, bytes, n, of->path, NULL))
		return false;
	if (to->elf.machine == of->elf.machine && to->elf.is64 == of->elf.is64 && image_has_symbols(to))
		return true;
	image_close(to);
	return false;
}

bool debugfile_find(struct image *to, const struct debugfile_want *w)
{
	struct search s = { .w = w, .to = to };

	if (!w->of->files || !w->of->path)
		return false;
	build_id_of(&w->of->elf, &s.id);
	return by_build_id(&s) || by_link(&s) || packed(to, w->of);
}
