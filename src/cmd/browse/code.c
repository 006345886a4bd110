/* code.c - the instructions of a function, and other texts, in the place of the list. */
#include "cmd/browse/browse.h"

#include "cmd/annotate/code_keys.h"

struct args {
	VEC(char *) v;
	bool failed;              /* out of memory: words are missing */
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

/* Arguments for annotate: the report's own filters, and the one function. */
static void annotate_args(const struct browser *b, struct args *a)
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
	add_arg(a, "-d", b->code.dso);
	add_arg(a, "-s", b->code.sym);
	add_flag(a, "--no-demangle", w->session.mangled);
	add_flag(a, "-v", w->session.full);
}

/* Arguments for the form that the keys have chosen. */
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

/*
 * Run annotate as cmd_start() would, but without cmd_finish(), which would end c->out. The last word is NULL. Returns
 * the command's exit code, or -ENOMEM.
 */
static int run_annotate(struct ctx *c, struct args *a)
{
	const struct cmd *cmd = cmd_find("annotate");
	void *want = calloc(1, cmd->want_size + 1);
	int n = (int)a->v.n - 1;
	struct err e = { 0 };
	int r;

	if (!want)
		return -ENOMEM;
	c->cmd = cmd;
	cmd->defaults(want);
	if (opt_parse(cmd->opts, want, n, a->v.v, &e) == n)
		r = cmd->run(c, want, 0, a->v.v + n);
	else
		r = cmd_fail(c, &e);
	free(want);
	return r;
}

/* Write the instructions into b->text, which was begun. 0, -ENOMEM, or > 0: the text says why there are none. */
static int write_code(struct browser *b, struct out *o)
{
	struct ctx c = *b->c;
	struct args a = { .failed = false };
	struct mem_out said;
	int r;

	annotate_args(b, &a);
	show_args(&b->show, &a);
	add_word(&a, NULL);
	mem_out_init(&said);
	c.out = o;
	c.msg = &said.out;
	r = a.failed ? -ENOMEM : run_annotate(&c, &a);
	vec_free(&a.v);
	/* annotate's messages go below its output. */
	mem_out_str(&said);
	out_bytes(c.out, said.v, said.n);
	mem_out_deinit(&said);
	return r < 0 || text_view_end(&b->text) ? -ENOMEM : r;
}

static int write_again(struct browser *b)
{
	int r = write_code(b, text_view_again(&b->text, b->code.sym));

	return MIN(r, 0);
}

static void say_reading(struct browser *b, struct list_view *w)
{
	list_say(w, "reading ...");
	browse_paint(b);
	*w->told = '\0';
}

/* Go back to the function from which the shown one was reached, with its text as it was left; or to none. */
static void pop(struct browser *b)
{
	text_view_close(&b->text);
	free(b->code.sym);
	b->code = b->callers.n ? b->callers.v[--b->callers.n] : (struct browse_code){ .sym = NULL };
	b->text = b->code.text;
}

void browse_code_close(struct browser *b)
{
	do
		pop(b);
	while (b->code.sym);
	vec_free(&b->callers);
}

/* Show a function. Returns the same as write_code(). */
static int look_at(struct browser *b, const char *dso, const char *sym)
{
	int r;

	b->code.dso = dso;
	b->code.sym = strdup(sym);
	if (!b->code.sym)
		return -ENOMEM;
	r = write_code(b, text_view_begin(&b->text, sym));
	if (r >= 0)
		text_view_hottest(&b->text);
	return r;
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
	say_reading(b, &b->list);
	browse_code_close(b);
	r = look_at(b, f->dso, f->sym);
	return MIN(r, 0);
}

/* Go back one function; write its text anew if keys have changed the form since it was left. */
static int go_back(struct browser *b)
{
	pop(b);
	return b->code.sym && b->code.changes != b->changes ? write_again(b) : 0;
}

/* Show a function that the shown one calls. near: look in the same dso first, then in all. */
static int follow(struct browser *b, const char *name, bool near)
{
	const char *dso = near ? b->code.dso : NULL;
	struct browse_code *from = vec_add(&b->callers);
	int r;

	if (!from)
		return -ENOMEM;
	say_reading(b, &b->text.list);
	*from = b->code;
	from->changes = b->changes;
	from->text = b->text;
	b->text = (struct text_view){ 0 };
	r = look_at(b, dso, name);
	if (r > 0 && dso) {
		free(b->code.sym);
		r = look_at(b, NULL, name);
	}
	if (r <= 0)
		return r;
	r = go_back(b);
	snprintf(b->text.list.told, sizeof(b->text.list.told), "%.120s: no sample is in it, or its code is not here",
		 name);
	return r;
}

/* '>' shows the function of the next row that has another one, '<' that of the previous. */
static int next_code(struct browser *b, int key)
{
	size_t before = b->list.selected;

	while (key == '>' ? b->list.selected + 1 < b->page.lines.n : b->list.selected) {
		const struct browse_line *l;
		const struct hist_frame *f;

		b->list.selected += key == '>' ? 1 : SIZE_MAX;
		l = page_chosen(b);
		f = browse_frame(b, l);
		if (!l->node && f->sym && (f->dso != b->code.dso || strcmp(f->sym, b->code.sym) != 0))
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

/* The text was closed: show the instructions below the help again, or the caller of the function, or the list. */
static int close_text(struct browser *b)
{
	if (!b->under.is_shown)
		return go_back(b);
	b->text = b->under;
	b->under = (struct text_view){ 0 };
	return 0;
}

static int code_key(struct browser *b, int key, bool *taken)
{
	char name[LISTING_NAME];
	bool near;

	*taken = true;
	if (code_keys_show(&b->show, key)) {
		b->changes++;
		return write_again(b);
	}
	if (key == '<' || key == '>')
		return next_code(b, key);
	if (key == 'h' || key == KEY_F1)
		return show_keys(b);
	if (text_view_calls(&b->text, key, name, sizeof(name), &near))
		return follow(b, name, near);
	*taken = code_keys_act(&b->text, &b->form, b->c->sys, key);
	return 0;
}

int browse_text_key(struct browser *b, int key)
{
	size_t page = b->screen.rows > LIST_AROUND + 1 ? b->screen.rows - LIST_AROUND - 1 : 1;
	bool taken = false;
	int r = 0;

	*b->text.list.told = '\0';
	if (b->code.sym && !b->under.is_shown && !b->text.typing)
		r = code_key(b, key, &taken);
	if (taken)
		return r;
	b->over |= key == KEY_CLOSED;
	text_view_key(&b->text, key, page);
	return b->text.is_shown ? 0 : close_text(b);
}
