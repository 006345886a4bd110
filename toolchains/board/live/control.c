/* control.c - a board's sonde has no option for it. */
#include "live/control.h"

int control_open(struct control *c UNUSED, const struct sys *sys UNUSED, const char *how UNUSED, struct err *e)
{
	return err_set(e, EOPNOTSUPP, "this build is not controlled by others");
}

void control_close(struct control *c UNUSED)
{
}

void control_read(struct control *c UNUSED)
{
}

enum control_what control_next(struct control *c UNUSED)
{
	return CONTROL_END;
}

void control_ack(struct control *c UNUSED)
{
}
