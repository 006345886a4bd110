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

const struct cmd *cmd_find(const char *name)
{
	for (size_t i = 0; cmds[i]; i++)
		if (!strcmp(cmds[i]->name, name))
			return cmds[i];
	return NULL;
}

static void help_examples(const char *text, struct out *o)
{
	struct sv rest = sv_from(text), line;

	out_str(o, "\nExamples:\n");
	while (sv_cut(&rest, '\n', &line)) {
		struct sv cmd;

		if (!line.n)
			continue;
		sv_cut(&line, '\t', &cmd);
		out_str(o, "  ");
		out_sv(o, cmd);
		out_char(o, '\n');
		if (line.s) {
			out_str(o, "        ");
			out_sv(o, line);
			out_char(o, '\n');
		}
	}
}

void cmd_help(struct ctx *c, const struct cmd *cmd, struct out *o)
{
	out_printf(o, "Usage: %s %s %s\n\n%s.\n", c->program, cmd->name, cmd->synopsis ? cmd->synopsis : "",
		   cmd->brief);
	opt_help(cmd->opts, o, o->width);
	if (cmd->details) {
		out_char(o, '\n');
		opt_text(o, cmd->details, 0, o->width ? o->width : 80);
	}
	if (cmd->examples)
		help_examples(cmd->examples, o);
}

void cmd_note(struct ctx *c, const char *fmt, ...)
{
	char text[700];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	out_flush(c->out);
	out_printf(c->msg, "%s: %s\n", c->program, text);
	out_flush(c->msg);
}

int cmd_fail(struct ctx *c, const struct err *e)
{
	cmd_note(c, "%s", e->text);
	if (e->hint[0])
		out_printf(c->msg, "  %s\n", e->hint);
	out_flush(c->msg);
	return EXIT_FAILED;
}

int cmd_usage(struct ctx *c, const struct cmd *cmd, const struct err *e)
{
	cmd_fail(c, e);
	out_printf(c->msg, "  Usage: %s %s %s   (%s %s --help tells more)\n", c->program, cmd->name,
		   cmd->synopsis ? cmd->synopsis : "", c->program, cmd->name);
	out_flush(c->msg);
	return EXIT_USAGE;
}

int cmd_finish(struct ctx *c, int code)
{
	out_flush(c->out);
	if (!c->out->error || c->out->error == -EPIPE)
		return code;
	cmd_note(c, "cannot write the output: %s", err_name(-c->out->error));
	return code ? code : EXIT_FAILED;
}
