#include "arch/arch.h"
#include "arch/name.h"

/*
 * The vendors' event tables, packed: numbers in one array, names one after the other in one string.
 * ARCH_NO_EVENT starts a table, with the table's name as its text; an empty text ends the last table.
 */
static const uint16_t vendor_config[] = {
#define TABLE(name) ARCH_NO_EVENT,
#define EV(config, name, brief) config,
#include "arch/aarch64/pmu_vendor.def"
#undef EV
#undef TABLE
	ARCH_NO_EVENT
};

static const char vendor_text[] =
#define TABLE(name) name "\0"
#define EV(config, name, brief) #name "\0"
#include "arch/aarch64/pmu_vendor.def"
#undef EV
#undef TABLE
	;

/* The common events in the same form; each name is followed by its description ("": the name says it all). */
static const uint16_t common_config[] = {
#define EV(config, name, brief) config,
#include "arch/aarch64/pmu_common.def"
#undef EV
};

static const char common_text[] =
#define EV(config, name, brief) #name "\0" brief "\0"
#include "arch/aarch64/pmu_common.def"
#undef EV
	;

enum { IMPL_APPLE = 0x61, VENDOR_NONE = ARRAY_SIZE(vendor_config) - 1 };

/* Put the iterator on the first event of its core's table, or on the end mark. */
static void vendor_start(struct arch_event_iter *it)
{
	const char *table = it->core ? it->core->table : NULL;

	it->text = vendor_text;
	for (size_t i = 0; table && *it->text; i++) {
		int found = vendor_config[i] == ARCH_NO_EVENT && !strcmp(it->text, table);

		it->text += strlen(it->text) + 1;
		if (found) {
			it->vendor = i + 1;
			return;
		}
	}
	it->vendor = VENDOR_NONE;
}

static int vendor_next(struct arch_event_iter *it, struct arch_event *ev)
{
	uint16_t config = vendor_config[it->vendor];

	if (config == ARCH_NO_EVENT)
		return 0;
	*ev = (struct arch_event){ .name = it->text, .config = config };
	it->text += strlen(it->text) + 1;
	it->vendor++;
	return 1;
}

/* Does the core's own table have an event with this number? */
static bool vendor_has(const struct arch_core *core, uint16_t config)
{
	struct arch_event_iter it = { .core = core };
	struct arch_event ev;

	vendor_start(&it);
	while (vendor_next(&it, &ev)) {
		if (ev.config == config)
			return true;
	}
	return false;
}

static int common_next(struct arch_event_iter *it, struct arch_event *ev)
{
	const char *name = it->common ? it->common_text : common_text, *brief;

	if (it->common == ARRAY_SIZE(common_config))
		return 0;
	brief = name + strlen(name) + 1;
	*ev = (struct arch_event){ name, common_config[it->common++], *brief ? brief : NULL };
	it->common_text = brief + strlen(brief) + 1;
	return 1;
}

int arch_event_next(struct arch_event_iter *it, struct arch_event *ev)
{
	if (it->core && it->core->impl == IMPL_APPLE)
		return 0;
	if (!it->text)
		vendor_start(it);
	if (vendor_next(it, ev))
		return 1;
	while (common_next(it, ev))
		if (!vendor_has(it->core, ev->config))
			return 1;
	return 0;
}

int arch_event_find(const struct arch_core *core, const char *name, size_t n)
{
	struct arch_event_iter it = { .core = core };
	struct arch_event ev;

	while (arch_event_next(&it, &ev)) {
		if (name_same(ev.name, name, n))
			return ev.config;
	}
	return -ENOENT;
}

const char *arch_event_name(const struct arch_core *core, uint16_t config)
{
	struct arch_event_iter it = { .core = core };
	struct arch_event ev;

	while (arch_event_next(&it, &ev)) {
		if (ev.config == config)
			return ev.name;
	}
	return NULL;
}
