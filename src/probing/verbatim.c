/* verbatim.c - checks definitions in the kernel's grammar. */
#include "probing/verbatim.h"

#include "probing/define.h"

#include <unistd.h>

/*
 * Check what the kernel does not: a uprobe between ldxr and stxr keeps the program from making progress. An unreadable
 * file, or an offset without code, is reported by the kernel.
 */
static int check_program(const struct sys *sys, const struct dynevent *d, struct err *e)
{
	char path[PATH_MAX];
	struct subject_want want = { .exec = path };
	struct define_want how = { .group = "check" };
	struct point p = { .kind = POINT_ADDR, .is_return = d->is_return };
	struct definer definer;
	struct subject s;
	int r = 0;

	str_copy(path, sizeof(path), d->target);
	if (subject_open(&s, sys, &want, NULL))
		return 0;
	definer_init(&definer, &s, &how, "");
	if (image_addr(&s.program.code, d->offset, &p.offset))
		r = define_point(&definer, &p, e);
	definer_deinit(&definer);
	subject_close(&s);
	return r;
}

static int check_fields(const struct sys *sys, const struct verbatim *l, const char *dir, struct err *e)
{
	enum { LONG = 1 << 20 };
	struct tmachine here = { .long_size = sizeof(long) };
	struct arena arena = { 0 };
	struct tfmt fmt;
	char path[PATH_MAX], *text;
	size_t n;
	int r = 0;

	/* Without the format the fields cannot be checked here: the kernel will. */
	if (snprintf(path, sizeof(path), "%s/format", dir) >= (int)sizeof(path) ||
	    sys_read_all(sys, path, LONG, &text, &n, NULL))
		return 0;
	if (!tfmt_parse(&fmt, &arena, (struct sv){ text, n }, here, NULL))
		r = dynevent_check_fields(&l->d, l->typed, &fmt, e);
	arena_deinit(&arena);
	free(text);
	return r;
}

/* Check the event's fields: the kernel only reports ENODEV or EINVAL. */
static int check_event(const struct sys *sys, const struct verbatim *l, struct err *e)
{
	const struct dynevent *d = &l->d;
	const char *root = sys_tracefs(sys);
	char name[2 * DYNEVENT_NAME_MAX + 2], path[PATH_MAX];

	str_copy(name, sizeof(name), d->target);
	for (char *p = name; (p = strpbrk(p, ".:")); )
		*p = '/';
	snprintf(path, sizeof(path), "%s/events/%s", root ? root : "", name);
	if (!root || sys->access(sys, root, X_OK))
		return 0;
	if (sys_exists(sys, path))
		return check_fields(sys, l, path, e);
	*strchr(name, '/') = ':';
	err_set(e, ENOENT, "there is no event '%s' to probe", name);
	return err_hint(e, "'sonde ftrace list -e' shows what there is");
}

static int check(const struct verbatim_how *how, struct verbatim *l, struct err *e)
{
	const char *missing = dynevent_missing(&l->d, how->readme);
	struct dynevent *d = &l->d;

	if (missing) {
		err_set(e, EOPNOTSUPP, "this kernel has no %s", missing);
		return err_hint(e, "the README of its tracing file system does not name them: it was built without, or "
				   "is older");
	}
	if (d->kind == DYNEVENT_SYNTHETIC && d->group.n && !sv_eq(d->group, "synthetic")) {
		err_set(e, EINVAL, "the group of a synthetic event is 'synthetic', not '%.*s'", (int)d->group.n,
			d->group.s);
		return err_hint(e, "leave it out: s:%.*s", (int)d->event.n, d->event.s);
	}
	if (d->kind == DYNEVENT_EPROBE)
		return check_event(how->sys, l, e);
	return d->kind == DYNEVENT_UPROBE && how->care == VERBATIM_SAFE ? check_program(how->sys, d, e) : 0;
}

static char *text_of(const struct dynevent *d, void (*put)(const struct dynevent *d, struct out *o))
{
	struct mem_out m;
	char *text;

	mem_out_init(&m);
	put(d, &m.out);
	text = strdup(mem_out_str(&m));
	mem_out_deinit(&m);
	return text;
}

int verbatim_init(struct verbatim *l, const struct verbatim_how *how, const char *typed, struct err *e)
{
	int r;

	*l = (struct verbatim){ .typed = strdup(typed) };
	if (!l->typed)
		return err_nomem(e);
	r = dynevent_parse(&l->d, l->typed, e);
	r = r ? r : check(how, l, e);
	if (!r) {
		if (!l->d.group.n && how->group && l->d.kind != DYNEVENT_SYNTHETIC)
			l->d.group = sv_from(how->group);
		dynevent_name(&l->d, &l->names);
		l->text = text_of(&l->d, dynevent_put);
		l->removal = text_of(&l->d, dynevent_put_removal);
		r = l->text && l->removal ? 0 : err_nomem(e);
	}
	if (r)
		verbatim_deinit(l);
	return r;
}

void verbatim_deinit(struct verbatim *l)
{
	free(l->typed);
	free(l->text);
	free(l->removal);
	*l = (struct verbatim){ 0 };
}

int verbatim_is_place(struct verbatim *l, struct err *e)
{
	char *removal = text_of(&l->d, dynevent_put_place_removal);

	if (!removal)
		return err_nomem(e);
	free(l->removal);
	l->removal = removal;
	return 0;
}
