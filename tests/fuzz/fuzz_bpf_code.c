/* What a probe fetches, then a NUL, then an expression: a program of it, whose jumps go forward and stay within it. */
#include "bpf/tally.h"

#include "engine/expr.h"
#include "../unit/rtext_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void check_jumps(const struct asm_prog *a)
{
	for (unsigned i = 0; i < a->n; i++) {
		const struct bpf_insn *v = &a->v[i];

		if ((v->op & 7) == 5 && v->op != 0x85 && v->op != 0x95)
			assert(v->off >= 0 && i + 1 + (unsigned)v->off < a->n);
		i += v->op == 0x18;
	}
	assert(a->stack <= ASM_STACK && a->n && a->v[a->n - 1].op == 0x95);
}

static void build(struct sv fetches, const struct tevent *event, const struct texpr *x, const struct tally_event *ev)
{
	static const struct taskset_maps tasks = { 8, 9, 100, 200, true };
	static const int stacks[TALLY_STACK_MAPS] = { 10, 11, 12, 13 };
	const struct tally_maps maps = { 3, 4, 5, 6, 7, &tasks, stacks };
	struct code c = {
		.event = event->fmt.name, .word = expr_hit_word, .read = BPF_PROBE_READ_KERNEL, .fetches = fetches,
	};
	struct tally_event all = *ev;
	static struct asm_prog a;
	struct err e;

	all.event = event->fmt.name;
	all.filter = all.key = x;
	all.num[0] = x;
	if (!tally_build(&a, &all, 1, &c, &maps, &e))
		check_jumps(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const struct tally_event kinds[] = {
		{ .n_num = 1 }, { .n_num = 1, .is_spread = true }, { .pair = TALLY_BEGINS }, { .pair = TALLY_ENDS },
		{ .pair = TALLY_BEGINS | TALLY_ENDS, .stage = 1 }, { .is_by_stack = true, .lr = 240 },
	};
	const uint8_t *nul = n ? memchr(p, 0, n) : NULL;
	size_t len = nul ? (size_t)(nul - p) : n, skip = nul ? len + 1 : len;
	struct arena a = { 0 };
	struct tevents t;
	struct err e;
	const char *fetches, *text;

	rtext_events(&t);
	fetches = arena_dup(&a, (const char *)p, len);
	text = arena_dup(&a, (const char *)p + skip, n - skip);
	for (size_t i = 0; i < t.list.n; i++) {
		const struct texpr *x;

		if (!expr_compile(&x, t.list.v[i], &a, text, &e))
			for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
				build((struct sv){ fetches, len }, t.list.v[i], x, &kinds[k]);
	}
	tevents_deinit(&t);
	arena_deinit(&a);
	return 0;
}
