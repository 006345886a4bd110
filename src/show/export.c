/* export.c - the table of formats, and functions shared by several. */
#include "show/export.h"

const struct export_format *const export_formats[] = {
	&export_folded, &export_firefox, &export_speedscope, &export_pprof, &export_perfetto, &export_chrome,
	&export_otlp, &export_sql, NULL
};

const struct export_format *export_named(const char *name)
{
	for (size_t i = 0; export_formats[i]; i++)
		if (!strcmp(export_formats[i]->name, name))
			return export_formats[i];
	return NULL;
}

static bool ends_with(const char *path, struct sv ending)
{
	size_t n = strlen(path);

	return n > ending.n && !memcmp(path + n - ending.n, ending.s, ending.n);
}

const struct export_format *export_by_ending(const char *path)
{
	for (size_t i = 0; export_formats[i]; i++) {
		struct sv rest = sv_from(export_formats[i]->ending), ending;

		while (sv_cut(&rest, ' ', &ending))
			if (ends_with(path, ending))
				return export_formats[i];
	}
	return NULL;
}

void export_choose(struct export *x)
{
	const struct export_tables *t = &x->t;

	x->event = 0;
	while (x->event + 1 < t->n_events && !t->events[x->event].samples)
		x->event++;
	if (!x->about.event && x->about.timed < t->n_events && t->events[x->about.timed].weight)
		x->event = x->about.timed;
	for (size_t i = 0; i < t->n_events; i++)
		if (i != x->event)
			x->left_out += t->events[i].samples;
}

bool export_span(const struct export *x, uint64_t *first, uint64_t *last)
{
	*first = UINT64_MAX;
	*last = 0;
	for (size_t i = 0; i < x->t.n_threads; i++) {
		*first = MIN(*first, x->t.threads[i].first);
		*last = MAX(*last, x->t.threads[i].last);
	}
	return *first <= *last;
}

bool export_weighs(const struct export *x)
{
	return x->about.weigh || x->event == x->about.timed;
}

size_t export_chain(const struct export_tables *t, uint32_t stack, uint32_t *v, size_t max)
{
	const struct ct_node *nodes = t->stacks->nodes.v;
	size_t n = 0;

	for (uint32_t at = stack; at && n < max; at = nodes[at].parent)
		v[n++] = nodes[at].key;
	for (size_t a = 0, b = n; b && a < --b; a++) {
		uint32_t swap = v[a];

		v[a] = v[b];
		v[b] = swap;
	}
	return n;
}
