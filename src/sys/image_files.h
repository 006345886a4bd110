/* image_files.h - modules' files (image/files.h) as the system has them. */
#ifndef SYS_IMAGE_FILES_H
#define SYS_IMAGE_FILES_H

#include "image/files.h"
#include "sys/sys.h"

/* Ours, not those that a process sees; sys must stay. */
struct image_files sys_image_files(const struct sys *sys);

#endif
