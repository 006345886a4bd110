/*
 * spe_feed.h - samples made of the records of Arm's statistical profiling extension, at their place in time among a
 * recording's own records. As in perf a sample may be of several made events; perf's names and layouts.
 */
#ifndef SOURCE_SPE_FEED_H
#define SOURCE_SPE_FEED_H

#include "perf/file.h"
#include "source/source.h"
#include "spe/wanted.h"

struct spe_told {
	struct spe_stats stats;
	uint64_t truncated, collided, partial;   /* buffers: AUX records with these flags */
};

struct spe_feed;

/*
 * Adds the events that are made to the file's head. *to stays NULL when the file has no such buffers, or has them and
 * they cannot be read, which a note tells. The file is borrowed. 0 or -ENOMEM.
 */
int spe_feed_new(struct spe_feed **to, struct perf_file *file, const struct spe_want *w, struct err *e);
void spe_feed_free(struct spe_feed *f);   /* may be NULL */

/* As source_next, of the records that `plain` gives and the samples. */
int spe_feed_next(struct spe_feed *f, struct source *s, struct source_rec *rec,
		  int (*plain)(struct source *s, struct source_rec *rec));

const struct spe_told *spe_feed_told(const struct spe_feed *f);

#endif
