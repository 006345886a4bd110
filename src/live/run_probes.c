/* run_probes.c - define the probes of one run. */
#include "live/run_probes.h"

#include "machine/tracepoints.h"
#include "obj/demangle/demangle.h"
#include "probe/probe_name.h"
#include "probing/define.h"
#include "probing/kernel_list.h"
#include "probing/pmu_probe.h"
#include "probing/verbatim.h"
#include "sys/child.h"
#include "tracing/journal.h"
#include "tracing/undo.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { PLACES_MAX = 4096 };

/* One inline probe. It is kept until the end, as attrs of the probe PMUs point to its names. */
struct one {
	struct subject_want want;
	struct subject subject;
	struct define_want define;
	struct definer definer;
	struct arena arena;
	struct point point;
	struct verbatim verbatim;   /* instead of all that: the user typed the line for the kernel ("p:f") */
	char group[PROBE_NAME_SIZE];
	char exec[PATH_MAX];
	bool is_open;
};

struct run_probes {
	const struct sys *sys;
	struct undo *undo;
	struct tfs tfs;
	struct kernel_list list;  /* the kernel's dynamic events; read if has_list */
	bool has_tfs, has_list;
	bool is_lent;             /* undo belongs to the caller: do not finish it here */
	char group[48];
	char *readme;
	VEC(struct one *) v;
};

struct run_probes *run_probes_new(const struct sys *sys, struct err *e)
{
	struct run_probes *p = calloc(1, sizeof(*p));

	if (!p) {
		err_nomem(e);
		return NULL;
	}
	p->sys = sys;
	/* With the start time, because pids are reused. */
	snprintf(p->group, sizeof(p->group), "sonde_%d_%llu", (int)sys_self(),
		 (unsigned long long)journal_started(sys, sys_self()));
	return p;
}

void run_probes_lend(struct run_probes *p, struct undo *u, const struct tfs *top)
{
	p->undo = u;
	p->tfs = *top;
	p->has_tfs = p->is_lent = true;
}

static void free_one(struct one *x)
{
	definer_deinit(&x->definer);
	if (x->is_open)
		subject_close(&x->subject);
	point_deinit(&x->point);
	verbatim_deinit(&x->verbatim);
	arena_deinit(&x->arena);
	free(x);
}

void run_probes_free(struct run_probes *p)
{
	if (!p)
		return;
	if (p->undo && !p->is_lent)
		undo_finish(p->undo, NULL);
	for (size_t i = 0; i < p->v.n; i++)
		free_one(p->v.v[i]);
	vec_free(&p->v);
	kernel_list_deinit(&p->list);
	free(p->readme);
	free(p);
}

/* --- the tracing file system --- */

static int need_tfs(struct run_probes *p, struct err *e)
{
	int r;

	if (!p->has_tfs) {
		r = tfs_open(&p->tfs, p->sys, e);
		if (r)
			return r;
		p->has_tfs = true;
	}
	if (!p->undo)
		p->undo = undo_new(p->sys, e);
	p->list.tfs = &p->tfs;
	p->list.undo = p->undo;
	return p->undo ? 0 : -e->code;
}

static const char *readme(struct run_probes *p)
{
	if (!p->readme)
		p->readme = kernel_list_readme(p->sys);
	return p->readme ? p->readme : "";
}

struct giving {
	const struct event_probe_found *f;
	struct event_probe probe;
	int r;
};

static int give_tracepoint(void *to, const char *system, const char *name, uint64_t id)
{
	struct giving *g = to;
	struct perf_attr attr = { .type = PERF_TRACEPOINT, .config = id };

	g->probe.attr = &attr;
	g->probe.system = system;
	g->probe.name = name;
	g->r = g->f->found(g->f->to, &g->probe);
	return g->r;
}

/* Pass the tracepoint of a probe that was just defined to g->f->found(). */
static int give(const struct run_probes *p, const char *group, const char *event, struct giving *g, struct err *e)
{
	int r = tracepoints_each(p->sys, group, event, give_tracepoint, g, e);

	return g->r    ? g->r
	       : r > 0 ? 0
	       : r     ? r
		       : err_set(e, ENOENT, "the kernel has not made the event %s:%s", group, event);
}

/* The name to show, as it was typed: "kprobe:do_sys_openat2"; for a pattern, with the name of the matched function. */
static void shown(const struct one *x, const struct defined *d, char buf[300])
{
	const struct point *p = &x->point;
	struct sv name = p->func;
	char offset[24] = "", plain[256];

	if (p->event.n) {
		snprintf(buf, 300, "%.*s", (int)MIN(p->event.n, 250u), p->event.s);
		return;
	}
	if (p->kind == POINT_LINE) {
		snprintf(buf, 300, "%cprobe:%.*s:%u", x->subject.is_kernel ? 'k' : 'u', (int)MIN(p->src.n, 200u),
			 p->src.s, p->line);
		return;
	}
	if (p->kind == POINT_ADDR && !d->func[0]) {
		snprintf(buf, 300, "%cprobe:0x%llx", x->subject.is_kernel ? 'k' : 'u', (unsigned long long)d->addr);
		return;
	}
	if (p->kind == POINT_ADDR || point_is_pattern(p))
		name = sv_from(demangle(d->func, DEMANGLE_SHORT, plain, sizeof(plain)) ? plain : d->func);
	if (p->kind == POINT_USDT) {
		snprintf(buf, 300, "usdt:%.*s:%.*s", (int)MIN(p->provider.n, 100u), p->provider.s,
			 (int)MIN(name.n, 150u), name.s);
		return;
	}
	if (p->has_line)
		snprintf(offset, sizeof(offset), ":%u", p->line);
	else if (p->offset || (p->kind == POINT_ADDR && d->offset))
		snprintf(offset, sizeof(offset), "+%llu",
			 (unsigned long long)(p->kind == POINT_ADDR ? d->offset : p->offset));
	snprintf(buf, 300, "%c%s:%.*s%s", x->subject.is_kernel ? 'k' : 'u', p->is_return ? "retprobe" : "probe",
		 (int)MIN(name.n, 200u), name.s, offset);
}

static int by_tracefs(struct run_probes *p, struct one *x, const struct event_probe_found *f, struct err *e)
{
	struct giving g = { .f = f };
	char name[300];
	int r = need_tfs(p, e);

	r = r ? r : kernel_list_add(&p->list, &x->definer, e);
	for (size_t i = 0; !r && i < x->definer.v.n; i++) {
		const struct defined *d = &x->definer.v.v[i];

		if (d->shares)
			continue;
		shown(x, d, name);
		g.probe.shown = name;
		g.probe.mods = x->point.modifiers;
		r = give(p, d->group, d->event, &g, e);
	}
	return r;
}

/* --- PMUs --- */

/*
 * An inherited event is made anew when a task forks, and the kernel (seen with 6.18) then reads the name that config1
 * points to from that task's memory: its clone() fails with EFAULT. Addresses of the kernel need no name.
 */
static bool is_inheritable(const struct one *x)
{
	for (size_t i = 0; i < x->definer.v.n; i++)
		if (!x->subject.is_kernel || !x->definer.v.v[i].addr)
			return false;
	return true;
}

static int by_pmu(struct run_probes *p, struct one *x, const struct event_probe_found *f, struct err *e)
{
	char name[300];
	int r = 0;

	for (size_t i = 0; !r && i < x->definer.v.n; i++) {
		const struct defined *d = &x->definer.v.v[i];
		struct perf_attr attr = { 0 };
		struct event_probe probe = {
			.attr = &attr, .shown = name, .mods = x->point.modifiers, .is_alone = !is_inheritable(x),
		};

		struct pmu_probe where = pmu_probe_of(&x->subject, d);

		r = pmu_probe_attr(&attr, p->sys, &where, e);
		shown(x, d, name);
		r = r ? r : f->found(f->to, &probe);
	}
	return r;
}

/* Is tracefs mounted, and may sonde write its kprobe_events or uprobe_events? */
static bool can_define(const struct run_probes *p, const struct one *x)
{
	const char *root = sys_tracefs(p->sys);
	char path[PATH_MAX];
	int fd;

	if (!root)
		return false;
	snprintf(path, sizeof(path), "%s/%s", root, x->subject.is_kernel ? "kprobe_events" : "uprobe_events");
	fd = p->sys->open(p->sys, path, O_WRONLY | O_APPEND, 0);
	if (fd >= 0)
		p->sys->close(p->sys, fd);
	return fd >= 0;
}

static bool has_pmu(const struct run_probes *p, const struct one *x)
{
	return pmu_probe_type(p->sys, x->subject.is_kernel ? PMU_PROBE_KERNEL : PMU_PROBE_USER, NULL) >= 0;
}

/* --- one probe --- */

/*
 * In "@./test/n/" without quotes, the path may be followed by arguments: cut it behind the shortest part that is a
 * regular file, and put that in quotes. The result is malloc'ed; NULL: no such part, or the path needs no quotes.
 */
static char *quote_path(const struct run_probes *p, const char *text, const struct point *point)
{
	const char *at = strchr(text, '@') ? memmem(text, strlen(text), point->file.s, point->file.n) : NULL;
	struct mem_out m;
	char path[PATH_MAX], *quoted = NULL;
	struct stat st;

	if (!at || at == text || at[-1] == '"' || at[-1] == '\'' || point->args.n)
		return NULL;
	mem_out_init(&m);
	for (size_t i = 1; !quoted && i < point->file.n; i++) {
		if (at[i] != '/')
			continue;
		str_copy(path, sizeof(path), (struct sv){ at, i });
		if (!p->sys->stat(p->sys, path, &st) && S_ISREG(st.st_mode)) {
			out_printf(&m.out, "%.*s\"%s\"%s", (int)(at - text), text, path, at + i);
			quoted = strdup(mem_out_str(&m));
		}
	}
	mem_out_deinit(&m);
	return quoted;
}

static int parse(const struct run_probes *p, struct one *x, const char *text, const char **end, struct err *e)
{
	int r = point_parse_inline(&x->point, &x->arena, text, end, e);
	char *quoted = r || !x->point.file.n ? NULL : quote_path(p, text, &x->point);
	const char *quoted_end;

	if (!quoted)
		return r;
	point_deinit(&x->point);
	r = point_parse_inline(&x->point, &x->arena, quoted, &quoted_end, e);
	*end = text + (quoted_end - quoted) - strlen("\"\"");
	free(quoted);
	return r;
}

static int prepare(struct run_probes *p, struct one *x, const char *text, const char **end, struct err *e)
{
	int r = parse(p, x, text, end, e);

	if (r)
		return r;
	if (x->point.is_user && !x->point.file.n)
		return err_set(e, EINVAL, "which program? %.*s@\"FILE\"", (int)MIN(x->point.func.n, 100u),
			       x->point.func.s);
	if (!x->point.is_user && x->point.file.n)
		return err_set(e, EINVAL, "the kernel has no file: a program's function is uprobe:%.*s@\"%.*s\"",
			       (int)MIN(x->point.func.n, 100u), x->point.func.s, (int)MIN(x->point.file.n, 100u),
			       x->point.file.s);
	str_copy(x->exec, sizeof(x->exec), x->point.file);
	x->want.exec = x->point.is_user ? x->exec : NULL;
	r = subject_open(&x->subject, p->sys, &x->want, e);
	if (r)
		return r;
	x->is_open = true;
	/* A group for each probe: two places with the same name would be one event, and each would count both. */
	snprintf(x->group, sizeof(x->group), "%s_%zu", p->group, p->v.n);
	/* Without arguments it does not matter on which of several instructions it is: take the cheapest. */
	x->define = (struct define_want){
		.group = x->group, .force = true, .max_probes = UINT_MAX, .prefer_cheap = !x->point.args.n,
	};
	definer_init(&x->definer, &x->subject, &x->define, readme(p));
	r = define_point(&x->definer, &x->point, e);
	if (!r && x->definer.v.n > PLACES_MAX) {
		r = err_set(e, E2BIG, "'%.*s' is in %zu places: more than %u probes would hold the machine up",
			    (int)MIN(x->point.func.n, 100u), x->point.func.s, x->definer.v.n, PLACES_MAX);
		err_hint(e, x->subject.is_kernel ? "a narrower pattern; 'sonde ftrace record -p function -l' traces "
						   "thousands of functions, and costs less"
						 : "a narrower pattern");
	}
	return r;
}

/* --- definitions in the kernel's own syntax --- */

/* perf events cannot use these (kernel/trace: eprobe and synth_event have no TRACE_REG_PERF_REGISTER). */
static int check_for_perf(const struct run_probes *p, const struct dynevent *d, struct err *e)
{
	if (p->is_lent || (d->kind != DYNEVENT_EPROBE && d->kind != DYNEVENT_SYNTHETIC))
		return 0;
	err_set(e, EOPNOTSUPP, "the kernel gives %s to tracing by files only",
		d->kind == DYNEVENT_EPROBE ? "event probes (e:)" : "synthetic events (s:)");
	return err_hint(e, "'sonde ftrace record -e ...' records them");
}

static int need_list(struct run_probes *p, struct err *e)
{
	int r = need_tfs(p, e);

	if (r || p->has_list)
		return r;
	r = kernel_list_read(&p->list, &p->tfs, e);
	p->list.undo = p->undo;
	p->has_list = !r;
	return r;
}

static int add_verbatim(struct run_probes *p, struct one *x, const char *text, const struct event_probe_found *f,
			struct err *e)
{
	struct giving g = { .f = f };
	const struct dynevent *d = &x->verbatim.d;
	struct verbatim_how how = { .sys = p->sys, .group = x->group };
	char name[160], group[64], event[64];
	bool again;
	int r = need_tfs(p, e);

	how.readme = readme(p);
	snprintf(x->group, sizeof(x->group), "%s_%zu", p->group, p->v.n);
	r = r ? r : verbatim_init(&x->verbatim, &how, text, e);
	r = r ? r : check_for_perf(p, d, e);
	r = r ? r : need_list(p, e);
	r = r ? r : kernel_list_add_verbatim(&p->list, &x->verbatim, KERNEL_LIST_OWN, &again, e);
	if (r || (again && !p->is_lent))
		return r;
	str_copy(group, sizeof(group), d->group);
	str_copy(event, sizeof(event), d->event);
	snprintf(name, sizeof(name), "%s%s%s", strcmp(group, x->group) ? group : "",
		 strcmp(group, x->group) ? ":" : "", event);
	g.probe.shown = name;
	return give(p, group, event, &g, e);
}

int run_probes_add(struct run_probes *p, const char *text, const struct event_probe_found *f, const char **end,
		   struct err *e)
{
	struct one *x = calloc(1, sizeof(*x)), **at;
	int r;

	at = x ? vec_add(&p->v) : NULL;
	if (!at) {
		free(x);
		return err_nomem(e);
	}
	*at = x;
	if (dynevent_is_line(text)) {
		*end = text + strlen(text);
		return add_verbatim(p, x, text, f, e);
	}
	r = prepare(p, x, text, end, e);
	if (r)
		return r;
	if (p->is_lent || x->point.args.n || !has_pmu(p, x) || can_define(p, x))
		return by_tracefs(p, x, f, e);
	return by_pmu(p, x, f, e);
}

const char *run_probes_note(const struct run_probes *p, size_t *at)
{
	enum { NOTES = 16 };   /* more than definer_note() has for one probe */

	for (; p && *at / NOTES < p->v.n; ++*at) {
		const char *note = definer_note(&p->v.v[*at / NOTES]->definer, *at % NOTES);

		if (note && *note) {
			++*at;
			return note;
		}
	}
	return NULL;
}
