/* debuginfo.c - a board reads no debug information. */
#include "image/debuginfo.h"

int debuginfo_open(struct debuginfo *d, const struct image *of, const struct image *code, struct err *e)
{
	*d = (struct debuginfo){ .code = code };
	err_set(e, ENODATA, "%s: this build for boards reads no debug information", of->path ? of->path : "the vDSO");
	return err_hint(e, "arguments are %%REGISTER or $argN; the whole sonde prints a definition for here: probe -D");
}

void debuginfo_close(struct debuginfo *d UNUSED)
{
}
