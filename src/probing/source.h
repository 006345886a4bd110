/* source.h - the source of a program, where it is on this machine: for lines by pattern, and to show it. */
#ifndef PROBING_SOURCE_H
#define PROBING_SOURCE_H

#include "probing/subject.h"

struct source {
	char *text;
	size_t n;
	char path[PATH_MAX];     /* where it was found */
	VEC(struct sv) lines;
};

/* file as the debug information has it; --source replaces the folder that it was compiled in. -ENOENT, with the path.
 */
int source_open(struct source *src, const struct subject *s, const char *file, const char *comp_dir, struct err *e);
void source_close(struct source *src);

struct sv source_line(const struct source *src, unsigned line);   /* from 1; empty: there is none */

/* Does the line match the pattern, white space aside? */
bool source_matches(const struct source *src, unsigned line, struct sv pattern);

/* The last line that code of this function has in its own file. */
unsigned source_end_of(const struct dwarf_func *f);

#endif
