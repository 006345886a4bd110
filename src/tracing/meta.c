/* meta.c - collects formats and names. */
#include "tracing/meta.h"

#include "tracing/rings.h"
#include "tracefs/kind.h"

enum meta_which meta_for(const struct plan *p)
{
	for (size_t i = 0; i < p->events.n; i++)
		if (p->events.v[i].triggers.n)
			return META_ALL;
	return META_ENABLED;
}

/* Read a file and keep its text in m. A missing file gives "". */
static int take(struct meta *m, const struct tfs *t, const char *file, struct sv *text, struct err *e)
{
	char **slot, *p = NULL;
	size_t n = 0;
	int r;

	*text = (struct sv){ "", 0 };
	r = tfs_read_all(t, file, &p, &n, e);
	if (r)
		return r;
	slot = vec_add(&m->texts);
	if (!slot) {
		free(p);
		return err_nomem(e);
	}
	*slot = p;
	*text = (struct sv){ p, n };
	return 0;
}

static int add_format(struct meta *m, const struct tfs *top, struct sv system, struct sv event, struct err *e)
{
	char file[TFS_PATH];
	size_t n = m->have.list.n;
	uint32_t id;
	struct sv text;
	int len = snprintf(file, sizeof(file), "events/%.*s/%.*s/format", (int)MIN(system.n, 200u), system.s,
			   (int)MIN(event.n, 200u), event.s);

	if (len >= (int)sizeof(file))
		return 0;
	id = names_add(&m->have, file, (size_t)len);
	if (id == NAMES_NONE)
		return err_nomem(e);
	/* Skip known and vanished events, and a folder's own files (enable, filter). */
	if (id < n || !tfs_has(top, file) || take(m, top, file, &text, NULL))
		return 0;

	const char *kept = names_str(&m->have, id) + sizeof("events/") - 1;

	return tblob_add(&m->blob, (struct sv){ kept, system.n }, text) ? err_nomem(e) : 0;
}

static int add_system(struct meta *m, const struct tfs *top, const char *system, struct err *e)
{
	char path[PATH_MAX], dir[TFS_PATH];
	struct sys_list names;
	int r = 0;

	snprintf(dir, sizeof(dir), "events/%s", system);
	tfs_path(top, dir, path);
	if (sys_list_dir(top->sys, path, &names))
		return 0;
	for (size_t i = 0; !r && i < names.n; i++)
		r = add_format(m, top, sv_from(system), sv_from(names.v[i]), e);
	sys_list_free(&names);
	return r;
}

int meta_init(struct meta *m, const struct tfs *top, const struct tfs *t, struct err *e)
{
	int r;

	*m = (struct meta){ .blob.machine.long_size = sizeof(long) };
	r = take(m, t, "events/header_page", &m->blob.header_page, e);
	if (!r)
		r = rings_layout(t, &m->layout, e);
	m->blob.page_size = rings_subbuf(&m->layout);
	if (!r)
		r = take(m, top, "events/header_event", &m->blob.header_event, e);
	if (!r)
		r = add_system(m, top, "ftrace", e);
	if (r)
		meta_deinit(m);
	return r;
}

void meta_deinit(struct meta *m)
{
	tblob_deinit(&m->blob);
	names_deinit(&m->have);
	for (size_t i = 0; i < m->texts.n; i++)
		free(m->texts.v[i]);
	vec_free(&m->texts);
}

static int add_all(struct meta *m, const struct tfs *top, struct err *e)
{
	char path[PATH_MAX];
	struct sys_list systems;
	int r = 0;

	tfs_path(top, "events", path);
	if (sys_list_dir(top->sys, path, &systems))
		return 0;
	for (size_t i = 0; !r && i < systems.n; i++)
		r = add_system(m, top, systems.v[i], e);
	sys_list_free(&systems);
	return r;
}

/* Viewers follow tasks by these events, so their formats are always needed. */
static const enum tkind tasks[] = {
	KIND_SCHED_SWITCH, KIND_SCHED_WAKEUP, KIND_SCHED_WAKEUP_NEW, KIND_SCHED_WAKING, KIND_SCHED_FORK,
	KIND_SCHED_EXEC,
};

int meta_add_events(struct meta *m, const struct tfs *top, const struct tfs *t, enum meta_which which, struct err *e)
{
	struct sv rest, line, system;
	char *text;
	size_t n;
	int r;

	if (which == META_ALL)
		return add_all(m, top, e);
	r = tfs_read_all(t, "set_event", &text, &n, e);
	if (r)
		return r;
	for (rest = (struct sv){ text, n }; !r && sv_cut(&rest, '\n', &line); ) {
		if (sv_cut(&line, ':', &system) && line.n)
			r = add_format(m, top, system, sv_trim(line), e);
	}
	free(text);
	for (size_t i = 0; !r && i < ARRAY_SIZE(tasks); i++)
		r = add_format(m, top, sv_from(tkind_system(tasks[i])), sv_from(tkind_name(tasks[i])), e);
	return r;
}

int meta_add_names(struct meta *m, const struct tfs *top, struct err *e)
{
	int r = 0;

	/* Each file may be missing: printk_formats exists only where trace_printk is used. */
	if (tfs_has(top, "printk_formats"))
		r = take(m, top, "printk_formats", &m->blob.printk_formats, e);
	if (!r && tfs_has(top, "saved_cmdlines"))
		r = take(m, top, "saved_cmdlines", &m->blob.cmdlines, e);
	return r;
}

int meta_events(struct meta *m, const struct tfs *top, struct tevents *to, struct err *e)
{
	int r = meta_add_names(m, top, e);

	if (r)
		return r;
	tevents_init(to, m->blob.machine);
	return tevents_add_blob(to, &m->blob, e);
}
