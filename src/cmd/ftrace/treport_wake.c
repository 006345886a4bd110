/* treport_wake.c - report -w: from sched_wakeup to the sched_switch that brings the thread onto a CPU. */
#include "analyse/spans.h"
#include "cmd/ftrace/treport.h"

enum { RT_PRIO_MAX = 99, TASKS_MAX = 1 << 18 };

struct latency {
	uint64_t n, total, max, max_ts, min, min_ts;
};

struct treport_wake {
	struct ctx *c;
	struct spans woken;             /* open wake-ups by pid; a later one replaces an earlier one */
	uint64_t discarded;             /* wake-ups that were left out */
	struct latency all, rt;
};

static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why)
{
	((struct treport_wake *)arg)->discarded += why == SPANS_OLD;
}

struct treport_wake *treport_wake_new(struct treport_file *f)
{
	struct treport_wake *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->c = f->c;
	w->all.min = w->rt.min = UINT64_MAX;
	spans_init(&w->woken, sizeof(struct span),
		   &(struct spans_limits){ .deep = 1, .owners = TASKS_MAX, .dropped = dropped, .arg = w });
	if (tevents_by_kind(&f->events, KIND_SCHED_WAKEUP) && tevents_by_kind(&f->events, KIND_SCHED_SWITCH))
		return w;
	cmd_note(f->c, "-w: the recording does not know sched_wakeup and sched_switch");
	free(w);
	return NULL;
}

void treport_wake_free(struct treport_wake *w)
{
	if (w)
		spans_deinit(&w->woken);
	free(w);
}

static bool number(const struct tevent *ev, unsigned field, const struct tstream_rec *rec, uint64_t *v)
{
	const struct tfield *f = ev->field[field];

	return f && tfmt_u64(f, rec->raw, rec->n, v);
}

static void put_us(struct out *o, uint64_t ns)
{
	out_printf(o, "%llu.%03llu usecs", (unsigned long long)ns / 1000, (unsigned long long)ns % 1000);
}

static void add(struct latency *l, uint64_t ns, uint64_t ts)
{
	l->n++;
	l->total += ns;
	if (ns > l->max) {
		l->max = ns;
		l->max_ts = ts;
	}
	if (ns < l->min) {
		l->min = ns;
		l->min_ts = ts;
	}
}

/* The thread is switched in: the latency ends. */
static void end(struct treport_wake *w, uint64_t pid, bool rt, const struct tstream_rec *rec, struct out *o)
{
	struct span *sp = spans_newest(&w->woken, pid);
	uint64_t ns;

	if (!sp)
		return;
	spans_close(&w->woken, sp);
	if (!spans_whole(&w->woken, sp, rec->cpu)) {
		w->discarded++;
		return;
	}
	ns = rec->ts - sp->ts;
	out_str(o, " Latency: ");
	put_us(o, ns);
	add(&w->all, ns, rec->ts);
	if (rt)
		add(&w->rt, ns, rec->ts);
}

int treport_wake_record(struct treport_wake *w, const struct tevent *ev, const struct tstream_rec *rec, struct out *o)
{
	uint64_t pid, v;

	if (spans_follow(&w->woken, rec))
		return -ENOMEM;
	if (!ev)
		return 0;
	if (ev->kind == KIND_SCHED_WAKEUP || ev->kind == KIND_SCHED_WAKEUP_NEW) {
		struct span start = { .ts = rec->ts, .cpu = rec->cpu };

		if ((number(ev, WAKEUP_SUCCESS, rec, &v) && !v) || !number(ev, WAKEUP_PID, rec, &start.owner))
			return 0;
		return spans_open(&w->woken, &start) ? 0 : -ENOMEM;
	}
	if (ev->kind == KIND_SCHED_SWITCH && number(ev, SWITCH_NEXT_PID, rec, &pid) &&
	    number(ev, SWITCH_NEXT_PRIO, rec, &v))
		end(w, pid, v <= RT_PRIO_MAX, rec, o);
	return 0;
}

static void put_at(struct out *o, const char *label, uint64_t ns, uint64_t ts)
{
	out_printf(o, "%s Latency: ", label);
	put_us(o, ns);
	ts += 500;
	out_printf(o, " at timestamp: %llu.%06llu\n", (unsigned long long)ts / 1000000000,
		   (unsigned long long)ts % 1000000000 / 1000);
}

static void put(const struct latency *l, struct out *o)
{
	if (!l->n)
		return;
	out_str(o, "\nAverage wakeup latency: ");
	put_us(o, l->total / l->n);
	out_char(o, '\n');
	put_at(o, "Maximum", l->max, l->max_ts);
	put_at(o, "Minimum", l->min, l->min_ts);
	out_char(o, '\n');
}

void treport_wake_end(const struct treport_wake *w, struct out *o)
{
	put(&w->all, o);
	if (w->rt.n)
		out_str(o, "RT task timings:\n");
	put(&w->rt, o);
	if (w->discarded)
		cmd_note(w->c, "%llu wake-ups were left out: events were lost before the thread ran",
			 (unsigned long long)w->discarded);
}
