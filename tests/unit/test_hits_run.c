/* analyse/hits: samples counted in runs are counted as those that come one by one. */
#include "analyse/hits.h"
#include "arch/arch.h"
#include "t.h"

enum { FUNCS = 3, BYTES = 256, EVENTS = 2, SAMPLES = 20000, RUN = 50 };

static const struct sym_loc func[FUNCS] = {
	{ .dso = "/bin/p", .sym = "first", .start = 0x1000, .len = BYTES },
	{ .dso = "/bin/p", .sym = "second", .start = 0x1100, .len = BYTES },
	{ .dso = "/bin/p", .sym = "of no size", .start = 0x1200 },
};

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void check_same(const struct hits *a, const struct hits *b)
{
	CHECK_EQ(a->places.n, b->places.n);
	CHECK_EQ(a->of_place.n, b->of_place.n);
	CHECK(!memcmp(a->all, b->all, EVENTS * sizeof(*a->all)));
	CHECK(!memcmp(a->of_func.v, b->of_func.v, a->of_func.n * sizeof(*a->of_func.v)));
	for (size_t i = 0; i < a->places.n; i++) {
		CHECK_EQ(a->places.v[i].addr, b->places.v[i].addr);
		for (size_t e = 0; e < EVENTS; e++)
			CHECK_EQ(hits_place_sum(a, (uint32_t)i, e)->weight, hits_place_sum(b, (uint32_t)i, e)->weight);
	}
}

TEST(hits_of_runs_are_those_of_single_samples)
{
	struct hits one, runs;
	struct hits_run run;
	uint32_t state = 1;

	CHECK_EQ(hits_init(&one, EVENTS, &arch_x86_64), 0);
	CHECK_EQ(hits_init(&runs, EVENTS, &arch_x86_64), 0);
	for (uint32_t i = 0; i < FUNCS; i++)
		CHECK_EQ(hits_func_of(&one, &func[i]) == i && hits_func_of(&runs, &func[i]) == i, true);
	for (size_t i = 0; i < SAMPLES; ) {
		run = (struct hits_run){ .func = HITS_NONE, .event = next(&state) % EVENTS };
		for (size_t n = next(&state) % RUN; n-- && i < SAMPLES; i++) {
			uint32_t f = next(&state) % 8 < FUNCS ? next(&state) % FUNCS : 0;
			uint64_t addr = func[f].start + next(&state) % BYTES, weight = next(&state) % 100;

			CHECK_EQ(hits_add_at(&one, f, addr, run.event, weight), 0);
			CHECK_EQ(hits_run_add(&run, &runs, f, addr, weight), 0);
		}
		hits_run_end(&run, &runs);
	}
	CHECK_EQ(one.all[0].samples + one.all[1].samples, SAMPLES);
	check_same(&one, &runs);
	hits_deinit(&one);
	hits_deinit(&runs);
}
