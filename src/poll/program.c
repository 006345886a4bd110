/* program.c - look for a program in /proc, and for a function in the files that it has mapped. */
#include "poll/program.h"

#include "base/fmt.h"
#include "obj/elf/usdt.h"
#include "probing/subject.h"
#include "prof/prof.h"

/* --- processes and threads --- */

struct search {
	const struct sys *sys;
	const char *name;
	unsigned n;
	int pid;
};

static int visit(void *arg, const char *entry)
{
	struct search *s = arg;
	char comm[64];
	uint64_t pid;

	if (!str_u64(sv_from(entry), 10, &pid) || pid > INT_MAX)
		return 0;
	if (sys_read_line(s->sys, comm, sizeof(comm), "/proc/%llu/comm", (unsigned long long)pid) < 0 ||
	    strcmp(comm, s->name))
		return 0;
	s->n++;
	s->pid = (int)pid;
	return 0;
}

int program_named(const struct sys *sys, const char *name, int *pid, struct err *e)
{
	struct search s = { .sys = sys, .name = name };
	int r = sys->each_entry(sys, "/proc", visit, &s);

	if (r)
		return err_set(e, -r, "cannot read /proc: %s", err_name(-r));
	*pid = s.pid;
	if (s.n == 1)
		return 0;
	if (!s.n)
		err_set(e, ESRCH, "no %s runs here", name);
	else
		err_set(e, EEXIST, "%u processes are called %s", s.n, name);
	return err_hint(e, "-p says which process");
}

static int add(struct program_ids *l, uint64_t id)
{
	uint32_t *to = vec_add(&l->v);

	if (!to)
		return -ENOMEM;
	*to = (uint32_t)id;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort(struct program_ids *l)
{
	if (l->v.n)
		qsort(l->v.v, l->v.n, sizeof(*l->v.v), by_number);
}

int program_listed(struct program_ids *l, const char *list)
{
	struct sv rest = sv_from(list), one;
	uint64_t id;
	int r = 0;

	while (!r && sv_cut(&rest, ',', &one))
		if (str_u64(sv_trim(one), 10, &id) && id <= INT_MAX)
			r = add(l, id);
	sort(l);
	return r;
}

static int visit_thread(void *arg, const char *name)
{
	uint64_t tid;

	return str_u64(sv_from(name), 10, &tid) && tid <= INT_MAX ? add(arg, tid) : 0;
}

int program_threads(struct program_ids *l, const struct sys *sys, const char *pids)
{
	struct program_ids processes = { 0 };
	int r = program_listed(&processes, pids);

	for (size_t i = 0; !r && i < processes.v.n; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%u/task", processes.v.v[i]);
		r = sys->each_entry(sys, path, visit_thread, l) == -ENOMEM ? -ENOMEM : 0;
	}
	program_ids_deinit(&processes);
	sort(l);
	return r;
}

void program_ids_deinit(struct program_ids *l)
{
	vec_free(&l->v);
}

void program_ids_filter(const struct program_ids *l, const char *field, struct out *o)
{
	for (size_t i = 0, to; i < l->v.n; i = to) {
		for (to = i + 1; to < l->v.n && l->v.v[to] <= l->v.v[to - 1] + 1; to++)
			;
		out_str(o, i ? "||" : "");
		if (to - i == 1)
			out_printf(o, "%s==%u", field, l->v.v[i]);
		else
			out_printf(o, "(%s>=%u&&%s<=%u)", field, l->v.v[i], field, l->v.v[to - 1]);
	}
}

/* --- files --- */

/* The prefix of the process' paths: "", or "/proc/PID/root" in another mount namespace. */
static void root_of(const struct sys *sys, int pid, char root[32])
{
	char path[64], ours[64], theirs[64];
	ssize_t n, m;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	n = sys->readlink(sys, path, theirs, sizeof(theirs));
	m = sys->readlink(sys, "/proc/self/ns/mnt", ours, sizeof(ours));
	*root = 0;
	if (n > 0 && (n != m || memcmp(ours, theirs, (size_t)n)))
		snprintf(root, 32, "/proc/%d/root", pid);
}

int program_path(const struct sys *sys, int pid, char *path, size_t size, struct err *e)
{
	char link[64], root[32], exe[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	n = sys->readlink(sys, link, exe, sizeof(exe) - 1);
	if (n < 0)
		return err_set(e, (int)-n, "cannot find the program of process %d: %s", pid, err_name((int)-n));
	exe[n] = 0;
	root_of(sys, pid, root);
	if (snprintf(path, size, "%s%s", root, exe) >= (int)size)
		return err_set(e, ENAMETOOLONG, "the path of process %d's program is too long", pid);
	return 0;
}

struct look {
	const struct program_place *what;
	bool found;
};

static int is_marker(void *arg, const struct usdt *u)
{
	struct look *l = arg;

	l->found = !strcmp(u->provider, l->what->provider) && !strcmp(u->name, l->what->name);
	return l->found;
}

static bool has_function(struct module *m, const char *name, struct err *e)
{
	if (module_functions(m, FUNCTIONS_NAMED, e))
		return false;
	for (size_t i = 0; i < m->functions.syms.n; i++)
		if (!strcmp(symtab_name(&m->functions, &m->functions.syms.v[i]), name) &&
		    functions_is_named(&m->functions.syms.v[i]))
			return true;
	return false;
}

static bool has(const struct sys *sys, const char *path, const struct program_place *what)
{
	struct subject_want want = { .exec = path };
	struct look l = { .what = what };
	struct subject s = { 0 };
	struct err e = { 0 };
	unsigned damaged;

	if (subject_open(&s, sys, &want, &e))
		return false;
	if (what->provider)
		usdt_each(&s.program.code.elf, is_marker, &l, &damaged);
	else
		l.found = has_function(&s.program, what->name, &e);
	subject_close(&s);
	return l.found;
}

/* The path in a line of /proc/PID/maps, if it maps code of a file; else empty. */
static struct sv code_of(struct sv line)
{
	struct sv rest = line, word;
	bool is_code = false;

	for (unsigned i = 0; i < 5; i++) {
		rest = sv_trim(rest);
		if (!sv_cut(&rest, ' ', &word))
			return SV("");
		is_code |= i == 1 && word.n > 2 && word.s[2] == 'x';
	}
	rest = sv_trim(rest);
	return is_code && rest.n && *rest.s == '/' ? rest : SV("");
}

static bool look_in_maps(const struct sys *sys, int pid, const char *maps, const struct program_place *what, char *path,
			 size_t size)
{
	struct sv rest = sv_from(maps), line, file, before = SV("");
	char root[32];

	root_of(sys, pid, root);
	while (sv_cut(&rest, '\n', &line)) {
		file = code_of(line);
		if (!file.n || (file.n == before.n && !memcmp(file.s, before.s, file.n)))
			continue;
		before = file;
		if (snprintf(path, size, "%s%.*s", root, (int)MIN(file.n, (size_t)PATH_MAX), file.s) < (int)size &&
		    has(sys, path, what))
			return true;
	}
	return false;
}

int program_with(const struct sys *sys, int pid, const struct program_place *what, char *path, size_t size,
		 struct err *e)
{
	enum { MAPS_MAX = 16 << 20 };
	char name[64], *maps;
	size_t n;
	bool found;
	int r;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	r = sys_read_all(sys, name, MAPS_MAX, &maps, &n, e);
	if (r)
		return r;
	found = look_in_maps(sys, pid, maps, what, path, size);
	free(maps);
	if (found)
		return 0;
	return err_set(e, ENOENT, "process %d has no %s %s%s%s in its code", pid,
		       what->provider ? "marker" : "function", what->provider ? what->provider : "",
		       what->provider ? ":" : "", what->name);
}

int program_asked(struct prof *p, int *pid, char **kept, struct err *e)
{
	const struct target_want *t = &prof_want(p)->target;
	uint64_t number;
	char text[16];
	int r = 0;

	*kept = NULL;
	if (!t->pids)
		r = program_named(p->sys, "ovs-vswitchd", pid, e);
	else if (!str_u64(sv_from(t->pids), 10, &number) || number > INT_MAX)
		r = err_set(e, EINVAL, "-p %s: it is no process", t->pids);
	else
		*pid = (int)number;
	if (r)
		return r;
	snprintf(text, sizeof(text), "%d", *pid);
	*kept = strdup(text);
	return *kept ? 0 : err_nomem(e);
}

int program_event(struct prof *p, struct err *e, const char *fmt, ...)
{
	char event[PATH_MAX + 300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(event, sizeof(event), fmt, ap);
	va_end(ap);
	return specs_add_event(&p->specs, event, e);
}
