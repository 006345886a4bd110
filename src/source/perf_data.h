/* perf_data.h - a perf.data as a source. */
#ifndef SOURCE_PERF_DATA_H
#define SOURCE_PERF_DATA_H

#include "perf/file.h"
#include "source/found.h"
#include "source/source.h"
#include "spe/wanted.h"

/* Records come in the order of the file; those that end a round are given, too; a small file is read as a large one. */
enum { PERF_DATA_RAW = 1, PERF_DATA_ROUNDS = 2, PERF_DATA_READ = 4 };

struct spe_told;

struct perf_data_want {
	unsigned how;              /* PERF_DATA_* */
	struct spe_want spe;       /* what is made of such records; of RAW recordings nothing is */
};

/* found stays borrowed. -EBADMSG ..., as perf_file_init. */
int perf_data_open(struct source **to, const struct sys *sys, const struct found *found, const struct perf_data_want *w,
		   struct err *e);

/* What was lost of the records of the statistical profiling extension; NULL: the source has none. */
const struct spe_told *perf_data_spe(const struct source *s);

/* What its header tells beside the head; NULL: the source is no perf.data. */
const struct perf_file *perf_data_file(const struct source *s);

#endif
