/*
 * hits.c - lines of kprobe_profile are "  EVENT  HITS  MISSED", those of uprobe_profile "  PATH EVENT  HITS". They lack
 * the group, but are in the order of kprobe_events and uprobe_events (all walk dyn_event_list).
 */
#include "cmd/ftrace/hits.h"

#include "base/vec.h"
#include "tracefs/grammar/dynevent.h"

struct list {
	char *profile, *events;   /* contents of both files; in events NUL replaces ends of lines */
	struct sv rest;           /* the lines of events not read yet */
};

static int load(struct list *l, const struct tfs *top, const char *kind, struct err *e)
{
	char file[32];
	size_t n;
	int r;

	*l = (struct list){ 0 };
	snprintf(file, sizeof(file), "%s_profile", kind);
	if (!tfs_has(top, file))
		return 0;
	r = tfs_read_all(top, file, &l->profile, &n, e);
	snprintf(file, sizeof(file), "%s_events", kind);
	r = r ? r : tfs_read_all(top, file, &l->events, &n, e);
	l->rest = sv_from(l->events ? l->events : "");
	return r;
}

/*
 * Find the definition of the next line of the profile. The profile is read first, so a probe defined in between is only
 * in events, and is skipped.
 */
static bool definition(struct list *l, struct sv event, struct dynevent *d)
{
	struct sv line;

	while (sv_cut(&l->rest, '\n', &line)) {
		l->events[line.s + line.n - l->events] = '\0';
		if (line.n && !dynevent_parse(d, line.s, NULL) && d->event.n == event.n &&
		    !memcmp(d->event.s, event.s, event.n))
			return true;
	}
	return false;
}

static void put_line(struct list *l, struct sv event, struct sv hits, struct sv missed, struct out *o)
{
	struct dynevent d;
	bool known = definition(l, event, &d);
	char name[160];

	if (known)
		snprintf(name, sizeof(name), "%.*s:%.*s", (int)d.group.n, d.group.s, (int)d.event.n, d.event.s);
	else
		str_copy(name, sizeof(name), event);
	out_left(o, name, 40);
	out_printf(o, " %12.*s %10.*s  ", (int)hits.n, hits.s, (int)missed.n, missed.s);
	if (known) {
		out_sv(o, d.module);
		out_str(o, d.module.n ? ":" : "");
		out_sv(o, d.target);
		if (d.offset)
			out_printf(o, d.kind == DYNEVENT_UPROBE ? ":0x%llx" : "+%llu", (unsigned long long)d.offset);
		out_str(o, d.is_return ? "%return" : "");
	}
	out_char(o, '\n');
}

/* The last three words of a line, from its end: a path may have blanks in it. */
static size_t words_of(struct sv line, struct sv v[3])
{
	size_t n = 0;

	while (n < 3 && (line = sv_trim(line)).n) {
		const char *blank = memrchr(line.s, ' ', line.n);

		v[n++] = blank ? (struct sv){ blank + 1, line.n - (size_t)(blank + 1 - line.s) } : line;
		line.n -= v[n - 1].n;
	}
	return n;
}

static int put_list(const struct tfs *top, const char *kind, struct out *o, struct err *e)
{
	struct list l;
	int r = load(&l, top, kind, e);
	struct sv rest = sv_from(!r && l.profile ? l.profile : ""), line, w[3];
	bool of_kernel = kind[0] == 'k';

	while (sv_cut(&rest, '\n', &line)) {
		if (words_of(line, w) < (of_kernel ? 3 : 2))
			continue;
		if (of_kernel)
			put_line(&l, w[2], w[1], w[0], o);
		else
			put_line(&l, w[1], w[0], SV("-"), o);
	}
	free(l.profile);
	free(l.events);
	return r;
}

int hits_put(const struct tfs *top, struct out *o, struct err *e)
{
	int r;

	out_printf(o, "%-40s %12s %10s  %s\n", "# event", "hits", "missed", "place");
	r = put_list(top, "kprobe", o, e);
	return r ? r : put_list(top, "uprobe", o, e);
}
