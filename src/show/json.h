/*
 * json.h - a JSON writer (RFC 8259) that puts the commas in. Values and keys are written in order;
 * nothing is kept but the nesting, so a document of any size is streamed.
 *
 *   struct json j = json_on(out);
 *   json_begin_object(&j);
 *   json_key(&j, "pid"); json_u64(&j, 1);
 *   json_end(&j);
 *
 * Misuse (more than 64 levels, more ends than begins) sets the stream's error to -EOVERFLOW.
 */
#ifndef SHOW_JSON_H
#define SHOW_JSON_H

#include "base/fmt.h"

struct json {
	struct out *o;       /* borrowed */
	unsigned depth;
	uint64_t object;     /* bit d: level d is an object, not an array */
	uint64_t filled;     /* bit d: level d has a member */
	bool spaced;         /* "key" : value, "key" : value - as perf writes it */
	enum { JSON_BARE, JSON_AFTER_KEY } at;
};

struct json json_on(struct out *o);
struct json json_spaced_on(struct out *o);

void json_begin_object(struct json *j);
void json_begin_array(struct json *j);
void json_end(struct json *j);   /* ends the innermost object or array */

void json_key(struct json *j, const char *key);
void json_str(struct json *j, struct sv s);
void json_u64(struct json *j, uint64_t v);
void json_i64(struct json *j, int64_t v);
void json_fixed(struct json *j, double v, unsigned prec);   /* prec decimals; not finite: null */
void json_scaled(struct json *j, uint64_t v, unsigned digits);   /* v / 10^digits, exactly: 1234567, 3 -> 1234.567 */
void json_null(struct json *j);
void json_bool(struct json *j, bool v);
void json_word(struct json *j, const char *word);   /* true, null, a number: written as it is */

/* A key and its value. */
void json_member_str(struct json *j, const char *key, const char *s);

/* s NULL: no member is written. */
static inline void json_member_if(struct json *j, const char *key, const char *s)
{
	if (s)
		json_member_str(j, key, s);
}
void json_member_u64(struct json *j, const char *key, uint64_t v);
void json_member_i64(struct json *j, const char *key, int64_t v);

/* Start the next member on a new line: rows of a long array stay readable and greppable. */
void json_line(struct json *j);

#endif
