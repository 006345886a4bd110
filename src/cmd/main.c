/* main.c - chooses the command, prepares its context, runs it. */
#include "base/kept.h"
#include "cmd/ftrace/verbs.h"
#include "cmd/general.h"
#include "cmd/options_list.h"
#include "sys/cut.h"
#include "sys/output.h"

#include <signal.h>
#include <unistd.h>

/* The files that are mapped at present; global because the SIGBUS handler needs them. */
static struct mapped_files mapped;

struct kept kept;

static void on_bus_error(int sig, siginfo_t *info, void *context UNUSED)
{
	/* Not in one of our mapped files: restore the default action, so that the repeated fault ends the process. */
	if (!cut_fill(&mapped, info->si_addr))
		signal(sig, SIG_DFL);
}

static void catch_cuts(struct sys *sys)
{
	struct sigaction how = { .sa_flags = SA_SIGINFO | SA_RESTART, .sa_sigaction = on_bus_error };

	sys->mapped = &mapped;
	sigaction(SIGBUS, &how, NULL);
}

/* Commands of the full sonde that this build leaves out ("report"); the list ends with an empty name. */
static const char left_out[] =
#define LEFT_OUT(name) name "\0"
#define LEFT_OUT_VERB(name)
#include "left_out.def"
#undef LEFT_OUT
#undef LEFT_OUT_VERB
	"";

/* Likewise the verbs of ftrace: "hist". */
static const char left_out_verbs[] =
#define LEFT_OUT(name)
#define LEFT_OUT_VERB(name) name "\0"
#include "left_out.def"
#undef LEFT_OUT
#undef LEFT_OUT_VERB
	"";

/* name: "report", "ftrace hist" */
static bool is_left_out(const char *name)
{
	bool is_verb = !strncmp(name, "ftrace ", 7);

	for (const char *s = is_verb ? left_out_verbs : left_out; *s; s += strlen(s) + 1)
		if (!strcmp(s, name + 7 * is_verb))
			return true;
	return false;
}

/* The commands that need no family in front: called as trace-cmd or perf-prof, the verbs of ftrace or prof. */
static const struct cmd *const *family_cmds(const struct ctx *c)
{
	const struct cmd *prof = strcmp(c->program, "perf-prof") ? NULL : cmd_find("prof");

	if (prof)
		return prof->verbs;
	return strcmp(c->program, "trace-cmd") ? cmds : verbs;
}

static void help_all(struct ctx *c, struct out *o)
{
	const struct cmd *const *list = family_cmds(c);

	enum { COMMAND = 15 };

	out_printf(o,
		   "Usage: %s [--sysroot DIR] COMMAND [options]\n\n"
		   "Profile and trace Linux on arm64 and x86_64: one static file.\n\n",
		   c->program);
	for (size_t i = 0; list[i]; i++)
		cmd_brief(list[i], COMMAND, o);
	out_printf(o,
		   "\n%s COMMAND --help shows a command's options and examples,\n"
		   "%s --version the version.\n",
		   c->program, c->program);
}

static int unknown_command(struct ctx *c, const char *name)
{
	struct nearest near;
	char text[160];
	const struct cmd *const *list = family_cmds(c);
	struct err e = { 0 };

	snprintf(text, sizeof(text), "%s%s", list == verbs ? "ftrace " : "", name);
	if (is_left_out(text)) {
		cmd_elsewhere(name, &e);
		return cmd_fail(c, &e);
	}
	nearest_init(&near, sv_from(name));
	for (size_t i = 0; list[i]; i++)
		nearest_feed(&near, list[i]->name);
	cmd_note(c, "unknown command '%s'%s", name, nearest_text(&near, text, sizeof(text)));
	out_printf(c->msg, "  %s --help lists the commands\n", c->program);
	out_flush(c->msg);
	/* perf exits with 1 here. */
	return cmd_is_perf(c) ? EXIT_FAILED : EXIT_USAGE;
}

/*
 * perf ftrace and trace-cmd both have a "profile", and they differ: `profile` is trace-cmd's here, and perf's is
 * `funcprofile`. Called as perf, only perf's own verbs are accepted: any other word is a command to run.
 */
static const struct cmd *find_verb(const struct ctx *c, const struct cmd *cmd, const char *name)
{
	if (!cmd_is_perf(c) || cmd->verbs != verbs)
		return cmd_verb(cmd->verbs, name);
	if (!strcmp(name, "trace"))
		return cmd;
	return !strcmp(name, "latency") ? cmd_verb(cmd->verbs, name) :
	       !strcmp(name, "profile") ? cmd_verb(cmd->verbs, "funcprofile") : NULL;
}

static int help(struct ctx *c, const char *name, const char *verb)
{
	const struct cmd *cmd = name ? cmd_verb(family_cmds(c), name) : NULL;

	if (name && !cmd)
		return unknown_command(c, name);
	if (cmd && cmd->verbs && verb && find_verb(c, cmd, verb))
		cmd = find_verb(c, cmd, verb);
	if (cmd)
		cmd_help(c, cmd, c->out);
	else
		help_all(c, c->out);
	return cmd_finish(c, EXIT_DONE);
}

/* Parse the options in front of the command. Returns the index of the command's name. */
static int global_options(struct ctx *c, struct sys *sys, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *a = argv[i];
		int words = general_option(argc - i, argv + i);

		if (words)
			i += words - 1;
		else if (!strcmp(a, "--sysroot") && i + 1 < argc)
			sys->root = argv[++i];
		else if (!strncmp(a, "--sysroot=", 10))
			sys->root = a + 10;
		else if (!strcmp(a, "-v") || !strcmp(a, "--verbose"))
			c->verbose++;
		else if (strcmp(a, "--no-pager"))
			break;
	}
	return i;
}

/* Is "ftrace hist" left out of this build? Without this check, hist would be taken for a program to run. */
static bool is_verb_left_out(const struct ctx *c, const struct cmd *cmd, const char *name, char full[64])
{
	snprintf(full, 64, "%s %s", cmd->name, name);
	return !cmd_is_perf(c) && is_left_out(full);
}

static int choose(struct ctx *c, int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : NULL;

	if (!name) {
		struct out *o = cmd_is_perf(c) ? c->out : c->msg;

		help_all(c, o);
		out_flush(o);
		return cmd_is_perf(c) ? EXIT_FAILED : EXIT_USAGE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return help(c, argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL);
	if (!strcmp(name, "--version") || (argc == 1 && !strcmp(name, "version"))) {
		out_printf(c->out, "sonde %s\n", SONDE_VERSION);
		return cmd_finish(c, EXIT_DONE);
	}
	if (!strcmp(name, "--options"))
		return options_list(c);

	/* Options of perf-prof itself are those of `sonde prof`. */
	if (name[0] == '-' && !strcmp(c->program, "perf-prof") && cmd_find("prof"))
		return cmd_start(c, cmd_find("prof"), cmd_find("prof"), argc + 1, argv - 1);

	const struct cmd *cmd = cmd_verb(family_cmds(c), name);
	const struct cmd *verb = cmd && cmd->verbs && argc > 1 ? find_verb(c, cmd, argv[1]) : NULL;

	char full[64];
	struct err e = { 0 };

	if (verb)
		return cmd_start(c, verb, cmd, argc - 1, argv + 1);
	if (cmd && cmd->verbs && argc > 1 && is_verb_left_out(c, cmd, argv[1], full)) {
		cmd_elsewhere(full, &e);
		return cmd_fail(c, &e);
	}
	/* Called as perf-prof, the command is a verb whose family is implied. */
	return cmd ? cmd_start(c, cmd, cmd->run ? cmd : cmd_find(cmd->family), argc, argv) : unknown_command(c, name);
}

static const char *program_name(const char *argv0)
{
	static const char *const families[] = { "perf", "trace-cmd", "perf-prof" };
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const char *base = slash ? slash + 1 : argv0;

	for (size_t i = 0; base && i < ARRAY_SIZE(families); i++)
		if (!strcmp(base, families[i]))
			return families[i];
	return "sonde";
}

int main(int argc, char **argv)
{
	char out_buf[65536], msg_buf[1024];
	struct sys sys = sys_live;
	struct output out_file = { .sys = &sys_live, .fd = STDOUT_FILENO };
	struct output msg_file = { .sys = &sys_live, .fd = STDERR_FILENO };
	struct out out, msg;
	struct ctx c = { .sys = &sys, .out = &out, .msg = &msg, .program = program_name(argv[0]),
		.argc = argc, .argv = argv };

	/* A closed pipe is handled where it is written to, as EPIPE. */
	signal(SIGPIPE, SIG_IGN);
	catch_cuts(&sys);
	output_text(&out_file, &out, out_buf, sizeof(out_buf));
	output_text(&msg_file, &msg, msg_buf, sizeof(msg_buf));

	int at = global_options(&c, &sys, argc, argv);

	return choose(&c, argc - at, argv + at);
}
