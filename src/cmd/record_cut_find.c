/* record_cut_find.c - parts of earlier runs, which count as those of this one. */
#include "cmd/record_cut.h"

#include <stdlib.h>

enum { STAMP = 16 };                     /* YYYYMMDDhhmmsscc */

struct search {
	struct record_cut *cut;
	const char *path, *name;         /* name: behind the folder */
};

static bool is_part(const struct search *s, const char *entry)
{
	size_t n = strlen(s->name);

	return !strncmp(entry, s->name, n) && entry[n] == '.' && strlen(entry + n + 1) == STAMP &&
	       strspn(entry + n + 1, "0123456789") == STAMP;
}

static int see(void *arg, const char *entry)
{
	struct search *s = arg;
	char path[PATH_MAX], **to;

	if (!is_part(s, entry))
		return 0;
	snprintf(path, sizeof(path), "%.*s%s", (int)(s->name - s->path), s->path, entry);
	to = vec_add(&s->cut->kept);
	if (!to)
		return -ENOMEM;
	*to = strdup(path);
	if (*to)
		return 0;
	s->cut->kept.n--;
	return -ENOMEM;
}

static int by_time(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int record_cut_find(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct search s = { .cut = c, .path = path, .name = slash ? slash + 1 : path };
	char dir[PATH_MAX];
	int r;

	if (!w->earlier)
		return 0;
	str_copy(dir, sizeof(dir), slash ? (struct sv){ path, (size_t)(s.name - path) } : SV("."));
	r = sys->each_entry(sys, dir, see, &s);
	if (c->kept.n)
		qsort(c->kept.v, c->kept.n, sizeof(*c->kept.v), by_time);
	return r == -ENOMEM ? r : 0;
}
