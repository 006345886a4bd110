/* features.h - perf's build features (`version --build-options`, `check feature`), and whether sonde has the like. */
#ifndef CMD_FEATURES_H
#define CMD_FEATURES_H

#include "base/fmt.h"

struct feature_here {
	const char *name, *macro;    /* the name in perf's lists; the HAVE_ macro in perf's sources */
	bool is_here;
};

extern const struct feature_here features_here[];   /* sorted by name; a NULL name at the end */

/* Find it by name or macro, ignoring case; NULL: perf has no such feature either. */
const struct feature_here *feature_find(struct sv name);

/* Print the line that perf prints for the feature. */
void feature_print(const struct feature_here *f, struct out *o);

#endif
