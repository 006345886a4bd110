/* sources.h - lines of source files, read from the compiler's paths, or from these below a prefix as with --symfs. */
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H

#include "base/str.h"
#include "base/vec.h"
#include "sys/sys.h"

struct source_file {
	const char *path;       /* borrowed and interned: equal ones are equal pointers */
	const char *bytes;      /* NULL: not readable */
	size_t n;
	VEC(uint32_t) starts;   /* offsets of its lines */
	uint32_t shown;         /* the highest line shown so far */
};

struct sources {
	const struct sys *sys;
	const char *prefix;     /* prefix for all paths, or NULL */
	VEC(struct source_file) files;
};

/* The file of an interned path; NULL: no memory. Valid until the next call. */
struct source_file *sources_file(struct sources *s, const char *path);

/* The text of a line, numbered from 1; false: no such line. Borrowed until sources_deinit(). */
bool sources_line(const struct source_file *f, uint32_t line, struct sv *text);

void sources_deinit(struct sources *s);

#endif
