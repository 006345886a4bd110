/*
 * json_read.h - reader of untrusted JSON (RFC 8259): a text in memory becomes a tree of nodes. Numbers are kept as
 * text. Depth and number of nodes are bounded, and nothing recurses.
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
	uint32_t first, next;       /* index + 1 of the first member, and of the next sibling; 0: none */
	struct sv key;              /* name of a member of an object, escapes decoded */
	struct sv text;             /* a string, escapes decoded (may contain NULs), or a number; a NUL follows */
};

struct json_doc {
	VEC(struct json_node) v;    /* v[0] is the root */
	struct arena arena;
};

/* Keeps no pointer into s. -EBADMSG with the offset, -E2BIG, -ENOMEM; json_doc_deinit(d) is needed in any case. */
int json_read(struct json_doc *d, const char *s, size_t n, struct err *e);
void json_doc_deinit(struct json_doc *d);

/* Member `key` of the object `of`; NULL: no such member, or `of` is NULL or not an object. */
const struct json_node *json_get(const struct json_doc *d, const struct json_node *of, const char *key);
const struct json_node *json_first(const struct json_doc *d, const struct json_node *of);
const struct json_node *json_next(const struct json_doc *d, const struct json_node *n);

/* Value of a number without sign, fraction or exponent; false: n is NULL or anything else. */
bool json_u64_of(const struct json_node *n, uint64_t *v);

/* State of json_find_end() while a text arrives in pieces; zeroed before the first. */
struct json_scan {
	unsigned depth;
	bool in_string, escaped, begun;
};

/* Number of bytes of this piece up to the end of the first array or object; 0: its end comes in a later piece. */
size_t json_find_end(struct json_scan *s, const char *p, size_t n);

#endif
