/* describe.h - a definition of the kernel's in the words of its source: which function, which line, which arguments. */
#ifndef PROBING_DESCRIBE_H
#define PROBING_DESCRIBE_H

#include "base/fmt.h"
#include "probing/subject.h"
#include "tracefs/grammar/dynevent.h"

struct describer {
	const struct sys *sys;
	struct kernel_image kernel;
	bool has_kernel, no_kernel;
	struct subject_want want;
	struct subject subject;  /* the program that the last definition was of */
	char path[PATH_MAX];     /* "" none */
	bool is_open;
};

void describer_init(struct describer *d, const struct sys *sys, const struct kernel_want *w);
void describer_deinit(struct describer *d);

/* "  probe_test:func_2      (on func_2:3@test.c in /usr/bin/test with number)", a line. */
void describe_put(struct describer *d, const struct dynevent *x, struct out *o);

/* ":LINE" within the function, and "@FILE", as far as debug information tells. False: it does not. */
bool describe_line(struct subject *s, uint64_t addr, bool at_start, struct out *o);

#endif
