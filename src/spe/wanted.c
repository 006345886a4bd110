/* wanted.c - kinds of samples: their names and letters, and which records they are made of. */
#include "spe/wanted.h"

#include "base/str.h"

#define BIT(kind) (1u << SPE_##kind)
#define EVENT(x)  (UINT64_C(1) << SPE_EVENT_##x)
#define FOR_ALL   (BIT(INSTRUCTIONS) - 1)

static const struct kind {
	const char *name;
	uint64_t events;         /* records with any of these events; 0: not chosen by events */
} kinds[SPE_SAMPLES] = {
	[SPE_L1D_MISS] = { "l1d-miss", EVENT(L1D_REFILL) },
	[SPE_L1D_ACCESS] = { "l1d-access", EVENT(L1D_ACCESS) },
	[SPE_LLC_MISS] = { "llc-miss", EVENT(LLC_MISS) },
	[SPE_LLC_ACCESS] = { "llc-access", EVENT(LLC_ACCESS) },
	[SPE_TLB_MISS] = { "tlb-miss", EVENT(TLB_WALK) },
	[SPE_TLB_ACCESS] = { "tlb-access", EVENT(TLB_ACCESS) },
	[SPE_BRANCH_MISS] = { "branch-miss", EVENT(MISPREDICTED) },
	[SPE_REMOTE_ACCESS] = { "remote-access", EVENT(REMOTE) },
	[SPE_MEMORY] = { "memory", 0 },
	[SPE_INSTRUCTIONS] = { "instructions", 0 },
};

static const struct letter {
	char letter;
	unsigned kinds;
} letters_of[] = {
	{ 'i', BIT(INSTRUCTIONS) },
	{ 'b', BIT(BRANCH_MISS) },
	{ 'f', BIT(L1D_MISS) | BIT(L1D_ACCESS) },
	{ 'm', BIT(LLC_MISS) | BIT(LLC_ACCESS) },
	{ 't', BIT(TLB_MISS) | BIT(TLB_ACCESS) },
	{ 'a', BIT(REMOTE_ACCESS) },
	{ 'M', BIT(MEMORY) },
};

const char *spe_sample_name(enum spe_sample kind)
{
	return kinds[kind].name;
}

unsigned spe_samples_of(const struct spe_record *r)
{
	unsigned of = BIT(INSTRUCTIONS);

	for (unsigned i = 0; i < SPE_SAMPLES; i++)
		if (r->events & kinds[i].events)
			of |= 1u << i;
	return spe_record_accesses(r) ? of | BIT(MEMORY) : of;
}

/* The period behind the letter i: "1000i". perf also takes times and cycles, which SPE cannot count. */
static int parse_period(struct spe_want *w, const char **at, struct err *e)
{
	size_t digits = strspn(*at, "0123456789");

	if (!digits)
		return 0;
	if (!str_u64((struct sv){ *at, digits }, 10, &w->period) || !w->period || (*at)[digits] != 'i')
		return err_set(e, EINVAL, "a period is a number of instructions: i1000i");
	*at += digits + 1;
	return 0;
}

static int parse_letter(struct spe_want *w, char letter, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(letters_of); i++)
		if (letters_of[i].letter == letter) {
			w->kinds |= letters_of[i].kinds;
			return 0;
		}
	return err_set(e, EINVAL,
		       "'%c' is none of the samples that are made of SPE records: i instructions, b mispredicted "
		       "branches, f first level of data cache, m last level, t TLB, a remote accesses, M all accesses",
		       letter >= ' ' && letter <= '~' ? letter : '?');
}

int spe_want_parse(struct spe_want *w, const char *letters, struct err *e)
{
	*w = (struct spe_want){ .kinds = letters ? 0 : FOR_ALL, .period = 1 };
	for (const char *at = letters; at && *at;) {
		char letter = *at++;
		int r = parse_letter(w, letter, e);

		if (!r && letter == 'i')
			r = parse_period(w, &at, e);
		if (r)
			return r;
	}
	return 0;
}
