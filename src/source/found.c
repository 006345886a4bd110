/* found.c - see found.h. */
#include "source/found.h"

#include "source/piped.h"

#include <sys/stat.h>
#include <unistd.h>

static int get_bytes(struct found *f, const struct sys *sys, const char *path, struct err *e)
{
	char inner[PATH_MAX];
	struct stat st;
	int r;

	if (!strcmp(path, "-"))
		return piped_read(sys, STDIN_FILENO, (struct bytes){ 0 }, &f->bytes, &f->owned, e);
	/* perf record --threads and --kcore make a directory with the main file in it. */
	if (!sys->stat(sys, path, &st) && S_ISDIR(st.st_mode)) {
		snprintf(inner, sizeof(inner), "%s/data", path);
		if (!sys_exists(sys, inner))
			return err_set(e, EISDIR, "%s is a directory, not a recording", path);
		f->dir = path;
		path = inner;
	}
	if (!sys->stat(sys, path, &st) && !S_ISREG(st.st_mode)) {
		int fd = sys->open(sys, path, 0, 0);

		if (fd < 0)
			return err_set(e, -fd, "cannot open %s: %s", path, err_name(-fd));
		r = piped_read(sys, fd, (struct bytes){ 0 }, &f->bytes, &f->owned, e);
		sys->close(sys, fd);
		return r;
	}
	r = sys_open_mapped(sys, path, &f->fd, &f->bytes.p, &f->bytes.n, e);
	if (r == -ENOENT)
		err_hint(e, "make one with 'sonde record', or name one with -i");
	return r;
}

void found_close(struct found *f, const struct sys *sys)
{
	if (f->owned)
		free((void *)(uintptr_t)f->bytes.p);
	else
		sys_unmap_recording(sys, f->bytes.p, f->bytes.n);
	if (f->fd >= 0)
		sys->close(sys, f->fd);
}

/* perf.data, unless only trace.dat exists. */
static const char *default_path(const struct sys *sys)
{
	return !sys_exists(sys, "perf.data") && sys_exists(sys, "trace.dat") ? "trace.dat" : "perf.data";
}

/*
 * No path was given: as perf does, read standard input if it is a pipe. An empty pipe is ignored: a program that runs
 * us may have left one there.
 */
static int find_bytes(struct found *f, const struct sys *sys, struct err *e)
{
	int r;

	if (sys_is_fifo(sys, STDIN_FILENO)) {
		f->path = "-";
		r = get_bytes(f, sys, f->path, e);
		if (r || f->bytes.n)
			return r;
		found_close(f, sys);
		f->owned = false;
	}
	f->path = default_path(sys);
	return get_bytes(f, sys, f->path, e);
}

int found_open(struct found *f, const struct sys *sys, const char *path, struct err *e)
{
	*f = (struct found){ .path = path, .fd = -1 };
	return path ? get_bytes(f, sys, path, e) : find_bytes(f, sys, e);
}

bool found_is_pipe(const struct sys *sys, const char *path)
{
	return path ? !strcmp(path, "-") : sys_is_fifo(sys, STDIN_FILENO);
}

int found_rest(struct found *f, const struct sys *sys, struct bytes first, struct err *e)
{
	*f = (struct found){ .path = "-", .fd = -1 };
	return piped_read(sys, STDIN_FILENO, first, &f->bytes, &f->owned, e);
}
