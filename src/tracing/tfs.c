/* tfs.c - accesses tracefs through the table of system calls, and explains why the kernel refuses a value. */
#include "tracing/tfs.h"

#include <fcntl.h>

enum { FILE_MAX = 256 << 20, LOG_MAX = 1 << 20, WINDOW = 90 };

/* --- which buffer --- */

static int no_tracefs(const struct sys *sys, struct err *e)
{
	char how[64];

	if (sys->access(sys, "/sys/kernel/tracing/trace_pipe", F_OK) == -EACCES ||
	    sys->access(sys, "/sys/kernel/debug/tracing/trace_pipe", F_OK) == -EACCES) {
		err_set(e, EACCES, "the tracing file system is closed to this user");
		return err_hint(e, "run it as root");
	}
	if (*sys_lockdown(sys, how, sizeof(how)) && strcmp(how, "none")) {
		err_set(e, EPERM, "the tracing file system is closed: the kernel is locked down (%s)", how);
		return err_hint(e, "boot without lockdown; perf events of sonde stat and record may still work");
	}
	err_set(e, ENOENT, "the tracing file system is not mounted");
	return err_hint(e, "mount -t tracefs nodev /sys/kernel/tracing (the kernel needs CONFIG_FTRACE)");
}

int tfs_open(struct tfs *t, const struct sys *sys, struct err *e)
{
	const char *root = sys_tracefs(sys);

	*t = (struct tfs){ .sys = sys };
	if (!root)
		return no_tracefs(sys, e);
	snprintf(t->root, sizeof(t->root), "%s", root);
	snprintf(t->dir, sizeof(t->dir), "%s", root);
	return 0;
}

static int name_instance(struct tfs *t, const struct tfs *top, const char *name, struct err *e)
{
	*t = *top;
	if (!*name || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, ".."))
		return err_set(e, EINVAL, "'%s' cannot be the name of a buffer", name);
	if (strlen(name) >= sizeof(t->name) ||
	    snprintf(t->dir, sizeof(t->dir), "%s/instances/%s", top->root, name) >= (int)sizeof(t->dir))
		return err_set(e, ENAMETOOLONG, "the buffer's name '%.80s' is too long", name);
	snprintf(t->name, sizeof(t->name), "%s", name);
	return 0;
}

int tfs_instance(struct tfs *t, const struct tfs *top, const char *name, struct err *e)
{
	int r = name_instance(t, top, name, e);

	if (r || sys_exists(t->sys, t->dir))
		return r;

	struct sys_list l = { 0 };
	struct nearest near;
	char dir[PATH_MAX], text[160];

	snprintf(dir, sizeof(dir), "%s/instances", top->root);
	nearest_init(&near, sv_from(name));
	if (!sys_list_dir(top->sys, dir, &l))
		for (size_t i = 0; i < l.n; i++)
			nearest_feed(&near, l.v[i]);
	err_set(e, ENOENT, "there is no buffer '%s'%s", name, nearest_text(&near, text, sizeof(text)));
	sys_list_free(&l);
	return -ENOENT;
}

int tfs_make(struct tfs *t, const struct tfs *top, const char *name, struct err *e)
{
	int r = name_instance(t, top, name, e);

	if (!r)
		r = t->sys->mkdir(t->sys, t->dir, 0750);
	return r < 0 && r != -EINVAL && r != -ENAMETOOLONG
		       ? err_set(e, -r, "cannot make the buffer '%s': %s", name, err_name(-r))
		       : r;
}

int tfs_remove(const struct tfs *t, struct err *e)
{
	enum { TRIES = 100, PAUSE_MS = 20 };
	int r = -EBUSY;

	/* The descriptors of a dead reader are closed a little after its death. */
	for (int i = 0; r == -EBUSY && i < TRIES; i++) {
		if (i)
			t->sys->poll(t->sys, NULL, 0, PAUSE_MS);
		r = t->sys->rmdir(t->sys, t->dir);
	}
	return r ? err_set(e, -r, "cannot remove the buffer '%s': %s", t->name,
			   r == -EBUSY ? "somebody reads it" : err_name(-r)) : 0;
}

bool tfs_is_top(const struct tfs *t)
{
	return !t->name[0];
}

/* --- files --- */

/* EPERM and EACCES: find out what denies access. */
static int denied(const struct tfs *t, struct err *e)
{
	char how[64];

	if (*sys_lockdown(t->sys, how, sizeof(how)) && strcmp(how, "none"))
		return err_hint(e, "the kernel is locked down (%s): it lets nobody trace by this file system", how);
	if (t->sys->uid(t->sys))
		return err_hint(e, "run it as root");
	return err_hint(e,
			"root may not: a kernel that is locked down, or a container. perf events of 'sonde stat' and "
			"'sonde record' may still work");
}

void tfs_path(const struct tfs *t, const char *file, char buf[PATH_MAX])
{
	if (*file == '/') {
		snprintf(buf, PATH_MAX, "%s", file);
		return;
	}
	snprintf(buf, PATH_MAX, "%s/%s", t->dir, file);
	if (!tfs_is_top(t) && !sys_exists(t->sys, buf))
		snprintf(buf, PATH_MAX, "%s/%s", t->root, file);
}

bool tfs_has(const struct tfs *t, const char *file)
{
	char path[PATH_MAX];

	tfs_path(t, file, path);
	return sys_exists(t->sys, path);
}

bool tfs_has_own(const struct tfs *t, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", t->dir, file);
	return sys_exists(t->sys, path);
}

ssize_t tfs_get(const struct tfs *t, const char *file, char *buf, size_t size)
{
	char path[PATH_MAX];

	tfs_path(t, file, path);
	return sys_read_line(t->sys, buf, size, "%s", path);
}

int tfs_read_all(const struct tfs *t, const char *file, char **text, size_t *n, struct err *e)
{
	char path[PATH_MAX];

	tfs_path(t, file, path);

	int r = sys_read_all(t->sys, path, FILE_MAX, text, n, e);

	return e && (r == -EPERM || r == -EACCES) ? denied(t, e) : r;
}

int tfs_chosen(const struct tfs *t, const char *file, char *buf, size_t size)
{
	char text[1024];
	ssize_t n = tfs_get(t, file, text, sizeof(text));
	const char *a = n > 0 ? strchr(text, '[') : NULL, *b = a ? strchr(a, ']') : NULL;

	if (n < 0 || !b)
		return n < 0 ? (int)n : -ENOENT;
	str_copy(buf, size, (struct sv){ a + 1, (size_t)(b - a - 1) });
	return 0;
}

/* --- why the kernel refused a value --- */

/* Copy text without white space and parentheses, which the kernel's parsers add. */
static void squeeze(struct sv text, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n && n + 1 < size; i++)
		if (!strchr(" \t\n()", text.s[i]))
			buf[n++] = text.s[i];
	buf[n] = '\0';
}

/* Is the logged command ours, and not an older one? A histogram's is logged with or without its first words. */
static bool is_about(struct sv command, const char *text)
{
	char a[512], b[512];
	struct sv mine = sv_from(text);

	if (sv_starts(mine, "hist:"))
		mine = sv_from(text + 5);
	squeeze(command, a, sizeof(a));
	squeeze(mine, b, sizeof(b));
	return *a && *b && (strstr(a, b) || strstr(b, a));
}

/* The last entry of error_log: "[ time] who: error: text", "  Command: what was written", and a caret below it. */
struct complaint {
	struct sv text, command;
	size_t at;   /* of the caret in the command */
};

static bool last_complaint(char *log, struct complaint *c)
{
	static const char label[] = "  Command: ";
	struct sv rest = sv_from(log), line;

	*c = (struct complaint){ 0 };
	while (sv_cut(&rest, '\n', &line)) {
		if (line.n && line.s[0] == '[') {
			const char *p = memmem(line.s, line.n, "error: ", 7);
			/* "error: " may also be part of who: "event filter parse error: error: ". */
			const char *q = p ? memmem(p + 7, line.n - (size_t)(p + 7 - line.s), "error: ", 7) : NULL;

			p = q ? q : p;
			*c = (struct complaint){.text = p ? (struct sv){p + 7, line.n - (size_t)(p + 7 - line.s)}
							  : line};
		} else if (sv_starts(line, label)) {
			c->command = (struct sv){ line.s + strlen(label), line.n - strlen(label) };
		} else if (line.n > strlen(label) && line.s[line.n - 1] == '^') {
			c->at = MIN(line.n - 1 - strlen(label), c->command.n);
		}
	}
	return c->text.n && c->command.n;
}

/* Show the command with a caret below the spot, two lines; cut a long one around the spot. */
static void show_spot(const struct complaint *c, struct err *e)
{
	size_t from = c->at > WINDOW * 2 / 3 ? c->at - WINDOW * 2 / 3 : 0, n = MIN(c->command.n - from, (size_t)WINDOW);

	err_hint(e, "%.*s\n  %*s", (int)n, c->command.s + from, (int)(c->at - from + 1), "^");
}

static bool explain_from(const struct tfs *t, const char *path, const char *file, const char *text, struct err *e)
{
	struct complaint c;
	char *log;
	size_t n;
	int code = e->code;

	if (sys_read_all(t->sys, path, LOG_MAX, &log, &n, NULL))
		return false;

	bool found = last_complaint(log, &c) && is_about(c.command, text);

	if (found) {
		err_set(e, code, "%s: %.*s", file, (int)MIN(c.text.n, 200u), c.text.s);
		show_spot(&c, e);
	}
	free(log);
	return found;
}

static bool explain(const struct tfs *t, const char *file, struct sv text, struct err *e)
{
	char path[PATH_MAX], *own = strndup(text.s, text.n);
	bool found = false;

	snprintf(path, sizeof(path), "%s/error_log", t->dir);
	if (own)
		found = explain_from(t, path, file, own, e);
	if (own && !found && !tfs_is_top(t)) {
		snprintf(path, sizeof(path), "%s/error_log", t->root);
		found = explain_from(t, path, file, own, e);
	}
	free(own);
	return found;
}

/* Look into error_log first: even a filter that cannot be parsed may fail with EPERM. */
static int refused(const struct tfs *t, const char *file, struct sv text, int code, struct err *e)
{
	if (!e)
		return -code;
	err_set(e, code, "cannot write '%.*s' to %s: %s", (int)MIN(text.n, 80u), text.s, file, err_name(code));
	if (explain(t, file, text, e) || (code != EACCES && code != EPERM))
		return -code;
	return denied(t, e);
}

/* --- writing --- */

/*
 * Write a line together with its line feed: the kernel takes an unterminated one only at close(), which reports no
 * error.
 */
static int write_line(const struct tfs *t, int fd, struct sv line, struct sv *left)
{
	char small[256], *buf = line.n < sizeof(small) ? small : malloc(line.n + 1);
	size_t at = 0;
	int r = buf ? 0 : -ENOMEM;

	if (!r) {
		memcpy(buf, line.s, line.n);
		buf[line.n] = '\n';
	}
	/* Lists consume one word per write. */
	while (!r && at < line.n + 1) {
		ssize_t done = t->sys->write(t->sys, fd, buf + at, line.n + 1 - at);

		if (done > 0)
			at += (size_t)done;
		else if (done != -EINTR)
			r = done ? (int)done : -EIO;
	}
	*left = (struct sv){ line.s + MIN(at, line.n), line.n - MIN(at, line.n) };
	if (buf != small)
		free(buf);
	return r;
}

static int write_text(const struct tfs *t, const char *file, int flags, const char *text, struct err *e)
{
	char path[PATH_MAX];
	struct sv rest = sv_from(text), line, left = rest;

	tfs_path(t, file, path);

	int fd = t->sys->open(t->sys, path, O_WRONLY | flags, 0), r = 0;

	if (fd < 0)
		return fd == -ENOENT ? err_set(e, ENOENT, "this kernel has no %s", file)
				     : refused(t, file, rest, -fd, e);
	/* An empty text needs no write: O_TRUNC has cleared the file. */
	while (!r && sv_cut(&rest, '\n', &line))
		if (line.n)
			r = write_line(t, fd, line, &left);

	int closed = t->sys->close(t->sys, fd);

	r = r ? r : closed;
	return r ? refused(t, file, left, -r, e) : 0;
}

int tfs_put(const struct tfs *t, const char *file, const char *text, struct err *e)
{
	return write_text(t, file, O_TRUNC, text, e);
}

int tfs_append(const struct tfs *t, const char *file, const char *text, struct err *e)
{
	return write_text(t, file, O_APPEND, text, e);
}
