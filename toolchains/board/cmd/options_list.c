/* options_list.c - the tests ask the whole of sonde. */
#include "cmd/options_list.h"

int options_list(struct ctx *c)
{
	struct err e = { 0 };

	cmd_elsewhere("--options", &e);
	return cmd_fail(c, &e);
}
