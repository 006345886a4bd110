/*
 * export_sql.c - a recording as SQL, for `sqlite3 run.db < run.sql`: a table for each event, a row for each sample.
 *
 * Columns of every event have the names of perf-prof's tables (_pid _tid _time _cpu _period), so that queries for it
 * work; then follow a tracepoint's raw fields. _comm and _stack are additional: a stack is a row of the table _stacks,
 * written when it first occurs. Numbers are SQLite's signed 64-bit ones: the kernel's addresses are negative;
 * printf('%x', ...) shows them as usual.
 */
#include "show/export.h"

#include "base/vec.h"

#include <strings.h>

enum { ROWS_MAX = 256 };        /* per statement, whose text the reader holds in memory */

struct table {
	bool made;
	const struct tfmt *fmt; /* its fields are columns; NULL: only the common columns */
};

struct own {
	VEC(uint64_t) stacks;   /* bit set of stacks already written */
	struct table *tables;   /* by event */
	uint32_t last, rows;    /* the open statement: event, and rows so far; 0: none */
};

/* --- words of SQL -------------------------------------------------------------------------------------------- */

/* A text in quotes, which are doubled inside; it ends at a NUL, as it would in SQLite's shell. */
static void quoted(struct out *o, char mark, struct sv text)
{
	out_char(o, mark);
	for (size_t i = 0; i < text.n && text.s[i]; i++) {
		if (text.s[i] == mark)
			out_char(o, mark);
		out_char(o, text.s[i]);
	}
	out_char(o, mark);
}

static void name(struct out *o, const char *text)
{
	quoted(o, '"', sv_from(text));
}

static void text(struct out *o, const char *s)
{
	quoted(o, '\'', sv_from(s));
}

static void blob(struct out *o, struct traw r)
{
	out_str(o, "X'");
	for (size_t i = 0; i < r.n; i++)
		out_zero_hex(o, r.p[i], 2);
	out_char(o, '\'');
}

/* --- tables -------------------------------------------------------------------------------------------------- */

/* sched_switch for sched:sched_switch, unless another event's table would have the same name. */
static const char *table_of(const struct export_tables *t, uint32_t event)
{
	const char *whole = t->events[event].name, *colon = t->events[event].text ? strchr(whole, ':') : NULL;
	const char *own = colon ? colon + 1 : whole;

	for (size_t i = 0; i < t->n_events; i++) {
		const char *other = t->events[i].name, *at = t->events[i].text ? strchr(other, ':') : NULL;

		if (i != event && !strcasecmp(at ? at + 1 : other, own))
			return whole;
	}
	return own;
}

static const char *type_of(const struct tfield *f)
{
	if (f->is_string)
		return " TEXT";
	return f->kind == TFIELD_SCALAR || f->kind == TFIELD_POINTER ? " INTEGER" : " BLOB";
}

/* To SQL, "A" and "a" are one column; a format of a broken file may have that, and can have none of ours. */
static bool is_column(const struct tfmt *f, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (!strcasecmp(f->fields[k].name, f->fields[i].name))
			return false;
	return *f->fields[i].name && *f->fields[i].name != '_';
}

static void columns(struct out *o, const struct tfmt *f)
{
	out_str(o, "_pid INTEGER, _tid INTEGER, _time INTEGER, _cpu INTEGER, _period INTEGER, _comm TEXT, "
		   "_stack INTEGER");
	for (uint32_t i = 0; f && i < f->n_fields; i++) {
		if (!is_column(f, i))
			continue;
		out_str(o, ", ");
		name(o, f->fields[i].name);
		out_str(o, type_of(&f->fields[i]));
	}
}

static void end_statement(struct export *x)
{
	struct own *own = x->own;

	if (own->rows)
		out_str(x->out, ";\n");
	own->rows = 0;
}

static void make_table(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;

	own->tables[s->event] = (struct table){ .made = true, .fmt = s->fields };
	end_statement(x);
	out_str(x->out, "CREATE TABLE ");
	name(x->out, table_of(&x->t, s->event));
	out_str(x->out, " (");
	columns(x->out, s->fields);
	out_str(x->out, ");\n");
}

static void put_stack(struct export *x, uint32_t stack)
{
	uint32_t chain[EXPORT_DEPTH];
	size_t n = export_chain(&x->t, stack, chain, EXPORT_DEPTH);

	end_statement(x);
	out_str(x->out, "INSERT INTO _stacks VALUES (");
	out_u64(x->out, stack);
	out_str(x->out, ", '");
	for (size_t i = 0; i < n; i++) {
		const struct hist_frame *frame = &x->t.frames[chain[i]];
		const char *label = frame->inlined ? frame->label : x->t.funcs[x->t.func_of[chain[i]]].name;

		if (i)
			out_char(x->out, ';');
		for (; *label; label++) {
			if (*label == '\'')
				out_char(x->out, '\'');
			out_char(x->out, *label);
		}
	}
	out_str(x->out, "');\n");
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

static void field(struct out *o, const struct tfield *f, const struct export_sample *s)
{
	uint64_t v;

	if (f->is_string)
		quoted(o, '\'', tfmt_str(f, s->raw.p, s->raw.n));
	else if (f->kind != TFIELD_SCALAR && f->kind != TFIELD_POINTER)
		blob(o, tfmt_bytes(f, s->raw.p, s->raw.n));
	else if (tfmt_u64(f, s->raw.p, s->raw.n, &v))
		out_i64(o, (int64_t)v);
	else
		out_str(o, "NULL");
}

static void number_or_null(struct out *o, int64_t v)
{
	if (v < 0)
		out_str(o, "NULL");
	else
		out_i64(o, v);
}

static void row(struct export *x, const struct export_sample *s)
{
	const struct export_thread *t = &x->t.threads[s->thread];
	const struct tfmt *fmt = ((struct own *)x->own)->tables[s->event].fmt;
	struct out *o = x->out;

	out_char(o, '(');
	out_i64(o, export_id(t->pid));
	out_char(o, ',');
	out_i64(o, export_id(t->tid));
	out_char(o, ',');
	out_i64(o, (int64_t)s->time);
	out_char(o, ',');
	number_or_null(o, (int32_t)s->cpu);
	out_char(o, ',');
	out_i64(o, (int64_t)s->weight);
	out_char(o, ',');
	text(o, t->comm);
	out_char(o, ',');
	number_or_null(o, s->stack ? (int64_t)s->stack : -1);
	for (uint32_t i = 0; fmt && i < fmt->n_fields; i++) {
		if (!is_column(fmt, i))
			continue;
		out_char(o, ',');
		if (fmt == s->fields)
			field(o, &fmt->fields[i], s);
		else
			out_str(o, "NULL");
	}
	out_char(o, ')');
}

static int begin(struct export *x)
{
	out_str(x->out, "BEGIN;\nCREATE TABLE _stacks (id INTEGER PRIMARY KEY, stack TEXT);\n");
	return 0;
}

/* Write a stack once, before the first row that refers to it. 0 or -ENOMEM. */
static int know_stack(struct export *x, uint32_t stack)
{
	struct own *own = x->own;
	uint64_t bit = UINT64_C(1) << stack % 64;

	while (own->stacks.n <= stack / 64) {
		uint64_t *word = vec_add(&own->stacks);

		if (!word)
			return -ENOMEM;
		*word = 0;
	}
	if (stack && !(own->stacks.v[stack / 64] & bit))
		put_stack(x, stack);
	own->stacks.v[stack / 64] |= bit;
	return 0;
}

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;

	if (!own->tables)
		own->tables = calloc(x->t.n_events, sizeof(*own->tables));
	if (!own->tables || know_stack(x, s->stack))
		return -ENOMEM;
	if (!own->tables[s->event].made)
		make_table(x, s);
	if (own->rows == ROWS_MAX || own->last != s->event)
		end_statement(x);
	if (own->rows++) {
		out_str(x->out, ",\n");
	} else {
		out_str(x->out, "INSERT INTO ");
		name(x->out, table_of(&x->t, s->event));
		out_str(x->out, " VALUES\n");
	}
	own->last = s->event;
	row(x, s);
	return 0;
}

static int end(struct export *x, struct err *e)
{
	(void)e;
	end_statement(x);
	out_str(x->out, "COMMIT;\n");
	return 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	vec_free(&own->stacks);
	free(own->tables);
}

const struct export_format export_sql = {
	.name = "sql", .ending = ".sql", .brief = "SQL for sqlite3, a table for each event",
	.needs = EXPORT_FIELDS, .own = sizeof(struct own), .begin = begin, .sample = take, .end = end, .close = forget,
};
