/* resolver_trim.c - bound the memory for files and JIT code, for commands that watch a machine for hours. */
#include "image/module.h"
#include "sym/jitcode.h"
#include "sym/resolver_parts.h"

/* Cost of an open file: one of the 65530 mappings that a process may have, and the memory for its headers. */
enum { OPEN_BYTES = 16 << 10 };

#define BYTES_OF(list) ((list).cap * sizeof(*(list).v))

static size_t of_image(const struct image *img)
{
	return img->own ? img->n : 0;
}

static size_t of_module(const struct module *m)
{
	size_t n = sizeof(*m) + OPEN_BYTES + of_image(&m->code) + of_image(&m->debug);

	n += BYTES_OF(m->functions.syms) + BYTES_OF(m->functions.own) + BYTES_OF(m->marks.v);
	for (enum module_frames i = 0; i < MODULE_FRAMES; i++)
		n += BYTES_OF(m->index[i].functions);
	/* Tables made of debug information are about as large as that itself. */
	return n + (m->info.dwarf ? MAX(m->debug.n, m->code.n) : 0);
}

static size_t of_code(const struct jitcode *c)
{
	return OPEN_BYTES + BYTES_OF(c->pieces) + BYTES_OF(c->loads) + BYTES_OF(c->edge) + BYTES_OF(c->reused);
}

static size_t bytes_of(const struct dso *d)
{
	return BYTES_OF(d->jit.syms) + BYTES_OF(d->jit.own) + (d->module ? of_module(d->module) : 0) +
	       (d->code ? of_code(d->code) : 0);
}

size_t resolver_bytes(const struct resolver *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->dsos.n; i++)
		n += bytes_of(&r->dsos.v[i]);
	return n;
}

/* Drop what was read of a dso, but keep its name and its maps: the next lookup reads it again. */
static void unload(struct dso *d)
{
	dso_deinit(d);
	d->n_segments = 0;
	d->is_cut = d->is_foreign = d->is_other_dump = false;
	d->state = DSO_FRESH;
}

size_t resolver_trim(struct resolver *r, const struct map *needed)
{
	size_t n = 0;

	for (size_t i = 0; i < r->dsos.n; i++) {
		struct dso *d = &r->dsos.v[i];

		if ((d->kind != DSO_FILE && d->kind != DSO_JIT) || !bytes_of(d) ||
		    map_get(needed, (uintptr_t)d->name))
			continue;
		unload(d);
		n++;
	}
	/* Locations and names point into the unloaded modules. */
	if (n) {
		resolver_clear(r);
		memset(r->known_names, 0, sizeof(r->known_names));
	}
	return n;
}
