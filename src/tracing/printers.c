/* printers.c - see printers.h. */
#include "tracing/printers.h"

#include <stdlib.h>
#include <string.h>

enum { MET_MOST = 16384 };

#define BPF "bpf_trace:bpf_trace_printk"

void printers_init(struct printers *p, const struct tfs *top)
{
	*p = (struct printers){ .top = top };
}

void printers_deinit(struct printers *p)
{
	names_deinit(&p->met);
	names_deinit(&p->events);
	vec_free(&p->prints);
	*p = (struct printers){ 0 };
}

/* Add the current events. Removed events are kept: their lines may still be in the buffer. */
static void read_events(struct printers *p)
{
	struct sv rest, line, system;
	char *text;
	size_t n;

	if (tfs_read_all(p->top, "available_events", &text, &n, NULL))
		return;
	for (rest = (struct sv){ text, n }; sv_cut(&rest, '\n', &line); )
		if (sv_cut(&line, ':', &system) && line.n)
			names_add(&p->events, line.s, line.n);
	free(text);
}

void printers_look(struct printers *p)
{
	p->fresh = false;
}

static bool is_event(struct printers *p, struct sv name)
{
	if (!p->fresh && names_find(&p->events, name.s, name.n) == NAMES_NONE) {
		read_events(p);
		p->fresh = true;
	}
	return names_find(&p->events, name.s, name.n) != NAMES_NONE;
}

bool printers_is_marker(struct sv name)
{
	return sv_eq(name, "tracing_mark_write");
}

/* The table is limited: the lines of markers may look like lines of any number of functions. */
bool printers_has(struct printers *p, struct sv name)
{
	size_t n = p->met.list.n;
	uint32_t id;
	bool *slot;

	if (!name.n || printers_is_marker(name))
		return name.n;
	id = n < MET_MOST ? names_add(&p->met, name.s, name.n) : names_find(&p->met, name.s, name.n);
	if (id != NAMES_NONE && id < n)
		return id < p->prints.n && p->prints.v[id];
	slot = id == NAMES_NONE ? NULL : vec_add(&p->prints);
	if (!slot)
		return false;
	*slot = !is_event(p, name);
	return *slot;
}

/*
 * The file also lists strings of tracepoints. Most of these are names, which lack what printed texts have: a
 * conversion, or a newline, which is shown as
 * .
 */
bool printers_in_kernel(const struct tfs *top)
{
	bool has = false;
	char *text;
	size_t n;

	if (tfs_read_all(top, "printk_formats", &text, &n, NULL))
		return false;
	for (size_t i = 0; !has && i < n; i++)
		has = text[i] == '%' || (text[i] == '\\' && i + 1 < n && text[i + 1] == 'n');
	free(text);
	return has;
}

enum printers_among printers_among(const struct tfs *top)
{
	enum printers_among among = AMONG_NOTHING, one;
	struct sv rest, line;
	char *text;
	size_t n;

	if (tfs_read_all(top, "set_event", &text, &n, NULL))
		return AMONG_EVENTS;
	for (rest = (struct sv){ text, n }; sv_cut(&rest, '\n', &line); among = MAX(among, one))
		one = !line.n ? AMONG_NOTHING : sv_eq(line, BPF) ? AMONG_BPF : AMONG_EVENTS;
	free(text);
	return among;
}
