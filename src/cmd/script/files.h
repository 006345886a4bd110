/* files.h - script --per-event-dump: the lines of each event in a file of its own, RECORDING.EVENT.dump. */
#ifndef CMD_SCRIPT_FILES_H
#define CMD_SCRIPT_FILES_H

#include "cmd/cmd.h"
#include "report/lines.h"
#include "source/session.h"

struct script_file;

struct script_files {
	struct script_file *v;   /* indexed by the session's event; NULL: no --per-event-dump */
	size_t n;
};

/* Create the files, replacing existing ones; lw: how lines are written, with each file as its `out`. 0 or -errno. */
int script_files_open(struct script_files *f, const struct session *s, const struct lines_want *lw, struct err *e);

/* Where the lines of an event go: its file, or `others` without --per-event-dump. */
struct lines *script_files_lines(struct script_files *f, size_t event, struct lines *others);

/* Finish the files, and print a line for each. 0 or -errno. */
int script_files_end(struct script_files *f, struct ctx *c, struct err *e);

/* Removes the files that were not finished. */
void script_files_free(struct script_files *f);

#endif
