/* features.h - what programs ask a perf whether it was built with: by perf's names, is it something that sonde does? */
#ifndef CMD_FEATURES_H
#define CMD_FEATURES_H

#include "base/fmt.h"

struct feature_here {
	const char *name, *macro;    /* in perf's lists; perf's sources */
	bool is_here;
};

extern const struct feature_here features_here[];   /* by name; a NULL name at the end */

/* By name or macro, in any case of letters; NULL: perf has none of that name either. */
const struct feature_here *feature_find(struct sv name);

/* A line as perf's. */
void feature_print(const struct feature_here *f, struct out *o);

#endif
