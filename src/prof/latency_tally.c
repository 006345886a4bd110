/* latency_tally.c - rows of pairs that BPF programs have summed up. */
#include "prof/latency.h"

/* The roles of engine/stages.c. */
static void ask_stage(const struct stages *s, unsigned stage, struct tally_event *to)
{
	bool begins = s->cycle || stage + 1 < s->n, ends = s->cycle || stage;

	to->pair = (begins ? TALLY_BEGINS : 0) | (ends ? TALLY_ENDS : 0);
	to->stage = stage;
	to->ended = stage ? stage - 1 : s->n - 1;
}

int latency_ask(const struct latency *l, struct tally_event *asks, struct err *why)
{
	const struct prof *p = l->prof;

	if (l->has_than || l->has_only_than || l->has_lower || l->detail.on || l->heat.file)
		return err_set(why, EOPNOTSUPP, "pairs are looked at one by one");
	for (size_t i = 0; i < p->feed.taps.n; i++) {
		ask_stage(&l->stages, tap_group(&p->feed.taps.v[i]), &asks[i]);
		asks[i].is_by_key = l->want->per_instance;
	}
	return 0;
}

static struct latency_row *row_of(struct latency *l, uint32_t event, uint64_t key)
{
	const struct stages_pair pair = {
		.first = &l->prof->feed.taps.v[TALLY_FIRST(event)],
		.second = &l->prof->feed.taps.v[TALLY_SECOND(event)], .key = key,
	};

	return latency_row_of(l, &pair);
}

int latency_counted(struct latency *l, const struct tally_entry *n)
{
	struct latency_row *r = row_of(l, n->event, n->key);

	if (!r && l->rows.n < LATENCY_ROWS)
		return -ENOMEM;
	if (!r) {
		l->rowless += n->n;
		return 0;
	}
	return spread_add_to(&r->spread, n->part, n->n, n->sum);
}

int latency_bound(struct latency *l, const struct tally_bound *b)
{
	struct latency_row *r = row_of(l, b->event, b->key);

	if (r)
		spread_bound(&r->spread, b->least, b->most);
	return r || l->rows.n == LATENCY_ROWS ? 0 : -ENOMEM;
}

void latency_rest(struct latency *l)
{
	const struct tally_losses *n = &l->prof->losses;
	struct stages_stats *s = &l->stages.stats;

	s->replaced += n->replaced;
	s->unstarted += n->unstarted;
	l->stages.n_open = tally_begun(l->prof->feed.tally);
}
