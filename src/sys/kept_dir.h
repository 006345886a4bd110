/* kept_dir.h - where copies of files are kept by their build ids (sym/kept.h). */
#ifndef SYS_KEPT_DIR_H
#define SYS_KEPT_DIR_H

#include "base/base.h"

/* What perf looks at, too, and children inherit: --buildid-dir sets it. */
#define KEPT_DIR_VARIABLE "PERF_BUILDID_DIR"

/*
 * Into buf; NULL: nobody tells. symfs: of another machine's files, which may have their copies below the same folder,
 * or NULL.
 */
const char *kept_dir(const char *symfs, char *buf, size_t size);

#endif
