/* existing.c - read the definitions that there are, remove one. */
#include "probing/existing.h"

static const char *const files[] = { "kprobe_events", "uprobe_events", "dynamic_events" };

/* The last file has those of the others, too. */
static bool is_news(unsigned file, const struct dynevent *d)
{
	return file < 2 || (d->kind != DYNEVENT_KPROBE && d->kind != DYNEVENT_UPROBE);
}

static int read_file(struct existing *x, const struct tfs *t, unsigned i, struct err *e)
{
	struct dynevent d;
	size_t n;
	int r;

	if (!tfs_has(t, files[i]))
		return 0;
	r = tfs_read_all(t, files[i], &x->text[i], &n, e);
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

int existing_read(struct existing *x, const struct tfs *t, struct err *e)
{
	int r = 0;

	memset(x, 0, sizeof(*x));
	for (unsigned i = 0; !r && i < ARRAY_SIZE(files); i++)
		r = read_file(x, t, i, e);
	if (r)
		existing_deinit(x);
	return r;
}

void existing_deinit(struct existing *x)
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

bool existing_has(const struct existing *x, struct sv group, struct sv event)
{
	for (size_t i = 0; i < x->v.n; i++)
		if (same(x->v.v[i].group, group) && same(x->v.v[i].event, event))
			return true;
	return false;
}

int existing_remove(const struct tfs *t, const struct dynevent *d, struct err *e)
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
