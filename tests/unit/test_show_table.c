/* Tables as text, CSV and JSON. */
#include "show/table.h"
#include "tests/t.h"

static const struct table_col cols[] = {
	{ .head = "Share", .key = "percent", .align = TABLE_RIGHT },
	{ .head = "Count", .align = TABLE_RIGHT },
	{ .head = "Command" },
	{ .head = "Symbol" },
};

static void fill(struct table *t)
{
	table_percent(t, 87.5);
	table_grouped(t, 1234567);
	table_str(t, "dd");
	table_str(t, "a_function_with_a_long_name");
	table_percent(t, 0.25);
	table_u64(t, 9);
	table_str(t, "a,\"b\"");
	table_none(t);
	table_fixed(t, -1.5, 1);
	table_i64(t, -7);
	table_str(t, "x\x1b[2J");
	table_hex(t, 0xbeef);
}

static const char *print(enum table_form form, unsigned width, struct mem_out *m)
{
	struct table *t = table_new(cols, ARRAY_SIZE(cols));

	mem_out_init(m);
	m->out.width = width;
	fill(t);
	CHECK_EQ(table_rows(t), 3);
	CHECK_EQ(table_print(t, &(struct table_want){ .form = form }, &m->out), 0);
	table_free(t);
	return mem_out_str(m);
}

TEST(table_text_is_aligned)
{
	struct mem_out m;

	CHECK_STR(print(TABLE_TEXT, 0, &m),
		  " Share      Count  Command  Symbol\n"
		  "87.50%  1,234,567  dd       a_function_with_a_long_name\n"
		  " 0.25%          9  a,\"b\"    \n"
		  "  -1.5         -7  x?[2J    0xbeef\n");
	mem_out_deinit(&m);
}

TEST(table_last_column_is_cut_on_a_terminal_only)
{
	struct mem_out m;

	CHECK(strstr(print(TABLE_TEXT, 40, &m),
		     "\n87.50%  1,234,567  dd       a_function_\xe2\x80\xa6\n"));
	mem_out_deinit(&m);
	CHECK(strstr(print(TABLE_TEXT, 10, &m),
		     "\n87.50%  1,234,567  dd       a_funct\xe2\x80\xa6\n"));
	mem_out_deinit(&m);
	CHECK(strstr(print(TABLE_CSV, 40, &m), "a_function_with_a_long_name"));
	mem_out_deinit(&m);
}

TEST(table_csv_is_quoted)
{
	struct mem_out m;

	CHECK_STR(print(TABLE_CSV, 0, &m),
		  "percent,Count,Command,Symbol\n"
		  "87.50,1234567,dd,a_function_with_a_long_name\n"
		  "0.25,9,\"a,\"\"b\"\"\",\n"
		  "-1.5,-7,x\x1b[2J,0xbeef\n");
	mem_out_deinit(&m);
}

TEST(table_csv_takes_another_separator)
{
	const struct table_want want = { .form = TABLE_CSV, .head = TABLE_NO_HEAD, .sep = "; " };
	struct table *t = table_new(cols, 2);
	struct mem_out m;

	mem_out_init(&m);
	table_str(t, "a; b");
	table_str(t, "c;d,\n");
	table_str(t, "e");
	CHECK_EQ(table_print(t, &want, &m.out), 0);
	CHECK_STR(mem_out_str(&m), "\"a; b\"; \"c;d,\n\"\ne; \n");
	table_free(t);
	mem_out_deinit(&m);
}

TEST(table_json_is_typed)
{
	struct mem_out m;

	CHECK_STR(print(TABLE_JSON, 20, &m),
		  "[\n"
		  "{\"percent\":87.50,\"Count\":1234567,\"Command\":\"dd\","
		  "\"Symbol\":\"a_function_with_a_long_name\"},\n"
		  "{\"percent\":0.25,\"Count\":9,\"Command\":\"a,\\\"b\\\"\",\"Symbol\":null},\n"
		  "{\"percent\":-1.5,\"Count\":-7,\"Command\":\"x\\u001b[2J\","
		  "\"Symbol\":\"0xbeef\"}\n"
		  "]\n");
	mem_out_deinit(&m);
}

TEST(table_without_rows_is_still_a_document)
{
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	struct mem_out m;

	mem_out_init(&m);
	CHECK_EQ(table_print(t, &(struct table_want){ .form = TABLE_JSON }, &m.out), 0);
	CHECK_EQ(table_print(t, &(struct table_want){ .form = TABLE_TEXT }, &m.out), 0);
	CHECK_STR(mem_out_str(&m), "[\n]\nShare  Count  Command  Symbol\n");
	table_free(t);
	mem_out_deinit(&m);
}

TEST(table_stream_writes_each_row_at_once)
{
	static const struct table_col two[] = {
		{ .head = "n", .align = TABLE_RIGHT, .width = 4 }, { .head = "name" },
	};
	const struct table_want want = { .form = TABLE_TEXT };
	struct mem_out m;

	mem_out_init(&m);

	struct table *t = table_new_stream(two, 2, &want, &m.out);

	CHECK_STR(mem_out_str(&m), "   n  name\n");
	table_u64(t, 1);
	CHECK_STR(mem_out_str(&m), "   n  name\n");
	table_str(t, "one");
	CHECK_STR(mem_out_str(&m), "   n  name\n   1  one\n");
	table_u64(t, 123456);
	table_str(t, "many");
	table_u64(t, 3);
	CHECK_EQ(table_rows(t), 2);
	CHECK_EQ(table_end(t), 0);
	CHECK_STR(mem_out_str(&m), "   n  name\n   1  one\n123456  many\n   3  \n");
	table_free(t);
	mem_out_deinit(&m);
}

TEST(table_stream_of_json_is_closed)
{
	static const struct table_col one[] = { { .head = "n" } };
	const struct table_want want = { .form = TABLE_JSON };
	struct mem_out m;

	mem_out_init(&m);

	struct table *t = table_new_stream(one, 1, &want, &m.out);

	for (unsigned i = 0; i < 2; i++)
		table_u64(t, i);
	CHECK_EQ(table_end(t), 0);
	CHECK_STR(mem_out_str(&m), "[\n{\"n\":0},\n{\"n\":1}\n]\n");
	table_free(t);
	mem_out_deinit(&m);
}

TEST(table_percent_is_coloured_without_moving_its_neighbours)
{
	struct table *t = table_new(cols, 2);
	struct mem_out m;

	mem_out_init(&m);
	m.out.color = true;
	table_percent(t, 12);
	table_u64(t, 1);
	CHECK_EQ(table_print(t, &(struct table_want){ .head = TABLE_NO_HEAD }, &m.out), 0);
	CHECK_STR(mem_out_str(&m), "\x1b[31m12.00%\x1b[m  1\n");
	table_free(t);
	mem_out_deinit(&m);
}
