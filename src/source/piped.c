/* piped.c - see piped.h. */
#include "source/piped.h"

#include "sys/output.h"

#include <fcntl.h>
#include <time.h>

enum { ROOM = 64 << 10, MEMORY = 8 << 20, MEMORY_MAX = 1u << 31 };

struct piped {
	const struct sys *sys;
	uint8_t *p;
	size_t n, cap;
	const char *folder;     /* directory of the temporary file; NULL: none yet, or none could be made */
	int fd;                 /* of the temporary file */
	bool tried;
};

/* Not every file system has O_TMPFILE: otherwise make a named file and unlink it. */
static int make_file(const struct sys *sys, const char *folder)
{
	int fd = sys->open(sys, folder, O_TMPFILE | O_RDWR, OUTPUT_PRIVATE);
	char path[PATH_MAX];

	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "%s/sonde-pipe-%llx", folder, (unsigned long long)sys->now(sys, CLOCK_MONOTONIC));
	fd = output_new(sys, path, O_RDWR, OUTPUT_PRIVATE);
	if (fd >= 0)
		sys->unlink(sys, path);
	return fd;
}

/* Not in /tmp, which is a tmpfs on many machines: our own memory would be as good. */
static void try_file(struct piped *d)
{
	const char *const folders[] = { getenv("TMPDIR"), "/var/tmp" };

	for (size_t i = 0; !d->folder && i < ARRAY_SIZE(folders); i++) {
		if (!folders[i] || folders[i][0] != '/')
			continue;
		d->fd = make_file(d->sys, folders[i]);
		if (d->fd >= 0)
			d->folder = folders[i];
	}
	d->tried = true;
}

static int put_into_file(struct piped *d, struct err *e)
{
	int r = sys_write_all(d->sys, d->fd, d->p, d->n);

	d->n = 0;
	if (!r)
		return 0;
	err_set(e, -r, "cannot keep the recording of standard input in %s: %s", d->folder, err_name(-r));
	err_hint(e, "TMPDIR=DIR names another place; or store the recording, and name it with -i");
	return r;
}

static int grow(struct piped *d, struct err *e)
{
	size_t cap = d->cap ? d->cap * 2 : 1 << 20;
	uint8_t *more = cap <= MEMORY_MAX ? realloc(d->p, cap) : NULL;

	if (!more) {
		err_set(e, EFBIG, "the recording on standard input does not fit into memory");
		return err_hint(e, "TMPDIR=DIR names a place for it");
	}
	d->p = more;
	d->cap = cap;
	return 0;
}

static int make_room(struct piped *d, struct err *e)
{
	if (d->cap - d->n >= ROOM)
		return 0;
	if (d->cap >= MEMORY && !d->tried)
		try_file(d);
	return d->folder ? put_into_file(d, e) : grow(d, e);
}

static int take_all(struct piped *d, int from, struct err *e)
{
	ssize_t got = 1;
	int r = 0;

	while (got > 0 && !(r = make_room(d, e))) {
		got = d->sys->read(d->sys, from, d->p + d->n, d->cap - d->n);
		d->n += got > 0 ? (size_t)got : 0;
	}
	return got < 0 ? err_set(e, (int)-got, "cannot read the recording: %s", err_name((int)-got)) : r;
}

static int map(struct piped *d, struct bytes *to, struct err *e)
{
	int r = put_into_file(d, e);

	if (r)
		return r;
	r = sys_map_fd(d->sys, d->fd, "standard input", &to->p, &to->n);
	return r ? err_set(e, -r, "cannot map the recording: %s", err_name(-r)) : 0;
}

int piped_read(const struct sys *sys, int fd, struct bytes first, struct bytes *to, bool *owned, struct err *e)
{
	struct piped d = { .sys = sys, .p = (uint8_t *)(uintptr_t)first.p, .n = first.n, .cap = first.n };
	int r = take_all(&d, fd, e);

	*owned = !r && !d.folder;
	if (*owned)
		*to = (struct bytes){ d.p, d.n };
	else if (!r)
		r = map(&d, to, e);
	if (!*owned)
		free(d.p);
	if (d.folder)
		sys->close(sys, d.fd);
	return r;
}
