/*
 * dsos.h - the files that were mapped executable during a recording, and which file it was that a path named then: a
 * path alone may mean another file by the end of the recording (an upgrade, a deletion) or in another mount namespace
 * (a container).
 */
#ifndef RECORD_DSOS_H
#define RECORD_DSOS_H

#include "base/map.h"
#include "obj/elf/build_id.h"
#include "sys/sys.h"

struct dso_seen {
	int pid;           /* who mapped it first; 0: a kernel module */
	uint64_t ino;      /* as the mapping says, 0: it does not */
	bool ambiguous;    /* the same path named different files */
};

struct dsos {
	struct names names;            /* path, or module name in brackets -> index */
	VEC(struct dso_seen) seen;     /* by index */
	uint64_t since;                /* CLOCK_REALTIME when the watching began, ns; 0: not told */
};

/* Note a mapping. 0 or -ENOMEM, and then it is not noted. */
int dsos_add(struct dsos *d, struct sv path, int pid, uint64_t ino);

/*
 * Build id of the file that was mapped: 1; 0: it has none; -ESTALE: it is gone, or the path may mean another file now:
 * its inode differs, or it was changed after the watching began and nobody is left who had mapped it.
 */
int dsos_build_id(const struct dsos *d, const struct sys *sys, size_t i, struct build_id *id);

void dsos_deinit(struct dsos *d);

#endif
