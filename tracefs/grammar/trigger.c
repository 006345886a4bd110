/* trigger.c - the grammar of event triggers. */
#include "tracefs/grammar/trigger.h"

enum { WINDOW = 90, SIZE_MIN = 1 << 7, SIZE_MAX_HIST = 1 << 17 };

struct parser {
	const struct trigger_env *env;
	const char *text;
	struct err *e;
};

/* --- errors --- */

int trigger_spot(struct err *e, int code, const char *what, const char *text, size_t off)
{
	size_t from = off > WINDOW * 2 / 3 ? off - WINDOW * 2 / 3 : 0;

	return err_set(e, code, "%s\n  %.*s\n  %*s^", what, WINDOW, text + from, (int)(off - from), "");
}

static int spot(const struct parser *p, struct sv at, const char *what)
{
	return trigger_spot(p->e, EINVAL, what, p->text, (size_t)(at.s - p->text));
}

static int unknown(const struct parser *p, struct sv at, const char *what, const struct nearest *near)
{
	char text[160], message[256];

	snprintf(message, sizeof(message), "%s '%.*s'%s", what, (int)MIN(at.n, 60u), at.s,
		 nearest_text(near, text, sizeof(text)));
	return spot(p, at, message);
}

/* --- names --- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t name_length(struct sv s)
{
	size_t n = 0;

	while (n < s.n && (is_letter(s.s[n]) || (n && is_digit(s.s[n]))))
		n++;
	return n;
}

/* Fields that every event has, although no format lists them. */
static const char *const specials[] = {
	"common_timestamp",  "common_cpu",  "cpu",  "hitcount", "stacktrace",
	"common_stacktrace", "common_comm", "comm", "COMM",     "CPU",
};

static int field(const struct parser *p, struct sv name)
{
	const struct tfmt *f = p->env->fmt;
	struct nearest near;

	if (!f)
		return 0;
	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(specials); i++)
		if (sv_eq(name, specials[i]))
			return 0;
	for (uint32_t i = 0; i < f->n_fields; i++) {
		if (sv_eq(name, f->fields[i].name))
			return 0;
		nearest_feed(&near, f->fields[i].name);
	}
	return unknown(p, name, "the event has no field", &near);
}

static int modifier(const struct parser *p, struct sv mod, const char *const *list, size_t n)
{
	struct nearest near;
	char text[80];
	const char *eq = memchr(mod.s, '=', mod.n);
	struct sv name = eq ? (struct sv){ mod.s, (size_t)(eq - mod.s) } : mod;

	nearest_init(&near, name);
	for (size_t i = 0; i < n; i++) {
		if (sv_eq(name, list[i])) {
			snprintf(text, sizeof(text), ".%s", list[i]);
			if (!p->env->readme.n || memmem(p->env->readme.s, p->env->readme.n, text, strlen(text)) ||
			    !strcmp(text, ".stacktrace"))
				return 0;
			snprintf(text, sizeof(text), "this kernel has no .%s", list[i]);
			return trigger_spot(p->e, EOPNOTSUPP, text, p->text, (size_t)(mod.s - p->text));
		}
		nearest_feed(&near, list[i]);
	}
	return unknown(p, mod, "no modifier", &near);
}

/* --- parts of a histogram --- */

static const char *const modifiers[] = {
	"hex", "sym", "sym-offset", "execname", "syscall", "log2", "buckets", "usecs", "percent", "graph", "stacktrace",
};
static const char *const directions[] = { "ascending", "descending" };

/* Check the names in an expression: all but $variables and modifiers are fields. */
static int expression(const struct parser *p, struct sv s)
{
	int r = 0;

	for (size_t i = 0; !r && i < s.n;) {
		size_t n = name_length((struct sv){ s.s + i, s.n - i });

		if (n && !(i && (s.s[i - 1] == '$' || s.s[i - 1] == '.' || is_digit(s.s[i - 1]))))
			r = field(p, (struct sv){ s.s + i, n });
		i += n ? n : 1;
	}
	return r;
}

enum list { KEYS, VALS, SORT };

static int list_item(const struct parser *p, struct sv one, enum list what)
{
	size_t n = name_length(one);
	struct sv name = { one.s, n }, mod = { one.s + n + 1, one.n - n - 1 };
	int r;

	if (!one.n)
		return spot(p, one, "a field is missing");
	if (one.s[0] == '$' && what == KEYS)
		return spot(p, one, "a variable cannot be a key");
	if (!n || (n < one.n && one.s[n] != '.'))
		return n || strchr("$-(", one.s[0]) ? expression(p, one) : spot(p, one, "that is no field");
	/* Sort keys may also be variables. */
	r = what == SORT ? 0 : field(p, name);
	if (r || n == one.n)
		return r;
	return what == SORT ? modifier(p, mod, directions, ARRAY_SIZE(directions)) :
			      modifier(p, mod, modifiers, ARRAY_SIZE(modifiers));
}

static int list(const struct parser *p, struct sv s, enum list what)
{
	static const unsigned most[] = { 3, 3, 2 };
	struct sv one, rest = s;
	unsigned n = 0;
	int r = 0;

	while (!r && sv_cut(&rest, ',', &one)) {
		if (what != VALS && n++ == most[what])
			return spot(p, one, what == KEYS ? "more than 3 keys" : "more than 2 columns to sort by");
		r = list_item(p, one, what);
	}
	return r;
}

static int size(const struct parser *p, struct sv s)
{
	uint64_t v;

	return str_u64(s, 10, &v) && v >= SIZE_MIN && v <= SIZE_MAX_HIST
		       ? 0
		       : spot(p, s, "the size is from 128 to 131072 entries");
}

/* "a=x,b=$c-common_timestamp" */
static int variables(const struct parser *p, struct sv s)
{
	struct sv one;
	int r = 0;

	while (!r && sv_cut(&s, ',', &one)) {
		size_t n = name_length(one);

		if (n && n < one.n && one.s[n] == '=')
			r = expression(p, (struct sv){ one.s + n + 1, one.n - n - 1 });
		else
			r = spot(p, one, "that cannot be a variable's name");
	}
	return r;
}

/* One part: "keys=a,b", "pause", "onmatch(..).trace(..)", "x=common_timestamp-$y". */
static int part(const struct parser *p, struct sv s, bool *keys)
{
	static const char *const words[] = { "pause", "continue", "cont", "clear", "nohitcount", "NOHC" };
	static const char *const handlers[] = { "onmatch(", "onmax(", "onchange(" };
	const char *eq = memchr(s.s, '=', s.n);
	struct sv name = {s.s, eq ? (size_t)(eq - s.s) : s.n}, value = {s.s + name.n + 1, eq ? s.n - name.n - 1 : 0};
	struct nearest near;

	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
		if (sv_starts(s, handlers[i]))
			return 0;
	nearest_init(&near, name);
	for (size_t i = 0; !eq && i < ARRAY_SIZE(words); i++) {
		if (sv_eq(name, words[i]))
			return 0;
		nearest_feed(&near, words[i]);
	}
	if (!eq)
		return unknown(p, s, "no part of a histogram:", &near);
	if (sv_eq(name, "keys") || sv_eq(name, "key")) {
		*keys = true;
		return list(p, value, KEYS);
	}
	if (sv_eq(name, "vals") || sv_eq(name, "val") || sv_eq(name, "values"))
		return list(p, value, VALS);
	if (sv_eq(name, "sort"))
		return list(p, value, SORT);
	if (sv_eq(name, "size"))
		return size(p, value);
	if (sv_eq(name, "name") || sv_eq(name, "clock"))
		return value.n ? 0 : spot(p, s, "a name is missing");
	return variables(p, s);
}

static int hist(const struct parser *p, struct sv s)
{
	bool keys = false;
	size_t from = 0, depth = 0;
	int r = 0;

	/* A ':' inside of parentheses does not separate parts. */
	for (size_t i = 0; !r && i <= s.n; i++) {
		if (i < s.n && s.s[i] == '(')
			depth++;
		else if (i < s.n && s.s[i] == ')' && depth)
			depth--;
		if (i < s.n && (s.s[i] != ':' || depth))
			continue;
		r = i == from ? spot(p, (struct sv){ s.s + i, 0 }, "a part is missing") :
				part(p, (struct sv){ s.s + from, i - from }, &keys);
		from = i + 1;
	}
	return r || keys ? r : spot(p, s, "a histogram needs keys=");
}

/* --- filters --- */

static int filter(const struct parser *p, struct sv s)
{
	char quote = 0;
	int r = 0;

	for (size_t i = 0; !r && i < s.n;) {
		struct sv rest = { s.s + i, s.n - i };
		size_t n = quote ? 0 : name_length(rest), k = n;

		if (!n) {
			if (quote ? s.s[i] == quote : s.s[i] == '"' || s.s[i] == '\'')
				quote = quote ? 0 : s.s[i];
			/* The letters of 0x1f, and what follows a dot, are not names. */
			bool tail = !quote && (is_digit(s.s[i]) || s.s[i] == '.');

			for (i++; tail && i < s.n && (is_letter(s.s[i]) || is_digit(s.s[i])); i++)
				;
			continue;
		}
		while (k < rest.n && (rest.s[k] == ' ' || rest.s[k] == '\t'))
			k++;
		/* Only a name with an operator behind it is a field: others are values. */
		if (k < rest.n && (strchr("=!<>~&.", rest.s[k])) &&
		    !(rest.s[k] == '&' && k + 1 < rest.n && rest.s[k + 1] == '&'))
			r = field(p, (struct sv){ rest.s, n });
		i += n;
	}
	return r;
}

int trigger_check_filter(const struct trigger_env *env, const char *text, struct err *e)
{
	return filter(&(struct parser){ env, text, e }, sv_from(text));
}

/* --- the whole trigger --- */

enum kind { PLAIN, OTHER_EVENT, HIST };

static const struct {
	const char *name;
	enum kind kind;
} commands[] = {
	{ "traceon", PLAIN }, { "traceoff", PLAIN }, { "snapshot", PLAIN }, { "stacktrace", PLAIN },
	{ "enable_event", OTHER_EVENT }, { "disable_event", OTHER_EVENT }, { "enable_hist", OTHER_EVENT },
	{ "disable_hist", OTHER_EVENT }, { "hist", HIST },
};

/* Split off the command and its arguments; *when: the filter, empty without one. */
static size_t split(const char *text, struct sv *name, struct sv *args, struct sv *when)
{
	const char *cond = strstr(text, " if ");
	struct sv all = { text, cond ? (size_t)(cond - text) : strlen(text) };
	size_t n;

	*when = cond ? sv_from(cond + 4) : (struct sv){ text + all.n, 0 };
	all = sv_trim(all);
	n = name_length(all);
	*name = (struct sv){ all.s, n };
	*args = n < all.n ? (struct sv){ all.s + n + 1, all.n - n - 1 } : (struct sv){ all.s + n, 0 };
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (sv_eq(*name, commands[i].name) && (n == all.n || all.s[n] == ':'))
			return i;
	return ARRAY_SIZE(commands);
}

static int other_event(const struct parser *p, struct sv s)
{
	struct sv system, event = { s.s + s.n, 0 }, n = { 0 };
	uint64_t v;

	sv_cut(&s, ':', &system);
	if (!system.n || !sv_cut(&s, ':', &event) || !event.n)
		return spot(p, event, "SYSTEM:EVENT is missing");
	return !sv_cut(&s, ':', &n) || str_u64(n, 10, &v) ? 0 : spot(p, n, "that is no count");
}

bool trigger_other(const char *text, struct sv *system, struct sv *event)
{
	struct sv name, args, when;
	size_t i = split(text, &name, &args, &when);

	return i < ARRAY_SIZE(commands) && commands[i].kind == OTHER_EVENT && sv_cut(&args, ':', system) && system->n &&
	       sv_cut(&args, ':', event) && event->n;
}

int trigger_check(const struct trigger_env *env, const char *text, struct err *e)
{
	struct parser p = { env, text, e };
	struct sv name, args, when;
	size_t i = split(text, &name, &args, &when);
	struct nearest near;
	uint64_t v;
	int r;

	if (i == ARRAY_SIZE(commands)) {
		nearest_init(&near, name);
		for (i = 0; i < ARRAY_SIZE(commands); i++)
			nearest_feed(&near, commands[i].name);
		return unknown(&p, name, "no trigger", &near);
	}
	if (commands[i].kind == HIST)
		r = hist(&p, args);
	else if (commands[i].kind == OTHER_EVENT)
		r = other_event(&p, args);
	else
		r = !args.n || str_u64(args, 10, &v) ? 0 : spot(&p, args, "that is no count");
	return r ? r : filter(&p, when);
}

int trigger_removal(const char *text, char *buf, size_t size)
{
	struct sv name, args, when, part;
	size_t i = split(text, &name, &args, &when);

	if (i == ARRAY_SIZE(commands) || commands[i].kind == HIST)
		return snprintf(buf, size, "!%s", text);
	if (commands[i].kind == PLAIN)
		return snprintf(buf, size, "!%s", commands[i].name);
	for (int n = 0; n < 2; n++)
		sv_cut(&args, ':', &part);
	return snprintf(buf, size, "!%.*s", (int)(part.s + part.n - name.s), name.s);
}

bool trigger_has_hist(struct sv readme)
{
	return readme.n && memmem(readme.s, readme.n, "hist:keys=", 10);
}

int trigger_take(struct mem_out *m, char buf[TRIGGER_MAX], struct err *e)
{
	const char *text = mem_out_str(m);
	bool fits = strlen(text) < TRIGGER_MAX;

	str_copy(buf, TRIGGER_MAX, sv_from(text));
	mem_out_deinit(m);
	return fits ? 0 : err_set(e, ENAMETOOLONG, "'%.60s...' is too long for the kernel", buf);
}

bool trigger_put_field(struct out *o, const struct tfield *f, const char *name)
{
	if (f->is_string && f->kind == TFIELD_ARRAY)
		out_printf(o, "char %s[%u]", name, f->size);
	else if (f->is_string && f->kind == TFIELD_DATA_LOC)
		out_printf(o, "char %s[]", name);
	else if (f->kind == TFIELD_SCALAR || f->kind == TFIELD_POINTER)
		out_printf(o, "%c%u %s", f->is_signed ? 's' : 'u', f->size * 8, name);
	else
		return false;
	return true;
}
