/* general.c - see general.h. */
#include "cmd/general.h"

#include "sys/buildid_dir.h"

int general_option(int argc, char **argv)
{
	static const char name[] = "--buildid-dir";
	size_t n = sizeof(name) - 1;
	const char *value = argv[0] + n;

	if (strncmp(argv[0], name, n) != 0 || (*value && *value != '=') || (!*value && argc < 2))
		return 0;
	setenv(BUILDID_DIR_VARIABLE, *value ? value + 1 : argv[1], 1);
	return *value ? 1 : 2;
}
