/* plan_events.c - expands event patterns, sets filters and triggers, enables events. */
#include "tracing/plan_parts.h"

#include "base/map.h"
#include "tracing/evfile.h"

enum wish { NOT_NAMED, ENABLE, DISABLE };

struct event {
	const char *name;   /* "system:event" */
	uint32_t colon, system;
	enum wish wish;
};

struct system {
	unsigned events, enable;
};

struct table {
	const struct plan *p;
	struct undo *u;
	const struct tfs *t;
	char *text;                 /* of available_events; the names point into it */
	VEC(struct event) events;
	struct names names;         /* of systems */
	VEC(struct system) systems;
};

static int add_event(struct table *x, char *line, size_t n, struct err *e)
{
	char *colon = memchr(line, ':', n);
	struct event *ev = colon ? vec_add(&x->events) : NULL;
	uint32_t id = ev ? names_add(&x->names, line, (size_t)(colon - line)) : NAMES_NONE;

	if (!colon)
		return 0;
	if (id == NAMES_NONE || (id == x->systems.n && !vec_add(&x->systems)))
		return err_nomem(e);
	line[n] = '\0';
	*ev = (struct event){ .name = line, .colon = (uint32_t)(colon - line), .system = id };
	x->systems.v[id].events++;
	return 0;
}

static int load(struct table *x, struct err *e)
{
	size_t n;
	int r = tfs_read_all(x->t, "available_events", &x->text, &n, e);
	struct sv rest = { x->text, n }, line;

	while (!r && sv_cut(&rest, '\n', &line))
		if (line.n)
			r = add_event(x, x->text + (line.s - x->text), line.n, e);
	return r;
}

static void unload(struct table *x)
{
	vec_free(&x->events);
	vec_free(&x->systems);
	names_deinit(&x->names);
	free(x->text);
}

static struct sv system_of(const struct event *ev)
{
	return (struct sv){ ev->name, ev->colon };
}

static struct sv event_of(const struct event *ev)
{
	return sv_from(ev->name + ev->colon + 1);
}

/* "all", "SYSTEM:EVENT", "SYSTEM/EVENT", or one word for either; globs. */
static bool matches(const char *pattern, const struct event *ev)
{
	size_t at = strcspn(pattern, ":/");
	char system[128];

	if (!strcmp(pattern, "all"))
		return true;
	if (!pattern[at])
		return str_glob(pattern, system_of(ev)) || str_glob(pattern, event_of(ev));
	str_copy(system, sizeof(system), (struct sv){ pattern, at });
	return str_glob(*system ? system : "*", system_of(ev)) &&
	       (!pattern[at + 1] || str_glob(pattern + at + 1, event_of(ev)));
}

static const char *file_of(const struct event *ev, const char *file, char buf[TFS_PATH])
{
	snprintf(buf, TFS_PATH, "events/%.*s/%s/%s", (int)ev->colon, ev->name, ev->name + ev->colon + 1, file);
	return buf;
}

static int not_found(const struct table *x, const char *pattern, struct err *e)
{
	bool whole = pattern[strcspn(pattern, ":/")] != '\0';
	struct nearest near;
	char text[200];

	nearest_init(&near, sv_from(pattern));
	for (size_t i = 0; i < x->events.n; i++)
		nearest_feed(&near, x->events.v[i].name + (whole ? 0 : x->events.v[i].colon + 1));
	for (uint32_t i = 0; !whole && i < x->systems.n; i++)
		nearest_feed(&near, names_str(&x->names, i));
	err_set(e, ENOENT, "no event matches '%s'%s", pattern, nearest_text(&near, text, sizeof(text)));
	return err_hint(e, "'list -e' shows what there is; probes and synthetic events must be made first");
}

/* A filter has an unknown field: the caret marks it; offer the nearest names in the format. */
static void near_field(const struct table *x, const struct event *ev, const char *filter, struct err *e)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	const char *caret = strrchr(e->hint, '^'), *line = strchr(e->hint, '\n');
	size_t at = caret && line ? (size_t)(caret - line - 3) : 0;
	char path[TFS_PATH], *text, name[64], list[160];
	size_t n;
	struct nearest near;

	if (!caret || !line || at >= (size_t)(line - e->hint) || !strstr(e->text, "ield not found") || !*filter ||
	    tfs_read_all(x->t, file_of(ev, "format", path), &text, &n, NULL))
		return;
	/* The kernel's caret is at the name, or behind it. */
	while (at && !strchr(letters, e->hint[at]))
		at--;
	while (at && strchr(letters, e->hint[at - 1]))
		at--;
	str_copy(name, sizeof(name), (struct sv){ e->hint + at, strspn(e->hint + at, letters) });
	nearest_init(&near, sv_from(name));
	/* "field:TYPE NAME;" or "NAME[16];" */
	for (char *p = text; (p = strstr(p, "\tfield:")); ) {
		char *end = strchr(p, ';'), *from = end;

		if (!end)
			break;
		*end = '\0';
		p[7 + strcspn(p + 7, "[")] = '\0';
		from = strrchr(p, ' ');
		nearest_feed(&near, from ? from + 1 : p + 7);
		p = end + 1;
	}
	nearest_text(&near, list, sizeof(list));
	n = strlen(e->text);
	snprintf(e->text + n, sizeof(e->text) - n, "%s", list);
	free(text);
}

/*
 * Set a filter on all events that accept it, as the kernel does for a system: an event without the field has no filter.
 * If none accepts it, report the last event's error.
 */
static int filter_all(struct table *x, const struct plan_event *pe, struct err *e)
{
	char path[TFS_PATH];
	size_t took = 0;
	int r = 0;

	for (size_t i = 0; i < x->events.n; i++) {
		const struct event *ev = &x->events.v[i];

		if (!matches(pe->pattern, ev) || !tfs_has(x->t, file_of(ev, "filter", path)))
			continue;

		int one = undo_put(x->u, x->t, path, pe->filter, e);

		if (one == -ENOMEM)
			return one;
		took += !one;
		r = one ? one : r;
		if (one)
			near_field(x, ev, pe->filter, e);
	}
	return took ? 0 : r;
}

/* In a buffer that others have used, remove old filters from events that are wanted without one. */
static int drop_filters(struct table *x, const char *pattern, struct err *e)
{
	char path[TFS_PATH];
	int r = 0;

	for (size_t i = 0; !r && i < x->events.n; i++)
		if (matches(pattern, &x->events.v[i]) && tfs_has(x->t, file_of(&x->events.v[i], "filter", path)))
			r = undo_put(x->u, x->t, path, "0", e);
	return r;
}

static int trigger_all(struct table *x, const struct plan_event *pe, struct err *e)
{
	char path[TFS_PATH], removal[1024];
	int r = 0;

	for (size_t i = 0; !r && i < x->events.n; i++) {
		if (!matches(pe->pattern, &x->events.v[i]))
			continue;
		file_of(&x->events.v[i], "trigger", path);
		for (size_t k = 0; !r && k < pe->triggers.n; k++) {
			if (snprintf(removal, sizeof(removal), "!%s", pe->triggers.v[k]) >= (int)sizeof(removal))
				return err_set(e, ENAMETOOLONG, "the trigger '%.60s...' is too long",
					       pe->triggers.v[k]);
			r = undo_append(x->u, x->t, path, pe->triggers.v[k], removal, e);
			if (r) {
				evfile_explain(x->t, NULL, pe->triggers.v[k], e);
				r = -e->code;
			}
			if (r == -EINVAL && !e->hint[0])
				err_hint(e, "triggers: traceon traceoff snapshot stacktrace enable_event:SYSTEM:EVENT "
					    "hist:keys=...");
		}
	}
	return r;
}

/* --- events of a module, loaded or not --- */

static bool is_of_module(const char *pattern)
{
	return strstr(pattern, ":mod:");
}

/* Only the kernel knows which module an event belongs to, and only it can wait for a module to be loaded. */
static int module_pattern(struct table *x, const struct plan_event *pe, struct err *e)
{
	static const char known_by[] = "Can enable module events via: :mod:";   /* its README, Linux 6.14 */
	char *readme, removal[200];
	size_t n;
	int r = tfs_read_all(x->t, "README", &readme, &n, e);

	if (r)
		return r;
	if (!strstr(readme, known_by)) {
		err_set(e, EOPNOTSUPP, "this kernel cannot choose events by their module: '%s'", pe->pattern);
		r = err_hint(e, "most modules have a system of their name: -e %s", strstr(pe->pattern, ":mod:") + 5);
	} else if (pe->filter || pe->triggers.n) {
		err_set(e, EINVAL, "-f and -R are of events that are there, not of '%s'", pe->pattern);
		r = err_hint(e, "name the event instead, when the module is loaded");
	} else if (snprintf(removal, sizeof(removal), "!%s", pe->pattern) >= (int)sizeof(removal)) {
		r = err_set(e, ENAMETOOLONG, "'%.60s...' is too long", pe->pattern);
	} else {
		r = pe->exclude ? undo_append(x->u, x->t, "set_event", removal, pe->pattern, e)
				: undo_append(x->u, x->t, "set_event", pe->pattern, removal, e);
	}
	free(readme);
	return r;
}

static int one_pattern(struct table *x, const struct plan_event *pe, struct err *e)
{
	size_t found = 0;

	for (size_t i = 0; i < x->events.n; i++) {
		struct event *ev = &x->events.v[i];

		if (!matches(pe->pattern, ev))
			continue;
		found++;
		ev->wish = pe->exclude ? DISABLE : ENABLE;
	}
	if (!found)
		return x->p->missing_ok ? 0 : not_found(x, pe->pattern, e);

	int r = pe->filter ? filter_all(x, pe, e) : 0;

	return r ? r : trigger_all(x, pe, e);
}

/* --- enabling with as few writes as possible --- */

static bool is_off(const struct table *x, const char *file)
{
	char state[16];

	return tfs_get(x->t, file, state, sizeof(state)) > 0 && state[0] == '0';
}

static int enable_systems(struct table *x, struct err *e)
{
	char path[TFS_PATH];
	unsigned whole = 0;
	int r = 0;

	for (size_t i = 0; i < x->events.n; i++)
		x->systems.v[x->events.v[i].system].enable += x->events.v[i].wish == ENABLE;
	for (size_t i = 0; i < x->systems.n; i++)
		whole += x->systems.v[i].enable == x->systems.v[i].events;
	if (whole && whole == x->systems.n && is_off(x, "events/enable"))
		return undo_put(x->u, x->t, "events/enable", "1", e);
	for (uint32_t i = 0; !r && i < x->systems.n; i++) {
		snprintf(path, sizeof(path), "events/%s/enable", names_str(&x->names, i));
		if (x->systems.v[i].enable < 2 || x->systems.v[i].enable < x->systems.v[i].events || !is_off(x, path))
			continue;
		r = undo_put(x->u, x->t, path, "1", e);
		for (size_t k = 0; k < x->events.n; k++)
			if (x->events.v[k].system == i)
				x->events.v[k].wish = NOT_NAMED;
	}
	for (size_t i = 0; !r && i < x->events.n; i++)
		if (x->events.v[i].wish)
			r = undo_put(x->u, x->t, file_of(&x->events.v[i], "enable", path),
				     x->events.v[i].wish == ENABLE ? "1" : "0", e);
	return r;
}

int plan_events(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	struct table x = { .p = p, .u = u, .t = t };
	bool used = !p->add && (tfs_is_top(t) || p->instance);
	int r = p->events.n ? load(&x, e) : 0;

	for (size_t i = 0; !r && used && i < p->events.n; i++)
		if (!p->events.v[i].exclude && !is_of_module(p->events.v[i].pattern))
			r = drop_filters(&x, p->events.v[i].pattern, e);
	for (size_t i = 0; !r && i < p->events.n; i++)
		if (!is_of_module(p->events.v[i].pattern))
			r = one_pattern(&x, &p->events.v[i], e);
	r = r ? r : enable_systems(&x, e);
	for (size_t i = 0; !r && i < p->events.n; i++)
		if (is_of_module(p->events.v[i].pattern))
			r = module_pattern(&x, &p->events.v[i], e);
	unload(&x);
	return r;
}

int plan_bpf_prints(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	static const struct event printk = { .name = "bpf_trace:bpf_trace_printk", .colon = 9 };
	char path[TFS_PATH];
	bool wanted = true;

	for (size_t i = 0; i < p->events.n; i++)
		if (matches(p->events.v[i].pattern, &printk))
			wanted = !p->events.v[i].exclude;
	return wanted && tfs_has(t, file_of(&printk, "enable", path)) ? undo_put(u, t, path, "1", e) : 0;
}
