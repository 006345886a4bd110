/* facts_places.c - a board's sonde does not tell which CPUs share cores and sockets. */
#include "machine/places.h"

int facts_places(struct feature_set *f UNUSED, const struct sys *sys UNUSED)
{
	return 0;
}
