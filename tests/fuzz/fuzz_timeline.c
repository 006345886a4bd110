/* A whole recording made into a page's data, which is then read again: its lengths and numbers of items are true. */
#include "disk.h"

#include "report/exporter.h"
#include "timeline/acts.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static uint64_t number(struct cursor *c)
{
	uint64_t v = 0;
	uint8_t byte = 128;

	for (unsigned shift = 0; byte & 128 && shift < 64; shift += 7) {
		byte = cur_u8(c);
		v |= (uint64_t)(byte & 127) << shift;
	}
	return v;
}

/* The bytes of one lane's lowest level are as many items as it has. */
static uint64_t items(enum lane_kind kind, struct bytes b)
{
	struct cursor c = { .start = b.p, .pos = b.p, .end = b.p + b.n };
	uint64_t n = 0;

	for (; cur_left(&c); n++) {
		unsigned more = 3 + (kind == LANE_RUN ? 1 : kind == LANE_MARK ? 3 : kind == LANE_TASK_MARK ? 1 : 0);

		for (unsigned i = 0; i < more; i++)
			number(&c);
		if (kind == LANE_RUN && number(&c)) {
			number(&c);
			number(&c);
		}
		if (kind == LANE_MARK)
			cur_skip(&c, number(&c));
		if (c.bad)
			abort();
	}
	return n;
}

static void check(const struct roll *r, const char *bytes, size_t size)
{
	struct cursor c = { .start = (const uint8_t *)bytes, .pos = (const uint8_t *)bytes,
			    .end = (const uint8_t *)bytes + size };
	uint64_t *n = calloc(r->lanes.n + 1, sizeof(*n)), tag;

	while ((tag = number(&c)) != ROLL_ABOUT && !c.bad) {
		uint64_t level = number(&c), length = number(&c);
		struct bytes piece = { cur_bytes(&c, length), length };

		if (c.bad || tag >= r->lanes.n + ROLL_LANES)
			abort();
		if (tag >= ROLL_LANES && !level)
			n[tag - ROLL_LANES] += items(r->lanes.v[tag - ROLL_LANES]->kind, piece);
	}
	for (size_t i = 0; i < r->lanes.n; i++)
		if (n[i] != (r->lanes.v[i]->kind == LANE_TASK ? 0 : r->lanes.v[i]->items))
			abort();
	if (number(&c) || c.bad || !cur_left(&c) || *c.pos != '{')
		abort();
	free(n);
}

static void make_page(struct session *s, const char *path)
{
	struct mem_out text;
	struct roll roll;
	struct acts_to to = { .roll = &roll, .counters = acts_counters, .n_counters = acts_n_counters };
	struct filter_want filter = { 0 };
	struct exporter_want w = { .format = &acts_format, .filter = &filter, .path = path, .to = &to };
	struct roll_host *host;
	struct exporter x;
	struct err e = { 0 };
	int r;

	mem_out_init(&text);
	roll_init(&roll, &text.out);
	host = vec_add(&roll.hosts);
	if (!host)
		abort();
	host->name = roll_name(&roll, path);
	r = exporter_run(&x, s, &w, &text.out, &e);
	exporter_deinit(&x);
	if (!r && !roll_end(&roll)) {
		mem_out_str(&text);
		check(&roll, text.v, text.n);
	} else if (!e.code) {
		abort();
	}
	roll_deinit(&roll);
	mem_out_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char kernel[] = "ffff800008000000 T _text\nffff800008001000 T schedule\n"
				     "ffff800009000000 T _etext\n";
	struct disk *d = disk_new();
	struct session_want w = { .path = "in" };
	struct session s;
	struct err e = { 0 };

	disk_put(d, "in", p, n);
	disk_put(d, "/proc/kallsyms", kernel, sizeof(kernel) - 1);
	if (!session_open(&s, &d->sys, &w, &e)) {
		make_page(&s, "in");
		session_close(&s);
	}
	disk_free(d);
	return 0;
}
