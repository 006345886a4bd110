/* list.c - which kinds are wanted, matching, and the generic events. */
#include "machine/list_parts.h"

#include "machine/pmus.h"
#include "perf/event.h"

#include <ctype.h>
#include <sys/utsname.h>

static const struct { const char *word; enum list_kind kind; } kind_words[] = {
	{ "hw", LIST_HARDWARE }, { "hardware", LIST_HARDWARE }, { "sw", LIST_SOFTWARE }, { "software", LIST_SOFTWARE },
	{ "cache", LIST_CACHE }, { "hwcache", LIST_CACHE }, { "pmu", LIST_PMU }, { "arm", LIST_CORE },
	{ "core", LIST_CORE }, { "tracepoint", LIST_TRACEPOINT }, { "tracepoints", LIST_TRACEPOINT },
	{ "probe", LIST_PROBE }, { "probes", LIST_PROBE }, { "other", LIST_OTHER },
};

/* Is the word a kind ("hw", "tracepoint")? Sets *kind. */
static bool list_kind_word(const char *word, enum list_kind *kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(kind_words); i++) {
		if (!strcmp(word, kind_words[i].word)) {
			*kind = kind_words[i].kind;
			return true;
		}
	}
	return list_more_kind(word, kind);
}

void lister_lower(char *to, size_t size, const char *from)
{
	size_t n = 0;

	for (; from[n] && n + 1 < size; n++)
		to[n] = (char)tolower((unsigned char)from[n]);
	to[n] = '\0';
}

/* Globs must match the whole name, other words a part of it. */
static bool name_matches(const char *word, const char *name)
{
	char pattern[256], text[256];

	if (!name)
		return false;
	if (!str_is_glob(sv_from(word)))
		return str_contains(sv_from(name), sv_from(word));
	lister_lower(pattern, sizeof(pattern), word);
	lister_lower(text, sizeof(text), name);
	return str_glob(pattern, sv_from(text));
}

static bool list_match(const struct list_want *w, const struct list_item *it)
{
	enum list_kind kind;

	if (!list_kind_fits(w, it->kind))
		return false;
	for (size_t i = 0; i < w->n_words; i++) {
		const char *word = w->words[i];

		if (list_kind_word(word, &kind) ? kind == it->kind
						: name_matches(word, it->name) || name_matches(word, it->alias))
			return true;
	}
	return !w->n_words;
}

bool lister_give(struct lister *l, const struct list_item *it)
{
	if (!l->r && list_match(l->want, it))
		l->r = l->each(l->to, it);
	return !l->r;
}

/* Could any word match an event of this kind? */
static bool may_match(const struct list_want *w, enum list_kind kind)
{
	enum list_kind said;

	if (!list_kind_fits(w, kind))
		return false;
	for (size_t i = 0; i < w->n_words; i++)
		if (!list_kind_word(w->words[i], &said) || said == kind)
			return true;
	return !w->n_words;
}

static const struct arch_generic *generic_of(const struct lister *l, const char *name)
{
	for (size_t i = 0; l->arch && i < l->arch->n_generics; i++)
		if (!strcmp(l->arch->generics[i].alias, name))
			return &l->arch->generics[i];
	return NULL;
}

static enum list_there by_files(struct lister *l, uint32_t type, const char *name)
{
	const struct arch_generic *g = generic_of(l, name);

	if (type == PERF_SOFTWARE)
		return pmu_find(&l->pmus, SV("software")) ? LIST_THERE : LIST_UNSURE;
	if (!pmus_n_core(&l->pmus))
		return LIST_ABSENT;
	if (!l->arch || !l->arch->n_generics)
		return LIST_UNSURE;
	if (!g)
		return LIST_ABSENT;
	if (g->raw != ARCH_NO_EVENT && lister_has_raw(l, g->raw))
		return LIST_THERE;
	return g->alt == ARCH_NO_EVENT || g->alt < 0x40 ? LIST_ABSENT : LIST_UNSURE;
}

/* The surest test is to open the event disabled. */
static enum list_there by_opening(struct lister *l, uint32_t type, uint64_t config, const char *name)
{
	struct perf_attr a = {
		.type = type, .size = PERF_ATTR_VER5, .config = config,
		.flags = PERF_ATTR_DISABLED | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV,
	};
	int fd = l->sys->perf_event_open(l->sys, &a, 0, -1, -1, 0);

	if (fd >= 0) {
		l->sys->close(l->sys, fd);
		return LIST_THERE;
	}
	if (fd == -ENOENT || fd == -EOPNOTSUPP || fd == -EINVAL || fd == -ENODEV)
		return LIST_ABSENT;
	return by_files(l, type, name);
}

static bool give_generic(struct lister *l, enum list_kind kind, uint64_t config, const char *name, const char *alias)
{
	uint32_t type = kind == LIST_HARDWARE ? PERF_HARDWARE : kind == LIST_SOFTWARE ? PERF_SOFTWARE : PERF_HW_CACHE;
	struct list_item it = { .kind = kind, .name = name, .alias = alias };

	if (!list_match(l->want, &it))
		return true;
	it.text = l->arch ? arch_generic_label(l->arch, name) : NULL;
	it.there = l->copied ? by_files(l, type, name) : by_opening(l, type, config, name);
	return lister_give(l, &it);
}

static void list_named(struct lister *l, enum list_kind kind, unsigned type)
{
	const char *name, *alias;

	for (size_t i = 0; (name = event_generic_name(type, i, &alias)); i++)
		if (!give_generic(l, kind, i, name, alias))
			return;
}

enum { CACHES = 7, OPS = 3, RESULTS = 2 };

static void list_cache(struct lister *l)
{
	for (uint64_t i = 0; i < CACHES * OPS * RESULTS; i++) {
		uint64_t config = i / (OPS * RESULTS) | i / RESULTS % OPS << 8 | i % RESULTS << 16;
		char buf[64];
		const char *name = event_config_name(PERF_HW_CACHE, config, buf, sizeof(buf));

		if (name && !give_generic(l, LIST_CACHE, config, name, NULL))
			return;
	}
}

static void list_other(struct lister *l)
{
	static const struct list_item others[] = {
		{ .kind = LIST_OTHER, .name = "rNNN", .text = "event of the core PMU by its number, in hex" },
		{ .kind = LIST_OTHER, .name = "mem:ADDR[/LEN][:rwx]", .text = "hardware breakpoint" },
		{ .kind = LIST_OTHER, .name = "PMU/TERM=VALUE,.../", .text = "event of a PMU by its terms" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!lister_give(l, &others[i]))
			return;
}

/* The architecture by uname; for a copied tree by its files. */
static const struct arch *machine(const struct lister *l)
{
	struct utsname u;
	char text[64];

	if (!l->copied)
		return l->sys->uname(l->sys, &u) ? NULL : arch_by_name(u.machine);
	if (sys_read_line(l->sys, text, sizeof(text), "/proc/sys/kernel/arch") > 0)
		return arch_by_name(text);
	/* The file does not exist before 6.1; but only arm64 has identification registers in sysfs. */
	if (sys_read_line(l->sys, text, sizeof(text), "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1") > 0)
		return arch_by_name("arm64");
	return NULL;
}

int list_events(const struct sys *sys, const struct list_want *w, int (*each)(void *to, const struct list_item *it),
		void *to, struct err *tracefs)
{
	struct lister l = {
		.sys = sys, .want = w, .each = each, .to = to, .tracefs = tracefs, .copied = sys->root && sys->root[0],
	};

	l.arch = machine(&l);
	pmus_init(&l.pmus, sys);
	if (may_match(w, LIST_HARDWARE))
		list_named(&l, LIST_HARDWARE, PERF_HARDWARE);
	if (may_match(w, LIST_SOFTWARE))
		list_named(&l, LIST_SOFTWARE, PERF_SOFTWARE);
	if (may_match(w, LIST_TOOL))
		list_tools(&l);
	if (may_match(w, LIST_CACHE))
		list_cache(&l);
	if (may_match(w, LIST_PMU))
		list_pmus(&l);
	if (may_match(w, LIST_CORE))
		list_cores(&l);
	if (may_match(w, LIST_TRACEPOINT) || may_match(w, LIST_PROBE))
		list_traces(&l);
	if (may_match(w, LIST_METRIC) || may_match(w, LIST_METRICGROUP))
		list_metrics(&l);
	if (may_match(w, LIST_OTHER))
		list_other(&l);
	pmus_deinit(&l.pmus);
	return l.r;
}
