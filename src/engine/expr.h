/*
 * expr.h - the expressions of events' attributes: C over the fields of an event, with variables and functions beside
 * them. Compiled once for an event's format; evaluated for each hit, without allocation.
 *
 *	_cpu _pid _tid _time _ip _period            of the hit; key: within printkey
 *	printf(fmt, ...) ksymbol(addr) comm_get(tid) comm() ntohl(v) ntohs(v) ntohll(v) strncmp(a, b, n) strcmp(a, b)
 *	syscall_name(id) exit_reason_str(isa, val)
 *	a ~ "pattern", a == "text"                  as the kernel's filters have it
 *
 * A number that cannot be known (a field that is cut, a division by zero) has no value: whoever asks says what it
 * counts as.
 */
#ifndef ENGINE_EXPR_H
#define ENGINE_EXPR_H

#include "arch/arch.h"
#include "base/arena.h"
#include "base/fmt.h"
#include "bpf/code.h"
#include "engine/hit.h"
#include "tracefs/print/eval.h"

/* Where expressions have from what is in no record. */
struct expr_env {
	void *arg;
	const char *(*comm)(void *arg, uint32_t tid);        /* never NULL */
	const char *(*symbol)(void *arg, uint64_t addr);     /* of the kernel; NULL: none */
	struct out *out;                                     /* of printf; NULL: it prints nothing */
	const struct arch *arch;                             /* whose system calls they are; NULL: not known */
	uint64_t key;
	const uint64_t *values;                              /* of the names that it was compiled with */
	const struct hit *hit;                               /* set by the functions below */
};

/* event NULL: it has no fields. -EINVAL with a mark under the place, -ENOMEM. */
int expr_compile(const struct texpr **to, const struct tevent *event, struct arena *a, const char *text,
		 struct err *e);

/* Over these names alone, which have the values of the env, and what is no field: names live as long as the arena. */
int expr_compile_names(const struct texpr **to, const char *const *names, size_t n, struct arena *a, const char *text,
		       struct err *e);

struct tval expr_value(struct expr_env *env, const struct texpr *x, const struct hit *h);

/* Its number, or `other`. */
uint64_t expr_number(struct expr_env *env, const struct texpr *x, const struct hit *h, uint64_t other);

/* Which word of a hit's own it is, for programs of the kernel. */
enum code_word expr_hit_word(const struct texpr *x);

/* The words above, for help: NULL at the end. */
const char *expr_word(size_t i, const char **about);

#endif
