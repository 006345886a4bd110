/* pmu.c - the model of PMUs: lookup, reading on demand, and bit fields of the config words. */
#include "perf/pmu.h"

void pmus_deinit(struct pmus *p)
{
	for (size_t i = 0; i < p->list.n; i++) {
		vec_free(&p->list.v[i].terms);
		vec_free(&p->list.v[i].aliases);
	}
	vec_free(&p->list);
	arena_deinit(&p->arena);
	p->listed = false;
}

int pmus_list(struct pmus *p, struct err *e)
{
	int r = 0;

	if (p->source && !p->listed)
		r = p->source->list(p, e);
	if (!r)
		p->listed = true;
	return r;
}

int pmu_need(struct pmus *p, const struct pmu *pmu, unsigned parts, struct err *e)
{
	struct pmu *mine = &p->list.v[pmu - p->list.v];

	for (unsigned part = PMU_BASE; p->source && part < PMU_ALL; part <<= 1) {
		if (!(parts & part) || mine->parts & part)
			continue;

		int r = p->source->part(p, mine, part, e);

		if (r)
			return r;
		mine->parts |= part;
	}
	return 0;
}

const struct pmu *pmu_find(struct pmus *p, struct sv name)
{
	if (pmus_list(p, NULL))
		return NULL;
	for (size_t i = 0; i < p->list.n; i++) {
		if (sv_eq(name, p->list.v[i].name))
			return pmu_need(p, &p->list.v[i], PMU_BASE, NULL) ? NULL : &p->list.v[i];
	}
	return NULL;
}

size_t pmus_n_core(struct pmus *p)
{
	size_t n = 0;

	if (pmus_list(p, NULL))
		return 0;
	while (n < p->list.n && p->list.v[n].kind == PMU_CORE)
		n++;
	return n;
}

const struct pmu_term *pmu_term_find(struct pmus *p, const struct pmu *pmu, struct sv name)
{
	if (pmu_need(p, pmu, PMU_TERMS, NULL))
		return NULL;
	for (size_t i = 0; i < pmu->terms.n; i++) {
		if (sv_eq(name, pmu->terms.v[i].name))
			return &pmu->terms.v[i];
	}
	return NULL;
}

static const struct pmu_alias *alias_known(const struct pmu *pmu, struct sv name)
{
	for (size_t i = 0; i < pmu->aliases.n; i++) {
		if (sv_eq(name, pmu->aliases.v[i].name))
			return &pmu->aliases.v[i];
	}
	return NULL;
}

const struct pmu_alias *pmu_alias_find(struct pmus *p, const struct pmu *pmu, struct sv name)
{
	const struct pmu_alias *a = alias_known(pmu, name);

	if (a || !p->source || pmu->parts & PMU_ALIASES)
		return a;
	if (p->source->alias(p, &p->list.v[pmu - p->list.v], name))
		return NULL;
	return alias_known(pmu, name);
}

/* "0-7" or "63" */
static int range_parse(struct pmu_term *t, struct sv text, struct err *e)
{
	struct sv rest = text, piece;
	uint64_t lo, hi;

	if (t->n_ranges == ARRAY_SIZE(t->range))
		return err_set(e, E2BIG, "a term of more than %zu bit ranges", ARRAY_SIZE(t->range));
	if (!sv_cut(&rest, '-', &piece) || !str_u64(sv_trim(piece), 10, &lo))
		return err_set(e, EINVAL, "not a bit range: '%.*s'", (int)MIN(text.n, 40u), text.s);
	hi = lo;
	if (rest.s && !str_u64(sv_trim(rest), 10, &hi))
		return err_set(e, EINVAL, "not a bit range: '%.*s'", (int)MIN(text.n, 40u), text.s);
	if (lo > hi || hi > 63)
		return err_set(e, EINVAL, "bits %llu-%llu are not in a config word", (unsigned long long)lo,
			       (unsigned long long)hi);
	t->range[t->n_ranges].lo = (uint8_t)lo;
	t->range[t->n_ranges++].hi = (uint8_t)hi;
	return 0;
}

int pmu_term_parse(struct pmu_term *t, struct sv text, struct err *e)
{
	static const char *const words[] = { "config", "config1", "config2", "config3" };
	struct sv rest = sv_trim(text), word, piece;

	t->n_ranges = 0;
	if (!sv_cut(&rest, ':', &word) || !rest.s)
		return err_set(e, EINVAL, "not a PMU format: '%.*s'", (int)MIN(text.n, 60u), text.s);
	for (t->word = 0; t->word < ARRAY_SIZE(words) && !sv_eq(word, words[t->word]); t->word++)
		;
	if (t->word == ARRAY_SIZE(words))
		return err_set(e, EINVAL, "unknown config word '%.*s'", (int)MIN(word.n, 40u), word.s);
	while (sv_cut(&rest, ',', &piece)) {
		int r = range_parse(t, piece, e);

		if (r)
			return r;
	}
	return 0;
}

unsigned pmu_term_bits(const struct pmu_term *t)
{
	unsigned bits = 0;

	for (size_t i = 0; i < t->n_ranges; i++)
		bits += t->range[i].hi - t->range[i].lo + 1u;
	return bits;
}

int pmu_term_set(const struct pmu_term *t, uint64_t value, uint64_t config[4], struct err *e)
{
	unsigned bits = pmu_term_bits(t);
	uint64_t left = value;

	if (bits < 64 && value >> bits)
		return err_set(e, ERANGE, "%s=%#llx does not fit in %u bits", t->name, (unsigned long long)value, bits);
	for (size_t i = 0; i < t->n_ranges; i++) {
		unsigned lo = t->range[i].lo, n = t->range[i].hi - lo + 1u;
		uint64_t mask = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;

		config[t->word] = (config[t->word] & ~(mask << lo)) | (left & mask) << lo;
		left = n < 64 ? left >> n : 0;
	}
	return 0;
}
