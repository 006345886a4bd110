/* A filter, then a NUL, then a record; and the filter's text as a regular expression. */
#include "tracefs/grammar/filter.h"

#include "../unit/rtext_events.h"
#include "base/rex.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const char *comm(void *arg, uint32_t pid)
{
	(void)arg;
	return pid & 1 ? "odd" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *nul = n ? memchr(p, 0, n) : NULL;
	size_t len = nul ? (size_t)(nul - p) : n, skip = nul ? len + 1 : len;
	struct tfilter_env env = { .comm = comm };
	struct tstream_rec rec = { .n = (uint32_t)(n - skip), .raw = p + skip };
	struct tfilter f = { 0 };
	struct arena a = { 0 };
	struct mem_out m;
	struct tevents t;
	struct err e;
	struct rex r;
	char *text;

	rtext_events(&t);
	text = arena_dup(&a, (const char *)p, len);
	mem_out_init(&m);
	if (!tfilter_add(&f, &t, &a, text, &e)) {
		for (size_t i = 0; i < t.list.n; i++) {
			uint32_t id = t.list.v[i]->fmt.id;

			tfilter_test(&f, &env, id, &rec);
			tfilter_print(&f, id, &m.out);
		}
	}
	if (!rex_init(&r, &a, sv_from(text), &e))
		rex_match(&r, (struct sv){ (const char *)p + skip, n - skip });
	mem_out_deinit(&m);
	tfilter_deinit(&f);
	tevents_deinit(&t);
	arena_deinit(&a);
	return 0;
}
