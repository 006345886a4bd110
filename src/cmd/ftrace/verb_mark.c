/* verb_mark.c - sonde ftrace mark: write text into the trace. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

#include <unistd.h>

enum { INPUT_MAX = 65536 };

struct mark_want {
	struct buffers_want buffers;
};

static const struct opt opts[] = {
	BUFFERS_NAMES(struct mark_want, buffers),
	BUFFERS_ALL(struct mark_want, buffers),
	BUFFERS_TOP(struct mark_want, buffers),
	OPT_END,
};

static int mark_one(void *arg, const struct tfs *t, struct err *e)
{
	int r = tfs_append(t, "trace_marker", arg, e);

	/* The kernel's answer if the buffer is not recording (tracing_mark_write). */
	if (r == -EBADF) {
		err_set(e, EBADF, "the buffer %s%sdoes not record", t->name, *t->name ? " " : "");
		return err_hint(e, "'sonde ftrace restart%s%s' switches it on", *t->name ? " -B " : "", t->name);
	}
	if (r == -EINVAL)
		err_hint(e, "the trace option markers is off: 'sonde ftrace set -O markers'");
	return r;
}

static int mark_words(struct ctx *c, const struct mark_want *w, char **argv, struct err *e)
{
	struct mem_out m;
	int r;

	mem_out_init(&m);
	for (char **word = argv; *word; word++)
		out_printf(&m.out, "%s%s", word == argv ? "" : " ", *word);
	r = buffers_each(c, &w->buffers, mark_one, (void *)(uintptr_t)mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r;
}

/* Write each line when it arrives: a program may write into the pipe for hours. */
static int mark_input(struct ctx *c, const struct mark_want *w, struct err *e)
{
	char *text = malloc(INPUT_MAX + 1), *end;
	size_t n = 0;
	ssize_t got = 1;
	int r = text ? 0 : err_nomem(e);

	while (!r && got > 0) {
		got = c->sys->read(c->sys, STDIN_FILENO, text + n, INPUT_MAX - n);
		if (got == -EINTR)
			got = 1;
		else if (got < 0)
			r = err_set(e, (int)-got, "cannot read standard input: %s", err_name((int)-got));
		else
			n += (size_t)got;
		end = memrchr(text, '\n', n);
		if (r || !n || (!end && got && n < INPUT_MAX))
			continue;

		size_t whole = end && got ? (size_t)(end - text) : n;

		text[whole] = '\0';
		r = buffers_each(c, &w->buffers, mark_one, text, e);
		n -= MIN(n, whole + 1);
		memmove(text, text + whole + 1, n);
	}
	free(text);
	return r;
}

static int mark_run(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	const struct mark_want *w = want;
	struct err e = { 0 };

	return buffers_done(c, *argv ? mark_words(c, w, argv, &e) : mark_input(c, w, &e), &e);
}

DEFINE_VERB(mark, "mark", .brief = "Write text into the trace", .synopsis = "[options] [text]",
	    .details = PACKED(
	    	"Without text, writes each line of standard input. Shown as event ftrace:print."),
	    .examples = PACKED(
			"sonde ftrace mark the cable is out\tinto the top buffer\n"
			"my-program 2>&1 | sonde ftrace mark -B mine\teach line as it is printed\n"),
	    .opts = opts, .want_size = sizeof(struct mark_want), .run = mark_run);
