/* image_files.h - access to files of modules (image/files.h) by the table of system calls. */
#ifndef SYS_IMAGE_FILES_H
#define SYS_IMAGE_FILES_H

#include "image/files.h"
#include "sys/sys.h"

/* Files in our own mount namespace; sys must outlive it. */
struct image_files sys_image_files(const struct sys *sys);

#endif
