/*
 * Files of rings made into a recording: four bytes of choices, a description (a trace.dat, or the files of a tracing
 * folder), then the rings. What is made is a recording that can be read.
 */
#include "disk.h"
#include "parts.h"

#include "tracing/transport/restore.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { RINGS = 3 };

static const char *const names[] = {
	"trace.dat.cpu0", "trace.dat.cpu1", "trace.dat.foo.cpu0", "trace.dat.foo.cpu7", "other.dat.cpu1", "plain",
	"trace.dat.cpu99999", ".cpu3", "trace.dat.cpu", "trace.dat.foo.bar.cpu2",
};

static void read_again(struct disk *d)
{
	struct disk_file *f = disk_find(d, "out");
	struct tdat t;
	struct err e;

	if (!f || tdat_init(&t, f->v, f->n, &e))
		abort();
	tdat_deinit(&t);
}

static void tracing_folder(struct disk *d, struct bytes description)
{
	static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

	disk_put(d, "copy/events/header_page", page, sizeof(page) - 1);
	disk_put(d, "copy/events/header_event", "", 0);
	disk_put(d, "copy/events/ftrace/function/format", description.p, description.n);
	disk_put(d, "copy/events/sched/sched_switch/format", description.p, description.n);
	disk_put(d, "copy/printk_formats", description.p, description.n);
	disk_put(d, "copy/saved_cmdlines", description.p, description.n);
	disk_put(d, "kallsyms", description.p, description.n);
}

static void run(struct disk *d, const uint8_t how[4], const struct tdat *like)
{
	char *files[RINGS];
	struct restore_want w = { .sys = &d->sys, .output = "out", .like = like, .tracing = "copy",
				  .kallsyms = "kallsyms",
				  .format = how[0] % 3, .files = files, .n_files = how[0] >> 2 & 3 };
	struct restore_result res;
	struct err e;

	for (size_t i = 0; i < RINGS; i++)
		files[i] = (char *)(uintptr_t)names[how[1 + i] % ARRAY_SIZE(names)];
	if (!restore_run(&w, &res, &e))
		read_again(d);
	else if (disk_find(d, "out"))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	const uint8_t *how = cur_bytes(&c, 4);
	struct bytes description = part_take(&c), rings = part_rest(&c);
	struct disk *d;
	struct tdat like;

	if (!how)
		return 0;
	d = disk_new();
	for (size_t i = 0; i < RINGS; i++) {
		size_t from = rings.n / RINGS * i, to = i + 1 < RINGS ? rings.n / RINGS * (i + 1) : rings.n;

		disk_put(d, names[how[1 + i] % ARRAY_SIZE(names)], rings.p + from, to - from);
	}
	if (how[0] & 128) {
		tracing_folder(d, description);
		run(d, how, NULL);
	} else if (!tdat_init(&like, description.p, description.n, NULL)) {
		run(d, how, &like);
		tdat_deinit(&like);
	} else {
		tdat_deinit(&like);
	}
	disk_free(d);
	return 0;
}
