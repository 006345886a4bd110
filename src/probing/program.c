/* program.c - find a program's file, the one with its debug information, and what belongs to that. */
#include "probing/program.h"

#include "arch/arch.h"
#include "base/fmt.h"
#include "obj/build_id.h"
#include "obj/debuglink.h"
#include "obj/elf_symbols.h"
#include "sys/inside.h"

#include <fcntl.h>

/* --- the file --- */

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

static bool is_same_build(const struct program *p)
{
	struct build_id a, b;

	return !build_id_of(&p->code.elf, &a) || !build_id_of(&p->debug.elf, &b) || build_id_same(&a, &b);
}

int program_open(struct program *p, const struct sys *sys, const struct program_want *w, struct err *e)
{
	char path[PATH_MAX];
	int r;

	memset(p, 0, sizeof(*p));
	p->sys = sys;
	r = find_file(sys, w, path, e);
	if (!r)
		r = image_open(&p->code, sys, path, e);
	if (r)
		return r;
	p->arch = arch_by_elf(p->code.elf.machine);
	if (!p->arch || !p->code.elf.is64) {
		program_close(p);
		return err_set(e, ENOEXEC, "%s is for a machine that sonde does not know", path);
	}
	if (w->debug) {
		r = image_open(&p->debug, sys, w->debug, e);
		if (!r && !is_same_build(p))
			r = err_set(e, ESTALE, "%s is not of %s: its build id is another one", w->debug, path);
		if (r)
			program_close(p);
	}
	return r;
}

void program_close(struct program *p)
{
	dwarf_free(p->dwarf);
	for (size_t i = 0; i < p->splits.n; i++) {
		image_close(p->splits.v[i]);
		free(p->splits.v[i]);
	}
	vec_free(&p->splits);
	image_close(&p->alt);
	image_close(&p->debug);
	image_close(&p->code);
	p->dwarf = NULL;
}

/* --- debug information --- */

static bool has_debug(const struct elf *f)
{
	struct elf_section s;

	return elf_section_find(f, ".debug_info", &s) || elf_section_find(f, ".zdebug_info", &s);
}

static void passed(void *arg, const void *bytes, size_t n)
{
	const struct program *p = arg;

	image_forget(p->sys, bytes, n);
}

/* link: the file must be the one that it means; NULL: its build id is its name. */
static bool try_debug(struct program *p, const char *path, const struct debuglink *link)
{
	struct debuglink_want want = { .file = &p->code.elf, .link = link, .passed = passed, .arg = p };

	if (!path || !sys_exists(p->sys, path) || image_open(&p->debug, p->sys, path, NULL))
		return false;
	if (has_debug(&p->debug.elf) && (!link || debuglink_is(&want, &p->debug.elf)))
		return true;
	image_close(&p->debug);
	return false;
}

static bool find_debug(struct program *p)
{
	struct build_id id;
	struct debuglink link;
	struct debuglink_buf buf;
	char path[PATH_MAX];
	const char *at;

	if (build_id_of(&p->code.elf, &id) && try_debug(p, build_id_path(&id, NULL, path, sizeof(path)), NULL))
		return true;
	if (!debuglink_of(&p->code.elf, &link))
		return false;
	for (unsigned i = 0; (at = debuglink_path(&link, NULL, p->code.path, i, &buf)); i++)
		if (strcmp(at, p->code.path) && try_debug(p, at, &link))
			return true;
	return false;
}

/* What dwz has moved out: name, NUL, build id. */
static void find_alt(struct program *p, const struct image *of)
{
	struct elf_section s;
	char path[PATH_MAX];

	if (!elf_section_find(&of->elf, ".gnu_debugaltlink", &s))
		return;

	struct cursor c = elf_section_data(&of->elf, &s);
	const char *name = cur_str(&c);

	if (c.bad)
		return;

	struct build_id id = build_id_from(c.pos, cur_left(&c));

	if (!image_open(&p->alt, p->sys, build_id_path(&id, NULL, path, sizeof(path)), NULL))
		return;
	if (name[0] == '/') {
		image_open(&p->alt, p->sys, name, NULL);
	} else {
		const char *slash = strrchr(of->path, '/');

		if (try_path(p->sys, "", path, "%.*s%s", slash ? (int)(slash + 1 - of->path) : 0, of->path, name))
			image_open(&p->alt, p->sys, path, NULL);
	}
	if (!p->alt.bytes)
		str_copy(p->missing, sizeof(p->missing), sv_from(name));
}

/* A .dwo where the compiler left it, beside the program, or all of them in PROGRAM.dwp. */
static bool find_split(void *arg, const char *name, const char *dir, uint64_t id UNUSED, struct elf *out)
{
	struct program *p = arg;
	const char *slash = strrchr(p->code.path, '/'), *base = strrchr(name, '/');
	int n = slash ? (int)(slash + 1 - p->code.path) : 0;
	char path[PATH_MAX];
	struct image *img, **at;

	if (!(name[0] == '/' ? try_path(p->sys, "", path, "%s", name)
			     : try_path(p->sys, "", path, "%s/%s", dir, name)) &&
	    !try_path(p->sys, "", path, "%.*s%s", n, p->code.path, base ? base + 1 : name) &&
	    !try_path(p->sys, "", path, "%s.dwp", p->code.path)) {
		if (!p->missing[0])
			str_copy(p->missing, sizeof(p->missing), sv_from(name));
		return false;
	}
	for (size_t i = 0; i < p->splits.n; i++) {
		if (!strcmp(p->splits.v[i]->path, path)) {
			*out = p->splits.v[i]->elf;
			return true;
		}
	}
	img = calloc(1, sizeof(*img));
	at = img ? vec_add(&p->splits) : NULL;
	if (!at || image_open(img, p->sys, path, NULL)) {
		if (at)
			p->splits.n--;
		free(img);
		return false;
	}
	*at = img;
	*out = img->elf;
	return true;
}

const struct elf *program_debug(struct program *p)
{
	return p->debug.bytes || find_debug(p) ? &p->debug.elf : NULL;
}

struct dwarf *program_dwarf(struct program *p)
{
	struct dwarf_files f = { .split = find_split, .passed = passed, .arg = p };
	const struct image *of;

	if (p->dwarf || p->no_dwarf.code)
		return p->dwarf;
	if (!p->debug.bytes && !has_debug(&p->code.elf) && !find_debug(p)) {
		err_set(&p->no_dwarf, ENODATA, "%s has no debug information", p->code.path);
		err_hint(&p->no_dwarf,
			 "arguments are %%REGISTER or $argN there; --debug-file FILE names a file with it");
		return NULL;
	}
	of = p->debug.bytes ? &p->debug : &p->code;
	find_alt(p, of);
	f.elf = &of->elf;
	f.code = &p->code.elf;
	f.alt = p->alt.bytes ? &p->alt.elf : NULL;
	p->dwarf = dwarf_new(&f, &p->no_dwarf);
	return p->dwarf;
}

bool program_is_tls(const struct program *p, struct sv name)
{
	const struct elf *const files[] = { &p->code.elf, p->debug.bytes ? &p->debug.elf : NULL };
	struct elf_symbols t;
	struct elf_symbol s;

	for (size_t k = 0; k < 2 * ARRAY_SIZE(files); k++) {
		const struct elf *f = files[k / 2];

		if (!f || !(k % 2 ? elf_symbols_dynamic(f, &t) : elf_symbols_static(f, &t)))
			continue;
		for (size_t i = 0; elf_symbols_get(&t, i, &s); i++)
			if (s.type == ELF_TLS && sv_eq(name, elf_symbols_name(&t, &s)))
				return true;
	}
	return false;
}

struct cursor program_code(const struct program *p, uint64_t addr)
{
	return elf_data_at(&p->code.elf, addr);
}
