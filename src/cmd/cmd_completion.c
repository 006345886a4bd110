/*
 * cmd_completion.c - the script that a shell sources to complete sonde's command lines: tables of all commands and
 * options, and a few lines of shell code that look them up.
 */
#include "cmd/ftrace/verbs.h"

/* The kind of an option's value, which decides how the shell completes it. */
enum value { NO_VALUE, OTHER, MAYBE, A_FILE, A_DIR, AN_EVENT };

static enum value value_of(const struct opt *o)
{
	struct sv arg = opt_arg(o);

	if (!opt_takes_value(o) || o->flags & OPT_OPTIONAL)
		return NO_VALUE;
	return o->flags & OPT_LAST_DEFAULT ? MAYBE : str_contains(arg, SV("file")) ? A_FILE :
	       str_contains(arg, SV("dir")) ? A_DIR : str_contains(arg, SV("event")) ? AN_EVENT : OTHER;
}

static bool runs_command(const struct cmd *cmd)
{
	return cmd->synopsis && strstr(cmd->synopsis, "command");
}

/* Write text for the inside of '...'; characters of `escape` get a backslash. */
static void quoted(struct out *o, const char *text, const char *escape)
{
	for (; *text; text++) {
		if (strchr(escape, *text))
			out_char(o, '\\');
		if (*text == '\'')
			out_str(o, "'\\''");
		else
			out_char(o, (char)(*text == '\n' ? ' ' : *text));
	}
}

typedef void put_option(const struct opt *p, const char *name, struct out *o);

/* Call put() for each name, short and long, of each option that --help shows. */
static void each_option(const struct opt *p, put_option *put, struct out *o)
{
	char name[64];

	for (; p->kind != OPT_KIND_END; p++) {
		if (p->kind == OPT_KIND_SUB)
			each_option(p->sub, put, o);
		if (p->kind == OPT_KIND_SUB || p->kind == OPT_KIND_HEAD || p->flags & OPT_HIDDEN)
			continue;
		if (p->letter) {
			snprintf(name, sizeof(name), "-%c", p->letter);
			put(p, name, o);
		}
		if (p->name) {
			snprintf(name, sizeof(name), "--%s", p->name);
			put(p, name, o);
		}
	}
}

typedef void put_command(const struct cmd *cmd, struct out *o);

static void each_command(const struct cmd *const *of, put_command *put, struct out *o)
{
	for (; *of; of++) {
		put(*of, o);
		if ((*of)->verbs)
			each_command((*of)->verbs, put, o);
	}
}

static void case_of(const struct cmd *cmd, struct out *o)
{
	out_printf(o, "\t'%s%s%s')", cmd->family ? cmd->family : "", cmd->family ? " " : "", cmd->name);
}

/* For bash an option is a word NAME:KIND. */
static void bash_option(const struct opt *p, const char *name, struct out *o)
{
	static const char kinds[][2] = {
		[NO_VALUE] = "", [OTHER] = "x", [MAYBE] = "m", [A_FILE] = "f", [A_DIR] = "d", [AN_EVENT] = "e"
	};

	out_printf(o, " %s:%s", name, kinds[value_of(p)]);
}

static void bash_names(const struct cmd *const *of, struct out *o)
{
	for (; *of; of++)
		out_printf(o, " %s", (*of)->name);
}

static void bash_command(const struct cmd *cmd, struct out *o)
{
	case_of(cmd, o);
	out_printf(o, " runs=%s names='", runs_command(cmd) ? "yes" : "");
	if (cmd->verbs)
		bash_names(cmd->verbs, o);
	out_str(o, "' options='");
	each_option(cmd->opts, bash_option, o);
	out_str(o, " --help:' ;;\n");
}

static const char bash_code[] =
	"# Of the line up to the cursor, cut at blanks only: bash cuts events and --name=value into pieces.\n"
	"_sonde() {\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} words word cur cmd= kind= i runs names options\n"
	"\tread -ra words <<< \"$line\"\n"
	"\t[[ $line != *' ' ]] || words+=('')\n"
	"\tcur=${words[-1]} COMPREPLY=()\n"
	"\t_sonde_table ''\n"
	"\tfor ((i = 1; i < ${#words[@]} - 1; i++)); do\n"
	"\t\tword=${words[i]}\n"
	"\t\tif [[ $kind && ! ($kind = m && $word = -*) ]]; then\n"
	"\t\t\tkind=\n"
	"\t\telif [[ $word = -- ]]; then\n"
	"\t\t\tbreak\n"
	"\t\telif [[ $word = -* ]]; then\n"
	"\t\t\t_sonde_kind \"$word\"\n"
	"\t\telif [[ \" $names \" = *\" $word \"* ]]; then\n"
	"\t\t\tcmd=${cmd:+$cmd }$word\n"
	"\t\t\t_sonde_table \"$cmd\"\n"
	"\t\telse\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tif [[ $word = -- ]]; then\n"
	"\t\t_sonde_reply \"$(compgen -c -- \"$cur\")\"\n"
	"\telif [[ $cur = --*=* ]]; then\n"
	"\t\t_sonde_kind \"${cur%%=*}\"\n"
	"\t\tcur=${cur#*=}\n"
	"\t\t_sonde_value\n"
	"\telif [[ $cur = -* ]]; then\n"
	"\t\t_sonde_reply \"$(printf '%s\\n' $options | sed 's/:.*//' | grep -e \"^$cur\")\"\n"
	"\telif [[ $kind && $kind != m ]]; then\n"
	"\t\t_sonde_value\n"
	"\telse\n"
	"\t\t_sonde_reply \"$(compgen -W \"$names\" -- \"$cur\"; [[ ! $runs ]] || compgen -c -- \"$cur\")\"\n"
	"\tfi\n"
	"}\n"
	"_sonde_kind() {\n"
	"\tkind=\" $options \"\n"
	"\tcase $kind in *\" $1:\"*) kind=${kind#*\" $1:\"} kind=${kind%%' '*} ;; *) kind= ;; esac\n"
	"}\n"
	"_sonde_value() {\n"
	"\tlocal before=\n"
	"\tcase $kind in\n"
	"\tf) _sonde_reply \"$(compgen -f -- \"$cur\")\" ;;\n"
	"\td) _sonde_reply \"$(compgen -d -- \"$cur\")\" ;;\n"
	"\te)\n"
	"\t\t[[ $cur != *,* ]] || before=${cur%,*},\n"
	"\t\tnames=$(sonde list --raw-dump 2>/dev/null)\n"
	"\t\t_sonde_reply \"$(compgen -W \"$names\" -P \"$before\" -- \"${cur#\"$before\"}\")\" ;;\n"
	"\tesac\n"
	"}\n"
	"# What stands before the last : or = bash keeps by itself.\n"
	"_sonde_reply() {\n"
	"\tlocal kept=\n"
	"\tcase $cur in *:*) [[ $COMP_WORDBREAKS != *:* ]] || kept=${cur%:*}: ;; esac\n"
	"\tmapfile -t COMPREPLY < <(sort -u <<< \"$1\")\n"
	"\t[[ ${COMPREPLY[*]} ]] || COMPREPLY=()\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$kept\"}\")\n"
	"}\n"
	"complete -o default -F _sonde sonde\n";

static void bash(struct out *o)
{
	out_str(o, "# bash completion of sonde, made of its own tables: source <(sonde completion bash)\n"
		   "_sonde_table() {\n\tcase $1 in\n\t'') runs= names='");
	bash_names(cmds, o);
	out_str(o, "' options='--sysroot:d --version: --help:' ;;\n");
	each_command(cmds, bash_command, o);
	out_str(o, "\t*) runs= names= options= ;;\n\tesac\n}\n");
	out_str(o, bash_code);
}

/* For zsh an option is a specification of _arguments. */
static void zsh_option(const struct opt *p, const char *name, struct out *o)
{
	static const char *const actions[] = {
		[NO_VALUE] = " ", [OTHER] = " ", [MAYBE] = " ", [A_FILE] = "_files", [A_DIR] = "_files -/",
		[AN_EVENT] = "_sonde_events"
	};
	bool is_long = name[1] == '-';

	out_printf(o, "\n\t\t'*%s", name);
	if (opt_takes_value(p))
		out_str(o, p->flags & OPT_OPTIONAL ? (is_long ? "=-" : "-") : is_long ? "=" : "+");
	out_char(o, '[');
	quoted(o, opt_about(p), "[]\\");
	out_char(o, ']');
	if (opt_takes_value(p)) {
		char value[64];
		struct sv arg = opt_arg(p);

		str_copy(value, sizeof(value), arg.n ? arg : SV("value"));
		out_str(o, p->flags & (OPT_OPTIONAL | OPT_LAST_DEFAULT) ? "::" : ":");
		quoted(o, value, ":\\");
		out_printf(o, ":%s", actions[value_of(p)]);
	}
	out_char(o, '\'');
}

static void zsh_names(const struct cmd *const *of, struct out *o)
{
	for (; *of; of++) {
		out_printf(o, "\n\t\t'%s:", (*of)->name);
		quoted(o, (*of)->brief, "\\");
		out_char(o, '\'');
	}
}

static void zsh_command(const struct cmd *cmd, struct out *o)
{
	case_of(cmd, o);
	out_printf(o, " rest='%s' names=(", runs_command(cmd) ? "*::command:_normal" : "*:file:_files");
	if (cmd->verbs)
		zsh_names(cmd->verbs, o);
	out_str(o, ") options=(");
	each_option(cmd->opts, zsh_option, o);
	out_str(o, "\n\t\t'--help[options and examples]') ;;\n");
}

static const char zsh_code[] =
	"_sonde_events() {\n"
	"\tcompset -P '*,'\n"
	"\tcompadd -S '' -- $(sonde list --raw-dump 2>/dev/null)\n"
	"}\n"
	"_sonde() {\n"
	"\tlocal -a names options\n"
	"\tlocal rest cmd=\n"
	"\t_sonde_table ''\n"
	"\twhile (( CURRENT > 2 && ${names[(I)$words[2]:*]} )); do\n"
	"\t\tcmd=\"${cmd:+$cmd }$words[2]\"\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\t\t_sonde_table $cmd\n"
	"\tdone\n"
	"\tif (( CURRENT == 2 && $#names )) && [[ $words[2] != -* ]]; then\n"
	"\t\t_describe -t commands command names\n"
	"\t\t[[ $cmd ]] || return\n"
	"\tfi\n"
	"\t# Behind -- stands a command of its own.\n"
	"\tlocal at=${words[(i)--]}\n"
	"\tif (( at < CURRENT )) && [[ $rest = *_normal ]]; then\n"
	"\t\tshift $at words\n"
	"\t\t(( CURRENT -= at ))\n"
	"\t\t_normal\n"
	"\telse\n"
	"\t\t_arguments -s $options $rest\n"
	"\tfi\n"
	"}\n"
	"[[ $funcstack[1] != _sonde ]] && compdef _sonde sonde || _sonde \"$@\"\n";

static void zsh(struct out *o)
{
	out_str(o, "#compdef sonde\n# zsh completion of sonde, made of its own tables: source <(sonde completion zsh)\n"
		   "_sonde_table() {\n\tcase $1 in\n\t'') rest= names=(");
	zsh_names(cmds, o);
	out_str(o, ") options=('--sysroot[read below this folder]:folder:_files -/' '--version[the version]'\n"
		   "\t\t'--help[the commands]') ;;\n");
	each_command(cmds, zsh_command, o);
	out_str(o, "\tesac\n}\n");
	out_str(o, zsh_code);
}

static const struct opt opts[] = { OPT_END };

static int completion_run(struct ctx *c, void *want UNUSED, int argc, char **argv)
{
	struct err e = { 0 };

	if (argc == 1 && !strcmp(argv[0], "bash")) {
		bash(c->out);
	} else if (argc == 1 && !strcmp(argv[0], "zsh")) {
		zsh(c->out);
	} else {
		err_set(&e, EINVAL, "for which shell? There is bash, and zsh");
		return cmd_usage(c, cmd_find("completion"), &e);
	}
	return EXIT_DONE;
}

DEFINE_CMD(completion, .brief = "Print shell completion code for bash or zsh", .synopsis = "bash|zsh",
	   .details = PACKED("make install puts it into the shells' completion folders."),
	   .examples = PACKED(
		       "source <(sonde completion bash)\tfor this shell\n"
		       "sonde completion zsh > ~/.zfunc/_sonde\tin a folder of $fpath\n"),
	   .opts = opts, .want_size = 1, .run = completion_run);
