#include "obj/elf/debuglink.h"

#include "base/crc.h"
#include "obj/elf/build_id.h"
#include "obj/elf/elf.h"

/* Bytes summed at a time before their pages are dropped. */
enum { PIECE = 1 << 22 };

bool debuglink_of(const struct elf *f, struct debuglink *d)
{
	struct elf_section s;

	if (!elf_section_find(f, ".gnu_debuglink", &s))
		return false;

	struct cursor c = elf_section_data(f, &s);

	d->name = cur_str(&c);
	cur_align(&c, 4);
	d->crc = cur_u32(&c);
	return !c.bad && d->name[0] && !strchr(d->name, '/');
}

const char *debuglink_path(const struct debuglink *d, const char *prefix, const char *file,
			   unsigned i, struct debuglink_buf *buf)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "", "" }, { "", "/.debug" }, { "/usr/lib/debug", "" } };
	const char *slash = strrchr(file, '/');

	if (i >= ARRAY_SIZE(places) || !slash || slash - file >= (ptrdiff_t)sizeof(buf->v))
		return NULL;

	int n = snprintf(buf->v, sizeof(buf->v), "%s%s%.*s%s/%s", prefix ? prefix : "",
			 places[i].before, (int)(slash - file), file, places[i].after, d->name);

	return n > 0 && (size_t)n < sizeof(buf->v) ? buf->v : NULL;
}

static bool has_sum(const struct debuglink_want *w, const struct elf *debug)
{
	const uint8_t *p = debug->all.start;
	size_t n = (size_t)(debug->all.end - p);
	uint32_t crc = 0;

	/* A file with a long hole cannot be a valid debug file. */
	if (n > DEBUGLINK_SUM_MAX || mapped_until_hole(debug->file, p, n) < n)
		return false;
	for (size_t at = 0; at < n; at += PIECE) {
		size_t part = MIN(n - at, (size_t)PIECE);

		if (mapped_stopped_after(debug->file, MAPPED_ROUNDS))
			return false;
		crc = crc32_of(crc, p + at, part);
		if (w->passed)
			w->passed(w->arg, p + at, part);
	}
	return crc == w->link->crc;
}

bool debuglink_is(const struct debuglink_want *w, const struct elf *debug)
{
	struct build_id a, b;

	if (debug->machine != w->file->machine || debug->is64 != w->file->is64 || !debug->n_sections)
		return false;
	if (build_id_of(w->file, &a) && build_id_of(debug, &b))
		return build_id_same(&a, &b);
	return has_sum(w, debug);
}
