/* dynevent.c - the grammar of events made at run time. */
#include "tracefs/grammar/dynevent.h"

#include "tracefs/grammar/trigger.h"

/* --- scanning --- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct sv word(const char **p)
{
	struct sv w;

	while (is_space(**p))
		++*p;
	w = (struct sv){ *p, strcspn(*p, " \t\n") };
	*p += w.n;
	return w;
}

static struct sv rest_of_line(const char *p)
{
	return sv_trim((struct sv){ p, strcspn(p, "\n") });
}

static bool ends_with(struct sv *s, const char *tail)
{
	size_t n = strlen(tail);

	if (s->n < n || memcmp(s->s + s->n - n, tail, n))
		return false;
	s->n -= n;
	return true;
}

static bool is_identifier(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.s[i];

		if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (i && is_digit(c))))
			return false;
	}
	return s.n && s.n <= DYNEVENT_NAME_MAX;
}

static int bad(const char *text, struct sv at, const char *what, struct err *e)
{
	return trigger_spot(e, EINVAL, what, text, (size_t)(at.s - text));
}

/* --- places --- */

/* "[GROUP/]EVENT", each may be missing; a '.' separates them as well. */
static int names(struct dynevent *d, const char *text, struct sv w, struct err *e)
{
	size_t n = 0;

	while (n < w.n && w.s[n] != '/' && w.s[n] != '.')
		n++;
	if (n < w.n) {
		d->group = (struct sv){ w.s, n };
		d->event = (struct sv){ w.s + n + 1, w.n - n - 1 };
	} else {
		d->event = w;
	}
	if ((d->group.n && !is_identifier(d->group)) || (d->event.n && !is_identifier(d->event)))
		return bad(text, w, "group and event are names of letters, digits and _, of 63 at most", e);
	return 0;
}

/* PATH:OFFSET[%return][(REFCOUNT)], split at the last colon. */
static int file_place(struct dynevent *d, const char *text, struct sv w, struct err *e)
{
	const char *open, *colon;

	if (w.s[w.n - 1] == ')') {
		open = memrchr(w.s, '(', w.n);
		if (!open || !str_u64((struct sv){ open + 1, w.n - (size_t)(open - w.s) - 2 }, 0, &d->refcount))
			return bad(text, w, "the reference counter is (OFFSET)", e);
		w.n = (size_t)(open - w.s);
	}
	d->is_return |= ends_with(&w, "%return");
	colon = w.n ? memrchr(w.s, ':', w.n) : NULL;
	d->target = (struct sv){ w.s, colon ? (size_t)(colon - w.s) : 0 };
	if (!d->target.n || !str_u64((struct sv){ colon + 1, w.n - d->target.n - 1 }, 0, &d->offset))
		return bad(text, w, "a place in a file is PATH:OFFSET", e);
	return 0;
}

/* [MODULE:]SYMBOL[+OFFSET][%return] or an address. */
static int symbol_place(struct dynevent *d, const char *text, struct sv w, struct err *e)
{
	const char *colon, *plus;

	d->is_return |= ends_with(&w, "%return");
	colon = w.n ? memchr(w.s, ':', w.n) : NULL;
	if (colon) {
		d->module = (struct sv){ w.s, (size_t)(colon - w.s) };
		w = (struct sv){ colon + 1, w.n - d->module.n - 1 };
	}
	plus = w.n ? memchr(w.s, '+', w.n) : NULL;
	d->target = (struct sv){ w.s, plus ? (size_t)(plus - w.s) : w.n };
	if (!d->target.n || (colon && !d->module.n) || memchr(w.s, ':', w.n) || memchr(w.s, '%', w.n) ||
	    (plus && !str_u64((struct sv){ plus + 1, w.n - d->target.n - 1 }, 0, &d->offset)))
		return bad(text, w, "a place in the kernel is [MODULE:]SYMBOL[+OFFSET]", e);
	return 0;
}

static int place(struct dynevent *d, const char *text, struct sv w, struct err *e)
{
	if (!w.n)
		return bad(text, w, "the place is missing", e);
	if (d->kind == DYNEVENT_KPROBE && memchr(w.s, '/', w.n) && memchr(w.s, ':', w.n))
		d->kind = DYNEVENT_UPROBE;
	if (d->kind == DYNEVENT_UPROBE)
		return file_place(d, text, w, e);
	if (d->kind == DYNEVENT_KPROBE || d->kind == DYNEVENT_FPROBE)
		return symbol_place(d, text, w, e);
	d->target = w;
	if (d->kind == DYNEVENT_EPROBE && !(memchr(w.s, '.', w.n) || memchr(w.s, '/', w.n) || memchr(w.s, ':', w.n)))
		return bad(text, w, "an event probe is on an event, GROUP.EVENT", e);
	return 0;
}

/* --- the whole line --- */

static const char letters[] = "p-ftes";   /* by enum dynevent_kind; '-' only fills DYNEVENT_UPROBE's place */

static int synthetic(struct dynevent *d, const char *text, const char *p, struct err *e)
{
	int r;

	d->kind = DYNEVENT_SYNTHETIC;
	if (text[0] == '!') {
		d->kind = DYNEVENT_DELETE;
		d->group = SV("synthetic");
		p++;
	}
	r = names(d, text, word(&p), e);
	if (r)
		return r;
	if (!d->event.n)
		return bad(text, (struct sv){ text, 0 }, "the event's name is missing", e);
	d->args = rest_of_line(p);
	return 0;
}

/* A filter begins at the last " if ". */
static void split_filter(struct dynevent *d)
{
	for (size_t i = 0; i + 3 <= d->args.n; i++)
		if (!memcmp(d->args.s + i, "if ", 3) && (!i || is_space(d->args.s[i - 1]))) {
			d->filter = sv_trim((struct sv){ d->args.s + i + 3, d->args.n - i - 3 });
			d->args = sv_trim((struct sv){ d->args.s, i });
			return;
		}
}

int dynevent_parse(struct dynevent *d, const char *text, struct err *e)
{
	const char *p = text + 1, *kind = text[0] ? strchr(letters, text[0]) : NULL;
	size_t digits;
	uint64_t n = 0;
	int r;

	*d = (struct dynevent){ .is_return = text[0] == 'r' };
	digits = *text ? strspn(p, "0123456789") : 0;
	if (!(kind || d->is_return) || !(p[digits] == ':' || (is_space(p[digits]) && strchr("prft", text[0]))))
		return synthetic(d, text, text, e);
	if (digits && (!str_u64((struct sv){ p, digits }, 10, &n) || n > 4096))
		return bad(text, (struct sv){ p, digits }, "at most 4096 at a time", e);
	d->max_active = (unsigned)n;
	p += digits;
	if (*p == ':') {
		p++;
		r = is_space(*p) ? 0 : names(d, text, word(&p), e);
		if (r)
			return r;
	}
	if (text[0] == '-') {
		d->kind = DYNEVENT_DELETE;
		return d->event.n || d->group.n ? 0 : bad(text, (struct sv){ p, 0 }, "what is to be removed?", e);
	}
	if (text[0] == 's')
		d->kind = DYNEVENT_SYNTHETIC;
	else
		d->kind = d->is_return ? DYNEVENT_KPROBE : (enum dynevent_kind)(kind - letters);
	r = d->kind == DYNEVENT_SYNTHETIC ? 0 : place(d, text, word(&p), e);
	d->args = rest_of_line(p);
	if (!r && d->kind == DYNEVENT_EPROBE)
		split_filter(d);
	return r;
}

bool dynevent_next(enum dynevent_kind kind, struct sv *args, struct dynevent_arg *a)
{
	bool synthetic = kind == DYNEVENT_SYNTHETIC;
	struct sv one = { 0 };
	const char *at;

	*a = (struct dynevent_arg){ SV(""), SV(""), SV("") };
	while (sv_cut(args, synthetic ? ';' : ' ', &one) && !(one = sv_trim(one)).n)
		;
	if (!one.n)
		return false;
	if (synthetic) {
		at = memrchr(one.s, ' ', one.n);
		a->name = at ? (struct sv){ at + 1, one.n - (size_t)(at + 1 - one.s) } : one;
		a->type = at ? sv_trim((struct sv){ one.s, (size_t)(at - one.s) }) : SV("");
		return true;
	}
	at = memchr(one.s, '=', one.n);
	if (at && is_identifier((struct sv){ one.s, (size_t)(at - one.s) })) {
		a->name = (struct sv){ one.s, (size_t)(at - one.s) };
		one = (struct sv){ at + 1, one.n - a->name.n - 1 };
	}
	/* A colon inside of a quoted text does not start a type: behind that colon a quote or parenthesis follows. */
	at = one.n ? memrchr(one.s, ':', one.n) : NULL;
	if (at && !memchr(at, '"', one.n - (size_t)(at - one.s)) && !memchr(at, ')', one.n - (size_t)(at - one.s))) {
		a->type = (struct sv){ at + 1, one.n - (size_t)(at + 1 - one.s) };
		one.n = (size_t)(at - one.s);
	}
	a->fetch = one;
	return true;
}

/* Names that every event has beside its fields: trace_find_event_field of Linux kernel/trace/trace_events.c. */
static bool is_generic(struct sv name)
{
	return sv_eq(name, "comm") || sv_eq(name, "COMM") || sv_eq(name, "cpu") || sv_eq(name, "CPU") ||
	       sv_eq(name, "stacktrace") || sv_eq(name, "STACKTRACE");
}

static bool has_field(const struct tfmt *fmt, struct sv name)
{
	for (uint32_t i = 0; i < fmt->n_fields; i++)
		if (sv_eq(name, fmt->fields[i].name))
			return true;
	return is_generic(name);
}

static int no_field(struct sv name, const char *text, const struct tfmt *fmt, struct err *e)
{
	char near_text[160], what[256];
	struct nearest near;

	nearest_init(&near, name);
	for (uint32_t i = 0; i < fmt->n_fields; i++)
		nearest_feed(&near, fmt->fields[i].name);
	snprintf(what, sizeof(what), "the event has no field '%.*s'%s", (int)MIN(name.n, 60u), name.s,
		 nearest_text(&near, near_text, sizeof(near_text)));
	return bad(text, name, what, e);
}

int dynevent_check_fields(const struct dynevent *d, const char *text, const struct tfmt *fmt, struct err *e)
{
	struct sv rest = d->args;
	struct dynevent_arg a;
	char filter[TRIGGER_MAX];

	while (dynevent_next(d->kind, &rest, &a)) {
		const char *at = a.fetch.n && a.fetch.s[0] != '\\' ? memchr(a.fetch.s, '$', a.fetch.n) : NULL;
		struct sv name = { at ? at + 1 : NULL, 0 };

		while (at && name.s + name.n < a.fetch.s + a.fetch.n &&
		       (is_identifier((struct sv){ name.s, name.n + 1 })))
			name.n++;
		if (name.n && !has_field(fmt, name))
			return no_field(name, text, fmt, e);
	}
	if (!d->filter.n)
		return 0;
	str_copy(filter, sizeof(filter), d->filter);
	return trigger_check_filter(&(struct trigger_env){ .fmt = fmt }, filter, e);
}

const char *dynevent_file(const struct dynevent *d)
{
	static const char *const files[] = {
		"kprobe_events",  "uprobe_events",    "dynamic_events", "dynamic_events",
		"dynamic_events", "synthetic_events", "dynamic_events",
	};

	return files[d->kind];
}

static void put_names(const struct dynevent *d, struct out *o)
{
	if (!d->event.n)
		return;
	out_char(o, ':');
	if (d->group.n) {
		out_sv(o, d->group);
		out_char(o, '/');
	}
	out_sv(o, d->event);
}

/* "sched/sched_switch", "sched:sched_switch": the first kernels with eprobes accept only a dot between them. */
static void put_attached(struct sv target, struct out *o)
{
	for (size_t i = 0; i < target.n; i++)
		out_char(o, strchr("/:", target.s[i]) ? '.' : target.s[i]);
}

static void put_place(const struct dynevent *d, struct out *o)
{
	if (d->kind == DYNEVENT_EPROBE) {
		put_attached(d->target, o);
		return;
	}
	if (d->module.n) {
		out_sv(o, d->module);
		out_char(o, ':');
	}
	out_sv(o, d->target);
	if (d->kind == DYNEVENT_UPROBE)
		out_printf(o, ":0x%llx", (unsigned long long)d->offset);
	else if (d->offset)
		out_printf(o, "+%llu", (unsigned long long)d->offset);
	/* The letter 'r' marks the other kinds as returns. */
	if (d->is_return && d->kind == DYNEVENT_FPROBE)
		out_str(o, "%return");
	if (d->refcount)
		out_printf(o, "(0x%llx)", (unsigned long long)d->refcount);
}

void dynevent_put(const struct dynevent *d, struct out *o)
{
	bool probe = d->kind == DYNEVENT_KPROBE || d->kind == DYNEVENT_UPROBE;

	if (d->kind == DYNEVENT_DELETE) {
		dynevent_put_removal(d, o);
		return;
	}
	if (d->kind == DYNEVENT_SYNTHETIC) {
		out_sv(o, d->event);
	} else {
		out_char(o, probe ? (d->is_return ? 'r' : 'p') : letters[d->kind]);
		if (d->max_active)
			out_u64(o, d->max_active);
		put_names(d, o);
		out_char(o, ' ');
		put_place(d, o);
	}
	if (d->args.n) {
		out_char(o, ' ');
		out_sv(o, d->args);
	}
	if (d->filter.n) {
		out_str(o, " if ");
		out_sv(o, d->filter);
	}
}

void dynevent_put_removal(const struct dynevent *d, struct out *o)
{
	if (d->kind == DYNEVENT_SYNTHETIC) {
		out_char(o, '!');
		out_sv(o, d->event);
	} else {
		out_char(o, '-');
		put_names(d, o);
	}
}

/* The kernel compares texts: a file offset is written with all digits of an address (trace_uprobe_match). */
void dynevent_put_place_removal(const struct dynevent *d, struct out *o)
{
	dynevent_put_removal(d, o);
	out_char(o, ' ');
	if (d->kind != DYNEVENT_UPROBE) {
		put_place(d, o);
		return;
	}
	out_sv(o, d->target);
	out_printf(o, ":0x%016llx", (unsigned long long)d->offset);
	if (d->refcount)
		out_printf(o, "(0x%llx)", (unsigned long long)d->refcount);
}

/* --- what a kernel supports, and its default names --- */

bool dynevent_is_line(const char *text)
{
	const char *p = text + 1;
	size_t digits, names;

	if (!*text || !strchr("prftes", *text))
		return false;
	digits = strspn(p, "0123456789");
	p += digits;
	if (*p == ':')
		p++;
	else if (!digits || !is_space(*p))
		return false;
	names = strcspn(p, " \t=,;");
	if ((names && is_digit(*p)) || !is_space(p[names]))
		return false;
	p += names;
	return p[strspn(p, " \t\n")];
}

const char *dynevent_missing(const struct dynevent *d, const char *readme)
{
	static const struct {
		enum dynevent_kind kind;
		const char *known_by, *words;
	} kinds[] = {
		{ DYNEVENT_KPROBE, "kprobe_events", "kprobe events (p:, r:)" },
		{ DYNEVENT_UPROBE, "uprobe_events", "uprobe events (p: PATH:OFFSET)" },
		{ DYNEVENT_FPROBE, " f[", "fprobe events (f:)" },
		{ DYNEVENT_TPROBE, " t[", "tracepoint probes (t:)" },
		{ DYNEVENT_EPROBE, " e[", "event probes (e:)" },
		{ DYNEVENT_SYNTHETIC, " s:[synthetic/]", "synthetic events (s:)" },
	};

	if (!*readme)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == d->kind && !strstr(readme, kinds[i].known_by))
			return kinds[i].words;
	if (d->max_active && d->kind == DYNEVENT_KPROBE && !strstr(readme, "r[maxactive]"))
		return "a number of returns at a time (rMAX:)";
	if (d->refcount && !strstr(readme, "(ref_ctr_offset)"))
		return "a reference counter of a uprobe (PATH:OFFSET(COUNTER))";
	return d->filter.n && !strstr(readme, "[if <filter>]") ? "a filter of an event probe (if ...)" : NULL;
}

/* Characters that a name cannot have become '_'. */
static void PRINTF(3, 4) put_event(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	for (char *p = buf; *p; p++)
		if (!is_identifier((struct sv){ p, 1 }) && !is_digit(*p))
			*p = '_';
}

static struct sv after_last(struct sv s, const char *any)
{
	size_t at = s.n;

	while (at && !strchr(any, s.s[at - 1]))
		at--;
	return (struct sv){ s.s + at, s.n - at };
}

static void name_event(const struct dynevent *d, char *buf, size_t size)
{
	struct sv on = d->kind == DYNEVENT_UPROBE ? after_last(d->target, "/") : after_last(d->target, "/.:");
	int n = (int)MIN(on.n, 40u);

	switch (d->kind) {
	case DYNEVENT_KPROBE:
		put_event(buf, size, "%c_%.*s_%llu", d->is_return ? 'r' : 'p', n, on.s, (unsigned long long)d->offset);
		break;
	case DYNEVENT_UPROBE:
		put_event(buf, size, "%c_%.*s_0x%llx", d->is_return ? 'r' : 'p', n, on.s,
			  (unsigned long long)d->offset);
		break;
	case DYNEVENT_FPROBE:
		put_event(buf, size, "%.*s__%s", n, on.s, d->is_return ? "exit" : "entry");
		break;
	default:
		put_event(buf, size, "%s%.*s", on.n && is_digit(on.s[0]) ? "_" : "", n, on.s);
	}
}

void dynevent_name(struct dynevent *d, struct dynevent_names *buf)
{
	static const char *const groups[] = {
		"kprobes", "uprobes", "fprobes", "tracepoints", "eprobes", "synthetic", "",
	};

	if (!d->group.n) {
		str_copy(buf->group, sizeof(buf->group), sv_from(groups[d->kind]));
		d->group = sv_from(buf->group);
	}
	if (!d->event.n) {
		name_event(d, buf->event, sizeof(buf->event));
		d->event = sv_from(buf->event);
	}
}
