/* feed_enums.c - filters with names of the kernel's enum values, as in perf trace: "mode == HRTIMER_MODE_ABS". */
#include "engine/feed_parts.h"

#include "tracefs/print/lex.h"
#include "tracing/evfile.h"

static bool compares(int kind)
{
	return kind == TLEX_EQ || kind == TLEX_NE || kind == TLEX_LE || kind == TLEX_GE || kind == '<' || kind == '>' ||
	       kind == '&';
}

/* Scans a filter for a field that is compared with a name. */
struct named {
	struct tlex lex;
	struct sv field, name;
};

static bool next_named(struct named *n)
{
	struct sv before = SV("");
	int kind = TLEX_END;

	for (; n->lex.kind != TLEX_END && n->lex.kind != TLEX_BAD; tlex_next(&n->lex)) {
		if (n->lex.kind == TLEX_NAME && compares(kind) && before.n) {
			n->field = before;
			n->name = n->lex.text;
			tlex_next(&n->lex);
			return true;
		}
		if (!compares(n->lex.kind))
			before = n->lex.kind == TLEX_NAME ? n->lex.text : SV("");
		kind = n->lex.kind;
	}
	return false;
}

static const struct tfield *field_of(const struct tfmt *fmt, struct sv name)
{
	for (uint32_t i = fmt->n_common; i < fmt->n_fields; i++)
		if (sv_eq(name, fmt->fields[i].name))
			return &fmt->fields[i];
	return NULL;
}

/* Print a value so that the kernel accepts it: without '-' for an unsigned field. */
static void put_value(const struct tfield *f, uint64_t v, struct out *o)
{
	if (f->is_signed)
		out_i64(o, (int64_t)v);
	else
		out_u64(o, f->size < 8 ? v & ((UINT64_C(1) << 8 * f->size) - 1) : v);
}

static int no_such_name(const struct tfield *f, struct sv name, const struct nearest *near, struct err *e)
{
	char text[160];

	return err_set(e, EINVAL, "%s: no value of %s is called %.*s%s", f->name, f->type, (int)name.n, name.s,
		       nearest_text(near, text, sizeof(text)));
}

/* Copy the rule with numbers for names; names compared with fields that are no enums stay, as texts. */
static int put_rule(struct feed *f, const struct tfmt *fmt, const char *rule, struct out *o, struct err *e)
{
	struct named n = { .field = SV("") };
	const char *from = rule;
	struct nearest near;

	tlex_init(&n.lex, sv_from(rule));
	while (next_named(&n)) {
		const struct tfield *field = field_of(fmt, n.field);
		uint64_t v = 0;
		int r = !field || field_of(fmt, n.name) ? -EOPNOTSUPP :
							  kenums_value(&f->enums, field->type, n.name, &v, &near);

		if (r == -ENOENT)
			return no_such_name(field, n.name, &near, e);
		if (r)
			continue;
		out_bytes(o, from, (size_t)(n.name.s - from));
		put_value(field, v, o);
		from = n.name.s + n.name.n;
	}
	out_str(o, from);
	return 0;
}

static bool has_named(const char *rule)
{
	struct named n = { .field = SV("") };

	tlex_init(&n.lex, sv_from(rule));
	return next_named(&n);
}

int feed_enum_rule(struct feed *f, struct tap *t, const struct event *ev, struct err *e)
{
	struct evfile file;
	struct mem_out m;
	struct tfs tfs;
	char name[256];
	int r;

	if (!has_named(t->rule))
		return 0;
	snprintf(name, sizeof(name), "%s:%s", ev->tp_system, ev->tp_name);
	/* If the format cannot be read, leave the rule as it is: the kernel reports unknown names. */
	if (tfs_open(&tfs, f->sys, NULL) || evfile_init(&file, &tfs, name, NULL))
		return 0;
	mem_out_init(&m);
	r = put_rule(f, &file.fmt, t->rule, &m.out, e);
	if (!r) {
		const char *text = mem_out_str(&m);

		t->rule = arena_dup(&f->arena, text, m.n);
		r = t->rule ? 0 : err_nomem(e);
	}
	mem_out_deinit(&m);
	evfile_deinit(&file);
	return r;
}
