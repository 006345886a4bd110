/* sample_hits.h - count a recording's samples by address. */
#ifndef REPORT_SAMPLE_HITS_H
#define REPORT_SAMPLE_HITS_H

#include "analyse/hits.h"
#include "report/profile_filter.h"

struct sample_hits_want {
	const struct filter *filter;
	/* Count this function? Called once for many addresses of a function. Other samples only count in hits.all. */
	bool (*chosen)(void *arg, const struct sym_loc *l);
	void *arg;
};

/* Read all of the session. 0 or -errno. */
int sample_hits_read(struct hits *h, struct session *s, const struct sample_hits_want *w, struct err *e);

#endif
