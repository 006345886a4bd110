/*
 * text_view.h - a pager that takes the place of a list on the terminal: help, the recording's header, a function's
 * instructions. It searches lines, and selects the instructions with the most samples and the targets of jumps.
 */
#ifndef CMD_TEXT_VIEW_H
#define CMD_TEXT_VIEW_H

#include "base/vec.h"
#include "cmd/annotate/insn_lines.h"
#include "cmd/list/view.h"

struct text_view {
	bool is_shown;
	bool typing;                  /* the user types a search text into the list's prompt */
	bool backwards;               /* the search goes towards the first line */
	char title[160];
	struct mem_out m;
	VEC(size_t) starts;           /* offset of each line in m, and one more: the end of the last line + 1 */
	struct insn_lines insns;
	struct list_view list;
	char part[64];                /* the search text */
	bool was_at;                  /* an instruction was selected before text_view_again() ... */
	uint64_t addr;                /* ... at this address */
};

/* Begin a new text: write it to the returned stream, then call text_view_end(). */
struct out *text_view_begin(struct text_view *t, const char *title);

/* Begin the same text anew: search text and selected line stay; an instruction is found again by its address. */
struct out *text_view_again(struct text_view *t, const char *title);
int text_view_end(struct text_view *t);   /* 0 or -ENOMEM */
void text_view_close(struct text_view *t);

/* Select the instruction with the most samples, if any has samples. */
void text_view_hottest(struct text_view *t);

/* Handle a key; q, Esc and Left close the text. True: the key was the text's own (typing, a search, a movement). */
bool text_view_key(struct text_view *t, int key, size_t page);

/* The mnemonic of the selected instruction, or (in_front) of the one before it; false: there is none. */
bool text_view_insn(const struct text_view *t, bool in_front, struct sv *name);

/*
 * Does the key follow a call or jump of the selected line into a function that is not shown? Then name is that
 * function's. near: it is probably of the same dso; false for the target of a PLT stub.
 */
bool text_view_calls(const struct text_view *t, int key, char *name, size_t size, bool *near);

void text_view_paint(struct text_view *t, const struct insn_form *form, struct screen *s, struct out *o, size_t room);

/* The last line of the screen: the search text being typed, or the last message, or else `can`, the list of keys. */
void text_view_foot(const struct text_view *t, const char *can, struct out *o);

#endif
