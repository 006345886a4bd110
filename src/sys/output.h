/*
 * output.h - every file that the tool makes goes through here: in a folder that others can write to nobody's link
 * sends us elsewhere, and nobody's file gets what was meant for ours.
 *
 * A file that is there gives way to a new one: who has it open, or has another name for it, keeps what it was. Links
 * are followed as fs.protected_symlinks has it (the kernel's Documentation/admin-guide/sysctl/fs.rst), whether it is
 * set or not: in a folder that anybody can write to, only those of ours and of the folder's owner. The same holds for
 * files, as fs.protected_regular has it. Pipes and devices are written as they are.
 */
#ifndef SYS_OUTPUT_H
#define SYS_OUTPUT_H

#include "base/fmt.h"
#include "sys/sys.h"

enum output_how {
	OUTPUT_REPLACE,
	OUTPUT_KEEP_OLD,     /* a file that is there, and not empty, becomes PATH.old */
	OUTPUT_APPEND,       /* a file that is there goes on */
	OUTPUT_BESIDE,       /* the name is derived from another one: no link is followed, no pipe is meant */
};

enum { OUTPUT_PRIVATE = 0600, OUTPUT_PUBLIC = 0666 };

struct output {
	const struct sys *sys;
	int fd;
	bool made;               /* a new file: it can be removed */
	bool kept_old;
	char path[PATH_MAX];     /* behind the links */
};

/* flags: O_RDWR or O_WRONLY. 0, or -errno with the path named. */
int output_open(struct output *o, const struct sys *sys, const char *path, enum output_how how, unsigned mode,
		int flags, struct err *e);

/* Would it be refused? Nothing is touched. */
int output_check(const struct sys *sys, const char *path, struct err *e);

/* What was written stays. 0, or -errno. */
int output_close(struct output *o);

/* `write` of a struct out whose arg is the struct output. */
int output_write(void *o, const char *bytes, size_t n);

/* Text to an open one (its fd and sys are all that counts), as is fit for what is behind it. */
void output_text(struct output *o, struct out *to, char *buf, size_t size);

/* The text is over: it stays, or, where not all of it could be written, the file is as it was before. 0, or -errno. */
int output_end(struct output *o, struct out *text);

/* Text of which nothing may come: a file that is there gives way when the first of it is written, or out_begin()s. */
struct output_late {
	struct output file;
	const char *path;        /* as given, borrowed */
	bool waits, begun;       /* for that first; it came */
	struct err why;          /* of a write that failed */
};

/* A struct out over buf. What has no other chance to fail fails here: 0, or -errno. */
int output_late(struct output_late *l, const struct sys *sys, const char *path, struct out *to, char *buf, size_t size,
		struct err *e);

/* r: of the work whose text it was; what failed before it wrote leaves all as it was. 0, or -errno. */
int output_late_end(struct output_late *l, struct out *from, int r, struct err *e);

/* Nothing came of it: what was made goes, and what was kept is back. */
void output_discard(struct output *o);

/* A file that must not be there yet: a descriptor, or -errno. */
int output_new(const struct sys *sys, const char *path, int flags, unsigned mode);

#endif
