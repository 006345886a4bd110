/* tallied.c - choose whether BPF programs or this process count events, and take the programs' counts. */
#include "prof/tallied.h"

#include "engine/tallied.h"

#include <time.h>

/* BPF programs; or hist triggers where the kernel does not allow programs, or they lack what hist triggers offer. */
static int open_either(struct prof *p, struct tally_event *asks, struct err *why)
{
	struct err later = { 0 };
	int r = tallied_open(&p->tally, &p->feed, asks, why);

	if (!r || r == -ENOMEM)
		return r;
	return histed_open(&p->histed, &p->feed, asks, &later) ? r : 0;
}

static int ask(struct prof *p, struct err *why)
{
	struct tally_event *asks = arena_alloc(&p->feed.arena, (p->feed.taps.n + 1) * sizeof(*asks));
	int r;

	if (!asks)
		return err_nomem(why);
	memset(asks, 0, (p->feed.taps.n + 1) * sizeof(*asks));
	r = p->kind->ask(p, asks, why);
	if (r)
		return r;
	if (prof_want(p)->place.no_bpf)
		return err_set(why, EOPNOTSUPP, "--no-bpf");
	if (prof_want(p)->limit)
		return err_set(why, EOPNOTSUPP, "-N counts hits");
	return open_either(p, asks, why);
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
	if (prof_want(p)->form.quiet || (r && !*why.text))
		return 0;
	if (r)
		snprintf(line, sizeof(line), "in user space: %s", why.text);
	else if (p->feed.histed)
		snprintf(line, sizeof(line), "in the kernel: hist trigger");
	else
		snprintf(line, sizeof(line), "in the kernel: bpf %u insns", p->tally.n_insns);
	p->how->note(p->how->arg, line);
	return 0;
}

void tallied_end(struct prof *p)
{
	struct err e = { 0 };

	tallied_close(&p->feed);
	if (p->feed.histed && histed_close(p->feed.histed, &e))
		p->how->note(p->how->arg, e.text);
}

static int take(void *arg, const struct tally_entry *n)
{
	struct prof *p = arg;

	return p->kind->counted(p, n);
}

static int take_stack(void *arg, const struct tally_stack *s)
{
	struct prof *p = arg;

	return p->kind->stacked(p, s);
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

	if (p->feed.histed) {
		p->to = sys->now(sys, CLOCK_MONOTONIC);
		p->losses = (struct tally_losses){ 0 };
		return histed_read(p->feed.histed, take, p, &p->losses.full);
	}
	if (!p->feed.tally)
		return 0;
	p->to = sys->now(sys, CLOCK_MONOTONIC);
	r = p->kind->stacked ? tally_stacks(p->feed.tally, take_stack, p) : tally_read(p->feed.tally, take, p);
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
	prof_count(p, o, l->stackless, "stacks had no room: their events are drawn without them");
	prof_count(p, o, l->unfollowed, "tasks that were started are left out, or may be");
}
