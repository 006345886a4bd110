/*
 * spe_feed.h - synthesise samples from SPE records, and merge them by time with the recording's own records. As in perf
 * one SPE record may become samples of several synthesised events; their names and layouts are perf's.
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
	uint64_t nobodys;        /* records whose thread neither a context packet nor a SWITCH record tells */
};

struct spe_feed;

/*
 * Adds the synthesised events to the file's head. *to stays NULL when the file has no SPE buffers, or some that cannot
 * be decoded, for which it adds a note. The file is borrowed. 0 or -ENOMEM.
 */
int spe_feed_new(struct spe_feed **to, struct perf_file *file, const struct spe_want *w, struct err *e);
void spe_feed_free(struct spe_feed *f);   /* may be NULL */

/* Live SPE events. Borrowed, as is the head, until spe_feed_free(). */
struct spe_tracer {
	uint32_t cpu, tid;       /* tid UINT32_MAX: every thread on the CPU */
	uint64_t midr;           /* 0: unknown */
};
struct spe_live {
	const struct spe_tracer *tracers;
	size_t n;
	uint32_t pmu;            /* type of their event, which is one of the head's */
	struct spe_clock clock;
	/* The data that tracer i has written since the last call, valid until the next. base: see spe_packet_next(). */
	int (*take)(void *arg, size_t i, struct bytes *b, uint64_t *base);
	void *arg;
};
int spe_feed_new_live(struct spe_feed **to, struct perf_head *head, const struct spe_live *live,
		      const struct spe_want *w, struct err *e);

/* As source_next(): the records that `plain` returns, merged with the synthesised samples. */
int spe_feed_next(struct spe_feed *f, struct source *s, struct source_rec *rec,
		  int (*plain)(struct source *s, struct source_rec *rec));

const struct spe_told *spe_feed_told(const struct spe_feed *f);

#endif
