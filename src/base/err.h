/*
 * err.h - an error with its errno, a text (what failed, on which subject, at which offset) and advice.
 *
 * Functions return 0 or -errno and fill a struct err given as the last parameter. The innermost reader sets
 * it, each outer layer may put its subject in front (err_wrap) or add advice (err_hint). Only cmd/ prints it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/base.h"

struct err {
	int code;          /* positive errno; 0 = no error */
	char text[400];    /* what failed; long texts are cut, never overrun */
	char hint[480];    /* what to do about it, or empty */
};

/* Set the error; returns -code. e may be NULL. */
int err_set(struct err *e, int code, const char *fmt, ...) PRINTF(3, 4);

/* The same with the byte offset at which the input was wrong. */
int err_at(struct err *e, int code, uint64_t off, const char *fmt, ...) PRINTF(4, 5);

/* Put "subject: " in front of the text; returns -code. */
int err_wrap(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* Set the advice; returns -code. */
int err_hint(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* -ENOMEM with its text. */
int err_nomem(struct err *e);

/* Text of an errno value, e.g. 2 -> "No such file or directory". */
const char *err_name(int code);

#endif
