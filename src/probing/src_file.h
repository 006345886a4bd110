/* src_file.h - a source file of a program on this machine: to find lines by pattern, and to show them. */
#ifndef PROBING_SRC_FILE_H
#define PROBING_SRC_FILE_H

#include "probing/subject.h"

struct src_file {
	char *text;
	size_t n;
	char path[PATH_MAX];     /* where it was found */
	VEC(struct sv) lines;
};

/*
 * file: the name in the debug information; --source replaces the folder in which it was compiled. -ENOENT, with the
 * path.
 */
int src_file_open(struct src_file *src, const struct subject *s, const char *file, const char *comp_dir, struct err *e);
void src_file_close(struct src_file *src);

struct sv src_file_line(const struct src_file *src, unsigned line);   /* counted from 1; empty: no such line */

/* Does the line match the pattern, white space aside? */
bool src_file_matches(const struct src_file *src, unsigned line, struct sv pattern);

/* The last line of the function's own file that has code of the function. */
unsigned src_file_end_of(const struct dwarf_func *f);

#endif
