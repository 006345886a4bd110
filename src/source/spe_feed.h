/*
 * spe_feed.h - samples made of the records of Arm's statistical profiling extension, at their place in time among a
 * recording's own records. As in perf a sample may be of several made events; perf's names and layouts.
 */
#ifndef SOURCE_SPE_FEED_H
#define SOURCE_SPE_FEED_H

#include "perf/file.h"
#include "source/source.h"
#include "source/spe_buffers.h"
#include "spe/wanted.h"

struct spe_told {
	struct spe_stats stats;
	uint64_t truncated, collided, partial;   /* buffers: AUX records with these flags */
	uint64_t nobodys;        /* records of which neither they nor switches tell whose they are */
};

struct spe_feed;

/*
 * Adds the events that are made to the file's head. *to stays NULL when the file has no such buffers, or has them and
 * they cannot be read, which a note tells. The file is borrowed. 0 or -ENOMEM.
 */
int spe_feed_new(struct spe_feed **to, struct perf_file *file, const struct spe_want *w, struct err *e);
void spe_feed_free(struct spe_feed *f);   /* may be NULL */

/* Tracers that run. Borrowed, as is the head, until spe_feed_free. */
struct spe_tracer {
	uint32_t cpu, tid;       /* tid UINT32_MAX: of all that run there */
	uint64_t midr;           /* 0: unknown */
};
struct spe_live {
	const struct spe_tracer *tracers;
	size_t n;
	uint32_t pmu;            /* type of their event, which is one of the head's */
	struct spe_clock clock;
	/* What the i-th has written since the last time, which stays until the next. base: see spe_packet_next. */
	int (*take)(void *arg, size_t i, struct bytes *b, uint64_t *base);
	void *arg;
};
int spe_feed_new_live(struct spe_feed **to, struct perf_head *head, const struct spe_live *live,
		      const struct spe_want *w, struct err *e);

/* As source_next, of the records that `plain` gives and the samples. */
int spe_feed_next(struct spe_feed *f, struct source *s, struct source_rec *rec,
		  int (*plain)(struct source *s, struct source_rec *rec));

const struct spe_told *spe_feed_told(const struct spe_feed *f);

#endif
