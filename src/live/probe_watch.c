/* probe_watch.c - hits per second, times the cost of a hit. */
#include "live/probe_watch.h"

#include "probing/cost_trial.h"

#include <time.h>

static const uint64_t first_ns = 100 * 1000 * 1000, then_ns = 1000 * 1000 * 1000;

/* Share of a core from which to warn; and an upper bound for a hit's cost until it is measured (emulated: 37 us). */
static const double bad = 0.05, most_hit_ns = 50000;

int probe_watch_init(struct probe_watch *w, const struct sys *sys, const struct event_list *l, size_t places,
		     struct err *e)
{
	*w = (struct probe_watch){ .sys = sys, .events = l->v.n, .n = places, .next = UINT64_MAX };
	w->kinds = probe_kinds(sys, l);
	w->places = calloc(places + 1, sizeof(*w->places));
	if (w->kinds && w->places)
		return 0;
	probe_watch_deinit(w);
	return err_nomem(e);
}

void probe_watch_deinit(struct probe_watch *w)
{
	free(w->kinds);
	free(w->places);
	w->kinds = NULL;
	w->places = NULL;
}

static uint64_t now(const struct probe_watch *w)
{
	return w->sys->now(w->sys, CLOCK_MONOTONIC);
}

void probe_watch_begin(struct probe_watch *w)
{
	memset(w->places, 0, w->n * sizeof(*w->places));
	w->since = now(w);
	for (enum probe_kind k = PROBE_OF_KERNEL; k < PROBE_KINDS && !w->told && !w->is_blind; k++) {
		if (probe_kinds_have(w->kinds, w->events, k))
			w->next = w->since + first_ns;
	}
}

void probe_watch_add(struct probe_watch *w, size_t event, size_t place, uint64_t count)
{
	if (probe_watch_wants(w, event) && place < w->n)
		w->places[place].now[w->kinds[event]] += count;
}

static uint64_t hits(const struct probe_hits *h, enum probe_kind k)
{
	return h->now[k] - MIN(h->before[k], h->now[k]);
}

/* The share of a core that hits take at the busiest place, which is noted. */
static double share(struct probe_watch *w, uint64_t window)
{
	double most = 0;

	for (size_t i = 0; i < w->n; i++) {
		double ns = 0;

		for (enum probe_kind k = PROBE_OF_KERNEL; k < PROBE_KINDS; k++)
			ns += (double)hits(&w->places[i], k) * (w->hit_ns[k] > 0 ? w->hit_ns[k] : most_hit_ns);
		if (ns > most) {
			most = ns;
			w->busiest = i;
		}
	}
	/* It cannot be more than a whole core: under load a hit takes less time than when it was measured. */
	return MIN(most / (double)MAX(window, 1), 1);
}

static bool is_measured(const struct probe_watch *w)
{
	for (enum probe_kind k = PROBE_OF_KERNEL; k < PROBE_KINDS; k++) {
		if (w->hit_ns[k] <= 0 && probe_kinds_have(w->kinds, w->events, k))
			return false;
	}
	return true;
}

bool probe_watch_measure(struct probe_watch *w)
{
	struct hit_cost cost = { 0 };
	struct err e = { 0 };
	int r = 0;

	for (enum probe_kind k = PROBE_OF_KERNEL; !r && k < PROBE_KINDS; k++) {
		if (!probe_kinds_have(w->kinds, w->events, k))
			continue;
		r = cost_of_hit(w->sys, k, &(struct cost_meter){ 0 }, &cost, &e);
		w->hit_ns[k] = cost.ns;
	}
	w->is_blind = r;
	return !r;
}

static void next_window(struct probe_watch *w)
{
	for (size_t i = 0; i < w->n; i++) {
		memcpy(w->places[i].before, w->places[i].now, sizeof(w->places[i].before));
		memset(w->places[i].now, 0, sizeof(w->places[i].now));
	}
	w->since = now(w);
}

bool probe_watch_judge(struct probe_watch *w)
{
	uint64_t window = now(w) - w->since;

	w->share = share(w, window);
	if (w->share > bad && !is_measured(w)) {
		/* Measure the cost, then judge by a new window: in this one the load may only have begun. */
		next_window(w);
		w->next = probe_watch_measure(w) ? w->since + first_ns : UINT64_MAX;
		return false;
	}
	w->told = w->share > bad;
	w->rate = 0;
	for (enum probe_kind k = PROBE_OF_KERNEL; k < PROBE_KINDS; k++)
		w->rate += (double)hits(&w->places[w->busiest], k) * 1e9 / (double)MAX(window, 1);
	next_window(w);
	w->next = w->told ? UINT64_MAX : w->since + then_ns;
	return w->told;
}

void probe_watch_put(const struct probe_watch *w, bool places_are_cpus, struct out *o)
{
	const char *end = " hits a second):\n  ";

	out_str(o, "probes take about ");
	out_fixed(o, w->share * 100, 0, 1);
	if (places_are_cpus)
		out_printf(o, " %% of CPU %zu (", w->busiest);
	else
		out_str(o, " % of a core (");
	out_grouped(o, (uint64_t)w->rate);
	for (enum probe_kind k = PROBE_OF_KERNEL; k < PROBE_KINDS; k++) {
		if (w->hit_ns[k] <= 0)
			continue;
		out_str(o, end);
		out_fixed(o, w->hit_ns[k] / 1000, 0, 2);
		out_printf(o, " us each in %s", probe_kind_where(k));
		end = ",\n  ";
	}
}
