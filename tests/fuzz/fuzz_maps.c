/*
 * Lines of /proc/PID/maps; and the same bytes as a program of mmap, munmap, fork and exec, whose
 * result is compared with an array that tells each page's mapping.
 */
#include "base/cursor.h"
#include "sym/maps.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* More than fit into one block of ranges. */
enum { PAGES = 256 };

/* Changes between two looks at all of them. */
enum { STEPS = 12 };

/* What a page shows: 1 + dso, and the offset of the page in the file; 0: nothing. */
struct page {
	uint32_t dso;
	uint64_t pgoff;
};

static void check(struct maps *m, const struct page *model)
{
	for (uint64_t i = 0; i < PAGES; i++) {
		const struct maps_range *r = maps_find(m, i * 16 + 5);

		if (!r != !model[i].dso)
			abort();
		if (r && (r->dso + 1 != model[i].dso ||
			  r->pgoff + (i * 16 - r->start) != model[i].pgoff))
			abort();
	}
}

static void step(struct maps **m, struct page *model, struct cursor *c)
{
	uint8_t op = cur_u8(c), from = cur_u8(c) % PAGES, len = cur_u8(c) % (PAGES - from + 1);
	struct maps_range r = {
		.start = from * 16u, .end = (from + len) * 16u, .pgoff = cur_u8(c) * 16u, .dso = op >> 2,
	};

	if (op & 1)
		maps_cut(m, r.start, r.end);
	else
		maps_put(m, &r);
	for (unsigned i = 0; i < len; i++)
		model[from + i] = op & 1 ? (struct page){ 0 }
					 : (struct page){ r.dso + 1, r.pgoff + i * 16 };
}

static void run(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	struct page model[PAGES] = { 0 }, before[PAGES];
	struct maps *m = NULL, *shared;

	while (cur_left(&c) >= 4) {
		memcpy(before, model, sizeof(before));
		shared = maps_share(m);
		for (unsigned i = 0; i < STEPS && cur_left(&c) >= 4; i++)
			step(&m, model, &c);
		check(m, model);
		check(shared, before);
		maps_free(shared);
	}
	maps_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct sv rest = { (const char *)p, n }, line;
	struct maps_line l;

	while (sv_cut(&rest, '\n', &line)) {
		if (maps_parse_line(line, &l) && l.start >= l.end)
			abort();
	}
	run(p, n);
	return 0;
}
