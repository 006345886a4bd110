/*
 * sys.h - every system call of the project, as a table of functions: `sys_live` makes them, a fake records or invents
 * them.
 *
 * All return 0 or a count or a descriptor, or -errno; none touches errno. Absolute paths get the prefix `root`, so that
 * a copied tree of another machine can be examined (`--sysroot`, tests).
 */
#ifndef SYS_SYS_H
#define SYS_SYS_H

#include "abi/perf_event.h"
#include "base/err.h"
#include "base/mapped.h"
#include "base/str.h"

#include <sys/types.h>

struct pollfd;
struct stat;
struct utsname;
struct iovec;

struct sys {
	const char *root;    /* "", or a directory that is put in front of every absolute path */
	void *arg;           /* the fake's own state */
	struct mapped_files *mapped;   /* files mapped by sys_map_file, or NULL: do not track them */

	int (*open)(const struct sys *s, const char *path, int flags, unsigned mode);   /* adds O_CLOEXEC */
	/* openat2(2): neither links nor .. lead out of dir. May be NULL. */
	int (*open_inside)(const struct sys *s, int dir, const char *path, int flags);
	int (*close)(const struct sys *s, int fd);
	ssize_t (*read)(const struct sys *s, int fd, void *p, size_t n);
	ssize_t (*pread)(const struct sys *s, int fd, void *p, size_t n, uint64_t off);
	ssize_t (*write)(const struct sys *s, int fd, const void *p, size_t n);
	ssize_t (*writev)(const struct sys *s, int fd, const struct iovec *v, int n);
	ssize_t (*pwrite)(const struct sys *s, int fd, const void *p, size_t n, uint64_t off);
	int (*stat)(const struct sys *s, const char *path, struct stat *st);
	int (*lstat)(const struct sys *s, const char *path, struct stat *st);
	int (*fstat)(const struct sys *s, int fd, struct stat *st);
	int (*access)(const struct sys *s, const char *path, int mode);
	ssize_t (*readlink)(const struct sys *s, const char *path, char *buf, size_t n);
	/*
	 * Call each(arg, name) for every entry but . and .. until it returns non-zero, which is passed on. In the order
	 * of the kernel.
	 */
	int (*each_entry)(const struct sys *s, const char *path, int (*each)(void *arg, const char *name), void *arg);
	int (*unlink)(const struct sys *s, const char *path);
	int (*ftruncate)(const struct sys *s, int fd, uint64_t size);
	int (*rename)(const struct sys *s, const char *from, const char *to);
	int (*seek)(const struct sys *s, int fd, uint64_t off);   /* from the start */
	/* Offset of the next data (or hole) at off or behind; -ENXIO: no more. May be NULL. */
	int64_t (*next_data)(const struct sys *s, int fd, uint64_t off);
	int64_t (*next_hole)(const struct sys *s, int fd, uint64_t off);

	int (*mkdir)(const struct sys *s, const char *path, unsigned mode);
	int (*rmdir)(const struct sys *s, const char *path);
	/* Remove a name in an open folder, even if its path has changed. May be NULL. */
	int (*unlink_in)(const struct sys *s, int folder, const char *name);
	int (*flock)(const struct sys *s, int fd, int op);
	/* Between a pipe and a file or pipe, at their current positions, in the kernel; flags of splice(2). */
	ssize_t (*splice)(const struct sys *s, int from, int to, size_t n, unsigned flags);
	/* Copy n bytes between the positions of two files, in the kernel if possible (also by reflinks). */
	ssize_t (*copy)(const struct sys *s, int from, int to, size_t n);
	/* Release the disk space of a range in a file; -EOPNOTSUPP if the file system cannot. */
	int (*punch)(const struct sys *s, int fd, uint64_t off, uint64_t n);

	int (*perf_event_open)(const struct sys *s, struct perf_attr *attr, int pid, int cpu, int group,
			       unsigned long flags);
	int (*ioctl)(const struct sys *s, int fd, unsigned long request, uintptr_t arg);
	int (*poll)(const struct sys *s, struct pollfd *fds, size_t n, int timeout_ms);
	int (*mmap)(const struct sys *s, void **p, size_t n, int prot, int flags, int fd, uint64_t off);
	int (*munmap)(const struct sys *s, void *p, size_t n);
	/* Drop these pages of a file mapping from memory: they are read again on access. May be NULL. */
	void (*forget)(const struct sys *s, void *p, size_t n);
	/* Populate all of these pages, which will be read now. May be NULL. */
	void (*fetch)(const struct sys *s, void *p, size_t n);

	uint64_t (*now)(const struct sys *s, int clockid);   /* ns */
	int (*uname)(const struct sys *s, struct utsname *u);
	long (*page_size)(const struct sys *s);
	unsigned (*uid)(const struct sys *s);
	int (*raise_fd_limit)(const struct sys *s);          /* soft RLIMIT_NOFILE to the hard one */
};

extern const struct sys sys_live;

/* The live table with another root prefix. */
struct sys sys_with_root(const char *root);

/* --- built on the table; work with every table --- */

/* Read a whole small file (proc, sysfs), NUL-terminated, cut at size - 1: the length, or -errno. */
ssize_t sys_read_text(const struct sys *s, const char *path, char *buf, size_t size);

/* The same without trailing white space, and with a printf-like path. */
ssize_t sys_read_line(const struct sys *s, char *buf, size_t size, const char *fmt, ...) PRINTF(4, 5);

/* Read a number from a file; any base by its prefix. */
int sys_read_u64(const struct sys *s, uint64_t *v, const char *fmt, ...) PRINTF(3, 4);

/* Read a whole file of any size, malloc'ed, NUL-terminated; at most `max` bytes (EFBIG above). */
int sys_read_all(const struct sys *s, const char *path, size_t max, char **text, size_t *n, struct err *e);

/* Call `feed` with an open file's bytes from its position on, piece by piece. Its first result but 0, or -errno. */
int sys_feed(const struct sys *s, int fd, int (*feed)(void *to, const char *text, size_t n), void *to);

/*
 * Map a regular file read-only. Empty file: *p NULL, *n 0. It is tracked in s->mapped, which must outlive the mapping.
 */
int sys_map_file(const struct sys *s, const char *path, const uint8_t **p, size_t *n, struct err *e);
/* The same, and keep it open: *fd belongs to the caller; -1 after an error. */
int sys_open_mapped(const struct sys *s, const char *path, int *fd, const uint8_t **p, size_t *n, struct err *e);
/* The same for an open file; path is its name. 0 or -errno. */
int sys_map_fd(const struct sys *s, int fd, const char *path, const uint8_t **p, size_t *n);
void sys_unmap_file(const struct sys *s, const uint8_t *p, size_t n);
/*
 * The same for the file that the whole command is about: mark it as cut, too, if it is shorter now. The missing rest of
 * its last page reads as zeros without a signal.
 */
void sys_unmap_recording(const struct sys *s, const uint8_t *p, size_t n);

bool sys_exists(const struct sys *s, const char *path);
bool sys_is_fifo(const struct sys *s, int fd);

/* Write all bytes, in as many calls as needed: 0 or -errno. */
int sys_write_all(const struct sys *s, int fd, const void *p, size_t n);

/* After -EAGAIN, as another process made our output non-blocking: wait until it is writable, or has an error. */
int sys_wait_writable(const struct sys *s, int fd);

/* Entries of a directory, sorted (numbers by value). Free with sys_list_free. */
struct sys_list {
	char **v;
	size_t n, cap;
};
int sys_list_dir(const struct sys *s, const char *path, struct sys_list *l);
void sys_list_free(struct sys_list *l);

/* Online and possible CPUs from sysfs (else those of /proc/stat). */
int sys_cpus_online(const struct sys *s, struct cpus *c, struct err *e);

/* Capabilities of this process from /proc/self/status: bit numbers of linux/capability.h. */
enum {
	SYS_CAP_SYS_ADMIN = 21,
	SYS_CAP_SYS_PTRACE = 19,
	SYS_CAP_SYSLOG = 34,
	SYS_CAP_PERFMON = 38,
	SYS_CAP_BPF = 39,
	SYS_CAP_IPC_LOCK = 14
};
bool sys_capable(const struct sys *s, int cap);

/* "none", "integrity", "confidentiality"; "" when the kernel does not tell. */
const char *sys_lockdown(const struct sys *s, char *buf, size_t size);

/* The vDSO of this process: borrowed, valid for ever. -ENOENT: there is none. */
int sys_vdso(const uint8_t **p, size_t *n);

/* Mount point of tracefs ("/sys/kernel/tracing" or "/sys/kernel/debug/tracing"), or NULL. */
const char *sys_tracefs(const struct sys *s);

#endif
