/* kernel_list.c - reads existing definitions, adds, removes. */
#include "probing/kernel_list.h"

#include "probing/define.h"
#include "probing/verbatim.h"
#include "tracing/evfile.h"

static const char *const files[] = { "kprobe_events", "uprobe_events", "dynamic_events" };

char *kernel_list_readme(const struct sys *sys)
{
	enum { README_MAX = 1 << 20 };
	const char *root = sys_tracefs(sys);
	char path[128], *text;
	size_t n;

	snprintf(path, sizeof(path), "%s/README", root ? root : "");
	return root && !sys_read_all(sys, path, README_MAX, &text, &n, NULL) ? text : strdup("");
}

/* --- existing definitions --- */

/* Is it new? The last file, dynamic_events, also has the definitions of the first two. */
static bool is_news(unsigned file, const struct dynevent *d)
{
	return file < 2 || (d->kind != DYNEVENT_KPROBE && d->kind != DYNEVENT_UPROBE);
}

static int read_file(struct kernel_list *x, unsigned i, struct err *e)
{
	struct dynevent d;
	size_t n;
	int r;

	if (!tfs_has(x->tfs, files[i]))
		return 0;
	r = tfs_read_all(x->tfs, files[i], &x->text[i], &n, e);
	if (r)
		return r;
	for (char *line = x->text[i], *next; line && *line; line = next) {
		struct dynevent *at;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (dynevent_parse(&d, line, NULL) || !is_news(i, &d))
			continue;
		at = vec_add(&x->v);
		if (!at)
			return err_nomem(e);
		*at = d;
	}
	return 0;
}

int kernel_list_read(struct kernel_list *x, const struct tfs *t, struct err *e)
{
	int r = 0;

	*x = (struct kernel_list){ .tfs = t };
	for (unsigned i = 0; !r && i < ARRAY_SIZE(files); i++)
		r = read_file(x, i, e);
	x->n_read = x->v.n;
	if (r)
		kernel_list_deinit(x);
	return r;
}

void kernel_list_deinit(struct kernel_list *x)
{
	vec_free(&x->v);
	for (size_t i = 0; i < ARRAY_SIZE(x->text); i++) {
		free(x->text[i]);
		x->text[i] = NULL;
	}
}

static bool same(struct sv a, struct sv b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

/* The last definition of that name: ours, if there is one. */
static const struct dynevent *find(const struct kernel_list *x, struct sv group, struct sv event)
{
	for (size_t i = x->v.n; i--;)
		if (same(x->v.v[i].group, group) && same(x->v.v[i].event, event))
			return &x->v.v[i];
	return NULL;
}

bool kernel_list_has(const struct kernel_list *x, struct sv group, struct sv event)
{
	return find(x, group, event);
}

/* --- why the kernel refuses --- */

/* Does the error concern this place, rather than the whole file? */
static bool is_refusal(int r)
{
	return r == -EINVAL || r == -ENOENT || r == -EADDRNOTAVAIL || r == -EILSEQ || r == -EOPNOTSUPP;
}

/* Add to e what the kernel's own lists say about the function, and a remedy. */
static void explain(const struct subject *s, const struct defined *d, struct err *e)
{
	static const char patched[] = " (of a function's first instructions, which the kernel patches for its tracers, "
				      "only +0 can be probed)";
	const char *why;
	struct err had = *e;

	if (e->code == EACCES || e->code == EPERM)
		return;
	if (!s->is_kernel) {
		err_set(e, had.code, "%s+%llu in %s: %s", d->func, (unsigned long long)d->offset, s->program.code.path,
			had.text);
		if (had.code == EINVAL && !had.hint[0])
			err_hint(e, "is it a regular file on a file system that can be mapped executable?");
		return;
	}
	why = kernel_image_refusal(&s->kernel, sv_from(d->func), 0);
	if (!why[0]) {
		err_wrap(e, "%s+%llu%s", d->func, (unsigned long long)d->offset,
			 d->offset && d->offset <= 16 ? patched : "");
		return;
	}
	err_set(e, had.code, "the kernel refuses %s: %s", d->func, why);
	err_hint(e, "probe a function that calls it, or that it calls; 'sonde probe -F' lists functions");
}

/* On arm64 the code that the kernel patches for its tracers is within so many bytes of a function's start. */
enum { PATCHED_MAX = 16 };

int kernel_list_foresee(const struct definer *d, size_t i, struct err *e)
{
	const struct defined *x = &d->v.v[i];
	const struct subject *s = d->s;
	bool may_be_patched = s->arch->insn_size && x->offset && x->offset <= PATCHED_MAX;
	const char *why = s->is_kernel ? kernel_image_refusal(&s->kernel, sv_from(x->func),
							      may_be_patched ? x->addr : 0) : "";

	return why[0] ? err_set(e, EINVAL, "the kernel refuses %s+%llu: %s", x->func, (unsigned long long)x->offset,
				why) : 0;
}

/* --- adding --- */

static int add(const struct kernel_list *x, const char *file, const char *line, const char *removal, struct err *e)
{
	return x->undo ? undo_append(x->undo, x->tfs, file, line, removal, e) : tfs_append(x->tfs, file, line, e);
}

/* Remove a permanent addition when a later one fails: all or nothing. With an undo that is the undo's task. */
static void take_back(const struct kernel_list *x, const char *file, const char *removal)
{
	if (!x->undo)
		tfs_append(x->tfs, file, removal, NULL);
}

enum { REMOVAL_SIZE = 160 };

static const char *removal_of(const struct defined *d, char buf[REMOVAL_SIZE])
{
	snprintf(buf, REMOVAL_SIZE, "-:%s/%s", d->group, d->event);
	return buf;
}

/* Does an earlier definition make this event? Then this one adds a place, which is removed with the event. */
static bool shares(const struct definer *d, const struct defined *x)
{
	for (size_t k = x->before; k; k = d->v.v[k - 1].before)
		if (d->v.v[k - 1].line && !strcmp(d->v.v[k - 1].event, x->event))
			return true;
	return false;
}

static int add_one(const struct kernel_list *x, const struct definer *d, struct defined *one, struct err *e)
{
	char removal[REMOVAL_SIZE];

	one->shares = shares(d, one);
	return one->shares ? tfs_append(x->tfs, one->file, one->line, e)
			   : add(x, one->file, one->line, removal_of(one, removal), e);
}

static void forget(struct defined *d)
{
	free(d->line);
	free(d->fetch);
	d->line = d->fetch = NULL;
}

static void leave_refused_out(struct definer *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->v.n; i++)
		if (d->v.v[i].line)
			d->v.v[n++] = d->v.v[i];
	d->v.n = n;
}

int kernel_list_add(struct kernel_list *x, struct definer *d, struct err *e)
{
	size_t asked = d->v.n, refused = 0;
	struct err first = { 0 };
	char removal[REMOVAL_SIZE];

	for (size_t i = 0; i < asked; i++) {
		struct err why = { 0 };
		int r = add_one(x, d, &d->v.v[i], &why);

		if (r && asked > d->points && is_refusal(r)) {
			if (!refused++)
				first = why;
			forget(&d->v.v[i]);
			continue;
		}
		if (!r)
			continue;
		explain(d->s, &d->v.v[i], &why);
		while (i--)
			if (d->v.v[i].line && !d->v.v[i].shares)
				take_back(x, d->v.v[i].file, removal_of(&d->v.v[i], removal));
		*e = why;
		return -e->code;
	}
	leave_refused_out(d);
	if (refused == asked)
		return asked ? err_set(e, EINVAL, "the kernel refused all %zu places: %.300s", asked, first.text) : 0;
	if (refused)
		snprintf(d->note.refused, sizeof(d->note.refused),
			 "the kernel refused %zu of %zu places; the first: %.300s", refused, asked, first.text);
	return 0;
}

static int is_taken(const struct dynevent *d, struct err *e)
{
	err_set(e, EEXIST, "there is already an event '%.*s:%.*s'", (int)d->group.n, d->group.s, (int)d->event.n,
		d->event.s);
	return err_hint(e, "give this one another name; -e %.*s:%.*s uses the one that is there, 'sonde probe -d' "
			"removes it", (int)d->group.n, d->group.s, (int)d->event.n, d->event.s);
}

int kernel_list_add_verbatim(struct kernel_list *x, struct verbatim *l, enum kernel_list_events which, bool *again,
			     struct err *e)
{
	const struct dynevent *there = find(x, l->d.group, l->d.event);
	bool may_share = l->d.kind == DYNEVENT_KPROBE || l->d.kind == DYNEVENT_UPROBE;
	struct dynevent *at;
	int r = 0;

	*again = there;
	if (there && (!may_share || (which == KERNEL_LIST_OWN && (size_t)(there - x->v.v) < x->n_read)))
		return is_taken(&l->d, e);
	r = there && !x->undo ? verbatim_is_place(l, e) : 0;
	at = r ? NULL : vec_add(&x->v);
	if (!at)
		return r ? r : err_nomem(e);
	*at = l->d;
	r = there ? tfs_append(x->tfs, dynevent_file(&l->d), l->text, e)
		  : add(x, dynevent_file(&l->d), l->text, l->removal, e);
	if (!r)
		return 0;
	if (l->d.kind == DYNEVENT_EPROBE) {
		struct sv event = l->d.target, system;

		if (sv_cut(&event, '.', &system) && event.n)
			evfile_explain_event(x->tfs, system, event, e);
		r = -e->code;
	}
	x->v.n--;
	return r;
}

/* --- removing --- */

int kernel_list_remove(const struct tfs *t, const struct dynevent *d, struct err *e)
{
	struct mem_out line;
	char path[2 * DYNEVENT_NAME_MAX + 32], on[8] = "";
	int r;

	mem_out_init(&line);
	dynevent_put_removal(d, &line.out);
	r = tfs_append(t, dynevent_file(d), mem_out_str(&line), e);
	mem_out_deinit(&line);
	if (r != -EBUSY)
		return r;
	snprintf(path, sizeof(path), "events/%.*s/%.*s/enable", (int)d->group.n, d->group.s, (int)d->event.n,
		 d->event.s);
	tfs_get(t, path, on, sizeof(on));
	err_set(e, EBUSY, "%.*s:%.*s is in use", (int)d->group.n, d->group.s, (int)d->event.n, d->event.s);
	return err_hint(
		e,
		on[0] == '1'
			? "it is switched on in the tracing file system: echo 0 > %s/%s"
			: "a perf, sonde or trace-cmd that is running has it open, or an instance has it switched on",
		t->root, path);
}
