/*
 * A trace.dat cut into parts: eight bytes of choices, then the recording. What is cut without a range has all events in
 * its parts, each once, and each part is a recording that can be read.
 */
#include "disk.h"
#include "parts.h"

#include "tracing/transport/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { EVENTS_MOST = 400 };

struct made {
	struct disk *d;
	uint64_t told, events;
};

static uint64_t count(const struct tdat *d, int *error)
{
	struct tdat_reader *r = tdat_reader_new(d, -1, NULL);
	struct tstream_rec rec;
	uint64_t n = 0;

	while (r && (*error = tdat_reader_next(r, &rec, NULL)) > 0)
		n++;
	tdat_reader_free(r);
	return n;
}

static void part_made(void *arg, const char *path, uint64_t events)
{
	struct made *m = arg;
	struct disk_file *f = disk_find(m->d, path);
	struct tdat t;
	int error = 0;

	if (!f || tdat_init(&t, f->v, f->n, NULL))
		abort();
	m->events += count(&t, &error);
	m->told += events;
	if (error < 0)
		abort();
	tdat_deinit(&t);
	disk_unlink(&m->d->sys, path);
}

/* As the command refuses them. */
static bool can_be_split(const struct tdat *d)
{
	for (size_t i = 0; i < d->buffers.n; i++)
		if (d->buffers.v[i].latency)
			return false;
	return d->buffers.n && !d->blob.machine.swap;
}

static void split(struct disk *disk, const struct tdat *d, const uint8_t how[8])
{
	struct made m = { .d = disk };
	uint64_t bad_pages = 0;
	struct split_want w = {
		.sys = &disk->sys, .d = d, .output = "out", .unit = how[0] & 3, .count = 1 + how[1] + (how[2] << 8u),
		.repeat = how[0] & 4, .each_cpu = how[0] & 8, .cpu = how[0] & 16 ? how[3] % (int)MAX(d->ncpus, 1u) : -1,
		.end = UINT64_MAX, .made = part_made, .arg = &m, .bad_pages = &bad_pages,
	};
	int error = 0;
	uint64_t all = count(d, &error);
	struct err e;

	if (all > EVENTS_MOST)
		return;
	if (how[0] & 32) {
		w.start = (uint64_t)how[4] << 24;
		w.end = w.start + ((uint64_t)how[5] << 24);
	}
	if (split_run(&w, &e) < 0)
		return;
	if (m.told != m.events || (error >= 0 && m.told > all))
		abort();
	if (error >= 0 && w.cpu < 0 && w.end == UINT64_MAX && (w.repeat || w.unit == SPLIT_WHOLE) && m.told != all)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct disk *disk;
	struct tdat d;

	if (n < 8)
		return 0;
	disk = disk_new();
	if (!tdat_init(&d, p + 8, n - 8, NULL) && can_be_split(&d))
		split(disk, &d, p);
	tdat_deinit(&d);
	disk_free(disk);
	return 0;
}
