/* line.c - lines of the profiler `trace`, also for events between the two of a pair. */
#include "engine/line.h"

#include "base/civil.h"
#include "tracefs/text/rtext.h"

void line_text(struct feed *f, const struct hit *h, struct out *o)
{
	struct tevent *ev = tevents_by_id(f->session.trace, h->event->fmt.id);
	const struct tprint *p = ev ? tevents_print(f->session.trace, ev) : NULL;
	struct tprint_names names = session_names(&f->session);

	if (p)
		tprint_record(p, &names, h->raw.p, h->raw.n, o);
}

/* For an event without fields: its period and address. */
static void put_place(struct feed *f, const struct hit *h, struct out *o)
{
	const struct sample *s = h->sample;
	const struct sym_loc *l = resolver_find(f->session.resolver, s->pid, s->cpumode, s->ip);

	out_u64(o, s->period);
	out_str(o, " ");
	out_zero_hex(o, s->ip, 16);
	if (!l)
		return;
	out_str(o, l->sym ? " " : "");
	out_str(o, l->sym ? l->sym : "");
	out_printf(o, " (%s)", l->dso_short);
}

void line_date(const struct feed *f, uint64_t time, struct out *o)
{
	uint64_t us = (f->wall + time) / 1000;
	struct civil c = civil_of((int64_t)(us / 1000000));

	if (f->wall)
		out_printf(o, "%04d-%02u-%02u %02d:%02d:%02d.%06u ", c.year, c.month + 1, c.day, c.hour, c.minute,
			   c.second, (unsigned)(us % 1000000));
}

/* "d.s.": interrupt and preemption flags of a tracepoint. */
static void put_flags(const struct hit *h, struct out *o)
{
	const struct tfield *const *common = h->event->common;
	char text[RTEXT_FLAGS];

	rtext_flags((unsigned)tfmt_value(common[COMMON_FLAGS], h->raw.p, h->raw.n),
		    (unsigned)tfmt_value(common[COMMON_PREEMPT_COUNT], h->raw.p, h->raw.n), text);
	out_bytes(o, text, 4);
	out_char(o, ' ');
}

void line_place(struct feed *f, const struct hit *h, struct out *o)
{
	uint64_t us = h->time / 1000;

	line_date(f, h->time, o);
	out_right(o, feed_comm(f, h->tid), 16);
	out_printf(o, " %6d ", (int)h->tid);
	if (h->event)
		put_flags(h, o);
	out_printf(o, "[%03d] %llu.%06llu: %s: ", (int)h->cpu, (unsigned long long)(us / 1000000),
		   (unsigned long long)(us % 1000000), h->tap->spec->alias ? h->tap->name : h->tap->label);
}

void line_put(struct feed *f, const struct hit *h, struct out *o)
{
	line_place(f, h, o);
	if (h->event)
		line_text(f, h, o);
	else if (h->sample)
		put_place(f, h, o);
}

const char *line_time(char buf[LINE_TIME], uint64_t ns)
{
	static const struct { const char *unit; uint64_t ns; } units[] = {
		{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (ns >= units[i].ns) {
			snprintf(buf, LINE_TIME, "%llu.%03llu %s", (unsigned long long)(ns / units[i].ns),
				 (unsigned long long)(ns % units[i].ns * 1000 / units[i].ns), units[i].unit);
			return buf;
		}
	snprintf(buf, LINE_TIME, "%llu ns", (unsigned long long)ns);
	return buf;
}

bool line_read_time(const char *text, uint64_t *ns)
{
	return str_time(sv_from(text), 1, ns);
}
