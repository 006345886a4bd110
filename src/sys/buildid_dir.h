/* buildid_dir.h - folder of the build-id cache (sym/buildid_cache.h). */
#ifndef SYS_BUILDID_DIR_H
#define SYS_BUILDID_DIR_H

#include "base/base.h"

/* perf's variable, which children inherit; --buildid-dir sets it. */
#define BUILDID_DIR_VARIABLE "PERF_BUILDID_DIR"

/*
 * Write the folder to buf; NULL: unknown. symfs: folder of another machine's files, in which its cache may be, or NULL.
 */
const char *buildid_dir(const char *symfs, char *buf, size_t size);

#endif
