/*
 * data_src.h - where the data of a memory access came from: union perf_mem_data_src of linux/perf_event.h (up to 6.18)
 * as text.
 */
#ifndef PERF_DATA_SRC_H
#define PERF_DATA_SRC_H

#include "base/fmt.h"

/* All parts: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK No|BLK  N/A", as perf writes them since 6.1. */
void data_src_text(uint64_t v, struct out *o);

enum data_src_part { DATA_SRC_LEVEL, DATA_SRC_SNOOP, DATA_SRC_TLB, DATA_SRC_LOCKED, DATA_SRC_BLOCKED };

/* One part, without its title: "L1 hit". */
void data_src_part_text(uint64_t v, enum data_src_part what, struct out *o);

/* "4K", "2M": the size of a page in bytes; "N/A": not known. */
void data_page_text(uint64_t bytes, struct out *o);

#endif
