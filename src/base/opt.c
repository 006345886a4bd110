/* opt.c - find the option, take its value, store it. */
#include "base/opt.h"

struct found {
	const struct opt *opt;
	char *want;        /* base of the struct the option's offset counts from */
	bool negated;      /* --no-X */
	const struct opt *watch;   /* WATCH entry of the option's table, or NULL */
};

static bool is_option(const struct opt *o)
{
	return o->kind != OPT_KIND_HEAD && o->kind != OPT_KIND_SUB && o->kind != OPT_KIND_WATCH;
}

bool opt_takes_value(const struct opt *o)
{
	switch (o->kind) {
	case OPT_KIND_U64:
	case OPT_KIND_SIZE:
	case OPT_KIND_STR:
	case OPT_KIND_LIST:
		return true;
	case OPT_KIND_CALL:
	case OPT_KIND_REFUSED:
		return !(o->flags & OPT_NO_VALUE);
	default:
		return false;
	}
}

static bool is_called(const struct opt *o)
{
	return o->kind == OPT_KIND_CALL || o->kind == OPT_KIND_REFUSED;
}

struct sv opt_arg(const struct opt *o)
{
	struct sv rest, arg = { 0 };

	packed_need();
	rest = sv_from(o->help);
	if (is_called(o))
		sv_cut(&rest, '\t', &arg);
	else if (opt_takes_value(o))
		arg = sv_from(o->arg);
	return arg;
}

const char *opt_about(const struct opt *o)
{
	const char *text;

	packed_need();
	text = is_called(o) ? strchr(o->help, '\t') + 1 : o->help;
	return text ? text : "";
}

static const struct opt *watch_of(const struct opt *table)
{
	return table->kind == OPT_KIND_WATCH ? table : NULL;
}

static bool find_short(const struct opt *opts, char *want, char letter, struct found *f)
{
	const struct opt *watch = watch_of(opts);

	for (; opts->kind != OPT_KIND_END; opts++) {
		if (opts->kind == OPT_KIND_SUB && find_short(opts->sub, want + opts->off, letter, f))
			return true;
		if (is_option(opts) && opts->letter == letter) {
			*f = (struct found){ .opt = opts, .want = want, .watch = watch };
			return true;
		}
	}
	return false;
}

/* Compare a typed name with an option's. 2: the same; 1: the typed name is a prefix; 0: no match. */
static int match_long(const struct opt *o, struct sv name, bool *negated)
{
	const char *full = o->name;

	*negated = false;
	if (!full)
		return 0;
	if (sv_starts(sv_from(full), "no-") && !sv_starts(name, "no-")) {
		/* "--children" is the negation of an option named "no-children". */
		*negated = true;
		full += 3;
	} else if (!sv_starts(sv_from(full), "no-") && name.n > 3 && sv_starts(name, "no-")) {
		*negated = true;
		name.s += 3;
		name.n -= 3;
	}
	if (sv_eq(name, full))
		return 2;
	return name.n < strlen(full) && !memcmp(full, name.s, name.n);
}

/* 2: exact match; 1: prefix of one option's name; -1: of several; 0: of none. */
static int find_long(const struct opt *opts, char *want, struct sv name, struct found *f)
{
	const struct opt *watch = watch_of(opts);
	int best = 0;

	for (; opts->kind != OPT_KIND_END && best < 2; opts++) {
		bool negated = false;
		struct found sub = { .opt = opts, .want = want, .watch = watch };
		int m = 0;

		if (opts->kind == OPT_KIND_SUB) {
			m = find_long(opts->sub, want + opts->off, name, &sub);
		} else if (is_option(opts)) {
			m = match_long(opts, name, &negated);
			sub.negated = negated;
		}
		if (m == 2 || (m == 1 && !best)) {
			best = m;
			*f = sub;
		} else if (m && best != 2) {
			best = -1;
		}
	}
	return best;
}

static void feed_names(const struct opt *opts, struct nearest *n)
{
	for (; opts->kind != OPT_KIND_END; opts++) {
		if (opts->kind == OPT_KIND_SUB)
			feed_names(opts->sub, n);
		else if (is_option(opts) && opts->name && !(opts->flags & OPT_HIDDEN))
			nearest_feed(n, opts->name);
	}
}

static int store_list(struct opt_list *l, const char *value, struct err *e)
{
	if (!value) {
		l->n = 0;
		return 0;
	}
	if (l->n == OPT_LIST_MAX)
		return err_set(e, EINVAL, "more than %d of them", OPT_LIST_MAX);
	l->v[l->n++] = value;
	return 0;
}

static int refuse(const struct found *f, const char *value, struct err *e)
{
	const struct opt *o = f->opt;

	struct sv but = opt_arg(o);

	if (f->negated || (value && but.n && sv_eq(but, value)))
		return 0;
	err_set(e, EINVAL, "%s", opt_about(o));
	return err_hint(e, "%s", o->instead);
}

static int store(const struct found *f, const char *value, struct err *e)
{
	void *field = f->want + f->opt->off;
	int r = f->watch ? f->watch->watch(f->want, f->opt, f->negated, value, e) : 0;

	if (r)
		return r < 0 ? r : 0;
	switch (f->opt->kind) {
	case OPT_KIND_FLAG:
		*(bool *)field = !f->negated;
		return 0;
	case OPT_KIND_CLEAR:
		*(bool *)field = f->negated;
		return 0;
	case OPT_KIND_COUNT:
		*(unsigned *)field = f->negated ? 0 : *(unsigned *)field + 1;
		return 0;
	case OPT_KIND_U64:
		return str_u64(sv_from(value), 0, field) ? 0 : err_set(e, EINVAL, "'%s' is not a number", value);
	case OPT_KIND_SIZE:
		return str_size(sv_from(value), field)
			       ? 0
			       : err_set(e, EINVAL, "'%s' is not a size (like 512K, 8M)", value);
	case OPT_KIND_STR:
		*(const char **)field = f->negated ? NULL : value;
		return 0;
	case OPT_KIND_LIST:
		return store_list(field, f->negated ? NULL : value, e);
	case OPT_KIND_REFUSED:
		return refuse(f, value, e);
	default:
		return f->opt->call(field, f->negated ? NULL : value, e);
	}
}

/* Put the option's name in front of the error; by its long name, if it has one. */
static int blame(const struct found *f, struct err *e)
{
	if (f->opt->name)
		return err_wrap(e, "--%s", f->opt->name);
	return err_wrap(e, "-%c", f->opt->letter);
}

/* Find the option's value (attached, or the next word: then advance *i) and store it. */
static int take(const struct found *f, const char *attached, int *i, int argc, char **argv, struct err *e)
{
	const char *value = attached;
	const struct opt *o = f->opt;

	if (!opt_takes_value(o) || f->negated) {
		if (attached)
			err_set(e, EINVAL, "takes no value");
		return attached ? blame(f, e) : store(f, NULL, e) ? blame(f, e) : 0;
	}
	if (!value && !(o->flags & OPT_OPTIONAL)) {
		bool missing = *i + 1 >= argc || ((o->flags & OPT_LAST_DEFAULT) && argv[*i + 1][0] == '-');

		if (!missing)
			value = argv[++*i];
		else if (!(o->flags & OPT_LAST_DEFAULT)) {
			struct sv arg = opt_arg(o);

			err_set(e, EINVAL, "needs a value %.*s", (int)arg.n, arg.n ? arg.s : "");
			return blame(f, e);
		}
	}
	return store(f, value, e) ? blame(f, e) : 0;
}

static int parse_short(const struct opt *opts, void *want, int *i, int argc, char **argv, struct err *e)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		struct found f;

		if (!find_short(opts, want, *p, &f)) {
			if (*p == 'h')
				return -ECANCELED;
			return err_set(e, EINVAL, "unknown option -%c", *p);
		}

		bool value = opt_takes_value(f.opt);
		int r = take(&f, value && p[1] ? p + 1 : NULL, i, argc, argv, e);

		if (r || value)
			return r;
	}
	return 0;
}

static int parse_long(const struct opt *opts, void *want, int *i, int argc, char **argv, struct err *e)
{
	struct sv rest = sv_from(argv[*i] + 2), name;
	struct found f;

	sv_cut(&rest, '=', &name);
	if (sv_eq(name, "help"))
		return -ECANCELED;

	int m = find_long(opts, want, name, &f);

	if (m > 0)
		return take(&f, rest.s, i, argc, argv, e);
	if (m < 0)
		return err_set(e, EINVAL, "--%.*s is short for more than one option", (int)MIN(name.n, 60u), name.s);

	struct nearest near;
	char text[160];

	nearest_init(&near, name);
	feed_names(opts, &near);
	return err_set(e, EINVAL, "unknown option --%.*s%s", (int)MIN(name.n, 60u), name.s,
		       nearest_text(&near, text, sizeof(text)));
}

int opt_parse(const struct opt *opts, void *want, int argc, char **argv, struct err *e)
{
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];
		int r;

		if (a[0] != '-' || !a[1])
			return i;
		if (!strcmp(a, "--"))
			return i + 1;
		r = a[1] == '-' ? parse_long(opts, want, &i, argc, argv, e)
				: parse_short(opts, want, &i, argc, argv, e);
		if (r)
			return r;
	}
	return argc;
}

enum { HELP_COLUMN = 30 };

/* Print one line, wrapped at `width`. The output is at column `indent`, to which continuation lines are indented. */
static void wrap_line(struct out *o, struct sv line, unsigned indent, unsigned width)
{
	unsigned col = indent;
	struct sv word;

	while (sv_cut(&line, ' ', &word)) {
		if (col + word.n + 1 > width && col > indent) {
			out_char(o, '\n');
			out_fill(o, ' ', indent);
			col = indent;
		} else if (col > indent) {
			out_char(o, ' ');
			col++;
		}
		out_sv(o, word);
		col += (unsigned)word.n;
	}
	out_char(o, '\n');
}

void opt_text(struct out *o, const char *text, unsigned indent, unsigned width)
{
	struct sv rest = sv_from(text), line;
	bool first = true;

	while (sv_cut(&rest, '\n', &line)) {
		if (!first)
			out_fill(o, ' ', indent);
		first = false;
		wrap_line(o, line, indent, width);
	}
}

void opt_value(const struct opt *o, char *buf, size_t size)
{
	const char *how = o->flags & OPT_OPTIONAL ? "[=%.*s]" : o->flags & OPT_LAST_DEFAULT ? " [%.*s]" : " %.*s";
	struct sv arg = opt_arg(o);

	if (opt_takes_value(o) && arg.n)
		snprintf(buf, size, how, (int)arg.n, arg.s);
	else
		buf[0] = '\0';
}

static void help_one(const struct opt *p, struct out *o, unsigned width)
{
	char left[128] = "  ";
	size_t n = 2;

	if (p->letter)
		n += (size_t)snprintf(left + n, sizeof(left) - n, "-%c%s", p->letter, p->name ? ", " : "");
	else
		n += (size_t)snprintf(left + n, sizeof(left) - n, "    ");
	if (p->name)
		n += (size_t)snprintf(left + n, sizeof(left) - n, "--%s", p->name);
	opt_value(p, left + n, sizeof(left) - n);
	out_left(o, left, HELP_COLUMN - 1);
	if (strlen(left) > HELP_COLUMN - 2) {
		out_char(o, '\n');
		out_fill(o, ' ', HELP_COLUMN);
	} else {
		out_char(o, ' ');
	}
	opt_text(o, opt_about(p), HELP_COLUMN, width);
}

void opt_list(const struct opt *opts, const char *cmd, struct out *o)
{
	for (const struct opt *p = opts; p->kind != OPT_KIND_END; p++) {
		const char letter[] = { '-', p->letter, '\0' };

		if (p->kind == OPT_KIND_SUB)
			opt_list(p->sub, cmd, o);
		if (is_option(p))
			out_printf(o, "%s\t%s\t%s%s\t%s\t%p\n", cmd, p->letter ? letter : "-", p->name ? "--" : "-",
				   p->name ? p->name : "", opt_takes_value(p) ? "value" : "flag", (const void *)p);
	}
}

void opt_help(const struct opt *opts, struct out *o, unsigned width)
{
	packed_need();
	if (!width)
		width = 80;
	for (; opts->kind != OPT_KIND_END; opts++) {
		if (opts->kind == OPT_KIND_SUB)
			opt_help(opts->sub, o, width);
		else if (opts->kind == OPT_KIND_HEAD)
			out_printf(o, "\n%s:\n", opts->help);
		else if (!(opts->flags & OPT_HIDDEN))
			help_one(opts, o, width);
	}
}
