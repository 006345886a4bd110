/* probe_add.c - sonde probe --add, --definition: define probes that stay until they are removed. */
#include "cmd/probe/probe.h"
#include "arch/arch.h"
#include "obj/demangle.h"
#include "probing/cost_trial.h"
#include "probing/denied.h"

struct adding {
	struct ctx *c;
	struct probe_want *w;
	struct subject subject;
	struct tfs tfs;
	struct existing existing;
	struct define_want define;
	struct definer definer;
	char *readme;
	bool is_open, has_existing;
};

static int open_all(struct adding *a, struct err *e)
{
	bool define_only = a->w->action == PROBE_DEFINITION;
	int r = probe_subject(a->c, a->w, &a->subject, e);

	if (r)
		return r;
	a->is_open = true;
	if (!define_only) {
		r = tfs_open(&a->tfs, a->c->sys, e);
		r = r ? r : existing_read(&a->existing, &a->tfs, e);
		if (r)
			return r;
		a->has_existing = true;
	}
	a->readme = probe_readme(a->c);
	if (!a->readme)
		return err_nomem(e);
	a->define = (struct define_want){
		.force = a->w->force,
		.max_probes = (unsigned)MIN(a->w->max_probes, (uint64_t)1 << 20),
		.at_returns = a->w->at != NULL,
		.unsafe = a->w->unsafe,
	};
	definer_init(&a->definer, &a->subject, &a->define, a->readme);
	a->definer.existing = a->has_existing ? &a->existing : NULL;
	return 0;
}

static int define_all(struct adding *a, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < a->w->add.n; i++) {
		struct arena arena = { 0 };
		struct point p;

		r = point_parse(&p, &arena, a->w->add.v[i], e);
		if (!r)
			r = define_point(&a->definer, &p, e);
		point_deinit(&p);
		arena_deinit(&arena);
	}
	return r;
}

/* "  probe_test:func_2      (on func_2 in /usr/bin/test with number)": as perf shows it. */
static void put_defined(const struct adding *a, const struct defined *d, struct out *o)
{
	char name[140], plain[512];
	struct sv rest = sv_from(d->fetch);
	struct dynevent_arg arg;

	snprintf(name, sizeof(name), "%s:%s", d->group, d->event);
	out_str(o, "  ");
	out_left(o, name, 20);
	out_str(o, " (on ");
	if (d->inlined)
		out_printf(o, "%s, inlined in ", d->inlined);
	if (d->func[0])
		out_str(o, demangle(d->func, DEMANGLE_SHORT, plain, sizeof(plain)) ? plain : d->func);
	else
		out_printf(o, "0x%llx", (unsigned long long)d->addr);
	if (d->is_return)
		out_str(o, "%return");
	else if (d->offset && d->func[0])
		out_printf(o, "+%llu", (unsigned long long)d->offset);
	if (!a->subject.is_kernel)
		out_printf(o, " in %s", a->subject.program.code.path);
	else if (d->module[0])
		out_printf(o, " in %s", d->module);
	for (bool first = true; dynevent_next(DYNEVENT_UPROBE, &rest, &arg); first = false) {
		out_str(o, first ? " with " : " ");
		out_sv(o, arg.name.n ? arg.name : arg.fetch);
	}
	out_str(o, ")\n");
}

static void put_definitions(struct adding *a)
{
	for (size_t i = 0; i < a->definer.v.n; i++)
		out_printf(a->c->out, "%s\n", a->definer.v.v[i].line);
}

static void put_added(struct adding *a)
{
	struct out *o = a->c->msg;
	size_t n = a->definer.v.n;

	if (a->w->quiet || !n)
		return;
	out_printf(o, "Added new event%s:\n", n > 1 ? "s" : "");
	for (size_t i = 0; i < n; i++)
		put_defined(a, &a->definer.v.v[i], o);
	out_printf(o, "\nYou can now use it in all perf tools, such as:\n\n\t%s record -e %s:%s -aR sleep 1\n\n",
		   a->c->program, a->definer.v.v[n - 1].group, a->definer.v.v[n - 1].event);
	out_flush(o);
}

static void notes(struct adding *a)
{
	const char *const all[] = { a->definer.note.prologue, a->definer.note.returns, a->definer.note.skipped,
				    a->definer.note.loop, a->definer.note.sign, a->definer.note.missing };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		probe_note(a->c, a->w, all[i]);
}

/* What was defined before the kernel refused one goes again: all or none. */
static void take_back(struct adding *a, size_t n)
{
	while (n--) {
		const struct defined *d = &a->definer.v.v[n];
		struct dynevent x = { .kind = !strcmp(d->file, "kprobe_events") ? DYNEVENT_KPROBE : DYNEVENT_UPROBE,
				      .group = sv_from(d->group), .event = sv_from(d->event) };

		existing_remove(&a->tfs, &x, NULL);
	}
}

/* Of the places of a pattern or of an inlined function, those that the kernel refuses are left out and counted. */
static bool is_lenient(const struct adding *a)
{
	return a->definer.v.n > a->w->add.n;
}

static int tell_kernel(struct adding *a, struct err *e)
{
	unsigned refused = 0;
	struct err first = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < a->definer.v.n; i++) {
		struct defined *d = &a->definer.v.v[i];
		int r = tfs_append(&a->tfs, d->file, d->line, e);

		if (is_lenient(a) && probe_is_refusal(r)) {
			if (!refused++)
				first = *e;
			*e = (struct err){ 0 };
			free(d->line);
			free(d->fetch);
			d->line = d->fetch = NULL;
			continue;
		}
		if (r) {
			struct err why = *e;

			take_back(a, n);
			*e = why;
			probe_refused(&a->subject, d, e);
			return -e->code;
		}
		if (&a->definer.v.v[n++] != d) {
			a->definer.v.v[n - 1] = *d;
			d->line = d->fetch = NULL;
		}
	}
	a->definer.v.n = n;
	if (refused) {
		char text[500];

		snprintf(text, sizeof(text), "the kernel refused %u places; the first: %.400s", refused,
			 first.text);
		probe_note(a->c, a->w, text);
	}
	return n ? 0 : err_set(e, EINVAL, "the kernel refused every one: %.300s", first.text);
}

/* What arm64 patches for its tracers is no further from a function's start, bytes. */
enum { PATCHED_MAX = 16 };

/* -n tells what the kernel's lists would make it refuse. */
static int check_lists(const struct adding *a, struct err *e)
{
	for (size_t i = 0; a->subject.is_kernel && i < a->definer.v.n && i < 8; i++) {
		const struct defined *d = &a->definer.v.v[i];
		bool may_be_patched = a->subject.arch->insn_size && d->offset && d->offset <= PATCHED_MAX;
		const char *why = kernel_image_refusal(&a->subject.kernel, sv_from(d->func),
						       may_be_patched ? d->addr : 0);

		if (!why[0])
			continue;
		err_set(e, EINVAL, "the kernel refuses %s+%llu: %s", d->func, (unsigned long long)d->offset, why);
		if (!is_lenient(a))
			return -EINVAL;
		probe_note(a->c, a->w, e->text);
		*e = (struct err){ 0 };
	}
	return 0;
}

/* What it will cost: asked for, or when it is bad. */
static int check_cost(struct adding *a, struct err *e)
{
	struct cost_report report;
	bool in_loop = false;

	for (size_t i = 0; i < a->definer.v.n; i++)
		in_loop |= a->definer.v.v[i].in_loop;
	if (!a->w->cost && !in_loop)
		return 0;

	int r = cost_trial(&report, a->c->sys, &a->subject, &a->definer, e);

	if (r && a->w->cost)
		return r;
	if (!r && (a->w->cost || report.share > 0.05))
		cost_report_put(&report, a->c->msg);
	out_flush(a->c->msg);
	return 0;
}

int probe_add(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct adding a = { .c = c, .w = w };
	int r = open_all(&a, e);

	r = r ? r : define_all(&a, e);
	if (!r && w->action == PROBE_DEFINITION)
		put_definitions(&a);
	if (!r)
		notes(&a);
	if (!r && w->action == PROBE_ADD)
		r = w->dry_run ? check_lists(&a, e) : 0;
	if (!r && w->action == PROBE_ADD && (!w->dry_run || w->cost))
		r = check_cost(&a, e);
	if (!r && w->action == PROBE_ADD && !w->dry_run)
		r = tell_kernel(&a, e);
	if (!r && w->action == PROBE_ADD)
		put_added(&a);
	definer_deinit(&a.definer);
	if (a.has_existing)
		existing_deinit(&a.existing);
	if (a.is_open)
		subject_close(&a.subject);
	free(a.readme);
	return r;
}
