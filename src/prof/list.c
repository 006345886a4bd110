/* list.c - the table of profilers. */
#include "prof/list.h"

#define PROF(id) extern const struct prof_kind prof_##id;
#include "profs.def"
#undef PROF

const struct cmd *const profs[] = {
#define PROF(id) &prof_##id.cmd,
#include "profs.def"
#undef PROF
	NULL
};
