/*
 * tar.h - files as a tar: POSIX.1-1988's ustar, with GNU's records for names and links that are longer than 100 bytes,
 * as all who unpack it know them. Folders come of themselves.
 */
#ifndef SHOW_TAR_H
#define SHOW_TAR_H

#include "base/fmt.h"

void tar_file(struct out *o, const char *name, unsigned mode, const void *bytes, size_t n);
void tar_link(struct out *o, const char *name, const char *target);
void tar_end(struct out *o);

#endif
