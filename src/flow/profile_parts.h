/* profile_parts.h - between the files of the profile. */
#ifndef FLOW_PROFILE_PARTS_H
#define FLOW_PROFILE_PARTS_H

#include "flow/profile.h"

int profile_frames_init(struct profile *p);   /* 0 or -ENOMEM */

#endif
