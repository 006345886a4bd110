/*
 * code.h - compiles an expression over an event's fields to BPF: C's integer arithmetic, with the types and values of
 * tracefs/eval.h. What is not supported (texts, arrays, functions, a division that may be by zero) is rejected, and
 * evaluated in user space.
 *
 *  code_look(&c, x, e)  ...       for each expression: find the fields it needs
 *  code_fetch(&c, e)              instructions that fetch fields that are not arguments
 *  code_value(&c, x, &type, e)    instructions of one expression: its value is in R1
 */
#ifndef BPF_CODE_H
#define BPF_CODE_H

#include "bpf/asm.h"
#include "bpf/rawargs.h"
#include "tracefs/expr.h"

enum { CODE_FETCHED = 4 };

/* Variables other than fields. */
enum code_word { CODE_CPU, CODE_TID, CODE_PID, CODE_OTHER };

struct code {
	struct asm_prog *a;              /* NULL during code_look */
	const struct ktypes *types;      /* NULL: none */
	const char *event;
	struct sv fetches;               /* of a probe, see rawarg_fetch; s NULL: a tracepoint */
	enum code_word (*word)(const struct texpr *x);
	enum bpf_helper read;
	/* Fields whose value needs a helper call, fetched one after the other. */
	struct code_fetched {
		const struct tfield *field;      /* NULL: a code_word */
		enum code_word word;
		struct rawarg raw;
		int16_t slot;
	} fetched[CODE_FETCHED];
	unsigned n_fetched;
};

#define CODE_CONTEXT R6                  /* register of the program's context */

/* x NULL: does nothing. -EOPNOTSUPP: it cannot be compiled. */
int code_look(struct code *c, const struct texpr *x, struct err *e);
void code_fetch(struct code *c, struct asm_label *failed);
/* *type: its type in C. */
int code_value(struct code *c, const struct texpr *x, struct texpr_type *type, struct err *e);

#endif
