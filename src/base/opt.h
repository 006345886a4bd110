/*
 * opt.h - options are data: a table of struct opt per command, one parser for all, help text made from the same table.
 *
 * Accepted: -F 99, -F99, --freq 99, --freq=99, unique prefixes (--fre 99), joined flags (-ag), --no-X for every flag,
 * and values that are optional (-I, -I100, --interval-print=100). Parsing stops at the first word that is no option, or
 * after "--".
 */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/err.h"
#include "base/fmt.h"
#include "base/packed.h"

enum opt_kind {
	OPT_KIND_END,
	OPT_KIND_HEAD, /* HEAD: a heading in the help */
	OPT_KIND_FLAG,
	OPT_KIND_CLEAR, /* bool at off becomes true (FLAG) or false (CLEAR) */
	OPT_KIND_COUNT, /* unsigned at off is incremented */
	OPT_KIND_U64,
	OPT_KIND_SIZE,
	OPT_KIND_STR,  /* at off: uint64_t (U64), uint64_t bytes (SIZE), const char * (STR) */
	OPT_KIND_LIST, /* struct opt_list at off: every use appends a value */
	OPT_KIND_CALL, /* call(want + off, value, e): value NULL for --no-X or a missing optional one */
	OPT_KIND_SUB,  /* another table, whose struct is at off */
	OPT_KIND_REFUSED, /* an option of perf or trace-cmd that sonde lacks: help says why, `instead` what to do */
	OPT_KIND_WATCH,   /* watch() sees each use of an option of this table first, and may handle it itself */
};

enum opt_flag {
	OPT_OPTIONAL = 1, /* the value may be missing and must be attached: -I or -I100 */
	OPT_LAST_DEFAULT = 2, /* the value may be missing: the option is last, or another option follows (report -g) */
	OPT_NO_VALUE = 4, /* CALL without a value */
	OPT_HIDDEN = 8,   /* accepted, not in the help: for scripts written for perf or trace-cmd */
};

struct opt {
	char letter;              /* 0: long only */
	uint8_t kind;
	uint8_t flags;
	uint16_t off;             /* of the field in the command's want */
	const char *name;         /* long name without --, NULL: short only */
	/* CALL, REFUSED: "<hz>\twhat it does", "the value that is taken\twhy others are not"; see opt_arg, opt_about */
	const char *help;
	union {
		const char *arg;  /* U64, SIZE, STR, LIST: what the value is, for the help: "<hz>" */
		int (*call)(void *field, const char *value, struct err *e);
		const struct opt *sub;
		const char *instead;
		/* 1: the option is handled; 0: store it as usual; -errno. value is NULL as for call. */
		int (*watch)(void *want, const struct opt *o, bool negated, const char *value, struct err *e);
	};
};

enum { OPT_LIST_MAX = 64 };

struct opt_list {
	const char *v[OPT_LIST_MAX];
	size_t n;
};

#define OPT_HEAD(text) { .kind = OPT_KIND_HEAD, .help = PACKED(text) }
/* Compile-time check that a field has the type that the option's kind stores: otherwise an array has size -1. */
#define OPT_TYPE_FLAG bool
#define OPT_TYPE_CLEAR bool
#define OPT_TYPE_COUNT unsigned
#define OPT_TYPE_U64 uint64_t
#define OPT_TYPE_SIZE uint64_t
#define OPT_TYPE_STR const char *
#define OPT_TYPE_LIST struct opt_list
#define OPT_OFF(k, type, field) \
	(offsetof(type, field) + 0 * sizeof(char[_Generic(((type *)0)->field, OPT_TYPE_##k: 1, default: -1)]))
#define OPT_AT(l, n, k, type, field) \
	.letter = (l), .kind = OPT_KIND_##k, .off = OPT_OFF(k, type, field), .name = (n)
#define OPT_FLAG(l, n, type, field, h) { OPT_AT(l, n, FLAG, type, field), .help = PACKED(h) }
#define OPT_CLEAR(l, n, type, field, h) { OPT_AT(l, n, CLEAR, type, field), .help = PACKED(h) }
#define OPT_COUNT(l, n, type, field, h) { OPT_AT(l, n, COUNT, type, field), .help = PACKED(h) }
#define OPT_U64(l, n, type, field, a, h) { OPT_AT(l, n, U64, type, field), .arg = (a), .help = PACKED(h) }
#define OPT_SIZE(l, n, type, field, a, h) { OPT_AT(l, n, SIZE, type, field), .arg = (a), .help = PACKED(h) }
#define OPT_STR(l, n, type, field, a, h) { OPT_AT(l, n, STR, type, field), .arg = (a), .help = PACKED(h) }
#define OPT_LIST(l, n, type, field, a, h) { OPT_AT(l, n, LIST, type, field), .arg = (a), .help = PACKED(h) }
/* fl: enum opt_flag. _WANT: the callback gets the whole want instead of a field. a, h: string literals, "" for none. */
#define OPT_CALL(l, n, fl, type, field, fn, a, h) \
	{ .letter = (l), .kind = OPT_KIND_CALL, .flags = (fl), .off = offsetof(type, field), .name = (n), \
	  .help = PACKED(a "\t" h), .call = (fn) }
#define OPT_CALL_WANT(l, n, fl, fn, a, h) \
	{ .letter = (l), .kind = OPT_KIND_CALL, .flags = (fl), .name = (n), .help = PACKED(a "\t" h), .call = (fn) }
/* Accepted without effect: for scripts written for perf or trace-cmd. k: FLAG (field is a bool) or STR. */
#define OPT_IGNORED(l, n, k, type, field) { OPT_AT(l, n, k, type, field), .flags = OPT_HIDDEN }
/* fl: OPT_NO_VALUE, OPT_OPTIONAL or 0; but: the value for what sonde does anyway, accepted as is --no-X; "": none. */
#define OPT_REFUSED(l, n, fl, but, why, to_do) \
	{ .letter = (l), .kind = OPT_KIND_REFUSED, .flags = OPT_HIDDEN | (fl), .name = (n), \
	  .help = PACKED(but "\t" why), .instead = PACKED(to_do) }
/* Must be the first entry of its table. */
#define OPT_WATCH(fn) { .kind = OPT_KIND_WATCH, .flags = OPT_HIDDEN, .watch = (fn) }
#define OPT_SUB(table, type, field) { .kind = OPT_KIND_SUB, .off = offsetof(type, field), .sub = (table) }
#define OPT_END { .kind = OPT_KIND_END }

/*
 * Parse argv[1..argc); returns the index of the first word that is not an option (argc when none), or -EINVAL.
 * After "--" the index is that of the word behind it. -ECANCELED: --help, or -h without an option -h in the table.
 */
int opt_parse(const struct opt *opts, void *want, int argc, char **argv, struct err *e);

/* Does the option take a value, mandatory or optional? */
bool opt_takes_value(const struct opt *o);

/* opt_arg: name of the value, or the one value accepted (REFUSED); may be empty. opt_about: what the option does. */
struct sv opt_arg(const struct opt *o);
const char *opt_about(const struct opt *o);

/* What follows the option's name in the help: " <hz>", "[=<ms>]", " [<how>]"; "" without a value. */
void opt_value(const struct opt *o, char *buf, size_t size);

/* Text broken into lines of `width` columns, lines after the first start at `indent`; ends with a newline. */
void opt_text(struct out *o, const char *text, unsigned indent, unsigned width);

/*
 * The table in machine-readable form, a line per option: "CMD\t-F\t--freq\tvalue\tID". "-" stands for a missing
 * letter or name; the fourth column is "value" or "flag"; an option that several commands share has the same ID.
 */
void opt_list(const struct opt *opts, const char *cmd, struct out *o);

/* The table as help text, for `width` columns (0: 80). */
void opt_help(const struct opt *opts, struct out *o, unsigned width);

#endif
