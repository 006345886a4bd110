#include "cmd/mem/dump.h"

#include "perf/data_src.h"

struct dump {
	const struct mem_dump_want *want;
	const char *sep;
	bool only_known;             /* leave out samples whose code has no symbol */
	struct out *o;
};

static void put_head(const struct dump *d)
{
	out_str(d->o, "# PID, TID, IP, ADDR, ");
	if (d->want->physical)
		out_str(d->o, "PHYS ADDR, ");
	if (d->want->page_size)
		out_str(d->o, "DATA PAGE SIZE, ");
	out_str(d->o, "LOCAL WEIGHT, DSRC, SYMBOL\n");
}

static void put_hex(const struct dump *d, uint64_t v)
{
	out_str(d->o, "0x");
	out_hex(d->o, v);
	out_str(d->o, d->sep);
}

static int put_sample(const struct dump *d, struct session *s, const struct session_item *item)
{
	const struct sample *smp = &item->sample;
	const struct sym_loc *l = resolver_find(s->resolver, smp->pid, smp->cpumode, smp->ip);

	if (!l)
		return -ENOMEM;
	if (d->only_known && !l->sym)
		return 0;
	out_i64(d->o, (int32_t)smp->pid);
	out_str(d->o, d->sep);
	out_i64(d->o, (int32_t)smp->tid);
	out_str(d->o, d->sep);
	put_hex(d, smp->ip);
	put_hex(d, smp->addr);
	if (d->want->physical)
		out_printf(d->o, "0x%016llx%s", (unsigned long long)smp->phys_addr, d->sep);
	if (d->want->page_size) {
		data_page_text(smp->data_page, d->o);
		out_str(d->o, d->sep);
	}
	out_u64(d->o, sample_weight(&item->event->layout, smp));
	out_str(d->o, d->sep);
	put_hex(d, smp->data_src);
	out_str(d->o, strcmp(l->dso, "[unknown]") ? l->dso : "???");
	out_char(d->o, ':');
	out_str(d->o, l->sym ? l->sym : "???");
	out_char(d->o, '\n');
	return 0;
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int put_all(struct ctx *c, const struct dump *d, struct session *s, struct err *e)
{
	struct session_item item;
	int r;

	put_head(d);
	session_ahead(s, true);
	while ((r = session_next(s, &item, e)) > 0 && !d->o->error)
		if (r == 1 && item.event && put_sample(d, s, &item))
			return err_nomem(e);
	out_flush(c->out);
	if (r >= 0)
		session_footer(s, SESSION_LOSSES, note, c);
	return MIN(r, 0);
}

int mem_dump(struct ctx *c, const struct mem_dump_want *w, const struct report_want *report)
{
	struct dump d = { w, w->sep ? w->sep : " ", report->filter.hide_unresolved, c->out };
	struct err e = { 0 };
	struct session s;
	int r = session_open(&s, c->sys, &report->session, &e);

	if (r)
		return cmd_fail(c, &e);
	r = put_all(c, &d, &s, &e);
	c->incomplete |= session_incomplete(&s);
	session_close(&s);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}
