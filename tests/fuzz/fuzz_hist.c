/* Histograms; and, up to the first newline, the same bytes as a trigger, a probe, a function command and a select. */
#include "tracefs/grammar/dynevent.h"
#include "tracefs/grammar/hist.h"
#include "tracefs/grammar/hsql.h"
#include "tracefs/grammar/trigger.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void histograms(const char *text, size_t n)
{
	struct sv rest = { text, n };
	struct thist h;
	int r;

	do {
		r = thist_next(&h, &rest, NULL);
		if (r > 0 && (h.n_cols > THIST_COLS || h.n_keys > h.n_cols || h.cells.n != h.n_rows * h.n_cols))
			abort();
		for (size_t i = 0; r > 0 && i < h.cells.n; i++) {
			struct sv s = h.cells.v[i].text;

			if (s.n && (s.s < text || s.s + s.n > text + n))
				abort();
		}
		thist_deinit(&h);
	} while (r > 0);
}

static void line(const char *text)
{
	static const struct tfield fields[] = { { .name = "next_pid" } };
	struct tfmt f = { .fields = (struct tfield *)fields, .n_fields = 1 };
	struct trigger_env env = { &f, { ".hex .sym", 9 } };
	struct dynevent d, again;
	struct dynevent_arg a;
	struct hsql q;
	struct err e;
	struct mem_out m;
	char buf[64];

	trigger_check(&env, text, &e);
	trigger_check_filter(&env, text, &e);
	trigger_removal(text, buf, sizeof(buf));
	hsql_parse(&q, text, &e);
	if (dynevent_parse(&d, text, &e))
		return;
	for (struct sv rest = d.args; dynevent_next(d.kind, &rest, &a);)
		;
	mem_out_init(&m);
	dynevent_put(&d, &m.out);
	/* What was put together is understood again, as the same. */
	if (dynevent_parse(&again, mem_out_str(&m), &e) && d.kind != DYNEVENT_SYNTHETIC && d.kind != DYNEVENT_DELETE)
		abort();
	mem_out_deinit(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *end = n ? memchr(p, '\n', n) : NULL;
	char *copy = strndup((const char *)p, end ? (size_t)(end - p) : n), *all = malloc(n + !n);

	if (n && all) {
		memcpy(all, p, n);
		histograms(all, n);
	}
	if (copy)
		line(copy);
	free(copy);
	free(all);
	return 0;
}
