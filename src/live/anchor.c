/* anchor.c - see anchor.h. */
#include "live/anchor.h"

#include "probing/kernel_list.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { CPUS_TRIED = 64, MAPS_MOST = 4 << 20 };

/* "libc.so.6", "x.so": file names of shared libraries, which other processes may have mapped, too. */
static bool is_library(struct sv path)
{
	for (size_t i = path.n; i-- > 0 && path.s[i] != '/';)
		if (path.n - i >= 3 && !memcmp(path.s + i, ".so", 3) && (path.n - i == 3 || path.s[i + 3] == '.'))
			return true;
	return false;
}

/* Read all uprobes that are defined now: tracepoint id and file. */
static void read_places(struct anchors *a)
{
	struct kernel_list x = { 0 };
	struct tfs tfs;

	a->is_read = true;
	if (tfs_open(&tfs, a->sys, NULL) || kernel_list_read(&x, &tfs, NULL))
		return;
	for (size_t i = 0; i < x.v.n; i++) {
		const struct dynevent *d = &x.v.v[i];
		struct anchor_place *at;
		uint64_t id = 0;

		if (d->kind != DYNEVENT_UPROBE ||
		    sys_read_u64(a->sys, &id, "%s/events/%.*s/%.*s/id", tfs.root, (int)d->group.n, d->group.s,
				 (int)d->event.n, d->event.s))
			continue;
		at = vec_add(&a->places);
		if (at)
			*at = (struct anchor_place){ id, strndup(d->target.s, d->target.n) };
	}
	kernel_list_deinit(&x);
}

/* The file of the uprobe with this tracepoint id; NULL: the tracepoint is not a uprobe. */
static const char *find_file(struct anchors *a, uint64_t id)
{
	if (!a->is_read)
		read_places(a);
	for (size_t i = 0; i < a->places.n; i++)
		if (a->places.v[i].id == id)
			return a->places.v[i].file;
	return NULL;
}

static int open_for(const struct anchors *a, uint64_t id, int pid, int cpu)
{
	struct perf_attr attr = {
		.type = PERF_TRACEPOINT, .size = PERF_ATTR_VER0, .config = id, .flags = PERF_ATTR_DISABLED,
	};

	return a->sys->perf_event_open(a->sys, &attr, pid, cpu, -1, PERF_FLAG_CLOEXEC);
}

/* For all tasks, on the first CPU that is online. */
static int open_for_all(const struct anchors *a, uint64_t id)
{
	int fd = -ENODEV;

	for (int cpu = 0; cpu < CPUS_TRIED && fd == -ENODEV; cpu++)
		fd = open_for(a, id, -1, cpu);
	return fd;
}

/* --- who else has a library --- */

/*
 * A line of /proc/PID/maps: START-END RIGHTS OFFSET DEVICE INODE NAME. Is it an executable mapping of the file? Name or
 * device and inode must match: names differ between mount namespaces, and some file systems show other devices here.
 */
static bool is_code_of(struct sv line, const char *path, const char *device_and_inode)
{
	struct sv word, rights;
	const char *at;

	if (!sv_cut(&line, ' ', &word) || !sv_cut(&line, ' ', &rights) || !sv_cut(&line, ' ', &word) ||
	    rights.n < 3 || rights.s[2] != 'x')
		return false;
	at = line.s;
	for (unsigned i = 0; i < 2; i++)
		if (!sv_cut(&line, ' ', &word))
			return false;
	return sv_eq((struct sv){ at, (size_t)(word.s + word.n - at) }, device_and_inode) || sv_eq(sv_trim(line), path);
}

static bool has_mapped(const struct anchors *a, const char *pid, const char *file, const char *device_and_inode)
{
	struct sv rest, line;
	char name[64], *text;
	bool found = false;
	size_t n;

	snprintf(name, sizeof(name), "/proc/%s/maps", pid);
	if (sys_read_all(a->sys, name, MAPS_MOST, &text, &n, NULL))
		return false;
	for (rest = (struct sv){ text, n }; !found && sv_cut(&rest, '\n', &line);)
		found = is_code_of(line, file, device_and_inode);
	free(text);
	return found;
}

/* Does a process other than that of `tid` map the file? */
static bool is_shared(const struct anchors *a, const char *file, int tid)
{
	char own[64], path[64], name[64];
	struct sys_list list;
	struct stat st;
	bool shared = false;

	if (a->sys->stat(a->sys, file, &st) || sys_list_dir(a->sys, "/proc", &list))
		return true;
	snprintf(name, sizeof(name), "%02x:%02x %llu", major(st.st_dev), minor(st.st_dev),
		 (unsigned long long)st.st_ino);
	for (size_t i = 0; !shared && i < list.n; i++) {
		snprintf(own, sizeof(own), "%s", list.v[i]);
		snprintf(path, sizeof(path), "/proc/%.20s/task/%d", own, tid);
		shared = own[0] >= '0' && own[0] <= '9' && a->sys->access(a->sys, path, 0) &&
			 has_mapped(a, own, file, name);
	}
	sys_list_free(&list);
	return shared;
}

/* --- hold --- */

static struct anchor *find(struct anchors *a, uint64_t id, int pid)
{
	for (size_t i = 0; i < a->v.n; i++)
		if (a->v.v[i].id == id && (a->v.v[i].pid == pid || a->v.v[i].pid < 0))
			return &a->v.v[i];
	return NULL;
}

void anchors_hold(struct anchors *a, const struct perf_attr *attr, int pid)
{
	const char *file;
	struct anchor *at;

	if (attr->type != PERF_TRACEPOINT || !(attr->flags & PERF_ATTR_INHERIT) || pid < 0 ||
	    find(a, attr->config, pid))
		return;
	at = vec_add(&a->v);
	if (!at)
		return;
	*at = (struct anchor){ attr->config, -1, -1 };
	file = find_file(a, attr->config);
	if (!file)
		return;
	if (!is_library(sv_from(file)) || !is_shared(a, file, pid))
		at->fd = open_for_all(a, attr->config);
	if (at->fd >= 0)
		return;
	at->pid = pid;
	at->fd = open_for(a, attr->config, pid, -1);
	str_copy(a->library, sizeof(a->library), sv_from(file));
}

void anchors_close(struct anchors *a)
{
	for (size_t i = 0; i < a->v.n; i++)
		if (a->v.v[i].fd >= 0)
			a->sys->close(a->sys, a->v.v[i].fd);
	for (size_t i = 0; i < a->places.n; i++)
		free(a->places.v[i].file);
	vec_free(&a->places);
	vec_free(&a->v);
}

bool anchors_note(const struct anchors *a, char *buf, size_t size)
{
	if (a->library[0])
		snprintf(buf, size, "hits of %s may be missing in children of children: when they end, the kernel "
			 "takes the probe from tasks that go on.\n  Others use it, too, so it is not kept in all "
			 "processes for that; -a has all hits", a->library);
	return a->library[0];
}
