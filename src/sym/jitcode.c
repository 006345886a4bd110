/*
 * jitcode.c - see jitcode.h. The address space is divided at every address where a piece of code ever began or ended;
 * each range between two such edges has the list of the loads that covered it, sorted by time.
 */
#include "sym/jitcode.h"

#include "base/find.h"
#include "base/map.h"
#include "base/str.h"

enum { NAME_MAX_SHOWN = 1023 };

/* Limits for the lines of one piece of code, since each lookup walks them. */
enum { LINES_BYTES_MAX = 1 << 22, LINES_MAX = 1 << 16 };

/* --- records ------------------------------------------------------------------------------------------------- */

struct reading {
	struct jitcode *j;
	struct symtab *names;
	struct jitdump dump;
	struct jitdump_lines lines;    /* of the next load */
	struct map at;                 /* address -> piece loaded there last */
	uint64_t place;                /* place of the next piece */
};

static int add_load(struct reading *g, const struct jitdump_rec *r, uint32_t piece)
{
	uint64_t *at = map_add(&g->at, r->addr, NULL);
	struct jitcode_load *new = at ? vec_add(&g->j->loads) : NULL;

	if (!new)
		return -ENOMEM;
	*new = (struct jitcode_load){
		.time = MIN(r->time, UINT64_MAX - 1),    /* UINT64_MAX is "no end" */
		.addr = r->addr, .size = r->size, .piece = piece, .number = (uint32_t)g->j->loads.n,
	};
	*at = piece;
	return 0;
}

static int add_piece(struct reading *g, const struct jitdump_rec *r)
{
	struct sv name = { r->name, strnlen(r->name, NAME_MAX_SHOWN) };
	struct jitcode_piece *new = vec_add(&g->j->pieces);

	if (!new)
		return -ENOMEM;
	*new = (struct jitcode_piece){ .place = g->place, .size = r->size, .addr = r->addr, .lines = g->lines };
	g->place += r->size;
	return symtab_add_own(g->names, new->place, new->size, name);
}

static bool is_full(const struct reading *g, const struct jitdump_rec *r)
{
	return g->j->loads.n >= JITCODE_MAX || symtab_own_is_full(g->names) || r->size > UINT64_MAX - g->place;
}

static bool is_range(const struct jitdump_rec *r)
{
	return r->size && r->size < SYMTAB_SIZE_MAX && r->addr && r->addr < JITCODE_PLACES;
}

static int take_load(struct reading *g, const struct jitdump_rec *r)
{
	int err = 0;

	if (is_range(r) && r->name[0]) {
		g->j->is_cut = is_full(g, r);
		if (!g->j->is_cut)
			err = add_piece(g, r) || add_load(g, r, (uint32_t)g->j->pieces.n - 1) ? -ENOMEM : 0;
	}
	g->lines = (struct jitdump_lines){ 0 };
	return err;
}

/* Ignore a move of code that was never loaded, or that would make it longer. */
static int take_move(struct reading *g, const struct jitdump_rec *r)
{
	const uint64_t *at = map_get(&g->at, r->old_addr);

	if (!at || !is_range(r) || r->size > g->j->pieces.v[*at].size)
		return 0;
	g->j->is_cut = is_full(g, r);
	return g->j->is_cut ? 0 : add_load(g, r, (uint32_t)*at);
}

static void take_lines(struct reading *g, const struct jitdump_lines *lines)
{
	size_t bytes = cur_left(&lines->c);

	g->lines = *lines;
	g->lines.n = MIN(lines->n, (uint64_t)LINES_MAX);
	if (bytes > LINES_BYTES_MAX)
		g->lines.c.end = lines->c.pos + LINES_BYTES_MAX;
	g->j->lacks_lines |= bytes > LINES_BYTES_MAX || lines->n > LINES_MAX;
}

static int read_records(struct reading *g)
{
	struct jitdump_rec r;
	int got, err = 0;

	while (!err && !g->j->is_cut && (got = jitdump_next(&g->dump, &r, NULL)) == 1 && r.type != JITDUMP_CLOSE) {
		if (r.type == JITDUMP_LOAD)
			err = take_load(g, &r);
		else if (r.type == JITDUMP_MOVE)
			err = take_move(g, &r);
		else if (r.type == JITDUMP_LINES)
			take_lines(g, &r.lines);
	}
	g->j->is_broken = !err && !g->j->is_cut && got < 0;
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct jitcode_load *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static int read_dump(struct reading *g)
{
	int r = read_records(g);

	map_deinit(&g->at);
	if (g->j->loads.n)
		qsort(g->j->loads.v, g->j->loads.n, sizeof(*g->j->loads.v), by_time);
	return r;
}

/* --- ranges -------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static size_t keep_distinct(uint64_t *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || v[i] != v[kept - 1])
			v[kept++] = v[i];
	return kept;
}

static int find_edges(struct jitcode *j)
{
	if (vec_reserve(&j->edge, 2 * j->loads.n + 1))
		return -ENOMEM;
	for (size_t i = 0; i < j->loads.n; i++) {
		const struct jitcode_load *l = &j->loads.v[i];

		j->edge.v[j->edge.n++] = l->addr;
		j->edge.v[j->edge.n++] = l->addr + l->size;
	}
	if (j->edge.n)
		qsort(j->edge.v, j->edge.n, sizeof(*j->edge.v), by_value);
	j->edge.n = keep_distinct(j->edge.v, j->edge.n);
	return 0;
}

/* Indices of the edges where the load begins and where it ends. */
static size_t edges_of(const struct jitcode *j, const struct jitcode_load *l, size_t *end)
{
	*end = find_number_upto(j->edge.v, j->edge.n, l->addr + l->size) - 1;
	return find_number_upto(j->edge.v, j->edge.n, l->addr) - 1;
}

/* Count the loads of range i in first[i + 1]; when the limit is exceeded the remaining loads are dropped. */
static size_t count_versions(struct jitcode *j)
{
	size_t sum = 0, end;

	for (size_t i = 0; i < j->loads.n; i++) {
		size_t at = edges_of(j, &j->loads.v[i], &end);

		if (end - at > JITCODE_RANGES_MAX - sum) {
			j->is_cut = true;
			j->loads.n = i;
			break;
		}
		sum += end - at;
		for (; at < end; at++)
			j->first[at + 1]++;
	}
	return sum;
}

/* Turn the counts into the end of each range's group in `version`. */
static void sum_up(struct jitcode *j)
{
	for (size_t i = 0; i < j->edge.n; i++)
		j->first[i + 1] += j->first[i];
}

static int put_version(struct jitcode *j, uint32_t *used, uint32_t load)
{
	size_t end, at = edges_of(j, &j->loads.v[load], &end);
	bool is_new = false;
	uint64_t *when;

	for (; at < end; at++) {
		is_new |= used[at] > 0;
		j->version[j->first[at] + used[at]++] = load;
	}
	j->is_reused |= is_new;
	if (!is_new || !j->is_timed)
		return 0;
	when = vec_add(&j->reused);
	if (when)
		*when = j->loads.v[load].time;
	return when ? 0 : -ENOMEM;
}

static int put_versions(struct jitcode *j)
{
	uint32_t *used = calloc(j->edge.n + 1, sizeof(*used));
	int r = used ? 0 : -ENOMEM;

	for (size_t i = 0; !r && i < j->loads.n; i++)
		r = put_version(j, used, (uint32_t)i);
	free(used);
	j->reused.n = keep_distinct(j->reused.v, j->reused.n);
	return r;
}

static int find_ranges(struct jitcode *j)
{
	size_t n;

	if (find_edges(j))
		return -ENOMEM;
	j->first = calloc(j->edge.n + 2, sizeof(*j->first));
	n = j->first ? count_versions(j) : 0;
	j->version = j->first ? calloc(n + 1, sizeof(*j->version)) : NULL;
	if (!j->version)
		return -ENOMEM;
	sum_up(j);
	return put_versions(j);
}

/* --- open ---------------------------------------------------------------------------------------------------- */

static int map_dump(struct jitcode *j, const struct jitcode_want *w)
{
	const struct image_files *f = w->files;
	int r = -ENOENT;

	j->files = f;
	if (w->inside.pid && f->map_inside)
		r = f->map_inside(f->arg, &w->inside, w->path, &j->bytes, &j->n);
	if (r && f->map)
		r = f->map(f->arg, w->path, &j->bytes, &j->n);
	return r;
}

static bool is_meant(const struct jitdump *d, const struct jitcode_want *w)
{
	uint32_t pid;

	return jitdump_is_name(w->path, &pid) && pid == d->pid && (!w->arch || d->machine == w->arch->elf_machine);
}

static int take_dump(struct jitcode *j, struct symtab *t, const struct jitcode_want *w)
{
	struct reading g = { .j = j, .names = t, .place = JITCODE_PLACES };
	int r = jitdump_init(&g.dump, j->bytes, j->n, NULL);

	if (r)
		return r;
	if (!is_meant(&g.dump, w))
		return -ESTALE;
	j->is_timed = w->is_monotonic && !g.dump.in_ticks;
	return read_dump(&g) || find_ranges(j) ? -ENOMEM : 0;
}

int jitcode_open(struct jitcode *j, struct symtab *t, const struct jitcode_want *w)
{
	int r;

	*j = (struct jitcode){ 0 };
	r = map_dump(j, w);
	if (!r)
		r = take_dump(j, t, w);
	if (r)
		jitcode_close(j);
	return r;
}

void jitcode_close(struct jitcode *j)
{
	if (j->bytes && j->files->unmap)
		j->files->unmap(j->files->arg, j->bytes, j->n);
	vec_free(&j->pieces);
	vec_free(&j->loads);
	vec_free(&j->edge);
	vec_free(&j->reused);
	free(j->first);
	free(j->version);
	*j = (struct jitcode){ 0 };
}

/* --- questions ----------------------------------------------------------------------------------------------- */

uint64_t jitcode_place(const struct jitcode *j, uint64_t addr, uint64_t time)
{
	size_t at = find_number_upto(j->edge.v, j->edge.n, addr);
	const uint32_t *v, *end;
	const struct jitcode_load *l;

	if (!at)
		return 0;
	v = j->version + j->first[at - 1];
	end = j->version + j->first[at];
	if (v == end)
		return 0;
	/* An earlier time finds the first one, too: the runtime may write the record when the code already runs. */
	for (size_t n = (size_t)(end - v); n > 1; n -= n / 2)
		if (j->loads.v[v[n / 2]].time <= time || !j->is_timed)
			v += n / 2;
	l = &j->loads.v[*v];
	return j->pieces.v[l->piece].place + (addr - l->addr);
}

size_t jitcode_epoch(const struct jitcode *j, uint64_t time, uint64_t *since, uint64_t *until)
{
	size_t i = find_number_upto(j->reused.v, j->reused.n, time);

	*since = i ? j->reused.v[i - 1] : 0;
	*until = i < j->reused.n ? j->reused.v[i] : UINT64_MAX;
	return i;
}

static const struct jitcode_piece *piece_at(const struct jitcode *j, uint64_t place)
{
	size_t n = find_upto(j->pieces.v, j->pieces.n, place, place);

	return n && place - j->pieces.v[n - 1].place < j->pieces.v[n - 1].size ? &j->pieces.v[n - 1] : NULL;
}

bool jitcode_line(const struct jitcode *j, uint64_t place, struct jitdump_line *line)
{
	const struct jitcode_piece *piece = piece_at(j, place);
	struct jitdump_lines rest;
	struct jitdump_line v;
	const char *file = "";
	uint64_t addr;
	bool found = false;

	if (!piece)
		return false;
	addr = piece->addr + (place - piece->place);
	rest = piece->lines;
	while (jitdump_line(&rest, &v)) {
		if (strcmp(v.file, "\xff") != 0)
			file = v.file;
		if (v.addr > addr || (found && v.addr < line->addr))
			continue;
		*line = (struct jitdump_line){ v.addr, v.line, file };
		found = true;
	}
	return found;
}
