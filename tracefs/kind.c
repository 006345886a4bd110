/* kind.c - see kind.h. */
#include "tracefs/kind.h"

#define F(number, name) [number] = name,
#define FIELDS(set, list) static const char *const fields_##set[] = { list };
#include "tracefs/kind.def"
#undef F

static const char *const common_fields[] = {
#define COMMON(number, name) [number] = name,
#include "tracefs/kind.def"
};

static const char *const fields_none[] = { 0 };

static const struct {
	const char *system, *name;
	const char *const *fields;
	size_t n;
} kinds[] = {
	[KIND_OTHER] = { "", "", fields_none, ARRAY_SIZE(fields_none) },
#define KIND(constant, system, name, set) [KIND_##constant] = { system, name, fields_##set, ARRAY_SIZE(fields_##set) },
#include "tracefs/kind.def"
};

static const struct tfield *find(const struct tfmt *f, const char *names)
{
	struct sv rest = sv_from(names ? names : ""), name;

	while (sv_cut(&rest, '|', &name))
		for (uint32_t i = 0; i < f->n_fields; i++)
			if (sv_eq(name, f->fields[i].name))
				return &f->fields[i];
	return NULL;
}

static bool fits(const struct tfmt *f, enum tkind kind)
{
	const char *system = kinds[kind].system, *name = kinds[kind].name;
	size_t n = strlen(name);

	if (*system == '*')
		return find(f, kinds[kind].fields[0]);
	if (strcmp(f->system, system))
		return false;
	return name[n - 1] == '*' ? !strncmp(f->name, name, n - 1) : !strcmp(f->name, name);
}

enum tkind tkind_of(const struct tfmt *f)
{
	for (enum tkind k = KIND_OTHER + 1; k < KIND_COUNT; k++)
		if (fits(f, k))
			return k;
	return KIND_OTHER;
}

const struct tfield **tkind_fields(const struct tfmt *f, enum tkind kind, struct arena *a)
{
	const struct tfield **v = arena_alloc(a, kinds[kind].n * sizeof(*v));

	for (size_t i = 0; v && i < kinds[kind].n; i++)
		v[i] = find(f, kinds[kind].fields[i]);
	return v;
}

void tkind_common(const struct tfmt *f, const struct tfield *common[COMMON_FIELDS])
{
	for (size_t i = 0; i < COMMON_FIELDS; i++)
		common[i] = tfmt_field(f, common_fields[i]);
}

const char *tkind_system(enum tkind kind)
{
	return kinds[kind].system;
}

const char *tkind_name(enum tkind kind)
{
	return kinds[kind].name;
}

const char *tkind_softirq(uint64_t vec)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
					     "HRTIMER", "RCU" };

	return vec < ARRAY_SIZE(names) ? names[vec] : NULL;
}
