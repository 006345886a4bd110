/* JSON that others wrote. */
#include "base/json_read.h"
#include "t.h"

static int read_text(struct json_doc *d, const char *text)
{
	struct err e = { 0 };
	size_t n = strlen(text);

	*d = (struct json_doc){ 0 };
	return json_read(d, guard_dup(text, n), n, &e);
}

TEST(json_read_knows_every_kind)
{
	struct json_doc d;
	const struct json_node *list, *n;
	uint64_t v;

	CHECK_EQ(read_text(&d, " {\"a\": [1, -2.5e3, true, false, null, \"x\", {}, []], "
			       "\"b\":{\"c\":18446744073709551615}} "), 0);
	list = json_get(&d, &d.v.v[0], "a");
	CHECK_EQ(list->kind, JSON_ARRAY);
	n = json_first(&d, list);
	CHECK(json_u64_of(n, &v) && v == 1);
	n = json_next(&d, n);
	CHECK_STR(n->text.s, "-2.5e3");
	CHECK(!json_u64_of(n, &v));
	n = json_next(&d, n);
	CHECK_EQ(n->kind, JSON_TRUE);
	n = json_next(&d, n);
	CHECK_EQ(n->kind, JSON_FALSE);
	n = json_next(&d, n);
	CHECK_EQ(n->kind, JSON_NULL);
	n = json_next(&d, n);
	CHECK_STR(n->text.s, "x");
	n = json_next(&d, n);
	CHECK(n->kind == JSON_OBJECT && !json_first(&d, n));
	n = json_next(&d, n);
	CHECK(n->kind == JSON_ARRAY && !json_first(&d, n) && !json_next(&d, n));
	CHECK(json_u64_of(json_get(&d, json_get(&d, &d.v.v[0], "b"), "c"), &v) && v == UINT64_MAX);
	CHECK(!json_get(&d, &d.v.v[0], "c"));
	CHECK(!json_get(&d, NULL, "c"));
	json_doc_deinit(&d);
}

TEST(json_read_undoes_escapes)
{
	struct json_doc d;

	CHECK_EQ(read_text(&d, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e4\\u20AC\\ud83d\\ude00\\ud83d!\""), 0);
	CHECK_STR(d.v.v[0].text.s, "\"\\/\b\f\n\r\tA\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd!");
	json_doc_deinit(&d);
}

TEST(json_read_refuses_what_is_none)
{
	static const char *const texts[] = {
		"", "{", "[", "[1", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "\"", "\"\\",
		"\"\\u12\"", "\"\\q\"", "tru", "1 2",
		"[1 2]", "{\"a\":1 \"b\":2}", "[}", "{]", "]", "-", "\"\\ud800\\u\"", "{\"a\":1,}", "[,1]",
	};
	struct json_doc d;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK_SAY(read_text(&d, texts[i]) == -EBADMSG, "'%s' is taken", texts[i]);
		json_doc_deinit(&d);
	}
}

TEST(json_read_has_bounds)
{
	char deep[2 * (JSON_DEPTH + 1) + 1];
	struct json_doc d;

	memset(deep, '[', JSON_DEPTH + 1);
	memset(deep + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	deep[sizeof(deep) - 1] = '\0';
	CHECK_EQ(read_text(&d, deep), -E2BIG);
	json_doc_deinit(&d);
	deep[2 * JSON_DEPTH + 1] = '\0';
	CHECK_EQ(read_text(&d, deep + 1), 0);
	json_doc_deinit(&d);
}

TEST(json_find_end_in_pieces)
{
	static const char text[] = " {\"a\": \"}\\\"]\", \"b\": [{}]} rest";
	struct json_scan s = { 0 };
	size_t end = 0;

	for (size_t i = 0; i < sizeof(text) - 1 && !end; i++)
		if (json_find_end(&s, text + i, 1))
			end = i + 1;
	CHECK_EQ(end, strlen(text) - 5);
	s = (struct json_scan){ 0 };
	CHECK_EQ(json_find_end(&s, text, sizeof(text) - 1), end);
	s = (struct json_scan){ 0 };
	CHECK_EQ(json_find_end(&s, text, end - 1), 0);
}
