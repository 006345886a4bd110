/* output.c - follows links itself, and creates the file exclusively (O_EXCL). */
#include "sys/output.h"

#include "sys/tty.h"

#include <fcntl.h>
#include <sys/stat.h>

enum {
	LINKS_MOST = 40,     /* as the kernel's MAXSYMLINKS */
	TRIES = 8,           /* retries when another process keeps creating the file */
};

/* What a path leads to, with all links resolved. */
struct place {
	struct stat st, folder;
	bool there;
	bool open_as_is;     /* /proc/PID/fd/N: opens the very file, which no path may reach */
};

static int refused(const char *path, int code, struct err *e)
{
	err_set(e, code, "cannot write %s: %s", path, err_name(code));
	if (!*path)
		err_set(e, code, "cannot write a file without a name");
	if (code == ENOENT || code == EROFS || code == EACCES || code == EISDIR)
		return err_hint(e, "choose another place with -o");
	return -code;
}

static int folder_of(const struct sys *sys, const char *path, struct stat *st)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];

	if (!slash)
		return sys->stat(sys, ".", st);
	str_copy(dir, sizeof(dir), (struct sv){ path, slash == path ? 1 : (size_t)(slash - path) });
	return sys->stat(sys, dir, st);
}

/* Could this file or link be another user's trap? */
static bool is_foreign(const struct sys *sys, const struct place *p)
{
	return p->folder.st_mode & S_IWOTH && p->st.st_uid != sys->uid(sys) && p->st.st_uid != p->folder.st_uid;
}

static int foreign(const char *path, const struct place *p, struct err *e)
{
	err_set(e, EACCES, "cannot write %s: it is %s of user %u, in a folder that anybody can write to", path,
		S_ISLNK(p->st.st_mode) ? "a link" : "a file", p->st.st_uid);
	return err_hint(e, "choose another place with -o, or remove it");
}

/* symlink(7): the mode of a link is always 0777, except for the magic links of /proc. */
static bool is_magic(const struct stat *st)
{
	return (st->st_mode & 07777) != 0777;
}

static int step(const struct sys *sys, char path[PATH_MAX])
{
	char to[PATH_MAX];
	char *slash = strrchr(path, '/');
	size_t head = slash ? (size_t)(slash + 1 - path) : 0;
	ssize_t n = sys->readlink(sys, path, to, sizeof(to));

	if (n <= 0)
		return n ? (int)n : -ENOENT;
	head = to[0] == '/' ? 0 : head;
	if (head + (size_t)n >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(path + head, to, (size_t)n + 1);
	return 0;
}

/* Replace path by what its links lead to. */
static int find(const struct sys *sys, char path[PATH_MAX], struct place *p, struct err *e)
{
	char named[PATH_MAX];
	int r = 0;

	*p = (struct place){ 0 };
	str_copy(named, sizeof(named), sv_from(path));
	for (int i = 0; !r && i <= LINKS_MOST; i++) {
		p->there = !sys->lstat(sys, path, &p->st);
		/* A missing folder is reported when the file is created. */
		if (folder_of(sys, path, &p->folder))
			return 0;
		if (p->there && !S_ISCHR(p->st.st_mode) && is_foreign(sys, p))
			return foreign(path, p, e);
		if (!p->there || !S_ISLNK(p->st.st_mode))
			return 0;
		p->open_as_is = is_magic(&p->st);
		if (p->open_as_is)
			return 0;
		r = step(sys, path);
	}
	return refused(named, r ? -r : ELOOP, e);
}

int output_new(const struct sys *sys, const char *path, int flags, unsigned mode)
{
	return sys->open(sys, path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}

static bool old_name(const struct output *o, char old[PATH_MAX])
{
	return snprintf(old, PATH_MAX, "%s.old", o->path) < PATH_MAX;
}

static bool keep_old(struct output *o, const struct place *p)
{
	char old[PATH_MAX];

	o->kept_old = p->st.st_size && old_name(o, old) && !o->sys->rename(o->sys, o->path, old);
	return o->kept_old;
}

/*
 * A file that cannot be replaced (its folder is not writable, or it is a mount point) is truncated, unless it has other
 * hard links.
 */
static int empty(const struct output *o, int flags)
{
	struct stat st;
	int fd = o->sys->open(o->sys, o->path, flags | O_NOFOLLOW, 0), r;

	if (fd < 0)
		return fd;
	r = o->sys->fstat(o->sys, fd, &st);
	if (!r)
		r = S_ISREG(st.st_mode) && st.st_nlink == 1 ? o->sys->ftruncate(o->sys, fd, 0) : -EPERM;
	if (r) {
		o->sys->close(o->sys, fd);
		return r;
	}
	return fd;
}

static int replace(struct output *o, const struct place *p, enum output_how how, unsigned mode, int flags)
{
	bool away = !p->there || (how == OUTPUT_KEEP_OLD && keep_old(o, p));
	int fd = -EEXIST;

	for (int i = 0; fd == -EEXIST && i < TRIES; i++) {
		int r = away ? 0 : o->sys->unlink(o->sys, o->path);

		if (r && r != -ENOENT)
			return empty(o, flags);
		fd = output_new(o->sys, o->path, flags, mode);
		away = false;
	}
	o->made = fd >= 0;
	return fd;
}

/* The checks used the path: make sure that the same file is open now. */
static int open_same(const struct output *o, const struct place *p, int flags)
{
	struct stat st;
	int fd = o->sys->open(o->sys, o->path, flags, 0);

	if (fd >= 0 && !p->open_as_is &&
	    (o->sys->fstat(o->sys, fd, &st) || st.st_ino != p->st.st_ino || st.st_dev != p->st.st_dev)) {
		o->sys->close(o->sys, fd);
		return -EAGAIN;
	}
	return fd;
}

/* A pipe must be write-only: opened for reading, too, it would neither wait for a reader nor report its end. */
static bool is_pipe(const struct output *o, const struct place *p)
{
	struct stat st;

	return p->there && (S_ISFIFO(p->st.st_mode) || (p->open_as_is && !o->sys->stat(o->sys, o->path, &st) &&
							 S_ISFIFO(st.st_mode)));
}

static int open_there(struct output *o, const struct place *p, enum output_how how, unsigned mode, int flags)
{
	if (is_pipe(o, p))
		flags = (flags & ~O_ACCMODE) | O_WRONLY;
	if (p->there && p->open_as_is)
		return open_same(o, p, flags | (how == OUTPUT_APPEND ? O_APPEND : O_TRUNC));
	if (!p->there || (S_ISREG(p->st.st_mode) && how != OUTPUT_APPEND))
		return replace(o, p, how, mode, flags | (how == OUTPUT_APPEND ? O_APPEND : 0));
	return open_same(o, p, flags | O_NOFOLLOW | (how == OUTPUT_APPEND ? O_APPEND : 0));
}

static int open_beside(struct output *o, unsigned mode, int flags, struct err *e)
{
	struct place p = { 0 };
	int fd;

	p.there = !o->sys->lstat(o->sys, o->path, &p.st);
	if (p.there && !folder_of(o->sys, o->path, &p.folder) && is_foreign(o->sys, &p))
		return foreign(o->path, &p, e);
	if (p.there && !S_ISREG(p.st.st_mode) && !S_ISLNK(p.st.st_mode))
		return refused(o->path, EEXIST, e);
	fd = replace(o, &p, OUTPUT_REPLACE, mode, flags);
	return fd < 0 ? refused(o->path, -fd, e) : fd;
}

int output_open(struct output *o, const struct sys *sys, const char *path, enum output_how how, unsigned mode,
		int flags, struct err *e)
{
	struct place p;

	*o = (struct output){ .sys = sys, .fd = -1 };
	if (strlen(path) >= sizeof(o->path))
		return refused(path, ENAMETOOLONG, e);
	str_copy(o->path, sizeof(o->path), sv_from(path));
	if (how == OUTPUT_BESIDE) {
		o->fd = open_beside(o, mode, flags, e);
	} else {
		o->fd = find(sys, o->path, &p, e);
		if (!o->fd) {
			o->fd = open_there(o, &p, how, mode, flags);
			if (o->fd < 0)
				refused(path, -o->fd, e);
		}
	}
	return o->fd < 0 ? o->fd : 0;
}

int output_check(const struct sys *sys, const char *path, struct err *e)
{
	char to[PATH_MAX];
	struct place p;

	if (strlen(path) >= sizeof(to))
		return refused(path, ENAMETOOLONG, e);
	str_copy(to, sizeof(to), sv_from(path));
	return find(sys, to, &p, e);
}

int output_write(void *arg, const char *bytes, size_t n)
{
	const struct output *o = arg;

	return sys_write_all(o->sys, o->fd, bytes, n);
}

void output_text(struct output *o, struct out *to, char *buf, size_t size)
{
	*to = (struct out){ .write = output_write, .arg = o, .buf = buf, .cap = size };
	tty_setup(to, o->fd);
}

int output_close(struct output *o)
{
	int r = o->fd >= 0 ? o->sys->close(o->sys, o->fd) : 0;

	o->fd = -1;
	return r;
}

void output_discard(struct output *o)
{
	char old[PATH_MAX];

	output_close(o);
	if (o->made)
		o->sys->unlink(o->sys, o->path);
	if (o->kept_old && old_name(o, old))
		o->sys->rename(o->sys, old, o->path);
	o->made = o->kept_old = false;
}

int output_end(struct output *o, struct out *text)
{
	out_end(text);
	if (!text->error)
		return output_close(o);
	output_discard(o);
	return text->error;
}

static int late_open(struct output_late *l, struct err *e)
{
	l->waits = false;
	return output_open(&l->file, l->file.sys, l->path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
}

static int late_write(void *arg, const char *bytes, size_t n)
{
	struct output_late *l = arg;
	int r = l->waits ? late_open(l, &l->why) : 0;

	l->begun = true;
	return r ? r : output_write(&l->file, bytes, n);
}

int output_late(struct output_late *l, const struct sys *sys, const char *path, struct out *to, char *buf, size_t size,
		struct err *e)
{
	struct stat st;
	int r;

	*l = (struct output_late){ .file = { .sys = sys, .fd = -1 }, .path = path };
	l->waits = !sys->stat(sys, path, &st) && S_ISREG(st.st_mode);
	r = l->waits ? output_check(sys, path, e) : late_open(l, e);
	*to = (struct out){ .write = late_write, .arg = l, .buf = buf, .cap = size };
	if (l->file.fd >= 0)
		tty_setup(to, l->file.fd);
	return r;
}

int output_late_end(struct output_late *l, struct out *from, int r, struct err *e)
{
	out_end(from);
	if (r && !l->begun) {
		output_discard(&l->file);
		return r;
	}
	if (!r && l->waits)
		r = late_open(l, e);
	if (!r && from->error && l->why.code) {
		*e = l->why;
		r = from->error;
	} else if (!r && from->error) {
		r = err_set(e, -from->error, "cannot write %s: %s", l->path, err_name(-from->error));
	}
	return output_close(&l->file) && !r ? err_set(e, EIO, "cannot write %s", l->path) : r;
}
