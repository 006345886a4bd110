/*
 * dsos.h - the files that were mapped executable during a recording, with their identity: by the end of the recording a
 * path may lead to another file (after an upgrade or a deletion), or mean another file in another mount namespace (a
 * container).
 */
#ifndef RECORD_DSOS_H
#define RECORD_DSOS_H

#include "base/map.h"
#include "obj/elf/build_id.h"
#include "sys/sys.h"

struct dso_seen {
	int pid;           /* the process that mapped it first; 0: a kernel module */
	uint64_t ino;      /* inode number of the mapping, 0: unknown */
	bool ambiguous;    /* the same path was mapped with different inodes */
};

struct dsos {
	struct names names;            /* path, or module name in brackets -> index */
	VEC(struct dso_seen) seen;     /* indexed by the numbers in names */
	uint64_t since;                /* CLOCK_REALTIME at the start, ns; 0: unknown */
};

/* Add a mapped file. 0, or -ENOMEM: it is not added. */
int dsos_add(struct dsos *d, struct sv path, int pid, uint64_t ino);

/*
 * Build-id of the file that was mapped: 1; 0: it has none; -ESTALE: it is gone, or the path may lead to another file
 * now, since the inode differs, or the file was changed after the start and the process that mapped it has ended.
 */
int dsos_build_id(const struct dsos *d, const struct sys *sys, size_t i, struct build_id *id);

void dsos_deinit(struct dsos *d);

#endif
