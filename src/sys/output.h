/*
 * output.h - makes every file that the tool writes, safe in folders where others can write: nobody's link can redirect
 * the output, and nobody else's file receives it.
 *
 * An existing file is replaced by a new one: whoever has it open, or a hard link to it, keeps the old contents. Links
 * are followed as by fs.protected_symlinks (the kernel's Documentation/admin-guide/sysctl/fs.rst), whether it is
 * set or not: in a world-writable folder only those owned by us or by the folder's owner. Existing files are treated as
 * by fs.protected_regular. Pipes and devices are written as they are.
 */
#ifndef SYS_OUTPUT_H
#define SYS_OUTPUT_H

#include "base/fmt.h"
#include "sys/sys.h"

enum output_how {
	OUTPUT_REPLACE,
	OUTPUT_KEEP_OLD,     /* an existing, non-empty file is renamed to PATH.old */
	OUTPUT_APPEND,       /* an existing file is appended to */
	OUTPUT_BESIDE,       /* the name is derived from another one: never follow a link or write a pipe */
};

enum { OUTPUT_PRIVATE = 0600, OUTPUT_PUBLIC = 0666 };

struct output {
	const struct sys *sys;
	int fd;
	bool made;               /* a new file was made: it can be removed */
	bool kept_old;
	char path[PATH_MAX];     /* with links resolved */
};

/* flags: O_RDWR or O_WRONLY. 0, or -errno with the path named. */
int output_open(struct output *o, const struct sys *sys, const char *path, enum output_how how, unsigned mode,
		int flags, struct err *e);

/* Would output_open be refused? Changes nothing. */
int output_check(const struct sys *sys, const char *path, struct err *e);

/* Close, and keep what was written. 0, or -errno. */
int output_close(struct output *o);

/* `write` callback of a struct out whose arg is the struct output. */
int output_write(void *o, const char *bytes, size_t n);

/* Initialise `to` for text to an open file (only fd and sys are used), buffered as fits its kind. */
void output_text(struct output *o, struct out *to, char *buf, size_t size);

/* End the text: keep it, or, if not all could be written, restore the file as it was. 0, or -errno. */
int output_end(struct output *o, struct out *text);

/* Output that may stay empty: an existing file is replaced only when the first text is written, or by out_begin(). */
struct output_late {
	struct output file;
	const char *path;        /* as given, borrowed */
	bool waits, begun;       /* for the first text; it was written */
	struct err why;          /* of a failed write */
};

/* Initialise a struct out over buf. Errors that could not occur later are reported here: 0, or -errno. */
int output_late(struct output_late *l, const struct sys *sys, const char *path, struct out *to, char *buf, size_t size,
		struct err *e);

/* r: result of the work that wrote the text; if it failed before writing anything, nothing is changed. 0, or -errno. */
int output_late_end(struct output_late *l, struct out *from, int r, struct err *e);

/* Discard: remove the new file, and bring the old one back. */
void output_discard(struct output *o);

/* Create a file that must not exist yet: a descriptor, or -errno. */
int output_new(const struct sys *sys, const char *path, int flags, unsigned mode);

#endif
