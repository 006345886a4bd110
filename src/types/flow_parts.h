/* flow_parts.h - between the parts of flow*.c. */
#ifndef TYPES_FLOW_PARTS_H
#define TYPES_FLOW_PARTS_H

#include "types/flow.h"

enum { FLOW_REGS = 32, FLOW_SLOTS = 24 };

/* Larger than what is added to a pointer: an address. */
enum { FLOW_OFFSET_MAX = 1 << 16 };

enum value_kind {
	VALUE_NONE,          /* not known */
	VALUE_POINTS,        /* to off bytes behind the start of a type */
	VALUE_ELEMENT,       /* the same, of any element of an array: what is in front of it is the one before */
	VALUE_FRAME,         /* off from the stack pointer at the function's first instruction */
	VALUE_ADDRESS,       /* off itself */
};

struct value {
	int64_t off;
	uint32_t type;
	uint32_t kind;
};

/* What is known before an instruction. */
struct flow_state {
	struct value reg[FLOW_REGS];
	struct flow_slot {
		int64_t off;         /* as VALUE_FRAME's */
		struct value value;  /* VALUE_NONE: the slot is free */
	} slot[FLOW_SLOTS];
};

struct flow_insn {
	struct arch_touch touch;
	uint64_t addr, target;   /* target 0: none, or not known */
	uint32_t flags;          /* arch_insn_flag */
	bool is_known;
};

struct flow {
	const struct flow_want *w;
	struct flow_insn *insn;
	size_t n;
	uint8_t sp;              /* DWARF's number of the stack pointer */
	uint8_t ret;             /* of the register that results are in */
	uint32_t call_loses;
	uint32_t *live;          /* places that hold where the code is looked at, outer scopes first */
	size_t n_live;
	int64_t *frame_off;      /* of each place: where it lies from the first stack pointer ... */
	uint8_t *has_frame_off;  /* ... once that is known */
	uint64_t *looks;         /* how much was done so far */
	bool is_over;            /* it was too much: members are not followed any more */
};

/* --- flow_state.c --- */

/* As the function is called. */
void state_begin(const struct flow *f, struct flow_state *s);

/* What both know; true: that is not what `to` knew. */
bool state_merge(const struct flow *f, struct flow_state *to, const struct flow_state *from);

struct value state_reg(const struct flow_state *s, unsigned reg);
void state_set(struct flow_state *s, unsigned reg, struct value v);

/* What is stored in the frame; size 0: not known how much. */
struct value state_slot(const struct flow_state *s, int64_t off);
void state_store(struct flow_state *s, int64_t off, unsigned size, struct value v);

/* A value of that type: what it points to, if it is a pointer. */
struct value value_of(const struct flow *f, uint32_t type);

/* With a number added; by_itself: a pointer that moves on through what it points to. */
enum value_moves { VALUE_ELSEWHERE, VALUE_ONWARD };
struct value value_add(const struct flow *f, struct value v, int64_t n, enum value_moves how);

/* An offset in front of an element or behind it as one within it; size 0: there is none. */
int64_t value_wrapped(int64_t off, uint64_t size);

/* --- flow_find.c --- */

/* What an instruction touches. */
void flow_find(const struct flow *f, const struct flow_state *s, const struct flow_insn *i, struct type_touch *t);

/* What lies `off` behind what is touched, of 8 bytes, when it is loaded. */
struct value flow_loaded(const struct flow *f, const struct flow_state *s, const struct flow_insn *i,
			 const struct type_touch *t, unsigned off);

/* What is known where the instruction's memory begins, as a place of the frame. */
bool flow_frame_at(const struct flow_state *s, const struct arch_touch *t, int64_t *off);

/* --- flow_step.c --- */

/* From before an instruction to behind it; t: what it touches. */
void flow_step(const struct flow *f, struct flow_state *s, const struct flow_insn *i, const struct type_touch *t);

#endif
