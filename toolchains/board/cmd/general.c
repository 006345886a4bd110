/* general.c - a board's sonde makes no reports. */
#include "cmd/general.h"

#include "base/base.h"

int general_option(int argc UNUSED, char **argv UNUSED)
{
	return 0;
}
