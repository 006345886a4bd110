/*
 * text_view.h - text on a terminal in the place of a list, line by line: help, the recording's header, instructions.
 * Lines are searched; of instructions the one of the most samples may be chosen.
 */
#ifndef CMD_TEXT_VIEW_H
#define CMD_TEXT_VIEW_H

#include "base/vec.h"
#include "cmd/annotate/insn_lines.h"
#include "cmd/list/view.h"

struct text_view {
	bool is_shown;
	bool typing;                  /* what is searched for, into the list's prompt */
	bool backwards;               /* and where from */
	char title[160];
	struct mem_out m;
	VEC(size_t) starts;           /* of its lines, and one more */
	struct insn_lines insns;
	struct list_view list;
	char part[64];                /* that is searched for */
	bool was_at;                  /* the instruction that was chosen before it was made anew */
	uint64_t addr;
};

/* Begin another one: what is written to the result is shown. */
struct out *text_view_begin(struct text_view *t, const char *title);

/* The same anew: what is chosen and searched for stays, an instruction by its address. */
struct out *text_view_again(struct text_view *t, const char *title);
int text_view_end(struct text_view *t);   /* 0 or -ENOMEM */
void text_view_close(struct text_view *t);

/* Of instructions the one of the most samples is chosen, if any has some. */
void text_view_hottest(struct text_view *t);

/* Also q and Esc, which close it. True: the chosen line is where the key has put it. */
bool text_view_key(struct text_view *t, int key, size_t page);

/* The name of the chosen instruction, or of the one in front of it; false: there is none. */
bool text_view_insn(const struct text_view *t, bool in_front, struct sv *name);

/*
 * Does the key go from the chosen line into another function than is shown, which that calls or jumps to? near: it is
 * of the same file, for all that is known; what is behind a stub is not.
 */
bool text_view_calls(const struct text_view *t, int key, char *name, size_t size, bool *near);

void text_view_paint(struct text_view *t, const struct insn_form *form, struct screen *s, struct out *o, size_t room);

/* For the last line: what is typed, or what was said, or what can be done. */
void text_view_foot(const struct text_view *t, const char *can, struct out *o);

#endif
