/* json.c - the JSON writer. */
#include "show/json.h"

enum { MAX_DEPTH = 64 };

struct json json_on(struct out *o)
{
	return (struct json){ .o = o };
}

struct json json_spaced_on(struct out *o)
{
	return (struct json){ .o = o, .spaced = true };
}

static uint64_t level(const struct json *j)
{
	return UINT64_C(1) << (j->depth - 1);
}

/* Write a comma before a member, unless it is the first or follows a key. */
static void separate(struct json *j)
{
	if (j->at == JSON_AFTER_KEY) {
		j->at = JSON_BARE;
		return;
	}
	if (!j->depth)
		return;
	if (j->filled & level(j))
		out_str(j->o, j->spaced ? ", " : ",");
	j->filled |= level(j);
}

static void misused(struct json *j)
{
	if (!j->o->error)
		j->o->error = -EOVERFLOW;
}

static void begin(struct json *j, char bracket)
{
	separate(j);
	if (j->depth == MAX_DEPTH) {
		misused(j);
		return;
	}
	j->depth++;
	j->filled &= ~level(j);
	j->object = bracket == '{' ? j->object | level(j) : j->object & ~level(j);
	out_char(j->o, bracket);
}

void json_begin_object(struct json *j)
{
	begin(j, '{');
}

void json_begin_array(struct json *j)
{
	begin(j, '[');
}

void json_end(struct json *j)
{
	if (!j->depth) {
		misused(j);
		return;
	}
	out_char(j->o, j->object & level(j) ? '}' : ']');
	j->depth--;
}

void json_line(struct json *j)
{
	separate(j);
	out_char(j->o, '\n');
	j->at = JSON_AFTER_KEY;   /* the comma was already written */
}

void json_key(struct json *j, const char *key)
{
	separate(j);
	out_json(j->o, sv_from(key));
	out_str(j->o, j->spaced ? " : " : ":");
	j->at = JSON_AFTER_KEY;
}

void json_str(struct json *j, struct sv s)
{
	separate(j);
	out_json(j->o, s);
}

void json_u64(struct json *j, uint64_t v)
{
	separate(j);
	out_u64(j->o, v);
}

void json_i64(struct json *j, int64_t v)
{
	separate(j);
	out_i64(j->o, v);
}

void json_word(struct json *j, const char *s)
{
	separate(j);
	out_str(j->o, s);
}

void json_fixed(struct json *j, double v, unsigned prec)
{
	if (!__builtin_isfinite(v)) {
		json_null(j);
		return;
	}
	separate(j);
	out_fixed(j->o, v, 0, prec);
}

void json_scaled(struct json *j, uint64_t v, unsigned digits)
{
	uint64_t unit = 1;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	json_u64(j, v / unit);
	if (digits)
		out_char(j->o, '.');
	if (digits)
		out_zero(j->o, v % unit, digits);
}

void json_null(struct json *j)
{
	json_word(j, "null");
}

void json_bool(struct json *j, bool v)
{
	json_word(j, v ? "true" : "false");
}

void json_member_str(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, sv_from(s));
}

void json_member_u64(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}

void json_member_i64(struct json *j, const char *key, int64_t v)
{
	json_key(j, key);
	json_i64(j, v);
}
