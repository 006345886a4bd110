/* shape.c - members by offset. Types are not trusted: they may contain themselves. */
#include "types/shape.h"

/* Limits: members searched by one call; lines of one type. */
enum { LOOKS_MAX = 1 << 14, LINES_MAX = 1 << 14 };

struct search {
	unsigned size;               /* of the access */
	unsigned best;               /* the enum fit at which the search ends */
	unsigned looks;
	struct shape *s;
};

static bool is_aggregate(const struct ctype_info *t)
{
	return t->kind == CTYPE_STRUCT || t->kind == CTYPE_UNION;
}

static uint64_t bytes_of(const struct ctype_member *m, const struct ctype_info *t)
{
	return m->bits ? (m->bit_offset % 8 + m->bits + 7) / 8 : t->size;
}

/* Does the member contain the offset? A flexible array member contains all offsets from its start on. */
static bool has(const struct ctype_member *m, const struct ctype_info *t, uint64_t off)
{
	uint64_t at = m->bit_offset / 8;

	return off >= at && (off - at < bytes_of(m, t) || (t->kind == CTYPE_ARRAY && !t->count));
}

static size_t extend(char path[SHAPE_PATH], size_t n, const char *dot, struct sv name)
{
	if (n && name.n && dot)
		n += str_copy(path + n, SHAPE_PATH - n, sv_from(dot));
	n = MIN(n, (size_t)SHAPE_PATH - 1);
	n += str_copy(path + n, SHAPE_PATH - n, name);
	return MIN(n, (size_t)SHAPE_PATH - 1);
}

enum fit { FIT_NONE, FIT_THERE, FIT_EXACT, FIT_POINTER };

static enum fit search_type(struct search *q, struct ctype t, uint64_t off, size_t path, unsigned depth);

/* The member that contains the offset; of several, in a union, the one that fits best. */
static enum fit search_members(struct search *q, struct ctype t, uint64_t off, size_t path, unsigned depth)
{
	struct shape best = { 0 };
	enum fit found = FIT_NONE;
	struct ctype_member m;

	for (unsigned i = 0; found < q->best && t.src->member(t.src, t.id, i, &m, NULL) > 0; i++) {
		struct ctype_info info;
		enum fit fit;

		if (++q->looks > LOOKS_MAX)
			break;
		if (!m.type.src || ctype_info(m.type, &info, NULL) || !has(&m, &info, off))
			continue;
		fit = search_type(q, m.type, off - m.bit_offset / 8, extend(q->s->path, path, ".", m.name), depth + 1);
		if (fit > found) {
			found = fit;
			best = *q->s;
		}
		q->s->path[path] = '\0';
	}
	if (found)
		*q->s = best;
	return found;
}

static enum fit search_type(struct search *q, struct ctype t, uint64_t off, size_t path, unsigned depth)
{
	struct ctype_info info;
	enum fit fit = FIT_NONE;

	if (depth > SHAPE_DEPTH || ctype_info(t, &info, NULL))
		return FIT_NONE;
	if (info.kind == CTYPE_ARRAY) {
		struct ctype_info element;

		if (ctype_info(info.target, &element, NULL) || !element.size)
			return FIT_NONE;
		path = extend(q->s->path, path, NULL, SV("[]"));
		return search_type(q, info.target, off % element.size, path, depth + 1);
	}
	if (is_aggregate(&info))
		fit = search_members(q, t, off, path, depth);
	if (fit)
		return fit;
	q->s->type = t;
	q->s->off = off;
	q->s->size = info.size;
	if (is_aggregate(&info) || off || info.size != q->size)
		return FIT_THERE;
	return info.kind == CTYPE_PTR ? q->best : FIT_EXACT;
}

bool shape_find(struct ctype t, uint64_t off, unsigned size, enum shape_of_union best, struct shape *s)
{
	struct search q = { .size = size, .best = best == SHAPE_POINTER ? FIT_POINTER : FIT_EXACT, .s = s };

	*s = (struct shape){ .path = "" };

	enum fit fit = t.src ? search_type(&q, t, off, 0, 0) : FIT_NONE;

	s->looks = q.looks;
	return fit;
}

bool shape_is_open(struct ctype t)
{
	for (unsigned depth = 0, looks = 0; depth < SHAPE_DEPTH; depth++) {
		struct ctype_member m, last = { 0 };
		struct ctype_info info;

		if (!t.src)
			return false;
		for (unsigned i = 0; looks < LOOKS_MAX && t.src->member(t.src, t.id, i, &m, NULL) > 0; i++, looks++)
			last = m;
		if (!last.type.src || ctype_info(last.type, &info, NULL))
			return false;
		if (info.kind == CTYPE_ARRAY)
			return !info.count;
		if (!is_aggregate(&info))
			return false;
		t = last.type;
	}
	return false;
}

/* --- the layout of a type --- */

struct walk {
	int (*each)(void *arg, const struct shape_line *l);
	void *arg;
	unsigned lines;
};

static int walk_type(struct walk *w, const struct shape_line *line)
{
	struct shape_line own = *line;
	struct ctype_member m;
	struct ctype_info info;
	int r;

	own.opens = false;
	if (++w->lines > LINES_MAX || ctype_info(line->type, &info, NULL))
		return 0;
	own.opens = is_aggregate(&info) && line->depth < SHAPE_DEPTH;
	r = w->each(w->arg, &own);
	for (unsigned i = 0; !r && own.opens && w->lines <= LINES_MAX &&
			     line->type.src->member(line->type.src, line->type.id, i, &m, NULL) > 0; i++) {
		struct shape_line next = { .depth = line->depth + 1, .type = m.type, .name = m.name };
		struct ctype_info of;

		if (!m.type.src || ctype_info(m.type, &of, NULL))
			continue;
		next.off = line->off + m.bit_offset / 8;
		next.size = bytes_of(&m, &of);
		r = walk_type(w, &next);
	}
	if (r || !own.opens)
		return r;
	own.opens = false;
	own.closes = true;
	return w->each(w->arg, &own);
}

int shape_each(struct ctype t, int (*each)(void *arg, const struct shape_line *l), void *arg)
{
	struct walk w = { each, arg, 0 };
	struct shape_line line = { .type = t, .name = SV("") };
	struct ctype_info info;

	if (!t.src || ctype_info(t, &info, NULL))
		return 0;
	line.size = info.size;
	return walk_type(&w, &line);
}
