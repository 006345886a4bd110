/* cmd_manual.c - the manual pages, generated from the same tables as --help. */
#include "cmd/ftrace/verbs.h"

/* Escape text for roff: no escapes or requests by accident, and hyphens that can be copied. */
static void roff(struct out *o, struct sv text)
{
	for (size_t i = 0; i < text.n; i++) {
		char ch = text.s[i];

		if ((!i || text.s[i - 1] == '\n') && (ch == '.' || ch == '\''))
			out_str(o, "\\&");
		if (ch == '\\')
			out_str(o, "\\e");
		else if (ch == '-')
			out_str(o, "\\-");
		else if (ch == '`')
			out_str(o, "\\(ga");
		else if (ch == '\'')
			out_str(o, "\\(aq");
		else if (ch == '^')
			out_str(o, "\\(ha");
		else if (ch == '~')
			out_str(o, "\\(ti");
		else
			out_char(o, ch);
	}
}

static void roff_str(struct out *o, const char *text)
{
	roff(o, sv_from(text));
}

/* Each line of the text becomes a paragraph. */
static void paragraphs(struct out *o, const char *text)
{
	struct sv rest = sv_from(text), line;
	bool first = true;

	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n)
			continue;
		if (!first)
			out_str(o, ".PP\n");
		first = false;
		roff(o, line);
		out_char(o, '\n');
	}
}

static void bold(struct out *o, const char *before, const char *text)
{
	out_printf(o, "%s\\fB", before);
	roff_str(o, text);
	out_str(o, "\\fR");
}

static void option(const struct opt *p, struct out *o)
{
	const char letter[] = { '-', p->letter, '\0' };
	char value[96], name[64];

	out_str(o, ".TP\n");
	if (p->letter)
		bold(o, "", letter);
	if (p->name) {
		snprintf(name, sizeof(name), "--%s", p->name);
		bold(o, p->letter ? ", " : "", name);
	}
	opt_value(p, value, sizeof(value));
	roff_str(o, value);
	out_char(o, '\n');
	roff_str(o, opt_about(p));
	out_char(o, '\n');
}

static void options(const struct opt *p, struct out *o)
{
	for (; p->kind != OPT_KIND_END; p++) {
		if (p->kind == OPT_KIND_SUB) {
			options(p->sub, o);
		} else if (p->kind == OPT_KIND_HEAD) {
			out_str(o, ".SS ");
			roff_str(o, p->help);
			out_char(o, '\n');
		} else if (!(p->flags & OPT_HIDDEN)) {
			option(p, o);
		}
	}
}

static void examples(const char *text, struct out *o)
{
	struct sv rest = sv_from(text), line, cmd;

	out_str(o, ".SH EXAMPLES\n");
	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n)
			continue;
		sv_cut(&line, '\t', &cmd);
		out_str(o, ".TP\n\\fB");
		roff(o, cmd);
		out_str(o, "\\fR\n");
		if (line.s)
			roff(o, line);
		out_char(o, '\n');
	}
}

/* Commands and verbs have a page each: "sonde-ftrace-hist", "sonde-kvm-stat-report". */
static void page_name(const struct cmd *cmd, char buf[64])
{
	snprintf(buf, 64, "sonde%s%s-%s", cmd->family ? "-" : "", cmd->family ? cmd->family : "", cmd->name);
	for (char *at = buf; (at = strchr(at, ' ')); )
		*at = '-';
}

/* The command as it is typed: "ftrace hist". */
static void words(const struct cmd *cmd, char buf[64])
{
	snprintf(buf, 64, "%s%s%s", cmd->family ? cmd->family : "", cmd->family ? " " : "", cmd->name);
}

static void title(const char *page, const char *brief, struct out *o)
{
	out_str(o, ".\\\" Made of the program's own tables.\n.TH ");
	for (const char *p = page; *p; p++)
		if (*p == '-')
			out_str(o, "\\-");
		else
			out_char(o, (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p));
	out_str(o, " 1 \"" SONDE_DATE "\" \"sonde " SONDE_VERSION "\" \"sonde\"\n.SH NAME\n");
	roff_str(o, page);
	out_str(o, " \\- ");
	roff_str(o, brief);
	out_str(o, "\n.SH SYNOPSIS\n");
}

static void list(const struct cmd *const *cmds_of, const char *head, struct out *o)
{
	char page[64];

	out_printf(o, ".SH %s\n", head);
	for (; *cmds_of; cmds_of++) {
		page_name(*cmds_of, page);
		out_str(o, ".TP\n");
		bold(o, "", page);
		out_str(o, "(1)\n");
		roff_str(o, (*cmds_of)->brief);
		out_char(o, '\n');
	}
}

static void ending(struct out *o)
{
	out_str(o, ".SH EXIT STATUS\n0: done. 1: failed. 2: wrong usage. A command that was run gives its own.\n"
		   ".SH SEE ALSO\n\\fBsonde\\fR(1)\n");
}

static void page_of(const struct cmd *cmd, struct out *o)
{
	char page[64], called[64];

	page_name(cmd, page);
	title(page, cmd->brief, o);
	words(cmd, called);
	bold(o, "sonde ", called);
	out_char(o, ' ');
	roff_str(o, cmd->synopsis ? cmd->synopsis : "[options]");
	out_char(o, '\n');
	if (cmd->details) {
		out_str(o, ".SH DESCRIPTION\n");
		paragraphs(o, cmd->details);
	}
	if (cmd->verbs)
		list(cmd->verbs, "VERBS", o);
	out_str(o, ".SH OPTIONS\n");
	options(cmd->opts, o);
	if (cmd->examples)
		examples(cmd->examples, o);
	ending(o);
}

static void page_of_all(struct out *o)
{
	title("sonde", "profile and trace Linux on arm64 and x86_64", o);
	out_str(o, "\\fBsonde\\fR [\\fB\\-\\-sysroot\\fR DIR] COMMAND [options]\n.SH DESCRIPTION\n"
		   "One static file that does what perf, trace\\-cmd, raw tracefs and FlameGraph do.\n"
		   "Options are those of perf and trace\\-cmd; called by one of these names through a link\n"
		   "it takes their command lines.\n"
		   ".PP\n\\fBsonde\\fR COMMAND \\fB\\-\\-help\\fR shows a command's options and examples.\n"
		   ".SH OPTIONS\n.TP\n\\fB\\-\\-sysroot\\fR DIR\nread /proc, /sys and programs below this folder\n"
		   ".TP\n\\fB\\-\\-version\\fR\nthe version\n");
	list(cmds, "COMMANDS", o);
	ending(o);
}

static int names(struct out *o, const struct cmd *const *of)
{
	char page[64], called[64];

	for (; *of; of++) {
		page_name(*of, page);
		words(*of, called);
		out_printf(o, "%s\t%s\n", page, called);
		if ((*of)->verbs)
			names(o, (*of)->verbs);
	}
	return EXIT_DONE;
}

struct want {
	bool list;
};

static const struct opt opts[] = {
	OPT_FLAG('l', "list", struct want, list, "list all pages and the arguments for each"),
	OPT_END,
};

static int manual_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *cmd = argc ? cmd_find(argv[0]) : NULL;
	struct err e = { 0 };
	int word = 0;

	if (((struct want *)want)->list) {
		out_str(c->out, "sonde\t\n");
		return names(c->out, cmds);
	}
	packed_need();
	while (cmd && cmd->verbs && argc > word + 1)
		cmd = cmd_verb(cmd->verbs, argv[++word]);
	if (argc && (!cmd || argc > word + 1)) {
		err_set(&e, EINVAL, "there is no page for '%s'", argv[cmd ? word + 1 : word]);
		return cmd_usage(c, cmd_find("manual"), &e);
	}
	if (cmd)
		page_of(cmd, c->out);
	else
		page_of_all(c->out);
	return EXIT_DONE;
}

DEFINE_CMD(manual, .brief = "Print a manual page", .synopsis = "[-l] [COMMAND [VERB...]]",
	   .details = PACKED(
		      "Pages are made from the --help texts, so a machine with only this file has them, too; make "
		      "install puts them where man finds them."),
	   .examples = PACKED(
		       "sonde manual record | man -l -\tread it here\n"
		       "sonde manual ftrace hist > sonde-ftrace-hist.1\tsave a page\n"),
	   .opts = opts, .want_size = sizeof(struct want), .run = manual_run);
