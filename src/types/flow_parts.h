/* flow_parts.h - shared by the files flow*.c. */
#ifndef TYPES_FLOW_PARTS_H
#define TYPES_FLOW_PARTS_H

#include "types/flow.h"

enum { FLOW_REGS = 32, FLOW_SLOTS = 24 };

/* Constants beyond this are addresses, not offsets that are added to a pointer. */
enum { FLOW_OFFSET_MAX = 1 << 16 };

enum value_kind {
	VALUE_NONE,          /* not known */
	VALUE_POINTS,        /* a pointer to offset `off` of a type */
	VALUE_ELEMENT,       /* the same, of any element of an array: offsets wrap around at its size */
	VALUE_FRAME,         /* off + the stack pointer at the function's first instruction */
	VALUE_ADDRESS,       /* the address `off` */
};

struct value {
	int64_t off;
	uint32_t type;
	uint32_t kind;
};

/* Known values before an instruction. */
struct flow_state {
	struct value reg[FLOW_REGS];
	struct flow_slot {
		int64_t off;         /* as of VALUE_FRAME */
		struct value value;  /* VALUE_NONE: the slot is free */
	} slot[FLOW_SLOTS];
};

struct flow_insn {
	struct arch_touch touch;
	uint64_t addr, target;   /* target of a branch or call; 0: none, or not known */
	uint32_t flags;          /* arch_insn_flag */
	bool is_known;
};

struct flow {
	const struct flow_want *w;
	struct flow_insn *insn;
	size_t n;
	uint8_t sp;              /* DWARF number of the stack pointer */
	uint8_t ret;             /* ... and of the register with a call's result */
	uint32_t call_loses;     /* caller-saved registers, 1 << DWARF number */
	uint32_t *live;          /* indexes of places that are valid at the current instruction, outer scopes first */
	size_t n_live;
	int64_t *frame_off;      /* by place: its offset from the first stack pointer, ... */
	uint8_t *has_frame_off;  /* ... if it is known yet */
	uint64_t *looks;         /* amount of work done so far */
	bool is_over;            /* that exceeded the limit: loads of members are not followed any more */
};

/* --- flow_state.c --- */

/* The state at the function's entry. */
void state_begin(const struct flow *f, struct flow_state *s);

/* Keep in `to` what is equal in both; true: `to` has changed. */
bool state_merge(const struct flow *f, struct flow_state *to, const struct flow_state *from);

struct value state_reg(const struct flow_state *s, unsigned reg);
void state_set(struct flow_state *s, unsigned reg, struct value v);

/* Load and store of values in the frame; size 0: unknown. */
struct value state_slot(const struct flow_state *s, int64_t off);
void state_store(struct flow_state *s, int64_t off, unsigned size, struct value v);

/* A value of that type: VALUE_POINTS if it is a pointer type. */
struct value value_of(const struct flow *f, uint32_t type);

/* v + n. VALUE_ONWARD: the result replaces v, like a pointer that moves on through an array. */
enum value_moves { VALUE_ELSEWHERE, VALUE_ONWARD };
struct value value_add(const struct flow *f, struct value v, int64_t n, enum value_moves how);

/* off modulo size, not negative: an offset in some element of an array as offset within that element. */
int64_t value_wrapped(int64_t off, uint64_t size);

/* --- flow_find.c --- */

/* Find what an instruction accesses. */
void flow_find(const struct flow *f, const struct flow_state *s, const struct flow_insn *i, struct type_touch *t);

/* The value of 8 bytes that are loaded from `off` behind the start of the access. */
struct value flow_loaded(const struct flow *f, const struct flow_state *s, const struct flow_insn *i,
			 const struct type_touch *t, unsigned off);

/* Is the access in the frame? *off: where, as of VALUE_FRAME. */
bool flow_frame_at(const struct flow_state *s, const struct arch_touch *t, int64_t *off);

/* --- flow_step.c --- */

/* Update the state by an instruction; t: what it accesses. */
void flow_step(const struct flow *f, struct flow_state *s, const struct flow_insn *i, const struct type_touch *t);

#endif
