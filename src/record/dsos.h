/*
 * dsos.h - the files that were mapped executable during a recording, for their build ids at its end. By then a path may
 * name another file (after an upgrade or deletion, or in another mount namespace), so pid and inode are kept, too.
 */
#ifndef RECORD_DSOS_H
#define RECORD_DSOS_H

#include "base/map.h"
#include "obj/elf/build_id.h"
#include "sys/sys.h"

struct dso_seen {
	int pid;           /* first process that mapped it; 0: a kernel module */
	uint64_t ino;      /* inode in the MMAP2 record; 0: unknown */
	bool ambiguous;    /* the path named files with different inodes */
};

struct dsos {
	struct names names;            /* path, or module name in brackets -> index */
	VEC(struct dso_seen) seen;     /* by index */
	uint64_t since;                /* ns of CLOCK_REALTIME when the recording began; 0: unknown */
};

/* Add a mapped file. 0, or -ENOMEM: it is not added. */
int dsos_add(struct dsos *d, struct sv path, int pid, uint64_t ino);

/*
 * Build id of file i. 1; 0: it has none; -ESTALE: the file is gone, or the path may name another one now: its inode
 * differs, or it was changed after `since` and the process that mapped it has ended.
 */
int dsos_build_id(const struct dsos *d, const struct sys *sys, size_t i, struct build_id *id);

void dsos_deinit(struct dsos *d);

#endif
