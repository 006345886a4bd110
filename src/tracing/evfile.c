/* evfile.c - finds an event by its name. */
#include "tracing/evfile.h"

#include "tracefs/grammar/trigger.h"

enum { FORMAT_MAX = 1 << 20 };

/* Does this line "SYSTEM:EVENT" of available_events match? */
static bool is_it(struct sv line, const char *system, const char *event)
{
	const char *colon = memchr(line.s, ':', line.n);
	struct sv rest;

	if (!colon)
		return false;
	rest = (struct sv){ colon + 1, line.n - (size_t)(colon + 1 - line.s) };
	return sv_eq(rest, event) && (!*system || sv_eq((struct sv){ line.s, (size_t)(colon - line.s) }, system));
}

static int not_found(char *list, size_t n, const char *name, bool whole, struct err *e)
{
	struct nearest near;
	char text[200], *line = list, *end;

	nearest_init(&near, sv_from(name));
	for (; (end = memchr(line, '\n', n - (size_t)(line - list))); line = end + 1) {
		char *colon = memchr(line, ':', (size_t)(end - line));

		*end = '\0';
		nearest_feed(&near, whole || !colon ? line : colon + 1);
	}
	err_set(e, ENOENT, "there is no event '%s'%s", name, nearest_text(&near, text, sizeof(text)));
	return err_hint(e, "'list -e' shows what there is");
}

/* Find it by its folder: a copy of tracefs may have nothing but events/. */
static int find_folder(struct evfile *f, const struct tfs *t, const char *name, struct err *e)
{
	char path[PATH_MAX], file[TFS_PATH];
	struct sys_list systems;
	unsigned found = 0;
	size_t at = 0;

	tfs_path(t, "events", path);
	if (sys_list_dir(t->sys, path, &systems))
		return err_set(e, ENOENT, "there is no %s", path);
	for (size_t i = 0; i < systems.n; i++) {
		if (*f->system && strcmp(f->system, systems.v[i]))
			continue;
		if (snprintf(file, sizeof(file), "events/%s/%s/format", systems.v[i], f->event) >= (int)sizeof(file) ||
		    !tfs_has(t, file))
			continue;
		if (!found++)
			at = i;
	}
	if (found)
		str_copy(f->system, sizeof(f->system), sv_from(systems.v[at]));
	sys_list_free(&systems);
	if (found > 1)
		return err_set(e, EINVAL, "there are %u events '%s': which system's?", found, name);
	return found ? 0 : err_set(e, ENOENT, "there is no event '%s' in %s", name, path);
}

/* Find the system of a name without one. */
static int find(struct evfile *f, const struct tfs *t, const char *name, struct err *e)
{
	char *list, system[sizeof(f->system)];
	struct sv rest, line;
	unsigned found = 0;
	size_t n;
	int r;

	if (!tfs_has(t, "available_events"))
		return find_folder(f, t, name, e);
	r = tfs_read_all(t, "available_events", &list, &n, e);
	if (r)
		return r;
	str_copy(system, sizeof(system), sv_from(f->system));
	rest = (struct sv){ list, n };
	while (sv_cut(&rest, '\n', &line)) {
		if (!is_it(line, system, f->event))
			continue;
		if (!found++)
			str_copy(f->system, sizeof(f->system), (struct sv){ line.s, strcspn(line.s, ":") });
	}
	if (!found)
		r = not_found(list, n, name, *system, e);
	else if (found > 1)
		r = err_set(e, EINVAL, "there are %u events '%s': which system's?", found, name);
	free(list);
	return r;
}

int evfile_init(struct evfile *f, const struct tfs *t, const char *name, struct err *e)
{
	size_t n = strcspn(name, ":/"), size;
	char path[TFS_PATH], *text;
	int r;

	*f = (struct evfile){ 0 };
	if (name[n])
		str_copy(f->system, sizeof(f->system), (struct sv){ name, n });
	str_copy(f->event, sizeof(f->event), sv_from(name + (name[n] ? n + 1 : 0)));
	r = find(f, t, name, e);
	if (r)
		return r;
	snprintf(f->dir, sizeof(f->dir), "events/%s/%s", f->system, f->event);
	r = tfs_read_all(t, evfile_path(f, "format", path), &text, &size, e);
	if (r)
		return r;
	r = tfmt_parse(&f->fmt, &f->arena, (struct sv){ text, size },
		       (struct tmachine){ .long_size = sizeof(long) }, e);
	free(text);
	return r ? err_wrap(e, "%s", path) : 0;
}

void evfile_deinit(struct evfile *f)
{
	arena_deinit(&f->arena);
}

const char *evfile_path(const struct evfile *f, const char *file, char buf[TFS_PATH])
{
	if (snprintf(buf, TFS_PATH, "%s/%s", f->dir, file) >= TFS_PATH)
		buf[0] = '\0';
	return buf;
}

void evfile_explain_event(const struct tfs *t, struct sv system, struct sv event, struct err *e)
{
	struct err why = { 0 };
	struct evfile f;
	char name[220];

	if (e->hint[0] || e->code == EPERM || e->code == EACCES)
		return;
	snprintf(name, sizeof(name), "%.*s:%.*s", (int)MIN(system.n, 80u), system.s, (int)MIN(event.n, 120u), event.s);
	if (evfile_init(&f, t, name, &why) == -ENOENT)
		*e = why;
	evfile_deinit(&f);
}

void evfile_explain(const struct tfs *t, const struct tfmt *fmt, const char *text, struct err *e)
{
	struct trigger_env env = { .fmt = fmt };
	struct sv system, event;
	struct err why = { 0 };

	if (e->hint[0] || e->code == EPERM || e->code == EACCES)
		return;
	if (trigger_check(&env, text, &why))
		*e = why;
	else if (trigger_other(text, &system, &event))
		evfile_explain_event(t, system, event, e);
}

int evfile_trigger(const struct evfile *f, struct undo *u, const struct tfs *t, const char *text, struct err *e)
{
	char path[TFS_PATH], removal[TRIGGER_MAX + 1];
	int r;

	if (trigger_removal(text, removal, sizeof(removal)) >= (int)sizeof(removal))
		return err_set(e, ENAMETOOLONG, "the trigger '%.60s...' is too long", text);
	r = undo_append(u, t, evfile_path(f, "trigger", path), text, removal, e);
	if (r)
		evfile_explain(t, &f->fmt, text, e);
	return r ? -e->code : 0;
}
