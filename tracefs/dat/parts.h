/* parts.h - what the files of the trace.dat reader share; no other file includes it. */
#ifndef TRACEFS_DAT_PARTS_H
#define TRACEFS_DAT_PARTS_H

#include "tracefs/dat/dat.h"

enum {
	DAT_CPUS_MAX = 65536,
	DAT_NOTES_MAX = 20,
	DAT_UNPACKED_MAX = 512 << 20,        /* bytes of all sections after unpacking */
	DAT_CHUNK_MAX = 16 << 20,            /* bytes of a chunk of ring data after unpacking */
	DAT_SECTION_PACKED = 1,              /* flag in a section's header */
};

/* Note that data are lost; formats as err_set(). The first DAT_NOTES_MAX notes are kept. */
void dat_missing(struct tdat *d, const char *fmt, ...) PRINTF(2, 3);

/* The next chunk of compressed ring data: its bytes as compressed, and its size when decompressed. False at the end. */
bool dat_chunk(struct cursor *c, struct sv *packed, uint32_t *size);

/*
 * Add a ring to buffer b, truncated at the end of the file. -ENOMEM; -EBADMSG when there are more rings or data than
 * the file could hold: such rings overlap, and reading them could take for ever.
 */
int dat_add_cpu(struct tdat *d, struct tdat_buffer *b, struct tdat_cpu cpu, struct err *e);

/* Collect an option; its data stay borrowed. -ENOMEM. */
int dat_add_option(struct tdat *d, uint16_t id, struct sv data);

/* Take what the collected options say: times, numbers of CPUs. */
void dat_apply_options(struct tdat *d);

/* The clock in brackets of a text like "local [global] mono"; "" when none is. Lives in the arena. */
const char *dat_chosen(struct tdat *d, struct sv text);

/* Read the rest of the file, from behind the blob (version 6) or behind the page size (version 7). */
int dat_read_6(struct tdat *d, struct cursor *c, struct err *e);
int dat_read_7(struct tdat *d, struct cursor *c, struct err *e);

/* The text of a latency tracer: plain, or in compressed chunks. */
int dat_read_text_7(struct tdat *d, struct tdat_buffer *b, bool is_packed, struct sv data, struct err *e);

/* Find the buffers in sections from off on that no option describes. */
int dat_recover_7(struct tdat *d, uint64_t off, struct err *e);

#endif
