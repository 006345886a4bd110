/*
 * cut_find.c - a folder with the parts of several runs: parts of earlier runs count for max_files, and runs at the
 * same time must not rename or replace each other's files.
 */
#include "cmd/record/cut.h"

#include "sys/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

enum { STAMP = 16 };                     /* YYYYMMDDhhmmsscc */
enum { LEFT_S = 60 };                    /* a younger file without a lock may be one that its run has not locked yet */

struct search {
	struct record_cut *cut;
	const struct sys *sys;
	const char *path, *name;         /* the stem; and its part after the last '/' */
};

const char *record_cut_stem(const struct record_cut_want *w, const char *path)
{
	return w->stem ? w->stem : path;
}

void record_cut_hold(const struct record_cut_want *w, const struct sys *sys, int fd)
{
	if (w->stem)
		sys->flock(sys, fd, LOCK_EX | LOCK_NB);
}

int record_cut_place(const struct sys *sys, const char *path, const char *name)
{
	int r = output_new(sys, name, O_WRONLY, OUTPUT_PRIVATE);

	if (r < 0)
		return r;
	sys->close(sys, r);
	r = sys->rename(sys, path, name);
	if (r)
		sys->unlink(sys, name);
	return r;
}

static const char *behind(const struct search *s, const char *entry)
{
	size_t n = strlen(s->name);

	return !strncmp(entry, s->name, n) && entry[n] == '.' ? entry + n + 1 : "";
}

static bool is_part(const char *stamp)
{
	return strlen(stamp) == STAMP && strspn(stamp, "0123456789") == STAMP;
}

/* Is it the unfinished file of a run that was killed? It is old enough, and nobody has locked it. */
static bool is_left(const struct sys *sys, const char *path)
{
	uint64_t now = sys->now(sys, CLOCK_REALTIME) / 1000000000;
	struct stat st;
	int fd = sys->open(sys, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0);
	bool left = fd >= 0 && !sys->fstat(sys, fd, &st) && S_ISREG(st.st_mode) &&
		    (uint64_t)st.st_mtim.tv_sec + LEFT_S < now && !sys->flock(sys, fd, LOCK_EX | LOCK_NB);

	if (fd >= 0)
		sys->close(sys, fd);
	return left;
}

/* Rename such a file to STEM.old, like the file that a new recording replaces; only the last one stays. */
static void put_aside(const struct search *s, const char *path)
{
	char old[PATH_MAX];

	if (is_left(s->sys, path) && snprintf(old, sizeof(old), "%s.old", s->path) < (int)sizeof(old))
		s->sys->rename(s->sys, path, old);
}

static int see(void *arg, const char *entry)
{
	struct search *s = arg;
	const char *rest = behind(s, entry);
	char path[PATH_MAX], **to;

	snprintf(path, sizeof(path), "%.*s%s", (int)(s->name - s->path), s->path, entry);
	if (!strncmp(rest, RECORD_CUT_RUN, strlen(RECORD_CUT_RUN)))
		put_aside(s, path);
	if (!is_part(rest))
		return 0;
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
	const char *stem = record_cut_stem(w, path), *slash = strrchr(stem, '/');
	struct search s = { .cut = c, .sys = sys, .path = stem, .name = slash ? slash + 1 : stem };
	char dir[PATH_MAX];
	int r;

	if (!w->earlier)
		return 0;
	str_copy(dir, sizeof(dir), slash ? (struct sv){ stem, (size_t)(s.name - stem) } : SV("."));
	r = sys->each_entry(sys, dir, see, &s);
	if (c->kept.n)
		qsort(c->kept.v, c->kept.n, sizeof(*c->kept.v), by_time);
	return r == -ENOMEM ? r : 0;
}
