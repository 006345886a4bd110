/*
 * place.h - places of programs as the lines of `sonde script` show them: each distinct one is looked up and
 * written once, by the thread that reads, while the address spaces are as they were. Most come again and again.
 */
#ifndef CMD_SCRIPT_PLACE_H
#define CMD_SCRIPT_PLACE_H

#include "base/arena.h"
#include "cmd/script/want.h"
#include "show/json.h"
#include "source/frames.h"

struct script_text {
	uint32_t n;
	char s[];
};

/* Beside enum script_field, how a place is written; neither: its names alone, behind an address. */
enum { PLACE_ALONE = 1 << 30, PLACE_LINE = 1 << 29 };   /* ' ' and address in front; a tab, and a new line at the end */

struct script_known {
	uint64_t ip, tag;               /* what else tells it apart; 0: free */
	const struct script_text *text;
};

struct script_places {
	const struct script_want *want;
	const struct frames *frames;    /* both borrowed */
	struct script_known *known;
	struct arena texts;
	struct mem_out scratch;
};

int script_places_init(struct script_places *p, const struct script_want *want, const struct frames *frames);
void script_places_deinit(struct script_places *p);   /* of a zeroed one, too */

/* More texts are kept than fit: the caller forgets them once nobody uses one. */
bool script_places_full(const struct script_places *p);
void script_places_forget(struct script_places *p);

/* The text of a place, with --json an object; valid until they are forgotten. NULL: no memory. */
const struct script_text *script_place(struct script_places *p, const struct resolver_spaces *in,
				       const struct chain_frame *f, unsigned how);

/* "0x12" of addresses, which have more bits than a JSON number keeps. */
void script_json_hex(struct json *j, const char *key, uint64_t v);

#endif
