#include "base/mapped.h"

struct mapped *mapped_add(struct mapped_files *fs, const void *p, size_t n, const char *path)
{
	struct mapped *m = calloc(1, sizeof(*m));
	uint64_t *at = m ? map_add(&fs->by_start, (uintptr_t)p, NULL) : NULL;

	if (!at) {
		free(m);
		return NULL;
	}
	*at = (uintptr_t)m;
	*m = (struct mapped){ .p = p, .n = n, .path = strdup(path), .in = fs, .next = fs->first };
	if (m->next)
		m->next->prev = m;
	fs->first = m;
	return m;
}

static struct mapped *starting_at(const struct mapped_files *fs, const void *p)
{
	const uint64_t *at = map_get(&fs->by_start, (uintptr_t)p);

	return at ? (struct mapped *)(uintptr_t)*at : NULL;
}

void mapped_remove(struct mapped_files *fs, const void *p)
{
	struct mapped *m = starting_at(fs, p);

	if (!m)
		return;
	*map_get(&fs->by_start, (uintptr_t)p) = 0;
	*(m->prev ? &m->prev->next : &fs->first) = m->next;
	if (m->next)
		m->next->prev = m->prev;
	if (m->cut && !m->told && !fs->cut) {
		fs->cut = m->path;
		m->path = NULL;
	}
	vec_free(&m->data);
	free(m->path);
	free(m);
}

struct mapped *mapped_find(const struct mapped_files *fs, const void *p)
{
	return fs && p ? starting_at(fs, p) : NULL;
}

struct mapped *mapped_at(const struct mapped_files *fs, const void *p)
{
	uintptr_t at = (uintptr_t)p;

	for (struct mapped *m = fs && p ? fs->first : NULL; m; m = m->next)
		if (at - (uintptr_t)m->p < m->n)
			return m;
	return NULL;
}

bool mapped_add_data(struct mapped *m, uint64_t from, uint64_t to)
{
	struct mapped_stretch *last = m->data.n ? &m->data.v[m->data.n - 1] : NULL;

	if (last && from - last->to < MAPPED_HOLE) {
		last->to = to;
		return true;
	}
	last = m->data.n < MAPPED_STRETCHES ? vec_add(&m->data) : NULL;
	if (!last)
		return false;
	*last = (struct mapped_stretch){ from, to };
	return true;
}

size_t mapped_until_hole(const struct mapped *m, const void *p, size_t n)
{
	uint64_t off;

	if (!m || !m->data.n)
		return n;
	off = (uint64_t)((const uint8_t *)p - m->p);
	for (size_t i = 0; i < m->data.n; i++) {
		const struct mapped_stretch *s = &m->data.v[i];

		if (off < s->to)
			return off < s->from ? 0 : (size_t)MIN(n, s->to - off);
	}
	return 0;
}

void mapped_ask(struct mapped_files *fs, bool (*ask)(void *arg), void *arg)
{
	if (!fs)
		return;
	fs->ask = ask;
	fs->arg = arg;
}

bool mapped_stopped_after(const struct mapped *m, unsigned rounds)
{
	struct mapped_files *fs = m ? m->in : NULL;

	if (!fs || !fs->ask || fs->stopped)
		return fs && fs->stopped;
	fs->asked += rounds;
	if (fs->asked < MAPPED_ROUNDS)
		return false;
	fs->asked = 0;
	fs->stopped = fs->ask(fs->arg);
	return fs->stopped;
}

bool mapped_was_cut(struct mapped *m)
{
	if (!m || !m->cut)
		return false;
	m->told = true;
	return true;
}
