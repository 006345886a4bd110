/*
 * json_read.h - JSON (RFC 8259) that somebody else wrote, whole in memory, as a tree of nodes. What is in a number
 * stays text. Depth and the number of nodes are bounded, and nothing recurses.
 *
 *	struct json_doc d = { 0 };
 *
 *	r = json_read(&d, bytes, n, e);
 *	result = json_get(&d, d.v.v, "result");
 *	for (n = json_first(&d, result); n; n = json_next(&d, n))
 *		... n->key, n->text
 *	json_doc_deinit(&d);
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };
enum { JSON_DEPTH = 32, JSON_NODES = 1 << 18 };

struct json_node {
	enum json_kind kind;
	uint32_t first, next;       /* index + 1 of its first member, and of what follows beside it; 0: none */
	struct sv key;              /* in an object; without its escapes, as is */
	struct sv text;             /* of a string (NUL behind it, and there may be others in it) or a number */
};

struct json_doc {
	VEC(struct json_node) v;    /* the whole is the first */
	struct arena arena;
};

/* Bytes are not needed any more when it returns. -EBADMSG with the place, -E2BIG; d is to be deinit'ed anyway. */
int json_read(struct json_doc *d, const char *s, size_t n, struct err *e);
void json_doc_deinit(struct json_doc *d);

/* A member, or NULL: also of what is NULL, or no object. */
const struct json_node *json_get(const struct json_doc *d, const struct json_node *of, const char *key);
const struct json_node *json_first(const struct json_doc *d, const struct json_node *of);
const struct json_node *json_next(const struct json_doc *d, const struct json_node *n);

/* A number that is whole and not negative, else false. */
bool json_u64_of(const struct json_node *n, uint64_t *v);

/* Where a text that comes in pieces ends: a zeroed one, then each piece. */
struct json_scan {
	unsigned depth;
	bool in_string, escaped, begun;
};

/* Bytes of this piece up to the end of the first array or object; 0: it does not end here. */
size_t json_find_end(struct json_scan *s, const char *p, size_t n);

#endif
