/* buffers.c - opens the trace buffers that a verb works on. */
#include "cmd/ftrace/buffers.h"

#include <fcntl.h>

int buffers_one(const struct ctx *c, const char *name, struct tfs *t, struct err *e)
{
	struct tfs top;
	int r = tfs_open(&top, c->sys, e);

	*t = top;
	return r || !name ? r : tfs_instance(t, &top, name, e);
}

static bool is_named(const struct buffers_want *w, const char *name)
{
	for (size_t i = 0; i < w->names.n; i++)
		if (!strcmp(w->names.v[i], name))
			return true;
	return false;
}

/* Call each for the instances that w does not name. */
static int each_other(const struct buffers_want *w, const struct tfs *top,
		      int (*each)(void *arg, const struct tfs *t, struct err *e), void *arg, struct err *e)
{
	char dir[PATH_MAX];
	struct sys_list l;
	struct tfs t;
	int r;

	snprintf(dir, sizeof(dir), "%s/instances", top->root);
	r = sys_list_dir(top->sys, dir, &l);
	if (r)
		return r == -ENOENT ? 0 : err_set(e, -r, "cannot read %s: %s", dir, err_name(-r));
	for (size_t i = 0; !r && i < l.n; i++)
		if (!is_named(w, l.v[i]) && !tfs_instance(&t, top, l.v[i], NULL))
			r = each(arg, &t, e);
	sys_list_free(&l);
	return r;
}

int buffers_each(const struct ctx *c, const struct buffers_want *w,
		 int (*each)(void *arg, const struct tfs *t, struct err *e), void *arg, struct err *e)
{
	struct tfs top, t;
	int r = tfs_open(&top, c->sys, e);

	if (!r && (w->top || !w->names.n))
		r = each(arg, &top, e);
	for (size_t i = 0; !r && i < w->names.n; i++) {
		r = tfs_instance(&t, &top, w->names.v[i], e);
		r = r ? r : each(arg, &t, e);
	}
	return r || !w->all ? r : each_other(w, &top, each, arg, e);
}

int buffers_done(struct ctx *c, int r, const struct err *e)
{
	return r ? cmd_fail(c, e) : EXIT_DONE;
}

int buffers_cat(const struct ctx *c, const struct tfs *t, const char *file, struct err *e)
{
	char path[PATH_MAX], buf[16384];
	ssize_t n;
	int fd;

	tfs_path(t, file, path);
	fd = t->sys->open(t->sys, path, O_RDONLY, 0);
	if (fd < 0)
		return err_set(e, -fd, "cannot read %s: %s", path, err_name(-fd));
	/* trace_pipe blocks until there is more: print what was read at once. */
	while ((n = t->sys->read(t->sys, fd, buf, sizeof(buf))) > 0 || n == -EINTR) {
		if (n < 0)
			continue;
		out_bytes(c->out, buf, (size_t)n);
		out_flush(c->out);
		if (c->out->error)
			break;
	}
	t->sys->close(t->sys, fd);
	return n < 0 ? err_set(e, (int)-n, "cannot read %s: %s", path, err_name((int)-n)) : 0;
}

int buffers_no_snapshot(const struct tfs *t, struct err *e)
{
	err_set(e, ENOENT, "there is no snapshot%s%s", tfs_is_top(t) ? "" : " of the buffer ", t->name);
	return err_hint(e, "the kernel needs CONFIG_TRACER_SNAPSHOT; buffers in memory reserved at boot have none");
}

void buffers_options(const struct ctx *c, const struct tfs *t, const char *before)
{
	char dir[PATH_MAX], file[TFS_PATH], on[16];
	struct sys_list l;

	tfs_path(t, "options", dir);
	if (sys_list_dir(t->sys, dir, &l))
		return;
	for (size_t i = 0; i < l.n; i++) {
		snprintf(file, sizeof(file), "options/%s", l.v[i]);
		if (tfs_get(t, file, on, sizeof(on)) > 0)
			out_printf(c->out, "%s%s%s\n", before, strcmp(on, "0") ? "" : "no", l.v[i]);
	}
	sys_list_free(&l);
}
