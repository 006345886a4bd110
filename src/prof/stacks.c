/* stacks.c - call chains of hits as text and flame graphs. */
#include "prof/stacks.h"

#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

int prof_stacks_open(struct prof_stacks *s, struct prof *p, struct err *e)
{
	if (callers_open(&s->callers, &p->feed))
		return err_nomem(e);
	mem_out_init(&s->folded);
	s->is_open = true;
	if (!prof_want(p)->chains.flame)
		return 0;
	s->flame = flame_new();
	s->interval = prof_want(p)->from.interval_ns ? flame_new() : NULL;
	return s->flame && (s->interval || !prof_want(p)->from.interval_ns) ? 0 : err_nomem(e);
}

void prof_stacks_close(struct prof_stacks *s)
{
	if (!s->is_open)
		return;
	callers_close(&s->callers);
	flame_free(s->flame);
	flame_free(s->interval);
	mem_out_deinit(&s->folded);
	s->is_open = false;
}

int prof_stacks_draw(struct prof_stacks *s, struct prof *p, uint32_t stack, uint32_t tid, uint64_t weight)
{
	return s->flame ? prof_stacks_add(s, stack, feed_comm(&p->feed, tid), weight) : 0;
}

int prof_stacks_add(struct prof_stacks *s, uint32_t stack, const char *first, uint64_t weight)
{
	int r = s->flame ? callers_flame(&s->callers, stack, first, weight, s->flame) : 0;

	return r || !s->interval ? r : callers_flame(&s->callers, stack, first, weight, s->interval);
}

static void put_svg(void *arg, struct out *o)
{
	const struct prof_stacks *s = arg;
	struct flame_want want = { .unit = s->unit ? s->unit : "events" };

	flame_svg(s->flame, &want, o);
}

static void put_folded(void *arg, struct out *o)
{
	struct mem_out *m = arg;

	mem_out_str(m);
	out_bytes(o, m->v, m->n);
}

/* Keep the lines drawn so far with "12:30:01;" of the interval's end in front, and start anew. */
static int keep_interval(struct prof_stacks *s, struct prof *p)
{
	struct mem_out m;
	struct sv rest, line;
	char tag[32];
	uint64_t day = p->sys->now(p->sys, CLOCK_REALTIME) / NS_PER_S % 86400;

	if (!feed_is_live(&p->feed))
		snprintf(tag, sizeof(tag), "%llu.%03llu", (unsigned long long)(p->to / NS_PER_S),
			 (unsigned long long)(p->to % NS_PER_S / 1000000));
	else
		snprintf(tag, sizeof(tag), "%02llu:%02llu:%02llu", (unsigned long long)(day / 3600),
			 (unsigned long long)(day / 60 % 60), (unsigned long long)(day % 60));
	mem_out_init(&m);
	flame_folded(s->interval, &m.out);
	rest = sv_from(mem_out_str(&m));
	while (sv_cut(&rest, '\n', &line))
		if (line.n) {
			out_printf(&s->folded.out, "%s;", tag);
			out_sv(&s->folded.out, line);
			out_char(&s->folded.out, '\n');
		}
	mem_out_deinit(&m);
	flame_free(s->interval);
	s->interval = flame_new();
	return s->interval ? 0 : -ENOMEM;
}

int prof_stacks_show(struct prof_stacks *s, struct prof *p, bool last, struct err *e)
{
	int r;

	if (!s->flame)
		return 0;
	if (s->interval && keep_interval(s, p))
		return err_nomem(e);
	if (!s->interval)
		flame_folded(s->flame, &s->folded.out);
	if (last) {
		r = prof_write(p, prof_want(p)->chains.flame, ".svg", put_svg, s, e);
		return r ? r : prof_write(p, prof_want(p)->chains.flame, ".folded", put_folded, &s->folded, e);
	}
	/* The picture joins all intervals; only the text separates them. */
	return 0;
}
