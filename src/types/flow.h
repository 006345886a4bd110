/*
 * flow.h - which type's which bytes each instruction of a function touches.
 *
 * Where variables are is told (struct type_place). From there on what registers and the function's own stack hold is
 * followed through the code: moves, sums, loads from members that are pointers, what calls return. Where paths meet
 * only what is the same on all of them is kept. Memory and time are bounded, whatever the code is: what would take more
 * is looked at without following anything.
 */
#ifndef TYPES_FLOW_H
#define TYPES_FLOW_H

#include "arch/arch.h"
#include "base/cursor.h"
#include "image/marks.h"
#include "types/table.h"

enum type_place_kind {
	PLACE_REG,          /* its value is that of reg, plus off */
	PLACE_ENTRY,        /* the same, when the function is called: a jump to its start has others there */
	PLACE_MEM,          /* it lies at reg + off */
	PLACE_FRAME,        /* it lies at off from what the stack pointer is at the function's first instruction */
};

/* Where a variable, or a parameter, is in a stretch of the code. */
struct type_place {
	uint64_t start, end;
	uint64_t size;      /* of it; PLACE_MEM, PLACE_FRAME */
	int64_t off;
	uint32_t type;      /* of the variable, an index of the table */
	uint16_t depth;     /* of its scope: inner ones are looked at first */
	uint8_t kind, reg;  /* reg: DWARF's number */
};

enum type_found {
	TYPE_NO_ACCESS,     /* the instruction touches no memory */
	TYPE_NO_CODE,       /* ... or is none that is known */
	TYPE_FOUND,
	TYPE_STACK,         /* the function's own stack, where no variable is */
	TYPE_CANARY,        /* what guards that stack */
	TYPE_NO_VARIABLE,   /* nothing tells what the base points to */
	TYPE_NO_SIZE,       /* that type is only declared */
	TYPE_OUTSIDE,       /* what is touched lies outside of it */
};

/* What one instruction touches. */
struct type_touch {
	uint64_t addr;
	uint64_t off;           /* within type */
	uint32_t type;          /* TYPE_FOUND */
	uint8_t found;          /* type_found */
	uint8_t len, size, access;   /* of the instruction; bytes, 0: not known; arch_access */
	bool is_followed;       /* nothing but the code before tells it */
};

struct flow_want {
	const struct arch *arch;
	uint64_t addr;                  /* of the first byte */
	struct cursor code;
	const struct marks *marks;      /* constants among it; NULL: nothing is known */
	struct types *types;
	uint32_t scope;                 /* for the table */
	const struct type_place *places;   /* by start */
	size_t n_places;
	bool is_whole;                  /* it begins with the function's first instruction */
	uint32_t task;                  /* of the kernel's current task; TYPES_NONE: not the kernel, or not known */
	/* What variable lies at an address, and *start of it; TYPES_NONE: not known. */
	uint32_t (*variable)(void *arg, uint64_t addr, uint64_t *start);
	/* The address that the linker, or the loader, put there for code to find it; 0: none that is known. */
	uint64_t (*linked)(void *arg, uint64_t addr);
	/* Does the guard of stacks lie there? */
	bool (*is_canary)(void *arg, uint64_t addr);
	/* What the function at an address returns. */
	uint32_t (*returns)(void *arg, uint64_t addr);
	void *arg;
};

/* A touch for each instruction, by address: how many, in *v, malloc'ed. -ENOMEM; -E2BIG: too much code. */
enum { FLOW_CODE_MAX = 512 << 10 };
int64_t flow_run(const struct flow_want *w, struct type_touch **v);

#endif
