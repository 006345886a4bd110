/* sys_files.c - whole files, directories and facts from proc and sysfs, on top of any table. */
#include "sys/sys.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t sys_read_text(const struct sys *s, const char *path, char *buf, size_t size)
{
	int fd = s->open(s, path, O_RDONLY, 0);
	size_t at = 0;
	ssize_t n = 0;

	if (size)
		buf[0] = '\0';
	if (fd < 0 || !size)
		return fd < 0 ? fd : -EINVAL;
	while (at + 1 < size && (n = s->read(s, fd, buf + at, size - 1 - at)) > 0)
		at += (size_t)n;
	s->close(s, fd);
	buf[at] = '\0';
	return n < 0 && !at ? n : (ssize_t)at;
}

static ssize_t read_line(const struct sys *s, char *buf, size_t size, const char *path)
{
	ssize_t n = sys_read_text(s, path, buf, size);

	while (n > 0 && strchr(" \t\r\n", buf[n - 1]))
		buf[--n] = '\0';
	return n;
}

ssize_t sys_read_line(const struct sys *s, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return read_line(s, buf, size, path);
}

int sys_read_u64(const struct sys *s, uint64_t *v, const char *fmt, ...)
{
	char path[PATH_MAX], buf[64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);

	ssize_t n = read_line(s, buf, sizeof(buf), path);

	if (n < 0)
		return (int)n;

	int64_t i;

	if (str_u64(sv_from(buf), 0, v))
		return 0;
	if (!str_i64(sv_from(buf), 0, &i))
		return -EINVAL;
	*v = (uint64_t)i;
	return 0;
}

int sys_read_all(const struct sys *s, const char *path, size_t max, char **text, size_t *n, struct err *e)
{
	int fd = s->open(s, path, O_RDONLY, 0), r = 0;
	char *p = NULL;
	size_t at = 0, cap = 0;
	ssize_t got = 1;

	if (fd < 0)
		return err_set(e, -fd, "cannot open %s: %s", path, err_name(-fd));
	while (got > 0) {
		if (cap - at < 4096) {
			char *more = realloc(p, cap = cap ? cap * 4 : 16384);

			if (!more) {
				r = err_nomem(e);
				break;
			}
			p = more;
		}
		got = s->read(s, fd, p + at, cap - at - 1);
		at += got > 0 ? (size_t)got : 0;
		if (got < 0)
			r = err_set(e, (int)-got, "cannot read %s: %s", path, err_name((int)-got));
		if (at > max) {
			r = err_set(e, EFBIG, "%s is larger than %zu bytes", path, max);
			break;
		}
	}
	s->close(s, fd);
	if (r) {
		free(p);
		return r;
	}
	p[at] = '\0';
	*text = p;
	*n = at;
	return 0;
}

int sys_feed(const struct sys *s, int fd, int (*feed)(void *to, const char *text, size_t n), void *to)
{
	char piece[32 << 10];
	ssize_t n = 1;
	int r = 0;

	while (!r && n > 0) {
		n = s->read(s, fd, piece, sizeof(piece));
		r = n > 0 ? feed(to, piece, (size_t)n) : (int)n;
	}
	return r;
}

/* Limit for the data pieces of a sparse file: a badly fragmented one is not scanned to its end. */
enum { PIECES_MAX = 4096 };

/*
 * If a file has fewer blocks than bytes, find its data. Some file systems cannot tell: then all of it is data. (The
 * number of blocks alone proves little: some count compressed ones, others have none.)
 */
static void find_holes(const struct sys *s, int fd, const struct stat *st, struct mapped *m)
{
	uint64_t size = (uint64_t)st->st_size;
	int64_t from = 0, to = 0;

	if (!s->next_data || !s->next_hole || (uint64_t)st->st_blocks >= (size + 511) / 512)
		return;
	for (unsigned i = 0; i < PIECES_MAX; i++) {
		from = s->next_data(s, fd, (uint64_t)to);
		to = from < 0 ? from : s->next_hole(s, fd, (uint64_t)from);
		if (to < 0 || !mapped_add_data(m, (uint64_t)from, (uint64_t)to) || (uint64_t)to >= size)
			break;
	}
	/* The file is one hole. */
	if (from == -ENXIO && !m->data.n)
		mapped_add_data(m, 0, 0);
}

int sys_map_fd(const struct sys *s, int fd, const char *path, const uint8_t **p, size_t *n)
{
	struct stat st;
	void *at = NULL;
	int r = s->fstat(s, fd, &st);

	if (r < 0)
		return r;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if ((uint64_t)st.st_size > SIZE_MAX / 2)
		return -EFBIG;
	if (st.st_size)
		r = s->mmap(s, &at, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	*p = at;
	*n = (size_t)st.st_size;
	if (r >= 0 && at && s->mapped) {
		struct mapped *m = mapped_add(s->mapped, at, *n, path);

		if (m) {
			m->dev = st.st_dev;
			m->ino = st.st_ino;
			find_holes(s, fd, &st, m);
		}
	}
	return r;
}

int sys_open_mapped(const struct sys *s, const char *path, int *fd, const uint8_t **p, size_t *n, struct err *e)
{
	int r;

	/* O_NONBLOCK: opening a fifo or device must not hang the tool. */
	*fd = s->open(s, path, O_RDONLY | O_NONBLOCK, 0);
	if (*fd < 0) {
		r = *fd;
		*fd = -1;
		return err_set(e, -r, "cannot open %s: %s", path, err_name(-r));
	}
	r = sys_map_fd(s, *fd, path, p, n);
	if (r >= 0)
		return 0;
	s->close(s, *fd);
	*fd = -1;
	return err_set(e, -r, "cannot map %s: %s", path, err_name(-r));
}

int sys_map_file(const struct sys *s, const char *path, const uint8_t **p, size_t *n, struct err *e)
{
	int fd, r = sys_open_mapped(s, path, &fd, p, n, e);

	if (!r)
		s->close(s, fd);
	return r;
}

static void note_cut(const struct sys *s, const uint8_t *p)
{
	struct mapped *m = mapped_find(s->mapped, p);
	struct stat st;

	if (m && !s->stat(s, m->path, &st) && st.st_dev == m->dev && st.st_ino == m->ino && (uint64_t)st.st_size < m->n)
		m->cut = true;
}

void sys_unmap_file(const struct sys *s, const uint8_t *p, size_t n)
{
	if (!p)
		return;
	s->munmap(s, (void *)(uintptr_t)p, n);
	if (s->mapped)
		mapped_remove(s->mapped, p);
}

void sys_unmap_recording(const struct sys *s, const uint8_t *p, size_t n)
{
	note_cut(s, p);
	sys_unmap_file(s, p, n);
}

bool sys_exists(const struct sys *s, const char *path)
{
	return !s->access(s, path, F_OK);
}

bool sys_is_fifo(const struct sys *s, int fd)
{
	struct stat st;

	return !s->fstat(s, fd, &st) && S_ISFIFO(st.st_mode);
}

int sys_write_all(const struct sys *s, int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n) {
		ssize_t done = s->write(s, fd, at, n);

		if (done == -EINTR)
			continue;
		if (done == -EAGAIN && !sys_wait_writable(s, fd))
			continue;
		if (done <= 0)
			return done ? (int)done : -EIO;
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

int sys_wait_writable(const struct sys *s, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int r = s->poll(s, &p, 1, -1);

	return r < 0 && r != -EINTR ? r : 0;
}

static int list_one(void *arg, const char *name)
{
	struct sys_list *l = arg;

	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 64;
		char **v = realloc(l->v, cap * sizeof(*v));

		if (!v)
			return -ENOMEM;
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n] = strdup(name);
	return l->v[l->n] ? (l->n++, 0) : -ENOMEM;
}

/* Numbers inside names by value: cpu2 before cpu10. */
static int by_name(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	return strverscmp(x, y);
}

int sys_list_dir(const struct sys *s, const char *path, struct sys_list *l)
{
	*l = (struct sys_list){ 0 };

	int r = s->each_entry(s, path, list_one, l);

	if (r)
		sys_list_free(l);
	else if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_name);
	return r;
}

void sys_list_free(struct sys_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
	*l = (struct sys_list){ 0 };
}

int sys_cpus_online(const struct sys *s, struct cpus *c, struct err *e)
{
	char buf[4096];
	ssize_t n = sys_read_line(s, buf, sizeof(buf), "/sys/devices/system/cpu/online");

	if (n > 0)
		return cpus_parse(c, sv_from(buf), e);

	/* Without sysfs count the cpuN lines of /proc/stat. */
	memset(c, 0, sizeof(*c));
	n = sys_read_text(s, "/proc/stat", buf, sizeof(buf));

	struct sv rest = sv_from(buf), line;

	while (n > 0 && sv_cut(&rest, '\n', &line)) {
		struct sv word;
		uint64_t cpu;

		sv_cut(&line, ' ', &word);
		if (sv_starts(word, "cpu") && str_u64((struct sv){word.s + 3, word.n - 3}, 10, &cpu) && cpu < CPUS_MAX)
			cpus_set(c, (unsigned)cpu);
	}
	if (!cpus_count(c))
		return err_set(e, ENOENT, "cannot tell which CPUs are online: neither /sys nor /proc/stat is readable");
	return 0;
}

bool sys_capable(const struct sys *s, int cap)
{
	char buf[4096];
	uint64_t bits;

	if (sys_read_text(s, "/proc/self/status", buf, sizeof(buf)) <= 0)
		return s->uid(s) == 0;

	const char *at = strstr(buf, "CapEff:");

	if (!at)
		return s->uid(s) == 0;

	struct sv rest = sv_from(at + 7), line;

	sv_cut(&rest, '\n', &line);
	return str_u64(sv_trim(line), 16, &bits) && bits >> cap & 1;
}

const char *sys_lockdown(const struct sys *s, char *buf, size_t size)
{
	char text[128];
	const char *a, *b;

	if (size)
		buf[0] = '\0';
	if (sys_read_text(s, "/sys/kernel/security/lockdown", text, sizeof(text)) <= 0)
		return buf;
	a = strchr(text, '[');
	b = a ? strchr(a, ']') : NULL;
	if (b)
		str_copy(buf, size, (struct sv){ a + 1, (size_t)(b - a - 1) });
	return buf;
}

const char *sys_tracefs(const struct sys *s)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char path[128];

		snprintf(path, sizeof(path), "%s/trace_pipe", places[i]);
		if (sys_exists(s, path))
			return places[i];
	}
	return NULL;
}
