/*
 * What a kernel tells of its functions, an answer in each line: each has been asked for with the address that a byte
 * in front of it chooses. What is found has the address in it, and is not asked for again; those that are known ascend
 * and lie in no other.
 */
#include "base/cursor.h"
#include "base/str.h"
#include "sym/asked.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

struct kernel {
	struct sv answer;
	unsigned asked;
};

static int tell(void *arg, uint64_t addr, char *text, size_t n)
{
	struct kernel *k = arg;

	(void)addr;
	k->asked++;
	if (k->answer.n >= n)
		return -ENAMETOOLONG;
	memcpy(text, k->answer.s, k->answer.n);
	text[k->answer.n] = '\0';
	return 0;
}

/* In front of all, behind all, and close to each other in between. */
static uint64_t address(uint8_t from)
{
	return from < 16 ? from : from >= 240 ? UINT64_MAX - (255 - from) : UINT64_C(0xffff800008000000) + from * 8u;
}

static void check_order(const struct asked *a)
{
	for (size_t i = 1; i < a->v.n; i++)
		if (a->v.v[i - 1].start >= a->v.v[i].start || a->v.v[i].start - a->v.v[i - 1].start < a->v.v[i - 1].len)
			abort();
}

static void check_found(struct asked *a, const struct kernel_namer *who, uint64_t addr, const struct kernel_symbol *s)
{
	const struct kernel *k = who->arg;
	unsigned asked = k->asked;
	struct kernel_symbol again;

	if (addr - s->start >= s->len || !strlen(s->name) || (s->module && !strlen(s->module)))
		abort();
	if (!asked_find(a, who, addr, &again) || k->asked != asked || again.start != s->start)
		abort();
	if (strcmp(again.name, s->name))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct sv rest = { (const char *)p, n };
	struct kernel k = { 0 };
	const struct kernel_namer who = { .ask = tell, .arg = &k };
	struct asked a = { 0 };

	while (sv_cut(&rest, '\n', &k.answer)) {
		uint64_t addr = k.answer.n ? address((uint8_t)k.answer.s[0]) : 0;
		struct kernel_symbol s;

		if (k.answer.n)
			k.answer = (struct sv){ k.answer.s + 1, k.answer.n - 1 };
		if (asked_find(&a, &who, addr, &s))
			check_found(&a, &who, addr, &s);
		check_order(&a);
	}
	asked_deinit(&a);
	return 0;
}
