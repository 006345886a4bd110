/* parts.h - what the files of the trace.dat reader share; nobody else includes it. */
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

/* Remember that what should be there is lost; formats as err_set(). The first few are kept. */
void dat_missing(struct tdat *d, const char *fmt, ...) PRINTF(2, 3);

/* The next chunk of compressed ring data: its packed bytes and its size unpacked. False at the end. */
bool dat_chunk(struct cursor *c, struct sv *packed, uint32_t *size);

/*
 * A ring of buffer b; what lies beyond the end of the file is cut off. -ENOMEM, -EBADMSG when there are more rings or
 * data than the file could hold: then they share bytes, and reading them could take for ever.
 */
int dat_add_cpu(struct tdat *d, struct tdat_buffer *b, struct tdat_cpu cpu, struct err *e);

/* After the options are known: the rest of them, each kind once. */
int dat_add_option(struct tdat *d, uint16_t id, struct sv data);
void dat_apply_options(struct tdat *d);

/* "local [global] mono": the chosen one, "" when there is none; owned by the arena. */
const char *dat_chosen(struct tdat *d, struct sv text);

/* The two versions, from behind the page size (7) or behind the blob (6). */
int dat_read_6(struct tdat *d, struct cursor *c, struct err *e);
int dat_read_7(struct tdat *d, struct cursor *c, struct err *e);

/* A tracer's own text: as it is, or in chunks. */
int dat_read_text_7(struct tdat *d, struct tdat_buffer *b, bool is_packed, struct sv data, struct err *e);

/* Buffers from off on that no option describes. */
int dat_recover_7(struct tdat *d, uint64_t off, struct err *e);

#endif
