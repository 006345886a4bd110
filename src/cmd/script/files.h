/* files.h - script --per-event-dump: the lines of each event in a file of its own, RECORDING.EVENT.dump. */
#ifndef CMD_SCRIPT_FILES_H
#define CMD_SCRIPT_FILES_H

#include "cmd/cmd.h"
#include "report/lines.h"
#include "source/session.h"

struct script_file;

struct script_files {
	struct script_file *v;   /* by the session's index; NULL: no files */
	size_t n;
};

/* Files are made, those that are there replaced; lw: how lines are written, into `out` of each. 0, -errno. */
int script_files_open(struct script_files *f, const struct session *s, const struct lines_want *lw, struct err *e);

/* Where lines of an event go: `others` without files. */
struct lines *script_files_lines(struct script_files *f, size_t event, struct lines *others);

/* What was written stays, and is told, a line for each. 0, -errno. */
int script_files_end(struct script_files *f, struct ctx *c, struct err *e);

/* After an error nothing stays that was not ended. */
void script_files_free(struct script_files *f);

#endif
