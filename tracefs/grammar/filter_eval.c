/* filter_eval.c - evaluates a filter for a record, and prints it as it was understood. */
#include "tracefs/grammar/filter_parts.h"

#include "base/find.h"
#include "base/fmt.h"

struct eval {
	const struct tfilter_env *env;
	const struct tstream_rec *r;
};

struct value {
	uint64_t v;
	bool wide;   /* from an unsigned 64-bit field: compare without sign */
};

static bool is_true(const struct eval *ev, const struct tfilter_node *n);

static struct value value(const struct eval *ev, const struct tfilter_node *n);

static struct value arith(const struct eval *ev, const struct tfilter_node *n)
{
	struct value a = value(ev, n->a), b = value(ev, n->b);
	uint64_t v = 0;

	switch (n->sub) {
	case '+': v = a.v + b.v; break;
	case '-': v = a.v - b.v; break;
	case '*': v = a.v * b.v; break;
	case '/': v = b.v ? a.v / b.v : 0; break;
	case '%': v = b.v ? a.v % b.v : 0; break;
	case '&': v = a.v & b.v; break;
	case '|': v = a.v | b.v; break;
	case '^': v = a.v ^ b.v; break;
	case TLEX_SHL: v = b.v < 64 ? a.v << b.v : 0; break;
	case TLEX_SHR: v = b.v < 64 ? a.v >> b.v : 0; break;
	}
	return (struct value){ v, a.wide || b.wide };
}

static struct value value(const struct eval *ev, const struct tfilter_node *n)
{
	struct value v = { 0 };

	switch (n->op) {
	case TFILTER_NUMBER:
		return (struct value){ n->v, n->sub };
	case TFILTER_FIELD:
		tfmt_u64(n->field, ev->r->raw, ev->r->n, &v.v);
		v.wide = n->field->size == 8 && !n->field->is_signed;
		return v;
	case TFILTER_CPU:
		v.v = ev->r->cpu;
		return v;
	case TFILTER_TIME:
		v.v = ev->r->ts;
		return v;
	case TFILTER_ARITH:
		return arith(ev, n);
	default:
		v.v = is_true(ev, n);
		return v;
	}
}

static bool compare(const struct eval *ev, const struct tfilter_node *n)
{
	struct value a = value(ev, n->a), b = value(ev, n->b);
	bool less = a.wide || b.wide ? a.v < b.v : (int64_t)a.v < (int64_t)b.v;

	switch (n->sub) {
	case TLEX_EQ: return a.v == b.v;
	case TLEX_NE: return a.v != b.v;
	case '<': return less;
	case TLEX_GE: return !less;
	case TLEX_LE: return less || a.v == b.v;
	default: return !less && a.v != b.v;
	}
}

/* A field as text: its string, the function at its address, or its number in hex. */
static struct sv field_text(const struct eval *ev, const struct tfilter_node *n, char buf[24])
{
	const struct tfield *f = n->field;
	const char *s = NULL;
	uint64_t v = 0;

	if (n->op == TFILTER_FIELD && f->is_string)
		return tfmt_str(f, ev->r->raw, ev->r->n);
	if (f)
		tfmt_u64(f, ev->r->raw, ev->r->n, &v);
	if (n->op == TFILTER_COMM)
		s = ev->env && ev->env->comm ? ev->env->comm(ev->env->arg, (uint32_t)v) : NULL;
	else if ((f->kind == TFIELD_POINTER || f->is_long) && ev->env && ev->env->symbol)
		s = ev->env->symbol(ev->env->arg, v);
	if (s)
		return sv_from(s);
	if (n->op == TFILTER_COMM)
		return SV("<...>");
	snprintf(buf, 24, "0x%llx", (unsigned long long)v);
	return sv_from(buf);
}

static bool text(const struct eval *ev, const struct tfilter_node *n)
{
	char buf[24];
	struct sv s = field_text(ev, n->a, buf);

	switch (n->sub) {
	case TLEX_EQ: return sv_eq(s, n->str.s);
	case TLEX_NE: return !sv_eq(s, n->str.s);
	case '~': return str_glob(n->str.s, s);
	case TFILTER_REGEX: return rex_match(&n->rex, s);
	default: return !rex_match(&n->rex, s);
	}
}

static bool is_task(const struct tfilter_tasks *t, uint64_t pid)
{
	size_t n = find_number_upto(t->sorted, t->n, pid);

	return n && t->sorted[n - 1] == pid;
}

static bool concerns_tasks(const struct eval *ev, const struct tfilter_node *n)
{
	for (const struct tfilter_node *f = n->a; f; f = f->b)
		if (is_task(n->tasks, value(ev, f).v))
			return true;
	return false;
}

static bool is_true(const struct eval *ev, const struct tfilter_node *n)
{
	switch (n->op) {
	case TFILTER_FALSE:
		return false;
	case TFILTER_TRUE:
		return true;
	case TFILTER_NOT:
		return !is_true(ev, n->a);
	case TFILTER_LOGIC:
		return is_true(ev, n->a) == (n->sub == TLEX_OR) ? n->sub == TLEX_OR : is_true(ev, n->b);
	case TFILTER_COMPARE:
		return compare(ev, n);
	case TFILTER_TEXT:
		return text(ev, n);
	case TFILTER_TASKS:
		return concerns_tasks(ev, n);
	case TFILTER_COMM:
		return true;
	default:
		return value(ev, n).v;
	}
}

enum tfilter_result tfilter_test(const struct tfilter *f, const struct tfilter_env *env, uint32_t id,
				 const struct tstream_rec *r)
{
	struct eval ev = { env, r };

	if (id >= f->by_id.n || !f->by_id.v[id])
		return TFILTER_OTHER;
	return is_true(&ev, f->by_id.v[id]) ? TFILTER_MATCH : TFILTER_MISS;
}

static void put_op(int op, struct out *o)
{
	static const struct { uint8_t op; char text[3]; } ops[] = {
		{ TLEX_SHL, "<<" }, { TLEX_SHR, ">>" }, { TLEX_LE, "<=" }, { TLEX_GE, ">=" }, { TLEX_EQ, "==" },
		{ TLEX_NE, "!=" }, { TLEX_AND, "&&" }, { TLEX_OR, "||" }, { TFILTER_REGEX, "=~" },
		{ TFILTER_NOT_REGEX, "!~" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (ops[i].op == op) {
			out_str(o, ops[i].text);
			return;
		}
	}
	out_char(o, (char)op);
}

/* Print the equivalent expression: ((a == 1) || (b == 1)) || (a == 2) ... */
static void put_tasks(const struct tfilter_node *n, struct out *o)
{
	size_t fields = 0, at = 0;

	for (const struct tfilter_node *f = n->a; f; f = f->b)
		fields++;
	for (size_t i = 1; i < n->tasks->n * fields; i++)
		out_char(o, '(');
	for (size_t i = 0; i < n->tasks->n; i++) {
		for (const struct tfilter_node *f = n->a; f; f = f->b, at++) {
			out_str(o, at ? ") || (" : "");
			out_sv(o, f->str);
			out_str(o, " == ");
			out_i64(o, (int64_t)n->tasks->given[i]);
			out_str(o, at ? ")" : "");
		}
	}
}

static void put(const struct tfilter_node *n, struct out *o)
{
	const char *open = n->op == TFILTER_LOGIC ? "(" : "", *close = n->op == TFILTER_LOGIC ? ")" : "";

	switch (n->op) {
	case TFILTER_FALSE:
	case TFILTER_TRUE:
		out_str(o, n->op == TFILTER_TRUE ? "TRUE" : "FALSE");
		break;
	case TFILTER_NOT:
		out_str(o, "!(");
		put(n->a, o);
		out_char(o, ')');
		break;
	case TFILTER_LOGIC:
	case TFILTER_COMPARE:
	case TFILTER_ARITH:
	case TFILTER_TEXT:
		out_str(o, open);
		put(n->a, o);
		out_str(o, close);
		out_char(o, ' ');
		put_op(n->sub, o);
		out_char(o, ' ');
		out_str(o, n->op == TFILTER_TEXT ? "\"" : open);
		if (n->op == TFILTER_TEXT)
			out_sv(o, n->str);
		else
			put(n->b, o);
		out_str(o, n->op == TFILTER_TEXT ? "\"" : close);
		break;
	case TFILTER_TASKS:
		put_tasks(n, o);
		break;
	case TFILTER_NUMBER:
		out_i64(o, (int64_t)n->v);
		break;
	default:
		out_sv(o, n->str);
	}
}

void tfilter_print(const struct tfilter *f, uint32_t id, struct out *o)
{
	if (id < f->by_id.n && f->by_id.v[id])
		put(f->by_id.v[id], o);
}
