/*
 * flow.h - find the type and the offset in it that each instruction of a function accesses.
 *
 * The locations of variables are given (struct type_place). From them a data flow analysis follows the pointers in
 * registers and in the function's stack frame: moves, additions, loads of members that are pointers, results of calls.
 * Where paths meet, only what is equal on all of them is kept. Memory and time are bounded for any code: if it would
 * take more, instructions are looked at by the variables' locations only.
 */
#ifndef TYPES_FLOW_H
#define TYPES_FLOW_H

#include "arch/arch.h"
#include "base/cursor.h"
#include "image/marks.h"
#include "types/table.h"

enum type_place_kind {
	PLACE_REG,          /* the variable's value is reg + off */
	PLACE_ENTRY,        /* the same, but only on a call: after a jump back to the start reg has something else */
	PLACE_MEM,          /* it is in memory at reg + off */
	PLACE_FRAME,        /* in memory at off + the stack pointer at the function's first instruction */
};

/* The location of a variable or parameter in a range of code. */
struct type_place {
	uint64_t start, end;
	uint64_t size;      /* of the variable; for PLACE_MEM and PLACE_FRAME */
	int64_t off;
	uint32_t type;      /* of the variable, an index of the table */
	uint16_t depth;     /* nesting of its scope: inner scopes are searched first */
	uint8_t kind, reg;  /* type_place_kind; DWARF number */
};

enum type_found {
	TYPE_NO_ACCESS,     /* the instruction touches no memory */
	TYPE_NO_CODE,       /* it is data, or an unknown instruction */
	TYPE_FOUND,
	TYPE_STACK,         /* the function's stack, but no variable there */
	TYPE_CANARY,        /* the stack canary */
	TYPE_NO_VARIABLE,   /* it is not known what the base points to */
	TYPE_NO_SIZE,       /* the type is only declared */
	TYPE_OUTSIDE,       /* the access is outside of the type */
};

/* What one instruction accesses. */
struct type_touch {
	uint64_t addr;
	uint64_t off;           /* within type */
	uint32_t type;          /* TYPE_FOUND */
	uint8_t found;          /* type_found */
	uint8_t len, size, access;   /* bytes of the instruction; bytes accessed, 0: unknown; arch_access */
	bool is_followed;       /* found by data flow, not by a variable's location */
};

struct flow_want {
	const struct arch *arch;
	uint64_t addr;                  /* address of the first byte */
	struct cursor code;
	const struct marks *marks;      /* where the code has literals; NULL: not known */
	struct types *types;
	uint32_t scope;                 /* scope for types_add() */
	const struct type_place *places;   /* by start */
	size_t n_places;
	bool is_whole;                  /* the code begins with the function's first instruction */
	uint32_t task;                  /* struct task_struct; TYPES_NONE: not the kernel, or not known */
	/* The type of the variable at an address, and its *start; TYPES_NONE: not known. */
	uint32_t (*variable)(void *arg, uint64_t addr, uint64_t *start);
	/* The pointer at an address, if the linker or loader wrote it (the GOT); 0: not known. */
	uint64_t (*linked)(void *arg, uint64_t addr);
	/* Is the stack canary at this address? */
	bool (*is_canary)(void *arg, uint64_t addr);
	/* The type that the function at an address returns. */
	uint32_t (*returns)(void *arg, uint64_t addr);
	void *arg;
};

/* One touch for each instruction, by address; returns their number, *v is malloc'ed. -ENOMEM; -E2BIG: too much code. */
enum { FLOW_CODE_MAX = 512 << 10 };
int64_t flow_run(const struct flow_want *w, struct type_touch **v);

#endif
