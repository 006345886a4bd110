/* print.c - prints a shot as text, if there is no terminal to paint on. */
#include "cmd/top/top.h"

#include "show/text.h"

enum { USUAL_ENTRIES = 20 };

static void put_rate(const struct top *t, struct out *o)
{
	const struct top_want *w = t->want;

	if (w->session.path)
		out_str(o, "of");
	else if (w->count)
		out_printf(o, "each %llu", (unsigned long long)w->count);
	else
		out_printf(o, "%lluHz", (unsigned long long)w->freq);
	for (size_t i = 0; i < t->n_events; i++)
		out_printf(o, "%s%s", i ? "," : " ", t->feed.session.head->events.v[t->events[i]].label);
}

void top_head(struct top *t, struct out *o, bool with_user)
{
	const struct feed_stats *s = &t->feed.stats;

	out_printf(o, "%llu samples/s  kernel %.1f%%  ", (unsigned long long)t->shot.per_second, t->shot.kernel);
	if (with_user)
		out_printf(o, "user %.1f%%  ", t->shot.user);
	out_printf(o, "lost %llu  ", (unsigned long long)s->lost);
	put_rate(t, o);
	out_printf(o, ", %s", feed_is_live(&t->feed) ? target_name(&t->feed.live.target, &t->want->target)
						      : t->feed.session.path);
}

static void put_foot(const struct top *t, struct out *o)
{
	out_printf(o, "this itself: %.2f %% of a CPU", t->own);
	if (t->forgotten)
		out_printf(o, "; there was too much to keep %llu times", (unsigned long long)t->forgotten);
	if (t->given_back)
		out_printf(o, "; symbols of %llu files were given back", (unsigned long long)t->given_back);
	out_str(o, "\n\n");
}

int top_print(struct top *t)
{
	struct out *o = t->c->out;
	struct report_rows rows = t->shot.rows;
	uint32_t *v;
	long n;
	int r;

	if (!t->want->rows.entries)
		t->want->rows.entries = USUAL_ENTRIES;
	n = top_choose(t, &v);
	if (n < 0)
		return (int)n;
	top_head(t, o, true);
	out_char(o, '\n');
	out_fill(o, '-', o->width ? o->width - 1 : 79);
	out_char(o, '\n');
	rows.v = v;
	rows.n = (size_t)n;
	r = report_text(t->shot.view, &rows, o);
	free(v);
	put_foot(t, o);
	out_flush(o);
	return r;
}
