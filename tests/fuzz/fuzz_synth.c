/*
 * /proc of a machine, made of the parts of the input, as the records that tell what was there before the recording
 * began: each of them is whole, and a file for a COMM or MMAP2 can be read again.
 */
#include "disk.h"
#include "parts.h"

#include "record/synth.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const char *const files[] = {
	"/proc/42/maps", "/proc/42/status", "/proc/42/task/42/comm", "/proc/42/task/43/comm", "/proc/kallsyms",
	"/proc/modules", "/proc/7/status", "/proc/7/maps", "/bin/prog",
	"/sys/module/mod/notes/.note.gnu.build-id",
};

/* Sizes lead from one to the next, and to the end. */
static void check(const char *v, size_t n)
{
	struct perf_rec h;

	for (size_t at = 0; at < n; at += h.size) {
		if (n - at < sizeof(h))
			abort();
		memcpy(&h, v + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > n - at || h.size % 8)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	struct disk *d = disk_new();
	struct dsos dsos = { 0 };
	struct mem_out m;
	struct build_id id;
	struct synth s = { .sys = &d->sys, .out = &m.out, .dsos = &dsos };
	struct err e;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct bytes part = i + 1 < ARRAY_SIZE(files) ? part_take(&c) : part_rest(&c);

		disk_put(d, files[i], part.p, part.n);
	}
	mem_out_init(&m);
	synth_kernel(&s);
	synth_all(&s, &e);
	synth_tasks(&s, (int[]){ 7, 43, 42, 42 }, 4, &e);
	check(mem_out_str(&m), m.n);
	for (size_t i = 0; i < dsos.seen.n; i++)
		if (dsos_build_id(&dsos, &d->sys, i, &id) > 0 && (!id.size || id.size > sizeof(id.v)))
			abort();
	dsos_deinit(&dsos);
	mem_out_deinit(&m);
	disk_free(d);
	return 0;
}
