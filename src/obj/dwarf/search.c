/*
 * search.c - searches entries by name. A name is a number, its offset in .debug_str: only units that contain
 * these four bytes are examined, and in them only the branches that contain them. Entries that refer to a found one (an
 * inlined instance, the definition of a declaration) contain its offset, again four bytes, which are searched for in
 * the same way.
 */
#include "obj/dwarf/parts.h"

/* Limit for chains of such references. */
enum { ROUNDS = 8 };

struct known {
	const struct dwarf_unit *u;
	uint64_t off;
};

struct search {
	const struct dwarf_search *want;
	struct err *e;
	struct sv scope;             /* "ns::klass" of "ns::klass::f"; empty: none */
	const char *last;            /* "f" */
	VEC(struct known) known;     /* entries with the name, and those that refer to them */
	struct map at;               /* address in memory -> index in known, plus one */
	size_t from, to;             /* range of known being searched for */
	struct dwarf_needles needles;
	VEC(uint64_t) hits;
	bool foreign;                /* only references from other units */
	bool everywhere;             /* the pre-filter does not apply to this unit: examine all entries */
};

/* --- the name --- */

/* Split "ns::klass::f" at the last "::" that is neither in brackets nor behind "operator". */
static void scope_cut(struct search *s, const char *name)
{
	int depth = 0;

	s->last = name;
	for (const char *p = name; *p; p++) {
		if (strchr("<([{", *p))
			depth++;
		else if (strchr(">)]}", *p))
			depth--;
		else if (!strncmp(s->last, "operator", 8))
			break;
		else if (!depth && p[0] == ':' && p[1] == ':')
			s->last = p + 2;
	}
	if (s->last - name > 2)
		s->scope = (struct sv){ name, (size_t)(s->last - name) - 2 };
}

static bool is_scope(unsigned tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_module ||
	       tag == DW_TAG_interface_type || tag == DW_TAG_enumeration_type;
}

/* Remove "klass" from the end of "ns::klass". */
static bool scope_take(struct sv *scope, const char *name)
{
	size_t n = strlen(name), left;

	if (n > scope->n || memcmp(scope->s + scope->n - n, name, n))
		return false;
	left = scope->n - n;
	if (left && (left < 2 || memcmp(scope->s + left - 2, "::", 2)))
		return false;
	scope->n = left ? left - 2 : 0;
	return true;
}

/* Do the parents match the scope? Unnamed scopes, and Rust's {impl#0}, may be omitted. */
static bool scope_fits(struct sv scope, const struct dwarf_walk *w)
{
	for (unsigned i = w->depth; scope.n && i-- > 0;) {
		if (!is_scope(w->up[i].tag))
			continue;

		const char *name = die_name(&w->up[i]);

		if (!scope_take(&scope, name) && *name && *name != '{')
			return false;
	}
	return !scope.n;
}

static size_t scoped_name(const struct dwarf_walk *w, const char *own, char *buf, size_t size)
{
	size_t n = 0;

	for (unsigned i = 0; i < w->depth; i++) {
		const char *name = is_scope(w->up[i].tag) ? die_name(&w->up[i]) : "";

		if (*name && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s::", name);
	}
	if (n < size)
		n += (size_t)snprintf(buf + n, size - n, "%s", own);
	return MIN(n, size - 1);
}

static const char *own_text(const struct die *die, unsigned at)
{
	struct dwarf_value v;

	return die_attr(die, at, &v, NULL) == 1 && dwarf_form_class(v.form) == DWARF_CLASS_STRING ? v.block.s : "";
}

static bool glob_fits(const struct search *s, const struct dwarf_walk *w, const char *name, const char *linkage)
{
	char buf[1024];

	if (*linkage && str_glob(s->want->name, sv_from(linkage)))
		return true;
	return *name && str_glob(s->want->name, (struct sv){ buf, scoped_name(w, name, buf, sizeof(buf)) });
}

/* Has the entry itself the name? */
static bool is_named(const struct search *s, const struct dwarf_walk *w)
{
	const char *name = own_text(&w->die, DW_AT_name), *linkage = own_text(&w->die, DW_AT_linkage_name);

	if (!*linkage)
		linkage = own_text(&w->die, DW_AT_MIPS_linkage_name);
	if (s->want->is_glob)
		return glob_fits(s, w, name, linkage);
	if (!strcmp(name, s->want->name) || !strcmp(linkage, s->want->name))
		return true;
	return s->scope.n && !strcmp(name, s->last) && scope_fits(s->scope, w);
}

/* --- one unit --- */

static bool is_kind(enum dwarf_kind kind, unsigned tag)
{
	switch (kind) {
	case DWARF_FUNCTIONS:
		return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
	case DWARF_VARIABLES:
		return tag == DW_TAG_variable || tag == DW_TAG_member;
	default:
		return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
		       tag == DW_TAG_enumeration_type;
	}
}

static uint64_t key_of(const struct die *die)
{
	return (uintptr_t)die->u->bytes.start + die->off;
}

static int take(struct search *s, const struct dwarf_walk *w)
{
	bool is_new = true;

	if (w->die.tag != DW_TAG_inlined_subroutine) {
		uint64_t *at = map_add(&s->at, key_of(&w->die), &is_new);
		struct known *k = at && is_new ? vec_add(&s->known) : NULL;

		if (!at || (is_new && !k))
			return err_nomem(s->e);
		if (is_new) {
			*k = (struct known){ w->die.u, w->die.off };
			*at = s->known.n;
		}
	}
	return is_new ? s->want->found(s->want->arg, w) : 0;
}

static int visit_named(struct search *s, const struct dwarf_walk *w)
{
	return is_named(s, w) ? take(s, w) : 0;
}

static int visit_standing_for(struct search *s, const struct dwarf_walk *w)
{
	struct die to;

	if (dwarf_origin(&w->die, &to, NULL) != 1)
		return 0;

	const uint64_t *i = map_get(&s->at, key_of(&to));

	if (!i || *i <= s->from || *i > s->to || (s->foreign && to.u == w->die.u))
		return 0;
	return take(s, w);
}

static int visit_any(struct search *s, const struct dwarf_walk *w)
{
	return s->want->found(s->want->arg, w);
}

/* Visit the branches that contain hits, which are sorted; or all. */
static int walk(struct search *s, const struct dwarf_unit *u,
		int (*visit)(struct search *s, const struct dwarf_walk *w))
{
	struct dwarf_walk w;
	size_t i = 0;
	int got;

	dwarf_walk_init(&w, u);
	while ((got = dwarf_walk_next(&w, s->e)) == 1) {
		while (!s->everywhere && i < s->hits.n && s->hits.v[i] < w.die.off)
			i++;
		if (!s->everywhere) {
			if (i == s->hits.n)
				return 0;
			if (w.sibling && s->hits.v[i] >= w.sibling)
				dwarf_walk_jump(&w);
			if (s->hits.v[i] >= w.end)
				continue;
		}

		int stop = is_kind(s->want->kind, w.die.tag) ? visit(s, &w) : 0;

		if (stop)
			return stop;
	}
	return got;
}

static int hit_add(struct search *s, uint64_t off)
{
	uint64_t *p = vec_add(&s->hits);

	if (!p)
		return err_nomem(s->e);
	*p = off;
	return 0;
}

static int hits_find(struct search *s, const struct dwarf_unit *u)
{
	size_t n = (size_t)u->end, i = (size_t)u->first;

	s->hits.n = 0;
	while ((i = dwarf_needles_next(&s->needles, u->bytes.start, n, i)) < n) {
		if (hit_add(s, i++))
			return -ENOMEM;
	}
	return 0;
}

/* Find the entries that refer to known[from..), until there are no new ones. */
static int unit_close(struct search *s, const struct dwarf_unit *u, size_t from)
{
	bool cross = dwarf_file_uses(u->file) & DWARF_USE_CROSS;

	s->everywhere = dwarf_file_uses(u->file) & DWARF_USE_SHORT;
	for (unsigned round = 0; from < s->known.n && round < ROUNDS; round++) {
		s->from = from;
		s->to = from = s->known.n;
		dwarf_needles_clear(&s->needles);
		for (size_t i = s->from; i < s->to; i++) {
			if (dwarf_needles_add(&s->needles, s->known.v[i].off - u->off, &u->bytes) ||
			    (cross && dwarf_needles_add(&s->needles, s->known.v[i].off, &u->bytes)))
				return err_nomem(s->e);
		}
		if (dwarf_needles_finish(&s->needles))
			return err_nomem(s->e);

		int err = hits_find(s, u);

		if (!err && (s->hits.n || s->everywhere))
			err = walk(s, u, visit_standing_for);
		if (err)
			return err;
	}
	return 0;
}

/* --- all units --- */

struct name_places;
typedef int unit_visit(struct search *s, struct name_places *n, struct dwarf_unit *u);

/* Where one file has the name. */
struct name_places {
	const uint8_t *text;            /* the .debug_str for which needles and slots are valid */
	const uint8_t *index;           /* the .debug_str_offsets for which slots are valid */
	struct dwarf_needles needles;   /* its offsets in .debug_str, and its first bytes */
	VEC(uint64_t) slots;            /* its places in .debug_str_offsets */
};

/* Add the offsets of the text in .debug_str, also as the tail of a longer one: linkers merge tails. */
static int offsets_add(struct name_places *n, struct cursor str, const char *text)
{
	size_t len = strlen(text) + 1;

	for (const uint8_t *p = str.pos; p < str.end; p++) {
		p = memmem(p, (size_t)(str.end - p), text, len);
		if (!p)
			break;
		if (dwarf_needles_add(&n->needles, (uint64_t)(p - str.start), &str))
			return -ENOMEM;
	}
	return 0;
}

static int text_add(struct name_places *n, const char *text)
{
	uint32_t first;
	struct cursor same = { 0 };

	if (strlen(text) < 3)
		return 0;
	memcpy(&first, text, 4);
	return dwarf_needles_add(&n->needles, first, &same);
}

/* Find the slots of .debug_str_offsets with one of these offsets. */
static int slots_find(struct name_places *n, const struct dwarf_unit *u)
{
	struct cursor c = dwarf_unit_section(u, DWARF_STR_OFFSETS);
	size_t size = cur_left(&c), i = 0;

	n->slots.n = 0;
	for (; (i = dwarf_needles_next(&n->needles, c.pos, size, i)) < size; i++) {
		uint64_t *p = vec_add(&n->slots);

		if (!p)
			return -ENOMEM;
		*p = i;
	}
	return 0;
}

static int places_find(struct search *s, struct name_places *n, const struct dwarf_unit *u)
{
	struct cursor str = dwarf_unit_section(u, DWARF_STR), index = dwarf_unit_section(u, DWARF_STR_OFFSETS);
	unsigned uses = dwarf_file_uses(u->file);
	struct dwarf *d = u->d;
	int err = 0;

	if (n->text != str.start || !n->text) {
		n->text = str.start;
		n->index = NULL;
		dwarf_needles_clear(&n->needles);
		err = offsets_add(n, str, s->want->name);
		if (!err && s->scope.n)
			err = offsets_add(n, str, s->last);
		if (!err && d->alt && u->file != d->alt)
			err = offsets_add(n, dwarf_file_section(d->alt, DWARF_STR), s->want->name);
		if (!err && d->alt && u->file != d->alt && s->scope.n)
			err = offsets_add(n, dwarf_file_section(d->alt, DWARF_STR), s->last);
		if (!err && uses & DWARF_USE_TEXT)
			err = text_add(n, s->want->name);
		if (!err && uses & DWARF_USE_TEXT && s->scope.n)
			err = text_add(n, s->last);
		err = err ? err : dwarf_needles_finish(&n->needles);
	}
	if (!err && uses & DWARF_USE_STRX && n->index != index.start) {
		n->index = index.start;
		err = slots_find(n, u);
	}
	return err ? err_nomem(s->e) : 0;
}

static bool has_text(const struct dwarf_unit *u, const char *text)
{
	size_t n = strlen(text);

	return n && n < 3 && memmem(u->bytes.start + u->first, (size_t)(u->end - u->first), text, n + 1);
}

/* Does the unit's part of .debug_str_offsets have one of the slots? */
static bool has_slot(const struct name_places *n, const struct dwarf_unit *u)
{
	struct cursor all = dwarf_unit_section(u, DWARF_STR_OFFSETS), c = all;
	uint64_t base = u->str_offsets_base, end = cur_left(&all);

	if (u->version >= 5 && u->offset_size == 4 && base >= 8 && base <= end) {
		cur_seek(&c, base - 8);

		uint64_t own = base - 4 + cur_u32(&c);

		end = MIN(end, own);
	}
	for (size_t i = 0; i < n->slots.n; i++) {
		if (n->slots.v[i] >= base && n->slots.v[i] < end)
			return true;
	}
	return false;
}

static int unit_named(struct search *s, struct name_places *n, struct dwarf_unit *u)
{
	unsigned uses = dwarf_file_uses(u->file);
	size_t from = s->known.n;
	int err = 0;

	s->everywhere = s->want->is_glob;
	if (!s->everywhere) {
		struct dwarf_needles keep = s->needles;

		err = places_find(s, n, u);
		s->needles = n->needles;
		err = err ? err : hits_find(s, u);
		s->needles = keep;
		if (err)
			return err;
		if (uses & DWARF_USE_TEXT)
			s->everywhere = has_text(u, s->want->name) || (s->scope.n && has_text(u, s->last));
		if (uses & DWARF_USE_STRX && !s->everywhere)
			s->everywhere = dwarf_unit_ready(u, NULL) && has_slot(n, u);
	}
	if (!s->everywhere && !s->hits.n)
		return 0;
	if (!dwarf_unit_ready(u, s->e))
		return -EBADMSG;
	err = walk(s, u, visit_named);
	return err ? err : unit_close(s, u, from);
}

static int unit_crossed(struct search *s, struct name_places *n, struct dwarf_unit *u)
{
	size_t from = s->known.n, first = s->from, last = s->to;
	int err;

	(void)n;
	if (!(dwarf_file_uses(u->file) & DWARF_USE_CROSS))
		return 0;
	s->everywhere = false;
	err = hits_find(s, u);
	if (err || !s->hits.n)
		return err;
	if (!dwarf_unit_ready(u, s->e))
		return -EBADMSG;
	s->foreign = true;
	err = walk(s, u, visit_standing_for);
	s->foreign = false;
	if (err || s->known.n == from)
		return err;

	struct dwarf_needles keep = s->needles;

	s->needles = (struct dwarf_needles){ 0 };
	err = unit_close(s, u, from);
	dwarf_needles_deinit(&s->needles);
	s->needles = keep;
	s->from = first;
	s->to = last;
	return err;
}

static int unit_entries(struct search *s, struct name_places *n, struct dwarf_unit *u)
{
	(void)n;
	s->everywhere = true;
	return dwarf_unit_ready(u, s->e) ? walk(s, u, visit_any) : -EBADMSG;
}

/* May the rest of the unit be in a .dwo? */
static bool is_skeleton(const struct dwarf_unit *u)
{
	return u->type == DW_UT_skeleton || (u->version < 5 && dwarf_file_uses(u->file) & DWARF_USE_SPLIT);
}

static int file_each(struct search *s, struct name_places *n, struct dwarf_file *f, unit_visit *visit)
{
	const uint8_t *passed = f->section[DWARF_INFO].start;
	int err = 0;

	for (size_t i = 0; i < f->n_info && !err; i++) {
		struct dwarf_unit *u = &f->units.v[i];

		if (mapped_stopped_after(f->elf->file, MAPPED_ROUNDS / 64))
			return err_set(s->e, ECANCELED, "interrupted");
		if (!dwarf_unit_is_known(u))
			continue;
		if (is_skeleton(u) && dwarf_unit_ready(u, NULL) && dwarf_split_unit(u))
			u = dwarf_split_unit(u);
		err = visit(s, n, u);
		dwarf_passed(f, DWARF_INFO, &passed, f->units.v[i].bytes.end);
	}
	dwarf_passed(f, DWARF_INFO, &passed, NULL);
	return err;
}

static int all_each(struct search *s, struct name_places *n, unit_visit *visit)
{
	struct dwarf *d = s->want->d;
	int err = 0;

	if (s->want->only)
		return visit(s, n, dwarf_unit_own(s->want->only));
	if (d->alt)
		err = file_each(s, n, d->alt, visit);
	return err ? err : file_each(s, n, d->file, visit);
}

/* Find entries in other units that refer to known ones. */
static int cross(struct search *s, struct name_places *n)
{
	int err = 0;

	s->to = 0;
	for (unsigned round = 0; !err && s->to < s->known.n && round < ROUNDS; round++) {
		s->from = s->to;
		s->to = s->known.n;
		dwarf_needles_clear(&s->needles);
		for (size_t i = s->from; i < s->to && !err; i++)
			err = dwarf_needles_add(&s->needles, s->known.v[i].off, &s->known.v[i].u->bytes);
		err = err ? err : dwarf_needles_finish(&s->needles);
		if (err)
			return err_nomem(s->e);
		err = all_each(s, n, unit_crossed);
	}
	return err;
}

static int run(const struct dwarf_search *want, struct err *e, unit_visit *visit)
{
	struct search s = { .want = want, .e = e, .scope = SV(""), .last = "" };
	struct name_places n = { 0 };
	bool named = visit == unit_named;
	int err;

	if (named && !want->is_glob)
		scope_cut(&s, want->name);
	err = all_each(&s, &n, visit);
	if (!err && named && !want->only && (want->d->alt || s.known.n))
		err = cross(&s, &n);
	dwarf_needles_deinit(&n.needles);
	dwarf_needles_deinit(&s.needles);
	vec_free(&n.slots);
	vec_free(&s.known);
	vec_free(&s.hits);
	map_deinit(&s.at);
	return err;
}

int dwarf_search(const struct dwarf_search *s, struct err *e)
{
	return run(s, e, unit_named);
}

int dwarf_each_entry(const struct dwarf_search *s, struct err *e)
{
	return run(s, e, unit_entries);
}
