/* sources.c - source files are mapped as a whole, with an index of their lines. */
#include "report/sources.h"

/* Generated code may be large; a larger file is no source. */
enum { SOURCE_MAX = 64 << 20 };

static int find_lines(struct source_file *f)
{
	const char *p = f->bytes, *end = p + f->n;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		uint32_t *at = vec_add(&f->starts);

		if (!at)
			return -ENOMEM;
		*at = (uint32_t)(p - f->bytes);
		p = nl ? nl + 1 : end;
	}
	return 0;
}

static void map(struct sources *s, struct source_file *f, const char *prefix)
{
	char path[PATH_MAX];
	const uint8_t *p;
	size_t n;

	if (f->bytes)
		return;
	snprintf(path, sizeof(path), "%s%s", prefix, f->path);
	if (sys_map_file(s->sys, path, &p, &n, NULL))
		return;
	if (n > SOURCE_MAX) {
		sys_unmap_file(s->sys, p, n);
		return;
	}
	f->bytes = (const char *)p;
	f->n = n;
}

struct source_file *sources_file(struct sources *s, const char *path)
{
	struct source_file *f;

	for (size_t i = 0; i < s->files.n; i++)
		if (s->files.v[i].path == path)
			return &s->files.v[i];
	f = vec_add(&s->files);
	if (!f)
		return NULL;
	f->path = path;
	if (s->prefix)
		map(s, f, s->prefix);
	map(s, f, "");
	return f->bytes && find_lines(f) ? NULL : f;
}

bool sources_line(const struct source_file *f, uint32_t line, struct sv *text)
{
	size_t end;

	if (!line || line > f->starts.n)
		return false;
	text->s = f->bytes + f->starts.v[line - 1];
	end = line < f->starts.n ? f->starts.v[line] : f->n;
	text->n = end - f->starts.v[line - 1];
	while (text->n && (text->s[text->n - 1] == '\n' || text->s[text->n - 1] == '\r'))
		text->n--;
	return true;
}

void sources_deinit(struct sources *s)
{
	for (size_t i = 0; i < s->files.n; i++) {
		struct source_file *f = &s->files.v[i];

		if (f->bytes)
			sys_unmap_file(s->sys, (const uint8_t *)f->bytes, f->n);
		vec_free(&f->starts);
	}
	vec_free(&s->files);
}
