/*
 * dat.h - trace.dat, the recording of trace-cmd and KernelShark: versions 6 (in sequence) and 7 (in sections, may be
 * compressed by zlib or zstd). The reader; dat/write.h is the writer.
 *
 * Bytes are mapped by the owner and borrowed. A truncated file is read as far as it goes, with a note.
 */
#ifndef TRACEFS_DAT_DAT_H
#define TRACEFS_DAT_DAT_H

#include "tracefs/dat/blob.h"
#include "tracefs/ring/stream.h"

enum tdat_option_id {
	TDAT_DONE = 0, TDAT_DATE, TDAT_CPUSTAT, TDAT_BUFFER, TDAT_TRACECLOCK, TDAT_UNAME, TDAT_HOOK, TDAT_OFFSET,
	TDAT_CPUCOUNT, TDAT_VERSION, TDAT_PROCMAPS, TDAT_TRACEID, TDAT_TIME_SHIFT, TDAT_GUEST, TDAT_TSC2NSEC,
	TDAT_STRINGS, TDAT_HEADER_INFO, TDAT_FTRACE_EVENTS, TDAT_EVENT_FORMATS, TDAT_KALLSYMS, TDAT_PRINTK,
	TDAT_CMDLINES, TDAT_BUFFER_TEXT, TDAT_BTF_FILE, TDAT_LAST_BOOT, TDAT_MODULES,
};

struct tdat_option {
	uint16_t id;
	struct sv data;          /* borrowed */
};

struct tdat_cpu {
	uint32_t cpu;
	uint64_t off, size;      /* of its ring data in the file, bytes; limited to what the file has */
	bool cut;
};

struct tdat_buffer {
	const char *name;        /* "" is the top-level buffer, else an instance */
	const char *clock;       /* chosen trace clock, "" unknown */
	uint32_t page_size;      /* of a sub-buffer, bytes */
	bool compressed;
	bool latency;            /* a "latency" file: a tracer's text in place of rings, in `text` */
	struct sv text;
	VEC(struct tdat_cpu) cpus;
};

/* Decompress one piece; the functions of pack/pack.h fit. */
typedef int tdat_unpack_fn(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

struct tdat {
	unsigned version;        /* 6 or 7 */
	tdat_unpack_fn *unpack;  /* NULL: a file without compression */
	struct tblob blob;       /* formats, kallsyms, printk formats, names of threads, machine */
	struct tpage_layout layout;
	VEC(struct tdat_option) options;
	VEC(struct tdat_buffer) buffers;   /* the top-level buffer first, even when the file has none */
	uint32_t ncpus;          /* CPUs of the machine */

	/*
	 * How the reader converts every time stamp, in this order: `shift` makes a guest's time the host's; then (ts *
	 * tsc_mult >> tsc_shift) unless tsc_mult is 0; then + ts_offset. The owner may change them before
	 * tdat_reader_new(): all 0 gives the times of the ring, ts_offset - date the times without the date.
	 */
	struct tshift shift;     /* no CPUs: not a guest's recording, or its clock was not compared */
	uint32_t tsc_mult, tsc_shift;
	int64_t ts_offset;       /* ns: OFFSET and DATE */
	int64_t date;            /* ns: the part of DATE in it */
	VEC(struct err) notes;   /* defects of the file: truncated, unknown section ... */
	bool incomplete;         /* by a note: something is not in the file, or cannot be read */
	struct arena arena;      /* names, unpacked sections */
	struct {
		size_t n;
		uint64_t bytes;
	} rings;                 /* number and bytes of the rings of all buffers */
	struct sv bytes;
	uint64_t sections;       /* version 7: offset of the first section; else 0 */
};

/* A section of version 7 as it stands in the file. */
struct tdat_section {
	uint64_t at, n;          /* offset of its header of 16 bytes; bytes behind the header */
	uint64_t unpacked;       /* 0: not compressed, or ring data in chunks */
	uint32_t name;           /* offset in the section of names */
	uint16_t id, flags;
};

/* Do the first bytes have the magic of a trace.dat? */
bool tdat_is(const void *bytes, size_t n);

/*
 * -EBADMSG with the offset, -ENOMEM, -EOPNOTSUPP (a compression that is not known). Nothing needs deinit after an
 * error.
 */
int tdat_init(struct tdat *d, const void *bytes, size_t n, struct err *e);
void tdat_deinit(struct tdat *d);

/* First option of that kind, or NULL. */
const struct tdat_option *tdat_option(const struct tdat *d, enum tdat_option_id id);

/* Sections follow one another: the one at `*off`, which starts as d->sections. False: there is none. */
bool tdat_next_section(const struct tdat *d, uint64_t *off, struct tdat_section *s);

/* The names of sections, each with its NUL; allocated in d's arena. Empty: the file has none. */
int tdat_section_names(struct tdat *d, struct sv *names, struct err *e);

/* Files of the recorded machine in sections of their own, which this reader keeps but does not use. */
enum tdat_kept { TDAT_KEPT_BTF, TDAT_KEPT_MODULES, TDAT_KEPT };

/* The option that has the offset of the file's section. */
static inline enum tdat_option_id tdat_kept_option(enum tdat_kept kind)
{
	return kind == TDAT_KEPT_BTF ? TDAT_BTF_FILE : TDAT_MODULES;
}

/* The bytes of that file, allocated in d's arena; empty: the recording has none. */
int tdat_kept_file(struct tdat *d, enum tdat_kept kind, struct sv *bytes, struct err *e);

/*
 * The events in order of time. which: index of the only buffer to read, or -1 for all. The reader decompresses pages
 * into memory of its own (one chunk per CPU). tdat must outlive it.
 */
struct tdat_reader;
struct tdat_reader *tdat_reader_new(const struct tdat *d, int which, struct err *e);
void tdat_reader_free(struct tdat_reader *r);
int tdat_reader_next(struct tdat_reader *r, struct tstream_rec *rec, struct err *e);   /* as tstream_next */
const struct tstream_stats *tdat_reader_stats(const struct tdat_reader *r);

/*
 * Instead of events: the next sub-buffer of one ring, decompressed; 1, 0 at the end of the ring, or -errno. Rings are
 * numbered in the order of the buffers and their CPUs in `d`.
 */
int tdat_reader_page(struct tdat_reader *r, uint32_t ring, const uint8_t **page, size_t *n, struct err *e);

/* How many bytes of the file were read: for a progress display, and to release mapped pages. */
uint64_t tdat_reader_done(const struct tdat_reader *r);

#endif
