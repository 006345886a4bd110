/* code_keys.c - see code_keys.h. */
#include "cmd/annotate/code_keys.h"

#include "base/packed.h"

#define SAVED "sonde-annotate.txt"

static const char *const help = PACKED(
	"  up down j k        choose a line; PgUp PgDn Home End, space: a page further\n"
	"  H                  the instruction with the most samples\n"
	"  Tab Shift-Tab      the one with the next fewer, the next more\n"
	"  Enter Right        where a jump goes to; of a call the function; back: q\n"
	"  / ?                search forwards, backwards; n: the next one\n"
	"  t                  percentages, sums of periods, numbers of samples\n"
	"  p                  percentages of the function's; again: of all\n"
	"  b                  percentages of periods; again: of samples\n"
	"  s                  lines of the source, or none\n"
	"  l                  with each instruction where it is in the source\n"
	"  o                  instructions also as numbers\n"
	"  O                  offsets at targets of jumps, at calls, too, at all; addresses\n"
	"  f                  addresses in the place of offsets (top: f holds)\n"
	"  J                  how many jumps go to each target, in front of it\n"
	"  P                  all of it, with addresses, into " SAVED "\n"
	"  c B r              cycles, counters of branches, scripts: not here, but where\n"
	"  h                  this page\n"
	"  q Left Esc         back\n");

void code_keys_help(struct out *o)
{
	packed_need();
	out_str(o, help);
}

bool code_keys_show(struct annotate_show *s, int key)
{
	static const enum annotate_column next[] = { ANNOTATE_PERIOD, ANNOTATE_PERCENT, ANNOTATE_SAMPLES };

	switch (key) {
	case 't':
		s->column = next[s->column];
		return true;
	case 'p':
		s->of_all = !s->of_all;
		return true;
	case 'b':
		s->by_hits = !s->by_hits;
		return true;
	case 's':
		s->no_source = !s->no_source;
		return true;
	case 'l':
		s->lines = s->full_paths = !s->lines;
		return true;
	case 'o':
		s->raw = !s->raw;
		return true;
	}
	return false;
}

static bool change_form(struct insn_form *f, int key)
{
	switch (key) {
	case 'O':
		f->level = (f->level + 1) % INSN_LEVELS;
		return true;
	case 'f':
		f->full = f->level != INSN_ADDRESSES && !f->full;
		f->level = f->level == INSN_ADDRESSES ? INSN_AT_ALL : f->level;
		return true;
	case 'J':
		f->jumps = !f->jumps;
		return true;
	}
	return false;
}

/* Keys of perf that sonde does not have, and what does the same. */
static const char *lacking(int key)
{
	switch (key) {
	case 'c':
	case 'B':
		return "cycles between branches: sonde script -F brstack, of a recording with -b";
	case 'r':
		return "scripts read what sonde script prints";
	}
	return NULL;
}

bool code_keys_act(struct text_view *t, struct insn_form *f, const struct sys *sys, int key)
{
	const char *why = lacking(key);

	if (change_form(f, key))
		return true;
	if (key == 'P')
		list_save(&t->list, sys, SAVED, (struct sv){ t->m.v, t->m.n });
	else if (why)
		list_say(&t->list, why);
	return key == 'P' || why;
}

const char *code_keys_foot(const struct text_view *t, const struct session *s, const char *can)
{
	struct sv first, branch;

	if (!s->arch || !s->arch->fuses || !text_view_insn(t, false, &branch) || !text_view_insn(t, true, &first) ||
	    !s->arch->fuses(s->head->cpuid, first.s, first.n, branch.s))
		return can;
	return "fused: the processor takes it together with the instruction in front of it, as one";
}
