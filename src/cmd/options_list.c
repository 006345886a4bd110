#include "cmd/options_list.h"

static void list(struct ctx *c, const struct cmd *const *of)
{
	char name[64];

	for (; *of; of++) {
		const char *family = (*of)->family;

		snprintf(name, sizeof(name), "%s%s%s", family ? family : "", family ? " " : "", (*of)->name);
		opt_list((*of)->opts, name, c->out);
		if ((*of)->verbs)
			list(c, (*of)->verbs);
	}
}

int options_list(struct ctx *c)
{
	list(c, cmds);
	return cmd_finish(c, EXIT_DONE);
}
