/* probe/point: what perf probe's users write, and names that have its punctuation in them. */
#include "probe/point.h"

#include "t.h"

static struct point p;
static struct arena arena;
static struct err e;

static bool parse(const char *text)
{
	char *copy = guard_dup(text, strlen(text) + 1);
	int r = point_parse(&p, &arena, copy, &e);

	memset(copy, '#', strlen(text));       /* the point keeps none of it */
	if (r)
		point_deinit(&p);
	return !r;
}

/* Of an error: its message's first line, and the column of its mark. */
static const char *refused(const char *text, size_t *column)
{
	static char first[200];
	const char *mark;

	if (parse(text)) {
		t_fail(__FILE__, __LINE__, "'%s' was taken", text);
		return "";
	}
	mark = strrchr(e.text, '\n');
	*column = mark ? strlen(mark) - 4 : 999;
	str_copy(first, sizeof(first), (struct sv){ e.text, strcspn(e.text, "\n") });
	return first;
}

static void check_func(const char *text, const char *func)
{
	if (!parse(text))
		t_fail(__FILE__, __LINE__, "'%s': %s", text, e.text);
	CHECK_EQ(p.kind, POINT_FUNC);
	CHECK_STR(p.func.s, func);
	CHECK_EQ(p.func.n, strlen(func));
	point_deinit(&p);
}

static const char *text_of(struct sv s)
{
	static char buf[4][200];
	static unsigned i;

	i = (i + 1) % 4;
	str_copy(buf[i], sizeof(buf[i]), s);
	return buf[i];
}

TEST(point_takes_the_places_of_perf_probe)
{
	CHECK(parse("gr:ev=func@dir/a.c:3 x"));
	CHECK_STR(text_of(p.group), "gr");
	CHECK_STR(text_of(p.event), "ev");
	CHECK_STR(p.func.s, "func");
	CHECK_STR(p.src.s, "dir/a.c");
	CHECK_EQ(p.line, 3);
	CHECK(p.has_line && !p.is_return && !p.is_exact);
	CHECK_EQ(p.args.n, 1);
	point_deinit(&p);

	CHECK(parse("func+0x10"));
	CHECK_EQ(p.offset, 16);
	CHECK(parse("func+016"));
	CHECK_EQ(p.offset, 14);
	CHECK(parse("func%return@a.c"));
	CHECK(p.is_return);
	CHECK_STR(p.src.s, "a.c");
	CHECK(parse("func:0"));
	CHECK(p.has_line && !p.line);
	CHECK(parse("0x1234"));
	CHECK_EQ(p.kind, POINT_ADDR);
	CHECK_EQ(p.offset, 0x1234);
	CHECK(!parse("0xzz"));
}

TEST(point_tells_files_from_functions)
{
	static const struct { const char *text; bool is_file; const char *name; unsigned line; } cases[] = {
		{ "a.c:12", true, "a.c", 12 }, { "/usr/src/a.c:12", true, "/usr/src/a.c", 12 },
		{ "../b.cpp:1", true, "../b.cpp", 1 }, { "src/Makefile:3", true, "src/Makefile", 3 },
		{ "foo\\+bar.c:4", true, "foo+bar.c", 4 }, { "x.go:9", true, "x.go", 9 },
		{ "main.main:12", false, "main.main", 12 }, { "foo.isra.0:3", false, "foo.isra.0", 3 },
		{ "git.com/x/pkg.(*S).Save:3", false, "git.com/x/pkg.(*S).Save", 3 },
		{ "sdt_f:12", false, "sdt_f", 12 }, { "ns::f(int, char):3", false, "ns::f(int, char)", 3 },
		{ "int_fn(void (*)(int)):3", false, "int_fn(void (*)(int))", 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(parse(cases[i].text));
		CHECK_EQ(p.kind, cases[i].is_file ? POINT_LINE : POINT_FUNC);
		CHECK_STR(cases[i].is_file ? p.src.s : p.func.s, cases[i].name);
		CHECK_EQ(p.line, cases[i].line);
	}
}

TEST(point_takes_names_of_go_cxx_and_rust_as_they_are)
{
	static const char *const names[] = {
		"main.(*T).M", "git.com/paas/x/pkg/storage.(*Store).Save", "ns::klass::f(int, char)",
		"ns::klass::f(int) const", "ns::tf<std::vector<int, std::allocator<int> > >(int)",
		"<T as Trait>::f", "<fn(i32) -> i32 as X>::call", "foo::{{closure}}",
		"operator<(ns::klass const&)", "ns::klass::operator()(int)", "ns::operator==", "ns::operator->",
		"operator new(unsigned long)", "ns::k::operator bool() const", "f[abi:cxx11](int)",
		"main.Map[...]", "main.Map[go.shape.int].Get",
		"core::ptr::drop_in_place<alloc::string::String>", "vfs_*", "vfs_[rw]*", "my_operator",
	};
	char text[200];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		check_func(names[i], names[i]);
		snprintf(text, sizeof(text), "%s a b", names[i]);
		check_func(text, names[i]);
		snprintf(text, sizeof(text), "gr:ev=%s%%return $retval", names[i]);
		check_func(text, names[i]);
		snprintf(text, sizeof(text), "%s+8", names[i]);
		check_func(text, names[i]);
		CHECK_EQ(p.offset, 8);
		snprintf(text, sizeof(text), "'%s' x", names[i]);
		check_func(text, names[i]);
	}
}

/* As demanglers print them: with what a template returns, with what GCC has made of them. */
TEST(point_takes_names_with_blanks_that_no_argument_has)
{
	static const char *const names[] = {
		"int ns::most<int>(int, int)", "std::vector<int, long> const& ns::f<a<b> >(char*)",
		"ns::g(int*, int) [clone .isra.0]", "ns::g(int*) const [clone .isra.0] [clone .part.1]",
		"ns::D::over(char const*) const", "unsigned long f<3>(void*)",
	};
	char text[128];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(text, sizeof(text), "%s n +8(%%sp)", names[i]);
		CHECK(parse(text));
		CHECK_STR(p.func.s, names[i]);
		CHECK_EQ(p.args.n, 2);
		point_deinit(&p);
	}
	CHECK(parse("add 4(%sp)"));
	CHECK_STR(p.func.s, "add");
	point_deinit(&p);
	CHECK(parse("add a (*b).c +0(%sp) n=x:s32"));
	CHECK_STR(p.func.s, "add");
	CHECK_EQ(p.args.n, 4);
	point_deinit(&p);
}

TEST(point_knows_which_wildcards_are_meant)
{
	static const struct { const char *text, *func; bool is_exact; } cases[] = {
		{ "vfs_*", "vfs_*", false }, { "vfs_[rw]*", "vfs_[rw]*", false }, { "func", "func", false },
		{ "main.(*T).M", "main.(*T).M", true }, { "main.(*T).*", "main.(*T).*", false },
		{ "'vfs_*'", "vfs_*", true }, { "vfs\\*x", "vfs*x", true }, { "vfs\\*x*", "vfs\\*x*", false },
		{ "main.Map[...]", "main.Map[...]", true }, { "a\\@b\\:c", "a@b:c", false },
		{ "operator*", "operator*", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(parse(cases[i].text));
		CHECK_STR(p.func.s, cases[i].func);
		CHECK_EQ(p.is_exact, cases[i].is_exact);
	}
	CHECK(parse("/^vfs_\\(read\\|write\\)$/%return $arg1"));
	CHECK(p.is_regex && p.is_return);
	CHECK_STR(p.func.s, "^vfs_\\(read\\|write\\)$");
	CHECK_EQ(p.args.n, 1);
}

TEST(point_finds_the_end_of_a_pattern)
{
	static const struct { const char *text, *pattern; unsigned args; } cases[] = {
		{ "func;rq=cpu_rq*", "rq=cpu_rq*", 0 }, { "a.c;rq=cpu_rq* cpu", "rq=cpu_rq*", 1 },
		{ "func;int *x*", "int *x*", 0 }, { "func;int *x* x y->z", "int *x*", 2 },
		{ "func;\"a = b\" c", "a = b", 1 }, { "func;a:b+c@d%e", "a:b+c@d%e", 0 },
		{ "func;x\\*y", "x\\*y", 0 }, { "a.c;a:b@c", "a:b@c", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(parse(cases[i].text));
		CHECK_STR(p.pattern.s, cases[i].pattern);
		CHECK_EQ(p.args.n, cases[i].args);
		point_deinit(&p);
	}
}

TEST(point_takes_markers)
{
	static const char *const texts[] = {
		"%sdt_libc:setjmp", "%libc:setjmp", "sdt_libc:setjmp", "ev=%libc:setjmp a", "%libc:setjmp@/lib/c",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK(parse(texts[i]));
		CHECK_EQ(p.kind, POINT_USDT);
		CHECK_STR(p.provider.s, "libc");
		CHECK_STR(p.func.s, "setjmp");
	}
	CHECK_STR(p.file.s, "/lib/c");
	CHECK(parse("%setjmp"));
	CHECK_EQ(p.provider.n, 0);
	CHECK(parse("%libc:set*"));
	CHECK_STR(p.func.s, "set*");
}

static void check_arg(const char *text, const char *name, const char *expr, const char *type, bool is_user)
{
	struct point_arg *a;

	p = (struct point){ 0 };
	CHECK_EQ(point_parse_args(&p, &arena, text, &e), 0);
	CHECK_EQ(p.args.n, 1);
	a = &p.args.v[0];
	CHECK_STR(text_of(a->text), text);
	CHECK_STR(text_of(a->name), name);
	CHECK_STR(text_of(a->expr), expr);
	CHECK_STR(text_of(a->type), type);
	CHECK_EQ(a->is_user, is_user);
	point_deinit(&p);
}

TEST(point_cuts_arguments)
{
	check_arg("a", "", "a", "", false);
	check_arg("n=a->b.c[2]:u8", "n", "a->b.c[2]", "u8", false);
	check_arg("s:string@user", "", "s", "string", true);
	check_arg("s@user:string", "", "s", "string", true);
	check_arg("n=+8(%sp):u32", "n", "+8(%sp)", "u32", false);
	check_arg("a:b4@2/32", "", "a", "b4@2/32", false);
	check_arg("(*p).q:s32", "", "(*p).q", "s32", false);
	check_arg("ns::g", "", "ns::g", "", false);
	check_arg("ns::g:u8", "", "ns::g", "u8", false);
	check_arg("x=\\\"he:l lo\":string", "x", "\\\"he:l lo\"", "string", false);
	check_arg("@sym+8:u8", "", "@sym+8", "u8", false);
	check_arg("y=\"s->n\"", "y", "s->n", "", false);
	check_arg("a:u8[4]", "", "a", "u8[4]", false);
}

TEST(point_marks_the_bad_spot)
{
	static const struct { const char *text, *what; size_t column; } cases[] = {
		{ "", "a function, a file or an address is missing here", 0 },
		{ "func:x", "a number is expected here: a line, up to 2147483647", 5 },
		{ "func:2147483648", "a number is expected here: a line, up to 2147483647", 5 },
		{ "foo.c:4294967299", "a number is expected here: a line, up to 2147483647", 6 },
		{ "func:99999999999999999999", "a number is expected here: a line, up to 2147483647", 5 },
		{ "func+", "a number is expected here: an offset in bytes", 5 },
		{ "func+18446744073709551615+1", "a number is expected here: an offset in bytes", 26 },
		{ "func:1:2", "a second line", 6 },
		{ "func@a.c@b.c", "a second file", 9 },
		{ "func%exit", "only %return is known here", 4 },
		{ "main.(*T", "this '(' is not closed", 5 },
		{ "ns::f(int))", "nothing is open here that ')' closes", 10 },
		{ "\"abc", "this quote is not closed", 0 },
		{ "foo\\", "nothing follows this backslash", 3 },
		{ "e-v=func", "an event's name has letters, digits and _ only, at most 63", 0 },
		{ "g:=func", "an event's name has letters, digits and _ only, at most 63", 2 },
		{ "1g:e=func", "a group's name has letters, digits and _ only, at most 63", 0 },
		{ "func a[1 b", "this '[' is not closed", 6 },
		{ "func a n=", "this names nothing to fetch", 7 },
		{ "func a:", "a type is missing behind this", 6 },
		{ "func:3+4", "either a line or an offset", 0 },
		{ "func+4%return", "%return needs a whole function: no line, offset or pattern", 0 },
		{ "func:3;x", "a pattern stands instead of a line or an offset, not beside it", 0 },
		{ "foo.c:0", "the lines of a file begin with 1", 0 },
		{ "'func'x", "'x' is not expected here", 6 },
	};
	size_t column;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK_STR(refused(cases[i].text, &column), cases[i].what);
		CHECK_EQ(column, cases[i].column);
	}
}

TEST(point_mark_stays_in_sight_of_a_long_text)
{
	char text[600];
	const char *line;
	size_t column;

	memset(text, 'a', sizeof(text));
	snprintf(text + 400, 20, ":q");
	refused(text, &column);
	line = strchr(e.text, '\n') + 3;
	CHECK_EQ(line[column], 'q');
}

TEST(point_bounds_what_it_takes)
{
	char *text = malloc(40000);
	size_t n = 0;

	memset(text, 'a', 39999);
	text[39999] = '\0';
	CHECK(!parse(text));
	memset(text, '(', 100);
	text[100] = '\0';
	CHECK(!parse(text));
	n = (size_t)snprintf(text, 100, "f");
	for (unsigned i = 0; i < 129; i++)
		n += (size_t)snprintf(text + n, 10, " a");
	CHECK(!parse(text));
	text[n - 2] = '\0';
	CHECK(parse(text));
	CHECK_EQ(p.args.n, 128);
}

static const char *inline_form(const char *text)
{
	const char *end;
	int r = point_parse_inline(&p, &arena, text, &end, &e);

	if (r) {
		point_deinit(&p);
		return NULL;
	}
	return end;
}

TEST(point_takes_inline_forms)
{
	const char *rest = inline_form("kprobe:vfs_read/$arg1 b4=%x0:b4@2/32/u,cycles");

	CHECK_STR(rest, ",cycles");
	CHECK(!p.is_user && !p.is_return);
	CHECK_STR(p.func.s, "vfs_read");
	CHECK_EQ(p.args.n, 2);
	CHECK_STR(text_of(p.args.v[1].type), "b4@2/32");
	CHECK_STR(p.modifiers.s, "u");
	point_deinit(&p);

	CHECK_STR(inline_form("uprobe:\"main.(*T).M\"+4@\"/bin/a b\"/x/}"), "}");
	CHECK(p.is_user && p.is_exact);
	CHECK_STR(p.func.s, "main.(*T).M");
	CHECK_STR(p.file.s, "/bin/a b");
	CHECK_EQ(p.offset, 4);
	CHECK_EQ(p.args.n, 1);
	point_deinit(&p);

	CHECK_STR(inline_form("uretprobe:ns::f(int, char)@/lib/libc.so.6,x"), ",x");
	CHECK(p.is_return);
	CHECK_STR(p.func.s, "ns::f(int, char)");
	CHECK_STR(p.file.s, "/lib/libc.so.6");

	CHECK_STR(inline_form("uprobe:probed/deep/pkg.(*Store).Save@/bin/a/n=%x0/"), "");
	CHECK_STR(p.func.s, "probed/deep/pkg.(*Store).Save");
	CHECK_STR(p.file.s, "/bin/a");
	CHECK_EQ(p.args.n, 1);
	point_deinit(&p);

	CHECK_STR(inline_form("uprobe:malloc@/lib/libc.so.6/n=%x0 %x1/"), "");
	CHECK_STR(p.file.s, "/lib/libc.so.6");
	CHECK_EQ(p.args.n, 2);
	point_deinit(&p);

	CHECK_STR(inline_form("uprobe:ns::f:3@/bin/a/x=%x0/,y"), ",y");
	CHECK(p.has_line);
	CHECK_EQ(p.line, 3);
	CHECK_STR(p.func.s, "ns::f");
	CHECK_STR(p.file.s, "/bin/a");
	point_deinit(&p);
	CHECK_STR(inline_form("kprobe:read_write.c:480"), "");
	CHECK_EQ(p.kind, POINT_LINE);
	CHECK_STR(p.src.s, "read_write.c");
	CHECK_EQ(p.line, 480);
	CHECK(!inline_form("uprobe:f:x@a"));
	CHECK(!inline_form("uretprobe:f:3@a"));

	CHECK_STR(inline_form("usdt:libc:setjmp@\"/lib/c\" -a"), " -a");
	CHECK_EQ(p.kind, POINT_USDT);
	CHECK_STR(p.provider.s, "libc");
	CHECK_STR(p.func.s, "setjmp");
	CHECK_STR(p.file.s, "/lib/c");

	CHECK_STR(inline_form("kretprobe:/^vfs_/,y"), ",y");
	CHECK(p.is_regex && p.is_return);
	CHECK_STR(inline_form("uprobe:0x1234@a"), "");
	CHECK_EQ(p.kind, POINT_ADDR);

	CHECK(point_is_inline("kprobe:x") && point_is_inline("usdt:a:b"));
	CHECK(!point_is_inline("kprobes:x") && !point_is_inline("sched:x"));
	CHECK_STR(inline_form("uprobe:malloc"), "");
	CHECK_EQ(p.file.n, 0);
	CHECK(!inline_form("kprobe:f/a b"));
	CHECK(!inline_form("kprobe:"));
	CHECK(!inline_form("uprobe:f@"));
	CHECK(!inline_form("kretprobe:f+4"));
}
