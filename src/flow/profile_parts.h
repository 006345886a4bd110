/* profile_parts.h - between the files of the profile. */
#ifndef FLOW_PROFILE_PARTS_H
#define FLOW_PROFILE_PARTS_H

#include "flow/profile.h"

int profile_frames_init(struct profile *p);   /* 0 or -ENOMEM */

/* Number that stands for what is mapped in a process now; 0: no memory. */
uint32_t profile_space_of(struct profile *p, uint32_t pid);

#endif
