/* resolver_trim.c - what was read of files and of code made at run time, for who watches a machine for hours. */
#include "image/module.h"
#include "sym/jitcode.h"
#include "sym/resolver_parts.h"

/* That a file is open costs a mapping, of which the kernel gives a process 65530, and what is kept of its headers. */
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
	/* What is kept of debug information is about as much as the file has of it. */
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

/* Where it is mapped, and what it is called, is still known: who asks has it read anew. */
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
	/* What was looked up points into them. */
	if (n) {
		resolver_clear(r);
		memset(r->known_names, 0, sizeof(r->known_names));
	}
	return n;
}
