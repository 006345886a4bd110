/* subject.c - opens the kernel or a program for probing, by the name that a user types. */
#include "probing/below.h"

#include "sys/image_files.h"
#include "sys/inside.h"

#include <fcntl.h>

/* --- the file of a program, by the path that the kernel shows --- */

/* Resolve links, as uprobe_events and /proc/PID/maps do. */
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

static int find_file(const struct sys *sys, const struct subject_want *w, char path[PATH_MAX], struct err *e)
{
	char root[32] = "", where[80] = "";

	if (w->target_pid) {
		inside_root(w->target_pid, root);
		if (!sys_exists(sys, root))
			return err_set(e, ESRCH, "there is no process %d", w->target_pid);
		snprintf(where, sizeof(where), " in the mount namespace of process %d", w->target_pid);
	}
	if ((w->exec[0] == '/' || !w->target_pid) && try_path(sys, root, path, "%s", w->exec)) {
		if (!w->target_pid)
			real_path(sys, path);
		return 0;
	}
	if (!strchr(w->exec, '/')) {
		const char *dirs = getenv("PATH");
		struct sv rest = sv_from(dirs ? dirs : "/bin:/usr/bin:/sbin:/usr/sbin"), dir;

		while (sv_cut(&rest, ':', &dir))
			if (try_path(sys, root, path, "%.*s/%s", (int)MIN(dir.n, 2000u), dir.s, w->exec))
				goto found;
		if (find_library(sys, root, w->exec, path))
			goto found;
	}
	err_set(e, ENOENT, "there is no file %s%s", w->exec, where);
	return strchr(w->exec, '/') ? -ENOENT : err_hint(e, "neither here, nor in $PATH, nor where libraries are");
found:
	if (!w->target_pid)
		real_path(sys, path);
	return 0;
}

static int open_program(struct subject *s, struct err *e)
{
	char path[PATH_MAX];
	struct module_want want = { .path = path, .debug = s->want->debug };
	int r = s->want->symfs ? below_find(s, path, e) : find_file(s->sys, s->want, path, e);

	r = r ? r : module_open(&s->program, &s->files, &want, e);
	if (r)
		return r;
	s->arch = arch_by_elf(s->program.code.elf.machine);
	if (s->arch && s->program.code.elf.is64)
		return 0;
	module_close(&s->program);
	return err_set(e, ENOEXEC, "%s is for a machine that sonde does not know", path);
}

/* --- subjects --- */

int subject_open(struct subject *s, const struct sys *sys, const struct subject_want *w, struct err *e)
{
	memset(s, 0, sizeof(*s));
	s->want = w;
	s->sys = sys;
	s->files = sys_image_files(sys);
	s->is_kernel = !w->exec;
	if (s->is_kernel) {
		s->arch = arch_native();
		return kernel_image_open(&s->kernel, sys, &w->kernel, e);
	}
	return open_program(s, e);
}

void subject_close(struct subject *s)
{
	if (s->is_kernel)
		kernel_image_close(&s->kernel);
	else
		module_close(&s->program);
	arena_deinit(&s->arena);
}

struct dwarf *subject_dwarf(struct subject *s, const struct err **why)
{
	struct dwarf *d = s->is_kernel ? kernel_image_dwarf(&s->kernel) : module_dwarf(&s->program, &s->no_dwarf);

	if (why)
		*why = s->is_kernel ? &s->kernel.no_dwarf : &s->no_dwarf;
	return d;
}

bool subject_missing(const struct subject *s, char *buf, size_t size)
{
	const char *missing = s->program.info.missing;

	if (s->is_kernel || !missing[0])
		return false;
	snprintf(buf, size, "%s, which has a part of the debug information, is missing", missing);
	return true;
}

const struct sym *subject_function_at(struct subject *s, uint64_t addr)
{
	struct module *m = &s->program;

	return module_functions(m, FUNCTIONS_ALL, NULL) ? NULL : symtab_find(&m->functions, addr);
}

const struct marks *subject_marks(struct subject *s)
{
	static const struct marks none;

	return s->is_kernel ? &none : module_marks(&s->program);
}
