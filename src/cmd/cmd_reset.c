/* cmd_reset.c - sonde reset --ours: restores the tracing settings that sonde changed. */
#include "cmd/cmd.h"
#include "tracing/undo.h"

struct reset_want {
	bool ours, all_users, quiet;
};

static const struct opt opts[] = {
	OPT_FLAG(0, "ours", struct reset_want, ours, "restore tracing settings that sonde changed"),
	OPT_FLAG(0, "all-users", struct reset_want, all_users,
		 "as root: --ours, and what ended runs of other users left behind"),
	OPT_FLAG('q', "quiet", struct reset_want, quiet, "do not print what was restored"),
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

DEFINE_CMD(reset, .brief = "Restore the kernel's tracing settings that sonde changed",
	   .synopsis = "--ours | --all-users",
	   .details = PACKED(
		      "Restores what runs of sonde, killed ones included, made or changed, unless someone else changed "
		      "it since. --all-users: of other users' ended runs, objects with the run's name are removed, "
		      "values that they could write are set to a harmless value, the rest is only listed."),
	   .examples = PACKED(
		       "sonde reset --ours\tand prints what\n"
		       "sonde reset --all-users\tas root: also what killed runs of other users left\n"),
	   .opts = opts, .want_size = sizeof(struct reset_want), .run = reset_run);
