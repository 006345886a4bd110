/* tallied.c - who counts: programs in the kernel, or we; and what they say. */
#include "prof/tallied.h"

#include "engine/tallied.h"

#include <time.h>

static int ask(struct prof *p, struct err *why)
{
	struct tally_event *asks = arena_alloc(&p->feed.arena, (p->feed.taps.n + 1) * sizeof(*asks));
	int r;

	if (!asks)
		return err_nomem(why);
	memset(asks, 0, (p->feed.taps.n + 1) * sizeof(*asks));
	if (prof_want(p)->place.no_bpf)
		return err_set(why, EOPNOTSUPP, "--no-bpf");
	if (prof_want(p)->limit)
		return err_set(why, EOPNOTSUPP, "-N counts hits");
	r = p->kind->ask(p, asks, why);
	return r ? r : tallied_open(&p->tally, &p->feed, asks, why);
}

int tallied_choose(struct prof *p, struct err *e)
{
	struct err why = { 0 };
	char line[512];
	int r;

	if (!p->kind->ask || !feed_is_live(&p->feed))
		return 0;
	r = ask(p, &why);
	if (r == -ENOMEM)
		return err_nomem(e);
	if (prof_want(p)->form.quiet)
		return 0;
	if (r)
		snprintf(line, sizeof(line), "in user space: %s", why.text);
	else
		snprintf(line, sizeof(line), "in the kernel: bpf %u insns", p->tally.n_insns);
	p->how->note(p->how->arg, line);
	return 0;
}

static int take(void *arg, const struct tally_entry *n)
{
	struct prof *p = arg;

	return p->kind->counted(p, n);
}

static int take_bound(void *arg, const struct tally_bound *b)
{
	struct prof *p = arg;

	return p->kind->bound(p, b);
}

int tallied_take(struct prof *p)
{
	const struct sys *sys = p->sys;
	int r;

	if (!p->feed.tally)
		return 0;
	p->to = sys->now(sys, CLOCK_MONOTONIC);
	r = tally_read(p->feed.tally, take, p);
	if (!r && p->kind->bound)
		r = tally_bounds(p->feed.tally, take_bound, p);
	p->losses = tally_lost(p->feed.tally);
	return r;
}

void tallied_tell(const struct prof *p, struct out *o)
{
	const struct tally_losses *l = &p->losses;

	prof_count(p, o, l->full, "events are left out: there are too many keys");
	prof_count(p, o, l->negative, "numbers are below zero, and in no row");
	prof_count(p, o, l->unread, "events are left out: the kernel's memory could not be read");
	prof_count(p, o, l->untold, "numbers may have been smaller or larger than min and max");
	prof_count(p, o, l->missed, "events are left out: they came while another program ran");
}
