/*
 * cut.h - a mapped file that its owner cuts while it is read: the kernel sends SIGBUS for the pages that are gone
 * (mmap(2)), and so it does for a page that its disk cannot give.
 */
#ifndef SYS_CUT_H
#define SYS_CUT_H

#include "base/mapped.h"

/*
 * For a handler of SIGBUS: from the page of addr on the file reads as zeros, and is marked as cut. false: addr is in no
 * file of them.
 */
bool cut_fill(struct mapped_files *fs, const void *addr);

#endif
