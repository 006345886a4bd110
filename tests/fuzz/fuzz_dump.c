/* A whole recording as `script -D` tells it: each record's bytes and what they mean, by time and as they lie. */
#include "disk.h"

#include "cmd/dump.h"
#include "perf/data_src.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static int count(void *arg, const char *bytes, size_t n)
{
	uint64_t *sum = arg;

	for (size_t i = 0; i < n; i++)
		*sum += (uint8_t)bytes[i];
	return 0;
}

static void dump_all(struct session *s, struct out *o, bool of_script)
{
	struct session_item it;
	struct frames frames;
	struct dump dump;
	struct err e = { 0 };

	if (dump_can(s, &e) || frames_init(&frames, s))
		return;
	dump_begin(&dump, s, o, of_script);
	while (session_next(s, &it, &e) == 1)
		if (it.event) {
			dump_place(&dump, &frames, &it.sample, "comm");
			data_src_text(it.sample.data_src, o);
		}
	frames_deinit(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char buf[1024];
	uint64_t sum = 0;
	struct out o = { .write = count, .arg = &sum, .buf = buf, .cap = sizeof(buf) };
	struct disk *d = disk_new();
	struct session_want w = { .path = "in", .raw_order = n & 1, .rounds = true };
	struct session s;
	struct err e = { 0 };

	disk_put(d, "in", p, n);
	if (!session_open(&s, &d->sys, &w, &e)) {
		dump_all(&s, &o, n & 2);
		out_end(&o);
		session_close(&s);
	}
	disk_free(d);
	return 0;
}
