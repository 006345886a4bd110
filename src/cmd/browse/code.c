/* code.c - the instructions of a function, and other texts, in the place of the list. */
#include "cmd/browse/browse.h"

#include "cmd/code_keys.h"

struct args {
	VEC(char *) v;
	bool failed;              /* there is no memory for all */
};

static void add_word(struct args *a, const char *word)
{
	char **to = vec_add(&a->v);

	a->failed |= !to;
	if (to)
		*to = (char *)word;
}

static void add_arg(struct args *a, const char *name, const char *value)
{
	if (!value)
		return;
	add_word(a, name);
	add_word(a, value);
}

static void add_flag(struct args *a, const char *name, bool on)
{
	if (on)
		add_word(a, name);
}

static void add_list(struct args *a, const char *name, const struct opt_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		add_arg(a, name, l->v[i]);
}

/* The same samples, of one function. */
static void annotate_args(const struct browser *b, const struct hist_frame *f, struct args *a)
{
	const struct report_want *w = b->report->want;

	add_word(a, "annotate");
	add_arg(a, "-i", b->report->session->path);
	add_arg(a, "--symfs", w->session.symfs);
	add_arg(a, "-k", w->session.vmlinux);
	add_arg(a, "--kallsyms", w->session.kallsyms);
	add_list(a, "-c", &w->filter.comms);
	add_list(a, "--pid", &w->filter.pids);
	add_list(a, "--tid", &w->filter.tids);
	add_arg(a, "-C", w->filter.cpus);
	add_arg(a, "--time", w->filter.time);
	add_arg(a, "-d", f->dso);
	add_arg(a, "-s", f->sym);
	add_flag(a, "--no-demangle", w->session.mangled);
	add_flag(a, "-v", w->session.full);
}

/* As the keys have it. */
static void show_args(const struct annotate_show *s, struct args *a)
{
	static const char *const types[] = { "local-period", "local-hits", "global-period", "global-hits" };

	add_arg(a, "--percent-type", types[s->of_all * 2 + s->by_hits]);
	add_flag(a, "-n", s->column == ANNOTATE_SAMPLES);
	add_flag(a, "--show-total-period", s->column == ANNOTATE_PERIOD);
	add_flag(a, "--no-source", s->no_source);
	add_flag(a, "--asm-raw", s->raw);
	add_flag(a, "-l", s->lines);
	add_flag(a, "-P", s->full_paths);
}

/* As a command of its own, but for what ends one: standard output stays what it is. NULL is the last word. */
static int run_annotate(struct ctx *c, struct args *a)
{
	const struct cmd *cmd = cmd_find("annotate");
	void *want = calloc(1, cmd->want_size + 1);
	int n = (int)a->v.n - 1;
	struct err e = { 0 };

	if (!want)
		return -ENOMEM;
	c->cmd = cmd;
	cmd->defaults(want);
	if (opt_parse(cmd->opts, want, n, a->v.v, &e) == n)
		cmd->run(c, want, 0, a->v.v + n);
	else
		cmd_fail(c, &e);
	free(want);
	return 0;
}

/* Into the text that was begun. */
static int write_code(struct browser *b, struct out *o)
{
	struct ctx c = *b->c;
	struct args a = { .failed = false };
	struct mem_out said;
	int r;

	annotate_args(b, b->code, &a);
	show_args(&b->show, &a);
	add_word(&a, NULL);
	mem_out_init(&said);
	c.out = o;
	c.msg = &said.out;
	r = a.failed ? -ENOMEM : run_annotate(&c, &a);
	vec_free(&a.v);
	/* What it could not show, and why, below what it could. */
	mem_out_str(&said);
	out_bytes(c.out, said.v, said.n);
	mem_out_deinit(&said);
	return r ? r : text_view_end(&b->text);
}

int browse_code(struct browser *b)
{
	const struct browse_line *l = page_chosen(b);
	const struct hist_frame *f = l ? browse_frame(b, l) : NULL;
	int r;

	if (!f || !f->sym) {
		list_say(&b->list, "the line has no function with a name");
		return 0;
	}
	list_say(&b->list, "reading ...");
	browse_paint(b);
	*b->list.told = '\0';
	b->code = f;
	r = write_code(b, text_view_begin(&b->text, f->sym));
	if (!r)
		text_view_hottest(&b->text);
	return r;
}

/* The function of the row behind the one that is shown, or of the one in front of it. */
static int next_code(struct browser *b, int key)
{
	size_t before = b->list.selected;

	while (key == '>' ? b->list.selected + 1 < b->page.lines.n : b->list.selected) {
		const struct browse_line *l;

		b->list.selected += key == '>' ? 1 : SIZE_MAX;
		l = page_chosen(b);
		if (!l->node && browse_frame(b, l)->sym && browse_frame(b, l) != b->code)
			return browse_code(b);
	}
	b->list.selected = before;
	list_say(&b->text.list, "no row there has a function with a name");
	return 0;
}

static int show_keys(struct browser *b)
{
	b->under = b->text;
	b->text = (struct text_view){ 0 };
	code_keys_help(text_view_begin(&b->text, "Keys"));
	out_str(&b->text.m.out, "  < >                the function of the row in front, of the next one\n");
	return text_view_end(&b->text);
}

static void close_text(struct browser *b)
{
	b->text = b->under;
	b->under = (struct text_view){ 0 };
	if (!b->text.is_shown)
		b->code = NULL;
}

int browse_text_key(struct browser *b, int key)
{
	size_t page = b->screen.rows > LIST_AROUND + 1 ? b->screen.rows - LIST_AROUND - 1 : 1;
	bool is_code = b->code && !b->under.is_shown && !b->text.typing;

	*b->text.list.told = '\0';
	if (is_code && code_keys_show(&b->show, key))
		return write_code(b, text_view_again(&b->text, b->code->sym));
	if (is_code && (key == '<' || key == '>'))
		return next_code(b, key);
	if (is_code && (key == 'h' || key == KEY_F1))
		return show_keys(b);
	if (is_code && code_keys_act(&b->text, b->c->sys, key))
		return 0;
	b->over |= key == KEY_CLOSED;
	text_view_key(&b->text, key, page);
	if (!b->text.is_shown)
		close_text(b);
	return 0;
}
