/* src_file.h - the source of a program, where it is on this machine: for lines by pattern, and to show it. */
#ifndef PROBING_SRC_FILE_H
#define PROBING_SRC_FILE_H

#include "probing/subject.h"

struct src_file {
	char *text;
	size_t n;
	char path[PATH_MAX];     /* where it was found */
	VEC(struct sv) lines;
};

/* file as the debug information has it; --source replaces the folder that it was compiled in. -ENOENT, with the path.
 */
int src_file_open(struct src_file *src, const struct subject *s, const char *file, const char *comp_dir, struct err *e);
void src_file_close(struct src_file *src);

struct sv src_file_line(const struct src_file *src, unsigned line);   /* from 1; empty: there is none */

/* Does the line match the pattern, white space aside? */
bool src_file_matches(const struct src_file *src, unsigned line, struct sv pattern);

/* The last line that code of this function has in its own file. */
unsigned src_file_end_of(const struct dwarf_func *f);

#endif
