/* journal.c - records, and the location of the file. */
#include "tracing/journal.h"

#include "base/fmt.h"
#include "sys/child.h"
#include "sys/output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#define SHARED_NAME "sonde-"    /* followed by the uid */

enum { LOAD_MAX = 256 << 20, BOOT_ID = 64 };

static const char *boot_id(const struct sys *sys, char buf[BOOT_ID])
{
	sys_read_line(sys, buf, BOOT_ID, "/proc/sys/kernel/random/boot_id");
	return buf;
}

/* --- processes --- */

struct process {
	char state;
	uint64_t flags, started, pending;
};

static struct process process_of(const struct sys *sys, int pid)
{
	enum { NAME = 2, STATE = 3, FLAGS = 9, STARTED = 22, PENDING = 31 };   /* fields of proc(5)'s stat */
	struct process p = { 0 };
	char text[1024], path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (sys_read_text(sys, path, text, sizeof(text)) <= 0)
		return p;

	const char *end = strrchr(text, ')');
	struct sv rest = sv_from(end ? end + 1 : ""), word = { 0 };

	for (int i = NAME; i <= PENDING && sv_cut(&rest, ' ', &word); i++) {
		if (i == STATE && word.n)
			p.state = word.s[0];
		else if (i == FLAGS)
			str_u64(word, 10, &p.flags);
		else if (i == STARTED)
			str_u64(word, 10, &p.started);
		else if (i == PENDING)
			str_u64(word, 10, &p.pending);
	}
	return p;
}

uint64_t journal_started(const struct sys *sys, int pid)
{
	return process_of(sys, pid).started;
}

enum journal_life journal_life(const struct sys *sys, int pid, uint64_t started)
{
	enum { PF_EXITING = 4, KILLED = 1 << (9 - 1) };   /* linux/sched.h; SIGKILL's bit */
	struct process p = process_of(sys, pid);

	if (!p.started || p.started != started || p.state == 'Z' || p.state == 'X')
		return JOURNAL_GONE;
	return p.flags & PF_EXITING || p.pending & KILLED ? JOURNAL_DYING : JOURNAL_LIVES;
}

bool journal_maker_is_gone(const struct sys *sys, struct sv name, char separator)
{
	struct sv rest = name, word, pid_word;
	uint64_t pid, start;

	if (!sv_cut(&rest, separator, &word) || !sv_eq(word, "sonde") || !sv_cut(&rest, separator, &pid_word) ||
	    !str_u64(pid_word, 10, &pid) || pid > INT_MAX || !sv_cut(&rest, separator, &word) ||
	    !str_u64(word, 10, &start))
		return false;
	/* From another pid namespace: the process may well live there. */
	if (memmem(name.s, name.n, "-ns", 3))
		return false;
	return journal_life(sys, (int)pid, start) == JOURNAL_GONE;
}

const char *journal_namespace(const struct sys *sys, char buf[JOURNAL_NAMESPACE])
{
	static const char first[] = "pid:[4026531836]";   /* PROC_PID_INIT_INO */
	char link[64];
	ssize_t n = sys->readlink(sys, "/proc/self/ns/pid", link, sizeof(link) - 1);
	const char *number;

	buf[0] = '\0';
	if (n <= 0)
		return buf;
	link[n] = '\0';
	number = strchr(link, '[');
	if (number && strcmp(link, first))
		snprintf(buf, JOURNAL_NAMESPACE, "-ns%.*s", (int)strcspn(number + 1, "]"), number + 1);
	return buf;
}

/* --- folders --- */

bool journal_folder(const struct sys *sys, unsigned i, char path[TFS_PATH])
{
	const char *tmp = getenv("TMPDIR");
	const char *const places[] = { "/run", tmp && *tmp == '/' ? tmp : "/tmp", "/dev/shm", "/tmp" };

	if (i >= ARRAY_SIZE(places))
		return false;
	if (i)
		snprintf(path, TFS_PATH, "%s/" SHARED_NAME "%u", places[i], sys->uid(sys));
	else
		snprintf(path, TFS_PATH, "/run/sonde");
	return true;
}

static bool is_alone(const struct sys *sys, int fd, mode_t type, unsigned uid)
{
	struct stat st;

	return !sys->fstat(sys, fd, &st) && (st.st_mode & S_IFMT) == type && st.st_uid == uid &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Another user's journal could make us write anything. */
static bool is_ours_alone(const struct sys *sys, int fd, mode_t type)
{
	return is_alone(sys, fd, type, sys->uid(sys));
}

bool journal_folder_is_safe(const struct sys *sys, const char *path)
{
	int fd = sys->open(sys, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	bool safe = fd >= 0 && is_ours_alone(sys, fd, S_IFDIR);

	if (fd >= 0)
		sys->close(sys, fd);
	return safe;
}

void journal_remove_folder(const struct sys *sys, const char *folder)
{
	const char *slash = strrchr(folder, '/');

	if (slash && !strncmp(slash + 1, SHARED_NAME, strlen(SHARED_NAME)))
		sys->rmdir(sys, folder);
}

void journal_remove(const struct sys *sys, const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	sys->unlink(sys, path);
	if (!slash)
		return;
	str_copy(folder, sizeof(folder), (struct sv){ path, (size_t)(slash - path) });
	journal_remove_folder(sys, folder);
}

/* --- other users' --- */

static void each_of_user(const struct sys *sys, const char *folder, unsigned uid,
			 void (*each)(void *arg, const struct journal_foreign *f), void *arg)
{
	enum { FILES_MAX = 1000 };   /* far more than anybody's dead runs leave */
	struct journal_foreign f = { .uid = uid };
	char path[PATH_MAX];
	struct sys_list l;

	f.folder = sys->open(sys, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (f.folder < 0)
		return;
	if (is_alone(sys, f.folder, S_IFDIR, uid) && !sys_list_dir(sys, folder, &l)) {
		for (size_t i = 0; i < MIN(l.n, (size_t)FILES_MAX); i++) {
			if (strncmp(l.v[i], JOURNAL_NAME, strlen(JOURNAL_NAME)))
				continue;
			snprintf(path, sizeof(path), "%s/%s", folder, l.v[i]);
			f.path = path;
			f.name = l.v[i];
			each(arg, &f);
		}
		sys_list_free(&l);
		/* Remove the folder if that was the last journal in it. */
		sys->rmdir(sys, folder);
	}
	sys->close(sys, f.folder);
}

static void each_in_place(const struct sys *sys, const char *place,
			  void (*each)(void *arg, const struct journal_foreign *f), void *arg)
{
	char folder[PATH_MAX];
	struct sys_list l;
	uint64_t uid;

	if (sys_list_dir(sys, place, &l))
		return;
	for (size_t k = 0; k < l.n; k++) {
		if (strncmp(l.v[k], SHARED_NAME, strlen(SHARED_NAME)) ||
		    !str_u64(sv_from(l.v[k] + strlen(SHARED_NAME)), 10, &uid) || !uid || uid > UINT32_MAX)
			continue;
		snprintf(folder, sizeof(folder), "%s/%s", place, l.v[k]);
		each_of_user(sys, folder, (unsigned)uid, each, arg);
	}
	sys_list_free(&l);
}

void journal_each_foreign(const struct sys *sys, void (*each)(void *arg, const struct journal_foreign *f), void *arg)
{
	static const char *const places[] = { "/tmp", "/dev/shm" };
	const char *tmp = getenv("TMPDIR");
	bool other = tmp && *tmp == '/';

	if (sys->uid(sys))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		each_in_place(sys, places[i], each, arg);
		other &= tmp && strcmp(tmp, places[i]);
	}
	if (other)
		each_in_place(sys, tmp, each, arg);
}

int journal_open_foreign(const struct sys *sys, const struct journal_foreign *f)
{
	struct stat st;
	/* Check the type first: opening a device may have side effects. */
	int r = sys->lstat(sys, f->path, &st), fd;

	if (r || !S_ISREG(st.st_mode))
		return r ? r : -EPERM;
	fd = sys->open(sys, f->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (fd >= 0 && !is_alone(sys, fd, S_IFREG, f->uid)) {
		sys->close(sys, fd);
		return -EPERM;
	}
	return fd;
}

static int open_new(struct journal *j, const char *folder)
{
	const struct sys *sys = j->sys;
	int pid = sys_self(), fd = -EACCES;

	/* A process rarely has more than one journal. */
	for (unsigned i = 0; i < 16; i++) {
		/* Made anew in each round: the process that removes the last journal also removes the folder. */
		sys->mkdir(sys, folder, 0700);
		if (!journal_folder_is_safe(sys, folder))
			return -EACCES;
		snprintf(j->path, sizeof(j->path), "%s/" JOURNAL_NAME "%llu-%d-%u", folder,
			 (unsigned long long)journal_started(sys, pid), pid, i);
		fd = output_new(sys, j->path, O_RDWR | O_APPEND, OUTPUT_PRIVATE);
		if (fd == -EEXIST || fd == -ENOENT)
			continue;
		if (fd < 0 || (!sys->flock(sys, fd, LOCK_EX | LOCK_NB) && sys_exists(sys, j->path)))
			break;
		/* Another run's sweep opened it before we could lock it. */
		sys->close(sys, fd);
		fd = -EBUSY;
	}
	return fd;
}

int journal_init(struct journal *j, const struct sys *sys, struct err *e)
{
	char folder[TFS_PATH], id[BOOT_ID], ns[JOURNAL_NAMESPACE];

	*j = (struct journal){ .sys = sys, .fd = -1 };
	for (unsigned i = 0; j->fd < 0 && journal_folder(sys, i, folder); i++)
		j->fd = open_new(j, folder);
	if (j->fd < 0) {
		j->fd = -1;
		j->path[0] = '\0';
	}
	return journal_add(j, &(struct jrec){ .kind = J_HEAD, .where = sv_from(journal_namespace(sys, ns)),
					      .what = sv_from(boot_id(sys, id)) }, e);
}

void journal_deinit(struct journal *j)
{
	if (j->fd >= 0) {
		/* The lock belongs to the open file description: unlock it for all processes that share it. */
		j->sys->flock(j->sys, j->fd, LOCK_UN);
		j->sys->close(j->sys, j->fd);
	}
	vec_free(&j->log);
	*j = (struct journal){ .fd = -1 };
}

/* --- records --- */

int journal_add(struct journal *j, const struct jrec *rec, struct err *e)
{
	const struct sv *parts[] = { &rec->where, &rec->what, &rec->old, &rec->is };
	char head[128];
	size_t n = (size_t)snprintf(head, sizeof(head), "%c %zu %zu %zu %zu\n", rec->kind, rec->where.n, rec->what.n,
				    rec->old.n, rec->is.n);
	size_t at = j->log.n, all = n;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		all += parts[i]->n;
	if (vec_reserve(&j->log, all))
		return err_nomem(e);
	memcpy(j->log.v + at, head, n);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (parts[i]->n)
			memcpy(j->log.v + at + n, parts[i]->s, parts[i]->n);
		n += parts[i]->n;
	}
	j->log.n += all;

	int r = j->fd < 0 ? 0 : sys_write_all(j->sys, j->fd, j->log.v + at, all);

	if (!r)
		return 0;
	/* Remove the partial record: nothing behind it could be read. */
	j->log.n = at;
	if (at)
		j->sys->ftruncate(j->sys, j->fd, at);
	return err_set(e, -r, "cannot write %s: %s", j->path, err_name(-r));
}

bool journal_next(struct sv *log, struct jrec *rec)
{
	struct sv *parts[] = { &rec->where, &rec->what, &rec->old, &rec->is };
	struct sv rest = *log, line, word;
	uint64_t n[ARRAY_SIZE(parts)];

	if (!sv_cut(&rest, '\n', &line) || !rest.s || line.n < 2)
		return false;
	rec->kind = line.s[0];
	sv_cut(&line, ' ', &word);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (!sv_cut(&line, ' ', &word) || !str_u64(word, 10, &n[i]))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (n[i] > rest.n)
			return false;
		*parts[i] = (struct sv){ rest.s, (size_t)n[i] };
		rest.s += n[i];
		rest.n -= (size_t)n[i];
	}
	*log = rest;
	return true;
}

bool journal_is_current(const struct sys *sys, struct sv log)
{
	char id[BOOT_ID];
	struct jrec head;

	return journal_next(&log, &head) && head.kind == J_HEAD && sv_eq(head.what, boot_id(sys, id));
}

static int load(const struct sys *sys, int fd, size_t max, char **text, size_t *n)
{
	VEC(char) v = { 0 };
	ssize_t got = 1;

	while (got > 0 && v.n < max) {
		if (vec_reserve(&v, 4096)) {
			got = -ENOMEM;
			break;
		}
		got = sys->pread(sys, fd, v.v + v.n, MIN(v.cap - v.n, max - v.n), v.n);
		v.n += got > 0 ? (size_t)got : 0;
	}
	if (got < 0) {
		vec_free(&v);
		return (int)got;
	}
	*text = v.v;
	*n = v.n;
	return 0;
}

int journal_load(const struct sys *sys, int fd, char **text, size_t *n)
{
	return is_ours_alone(sys, fd, S_IFREG) ? load(sys, fd, LOAD_MAX, text, n) : -EPERM;
}

int journal_load_foreign(const struct sys *sys, int fd, unsigned uid, size_t max, char **text, size_t *n)
{
	int r = is_alone(sys, fd, S_IFREG, uid) ? load(sys, fd, max + 1, text, n) : -EPERM;

	if (!r && *n > max) {
		free(*text);
		return -EFBIG;
	}
	return r;
}
