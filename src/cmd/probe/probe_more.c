/* probe_more.c - options for debug information, and for files of another machine. */
#include "cmd/probe/probe.h"

#define W struct probe_want
const struct opt probe_more_opts[] = {
	OPT_HEAD("Debug information, and files of another machine"),
	OPT_STR(0, "debug-file", W, debug, "<file>", "file with the debug information of -x"),
	OPT_STR('s', "source", W, source, "<dir>", "source folder"),
	OPT_STR(0, "symfs", W, symfs, "<dir>",
		"with -F, -L, -V and -D: root folder of another machine's files, for -x and its debug information"),
	OPT_FLAG(0, "externs", W, externs, "with -V: global variables, too"),
	OPT_FLAG(0, "range", W, range, "with -V: location of each variable, or why it is unavailable"),
	OPT_REFUSED(0, "cache", OPT_NO_VALUE, "", "definitions are kept nowhere but in the kernel",
		    "sonde probe -D PLACE prints one: keep it, and give it to sonde probe again"),
	OPT_END,
};
#undef W

int probe_more_check(const struct probe_want *w, struct err *e)
{
	enum { OFFLINE = PROBE_FUNCS | PROBE_LINES | PROBE_VARS | PROBE_DEFINITION };

	if ((w->externs || w->range) && !(w->action & PROBE_VARS))
		return err_set(e, EINVAL, "%s goes with -V", w->externs ? "--externs" : "--range");
	if (!w->symfs)
		return 0;
	if (!*w->symfs)
		return err_set(e, EINVAL, "--symfs needs a name, which is empty here");
	if (!w->exec || w->target_ns)
		return err_set(e, EINVAL, "--symfs goes with -x, and not with --target-ns");
	return w->action & OFFLINE ? 0 : err_set(e, EINVAL, "--symfs goes with -F, -L, -V and -D: the kernel takes "
						 "files of this machine");
}
