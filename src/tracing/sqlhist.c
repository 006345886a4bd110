/* sqlhist.c - texts of the definition and the triggers. */
#include "tracing/sqlhist.h"

static const struct evfile *event_of(const struct sqlhist *s, const struct hsql_field *f)
{
	return f->side == HSQL_TO ? &s->to : &s->from;
}

/* --- fields --- */

static int no_field(const struct sqlhist *s, const struct hsql_field *f, struct err *e)
{
	const struct tfmt *fmt = &event_of(s, f)->fmt;
	char text[160], what[320];
	struct nearest near;

	nearest_init(&near, sv_from(f->name));
	for (uint32_t i = 0; i < fmt->n_fields; i++)
		nearest_feed(&near, fmt->fields[i].name);
	snprintf(what, sizeof(what), "%s has no field '%.60s'%s", event_of(s, f)->event, f->name,
		 nearest_text(&near, text, sizeof(text)));
	return hsql_bad(&s->q, f->at, what, e);
}

/* In a join a field must name its event. */
static int check_field(const struct sqlhist *s, const struct hsql_field *f, struct err *e)
{
	if (!f->side)
		return hsql_bad(&s->q, f->at, "which of the events is it about?", e);
	return f->kind != HSQL_FIELD || tfmt_field(&event_of(s, f)->fmt, f->name) ? 0 : no_field(s, f, e);
}

static int check_item(const struct sqlhist *s, const struct hsql_item *it, struct err *e)
{
	int r = check_field(s, &it->x, e);

	if (!r && it->op)
		r = check_field(s, &it->y, e);
	if (!r && it->op && !*it->as && it->x.kind == HSQL_FIELD)
		return hsql_bad(&s->q, it->x.at, "what is calculated needs a name: as NAME", e);
	if (!r && it->op && (it->x.kind == HSQL_STACK || it->y.kind == HSQL_STACK))
		return hsql_bad(&s->q, it->x.at, "a stack is no number", e);
	return r || !*it->mod ? r : hsql_bad(&s->q, it->x.at, "cast is for histograms of one event", e);
}

static int check_join(const struct sqlhist *s, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < s->q.n_matches; i++) {
		r = check_field(s, &s->q.match[i].from, e);
		r = r ? r : check_field(s, &s->q.match[i].to, e);
	}
	for (size_t i = 0; !r && i < s->q.n_items; i++)
		r = check_item(s, &s->q.items[i], e);
	return r;
}

/* The field's name in the synthetic event. */
static const char *item_name(const struct hsql_item *it)
{
	if (*it->as)
		return it->as;
	return it->x.kind == HSQL_FIELD ? it->x.name : it->x.kind == HSQL_STACK ? "stack" : it->op ? "delta" : "time";
}

/* Declare it by size and sign, which the kernel compares; for a calculation by those of the first operand. */
static int put_type(const struct sqlhist *s, const struct hsql_item *it, struct out *o, struct err *e)
{
	const struct tfield *f = tfmt_field(&event_of(s, &it->x)->fmt, it->x.name);
	const char *name = item_name(it);

	out_printf(o, " ");
	if (it->x.kind == HSQL_STACK)
		out_printf(o, "unsigned long %s[]", name);
	else if (it->x.kind != HSQL_FIELD)
		out_printf(o, "u64 %s", name);
	else if ((it->op && f->is_string) || !trigger_put_field(o, f, name))
		return hsql_bad(&s->q, it->x.at, "such a field cannot be carried into another event", e);
	out_printf(o, ";");
	return 0;
}

/* --- texts --- */

static int make_definition(struct sqlhist *s, struct err *e)
{
	struct mem_out m;
	int r = 0;

	mem_out_init(&m);
	out_printf(&m.out, "%s%s", strcmp(s->list, "dynamic_events") ? "" : "s:", s->name);
	for (size_t i = 0; !r && i < s->q.n_items; i++)
		r = put_type(s, &s->q.items[i], &m.out, e);
	if (!r)
		return trigger_take(&m, s->define, e);
	mem_out_deinit(&m);
	return r;
}

/* The field of the event itself from which the value is taken. */
static const char *source_of(const struct hsql_field *f)
{
	static const char *const special[] = {
		[HSQL_NS] = "common_timestamp", [HSQL_US] = "common_timestamp.usecs",
		[HSQL_STACK] = "common_stacktrace",
	};

	return f->kind == HSQL_FIELD ? f->name : special[f->kind];
}

/* Variables that carry fields of the first event: "NAME_1x" is the first item's. */
static void put_carried(const struct sqlhist *s, struct out *o)
{
	bool first = true;

	for (size_t i = 0; i < s->q.n_items; i++) {
		const struct hsql_item *it = &s->q.items[i];
		const struct hsql_field *both[] = { &it->x, it->op ? &it->y : NULL };

		for (size_t k = 0; k < ARRAY_SIZE(both); k++) {
			if (!both[k] || both[k]->side != HSQL_FROM)
				continue;
			out_printf(o, "%c__%s_%zu%c=%s", first ? ':' : ',', s->name, i + 1, "xy"[k],
				   source_of(both[k]));
			first = false;
		}
	}
}

static void put_operand(const struct sqlhist *s, size_t item, char which, struct out *o)
{
	const struct hsql_item *it = &s->q.items[item];
	const struct hsql_field *f = which == 'x' ? &it->x : &it->y;

	if (f->side == HSQL_FROM)
		out_printf(o, "$__%s_%zu%c", s->name, item + 1, which);
	else
		out_str(o, source_of(f));
}

static void put_variables(const struct sqlhist *s, struct out *o)
{
	for (size_t i = 0; i < s->q.n_items; i++) {
		const struct hsql_item *it = &s->q.items[i];

		out_printf(o, "%c__%s_%zu=", i ? ',' : ':', s->name, i + 1);
		put_operand(s, i, 'x', o);
		if (it->op) {
			out_char(o, it->op);
			put_operand(s, i, 'y', o);
		}
	}
}

static void put_trace(const struct sqlhist *s, struct out *o)
{
	out_printf(o, ".%s(", s->name);
	for (size_t i = 0; i < s->q.n_items; i++)
		out_printf(o, "%s$__%s_%zu", i ? "," : "", s->name, i + 1);
	out_char(o, ')');
}

static void put_save(const struct sqlhist_want *w, struct out *o)
{
	out_str(o, ".save(");
	for (size_t i = 0; i < w->save.n; i++)
		out_printf(o, "%s%s", i ? "," : "", w->save.v[i]);
	out_char(o, ')');
}

static int put_handlers(const struct sqlhist *s, const struct sqlhist_want *w, struct out *o, struct err *e)
{
	unsigned actions = w->actions ? w->actions : SQLHIST_TRACE;
	char handler[200];
	size_t var = 0;

	if (w->when == SQLHIST_MATCH) {
		out_printf(o, ":onmatch(%s.%s)", s->from.system, s->from.event);
		put_trace(s, o);
		return 0;
	}
	while (var < s->q.n_items && strcmp(item_name(&s->q.items[var]), w->var))
		var++;
	if (var == s->q.n_items)
		return err_set(e, EINVAL, "'%s' is the name of nothing that is selected", w->var);
	snprintf(handler, sizeof(handler), ":%s($__%.64s_%zu)", w->when == SQLHIST_MAX ? "onmax" : "onchange", s->name,
		 var + 1);
	if (actions & SQLHIST_SAVE) {
		out_str(o, handler);
		put_save(w, o);
	}
	/* trace() before snapshot(), so that the snapshot contains the event. */
	if (actions & SQLHIST_TRACE) {
		out_str(o, handler);
		put_trace(s, o);
	}
	if (actions & SQLHIST_SNAPSHOT)
		out_printf(o, "%s.snapshot()", handler);
	return 0;
}

static void put_keys(const struct sqlhist *s, enum hsql_side side, struct out *o)
{
	out_str(o, "hist:keys=");
	for (size_t i = 0; i < s->q.n_matches; i++)
		out_printf(o, "%s%s", i ? "," : "",
			   source_of(side == HSQL_FROM ? &s->q.match[i].from : &s->q.match[i].to));
}

static void put_if(struct out *o, const char *filter)
{
	if (*filter) {
		out_str(o, " if ");
		out_str(o, filter);
	}
}

static int make_join(struct sqlhist *s, const struct sqlhist_want *w, struct err *e)
{
	struct mem_out m;
	int r = make_definition(s, e);

	if (r)
		return r;
	mem_out_init(&m);
	put_keys(s, HSQL_FROM, &m.out);
	put_carried(s, &m.out);
	put_if(&m.out, s->q.from_if);
	r = trigger_take(&m, s->start, e);
	if (r)
		return r;
	mem_out_init(&m);
	put_keys(s, HSQL_TO, &m.out);
	put_variables(s, &m.out);
	r = put_handlers(s, w, &m.out, e);
	put_if(&m.out, s->q.to_if);
	if (!r)
		return trigger_take(&m, s->end, e);
	mem_out_deinit(&m);
	return r;
}

static int make_hist(struct sqlhist *s, struct err *e)
{
	struct hsql_hist h;
	struct mem_out m;
	int r = hsql_hist(&s->q, &h, e);

	if (r)
		return r;
	if (!h.n_keys)
		return hsql_bad(&s->q, s->q.end, "one field at least is to be a key, and no counter", e);
	mem_out_init(&m);
	for (size_t i = 0; i < h.n_keys; i++)
		out_printf(&m.out, "%s%s", i ? "," : "hist:keys=", h.keys[i]);
	for (size_t i = 0; i < h.n_vals; i++)
		out_printf(&m.out, "%s%s", i ? "," : ":vals=", h.vals[i]);
	put_if(&m.out, s->q.from_if);
	return trigger_take(&m, s->start, e);
}

/* Check before anything is written: what this kernel supports, and names, to offer the nearest ones. */
static int check_triggers(const struct sqlhist *s, const struct tfs *t, struct err *e)
{
	struct trigger_env env = { .fmt = &s->from.fmt };
	char *readme = NULL;
	int r;

	if (tfs_has(t, "README") && tfs_read_all(t, "README", &readme, &env.readme.n, e))
		return -e->code;
	env.readme.s = readme;
	r = readme && !trigger_has_hist(env.readme)
		    ? err_set(e, EOPNOTSUPP, "this kernel was built without histograms (CONFIG_HIST_TRIGGERS)")
		    : trigger_check(&env, s->start, e);
	env.fmt = &s->to.fmt;
	if (!r && s->joined)
		r = trigger_check(&env, s->end, e);
	free(readme);
	return r;
}

/* --- the whole --- */

int sqlhist_init(struct sqlhist *s, const struct tfs *t, const struct sqlhist_want *w, struct err *e)
{
	int r;

	*s = (struct sqlhist){ .name = w->name ? w->name : "Anonymous" };
	r = hsql_parse(&s->q, w->sql, e);
	s->joined = *s->q.to;
	s->list = tfs_has(t, "synthetic_events") && !tfs_has(t, "dynamic_events") ? "synthetic_events"
										    : "dynamic_events";
	r = r ? r : evfile_init(&s->from, t, s->q.from, e);
	if (!r && !s->joined) {
		r = make_hist(s, e);
	} else if (!r) {
		r = evfile_init(&s->to, t, s->q.to, e);
		r = r ? r : check_join(s, e);
		r = r ? r : make_join(s, w, e);
	}
	return r ? r : check_triggers(s, t, e);
}

void sqlhist_deinit(struct sqlhist *s)
{
	evfile_deinit(&s->from);
	evfile_deinit(&s->to);
}

static void print_echo(const char *text, struct out *o)
{
	out_str(o, "echo '");
	out_str(o, text);
	out_char(o, '\'');
}

static void print_trigger(const struct evfile *f, const char *text, const char *how, const char *dir, struct out *o)
{
	print_echo(text, o);
	out_printf(o, " %s %s/%s/trigger\n", how, dir, f->dir);
}

void sqlhist_print(const struct sqlhist *s, const char *dir, const char *in, struct out *o)
{
	char path[2 * TFS_PATH];

	if (s->joined) {
		print_echo(s->define, o);
		out_printf(o, " >> %s/%s\n", dir, s->list);
		print_trigger(&s->from, s->start, ">>", dir, o);
		print_trigger(&s->to, s->end, ">>", dir, o);
		return;
	}
	snprintf(path, sizeof(path), "%s%s%s", dir, *in ? "/instances/" : "", in);
	print_trigger(&s->from, s->start, ">", path, o);
}

static int set(const struct evfile *f, const struct tfs *t, const char *text, struct err *e)
{
	char path[TFS_PATH];

	return tfs_append(t, evfile_path(f, "trigger", path), text, e);
}

static void take_back(const struct sqlhist *s, const struct tfs *t, bool started)
{
	char text[TRIGGER_MAX + 1];

	trigger_removal(s->start, text, sizeof(text));
	if (started)
		set(&s->from, t, text, NULL);
	snprintf(text, sizeof(text), "%s%s", strcmp(s->list, "dynamic_events") ? "!" : "-:", s->name);
	tfs_append(t, s->list, text, NULL);
}

int sqlhist_apply(const struct sqlhist *s, const struct tfs *t, struct err *e)
{
	bool started = false;
	int r;

	if (!s->joined)
		return set(&s->from, t, s->start, e);
	r = tfs_append(t, s->list, s->define, e);
	if (r)
		return r;
	r = set(&s->from, t, s->start, e);
	started = !r;
	if (!r)
		r = set(&s->to, t, s->end, e);
	if (r)
		take_back(s, t, started);
	return r;
}
