/*
 * cut.h - a mapped file may be truncated while it is read: access to missing pages raises SIGBUS (mmap(2)), as it does
 * when the disk cannot read a page.
 */
#ifndef SYS_CUT_H
#define SYS_CUT_H

#include "base/mapped.h"

/*
 * For the SIGBUS handler: map zeros over the file from the page of addr on, and mark it as cut. False: addr is in none
 * of the files.
 */
bool cut_fill(struct mapped_files *fs, const void *addr);

#endif
