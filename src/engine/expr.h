/*
 * expr.h - expressions in attributes of events: C expressions over the fields of an event, with additional variables
 * and functions. Compiled once for an event's format; evaluated for each hit, without allocation.
 *
 *	_cpu _pid _tid _time _ip _period            of the hit; key: in printkey only
 *	printf(fmt, ...) ksymbol(addr) comm_get(tid) comm() ntohl(v) ntohs(v) ntohll(v) strncmp(a, b, n) strcmp(a, b)
 *	syscall_name(id) exit_reason_str(isa, val)
 *	a ~ "pattern", a == "text"                  as the kernel's filters have it
 *
 * A number that cannot be computed (a field that is cut, a division by zero) has no value: the caller chooses a
 * default.
 */
#ifndef ENGINE_EXPR_H
#define ENGINE_EXPR_H

#include "arch/arch.h"
#include "base/arena.h"
#include "base/fmt.h"
#include "bpf/code.h"
#include "engine/hit.h"
#include "tracefs/print/eval.h"

/* Data for expressions that is not in the record. */
struct expr_env {
	void *arg;
	const char *(*comm)(void *arg, uint32_t tid);        /* never NULL */
	const char *(*symbol)(void *arg, uint64_t addr);     /* a kernel symbol; NULL: none */
	struct out *out;                                     /* output of printf; NULL: it prints nothing */
	const struct arch *arch;                             /* for numbers of system calls; NULL: unknown */
	uint64_t key;
	const uint64_t *values;                              /* values of the names given to expr_compile_names() */
	const struct hit *hit;                               /* set by the functions below */
};

/* event NULL: there are no fields. -EINVAL with a caret under the bad spot, -ENOMEM. */
int expr_compile(const struct texpr **to, const struct tevent *event, struct arena *a, const char *text,
		 struct err *e);

/* The same over these names, with values in the env, instead of fields. The names must live as long as the arena. */
int expr_compile_names(const struct texpr **to, const char *const *names, size_t n, struct arena *a, const char *text,
		       struct err *e);

struct tval expr_value(struct expr_env *env, const struct texpr *x, const struct hit *h);

/* The value as a number, or `other` if it has none. */
uint64_t expr_number(struct expr_env *env, const struct texpr *x, const struct hit *h, uint64_t other);

/* If the expression is just a variable of the hit (_cpu, ...), which one, for BPF programs. */
enum code_word expr_hit_word(const struct texpr *x);

/* The words above, for help: NULL at the end. */
const char *expr_word(size_t i, const char **about);

#endif
