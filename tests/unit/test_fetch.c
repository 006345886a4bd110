/* probe/fetch: expressions of the source into what the kernel fetches. What perf makes of the same is the yardstick. */
#include "probe/fetch.h"

#include "fetch_env.h"
#include "t.h"

enum { ALL = ~0u & ~(unsigned)FETCH_BTF };

static struct fetch_test vars;
static struct fetch_env env;
static struct err e;

static struct loc at_reg(unsigned reg)
{
	return (struct loc){ .kind = LOC_REG, .reg = reg };
}

static struct loc at_mem(unsigned reg, int64_t off)
{
	return (struct loc){ .kind = LOC_MEM, .reg = reg, .off = off };
}

/* Function ptrs(struct outer *o, char *s, ...) of a program for x86 without optimisation, as perf told, and others. */
static void begin(void)
{
	vars = (struct fetch_test){
		.v = {
			{ "o", T_POUTER, true, at_mem(6, -8) }, { "s", T_PCHAR, true, at_mem(6, -16) },
			{ "v", T_PVOID, true, at_mem(6, -32) }, { "pp", T_PPCHAR, true, at_mem(6, -48) },
			{ "n", T_INT, false, at_reg(0) }, { "ch", T_CHAR, false, at_reg(3) },
			{ "u", T_UINT, false, at_reg(8) }, { "r", T_POUTER, false, at_reg(5) },
			{ "in", T_INNER, false, at_mem(6, 16) }, { "inr", T_INNER, false, at_reg(1) },
			{ "buf", T_CHAR32, false, at_mem(6, -80) }, { "vla", T_INT4, false, at_mem(7, 8) },
			{ "d", T_DOUBLE, false, at_mem(6, -64) }, { "f", T_FLOAT, false, at_reg(17) },
			{ "gone", T_INT, false, { .kind = LOC_GONE, .why = "in pieces" } },
			{ "k", T_INT, false, { .kind = LOC_CONST, .off = -5 } },
			{ "g", T_INT, false, { .kind = LOC_ADDR, .off = 1000 } },
			{ "go", T_OUTER, false, { .kind = LOC_ADDR, .off = 2000 } },
			{ "gs", T_PCHAR, false, { .kind = LOC_ADDR, .off = 3000 } },
			{ "val", T_POUTER, false, { .kind = LOC_VALUE, .reg = 7, .off = 48 } },
			{ "val0", T_INT, false, { .kind = LOC_VALUE, .reg = 7 } },
			{ "far", T_INT, false,
			  { .kind = LOC_MEM, .reg = 6, .off = 16, .n_derefs = 2, .deref = { 8, -4 } } },
			{ "what", T_VOID, false, at_reg(0) }, { "e.x", T_INT, false, at_reg(0) },
		},
		.n = 24,
	};
	env = (struct fetch_env){ .arch = &arch_x86_64, .is_user = true, .at_entry = true, .features = ALL,
				  .variable = fetch_test_variable, .nth = fetch_test_nth, .returns = fetch_test_returns,
				  .address = fetch_test_address, .arg = &vars, .skipped = &vars.skipped };
}

/* "" on an error. */
static const char *put(const char *args)
{
	static struct mem_out m;
	struct arena a = { 0 };
	struct point p = { 0 };
	int r;

	mem_out_init(&m);
	e = (struct err){ 0 };
	r = point_parse_args(&p, &a, guard_dup(args, strlen(args) + 1), &e);
	if (r)
		t_fail(__FILE__, __LINE__, "'%s': %s", args, e.text);
	r = fetch_put(&env, &p, &m.out, &e);
	if (r && (e.code != -r || !e.text[0]))
		t_fail(__FILE__, __LINE__, "'%s': %d, but the error is %d '%s'", args, r, e.code, e.text);
	point_deinit(&p);
	arena_deinit(&a);
	return r ? "" : mem_out_str(&m);
}

static void check_error(const char *args, const char *part)
{
	CHECK_SAY(!*put(args), "'%s' was taken", args);
	CHECK_SAY(strstr(e.text, part) || strstr(e.hint, part), "'%s': '%s' (%s) says nothing of '%s'", args, e.text,
		  e.hint, part);
}

TEST(fetch_is_what_perf_makes_of_variables)
{
	/* perf 6.1.192: perf probe -x PROG -D 'ptrs ARG' */
	static const struct { const char *arg, *want; } cases[] = {
		{ "o", " o=-8(%bp):x64" }, { "s", " s=-16(%bp):x64" }, { "name=s", " name=-16(%bp):x64" },
		{ "s:u8", " s_u8=-16(%bp):u8" },
		{ "s:string", " s_string=+0(-16(%bp)):string" },
		{ "s:ustring", " s_ustring=+0(-16(%bp)):ustring" }, { "o->in.a", " a=+0(-8(%bp)):s32" },
		{ "o->in.s", " s=+4(-8(%bp)):s16" }, { "o->in.a:x", " a=+0(-8(%bp)):x32" },
		{ "o->in.name:string", " name=+6(-8(%bp)):string" },
		{ "o->p->text:string", " text=+0(+24(+32(-8(%bp)))):string" },
		{ "o->anon", " anon=+40(-8(%bp)):s32" }, { "o->x", " x=+48(-8(%bp)):s64" },
		{ "o->y", " y=+48(-8(%bp)):s8" }, { "o->arr[1]", " arr=+64(-8(%bp)):s32" },
		{ "o->ia[2].a", " a=+144(-8(%bp)):s32" }, { "o->ia[1].name[3]", " name=+121(-8(%bp)):x8" },
		{ "o->strs[1]:string", " strs=+0(+184(-8(%bp))):string" },
		{ "pp[1]:string", " pp=+0(+8(-48(%bp))):string" }, { "o->c", " c=+192(-8(%bp)):x32" },
		{ "o->b", " b=+196(-8(%bp)):x8" }, { "o->v", " v=+216(-8(%bp)):x64" },
		{ "o->fn", " fn=+224(-8(%bp)):x64" }, { "o->sc", " sc=+232(-8(%bp)):s8" },
		{ "o->uc", " uc=+233(-8(%bp)):x8" }, { "o->ul", " ul=+248(-8(%bp)):x64" },
		{ "o->cvs", " cvs=+256(-8(%bp)):x16" }, { "o->u.l", " l=+264(-8(%bp)):s64" },
		{ "s[2]", " s=+2(-16(%bp)):s8" }, { "in.a", " a=+16(%bp):s32" },
		{ "in.text:string", " text=+0(+40(%bp)):string" }, { "vla[1]", " vla=+12(%sp):s32" },
		{ "o->d:x", " d=+200(-8(%bp)):x64" }, { "buf:string", " buf_string=-80(%bp):string" },
		{ "n", " n=%ax:s32" }, { "ch", " ch=%bx:s8" }, { "u", " u=%r8:x32" },
		{ "r->p->a", " a=+0(+32(%di)):s32" }, { "o->arr:u32[4]", " arr=+60(-8(%bp)):u32[4]" },
		{ "in:x", " in_x=+16(%bp):x64" },
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(put(cases[i].arg), cases[i].want);
	CHECK_STR(put("o x=s:string o->in.a"), " o=-8(%bp):x64 x=+0(-16(%bp)):string a=+0(-8(%bp)):s32");
}

TEST(fetch_goes_beyond_perf)
{
	static const struct { const char *arg, *want; } cases[] = {
		{ "o->m[1][2]", " m=+292(-8(%bp)):s32" }, { "o->m", " m=+272(-8(%bp)):s32[6]" },
		{ "vla", " vla=+8(%sp):s32[4]" }, { "buf", " buf=-80(%bp):s8[32]" },
		{ "*pp:string", " pp=+0(+0(-48(%bp))):string" }, { "(*o).in.a", " a=+0(-8(%bp)):s32" },
		{ "*o->p->text", " text=+0(+24(+32(-8(%bp)))):s8" }, { "o.in.a", " a=+0(-8(%bp)):s32" },
		{ "o->bf1", " bf1=+56(-8(%bp)):b3@0/32" }, { "o->bf2", " bf2=+56(-8(%bp)):b7@3/32" },
		{ "o->sbf", " sbf_s9=+56(-8(%bp)):b9@10/64" }, { "s:u8[4]", " s_u8_4=+0(-16(%bp)):u8[4]" },
		{ "pp:string[2]", " pp_string_2=+0(-48(%bp)):string[2]" },
		{ "o->strs:string[2]", " strs=+176(-8(%bp)):string[2]" },
		{ "v:string", " v_string=+0(-32(%bp)):string" }, { "n:b4@2/32", " n_b4_2_32=%ax:b4@2/32" },
		{ "&in.a:string", " a=+16(%bp):string" }, { "k", " k=\\-5:s32" },
		{ "val->in.a", " a=+48(%sp):s32" }, { "val->p->a", " a=+0(+80(%sp)):s32" },
		{ "val0", " val0=%sp:s32" }, { "far", " far=-4(+8(+16(%bp))):s32" },
		{ "what", " what=%ax:x64" }, { "g", " g=@sym+1000:s32" }, { "go.in.s", " s=@sym+2004:s16" },
		{ "go.p->s", " s=+4(@sym+2032):s16" }, { "gs:string", " gs_string=+0(@sym+3000):string" },
		{ "o->in.name", " name=+6(-8(%bp)):x8[16]" },
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(put(cases[i].arg), cases[i].want);
	env.features &= ~(unsigned)FETCH_ARRAY;
	CHECK_STR(put("vla"), " vla=+8(%sp)");
	CHECK_STR(put("buf"), " buf=-80(%bp)");
}

TEST(fetch_takes_the_kernels_own_expressions)
{
	static const struct { const char *arg, *want; } cases[] = {
		{ "%ax", " arg1=%ax" }, { "%di %si:u32", " arg1=%di arg2=%si:u32" },
		{ "x=%ax:x8", " x=%ax:x8" }, { "+8(%sp):u32", " arg1=+8(%sp):u32" },
		{ "-8(%bp)", " arg1=-8(%bp)" }, { "+0(+0x10(%sp)):string", " arg1=+0(+16(%sp)):string" },
		{ "$stack $stack3 $comm", " arg1=$stack arg2=$stack3 arg3=$comm" },
		{ "\\5 \\-1:s8", " arg1=\\5 arg2=\\-1:s8" },
		{ "\\0xffffd7c9c99ba680:u64", " arg1=\\0xffffd7c9c99ba680:u64" },
		{ "n=\\\"a b\":string", " n=\\\"a b\":string" },
		{ "@+100:u8", " arg1=@+100:u8" }, { "%RAX %eax %r8d", " arg1=%ax arg2=%ax:x32 arg3=%r8:x32" },
		{ "%di:string", " arg1=+0(%di):string" }, { "$arg1 $arg6", " arg1=%di arg2=%r9" },
		{ "+0($arg2):string", " arg1=+0(%si):string" }, { "+4(o->p)", " arg1=+4(+32(-8(%bp)))" },
		{ "%ax:u", " arg1=%ax:u64" },
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(put(cases[i].arg), cases[i].want);
	check_error("%xyz", "is no register of x86_64");
	check_error("%ds", "is no register");
	check_error("$arg7", "$arg6");
	check_error("$retval", "return only");
	check_error("$foo", "$retval, $argN");
	check_error("@jiffies", "by its name alone");
	check_error("+8[%sp]", "'(' is expected");
	check_error("+x(%sp)", "an offset is expected");
	check_error("%sp+4", "nothing more");
}

TEST(fetch_knows_registers_of_arm64)
{
	begin();
	env.arch = &arch_aarch64;
	CHECK_STR(put("%x0 %w1 %X2 %x30 %w30 %fp %lr %sp %pc"),
		  " arg1=%x0 arg2=%x1:x32 arg3=%x2 arg4=%lr arg5=%lr:x32 arg6=%x29 arg7=%lr arg8=%sp arg9=%pc");
	CHECK_STR(put("$arg1 $arg8"), " arg1=%x0 arg2=%x7");
	CHECK_STR(put("n u"), " n=%x0:s32 u=%x8:x32");
	check_error("$arg9", "$arg8");
	check_error("%x31", "is no register of aarch64");
	check_error("%vg", "is no register of aarch64");
}

TEST(fetch_marks_user_memory_in_the_kernel)
{
	begin();
	env.is_user = false;
	CHECK_STR(put("s:string@user"), " s_string=+u0(-16(%bp)):string");
	CHECK_STR(put("o->p->a@user"), " a=+u0(+u32(-8(%bp))):s32");
	CHECK_STR(put("+u8(%di):ustring"), " arg1=+u8(%di):ustring");
	CHECK_STR(put("@jiffies @0xffff000012345678 @sym+8:u8"),
		  " arg1=@jiffies arg2=@0xffff000012345678 arg3=@sym+8:u8");
	CHECK_STR(put("$arg1"), " arg1=$arg1");
	CHECK_STR(put("s:symbol v:%pd n:symstr"), " s_symbol=-16(%bp):symbol v_pd=-32(%bp):%pd n_symstr=%ax:symstr");
	env.features = 0;
	CHECK_STR(put("$arg1"), " arg1=%di");
	check_error("s:string@user", "user");
	check_error("s:ustring", "no type 'ustring'");
	check_error("+u8(%di)", "user");
	check_error("s:symstr", "no type 'symstr'");
	check_error("s:%pd", "no type '%pd'");
	check_error("k", "always -5");
	env.at_entry = false;
	check_error("$arg1", "first instruction");
}

TEST(fetch_at_a_return_has_the_value_only)
{
	begin();
	env.is_return = true;
	CHECK_STR(put("$retval"), " arg1=$retval");
	vars.returns = T_INT;
	CHECK_STR(put("$retval x=$retval:x8"), " arg1=$retval:s32 x=$retval:x8");
	vars.returns = T_POUTER;
	CHECK_STR(put("$retval->in.a $retval"), " a=+0($retval):s32 arg2=$retval:x64");
	vars.returns = T_PCHAR;
	CHECK_STR(put("ret=$retval:string"), " ret=+0($retval):string");
	CHECK_STR(put("g"), " g=@sym+1000:s32");
	check_error("n", "return");
	check_error("$arg1", "first instruction");
	check_error("$vars", "return");
	env.is_return = false;
	env.at_ret_insn = true;
	vars.returns = T_INT;
	CHECK_STR(put("$retval n"), " arg1=%ax:s32 n=%ax:s32");
	env.is_return = true;
	env.at_ret_insn = env.is_user = false;
	CHECK_STR(put("$arg2"), " arg1=$arg2");
}

TEST(fetch_leaves_names_to_a_kernel_that_knows_them)
{
	begin();
	env.is_user = false;
	env.variable = NULL;
	env.nth = NULL;
	check_error("skb->len", "no debug information");
	env.features |= FETCH_BTF;
	CHECK_STR(put("skb->dev.name:string n $arg*"), " name=skb->dev.name:string n=n $arg*");
	check_error("skb->a[1]", "a->b.c");
	check_error("$vars", "no debug information");
	env.at_entry = false;
	check_error("skb->len", "no debug information");
	check_error("$arg*", "no debug information");
}

TEST(fetch_expands_variables_and_leaves_out_what_is_gone)
{
	begin();
	vars.n = 4;
	CHECK_STR(put("$params"), " o=-8(%bp):x64 s=-16(%bp):x64 v=-32(%bp):x64 pp=-48(%bp):x64");
	CHECK_STR(put("$arg*"), " o=-8(%bp):x64 s=-16(%bp):x64 v=-32(%bp):x64 pp=-48(%bp):x64");
	vars.n = 24;
	CHECK_STR(
		put("$vars"),
		" o=-8(%bp):x64 s=-16(%bp):x64 v=-32(%bp):x64 pp=-48(%bp):x64 n=%ax:s32 ch=%bx:s8"
		" u=%r8:x32 r=%di:x64 buf=-80(%bp):s8[32] vla=+8(%sp):s32[4] d=-64(%bp):x64 k=\\-5:s32 g=@sym+1000:s32"
		" gs=@sym+3000:x64 val0=%sp:s32 far=-4(+8(+16(%bp))):s32 what=%ax:x64 e_x=%ax:s32");
	CHECK_EQ(vars.skipped, 6);   /* in, inr, f, gone, go, val */
	check_error("x=$vars", "no name");
	check_error("$vars:u8", "no name");
}

TEST(fetch_gives_each_argument_a_name_of_its_own)
{
	begin();
	CHECK_STR(put("o->in.a in.a go.in.a"), " a=+0(-8(%bp)):s32 a_2=+16(%bp):s32 a_3=@sym+2000:s32");
	CHECK_STR(put("in.a a=n"), " a_2=+16(%bp):s32 a=%ax:s32");
	CHECK_STR(put("arg2=n %di"), " arg2=%ax:s32 arg2_2=%di");
	check_error("a=n a=ch", "occurs twice");
	check_error("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=n", "31 characters");
	CHECK_STR(put("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=n"), " aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=%ax:s32");
}

TEST(fetch_says_what_cannot_be_fetched)
{
	static const struct { const char *arg, *says;
	} cases[] = {
		{"nosuch", "no variable 'nosuch'"},
		{"gone", "in pieces"},
		{"in", "struct inner"},
		{"in", ".a .s .name .text"},
		{"f", "register xmm0, which is for floating point"},
		{"o->nosuch", "no member 'nosuch'"},
		{"o->nam", "no member 'nam'"},
		{"n->x", "no members"},
		{"inr.text", "beyond its register"},
		{"n[1]", "neither pointer nor array"},
		{"*n", "not a pointer"},
		{"&n", "not in memory"},
		{"&in", "cannot compute"},
		{"val", "cannot compute"},
		{"&o->bf1", "not in memory"},
		{"n:string", "not a text"},
		{"o->arr:string", "not a text"},
		{"n:u8[4]", "arrays are in memory"},
		{"s:strnig", "'string'"},
		{"s:u9", "u8"},
		{"s:u8[0]", "[1] to [64]"},
		{"s:u8[65]", "[1] to [64]"},
		{"s:b9@30/32", "not known"},
		{"o->bf1:u8", "no other type"},
		{"o->arr[4]", "4 elements"},
		{"o->arr[x]", "index"},
		{"v[1]", "no known size"},
		{"o->", "member's name"},
		{"o in.a.b", "no members"},
		{"%ax->b", "it is of no known type, which has no members"},
		{"k->x", "no members"},
		{"$comm:string[2]", "not several pointers"},
		{"+0($comm)", "no address"},
		{"s:symbol", "kernel's own"},
		{"s:%pD", "kernel's own"},
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_error(cases[i].arg, cases[i].says);
	CHECK(!*put("o nosuch"));
	CHECK(strstr(e.text, "'nosuch'"));
}

/* The text as it was written, and a mark under the spot. */
TEST(fetch_marks_where_an_argument_is_wrong)
{
	static const struct { const char *args, *mark; } cases[] = {
		{ "n 0x10(1a)", "n 0x10(1a)\n    ^" }, { "n +0x10(1a)", "n +0x10(1a)\n          ^" },
		{ "n s:strnig", "n s:strnig\n      ^" }, { "n o->nosuch", "n o->nosuch\n     ^" },
		{ "x=nosuch", "x=nosuch\n    ^" }, { "*n", "*n\n  ^" }, { "n o->in.a.b", "n o->in.a.b\n           ^" },
		{ "n $foo", "n $foo\n    ^" }, { "in", "in\n  ^" }, { "s[x]", "s[x]\n    ^" },
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_error(cases[i].args, cases[i].mark);
	check_error("0x10(n)", "an offset begins with + or -");
	check_error("5", "a constant is");
}

TEST(fetch_bounds_what_it_makes)
{
	char text[900] = "";
	size_t n = 0;

	begin();
	for (unsigned i = 0; i < 14; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "+0(");
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%%ax");
	for (unsigned i = 0; i < 14; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ")");
	check_error(text, "pointers are followed");
	check_error("+100000000(+100000000(+100000000(+100000000(+1000000000(%ax)))))", "63 characters");
	n = 0;
	for (unsigned i = 0; i < 200; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "*");
	snprintf(text + n, sizeof(text) - n, "n");
	check_error(text, "nested too deep");
	check_error("o[1073741825]", "index");
	check_error("$stack $vars $vars $vars $vars $vars $vars $vars $vars %ax", "128 arguments");
}

TEST(fetch_features_are_told_by_the_readme)
{
	/* Lines of /sys/kernel/tracing/README of Linux 6.12. */
	static const char now[] =
		"   place (uprobe): <path>:<offset>[%return][(ref_ctr_offset)]\n"
		"	           $stack<index>, $stack, $retval, $comm, $arg<N>,\n"
		"	           <argname>[->field[->field|.field...]],\n"
		"	           +|-[u]<offset>(<fetcharg>), \\imm-value, \\\"imm-string\"\n"
		"	     kernel return probes support: $retval, $arg<N>, $comm\n"
		"	     type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol,\n"
		"	           b<bit-width>@<bit-offset>/<container-size>, ustring,\n"
		"	           symstr, %pd/%pD, <type>\\[<array-size>\\]\n";

	CHECK_EQ(fetch_features(now), FETCH_USTRING | FETCH_IMMEDIATE | FETCH_SYMSTR | FETCH_CHAR | FETCH_BTF |
		 FETCH_REFCOUNT | FETCH_RETURN_SUFFIX | FETCH_ARGN | FETCH_RETURN_ARGS | FETCH_ARRAY | FETCH_DENTRY);
	CHECK_EQ(fetch_features("fetcharg: %<register>, @<address>, $stack, $retval, $comm\n type: u8, string"), 0);
	CHECK_EQ(fetch_features(""), fetch_features(now));
}

static const char *put_usdt(const char *args, unsigned *skipped)
{
	static struct mem_out m;

	mem_out_init(&m);
	fetch_put_usdt(&env, args, &m.out, skipped);
	return mem_out_str(&m);
}

TEST(fetch_translates_markers)
{
	unsigned skipped;

	begin();
	CHECK_STR(put_usdt("-4@%edi 8@-8(%rbp) 4@$5", &skipped), " arg1=%di:s32 arg2=-8(%bp):u64 arg3=\\5:u32");
	CHECK_EQ(skipped, 0);
	env.arch = &arch_aarch64;
	CHECK_STR(put_usdt("4@w0 -8@[sp, 16] 1@[x3] -4@-3 8@[x1, x2]", &skipped),
		  " arg1=%x0:u32 arg2=+16(%sp):s64 arg3=+0(%x3):u8 arg4=\\-3:s32");
	CHECK_EQ(skipped, 1);
	env.features = 0;
	CHECK_STR(put_usdt("-4@-3 4@w1", &skipped), " arg2=%x1:u32");
	CHECK_EQ(skipped, 1);
	CHECK_STR(put_usdt("", &skipped), "");
}

/* Two structs, an array and a half of a register. */
static void begin_registers(void)
{
	static const struct fetch_test_var more[] = {
		{ "two", T_TWO, false, { .kind = LOC_REG, .reg = 5 } },
		{ "up", T_SHORT, false, { .kind = LOC_VALUE, .reg = 4, .shift = 16 } },
		{ "txt", T_CHAR6, false, { .kind = LOC_REG, .reg = 1 } },
		{ "ktwo", T_TWO, false, { .kind = LOC_CONST, .off = 7 } },
	};

	begin();
	memcpy(&vars.v[vars.n], more, sizeof(more));
	vars.n += ARRAY_SIZE(more);
}

static void add_var(const char *name, enum fetch_type_id type, unsigned n, const struct loc_piece *pieces)
{
	struct fetch_test_var *v = &vars.v[vars.n++];

	*v = (struct fetch_test_var){ name, type, true, { .kind = LOC_PIECES, .n_pieces = n } };
	memcpy(v->loc.piece, pieces, n * sizeof(*pieces));
}

/* Registers of x86 by DWARF: 0 ax, 1 dx, 2 cx, 3 bx, 4 si, 5 di. As clang and Go tell; run with known values. */
TEST(fetch_takes_arguments_of_markers_by_number)
{
	begin();
	env.arch = &arch_aarch64;
	env.usdt_args = "-4@w0 8@[sp, 16] 8@x2 -2@[x3] 8f@d0 8@[x0, x1]";
	CHECK_STR(put("$arg1 $arg2 $arg4"), " arg1=%x0:s32 arg2=+16(%sp):u64 arg3=+0(%x3):s16");
	CHECK_STR(put("a=$arg2:string $arg3:string"), " a=+0(+16(%sp)):string arg2=+0(%x2):string");
	CHECK_STR(put("$arg3:x8 $arg1:x +8($arg3) *$arg2:s32"),
		  " arg1=%x2:x8 arg2=%x0:x32 arg3=+8(%x2) arg4=+0(+16(%sp)):s32");
	check_error("$arg5", "floating-point");
	check_error("$arg6", "'[x0, x1]'");
	check_error("$arg7", "the marker has 6 arguments");
	check_error("$arg0", "the marker has 6 arguments");
	env.usdt_args = "";
	check_error("$arg1", "no arguments");
}

TEST(fetch_members_of_what_is_in_registers)
{
	static const struct loc_piece mix[] = {
		{ .at = 0, .size = 4, .kind = LOC_REG, .reg = 5 },
		{ .at = 4, .size = 2, .kind = LOC_VALUE, .reg = 5, .shift = 32 },
		{ .at = 6, .size = 2, .kind = LOC_VALUE, .reg = 5, .shift = 48 },
		{ .at = 8, .size = 6, .kind = LOC_VALUE, .reg = 4, .shift = 16 },
		{ .at = 14, .size = 2, .kind = LOC_GONE, .why = "thread local" },
		{ .at = 16, .size = 8, .kind = LOC_REG, .reg = 1 },
		{ .at = 24, .size = 4, .kind = LOC_REG, .reg = 17 },
		{ .at = 28, .size = 4, .kind = LOC_REG, .reg = 2 },
	};
	static const struct loc_piece slice[] = {
		{ .at = 0, .size = 16, .kind = LOC_MEM, .reg = 7, .off = 8 },
		{ .at = 16, .size = 8, .kind = LOC_ADDR, .off = 1000 },
	};
	static const struct loc_piece known[] = {
		{ .at = 0, .size = 4, .kind = LOC_CONST, .off = -3 },
		{ .at = 4, .size = 3, .kind = LOC_VALUE, .reg = 3, .off = 8 },
	};
	static const struct { const char *arg, *want; } cases[] = {
		{ "two.a", " a=%di:s32" }, { "two.s", " s_s16=%di:b16@32/64" }, { "two.c", " c_s8=%di:b8@48/64" },
		{ "two.f1", " f1=%di:b3@56/64" }, { "two.f2:u", " f2=%di:b4@59/64" }, { "two:x", " two_x=%di:x64" },
		{ "up", " up_s16=%si:b16@16/32" }, { "txt[0]", " txt=%dx:s8" }, { "txt[5]", " txt_s8=%dx:b8@40/64" },
		{ "ktwo.a", " a=\\7:s32" }, { "ktwo.c", " c_s8=\\7:b8@48/64" },
		{ "mix.t.a", " a=%di:s32" }, { "mix.t.s", " s_s16=%di:b16@32/64" }, { "mix.t.c", " c_s8=%di:b8@48/64" },
		{ "mix.t.f2", " f2=%di:b4@59/64" }, { "mix.txt[1]", " txt_s8=%si:b8@24/32" },
		{ "mix.text", " text=%dx:x64" },
		{ "mix.text:string", " text=+0(%dx):string" }, { "mix.text[3]", " text=+3(%dx):s8" },
		{ "mix.y:x", " y=%cx:x32" },
		{ "slice.array[2]", " array=+8(@sym+1000):s32" }, { "slice.name.len", " len=+16(%sp):s64" },
		{ "slice.name:string", " name=+0(+8(%sp)):char[64] name_len=+16(%sp):s64" },
		{ "slice.name", " name_str=+8(%sp):x64 name_len=+16(%sp):s64" },
		{ "known.a", " a=\\-3:s32" },
	};

	begin_registers();
	add_var("mix", T_MIX, ARRAY_SIZE(mix), mix);
	add_var("slice", T_SLICE, ARRAY_SIZE(slice), slice);
	add_var("known", T_TWO, ARRAY_SIZE(known), known);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(put(cases[i].arg), cases[i].want);
	CHECK_STR(put("mix.t.s two.c mix.text:string"), " s_s16=%di:b16@32/64 c_s8=%di:b8@48/64 text=+0(%dx):string");
}

/* The kernel shows parts of registers without sign: the name says that there is one, or nothing does. */
TEST(fetch_tells_of_signs_that_the_kernel_does_not_show)
{
	unsigned signless = 0;

	begin_registers();
	env.signless = &signless;
	CHECK_STR(put("two.s"), " s_s16=%di:b16@32/64");
	CHECK_EQ(signless, 0);
	CHECK_STR(put("mine=two.s two.f1 two.a"), " mine=%di:b16@32/64 f1=%di:b3@56/64 a=%di:s32");
	CHECK_EQ(signless, 1);
}

static int nth_param(void *arg, unsigned i, struct fetch_var *v, struct err *err)
{
	bool is_param;

	return fetch_test_nth(arg, i, &is_param, v, err);
}

static void params(const struct arch *arch, unsigned n, const enum fetch_type_id *types)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };

	begin();
	env.arch = arch;
	env.param = nth_param;
	vars.n = n;
	for (unsigned i = 0; i < n; i++)
		vars.v[i] = (struct fetch_test_var){ names[i], types[i], true, { .kind = LOC_GONE } };
}

TEST(fetch_counts_arguments_by_their_kind_of_register)
{
	static const enum fetch_type_id mixed[] = { T_DOUBLE, T_FLOAT, T_INT, T_TWO, T_STRING, T_SLICE, T_FLOAT,
						    T_PVOID };
	static const enum fetch_type_id many[] = { T_STRING, T_STRING, T_STRING, T_INT, T_STRING, T_INT, T_DOUBLE };

	params(&arch_aarch64, ARRAY_SIZE(mixed), mixed);
	check_error("$arg1", "a is in register v0, which is for floating point");
	check_error("$arg2", "b is in register v1");
	CHECK_STR(put("$arg3 $arg4 $arg5 $arg6 $arg8"), " arg1=%x0 arg2=%x1 arg3=%x2 arg4=%x4 arg5=%x5");
	check_error("$arg7", "g is in register v2");
	check_error("$arg9", "no $arg9: the function has 8 parameters");
	params(&arch_x86_64, ARRAY_SIZE(mixed), mixed);
	CHECK_STR(put("$arg3 $arg4 $arg5 $arg8"), " arg1=%di arg2=%si arg3=%dx arg4=%r8");
	check_error("$arg2", "register xmm1");
	check_error("$arg6", "on the stack");
	params(&arch_aarch64, ARRAY_SIZE(many), many);
	CHECK_STR(put("$arg4"), " arg1=%x6");
	check_error("$arg5", "on the stack");
	check_error("$arg6", "on the stack");
	check_error("$arg7", "register v0");
	params(&arch_aarch64, 1, (enum fetch_type_id[]){ T_INT });
	check_error("$arg10", "no $arg10: the function has 1 parameter");
	params(&arch_aarch64, 0, NULL);
	check_error("$arg1", "has no parameters");
	/* What the compiler says of the place is better than any count. */
	params(&arch_aarch64, 2, (enum fetch_type_id[]){ T_INT, T_INT });
	vars.v[1].loc = at_reg(0);
	CHECK_STR(put("$arg2"), " arg1=%x0");
	vars.v[1].loc = at_reg(66);
	check_error("$arg2", "b is in register v2");
}

TEST(fetch_refuses_what_is_returned_in_registers_for_floating_point)
{
	static const struct { const struct arch *arch; enum fetch_type_id type; const char *says; } bad[] = {
		{ &arch_aarch64, T_DOUBLE, "it is double, returned in register v0" },
		{ &arch_x86_64, T_FLOAT, "it is float, returned in register xmm0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		begin();
		env.arch = bad[i].arch;
		env.is_return = true;
		vars.returns = bad[i].type;
		check_error("$retval", bad[i].says);
		check_error("$retval:x64", bad[i].says);
		vars.returns = T_TWO;
		CHECK_STR(put("$retval:x64"), " arg1=$retval:x64");
	}
	check_error("%xmm0", "no probe can read");
	env.arch = &arch_aarch64;
	check_error("%v0", "no probe can read");
	check_error("%d31", "no probe can read");
	check_error("%d32", "no register");
}

TEST(fetch_says_why_a_member_is_not_there)
{
	static const struct loc_piece mix[] = {
		{ .at = 0, .size = 2, .kind = LOC_REG, .reg = 5 }, { .at = 2, .size = 2, .kind = LOC_REG, .reg = 4 },
		{ .at = 4, .size = 4, .kind = LOC_VALUE, .reg = 3, .off = 8 },
		{ .at = 14, .size = 2, .kind = LOC_GONE, .why = "thread local" },
		{ .at = 24, .size = 4, .kind = LOC_REG, .reg = 17 }, { .at = 28, .size = 4, .kind = LOC_REG, .reg = 2 },
	};

	begin_registers();
	add_var("mix", T_MIX, ARRAY_SIZE(mix), mix);
	check_error("mix", "struct mix as a whole");
	check_error("mix:x64", "in several places");
	check_error("mix:u8", "in several places");
	check_error("mix:u8[2]", "arrays are in memory");
	check_error("mix:string", "not a text");
	check_error("+0(mix)", "no address that can be followed");
	check_error("&mix", "no address");
	check_error("mix.t", ".a .s .c");
	check_error("mix.t:x", "in several places");
	check_error("mix.t.a", "split over several places");
	check_error("mix.t.s", "cannot compute");
	check_error("mix.txt", "its elements can be asked for");
	check_error("mix.txt[1]", "optimised out");
	check_error("mix.last", "thread local");
	check_error("mix.text->a", "optimised out");
	check_error("mix.x", "register xmm0, which is for floating point");
	CHECK_STR(put("mix.y"), " y=%cx:x32");
	check_error("two", "struct two as a whole");
	check_error("+0(two.s)", "no address that can be followed");
	CHECK_STR(put("two.s:s"), " s_s16=%di:b16@32/64");
	CHECK_STR(put("two.s:u"), " s=%di:b16@32/64");
	check_error("two.s:u16", "no other type");
	check_error("txt", "its elements can be asked for");
	check_error("txt[-1]", "outside");
	check_error("txt[6]", "outside");
	check_error("inr.name[2]", "beyond its register");
	check_error("slice", "no variable");
}

/* A string of Go, whole: by its pointer and its length; as text up to the next NUL. */
TEST(fetch_strings_that_know_their_length)
{
	static const struct loc_piece k[] = {
		{ .at = 0, .size = 8, .kind = LOC_REG, .reg = 3 }, { .at = 8, .size = 8, .kind = LOC_REG, .reg = 2 },
	};

	begin();
	vars.n = 0;
	add_var("k", T_STRING, ARRAY_SIZE(k), k);
	vars.v[vars.n++] = (struct fetch_test_var){ "p", T_STRING, true, at_mem(7, 24) };
	CHECK_STR(put("k"), " k_str=%bx:x64 k_len=%cx:s64");
	CHECK_STR(put("key=k"), " key_str=%bx:x64 key_len=%cx:s64");
	CHECK_STR(put("k k"), " k_str=%bx:x64 k_len=%cx:s64 k_str_2=%bx:x64 k_len_2=%cx:s64");
	/* There is no NUL behind them: so many bytes, and how many of these count. */
	CHECK_STR(put("k:string"), " k_string=+0(%bx):char[64] k_string_len=%cx:s64");
	CHECK_STR(put("key=k:string k.len"), " key=+0(%bx):char[64] key_len=%cx:s64 len=%cx:s64");
	CHECK_STR(put("p:string p"), " p_string=+0(+24(%sp)):char[64] p_string_len=+32(%sp):s64 "
				     "p_str=+24(%sp):x64 p_len=+32(%sp):s64");
	env.features &= ~(unsigned)FETCH_CHAR;
	CHECK_STR(put("k:string"), " k_string=+0(%bx):x8[64] k_string_len=%cx:s64");
	env.features &= ~(unsigned)FETCH_ARRAY;
	CHECK_STR(put("k:string"), " k_string=+0(%bx):string");
	env.features = ALL;
	CHECK_STR(put("$params"), " k_str=%bx:x64 k_len=%cx:s64 p_str=+24(%sp):x64 p_len=+32(%sp):s64");
	check_error("p:string[2]", "not several pointers to text");
	env.is_return = true;
	check_error("k", "its place is known while the function runs");
}
