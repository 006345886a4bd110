/* percore.c - the event term `percore`: counts of a core's hardware threads are summed up. */
#include "cmd/stat/print_parts.h"

static bool is_percore(const struct stat_table *t, const struct stat_row *row)
{
	return t->by == STAT_BY_CPU && row->ev->set & EVENT_SET_PERCORE;
}

void stat_percore_keys(struct stat_table *t, const struct sys *sys)
{
	for (size_t i = 0; i < t->keys.n; i++) {
		struct stat_key *k = &t->keys.v[i];
		struct cpu_place p = stat_place(t, sys, (int)k->id);

		snprintf(k->core, sizeof(k->core), "S%u-D%u-C%u", p.socket, p.die, p.core);
		while (k->first < i && strcmp(t->keys.v[k->first].core, k->core))
			k->first++;
	}
}

/* Set all cells of a core to the core's sum. */
static void sum_up(struct stat_table *t, size_t row)
{
	for (size_t i = 0; i < t->keys.n; i++) {
		struct stat_cell *cell = stat_table_cell(t, i, row);
		struct stat_cell *first = stat_table_cell(t, t->keys.v[i].first, row);

		if (cell == first)
			continue;
		first->value += cell->value;
		first->enabled += cell->enabled;
		first->running += cell->running;
		first->n += cell->n;
		first->used |= cell->used;
	}
	for (size_t i = 0; i < t->keys.n; i++) {
		struct stat_cell *cell = stat_table_cell(t, i, row);
		const struct stat_cell *first = stat_table_cell(t, t->keys.v[i].first, row);

		cell->value = first->value;
		cell->enabled = first->enabled;
		cell->running = first->running;
	}
}

void stat_percore_sums(struct stat_table *t)
{
	for (size_t row = 0; row < t->rows.n; row++)
		if (is_percore(t, &t->rows.v[row]))
			sum_up(t, row);
}

bool stat_line_is_core(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	return is_percore(t, l->row) && !p->core_threads;
}
