/*
 * code.h - compile an expression over an event's fields to BPF: C's arithmetic on integers, with the types and results
 * of tracefs/print/eval.h. Expressions that cannot be compiled (strings, arrays, functions, a division that may be by
 * zero) are refused; the caller then evaluates them on the event's record in user space.
 *
 *	code_look(&c, x, e)  ...       each expression: find the fields it uses
 *	code_fetch(&c, &failed)        emit loads of all values that are not in the program's context
 *	code_value(&c, x, &type, e)    emit one expression: its value is in R1
 */
#ifndef BPF_CODE_H
#define BPF_CODE_H

#include "bpf/asm.h"
#include "bpf/rawargs.h"
#include "tracefs/print/expr.h"

enum { CODE_FETCHED = 4 };

/* Variables that are not fields of the event. */
enum code_word { CODE_CPU, CODE_TID, CODE_PID, CODE_OTHER };

struct code {
	struct asm_prog *a;              /* NULL until code_fetch() */
	const struct ktypes *types;      /* NULL: the kernel has no BTF */
	const char *event;
	struct sv fetches;               /* a probe's fetch arguments, see rawarg_fetch(); s NULL: a tracepoint */
	enum code_word (*word)(const struct texpr *x);
	enum bpf_helper read;            /* the helper that reads memory */
	/* The fields and variables of all expressions. */
	struct code_fetched {
		const struct tfield *field;      /* NULL: a variable, `word` */
		enum code_word word;
		struct rawarg raw;
		int16_t slot;                    /* where its value is, if a helper must fetch it */
	} fetched[CODE_FETCHED];
	unsigned n_fetched;
};

#define CODE_CONTEXT R6                  /* the program's context; to be set by the caller's first instruction */

/* x NULL: nothing to do. -EOPNOTSUPP: the expression cannot be compiled. */
int code_look(struct code *c, const struct texpr *x, struct err *e);
void code_fetch(struct code *c, struct asm_label *failed);
/* type: the expression's type in C. */
int code_value(struct code *c, const struct texpr *x, struct texpr_type *type, struct err *e);

#endif
