/* The text of a profiler's -e, then a NUL, then a record: events, their filters and expressions, of that record. */
#include "engine/expr.h"
#include "engine/spec.h"
#include "../unit/rtext_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const char *comm(void *arg, uint32_t tid)
{
	(void)arg;
	return tid & 1 ? "odd" : "even";
}

static const char *symbol(void *arg, uint64_t addr)
{
	(void)arg;
	return addr & 1 ? "odd" : NULL;
}

struct tried {
	struct tevents *events;
	struct arena *arena;
	struct expr_env env;
	struct hit hit;
};

static void try_one(struct tried *t, const char *text)
{
	const struct texpr *x;
	struct err e;

	for (size_t i = 0; text && i < t->events->list.n; i++) {
		t->hit.event = t->events->list.v[i];
		if (!expr_compile(&x, t->hit.event, t->arena, text, &e))
			expr_number(&t->env, x, &t->hit, 0);
		else if (!strchr(e.text, '^'))
			abort();
	}
}

static void try_spec(struct tried *t, const struct spec *s)
{
	const char *const texts[] = {
		*s->filter ? s->filter : NULL, s->exec, s->key, s->printkey, s->comm, s->ptr, s->size, s->num, s->role,
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		try_one(t, texts[i]);
	for (unsigned i = 0; i < s->n_top; i++)
		try_one(t, s->top[i].expr);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *nul = n ? memchr(p, 0, n) : NULL;
	size_t len = nul ? (size_t)(nul - p) : n, skip = nul ? len + 1 : len;
	struct arena a = { 0 };
	struct specs specs = { 0 };
	struct tevents events;
	struct mem_out m;
	struct tried t = { .events = &events, .arena = &a, .env = { .comm = comm, .symbol = symbol, .key = 3 },
			   .hit = { .time = 5, .cpu = 1, .pid = 2, .tid = 3, .raw = { p + skip, n - skip } } };
	struct err e;

	rtext_events(&events);
	mem_out_init(&m);
	t.env.out = &m.out;
	if (!specs_add(&specs, arena_dup(&a, (const char *)p, len), &e))
		for (size_t i = 0; i < specs.v.n; i++)
			try_spec(&t, &specs.v.v[i]);
	mem_out_deinit(&m);
	specs_deinit(&specs);
	tevents_deinit(&events);
	arena_deinit(&a);
	return 0;
}
