#include "base/mapped.h"

struct mapped *mapped_add(struct mapped_files *fs, const void *p, size_t n, const char *path)
{
	struct mapped *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->p = p;
	m->n = n;
	m->path = strdup(path);
	m->in = fs;
	m->next = fs->first;
	fs->first = m;
	return m;
}

void mapped_remove(struct mapped_files *fs, const void *p)
{
	struct mapped **at = &fs->first, *m;

	while (*at && (*at)->p != p)
		at = &(*at)->next;
	m = *at;
	if (!m)
		return;
	*at = m->next;
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
	uintptr_t at = (uintptr_t)p;

	for (struct mapped *m = fs ? fs->first : NULL; m; m = m->next)
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
