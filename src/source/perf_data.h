/* perf_data.h - a perf.data as a source. */
#ifndef SOURCE_PERF_DATA_H
#define SOURCE_PERF_DATA_H

#include "perf/file.h"
#include "source/found.h"
#include "source/source.h"

/* Records come in the order of the file; those that end a round are given, too. */
enum { PERF_DATA_RAW = 1, PERF_DATA_ROUNDS = 2 };

/* found stays borrowed. how: PERF_DATA_*. -EBADMSG ..., as perf_file_init. */
int perf_data_open(struct source **to, const struct sys *sys, const struct found *found, unsigned how, struct err *e);

/* What its header tells beside the head; NULL: the source is no perf.data. */
const struct perf_file *perf_data_file(const struct source *s);

#endif
