/* data_json.h - a recording's samples as `perf data convert --to-json` writes them. */
#ifndef CMD_DATA_JSON_H
#define CMD_DATA_JSON_H

#include "source/session.h"

/* captured: when the recording was written, seconds since 1970. 0 or -errno; write errors stay in o->error. */
int data_json(struct session *s, int64_t captured, struct out *o, struct err *e);

#endif
