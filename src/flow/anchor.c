/* anchor.c - see anchor.h. */
#include "flow/anchor.h"

#include "probing/existing.h"

enum { CPUS_TRIED = 64 };

/* "libc.so.6", "x.so": people's names for what others have mapped, too. */
static bool is_library(struct sv path)
{
	for (size_t i = path.n; i-- > 0 && path.s[i] != '/';)
		if (path.n - i >= 3 && !memcmp(path.s + i, ".so", 3) && (path.n - i == 3 || path.s[i + 3] == '.'))
			return true;
	return false;
}

/* All probes of programs that there are, by their ids. */
static void read_places(struct anchors *a)
{
	struct existing x = { 0 };
	struct tfs tfs;

	a->is_read = true;
	if (tfs_open(&tfs, a->sys, NULL) || existing_read(&x, &tfs, NULL))
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
	existing_deinit(&x);
}

/* The file of the uprobe with that id; NULL: it is none. */
static const char *find_file(struct anchors *a, uint64_t id)
{
	if (!a->is_read)
		read_places(a);
	for (size_t i = 0; i < a->places.n; i++)
		if (a->places.v[i].id == id)
			return a->places.v[i].file;
	return NULL;
}

/* On the first CPU that is there. */
static int open_for_all(const struct anchors *a, uint64_t id)
{
	int fd = -ENODEV;

	for (int cpu = 0; cpu < CPUS_TRIED && fd == -ENODEV; cpu++) {
		struct perf_attr attr = {
			.type = PERF_TRACEPOINT, .size = PERF_ATTR_VER0, .config = id, .flags = PERF_ATTR_DISABLED,
		};

		fd = a->sys->perf_event_open(a->sys, &attr, -1, cpu, -1, PERF_FLAG_CLOEXEC);
	}
	return fd;
}

void anchors_hold(struct anchors *a, const struct perf_attr *attr, int pid)
{
	const char *file;
	struct anchor *at;

	if (attr->type != PERF_TRACEPOINT || !(attr->flags & PERF_ATTR_INHERIT) || pid < 0)
		return;
	for (size_t i = 0; i < a->v.n; i++)
		if (a->v.v[i].id == attr->config)
			return;
	at = vec_add(&a->v);
	if (!at)
		return;
	*at = (struct anchor){ attr->config, -1 };
	file = find_file(a, attr->config);
	if (!file)
		return;
	if (!is_library(sv_from(file)))
		at->fd = open_for_all(a, attr->config);
	if (at->fd < 0)
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
		snprintf(buf, size, "hits of %s may be missing if tasks forked: the kernel then takes a probe from "
			 "tasks that go on; -a has them all", a->library);
	return a->library[0];
}
