/* perf_data.h - a perf.data as a source. */
#ifndef SOURCE_PERF_DATA_H
#define SOURCE_PERF_DATA_H

#include "perf/file.h"
#include "source/found.h"
#include "source/source.h"
#include "spe/wanted.h"

/* Deliver records in file order; deliver FINISHED_ROUND records, too; read small files through panes, too. */
enum { PERF_DATA_RAW = 1, PERF_DATA_ROUNDS = 2, PERF_DATA_READ = 4 };

struct spe_told;

struct perf_data_want {
	unsigned how;              /* PERF_DATA_* */
	struct spe_want spe;       /* which samples to make of SPE records; none with PERF_DATA_RAW */
};

/* found stays borrowed. Errors as of perf_file_init(). */
int perf_data_open(struct source **to, const struct sys *sys, const struct found *found, const struct perf_data_want *w,
		   struct err *e);

/* Counts of lost and damaged SPE records; NULL: the source has none. */
const struct spe_told *perf_data_spe(const struct source *s);

/* The file, for what its header has beyond the head; NULL: the source is no perf.data. */
const struct perf_file *perf_data_file(const struct source *s);

#endif
