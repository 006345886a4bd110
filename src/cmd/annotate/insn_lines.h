/*
 * insn_lines.h - finds the instructions in annotated text, "   56.67 :   40015c: bl  4001a0 <work>", and the targets of
 * their jumps, and prints the lines with addresses, with offsets into the function, or with neither.
 */
#ifndef CMD_INSN_LINES_H
#define CMD_INSN_LINES_H

#include "base/fmt.h"
#include "base/str.h"
#include "base/vec.h"

/* A line of the text. One that is no instruction (INSN_NONE) has func and addr of the instruction before it. */
struct insn {
	enum insn_kind { INSN_NONE, INSN_OTHER, INSN_JUMP, INSN_CALL } kind;
	uint32_t jumps;          /* number of jumps that have this line as target */
	size_t func;             /* line of the first instruction of its function */
	uint64_t addr, target;   /* target: of an INSN_JUMP */
};

struct insn_lines {
	VEC(struct insn) v;      /* one for each line of the text */
	bool is_code, begins;    /* a function's heading was seen; and none of its instructions yet */
};

/*
 * Which instructions show a number: all their address, or jump targets, also calls, or all their offset. The last three
 * are those of perf's annotate.offset_level.
 */
enum insn_level { INSN_ADDRESSES, INSN_AT_TARGETS, INSN_AT_CALLS, INSN_AT_ALL, INSN_LEVELS };

struct insn_form {
	enum insn_level level;
	bool full;               /* show addresses instead of offsets */
	bool jumps;              /* show the number of jumps to each target */
};

/* Add each line of the text in turn; 0 or -ENOMEM. Then call _end once, which counts the jumps to each target. */
int insn_lines_add(struct insn_lines *l, struct sv line);
void insn_lines_end(struct insn_lines *l);

/* NULL: the line is no instruction. */
const struct insn *insn_lines_at(const struct insn_lines *l, size_t line);

/* The line of the first instruction at an address; false: there is none. */
bool insn_lines_find(const struct insn_lines *l, uint64_t addr, size_t *line);

/* Print an instruction's line in the form f. A number that is left out becomes blanks, so the columns do not move. */
void insn_lines_put(const struct insn_lines *l, const struct insn *at, const struct insn_form *f, struct sv line,
		    struct out *o);

/* The mnemonic of the line, "mul" or "b.ne"; false: the line is no instruction. */
bool insn_line_name(struct sv line, struct sv *name);

/* The target of "... b.ne  400138 <work+0x8>": its address and its symbolic name, "work+0x8"; false: it has none. */
bool insn_line_target(struct sv line, uint64_t *addr, struct sv *called);

#endif
