/* sources.h - lines of source files, read where the compiler had them, or below a folder like --symfs. */
#ifndef REPORT_SOURCES_H
#define REPORT_SOURCES_H

#include "base/str.h"
#include "base/vec.h"
#include "sys/sys.h"

struct source_file {
	const char *path;       /* borrowed: equal ones are equal pointers */
	const char *bytes;      /* NULL: it cannot be read */
	size_t n;
	VEC(uint32_t) starts;   /* of its lines */
	uint32_t shown;         /* the highest line that was */
};

struct sources {
	const struct sys *sys;
	const char *prefix;     /* of all paths, or NULL */
	VEC(struct source_file) files;
};

/* The file of an interned path; NULL: no memory. Valid until the next call. */
struct source_file *sources_file(struct sources *s, const char *path);

/* From 1 on; false: it has no such line. Borrowed until sources_deinit. */
bool sources_line(const struct source_file *f, uint32_t line, struct sv *text);

void sources_deinit(struct sources *s);

#endif
