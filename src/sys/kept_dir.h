/* kept_dir.h - folder of the build-id cache (sym/kept.h). */
#ifndef SYS_KEPT_DIR_H
#define SYS_KEPT_DIR_H

#include "base/base.h"

/* perf's variable, which children inherit; --buildid-dir sets it. */
#define KEPT_DIR_VARIABLE "PERF_BUILDID_DIR"

/*
 * Write the folder to buf; NULL: unknown. symfs: folder of another machine's files, in which its cache may be, or NULL.
 */
const char *kept_dir(const char *symfs, char *buf, size_t size);

#endif
