/*
 * disk.h - a machine whose files are in memory: what the code under a fuzzer opens, writes and lists, without a system
 * call and without a trace. A folder is there when a file below it is. Mapped files are copies of their exact size, so
 * that the sanitizer sees what reads beyond them. Descriptors below DISK_FD are real ones.
 */
#ifndef TESTS_FUZZ_DISK_H
#define TESTS_FUZZ_DISK_H

#include "sys/sys.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { DISK_FILES = 256, DISK_OPEN = 64, DISK_FD = 100000, DISK_PATH = 300, DISK_MOST = 64 << 20 };

struct disk_file {
	char path[DISK_PATH];
	uint8_t *v;
	size_t n, cap;
	bool there;
};

struct disk_open {
	struct disk_file *file;   /* NULL: free, or a folder */
	bool used, append;
	uint64_t at;
};

struct disk {
	struct sys sys;
	struct disk_file file[DISK_FILES];
	struct disk_open open[DISK_OPEN];
	size_t n, written;
	const struct sys *real;   /* for real descriptors */
	uint64_t now;
};

static inline struct disk *disk_of(const struct sys *s)
{
	return s->arg;
}

static inline struct disk_file *disk_find(struct disk *d, const char *path)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->file[i].there && !strcmp(d->file[i].path, path))
			return &d->file[i];
	return NULL;
}

static inline bool disk_is_folder(struct disk *d, const char *path)
{
	size_t n = strlen(path);

	if (!strcmp(path, ".") || !strcmp(path, "/"))
		return true;
	for (size_t i = 0; i < d->n; i++)
		if (d->file[i].there && !strncmp(d->file[i].path, path, n) && d->file[i].path[n] == '/')
			return true;
	return false;
}

static inline struct disk_file *disk_make(struct disk *d, const char *path)
{
	struct disk_file *f = disk_find(d, path);

	for (size_t i = 0; !f && i < DISK_FILES; i++) {
		if (d->file[i].there)
			continue;
		f = &d->file[i];
		d->n = MAX(d->n, i + 1);
	}
	if (!f || strlen(path) >= DISK_PATH)
		return NULL;
	str_copy(f->path, sizeof(f->path), sv_from(path));
	f->there = true;
	return f;
}

static inline bool disk_room(struct disk_file *f, size_t n)
{
	if (n > DISK_MOST)
		return false;
	if (n > f->cap) {
		f->cap = n * 2;
		f->v = realloc(f->v, f->cap);
		if (!f->v)
			abort();
	}
	if (n > f->n) {
		memset(f->v + f->n, 0, n - f->n);
		f->n = n;
	}
	return true;
}

static inline void disk_put(struct disk *d, const char *path, const void *bytes, size_t n)
{
	struct disk_file *f = disk_make(d, path);

	if (!f || !disk_room(f, n))
		abort();
	f->n = n;
	if (n)
		memcpy(f->v, bytes, n);
}

static inline struct disk_open *disk_at(const struct sys *s, int fd)
{
	struct disk *d = disk_of(s);

	if (fd < DISK_FD || fd >= DISK_FD + DISK_OPEN || !d->open[fd - DISK_FD].used)
		return NULL;
	return &d->open[fd - DISK_FD];
}

static inline int disk_open(const struct sys *s, const char *path, int flags, unsigned mode)
{
	struct disk *d = disk_of(s);
	struct disk_file *f = disk_find(d, path);
	int fd = 0;

	(void)mode;
	while (fd < DISK_OPEN && d->open[fd].used)
		fd++;
	if (fd == DISK_OPEN)
		return -EMFILE;
	if (f && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return -EEXIST;
	if (f && flags & O_DIRECTORY)
		return -ENOTDIR;
	if (!f && flags & O_CREAT)
		f = disk_make(d, path);
	if (!f && !disk_is_folder(d, path))
		return flags & O_CREAT ? -ENOSPC : -ENOENT;
	if (f && flags & O_TRUNC)
		f->n = 0;
	d->open[fd] = (struct disk_open){ .file = f, .used = true, .append = flags & O_APPEND };
	return DISK_FD + fd;
}

static inline int disk_close(const struct sys *s, int fd)
{
	struct disk_open *o = disk_at(s, fd);

	if (!o)
		return fd < DISK_FD && disk_of(s)->real ? disk_of(s)->real->close(s, fd) : -EBADF;
	o->used = false;
	return 0;
}

static inline ssize_t disk_pread(const struct sys *s, int fd, void *p, size_t n, uint64_t off)
{
	struct disk_open *o = disk_at(s, fd);

	if (!o || !o->file)
		return o ? -EISDIR : -EBADF;
	if (off >= o->file->n)
		return 0;
	n = MIN(n, o->file->n - (size_t)off);
	memcpy(p, o->file->v + off, n);
	return (ssize_t)n;
}

static inline ssize_t disk_read(const struct sys *s, int fd, void *p, size_t n)
{
	struct disk_open *o = disk_at(s, fd);
	ssize_t got;

	if (!o && fd < DISK_FD && disk_of(s)->real)
		return disk_of(s)->real->read(s, fd, p, n);
	got = disk_pread(s, fd, p, n, o ? o->at : 0);
	if (o && got > 0)
		o->at += (uint64_t)got;
	return got;
}

static inline ssize_t disk_pwrite(const struct sys *s, int fd, const void *p, size_t n, uint64_t off)
{
	struct disk_open *o = disk_at(s, fd);

	if (!o || !o->file)
		return -EBADF;
	disk_of(s)->written += n;
	if (disk_of(s)->written > DISK_MOST || off > DISK_MOST || !disk_room(o->file, (size_t)off + n))
		return -ENOSPC;
	if (n)
		memcpy(o->file->v + off, p, n);
	return (ssize_t)n;
}

static inline ssize_t disk_write(const struct sys *s, int fd, const void *p, size_t n)
{
	struct disk_open *o = disk_at(s, fd);
	ssize_t done;

	if (!o && fd < DISK_FD && disk_of(s)->real)
		return disk_of(s)->real->write(s, fd, p, n);
	if (o && o->append && o->file)
		o->at = o->file->n;
	done = disk_pwrite(s, fd, p, n, o ? o->at : 0);
	if (done > 0)
		o->at += (uint64_t)done;
	return done;
}

static inline ssize_t disk_writev(const struct sys *s, int fd, const struct iovec *v, int n)
{
	(void)s, (void)fd, (void)v, (void)n;
	return -ENOSYS;
}

static inline int disk_fill_stat(struct disk *d, struct disk_file *f, struct stat *st)
{
	*st = (struct stat){ .st_mode = f ? S_IFREG | 0600 : S_IFDIR | 0700, .st_size = f ? (off_t)f->n : 0,
			     .st_nlink = 1, .st_ino = f ? (ino_t)(f - d->file + 2) : 1 };
	return 0;
}

static inline int disk_stat(const struct sys *s, const char *path, struct stat *st)
{
	struct disk_file *f = disk_find(disk_of(s), path);

	return f || disk_is_folder(disk_of(s), path) ? disk_fill_stat(disk_of(s), f, st) : -ENOENT;
}

static inline int disk_fstat(const struct sys *s, int fd, struct stat *st)
{
	struct disk_open *o = disk_at(s, fd);

	return o ? disk_fill_stat(disk_of(s), o->file, st) : -EBADF;
}

static inline int disk_access(const struct sys *s, const char *path, int mode)
{
	struct stat st;

	(void)mode;
	return disk_stat(s, path, &st);
}

static inline ssize_t disk_readlink(const struct sys *s, const char *path, char *buf, size_t n)
{
	(void)s, (void)path, (void)buf, (void)n;
	return -EINVAL;
}

/* Each name once: the first file of a folder speaks for it. */
static inline bool disk_is_first(struct disk *d, size_t i, size_t from, size_t len)
{
	for (size_t k = 0; k < i; k++)
		if (d->file[k].there && !strncmp(d->file[k].path, d->file[i].path, from + len) &&
		    (!d->file[k].path[from + len] || d->file[k].path[from + len] == '/'))
			return false;
	return true;
}

static inline int disk_each_entry(const struct sys *s, const char *path, int (*each)(void *, const char *), void *arg)
{
	struct disk *d = disk_of(s);
	size_t n = strlen(path);
	char name[DISK_PATH];
	int r = 0;

	if (!disk_is_folder(d, path))
		return -ENOENT;
	for (size_t i = 0; !r && i < d->n; i++) {
		struct disk_file *f = &d->file[i];

		if (!f->there || strncmp(f->path, path, n) || f->path[n] != '/')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(f->path + n + 1, "/"), f->path + n + 1);
		if (disk_is_first(d, i, n + 1, strlen(name)))
			r = each(arg, name);
	}
	return r;
}

/* What is open stays readable: only its name goes. */
static inline int disk_unlink(const struct sys *s, const char *path)
{
	struct disk_file *f = disk_find(disk_of(s), path);

	if (!f)
		return -ENOENT;
	for (size_t i = 0; i < DISK_OPEN; i++) {
		if (disk_of(s)->open[i].used && disk_of(s)->open[i].file == f) {
			f->path[0] = '\0';
			return 0;
		}
	}
	f->there = false;
	f->n = 0;
	return 0;
}

static inline int disk_rename(const struct sys *s, const char *from, const char *to)
{
	struct disk_file *f = disk_find(disk_of(s), from);

	if (!f || strlen(to) >= DISK_PATH)
		return -ENOENT;
	disk_unlink(s, to);
	str_copy(f->path, sizeof(f->path), sv_from(to));
	return 0;
}

static inline int disk_ftruncate(const struct sys *s, int fd, uint64_t size)
{
	struct disk_open *o = disk_at(s, fd);

	if (!o || !o->file || size > DISK_MOST || !disk_room(o->file, (size_t)size))
		return -EINVAL;
	o->file->n = (size_t)size;
	return 0;
}

static inline int disk_seek(const struct sys *s, int fd, uint64_t off)
{
	struct disk_open *o = disk_at(s, fd);

	if (!o)
		return -EBADF;
	o->at = off;
	return 0;
}

static inline ssize_t disk_copy(const struct sys *s, int from, int to, size_t n)
{
	char bytes[4096];
	ssize_t got = disk_read(s, from, bytes, MIN(n, sizeof(bytes)));

	return got > 0 ? disk_write(s, to, bytes, (size_t)got) : got;
}

static inline int disk_mkdir(const struct sys *s, const char *path, unsigned mode)
{
	char keep[DISK_PATH + 8];

	(void)mode;
	if (disk_is_folder(disk_of(s), path))
		return -EEXIST;
	snprintf(keep, sizeof(keep), "%s/.", path);
	return disk_make(disk_of(s), keep) ? 0 : -ENOSPC;
}

static inline int disk_rmdir(const struct sys *s, const char *path)
{
	struct disk *d = disk_of(s);
	size_t n = strlen(path);

	if (!disk_is_folder(d, path))
		return -ENOENT;
	for (size_t i = 0; i < d->n; i++)
		if (d->file[i].there && !strncmp(d->file[i].path, path, n) && d->file[i].path[n] == '/')
			d->file[i].there = false;
	return 0;
}

static inline int disk_flock(const struct sys *s, int fd, int op)
{
	(void)s, (void)fd, (void)op;
	return 0;
}

static inline ssize_t disk_splice(const struct sys *s, int from, int to, size_t n, unsigned flags)
{
	(void)s, (void)from, (void)to, (void)n, (void)flags;
	return -EINVAL;
}

static inline int disk_punch(const struct sys *s, int fd, uint64_t off, uint64_t n)
{
	(void)s, (void)fd, (void)off, (void)n;
	return -EOPNOTSUPP;
}

static inline int disk_no_event(const struct sys *s, struct perf_attr *attr, int pid, int cpu, int group,
				unsigned long flags)
{
	(void)s, (void)attr, (void)pid, (void)cpu, (void)group, (void)flags;
	return -ENOSYS;
}

static inline int disk_no_ioctl(const struct sys *s, int fd, unsigned long request, uintptr_t arg)
{
	(void)s, (void)fd, (void)request, (void)arg;
	return -ENOTTY;
}

static inline int disk_poll(const struct sys *s, struct pollfd *fds, size_t n, int timeout_ms)
{
	(void)fds, (void)n;
	disk_of(s)->now += (uint64_t)MAX(timeout_ms, 0) * 1000000;
	return 0;
}

static inline int disk_mmap(const struct sys *s, void **p, size_t n, int prot, int flags, int fd, uint64_t off)
{
	struct disk_open *o = disk_at(s, fd);

	(void)prot, (void)flags;
	if (!o || !o->file || off > o->file->n || n > o->file->n - off)
		return -ENODEV;
	*p = malloc(n);
	if (!*p)
		return -ENOMEM;
	memcpy(*p, o->file->v + off, n);
	return 0;
}

static inline int disk_munmap(const struct sys *s, void *p, size_t n)
{
	(void)s, (void)n;
	free(p);
	return 0;
}

static inline uint64_t disk_now(const struct sys *s, int clockid)
{
	(void)clockid;
	return disk_of(s)->now += 1000;
}

static inline int disk_uname(const struct sys *s, struct utsname *u)
{
	(void)s;
	*u = (struct utsname){ .sysname = "Linux", .nodename = "fuzz", .release = "6.12.1", .machine = "aarch64" };
	return 0;
}

static inline long disk_page_size(const struct sys *s)
{
	(void)s;
	return 4096;
}

static inline unsigned disk_uid(const struct sys *s)
{
	(void)s;
	return 0;
}

static inline int disk_fd_limit(const struct sys *s)
{
	(void)s;
	return 0;
}

static inline struct disk *disk_new(void)
{
	struct disk *d = calloc(1, sizeof(*d));

	if (!d)
		abort();
	d->sys = (struct sys){
		.root = "", .arg = d, .open = disk_open, .close = disk_close, .read = disk_read, .pread = disk_pread,
		.write = disk_write, .writev = disk_writev, .pwrite = disk_pwrite, .stat = disk_stat,
		.lstat = disk_stat, .fstat = disk_fstat,
		.access = disk_access, .readlink = disk_readlink, .each_entry = disk_each_entry,
		.unlink = disk_unlink, .ftruncate = disk_ftruncate, .rename = disk_rename, .seek = disk_seek,
		.mkdir = disk_mkdir, .rmdir = disk_rmdir, .flock = disk_flock, .splice = disk_splice, .copy = disk_copy,
		.punch = disk_punch, .perf_event_open = disk_no_event, .ioctl = disk_no_ioctl, .poll = disk_poll,
		.mmap = disk_mmap, .munmap = disk_munmap, .now = disk_now, .uname = disk_uname,
		.page_size = disk_page_size, .uid = disk_uid, .raise_fd_limit = disk_fd_limit,
	};
	return d;
}

/* Whatever was opened was closed. */
static inline void disk_free(struct disk *d)
{
	for (size_t i = 0; i < DISK_OPEN; i++)
		if (d->open[i].used)
			abort();
	for (size_t i = 0; i < DISK_FILES; i++)
		free(d->file[i].v);
	free(d);
}

#endif
