/*
 * doctor.h - what this machine offers for profiling, as rows: each says yes, no or partly, how that was found out, and
 * what to do about a no. Changes nothing and needs no root. Under another root prefix (a copied tree) only files are
 * read, and rows that would need a system call say so. Facts are found by trying, never by the kernel's version.
 */
#ifndef MACHINE_DOCTOR_H
#define MACHINE_DOCTOR_H

#include "base/arena.h"
#include "base/vec.h"
#include "sys/sys.h"

enum doctor_status { DOCTOR_INFO, DOCTOR_YES, DOCTOR_PARTLY, DOCTOR_NO, DOCTOR_UNKNOWN };

/* Texts belong to the report. */
struct doctor_row {
	const char *topic, *name;
	enum doctor_status status;
	const char *value;
	const char *how;      /* file or call that was the source, or NULL */
	const char *advice;   /* what to do, or NULL */
};

struct doctor_report {
	VEC(struct doctor_row) rows;   /* rows of one topic are adjacent */
	struct arena arena;
};

/* Only fails with -ENOMEM: what cannot be read becomes a row. */
int doctor_init(struct doctor_report *r, const struct sys *sys, struct err *e);
void doctor_deinit(struct doctor_report *r);

/* "", "yes", "partly", "no", "?" */
const char *doctor_word(enum doctor_status s);

#endif
