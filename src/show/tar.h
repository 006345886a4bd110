/*
 * tar.h - writes a tar archive: POSIX.1-1988's ustar, with GNU's extension for names and links longer than 100 bytes,
 * which all tars understand. Folders need no entries.
 */
#ifndef SHOW_TAR_H
#define SHOW_TAR_H

#include "base/fmt.h"

void tar_file(struct out *o, const char *name, unsigned mode, const void *bytes, size_t n);
void tar_link(struct out *o, const char *name, const char *target);
void tar_end(struct out *o);

#endif
