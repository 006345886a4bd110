/* buildid_dir.c - see buildid_dir.h. */
#include "sys/buildid_dir.h"

const char *buildid_dir(const char *symfs, char *buf, size_t size)
{
	const char *named = getenv(BUILDID_DIR_VARIABLE), *home = symfs ? symfs : getenv("HOME");
	size_t n;

	if (named && named[0])
		n = (size_t)snprintf(buf, size, "%s", named);
	else if (home && home[0])
		n = (size_t)snprintf(buf, size, "%s/.debug", home);
	else
		return NULL;
	return n < size ? buf : NULL;
}
