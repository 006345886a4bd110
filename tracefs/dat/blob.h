/*
 * blob.h - the description of a machine's trace events that recordings carry: perf.data's TRACING_DATA section and
 * the start of a trace.dat version 6 file. Reader and writer.
 *
 *   17 08 44 "tracing" VERSION\0  u8 big-endian  u8 sizeof(long)  u32 page size
 *   "header_page\0" u64 n, text   "header_event\0" u64 n, text
 *   u32 n { u64 n, format text }                                   ftrace's own events
 *   u32 n { system\0 u32 n { u64 n, format text } }
 *   u32 n, kallsyms   u32 n, printk_formats   u64 n, saved_cmdlines (VERSION 0.6 and trace.dat's 6)
 */
#ifndef TRACEFS_DAT_BLOB_H
#define TRACEFS_DAT_BLOB_H

#include "base/cursor.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/vec.h"
#include "tracefs/format/format.h"

struct tblob_format {
	struct sv system;   /* "ftrace" for the first group */
	struct sv text;     /* of the format file */
};

/* Pieces of text are borrowed from the input bytes. */
struct tblob {
	struct tmachine machine;    /* long size: header_page's commit field wins over the header */
	uint32_t page_size;
	struct sv version;          /* "0.6" from perf, "6" from trace-cmd */
	struct sv header_page, header_event;
	VEC(struct tblob_format) formats;   /* those of one system stand together; "ftrace" ones first */
	struct sv kallsyms, printk_formats, cmdlines;
	size_t used;                /* bytes of the input that belong to it */
};

/* Parse the blob; its bytes stay borrowed until tblob_deinit. -EBADMSG with the offset: b keeps the parts before it. */
int tblob_init(struct tblob *b, const void *bytes, size_t n, struct err *e);
void tblob_deinit(struct tblob *b);

/* The parts behind the page size, in this order. trace.dat version 7 keeps each in a section of its own. */
enum tblob_part {
	TBLOB_HEADERS,   /* header_page and header_event */
	TBLOB_FTRACE, TBLOB_EVENTS, TBLOB_KALLSYMS, TBLOB_PRINTK, TBLOB_CMDLINES,
};

/* From the magic to the page size: the start that all versions share. Sets the cursor's byte order. */
int tblob_read_start(struct tblob *b, struct cursor *c, struct err *e);

/* Read one part. A truncated part sets c->bad and returns 0; -ENOMEM. */
int tblob_read_part(struct tblob *b, enum tblob_part part, struct cursor *c, struct err *e);

/* Add a format to be written; texts are borrowed. 0 or -ENOMEM. */
int tblob_add(struct tblob *b, struct sv system, struct sv text);

/*
 * Write in this machine's byte order, whatever machine.swap says. An empty version means perf's. Formats of one system
 * need not stand together: they are gathered.
 */
void tblob_write(const struct tblob *b, struct out *o);
void tblob_write_start(const struct tblob *b, struct out *o);
void tblob_write_part(const struct tblob *b, enum tblob_part part, struct out *o);

#endif
