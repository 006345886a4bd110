/* The text of a probe, or the inline form of one; and its function as a name of an event. */
#include "probe/point.h"
#include "probe/probe_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void check(const struct point *p)
{
	char buf[PROBE_NAME_SIZE];

	for (int is_return = 0; is_return < 2; is_return++) {
		probe_event(p->func, is_return, buf);
		assert(probe_name_is_legal(sv_from(buf)));
	}
	probe_group(p->file.n ? p->file : p->src, buf);
	assert(probe_name_is_legal(sv_from(buf)));
	assert(!p->event.n || probe_name_is_legal(p->event));
	for (size_t i = 0; i < p->args.n; i++)
		assert(p->args.v[i].expr.n && p->args.v[i].text.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct arena a = { 0 };
	const char *text = arena_dup(&a, (const char *)data, n), *end;
	struct point p;
	struct err e = { 0 };

	if (!point_parse(&p, &a, text, &e))
		check(&p);
	point_deinit(&p);
	if (!point_parse_inline(&p, &a, text, &end, &e)) {
		check(&p);
		assert(end >= text && end <= text + strlen(text));
	}
	point_deinit(&p);
	arena_deinit(&a);
	return 0;
}
