/* main.c - choose the command, prepare its context, run it. */
#include "cmd/cmd.h"
#include "sys/tty.h"

#include <signal.h>
#include <unistd.h>

static int write_fd(void *arg, const char *bytes, size_t n)
{
	return sys_write_all(&sys_live, *(const int *)arg, bytes, n);
}

static void help_all(struct ctx *c, struct out *o)
{
	out_printf(o,
		   "Usage: %s [--sysroot DIR] COMMAND [options]\n\n"
		   "Profile and trace Linux on arm64 and x86_64: one static file, nothing else needed.\n\n",
		   c->program);
	for (size_t i = 0; cmds[i]; i++)
		out_printf(o, "  %-10s %s\n", cmds[i]->name, cmds[i]->brief);
	out_printf(o, "\n%s COMMAND --help shows a command's options and examples; %s --version the version.\n",
		   c->program, c->program);
}

static int unknown_command(struct ctx *c, const char *name)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, sv_from(name));
	for (size_t i = 0; cmds[i]; i++)
		nearest_feed(&near, cmds[i]->name);
	cmd_note(c, "unknown command '%s'%s", name, nearest_text(&near, text, sizeof(text)));
	out_printf(c->msg, "  %s --help lists the commands\n", c->program);
	out_flush(c->msg);
	return EXIT_USAGE;
}

static int run(struct ctx *c, const struct cmd *cmd, int argc, char **argv)
{
	struct err e = { 0 };
	void *want = calloc(1, cmd->want_size + 1);

	if (!want) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	if (cmd->defaults)
		cmd->defaults(want);

	int at = opt_parse(cmd->opts, want, argc, argv, &e), code;

	if (at == -ECANCELED) {
		cmd_help(c, cmd, c->out);
		code = EXIT_DONE;
	} else if (at < 0) {
		code = cmd_usage(c, cmd, &e);
	} else {
		code = cmd->run(c, want, argc - at, argv + at);
	}
	free(want);
	return cmd_finish(c, code);
}

static int help(struct ctx *c, const char *name)
{
	const struct cmd *cmd = name ? cmd_find(name) : NULL;

	if (name && !cmd)
		return unknown_command(c, name);
	if (cmd)
		cmd_help(c, cmd, c->out);
	else
		help_all(c, c->out);
	return cmd_finish(c, EXIT_DONE);
}

/* Options in front of the command's name. Returns the index of the command. */
static int global_options(struct ctx *c, struct sys *sys, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *a = argv[i];

		if (!strcmp(a, "--sysroot") && i + 1 < argc)
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

static int choose(struct ctx *c, int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : NULL;

	if (!name) {
		help_all(c, c->msg);
		out_flush(c->msg);
		return EXIT_USAGE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return help(c, argc > 1 ? argv[1] : NULL);
	if (!strcmp(name, "--version") || !strcmp(name, "version")) {
		out_printf(c->out, "sonde %s\n", SONDE_VERSION);
		return cmd_finish(c, EXIT_DONE);
	}

	const struct cmd *cmd = cmd_find(name);

	return cmd ? run(c, cmd, argc, argv) : unknown_command(c, name);
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
	int out_fd = STDOUT_FILENO, msg_fd = STDERR_FILENO;
	struct sys sys = sys_live;
	struct out out = { .write = write_fd, .arg = &out_fd, .buf = out_buf, .cap = sizeof(out_buf) };
	struct out msg = { .write = write_fd, .arg = &msg_fd, .buf = msg_buf, .cap = sizeof(msg_buf) };
	struct ctx c = { .sys = &sys, .out = &out, .msg = &msg, .program = program_name(argv[0]),
		.argc = argc, .argv = argv };

	/* A reader that goes away shows as EPIPE at the write, where it is handled. */
	signal(SIGPIPE, SIG_IGN);
	tty_setup(&out, out_fd);
	tty_setup(&msg, msg_fd);

	int at = global_options(&c, &sys, argc, argv);

	return choose(&c, argc - at, argv + at);
}
