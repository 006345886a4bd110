/* cpus.c - sets of CPU numbers in the kernel's list syntax (Documentation/admin-guide/cputopology). */
#include "base/str.h"

bool cpus_has(const struct cpus *c, unsigned cpu)
{
	return cpu < CPUS_MAX && c->w[cpu / 64] >> (cpu % 64) & 1;
}

void cpus_set(struct cpus *c, unsigned cpu)
{
	if (cpu < CPUS_MAX)
		c->w[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

unsigned cpus_count(const struct cpus *c)
{
	unsigned n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(c->w); i++)
		n += (unsigned)__builtin_popcountll(c->w[i]);
	return n;
}

int cpus_next(const struct cpus *c, unsigned from)
{
	for (unsigned cpu = from; cpu < CPUS_MAX; cpu++) {
		if (!(c->w[cpu / 64] >> (cpu % 64)))
			cpu |= 63;
		else if (cpus_has(c, cpu))
			return (int)cpu;
	}
	return -1;
}

static int range_parse(struct cpus *c, struct sv piece, struct err *e)
{
	struct sv rest = piece, first, last;
	uint64_t a, b;

	sv_cut(&rest, '-', &first);
	last = rest.s ? rest : first;
	if (!str_u64(sv_trim(first), 10, &a) || !str_u64(sv_trim(last), 10, &b))
		return err_set(e, EINVAL, "bad CPU list: '%.*s' is not a number or a range a-b", (int)MIN(piece.n, 60u),
			       piece.s);
	if (b < a)
		return err_set(e, EINVAL, "bad CPU list: the range %.*s runs backwards", (int)MIN(piece.n, 60u),
			       piece.s);
	if (b >= CPUS_MAX)
		return err_set(e, EINVAL, "bad CPU list: CPU %llu is above %d", (unsigned long long)b, CPUS_MAX - 1);
	for (; a <= b; a++)
		cpus_set(c, (unsigned)a);
	return 0;
}

int cpus_parse(struct cpus *c, struct sv text, struct err *e)
{
	struct sv piece;

	memset(c, 0, sizeof(*c));
	text = sv_trim(text);
	if (!text.n)
		return 0;
	while (sv_cut(&text, ',', &piece)) {
		int r = range_parse(c, piece, e);

		if (r)
			return r;
	}
	return 0;
}

const char *cpus_text(const struct cpus *c, char *buf, size_t size)
{
	size_t at = 0;

	if (size)
		buf[0] = '\0';
	for (int a = cpus_next(c, 0); a >= 0 && at < size; ) {
		int b = a;

		while (cpus_has(c, (unsigned)b + 1))
			b++;
		at += (size_t)snprintf(buf + at, size - at, b > a ? "%s%d-%d" : "%s%d", at ? "," : "", a, b);
		a = cpus_next(c, (unsigned)b + 1);
	}
	return buf;
}
