/* cmd_reset.c - sonde reset --ours: the tracing file system as it was before us. */
#include "cmd/cmd.h"
#include "tracing/undo.h"

struct reset_want {
	bool ours, all_users, quiet;
};

static const struct opt opts[] = {
	OPT_FLAG(0, "ours", struct reset_want, ours, "put back what sonde has changed in the kernel's tracing"),
	OPT_FLAG(0, "all-users", struct reset_want, all_users,
		 "as root: --ours, and also what the dead runs of other users have left"),
	OPT_FLAG('q', "quiet", struct reset_want, quiet, "do not say what"),
	OPT_END,
};

static void say(void *arg, const char *line)
{
	struct ctx *c = arg;

	out_printf(c->out, "%s\n", line);
}

static int reset_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct reset_want *w = want;
	struct err e = { 0 };
	int r;

	if (!w->ours && !w->all_users) {
		err_set(&e, EINVAL, "say what: --ours puts back what sonde itself has changed");
		err_hint(&e, "sonde ftrace reset switches all tracing off, whoever has switched it on");
		return cmd_usage(c, cmd_find("reset"), &e);
	}
	r = undo_sweep(c->sys, w->all_users ? UNDO_ALL_USERS : UNDO_OURS, w->quiet ? NULL : say, c, &e);
	if (r < 0)
		return cmd_fail(c, &e);
	if (!r && !w->quiet)
		out_str(c->out, "nothing of ours was left\n");
	return EXIT_DONE;
}

DEFINE_CMD(reset, .brief = "Put back what sonde has changed in the kernel's tracing",
	   .synopsis = "--ours | --all-users",
	   .details = PACKED(
		      "What runs of sonde made or changed, killed ones too, unless others have changed it since. "
		      "--all-users: of others' runs, what has a dead one's name goes, what they could write gets a "
		      "harmless value, all else is named."),
	   .examples = PACKED(
		       "sonde reset --ours\tand it tells what\n"
		       "sonde reset --all-users\tas root: also what other users' killed runs have left\n"),
	   .opts = opts, .want_size = sizeof(struct reset_want), .run = reset_run);
