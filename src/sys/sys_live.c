/* sys_live.c - the table that makes real system calls. */
#include "sys/sys.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

/* MADV_POPULATE_READ and _WRITE of Linux 5.14, which older headers lack. */
enum { POPULATE_READ = 22, POPULATE_WRITE = 23 };

static int ret(long r)
{
	return r < 0 ? -errno : (int)r;
}

static ssize_t ret_size(ssize_t r)
{
	return r < 0 ? -errno : r;
}

/* Prefix an absolute path. NULL: too long. */
static const char *rooted(const struct sys *s, const char *path, char buf[PATH_MAX])
{
	if (!s->root || !s->root[0] || path[0] != '/')
		return path;
	if (snprintf(buf, PATH_MAX, "%s%s", s->root, path) >= PATH_MAX)
		return NULL;
	return buf;
}

static int live_open(const struct sys *s, const char *path, int flags, unsigned mode)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(open(full, flags | O_CLOEXEC, mode)) : -ENAMETOOLONG;
}

/* struct open_how and flags of linux/openat2.h: the headers of 5.4 lack them. */
enum { NUMBER_OPENAT2 = 437, RESOLVE_NO_MAGIC_LINKS = 2, RESOLVE_INSIDE = 16 };

static int live_open_inside(const struct sys *s UNUSED, int dir, const char *path, int flags)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = { .flags = (uint64_t)(flags | O_CLOEXEC), .resolve = RESOLVE_NO_MAGIC_LINKS | RESOLVE_INSIDE };

	return ret(syscall(NUMBER_OPENAT2, dir, path, &how, sizeof(how)));
}

static int live_close(const struct sys *s UNUSED, int fd)
{
	return ret(close(fd));
}

static ssize_t live_read(const struct sys *s UNUSED, int fd, void *p, size_t n)
{
	return ret_size(read(fd, p, n));
}

static ssize_t live_pread(const struct sys *s UNUSED, int fd, void *p, size_t n, uint64_t off)
{
	return ret_size(pread(fd, p, n, (off_t)off));
}

static ssize_t live_write(const struct sys *s UNUSED, int fd, const void *p, size_t n)
{
	return ret_size(write(fd, p, n));
}

static ssize_t live_writev(const struct sys *s UNUSED, int fd, const struct iovec *v, int n)
{
	return ret_size(writev(fd, v, n));
}

static ssize_t live_pwrite(const struct sys *s UNUSED, int fd, const void *p, size_t n, uint64_t off)
{
	return ret_size(pwrite(fd, p, n, (off_t)off));
}

static int live_stat(const struct sys *s, const char *path, struct stat *st)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(stat(full, st)) : -ENAMETOOLONG;
}

static int live_lstat(const struct sys *s, const char *path, struct stat *st)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(lstat(full, st)) : -ENAMETOOLONG;
}

static int live_fstat(const struct sys *s UNUSED, int fd, struct stat *st)
{
	return ret(fstat(fd, st));
}

static int live_access(const struct sys *s, const char *path, int mode)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(access(full, mode)) : -ENAMETOOLONG;
}

static ssize_t live_readlink(const struct sys *s, const char *path, char *to, size_t n)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);
	ssize_t got = full && n ? readlink(full, to, n - 1) : (errno = ENAMETOOLONG, -1);

	if (got < 0)
		return -errno;
	to[got] = '\0';
	return got;
}

static int live_each_entry(const struct sys *s, const char *path, int (*each)(void *, const char *), void *arg)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);
	DIR *d = full ? opendir(full) : NULL;
	struct dirent *de;
	int r = 0;

	if (!d)
		return full ? -errno : -ENAMETOOLONG;
	while (!r && (errno = 0, de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			r = each(arg, de->d_name);
	if (!de && !r)
		r = -errno;
	closedir(d);
	return r;
}

static int live_unlink(const struct sys *s, const char *path)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(unlink(full)) : -ENAMETOOLONG;
}

static int live_ftruncate(const struct sys *s UNUSED, int fd, uint64_t size)
{
	return ret(ftruncate(fd, (off_t)size));
}

static int live_rename(const struct sys *s, const char *from, const char *to)
{
	char a[PATH_MAX], b[PATH_MAX];
	const char *f = rooted(s, from, a), *t = rooted(s, to, b);

	return f && t ? ret(rename(f, t)) : -ENAMETOOLONG;
}

static int live_seek(const struct sys *s UNUSED, int fd, uint64_t off)
{
	return lseek(fd, (off_t)off, SEEK_SET) < 0 ? -errno : 0;
}

static int64_t live_next_data(const struct sys *s UNUSED, int fd, uint64_t off)
{
	return ret_size(lseek(fd, (off_t)off, SEEK_DATA));
}

static int64_t live_next_hole(const struct sys *s UNUSED, int fd, uint64_t off)
{
	return ret_size(lseek(fd, (off_t)off, SEEK_HOLE));
}

static int live_mkdir(const struct sys *s, const char *path, unsigned mode)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(mkdir(full, mode)) : -ENAMETOOLONG;
}

static int live_rmdir(const struct sys *s, const char *path)
{
	char buf[PATH_MAX];
	const char *full = rooted(s, path, buf);

	return full ? ret(rmdir(full)) : -ENAMETOOLONG;
}

static int live_unlink_in(const struct sys *s UNUSED, int folder, const char *name)
{
	return ret(unlinkat(folder, name, 0));
}

static int live_flock(const struct sys *s UNUSED, int fd, int op)
{
	return ret(flock(fd, op));
}

static ssize_t live_splice(const struct sys *s UNUSED, int from, int to, size_t n, unsigned flags)
{
	return ret_size(splice(from, NULL, to, NULL, n, flags));
}

static ssize_t live_copy(const struct sys *s UNUSED, int from, int to, size_t n)
{
	ssize_t r = copy_file_range(from, NULL, to, NULL, n, 0);

	if (r < 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP))
		r = sendfile(to, from, NULL, n);
	return ret_size(r);
}

static int live_punch(const struct sys *s UNUSED, int fd, uint64_t off, uint64_t n)
{
	return ret(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)off, (off_t)n));
}

static int live_perf_event_open(const struct sys *s UNUSED, struct perf_attr *attr, int pid, int cpu, int group,
				unsigned long flags)
{
	return ret(syscall(SYS_perf_event_open, attr, pid, cpu, group, flags | PERF_FLAG_CLOEXEC));
}

static int live_ioctl(const struct sys *s UNUSED, int fd, unsigned long request, uintptr_t arg)
{
	/* musl's ioctl takes an int request: use the system call to pass all bits. */
	return ret(syscall(SYS_ioctl, fd, request, arg));
}

static int live_poll(const struct sys *s UNUSED, struct pollfd *fds, size_t n, int timeout_ms)
{
	return ret(poll(fds, (nfds_t)n, timeout_ms));
}

static int live_mmap(const struct sys *s UNUSED, void **p, size_t n, int prot, int flags, int fd, uint64_t off)
{
	void *got = mmap(NULL, n, prot, flags, fd, (off_t)off);

	if (got == MAP_FAILED)
		return -errno;
	*p = got;
	return 0;
}

static int live_munmap(const struct sys *s UNUSED, void *p, size_t n)
{
	return ret(munmap(p, n));
}

static void live_forget(const struct sys *s UNUSED, void *p, size_t n)
{
	madvise(p, n, MADV_DONTNEED);
}

static void live_fetch(const struct sys *s UNUSED, void *p, size_t n)
{
	madvise(p, n, POPULATE_READ);
}

void mem_take_pages(void *p, size_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ALIGN_UP((uintptr_t)p, page);

	madvise((void *)from, (((uintptr_t)p + n) & ~(page - 1)) - from, POPULATE_WRITE);
}

static uint64_t live_now(const struct sys *s UNUSED, int clockid)
{
	struct timespec ts = { 0 };

	clock_gettime(clockid, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static int live_uname(const struct sys *s UNUSED, struct utsname *u)
{
	return ret(uname(u));
}

static long live_page_size(const struct sys *s UNUSED)
{
	return sysconf(_SC_PAGESIZE);
}

static unsigned live_uid(const struct sys *s UNUSED)
{
	return geteuid();
}

static int live_raise_fd_limit(const struct sys *s UNUSED)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return -errno;
	r.rlim_cur = r.rlim_max;
	/* The library's setrlimit would first stop other threads, of which there are none: 2 KB of code. */
	return ret(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &r, NULL));
}

/* Size from the start to the end of the section table, which is last (ELF64 e_shoff, e_shentsize, e_shnum). */
static size_t vdso_size(const uint8_t *p)
{
	uint64_t off;
	uint16_t step, count;

	memcpy(&off, p + 40, sizeof(off));
	memcpy(&step, p + 58, sizeof(step));
	memcpy(&count, p + 60, sizeof(count));
	return off < 1 << 20 ? (size_t)(off + (uint64_t)step * count) : 0;
}

int sys_vdso(const uint8_t **p, size_t *n)
{
	unsigned long at = getauxval(AT_SYSINFO_EHDR);

	if (!at)
		return -ENOENT;
	*p = (const uint8_t *)(uintptr_t)at;
	*n = vdso_size(*p);
	return *n ? 0 : -ENOENT;
}

const struct sys sys_live = {
	.root = "",
	.open = live_open,
	.open_inside = live_open_inside,
	.close = live_close,
	.read = live_read,
	.pread = live_pread,
	.write = live_write,
	.writev = live_writev,
	.pwrite = live_pwrite,
	.stat = live_stat,
	.lstat = live_lstat,
	.fstat = live_fstat,
	.access = live_access,
	.readlink = live_readlink,
	.each_entry = live_each_entry,
	.unlink = live_unlink,
	.ftruncate = live_ftruncate,
	.rename = live_rename,
	.seek = live_seek,
	.next_data = live_next_data,
	.next_hole = live_next_hole,
	.mkdir = live_mkdir,
	.rmdir = live_rmdir,
	.unlink_in = live_unlink_in,
	.flock = live_flock,
	.splice = live_splice,
	.copy = live_copy,
	.punch = live_punch,
	.perf_event_open = live_perf_event_open,
	.ioctl = live_ioctl,
	.poll = live_poll,
	.mmap = live_mmap,
	.munmap = live_munmap, .forget = live_forget, .fetch = live_fetch,
	.now = live_now,
	.uname = live_uname,
	.page_size = live_page_size,
	.uid = live_uid,
	.raise_fd_limit = live_raise_fd_limit,
};

struct sys sys_with_root(const char *root)
{
	struct sys s = sys_live;

	s.root = root;
	return s;
}
