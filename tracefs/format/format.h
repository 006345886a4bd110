/*
 * format.h - one event's `format` file of the tracing file system: its name, id and where each field lies in a record.
 *
 * Everything parsed lives in the caller's arena. Records are untrusted: each reader is bounded by the record's length.
 * Text grammar: Linux kernel/trace/trace_events.c (f_show); __rel_loc since 5.17.
 */
#ifndef TRACEFS_FORMAT_FORMAT_H
#define TRACEFS_FORMAT_FORMAT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum tfield_kind {
	TFIELD_SCALAR,
	TFIELD_POINTER,
	TFIELD_ARRAY,      /* inside the record */
	TFIELD_DATA_LOC,   /* u32: low 16 bits offset from the start of the record, high 16 length in bytes */
	TFIELD_REL_LOC,    /* the same, offset from the end of the u32 */
	TFIELD_TRAILING,   /* from offset to the end of the record */
};

struct tfield {
	const char *name;
	const char *type;      /* without name, brackets and __data_loc: "unsigned long", "char" */
	uint32_t offset, size; /* bytes in the record; of the u32 for DATA_LOC and REL_LOC */
	uint32_t elem;         /* bytes of one element; size for scalars; 1 when it is unknown */
	uint8_t kind;          /* enum tfield_kind */
	uint8_t long_size;     /* of the machine that wrote the record */
	bool is_signed, is_string, is_long;   /* is_long: the type says "long"; shown in hex in raw output */
	bool swap;             /* the record has the other byte order */
	uint8_t plain;         /* size of a number that this machine can load as it is; 0: use tfmt_u64 */
};

struct tfmt {
	const char *system, *name;    /* system is "" until the owner sets it */
	const char *print;            /* text after "print fmt: ", "" when there is none */
	struct tfield *fields;        /* common fields first */
	uint32_t n_common, n_fields;  /* n_fields counts both */
	uint32_t id;
	uint8_t long_size;
	bool swap;
};

/* The machine that wrote the records. */
struct tmachine {
	uint8_t long_size;   /* 4 or 8 */
	bool swap;           /* other byte order than here */
};

/* Parse a whole format text. -EBADMSG with the offset, -ENOMEM. */
int tfmt_parse(struct tfmt *f, struct arena *a, struct sv text, struct tmachine m, struct err *e);

/* A field by its name, common ones too, or NULL. Linear: look up once per event, not per record. */
const struct tfield *tfmt_field(const struct tfmt *f, const char *name);

/* events/header_page: where things are in a sub-buffer of the ring. */
struct tpage_layout {
	uint32_t commit_offset, commit_size;   /* commit_size is the kernel's size of long */
	uint32_t data_offset, data_size;
};
int tfmt_page(struct tpage_layout *p, struct sv text, struct err *e);

/* A piece of a record. */
struct traw {
	const uint8_t *p;
	size_t n;
};

/*
 * The number in a scalar or pointer (or in an array's first element), sign-extended when the field is signed. False:
 * the record is too short, or the size is not 1, 2, 4 or 8.
 */
bool tfmt_u64(const struct tfield *f, const void *raw, size_t n, uint64_t *v);

/* The same, but 0 when there is no number; f may be NULL. */
static inline uint64_t tfmt_value(const struct tfield *f, const void *raw, size_t n)
{
	uint64_t v = 0;
	uint32_t word;

	if (f && f->plain == sizeof(word) && f->offset + sizeof(word) <= n) {
		memcpy(&word, (const uint8_t *)raw + f->offset, sizeof(word));
		return f->is_signed ? (uint64_t)(int64_t)(int32_t)word : word;
	}
	if (f && f->plain == sizeof(v) && f->offset + sizeof(v) <= n) {
		memcpy(&v, (const uint8_t *)raw + f->offset, sizeof(v));
		return v;
	}
	return f && tfmt_u64(f, raw, n, &v) ? v : 0;
}

/*
 * Bytes of a field: an array's elements, a dynamic field's data, a scalar's own bytes. Cut at the end of the record; n
 * is 0 when the field lies outside.
 */
struct traw tfmt_bytes(const struct tfield *f, const void *raw, size_t n);

/* Text of a string field up to its NUL or its end. */
struct sv tfmt_str(const struct tfield *f, const void *raw, size_t n);

/* Load 1, 2, 4 or 8 bytes, zero-extended; 0 for other sizes. */
uint64_t traw_load(const uint8_t *p, uint32_t size, bool swap);

/* Sign-extend the low `size` bytes (1, 2, 4, 8). */
int64_t traw_sext(uint64_t v, uint32_t size);

/*
 * Size in bytes of a C type by its spelling (`unsigned long`, `u16`, `pid_t`), 0 when unknown. A pointer has
 * long_size.
 */
uint32_t tfmt_type_size(struct sv type, uint8_t long_size);

#endif
