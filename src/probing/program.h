/*
 * program.h - the program or library that is to be probed, by the name that somebody types, as the kernel will name it.
 */
#ifndef PROBING_PROGRAM_H
#define PROBING_PROGRAM_H

#include "image/module.h"
#include "sys/sys.h"

struct program_want {
	const char *file;        /* a path, or a name to look for in $PATH and where libraries are */
	const char *debug;       /* a file with its debug information, or NULL: looked for */
	int target_pid;          /* in whose mount namespace the path is; 0: ours */
};

/* files: of sys. -ENOENT, with where it was looked for; -ENOEXEC: of an unknown machine. */
int program_open(struct module *m, const struct sys *sys, const struct image_files *files,
		 const struct program_want *w, struct err *e);

#endif
