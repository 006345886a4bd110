/* cmd.c - the table of commands, their help, and how errors are told. */
#include "cmd/cmd.h"

#define CMD(id) extern const struct cmd cmd_##id;
#include "cmds.def"
#undef CMD

const struct cmd *const cmds[] = {
#define CMD(id) &cmd_##id,
#include "cmds.def"
#undef CMD
	NULL
};

const struct cmd *cmd_verb(const struct cmd *const *verbs, const char *name)
{
	for (size_t i = 0; verbs[i]; i++)
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	return NULL;
}

const struct cmd *cmd_find(const char *name)
{
	return cmd_verb(cmds, name);
}

/* How to call the command by the program's present name: "sonde ftrace show", "trace-cmd show". */
static const char *cmd_called(const struct ctx *c, const struct cmd *cmd, char buf[64])
{
	/* "trace-cmd" and "perf-prof" stand for the family already. */
	bool family = cmd->family && !strchr(c->program, '-');

	snprintf(buf, 64, "%s %s%s%s", c->program, family ? cmd->family : "", family ? " " : "", cmd->name);
	return buf;
}

/* A command line, wrapped with "\" at blanks outside of quotes, so that it can be pasted into a shell. */
static void help_command(struct sv cmd, struct out *o, unsigned width)
{
	enum { FIRST = 2, MORE = 6, BACKSLASH = 2 };
	unsigned indent = FIRST;

	out_str(o, "  ");
	while (indent + cmd.n > width) {
		size_t at = 0;
		char quote = '\0';

		for (size_t i = 0; i < cmd.n && (!at || indent + i + BACKSLASH <= width); i++) {
			if (quote ? cmd.s[i] == quote : cmd.s[i] == '\'' || cmd.s[i] == '"')
				quote = quote ? '\0' : cmd.s[i];
			else if (!quote && cmd.s[i] == ' ')
				at = i;
		}
		if (!at)
			break;
		out_bytes(o, cmd.s, at);
		out_str(o, " \\\n");
		out_fill(o, ' ', MORE);
		indent = MORE;
		cmd.s += at + 1;
		cmd.n -= at + 1;
	}
	out_sv(o, cmd);
	out_char(o, '\n');
}

static void help_examples(const char *text, struct out *o, unsigned width)
{
	enum { COMMENT = 8 };
	struct sv rest = sv_from(text), line;
	char comment[400];

	out_str(o, "\nExamples:\n");
	while (sv_cut(&rest, '\n', &line)) {
		struct sv cmd;

		if (!line.n)
			continue;
		sv_cut(&line, '\t', &cmd);
		help_command(cmd, o, width);
		if (line.s) {
			str_copy(comment, sizeof(comment), line);
			out_fill(o, ' ', COMMENT);
			opt_text(o, comment, COMMENT, width);
		}
	}
}

void cmd_brief(const struct cmd *cmd, unsigned column, struct out *o)
{
	char name[32];

	snprintf(name, sizeof(name), "  %s", cmd->name);
	out_left(o, name, column - 1);
	out_char(o, ' ');
	opt_text(o, cmd->brief, column, o->width ? o->width : 80);
}

void cmd_help(struct ctx *c, const struct cmd *cmd, struct out *o)
{
	enum { VERB = 17, MORE = 12 };
	unsigned width = o->width ? o->width : 80;
	char called[64], usage[400];

	packed_need();
	snprintf(usage, sizeof(usage), "Usage: %s %s", cmd_called(c, cmd, called),
		 cmd->synopsis ? cmd->synopsis : "[options]");
	opt_text(o, usage, MORE, width);
	out_printf(o, "\n%s.\n", cmd->brief);
	if (cmd->verbs) {
		out_str(o, "\nVerbs:\n");
		for (size_t i = 0; cmd->verbs[i]; i++)
			cmd_brief(cmd->verbs[i], VERB, o);
		out_str(o, "\nOptions without a verb:\n");
	}
	opt_help(cmd->opts, o, o->width);
	if (cmd->details) {
		out_char(o, '\n');
		opt_text(o, cmd->details, 0, width);
	}
	if (cmd->examples)
		help_examples(cmd->examples, o, width);
}

static void say(struct ctx *c, const char *text)
{
	out_flush(c->out);
	out_printf(c->msg, "%s: %s\n", c->program, text);
	out_flush(c->msg);
}

void cmd_note(struct ctx *c, const char *fmt, ...)
{
	char text[700];
	va_list ap;

	if (c->says != SAY_ALL)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	say(c, text);
}

void cmd_note_chosen(struct ctx *c)
{
	if (!cmd_is_perf(c))
		cmd_note(c, "no sample fits");
}

int cmd_fail(struct ctx *c, const struct err *e)
{
	if (c->says != SAY_NOTHING) {
		say(c, e->text);
		if (e->hint[0])
			out_printf(c->msg, "  %s\n", e->hint);
		out_flush(c->msg);
	}
	return cmd_is_perf(c) ? EXIT_FAILED_PERF : EXIT_FAILED;
}

int cmd_fail_events(struct ctx *c, const struct err *e)
{
	int code = cmd_fail(c, e);

	return cmd_is_perf(c) ? EXIT_USAGE_PERF : code;
}

int cmd_usage(struct ctx *c, const struct cmd *cmd, const struct err *e)
{
	char called[64];

	cmd_fail(c, e);
	if (c->says == SAY_NOTHING)
		return cmd_usage_code(c);
	cmd_called(c, cmd, called);
	out_printf(c->msg, "  Usage: %s %s   (%s --help tells more)\n", called,
		   cmd->synopsis ? cmd->synopsis : "[options]", called);
	out_flush(c->msg);
	return cmd_usage_code(c);
}

int cmd_elsewhere(const char *what, struct err *e)
{
	err_set(e, EOPNOTSUPP, "this build has no '%s'", what);
	return err_hint(e, "the whole sonde has it ('make'), and reads on any machine what is recorded on this one");
}

int cmd_finish(struct ctx *c, int code)
{
	const struct mapped_files *mapped = c->sys->mapped;

	out_end(c->out);
	out_flush(c->msg);
	if (mapped && mapped->cut) {
		cmd_note(c, "%s was cut while it was read: what is told ends there", mapped->cut);
		c->incomplete = true;
	}
	if (c->incomplete && !code)
		code = EXIT_FAILED;
	if (!c->out->error || c->out->error == -EPIPE)
		return code;
	cmd_note(c, "cannot write the output: %s", err_name(-c->out->error));
	return code ? code : EXIT_FAILED;
}

int cmd_go_on(struct ctx *c, const struct cmd *cmd, const struct cmd *parent, void *want, int argc, char **argv)
{
	struct err e = { 0 };
	int at, code;

	c->cmd = cmd;
	at = opt_parse(cmd->opts, want, argc, argv, &e);
	if (at == -ECANCELED) {
		cmd_help(c, cmd, c->out);
		code = EXIT_DONE;
	} else if (at < 0) {
		code = cmd_usage(c, cmd, &e);
		if (cmd->drop)
			cmd->drop(want);
	} else if (at < argc && !cmd->synopsis) {
		err_set(&e, EINVAL, "what is '%s'? There is nothing here but options", argv[at]);
		code = cmd_usage(c, cmd, &e);
	} else {
		code = (cmd->run ? cmd : parent)->run(c, want, argc - at, argv + at);
	}
	return code;
}

int cmd_start(struct ctx *c, const struct cmd *cmd, const struct cmd *parent, int argc, char **argv)
{
	struct err e = { 0 };
	void *want = calloc(1, cmd->want_size + 1);
	int code;

	if (!want) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	if (cmd->defaults)
		cmd->defaults(want);
	code = cmd_go_on(c, cmd, parent, want, argc, argv);
	free(want);
	return cmd_finish(c, code);
}
