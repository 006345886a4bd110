/* feature_parts.h - for the files that write feature sections. */
#ifndef PERF_FEATURE_PARTS_H
#define PERF_FEATURE_PARTS_H

#include "perf/feature.h"

/* Start a section: what is written to the returned stream until feature_end() is its body. */
struct out *feature_begin(struct feature_set *s, enum perf_feature f);
void feature_end(struct feature_set *s);

#endif
