/*
 * point.h - parses a probe point: perf probe's grammar, and the inline form of -e.
 *
 *   [[GROUP:]EVENT=]FUNC[@SRC][:RLN|+OFFS|%return|;PTN] [ARG ...]
 *   [[GROUP:]EVENT=]SRC:ALN [ARG ...]      SRC;PTN [ARG ...]      0xADDRESS [ARG ...]
 *   [[GROUP:]EVENT=]%[sdt_]PROVIDER:NAME [ARG ...]
 *   ARG: [NAME=]EXPR[@user][:TYPE]
 *
 *   kprobe:FUNC[+OFFS]  kretprobe:FUNC  uprobe:FUNC[+OFFS]@"FILE"  uretprobe:FUNC@"FILE"  usdt:PROVIDER:NAME@"FILE"
 *   each may end in /ARG ARG .../ and modifiers; FILE may stand without quotes
 *
 * FUNC may be a shell pattern, or /REGEX/. A backslash makes the next character literal. PTN extends to the last word
 * that cannot be an ARG; it may be quoted.
 *
 * Names of Go, Rust and C++ ("main.(*T).M", "ns::f(int)") need no quotes where they are unambiguous, and may always be
 * put in "..." or '...'. Pure: whether things exist is not checked here.
 */
#ifndef PROBE_POINT_H
#define PROBE_POINT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum point_kind { POINT_FUNC, POINT_LINE, POINT_ADDR, POINT_USDT };

/* One argument as written. */
struct point_arg {
	struct sv text;          /* all of it, for messages */
	struct sv name;          /* NAME=, else empty */
	struct sv expr;          /* "skb->dev->name", "%x0", "+8(%sp)", "$retval", "$vars", "bufs[2].len" */
	struct sv type;          /* "string", "x64", "u8[4]"; else empty */
	bool is_user;            /* @user: read user memory */
};

struct point {
	enum point_kind kind;
	struct sv group, event;  /* empty: chosen later */
	struct sv func;          /* FUNC; of a USDT point the marker's name */
	struct sv provider;      /* of a USDT */
	struct sv src;           /* SRC of FUNC@SRC, of SRC:ALN */
	struct sv file;          /* of the inline form: the program; empty: the kernel */
	unsigned line;           /* RLN, relative to the function's, or ALN */
	bool has_line, is_return;
	bool is_user;            /* inline form: uprobe, uretprobe, usdt */
	bool is_regex;           /* FUNC is /REGEX/, for base's rex */
	bool is_exact;           /* FUNC is literal: quoted, escaped, or no pattern, as "main.(*T).M" */
	uint64_t offset;         /* OFFS, or ADDRESS */
	struct sv pattern;       /* PTN: a line that matches it */
	const char *text;        /* as written, for marks in messages; the arguments' texts point into it */
	VEC(struct point_arg) args;
	struct sv modifiers;     /* inline form: the text behind the last slash */
};

/* Texts are copied into the arena. -EINVAL with a mark under the bad spot. Call point_deinit after an error, too. */
int point_parse(struct point *p, struct arena *a, const char *text, struct err *e);
void point_deinit(struct point *p);

/* Return -EINVAL with `what`, the text, and a mark below `at`, which points into it. */
int point_mark(struct err *e, const char *text, const char *at, const char *what);

/* Does the point mean all matches of a shell pattern or regular expression? */
bool point_is_pattern(const struct point *p);

/* Does text begin with kprobe: kretprobe: uprobe: uretprobe: or usdt: ? */
bool point_is_inline(const char *text);

/* Parse the inline form at the start of text; *end: where it ends (a comma, a brace, NUL). */
int point_parse_inline(struct point *p, struct arena *a, const char *text, const char **end, struct err *e);

/* Parse arguments alone, as they follow a place. */
int point_parse_args(struct point *p, struct arena *a, const char *text, struct err *e);

#endif
