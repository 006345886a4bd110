/* program.c - see program.h. */
#include "probing/program.h"

#include "sys/inside.h"

#include <fcntl.h>

/* Without links: what uprobe_events will show, and what /proc/PID/maps has. */
static void real_path(const struct sys *sys, char path[PATH_MAX])
{
	char link[64], real[PATH_MAX];
	int fd = sys->open(sys, path, O_PATH, 0);
	ssize_t n;

	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = sys->readlink(sys, link, real, sizeof(real) - 1);
	sys->close(sys, fd);
	if (n > 0 && real[0] == '/')
		str_copy(path, PATH_MAX, (struct sv){ real, (size_t)n });
}

static bool try_path(const struct sys *sys, const char *root, char path[PATH_MAX], const char *fmt, ...) PRINTF(4, 5);
static bool try_path(const struct sys *sys, const char *root, char path[PATH_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(path, PATH_MAX, fmt, ap);
	va_end(ap);
	return n < PATH_MAX && (!*root || inside_path(sys, root, path)) && sys_exists(sys, path);
}

static const char *const lib_dirs[] = { "/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib" };

static bool find_library(const struct sys *sys, const char *root, const char *name, char path[PATH_MAX])
{
	const char *triple = arch_native() == arch_by_name("aarch64") ? "aarch64-linux-gnu" : "x86_64-linux-gnu";

	for (size_t i = 0; i < ARRAY_SIZE(lib_dirs); i++)
		if (try_path(sys, root, path, "%s/%s", lib_dirs[i], name) ||
		    try_path(sys, root, path, "%s/%s/%s", lib_dirs[i], triple, name))
			return true;
	return false;
}

static int find_file(const struct sys *sys, const struct program_want *w, char path[PATH_MAX], struct err *e)
{
	char root[32] = "", where[80] = "";

	if (w->target_pid) {
		inside_root(w->target_pid, root);
		if (!sys_exists(sys, root))
			return err_set(e, ESRCH, "there is no process %d", w->target_pid);
		snprintf(where, sizeof(where), " in the mount namespace of process %d", w->target_pid);
	}
	if ((w->file[0] == '/' || !w->target_pid) && try_path(sys, root, path, "%s", w->file)) {
		if (!w->target_pid)
			real_path(sys, path);
		return 0;
	}
	if (!strchr(w->file, '/')) {
		const char *dirs = getenv("PATH");
		struct sv rest = sv_from(dirs ? dirs : "/bin:/usr/bin:/sbin:/usr/sbin"), dir;

		while (sv_cut(&rest, ':', &dir))
			if (try_path(sys, root, path, "%.*s/%s", (int)MIN(dir.n, 2000u), dir.s, w->file))
				goto found;
		if (find_library(sys, root, w->file, path))
			goto found;
	}
	err_set(e, ENOENT, "there is no file %s%s", w->file, where);
	return strchr(w->file, '/') ? -ENOENT : err_hint(e, "neither here, nor in $PATH, nor where libraries are");
found:
	if (!w->target_pid)
		real_path(sys, path);
	return 0;
}

int program_open(struct module *m, const struct sys *sys, const struct image_files *files,
		 const struct program_want *w, struct err *e)
{
	struct module_want want = { .debug = w->debug };
	const struct arch *arch;
	char path[PATH_MAX];
	int r = find_file(sys, w, path, e);

	want.path = path;
	r = r ? r : module_open(m, files, &want, e);
	if (r)
		return r;
	arch = arch_by_elf(m->code.elf.machine);
	if (arch && m->code.elf.is64)
		return 0;
	module_close(m);
	return err_set(e, ENOEXEC, "%s is for a machine that sonde does not know", path);
}
