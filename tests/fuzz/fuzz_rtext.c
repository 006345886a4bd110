/*
 * Four bytes of choices, then records of random sizes: the line of each as trace-cmd's report has it, bounded, whatever
 * they say; a call and its end are folded where they may be.
 */
#include "tracefs/text/rtext.h"

#include "tests/unit/rtext_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { TEXT_MAX = 16384, RECORD_MAX = 256 };

struct input {
	const uint8_t *p;
	size_t n;
};

static bool symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	(void)arg;
	*s = (struct tprint_symbol){.name = "name", .module = addr & 1 ? "mod" : NULL, .offset = addr & 15, .size = 16};
	return addr & 2;
}

static const char *string(void *arg, uint64_t addr)
{
	(void)arg;
	return addr & 1 ? "%d %s %llx %pS %*d|\n" : NULL;
}

/* The next record, in memory of its own: its size in words, the CPU and what was lost, then its bytes. */
static uint8_t *next_record(struct input *in, struct tstream_rec *rec)
{
	uint8_t *own;
	size_t size;

	if (in->n < 2)
		return NULL;
	size = MIN((in->p[0] & 63) * 4u, in->n - 2);
	*rec = (struct tstream_rec){ .ts = in->n * 1000, .cpu = in->p[1] & 7, .n = (uint32_t)size };
	rec->lost = in->p[1] >> 6;
	if (in->p[1] >> 6 == 3)
		rec->lost = TPAGE_LOST_UNKNOWN;
	own = malloc(size ? size : 1);
	if (!own)
		abort();
	memcpy(own, in->p + 2, size);
	rec->raw = own;
	in->p += 2 + size;
	in->n -= 2 + size;
	return own;
}

static void line(struct rtext *t, const struct tstream_rec *rec, const struct tstream_rec *next)
{
	const struct rtext_event *x = rtext_event(t, rec), *next_x = next ? rtext_event(t, next) : NULL;
	struct rtext_leaf leaf = { next_x, next };
	bool folded = next && x && rtext_wants_next(t, x) && rtext_is_leaf(x, rec, next_x, next);
	struct mem_out m;

	mem_out_init(&m);
	rtext_line(t, x, rec, folded ? &leaf : NULL, &m.out);
	if (strlen(mem_out_str(&m)) > TEXT_MAX)
		abort();
	mem_out_deinit(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const struct tprint_names names = { .symbol = symbol, .string = string };
	struct input in = { p + 4, n - 4 };
	struct tstream_rec rec = { 0 }, next;
	uint8_t *own, *next_own;
	struct arena a = { 0 };
	struct tevents events;
	struct rtext *t;
	struct rex r;
	struct err e;

	if (n < 4)
		return 0;
	rtext_events(&events);
	tevents_add_comms(&events, SV("42 sleep\n7 a\33[31mname\n"));
	t = rtext_new(&events, &names, (unsigned)p[0] | (unsigned)p[1] << 8);
	if (!t)
		abort();
	if (p[2] && !rex_init(&r, &a, SV("sched|f.*"), &e))
		rtext_mark(t, &r, p[2] & 1 ? RTEXT_EVENT_RAW : RTEXT_EVENT_PLAIN);
	for (own = next_record(&in, &rec); own; own = next_own, rec = next) {
		next = (struct tstream_rec){ 0 };
		next_own = next_record(&in, &next);
		line(t, &rec, next_own ? &next : NULL);
		free(own);
	}
	rtext_free(t);
	arena_deinit(&a);
	tevents_deinit(&events);
	return 0;
}
