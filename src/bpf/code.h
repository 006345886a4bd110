/*
 * code.h - an expression over an event's fields as instructions: C's arithmetic on numbers, with the types and values
 * that tracefs/print/eval.h gives it. What has no instructions here (texts, arrays, functions, a division that may be
 * by zero) is refused, and decided where the record is.
 *
 *	code_look(&c, x, e)  ...       each expression: which fields it takes
 *	code_fetch(&c, e)              instructions that fetch what is not among the arguments
 *	code_value(&c, x, &type, e)    instructions of one: its value is in R1
 */
#ifndef BPF_CODE_H
#define BPF_CODE_H

#include "bpf/asm.h"
#include "bpf/rawargs.h"
#include "tracefs/print/expr.h"

enum { CODE_FETCHED = 4 };

/* Variables that are no fields. */
enum code_word { CODE_CPU, CODE_TID, CODE_PID, CODE_OTHER };

struct code {
	struct asm_prog *a;              /* NULL while it is looked at */
	const struct ktypes *types;      /* NULL: there are none */
	const char *event;
	struct sv fetches;               /* of a probe, see rawarg_fetch; s NULL: it is a tracepoint */
	enum code_word (*word)(const struct texpr *x);
	enum bpf_helper read;
	/* What needs a call, one after the other. */
	struct code_fetched {
		const struct tfield *field;      /* NULL: a word */
		enum code_word word;
		struct rawarg raw;
		int16_t slot;
	} fetched[CODE_FETCHED];
	unsigned n_fetched;
};

#define CODE_CONTEXT R6                  /* has the program's context from the beginning */

/* x NULL: nothing. -EOPNOTSUPP: it cannot be told there. */
int code_look(struct code *c, const struct texpr *x, struct err *e);
void code_fetch(struct code *c, struct asm_label *failed);
/* The type that it has in C. */
int code_value(struct code *c, const struct texpr *x, struct texpr_type *type, struct err *e);

#endif
