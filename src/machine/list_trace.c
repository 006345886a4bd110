/* list_trace.c - tracepoints, and existing dynamic probes. */
#include "machine/list_parts.h"

#include "base/map.h"
#include "machine/tracepoints.h"

enum { PROBES_MAX = 16 << 20 };

struct traces {
	struct lister *l;
	struct names probes;   /* "group:name" of the events listed as probes */
};

/* Parse "p:GROUP/NAME place args", "r16:...", "s:NAME fields": the kind up to the colon, then the name. */
static bool probe_line(struct sv line, char *name, size_t size, struct sv *rest)
{
	struct sv kind, group, place = line;

	if (!sv_cut(&place, ':', &kind) || !place.s || !sv_cut(&place, ' ', &group))
		return false;
	*rest = place;

	struct sv event = group, system;

	sv_cut(&event, '/', &system);
	if (event.s)
		snprintf(name, size, "%.*s:%.*s", (int)system.n, system.s, (int)event.n, event.s);
	else
		snprintf(name, size, "synthetic:%.*s", (int)group.n, group.s);
	return group.n > 0;
}

static bool read_probes(struct traces *t, const char *file)
{
	char path[128], name[256], *text;
	size_t n;
	struct sv rest, line, place;

	snprintf(path, sizeof(path), "%s/%s", sys_tracefs(t->l->sys), file);
	if (sys_read_all(t->l->sys, path, PROBES_MAX, &text, &n, NULL))
		return false;
	for (rest = (struct sv){ text, n }; sv_cut(&rest, '\n', &line);) {
		char definition[512];

		if (!probe_line(line, name, sizeof(name), &place))
			continue;
		names_add(&t->probes, name, strlen(name));
		str_copy(definition, sizeof(definition), place);
		if (!lister_give(t->l, &(struct list_item){ .kind = LIST_PROBE, .name = name, .encoding = definition }))
			break;
	}
	free(text);
	return true;
}

static void give_tracepoint(void *to, const char *name)
{
	struct traces *t = to;
	char group[128];
	struct sv rest = sv_from(name), system;

	sv_cut(&rest, ':', &system);
	if (t->l->r || sv_eq(system, "ftrace") || names_find(&t->probes, name, strlen(name)) != NAMES_NONE)
		return;
	str_copy(group, sizeof(group), system);
	lister_give(t->l, &(struct list_item){ .kind = LIST_TRACEPOINT, .group = group, .name = name });
}

static int ignore(void *to UNUSED, const char *system UNUSED, const char *name UNUSED, uint64_t id UNUSED)
{
	return 0;
}

void list_traces(struct lister *l)
{
	struct traces t = { .l = l };

	/* Try an event that every kernel has, to find out whether tracepoints can be listed. */
	if (tracepoints_each(l->sys, "sched", "sched_switch", ignore, NULL, l->tracefs) < 0 && !sys_tracefs(l->sys))
		return;
	/* Before 5.0 there is no common file. */
	if (!read_probes(&t, "dynamic_events")) {
		read_probes(&t, "kprobe_events");
		read_probes(&t, "uprobe_events");
	}
	tracepoints_names(l->sys, give_tracepoint, &t);
	names_deinit(&t.probes);
}
