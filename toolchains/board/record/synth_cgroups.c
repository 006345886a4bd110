/* synth_cgroups.c - a board's sonde does not tell which control groups there are. */
#include "record/synth.h"

int synth_cgroups(struct synth *s UNUSED, struct err *e)
{
	return err_set(e, EOPNOTSUPP, "--all-cgroups: that takes the whole sonde");
}
