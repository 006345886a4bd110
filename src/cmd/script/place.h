/*
 * place.h - a cache of code addresses as text for `sonde script`. Most addresses occur again and again, so each is
 * resolved and formatted once, by the thread that reads, while the address spaces are in the state of the sample.
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

/* Flags beside enum script_field for the form of a place; with neither only its names, for after an address. */
enum { PLACE_ALONE = 1 << 30, PLACE_LINE = 1 << 29 };   /* ' ' and address first; or tab and address, newline last */

struct script_known {
	uint64_t ip, tag;               /* the key: address; and the rest of what identifies the text; 0: free */
	const struct script_text *text;
};

struct script_places {
	const struct script_want *want;
	const struct frames *frames;    /* want and frames are borrowed */
	struct script_known *known;
	struct arena texts;
	struct mem_out scratch;
};

int script_places_init(struct script_places *p, const struct script_want *want, const struct frames *frames);
void script_places_deinit(struct script_places *p);   /* fine for a zeroed struct, too */

/* Is the cache over its limit? Then the caller empties it by _forget, once no line uses a text any more. */
bool script_places_full(const struct script_places *p);
void script_places_forget(struct script_places *p);

/* The text of a place, with --json a JSON object; valid until script_places_forget(). NULL: no memory. */
const struct script_text *script_place(struct script_places *p, const struct resolver_spaces *in,
				       const struct chain_frame *f, unsigned how);

/* Write an address as the string "0x12": a JSON number keeps 53 bits only. */
void script_json_hex(struct json *j, const char *key, uint64_t v);

#endif
