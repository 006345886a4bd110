/* traceclock.c - see traceclock.h. */
#include "tracing/traceclock.h"

#include "tracefs/ring/page.h"

#include <fcntl.h>

#define KB "64"   /* per CPU, room for some hundred events */

/* What is written to trace_marker_raw begins with an id, which becomes a field of its own. */
struct note {
	uint32_t id, number;
};

static int find_event(struct traceclock *c, struct err *e)
{
	static const char file[] = "events/ftrace/raw_data/format";
	const struct tfield *id = NULL;
	struct arena arena = { 0 };
	struct tfmt f;
	char *text;
	size_t n;
	int r = tfs_read_all(&c->tfs, file, &text, &n, e);

	if (r)
		return r;
	r = tfmt_parse(&f, &arena, (struct sv){ text, n }, (struct tmachine){ .long_size = sizeof(long) }, e);
	if (!r && !(id = tfmt_field(&f, "id")))
		r = err_set(e, EOPNOTSUPP, "%s has no field id", file);
	if (!r) {
		c->raw_id = f.id;
		c->offset = id->offset;
	}
	arena_deinit(&arena);
	free(text);
	return r;
}

static int open_marker(struct traceclock *c, struct err *e)
{
	char path[PATH_MAX];

	tfs_path(&c->tfs, "trace_marker_raw", path);
	c->marker = c->tfs.sys->open(c->tfs.sys, path, O_WRONLY, 0);
	return c->marker < 0 ? err_set(e, -c->marker, "cannot open %s: %s", path, err_name(-c->marker)) : 0;
}

int traceclock_init(struct traceclock *c, struct undo *u, const struct tfs *top, const char *clock, struct err *e)
{
	int r;

	*c = (struct traceclock){ .marker = -1 };
	r = undo_instance(u, &c->tfs, top, e);
	if (!r)
		r = tfs_put(&c->tfs, "buffer_size_kb", KB, e);
	if (!r && clock)
		r = tfs_put(&c->tfs, "trace_clock", clock, e);
	if (!r)
		r = tfs_put(&c->tfs, "tracing_on", "1", e);
	if (!r)
		r = rings_layout(&c->tfs, &c->layout, e);
	if (!r)
		r = find_event(c, e);
	if (!r)
		r = open_marker(c, e);
	if (!r && !(c->page = malloc(rings_subbuf(&c->layout))))
		r = err_nomem(e);
	if (r)
		traceclock_deinit(c);
	return r;
}

void traceclock_deinit(struct traceclock *c)
{
	if (c->marker >= 0)
		c->tfs.sys->close(c->tfs.sys, c->marker);
	free(c->page);
	c->marker = -1;
	c->page = NULL;
}

int traceclock_note(const struct traceclock *c, uint32_t number)
{
	struct note n = { .number = number };
	ssize_t done = c->tfs.sys->write(c->tfs.sys, c->marker, &n, sizeof(n));

	return done < 0 ? (int)done : 0;
}

struct reading {
	const struct traceclock *c;
	void (*each)(void *arg, uint32_t number, uint64_t ts);
	void *arg;
};

static void read_page(const struct reading *r, size_t n)
{
	const struct traceclock *c = r->c;
	struct tpage_event ev;
	struct tpage p;
	struct note note;
	uint16_t id;

	if (tpage_init(&p, &c->layout, false, c->page, n))
		return;
	while (tpage_next(&p, &ev)) {
		if (ev.n < c->offset + sizeof(note))
			continue;
		memcpy(&id, ev.raw, sizeof(id));
		memcpy(&note, ev.raw + c->offset, sizeof(note));
		if (id == c->raw_id)
			r->each(r->arg, note.number, ev.ts);
	}
}

void traceclock_read(struct traceclock *c, void (*each)(void *arg, uint32_t number, uint64_t ts), void *arg)
{
	const struct sys *sys = c->tfs.sys;
	struct reading r = { c, each, arg };
	struct cpus cpus;
	ssize_t n;

	if (rings_cpus(&c->tfs, &cpus, NULL))
		return;
	for (int cpu = -1; (cpu = cpus_next(&cpus, (unsigned)cpu + 1)) >= 0; ) {
		int fd = rings_open(&c->tfs, (unsigned)cpu, RINGS_LIVE, NULL);

		while (fd >= 0 && (n = sys->read(sys, fd, c->page, rings_subbuf(&c->layout))) > 0)
			read_page(&r, (size_t)n);
		if (fd >= 0)
			sys->close(sys, fd);
	}
}
