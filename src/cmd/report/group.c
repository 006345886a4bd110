/* group.c - joins the rows of several events by the texts of their keys. */
#include "base/map.h"
#include "base/sort.h"
#include "cmd/report/view.h"

enum { CELL_MAX = 1024 };

struct join {
	const struct report_view *v;
	size_t n;
	struct names keys;            /* texts of keys; id * n is the index in found */
	VEC(uint32_t) found;          /* for each key n row indices; HIST_NO_ROW: that event lacks the row */
	struct mem_out text;
};

/* A row's key: the texts of all its key columns. NULL: no memory. */
static const char *key_of(struct join *j, const struct report_view *v, uint32_t row, size_t *n)
{
	char buf[CELL_MAX];

	j->text.n = 0;
	for (size_t i = 0; i < v->cols->n; i++) {
		if (v->cols->v[i] <= COL_PERIOD)
			continue;
		out_str(&j->text.out, report_cell(v, row, i, buf, sizeof(buf)));
		out_char(&j->text.out, '\n');
	}

	const char *text = mem_out_str(&j->text);

	*n = j->text.n;
	return j->text.out.error ? NULL : text;
}

static int add_key(struct join *j)
{
	for (size_t i = 0; i < j->n; i++) {
		uint32_t *row = vec_add(&j->found);

		if (!row)
			return -ENOMEM;
		*row = HIST_NO_ROW;
	}
	return 0;
}

static int add_row(struct join *j, size_t event, uint32_t row)
{
	size_t n;
	const char *text = key_of(j, &j->v[event], row, &n);
	uint32_t id = text ? names_add(&j->keys, text, n) : NAMES_NONE;

	if (id == NAMES_NONE || (id * j->n == j->found.n && add_key(j)))
		return -ENOMEM;
	j->found.v[id * j->n + event] = row;
	return 0;
}

/* Compare by weight, in the first event in which the two rows differ. */
static int heavier(const void *arg, uint32_t a, uint32_t b)
{
	const struct join *j = arg;

	for (size_t i = 0; i < j->n; i++) {
		uint64_t wa = report_row_weight(&j->v[i], j->found.v[a * j->n + i]);
		uint64_t wb = report_row_weight(&j->v[i], j->found.v[b * j->n + i]);

		if (wa != wb)
			return wa > wb ? -1 : 1;
	}
	return 0;
}

static int put_in_order(const struct join *j, struct report_rows *rows)
{
	uint32_t *order = malloc((rows->n + 1) * 2 * sizeof(*order));

	rows->v = rows->joined = malloc((rows->n * j->n + 1) * sizeof(*rows->v));
	if (!order || !rows->v) {
		free(order);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < rows->n; i++)
		order[i] = i;
	sort_u32(order, order + rows->n, rows->n, heavier, j);
	for (size_t i = 0; i < rows->n; i++)
		memcpy(rows->joined + i * j->n, j->found.v + order[i] * j->n, j->n * sizeof(*rows->v));
	free(order);
	return 0;
}

int report_join(struct report_rows *rows, const struct report_view *v, size_t n)
{
	struct join j = { .v = v, .n = n };
	int r = 0;

	mem_out_init(&j.text);
	for (size_t event = 0; event < n; event++)
		for (size_t i = 0; !r && i < v[event].hist->rows.n; i++)
			r = add_row(&j, event, v[event].order[i]);
	*rows = (struct report_rows){
		.n = j.found.n / n, .n_events = n,
		.group = v->event->group_leader == v[n - 1].event->group_leader ? "anon group" : NULL,
	};
	if (!r)
		r = put_in_order(&j, rows);
	names_deinit(&j.keys);
	vec_free(&j.found);
	mem_out_deinit(&j.text);
	return r;
}

void report_rows_deinit(struct report_rows *rows)
{
	free(rows->joined);
	rows->v = rows->joined = NULL;
}
