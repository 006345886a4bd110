/* test_listing.c - code as lines with names, and sums by instruction. */
#include "t.h"

#include "analyse/hits.h"
#include "analyse/listing.h"

static bool name(void *arg UNUSED, uint64_t addr, char text[LISTING_NAME])
{
	snprintf(text, LISTING_NAME, "at_%llx", (unsigned long long)addr);
	return true;
}

static const char *lines(const struct arch *a, const uint8_t *code, size_t n, const struct marks *marks)
{
	static char all[4000];
	struct listing_want w = { .arch = a, .addr = 0x1000, .name = name, .marks = marks };
	struct listing_line line;
	struct listing l;

	w.code = cur_from(guard_dup(code, n), n);
	listing_init(&l, &w);
	for (size_t at = 0; listing_next(&l, &line); at += strlen(all + at))
		snprintf(all + at, sizeof(all) - at, "%s\n", line.text);
	return all;
}

#define WORD(w) (uint8_t)(w), (uint8_t)((w) >> 8), (uint8_t)((w) >> 16), (uint8_t)((w) >> 24)

TEST(listing_joins_adrp_with_what_uses_its_page)
{
	static const uint8_t code[] = {
		WORD(0x90000001), WORD(0x91004020), WORD(0xf9400422), WORD(0xb9000820), WORD(0x94000010),
		WORD(0x91004020), WORD(0x90000013), WORD(0x94000010), WORD(0x91004260), WORD(0xd65f03c0),
	};

	CHECK_STR(lines(&arch_aarch64, code, sizeof(code), NULL),
		  "adrp\tx1, 1000\nadd\tx0, x1, #0x10\t// <at_1010>\nldr\tx2, [x1, #8]\t// <at_1008>\n"
		  "str\tw0, [x1, #8]\t// <at_1008>\nbl\t1050 <at_1050>\nadd\tx0, x1, #0x10\nadrp\tx19, 1000\n"
		  "bl\t105c <at_105c>\nadd\tx0, x19, #0x10\t// <at_1010>\nret\n");
}

TEST(listing_forgets_a_page_whose_register_is_written)
{
	static const uint8_t code[] = {
		WORD(0x90000001), WORD(0xaa0203e1), WORD(0x91004020), WORD(0x90000001), WORD(0xa9400440),
		WORD(0x91004020), WORD(0x90000001), WORD(0xf8408420), WORD(0x91004020),
	};

	CHECK(!strstr(lines(&arch_aarch64, code, sizeof(code), NULL), "//"));
}

TEST(listing_shows_constants_among_the_code_and_what_is_cut)
{
	static const uint8_t code[] = { WORD(0x58000020), WORD(0xd503201f), 0x1f, 0x20 };
	struct mark at[] = { { 0x1000, false }, { 0x1004, true } };
	struct marks marks = { .v = { at, 2, 2 } };

	CHECK_STR(lines(&arch_aarch64, code, sizeof(code), &marks),
		  "ldr\tx0, 1004 <at_1004>\n.word\t0xd503201f\n.byte\t0x1f, 0x20\n");
}

TEST(listing_of_x86_has_targets_and_what_lies_beside_the_code)
{
	static const uint8_t code[] = {
		0x55, 0xe8, 0x02, 0x00, 0x00, 0x00, 0x8b, 0x05, 0x08, 0x00, 0x00, 0x00, 0x0f,
	};

	CHECK_STR(lines(&arch_x86_64, code, sizeof(code), NULL),
		  "push   %rbp\ncall   1008 <at_1008>\n"
		  "mov    0x8(%rip),%eax        # 1014 <at_1014>\n(bad)\n");
}

TEST(hits_that_are_past_count_for_less)
{
	const struct sym_loc l = { .dso = "a", .sym = "f", .start = 0x10, .addr = 0x18 };
	struct hits h;

	CHECK_EQ(hits_init(&h, 1, &arch_x86_64), 0);
	for (unsigned i = 0; i < 16; i++)
		CHECK_EQ(hits_add(&h, &l, 0, 1000), 0);
	hits_fade(&h, 7);
	CHECK_EQ(hits_func_sum(&h, 0, 0)->weight, 14000);
	CHECK_EQ(hits_place_sum(&h, 0, 0)->samples, 14);
	CHECK_EQ(h.all[0].samples, 14);
	hits_fade(&h, 0);
	CHECK_EQ(hits_func_sum(&h, 0, 0)->weight, 0);
	CHECK_EQ(h.all[0].samples, 0);
	hits_deinit(&h);
}

/* The resolver forgets a place and has it anew somewhere else: it is the same place. */
TEST(hits_are_known_by_what_a_place_is)
{
	struct sym_loc a = { .dso = "a", .sym = "f", .start = 0x10, .addr = 0x18 }, b = a;
	struct hits h;

	CHECK_EQ(hits_init(&h, 1, &arch_x86_64), 0);
	CHECK_EQ(hits_add(&h, &a, 0, 1), 0);
	CHECK_EQ(hits_add(&h, &b, 0, 1), 0);
	a.addr = 0x1c;
	CHECK_EQ(hits_add(&h, &a, 0, 1), 0);
	CHECK_EQ(h.places.n, 2);
	CHECK_EQ(hits_place_sum(&h, 0, 0)->samples, 2);
	hits_deinit(&h);
}

/* Of a function that is hit often there is an index, but not of what is between two instructions or beyond its end. */
TEST(hits_of_many_samples_are_all_counted_at_their_places)
{
	enum { INSNS = 64, ROUNDS = 9 };
	struct sym_loc l = { .dso = "a", .sym = "f", .start = 0x1000, .len = 4 * INSNS };
	uint32_t *places;
	struct hits h;
	int n;

	CHECK_EQ(hits_init(&h, 2, &arch_aarch64), 0);
	for (unsigned i = 0; i < ROUNDS * 4 * (INSNS + 8); i += 3) {
		l.addr = 0x1000 + i % (4 * (INSNS + 8));
		CHECK_EQ(hits_add(&h, &l, i & 1, l.addr), 0);
	}
	CHECK(h.funcs.v[0].index != NULL);
	n = hits_places(&h, 0, &places);
	CHECK_EQ(n, 4 * (INSNS + 8) / 3);
	for (int i = 0; i < n; i++) {
		uint64_t addr = h.places.v[places[i]].addr;
		const struct hits_sum *even = hits_place_sum(&h, places[i], 0);
		const struct hits_sum *odd = hits_place_sum(&h, places[i], 1);

		CHECK_EQ(addr, 0x1000 + 3 * (uint64_t)i);
		CHECK_EQ(even->samples + odd->samples, ROUNDS);
		CHECK_EQ(even->weight + odd->weight, ROUNDS * addr);
	}
	CHECK_EQ(hits_func_sum(&h, 0, 0)->samples + hits_func_sum(&h, 0, 1)->samples, (uint64_t)n * ROUNDS);
	free(places);
	hits_deinit(&h);
}

TEST(hits_are_summed_by_function_and_instruction)
{
	const struct sym_loc v[] = {
		{ .dso = "a", .sym = "f", .start = 0x10, .addr = 0x18 },
		{ .dso = "a", .sym = "f", .start = 0x10, .addr = 0x14 },
		{ .dso = "a", .sym = "g", .start = 0x40, .addr = 0x44 }, { .dso = "a", .addr = 0x99 },
	};
	uint32_t *order, *places;
	struct hits h;

	CHECK_EQ(hits_init(&h, 2, &arch_x86_64), 0);
	for (size_t i = 0; i < 4; i++)
		CHECK_EQ(hits_add(&h, &v[i], 0, 10), 0);
	CHECK_EQ(hits_add(&h, &v[2], 0, 30), 0);
	CHECK_EQ(hits_add(&h, &v[0], 1, 5), 0);
	CHECK_EQ(h.all[0].weight, 70);
	CHECK_EQ(h.all[1].samples, 1);
	CHECK_EQ(h.funcs.n, 2);
	order = hits_order(&h, 0);
	CHECK_STR(h.funcs.v[order[0]].at.sym, "g");
	CHECK_EQ(hits_func_sum(&h, order[1], 0)->weight, 20);
	CHECK_EQ(hits_func_sum(&h, order[1], 1)->weight, 5);
	CHECK_EQ(hits_places(&h, order[1], &places), 2);
	CHECK_EQ(h.places.v[places[0]].addr, 0x14);
	CHECK_EQ(hits_place_sum(&h, places[1], 1)->samples, 1);
	free(order);
	free(places);
	hits_deinit(&h);
}
