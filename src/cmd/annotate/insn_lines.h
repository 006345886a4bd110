/*
 * insn_lines.h - lines of instructions among those of a text, "   56.67 :   40015c: bl  4001a0 <work>": what they say,
 * where their jumps go, and how they are painted: with offsets in the place of addresses, or with none.
 */
#ifndef CMD_INSN_LINES_H
#define CMD_INSN_LINES_H

#include "base/fmt.h"
#include "base/str.h"
#include "base/vec.h"

/* A line; what is none has the function and the address of the instruction before. */
struct insn {
	enum insn_kind { INSN_NONE, INSN_OTHER, INSN_JUMP, INSN_CALL } kind;
	uint32_t jumps;          /* that go to it */
	size_t func;             /* the line of its function's first instruction */
	uint64_t addr, target;   /* target: of a jump */
};

struct insn_lines {
	VEC(struct insn) v;      /* all of the text */
	bool is_code, begins;    /* there was the head of a function, and nothing else of it */
};

/* Which instructions have a number in front; perf's annotate.offset_level has the three last ones. */
enum insn_level { INSN_ADDRESSES, INSN_AT_TARGETS, INSN_AT_CALLS, INSN_AT_ALL, INSN_LEVELS };

struct insn_form {
	enum insn_level level;
	bool full;               /* addresses also where offsets would be */
	bool jumps;              /* how many go there */
};

/* Each line of the text in turn; 0 or -ENOMEM. Then, once, who jumps to whom. */
int insn_lines_add(struct insn_lines *l, struct sv line);
void insn_lines_end(struct insn_lines *l);

/* NULL: the line is no instruction. */
const struct insn *insn_lines_at(const struct insn_lines *l, size_t line);

/* The line of the first one at an address. */
bool insn_lines_find(const struct insn_lines *l, uint64_t addr, size_t *line);

/* The columns stay where they are: what is left out is blank. */
void insn_lines_put(const struct insn_lines *l, const struct insn *at, const struct insn_form *f, struct sv line,
		    struct out *o);

/* "mul", "b.ne"; false: the line is no instruction. */
bool insn_line_name(struct sv line, struct sv *name);

/* "... b.ne  400138 <work+0x8>": the address, and what it is called, "work+0x8". */
bool insn_line_target(struct sv line, uint64_t *addr, struct sv *called);

#endif
