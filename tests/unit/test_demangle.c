/*
 * test_demangle.c - names of C++ and Rust. What they mean was told by c++filt of binutils 2.40 (without its expansion
 * of std::string), and for Rust's v0 by LLVM's, too; where these are wrong, by hand.
 */
#include "obj/demangle/demangle.h"
#include "t.h"

struct row {
	const char *name, *full, *brief;   /* NULL: the same */
};

static const struct row cxx[] = {
	{ "_Z1fv", "f()", "f" },
	{ "_Z3fooi", "foo(int)", "foo" },
	{ "_ZN2ns5klass1fEiPKc", "ns::klass::f(int, char const*)", "ns::klass::f" },
	{ "_ZNKR1A1fEv", "A::f() const &", "A::f" },
	{ "_ZNVKO1A1fEv", "A::f() const volatile &&", "A::f" },
	{ "_Z1fPFPFvcEiE", "f(void (*(*)(int))(char))", "f" },
	{ "_Z1fRA5_KiA2_A3_j", "f(int const (&) [5], unsigned int [2][3])", "f" },
	{ "_Z1fM1AKFvvEMS_i", "f(void (A::*)() const, int A::*)", "f" },
	{ "_Z1fM1AKDoFvvE", "f(void (A::*)() noexcept const)", "f" },
	{ "_Z1fPVKiOrPd", "f(int const volatile*, double* restrict&&)", "f" },
	{ "_Z1fDv4_fCdDnDhDuDsDi",
	  "f(float __vector(4), double _Complex, decltype(nullptr), half, char8_t, char16_t, char32_t)",
	  "f" },
	{ "_Z1fnoPDF16_z", "f(__int128, unsigned __int128, _Float16*, ...)", "f" },
	{ "_Z1fU8__vectorx", "f(long long __vector)", "f" },
	{ "_Z1fu6__bf16", "f(__bf16)", "f" },
	{ "_Z3maxIiET_S0_S0_", "int max<int>(int, int)", "max<int>" },
	{ "_Z1fIiEPFvT_EPS0_", "void (*f<int>(int*))(int)", "f<int>" },
	{ "_ZN1AcvT_IiEEv", "A::operator int<int>()", "A::operator int<int>" },
	{ "_ZN1AcvPKcEv", "A::operator char const*()", "A::operator char const*" },
	{ "_ZN1AnwEmRKSt9nothrow_t",
	  "A::operator new(unsigned long, std::nothrow_t const&)",
	  "A::operator new" },
	{ "_ZN1AclEv", "A::operator()()", "A::operator()" },
	{ "_ZN1AdaEPv", "A::operator delete[](void*)", "A::operator delete[]" },
	{ "_Zli2_sPKcm", "operator\"\" _s(char const*, unsigned long)", "operator\"\" _s" },
	{ "_Z1fv1xi", "f(void, x, int)", "f" },
	{ "_ZN1AssERKS_", "A::operator<=>(A const&)", "A::operator<=>" },
	{ "_ZN1A1BIiEC1Ev", "A::B<int>::B()", "A::B<int>::B" },
	{ "_ZN1A1BIiED0Ev", "A::B<int>::~B()", "A::B<int>::~B" },
	{ "_ZNSsC1Ev",
	  "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string()",
	  "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string" },
	{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKcm",
	  "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::append(c"
	  "har const*, unsigned long)",
	  "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::append" },
	{ "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
	  "std::basic_ostream<char, std::char_traits<char> >& std::endl<char, std::char_traits<char>"
	  " >(std::basic_ostream<char, std::char_traits<char> >&)",
	  "std::endl<char, std::char_traits<char> >" },
	{ "_ZNSt6vectorIiSaIiEE4pushB5cxx11Ei",
	  "std::vector<int, std::allocator<int> >::push[abi:cxx11](int)",
	  "std::vector<int, std::allocator<int> >::push[abi:cxx11]" },
	{ "_Z1fSaIcESsSiSoSd",
	  "f(std::allocator<char>, std::string, std::istream, std::ostream, std::iostream)",
	  "f" },
	{ "_Z1fSt4pairIiSt6vectorIS_IicESaIS1_EEE",
	  "f(std::pair<int, std::vector<std::pair<int, char>, std::allocator<std::pair<int, char> > > >)",
	  "f" },
	{ "_Z1fILi5ELj5ELl5ELm5ELx5ELy5ELin5ELb1ELb0ELc65EL1E3EEvv",
	  "void f<5, 5u, 5l, 5ul, 5ll, 5ull, -5, true, false, (char)65, (E)3>()",
	  "f<5, 5u, 5l, 5ul, 5ll, 5ull, -5, true, false, (char)65, (E)3>" },
	{ "_Z1fILd4014000000000000ELs3EEvv",
	  "void f<(double)[4014000000000000], (short)3>()",
	  "f<(double)[4014000000000000], (short)3>" },
	{ "_Z1fIXadL_ZN2ns1gEiEEEvv", "void f<&ns::g>()", "f<&ns::g>" },
	{ "_Z1fIXadL_Z1giEEEvv", "void f<&(g(int))>()", "f<&(g(int))>" },
	{ "_Z1fIJidEEvDpT_", "void f<int, double>(int, double)", "f<int, double>" },
	{ "_Z1fIJEEvDpT_", "void f<>()", "f<>" },
	{ "_ZN1AIJEiE1fEv", "A<, int>::f()", "A<, int>::f" },
	{ "_Z1fIJidEEvSt5tupleIJDpRT_EE",
	  "void f<int, double>(std::tuple<int&, double&>)",
	  "f<int, double>" },
	{ "_Z1fIRiEvOT_", "void f<int&>(int&)", "f<int&>" },
	{ "_Z1fIOiEvRT_", "void f<int&&>(int&)", "f<int&&>" },
	{ "_Z1fIA3_iEvRKT_", "void f<int [3]>(int const (&) [3])", "f<int [3]>" },
	{ "_Z1fIKiEvRKT_", "void f<int const>(int const&)", "f<int const>" },
	{ "_Z1fIiEDTplfp_Li1EET_", "decltype ({parm#1}+(1)) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTcmdtfp_1xptfp_1yET_", "decltype (({parm#1}.x),({parm#1}->y)) f<int>(int)", "f<int>" },
	{ "_Z1fIiEvDTnw_T_EE", "void f<int>(decltype (new int))", "f<int>" },
	{ "_Z1fIiEDTnw_T_piLi1EEES0_", "decltype (new int(1)) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTquLb1EstT_szfp_ES0_",
	  "decltype ((true)?(sizeof (int)) : (sizeof {parm#1})) f<int>(int)",
	  "f<int>" },
	{ "_Z1fIiEDTcvT_fp_ES0_", "decltype ((int){parm#1}) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTtlT_Li1ELi2EEES0_", "decltype (int{1, 2}) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTscT_fp_ES0_", "decltype (static_cast<int>({parm#1})) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTclL_Z1giEfp_EES_", "decltype (g({parm#1})) f<int>(f)", "f<int>" },
	{ "_Z1fIiEDTixfp_Li0EET_", "decltype ({parm#1}[0]) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTppfp_ET_", "decltype ({parm#1}++) f<int>(int)", "f<int>" },
	{ "_Z1fIiEDTpp_fp_ET_", "decltype (++{parm#1}) f<int>(int)", "f<int>" },
	{ "_Z1fIiENSt9enable_ifIXgtstT_Li4EES0_E4typeES0_",
	  "std::enable_if<((sizeof (int))>(4)), std::enable_if>::type f<int>(std::enable_if)",
	  "f<int>" },
	{ "_Z1fIJiiiEEDTcmcmcmcmfrplfp_flplfp_fLplLi1Efp_sZT_sZfp_EDpT_",
	  "decltype (((((({parm#1}+...)),((...+{parm#1}))),(((1)+...+{parm#1}))),(3)),(0)) f<int, in"
	  "t, int>(int, int, int)",
	  "f<int, int, int>" },
	{ "_Z1fIiE1IIXsr3FooIT_E5valueEES2_", "I<Foo<int>::value> f<int>(int)", "f<int>" },
	{ "_Z1fIiE1IIXsr3FooIT_EE5valueEES1_", "I<Foo<int>::value> f<int>(int)", "f<int>" },
	{ "_Z1fIiEvDTclsr3stdE7declvalIT_EEE", "void f<int>(decltype ((std::declval<int>)()))", "f<int>" },
	{ "_ZZ3foovE1x", "foo()::x", NULL },
	{ "_ZZ3fooIiEvvE1x_0", "foo<int>()::x", NULL },
	{ "_ZZN1A1fEvENKUlvE_clEv",
	  "A::f()::{lambda()#1}::operator()() const",
	  "A::f()::{lambda()#1}::operator()" },
	{ "_ZZN1A1fEvENKUliPKcE0_clEiS1_",
	  "A::f()::{lambda(int, char const*)#2}::operator()(int, char const*) const",
	  "A::f()::{lambda(int, char const*)#2}::operator()" },
	{ "_ZZN1A1fEvENKUlT_E_clIiEEDaS0_",
	  "auto A::f()::{lambda(auto:1)#1}::operator()<int>(int) const",
	  "A::f()::{lambda(auto:1)#1}::operator()<int>" },
	{ "_ZZ1fvENUt_1gEv", "f()::{unnamed type#1}::g()", "f()::{unnamed type#1}::g" },
	{ "_ZN1AUt0_1gEv", "A::{unnamed type#2}::g()", "A::{unnamed type#2}::g" },
	{ "_ZZ1fvEs_0", "f()::string literal", NULL },
	{ "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()", "(anonymous namespace)::f" },
	{ "_ZNK3$_0clEv", "$_0::operator()() const", "$_0::operator()" },
	{ "_ZDC1a1bE", "[a, b]", NULL },
	{ "_ZTV1A", "vtable for A", NULL },
	{ "_ZTTN1A1BE", "VTT for A::B", NULL },
	{ "_ZTI1A", "typeinfo for A", NULL },
	{ "_ZTSFivE", "typeinfo name for int ()", NULL },
	{ "_ZTC1B0_1A", "construction vtable for A-in-B", NULL },
	{ "_ZThn8_N1A1fEv", "non-virtual thunk to A::f()", NULL },
	{ "_ZTv0_n24_N1A1fEv", "virtual thunk to A::f()", NULL },
	{ "_ZTcv0_n24_v0_n40_N1A1fEv", "covariant return thunk to A::f()", NULL },
	{ "_ZGVZ1fvE1x", "guard variable for f()::x", NULL },
	{ "_ZGTtnam", "transaction clone for operator new[](unsigned long)", NULL },
	{ "_ZTHN1A1xE", "TLS init function for A::x", NULL },
	{ "_ZTWN1A1xE", "TLS wrapper function for A::x", NULL },
	{ "_ZTAXtl1ALi1EEE", "template parameter object for A{1}", NULL },
	{ "_ZN1A1fEv.isra.0", "A::f() [clone .isra.0]", "A::f" },
	{ "_ZN1A1fEv.isra.0.cold", "A::f() [clone .isra.0] [clone .cold]", "A::f" },
	{ "_ZN1A1fEv.constprop.3.part.12", "A::f() [clone .constprop.3] [clone .part.12]", "A::f" },
	{ "_ZN1A1fEv.llvm.1234", "A::f() [clone .llvm.1234]", "A::f" },
	{ "_ZSt16__insertion_sortIPN4llvm3cfg6UpdateIPNS0_10BasicBlockEEEN9__gnu_cxx5__ops15_Iter_co"
	  "mp_iterIZNS1_15LegalizeUpdatesIS4_EEvNS0_8ArrayRefINS2_IT_EEEERNS0_15SmallVectorImplISD_E"
	  "EbbEUlRKS5_SJ_E_EEEvSC_SC_T0_",
	  "void std::__insertion_sort<llvm::cfg::Update<llvm::BasicBlock*>*, __gnu_cxx::__ops::_Iter"
	  "_comp_iter<llvm::cfg::LegalizeUpdates<llvm::BasicBlock*>(llvm::ArrayRef<llvm::cfg::Update"
	  "<llvm::BasicBlock*> >, llvm::SmallVectorImpl<llvm::cfg::Update<llvm::BasicBlock*> >&, boo"
	  "l, bool)::{lambda(llvm::cfg::Update<llvm::BasicBlock*> const&, llvm::cfg::Update<llvm::Ba"
	  "sicBlock*> const&)#1}> >(llvm::cfg::Update<llvm::BasicBlock*>*, llvm::cfg::Update<llvm::B"
	  "asicBlock*>*, __gnu_cxx::__ops::_Iter_comp_iter<llvm::cfg::LegalizeUpdates<llvm::BasicBlo"
	  "ck*>(llvm::ArrayRef<llvm::cfg::Update<llvm::BasicBlock*> >, llvm::SmallVectorImpl<llvm::c"
	  "fg::Update<llvm::BasicBlock*> >&, bool, bool)::{lambda(llvm::cfg::Update<llvm::BasicBlock"
	  "*> const&, llvm::cfg::Update<llvm::BasicBlock*> const&)#1}>)",
	  "std::__insertion_sort<llvm::cfg::Update<llvm::BasicBlock*>*, __gnu_cxx::__ops::_Iter_comp"
	  "_iter<llvm::cfg::LegalizeUpdates<llvm::BasicBlock*>(llvm::ArrayRef<llvm::cfg::Update<llvm"
	  "::BasicBlock*> >, llvm::SmallVectorImpl<llvm::cfg::Update<llvm::BasicBlock*> >&, bool, bo"
	  "ol)::{lambda(llvm::cfg::Update<llvm::BasicBlock*> const&, llvm::cfg::Update<llvm::BasicBl"
	  "ock*> const&)#1}> >" },
};

static const struct row rust[] = {
	{ "_RNvC6_123foo3bar", "123foo::bar", NULL },
	{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", NULL },
	{ "_RNCNvC7mycrate3foo0", "mycrate::foo::{closure#0}", NULL },
	{ "_RNCNCNvC7mycrate3foos_0s0_0", "mycrate::foo::{closure#1}::{closure#2}", NULL },
	{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>", NULL },
	{ "_RNvXs5_NtCs6GSEQKCBVBr_7mycrate3fooINtB5_3BarhENtNtCsfnEnqCNU58Z_4core5clone5Clone5clone",
	  "<mycrate::foo::Bar<u8> as core::clone::Clone>::clone",
	  NULL },
	{ "_RNvMs_NtC7mycrate3fooNtB4_3Bar3new", "<mycrate::foo::Bar>::new", NULL },
	{ "_RINvC7mycrate3fooKj7b_E", "mycrate::foo::<123>", NULL },
	{ "_RINvC7mycrate3fooKb1_E", "mycrate::foo::<true>", NULL },
	{ "_RINvC7mycrate3fooKc76_E", "mycrate::foo::<'v'>", NULL },
	{ "_RINvC7mycrate3fooKin2_E", "mycrate::foo::<-2>", NULL },
	{ "_RINvC7mycrate3fooFEuE", "mycrate::foo::<fn()>", NULL },
	{ "_RINvC7mycrate3fooFUKCEvE", "mycrate::foo::<unsafe extern \"C\" fn() -> ...>", NULL },
	{ "_RINvC7mycrate3fooDNtC3std4SendEL_E", "mycrate::foo::<dyn std::Send>", NULL },
	{ "_RINvC7mycrate3fooTEE", "mycrate::foo::<()>", NULL },
	{ "_RINvC7mycrate3fooThEE", "mycrate::foo::<(u8,)>", NULL },
	{ "_RINvC7mycrate3fooTheEE", "mycrate::foo::<(u8, str)>", NULL },
	{ "_RINvC7mycrate3fooAhj5_E", "mycrate::foo::<[u8; 5]>", NULL },
	{ "_RINvC7mycrate3fooShE", "mycrate::foo::<[u8]>", NULL },
	{ "_RINvC7mycrate3fooQeE", "mycrate::foo::<&mut str>", NULL },
	{ "_RINvC7mycrate3fooPeE", "mycrate::foo::<*const str>", NULL },
	{ "_RINvC7mycrate3fooOzE", "mycrate::foo::<*mut !>", NULL },
	{ "_RNvC7mycrateu8gdel_5qa", "mycrate::gödel", NULL },
	{ "_RNvCsdef_7mycrateu8gdel_5qa.llvm.123", "mycrate::gödel", NULL },
	{ "_RYNtC1a1bNtC1c1d", "<a::b as c::d>", NULL },
	{ "_RNvYhNtC1c1d1f", "<u8 as c::d>::f", NULL },
	{ "_RNSC1a4main", "a::{shim:main#0}", NULL },
	{ "_RINvC1a1bL_E", "a::b::<'_>", NULL },
	{ "_RINvC1a1bFKCEuE", "a::b::<extern \"C\" fn()>", NULL },
	{ "_RINvC1a1bFDG_INtC3std2FnTRL0_hEEp6OutputuEL_EuE",
	  "a::b::<fn(dyn for<'a> std::Fn<(&'a u8,), Output = ()>)>",
	  NULL },
	{ "_RINvC1a1bhEC1z", "a::b::<u8>", NULL },
	{ "_RINvC1a1bKh0_E", "a::b::<0>", NULL },
	{ "_RNvCsdef_7mycrateu8gdel_5qa", "mycrate::gödel", NULL },
	{ "_RINvC1a1bKy123456789abcdef0_E", "a::b::<1311768467463790320>", NULL },
	{ "_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$..$u7b$$u7b$closure$u7d"
	  "$$u7d$$GT$17h0123456789abcdefE",
	  "core::ptr::drop_in_place<std::rt::lang_start<()>::{{closure}}>::h0123456789abcdef",
	  "core::ptr::drop_in_place<std::rt::lang_start<()>::{{closure}}>" },
	{ "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b74"
	  "0aa94f1d3aE",
	  "<Test + 'static as foo::Bar<Test>>::bar::h930b740aa94f1d3a",
	  "<Test + 'static as foo::Bar<Test>>::bar" },
	{ "_ZN3foo3bar17h05af221e174051e9E.llvm.1234", "foo::bar::h05af221e174051e9", "foo::bar" },
	{ "_ZN3foo5b.a_r17h05af221e174051e9E", "foo::b.a_r::h05af221e174051e9", "foo::b.a_r" },
	{ "_ZN3foo7b$zz$ar17h05af221e174051e9E", "foo::b$zz$ar::h05af221e174051e9", "foo::b$zz$ar" },
	{ "_RINvC7mycrate3fooFG_RL0_hEuE", "mycrate::foo::<for<'a> fn(&'a u8)>", NULL },
	{ "_RINvC7mycrate3fooFG0_RL0_hRL1_tEuE", "mycrate::foo::<for<'a, 'b> fn(&'b u8, &'a u16)>", NULL },
	{ "_RINvC1a1bDNtC3std4Sendp4ItemhNtB4_4SyncEL_E",
	  "_RINvC1a1bDNtC3std4Sendp4ItemhNtB4_4SyncEL_E",
	  NULL },
	{ "_RINvC1a1bFK10system_abiEuE", "a::b::<extern \"system-abi\" fn()>", NULL },
	{ "_RNvMNtC1a1bINtB2_1STReOyOzPaQbSlETAij3_EEE1f",
	  "_RNvMNtC1a1bINtB2_1STReOyOzPaQbSlETAij3_EEE1f",
	  NULL },
};

/* Into a buffer that just holds it, against an unmapped page; the name itself when it is not understood. */
static const char *shown(const char *name, enum demangle_style style)
{
	const char *in = guard_dup(name, strlen(name) + 1);
	char large[4096], *small;
	size_t n;

	if (!demangle(in, style, large, sizeof(large)))
		return name;
	n = strlen(large);
	small = guard_dup(large, n + 1);
	memset(small, 'x', n + 1);
	CHECK(demangle(in, style, small, n + 1));
	CHECK_STR(small, large);
	small = guard_dup(large, n);
	CHECK(!demangle(in, style, small, n));
	return strdup(large);
}

static void check(const struct row *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CHECK_STR(shown(r[i].name, DEMANGLE_FULL), r[i].full);
		CHECK_STR(shown(r[i].name, DEMANGLE_SHORT), r[i].brief ? r[i].brief : r[i].full);
	}
}

TEST(demangle_cxx_as_cxxfilt)
{
	check(cxx, ARRAY_SIZE(cxx));
}

TEST(demangle_rust_as_cxxfilt)
{
	check(rust, ARRAY_SIZE(rust));
}

/* GNU's says "reference temporary #0" of both, nothing of destructors in expressions and of Clang's declared arguments.
 */
TEST(demangle_cxx_by_the_abi)
{
	static const struct row by_hand[] = {
		{"_ZGRL1x_", "reference temporary #0 for x", NULL},
		{"_ZGRL1x0_", "reference temporary #1 for x", NULL},
		{"_Z1fIiEDTcldtfp_dnT_EES0_", "decltype (({parm#1}.(~int))()) f<int>(int)", "f<int>"},
		{"_Z1fITnMN1A1BEiXadL_ZNS1_1cEEEEvv", "void f<&A::B::c>()", "f<&A::B::c>"},
		/* T_ of the lambda's function and T_ of f are the same substitution, but not the same type. */
		{"_ZZNSt9once_flag18_Prepare_executionC4IZSt9call_onceIRFvvEJEEvRS_OT_DpOT0_EUlvE_EERS6_ENUlvE_4_FUNEv",
		 "std::once_flag::_Prepare_execution::_Prepare_execution<std::call_once<void (&)()>(std::once_flag&, "
		 "void (&)())"
		 "::{lambda()#1}>(std::call_once<void (&)()>(std::once_flag&, void "
		 "(&)())::{lambda()#1}&)::{lambda()#1}::_FUN()",
		 "std::once_flag::_Prepare_execution::_Prepare_execution<std::call_once<void (&)()>(std::once_flag&, "
		 "void (&)())"
		 "::{lambda()#1}>(std::call_once<void (&)()>(std::once_flag&, void "
		 "(&)())::{lambda()#1}&)::{lambda()#1}::_FUN"},
	};

	check(by_hand, ARRAY_SIZE(by_hand));
}

TEST(demangle_rust_by_the_rfc)
{
	static const struct row by_hand[] = {
		{ "_RINvC1a1bKo123456789abcdef01_E", "a::b::<0x123456789abcdef01>", NULL },
		{ "_RINvC1a1bKc27_Kca_Kc1f_Kc1f600_E", "a::b::<'\\'', '\\n', '\\u{1f}', '\xf0\x9f\x98\x80'>", NULL },
		{ "_ZN3foo3bar17h05af221e174051e9E.cold", "foo::bar::h05af221e174051e9 [clone .cold]", "foo::bar" },
		{ "_RNvC1a1b.cold.1", "a::b [clone .cold.1]", "a::b" },
	};

	check(by_hand, ARRAY_SIZE(by_hand));
}

TEST(demangle_gives_back_what_it_does_not_understand)
{
	static const char *const names[] = {
		"",
		"_",
		"_Z",
		"_R",
		"main",
		"Z1fv",
		"_Z1fi.",
		"_Z2f",
		"_Z0fv",
		"_Z99999999999fv",
		"_ZN1A",
		"_ZN1AEE",
		"_Z1fS_",
		"_Z1fS5_",
		"_Z1fSZZZZZZZZZZZZ_",
		"_Z1fIiEvT1_",
		"_Z1fT_",
		"_Z1fIivT_",
		"_ZL3foo.0",
		"_ZN1AI",
		"_ZC1v",
		"_Z1fDq",
		"_Z1fILi5Evv",
		"_ZTQ1A",
		"_ZThx_1A",
		"_ZERO",
		"_ZGVbN4v_cosh",
		"_RAISE_ERROR",
		"_RNvC1a",
		"_RNvC1a9b",
		"_RNvB_1b",
		"_RINvC1a1bKh_E",
		"_RINvC1a1bKb2_E",
		"_RNvC1au3aaaaaa9999",
		"_RINvC1a1bFRL0_hEuE",
		"_RNvC1a1b$x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_STR(shown(names[i], DEMANGLE_FULL), names[i]);
}

/* Each of these would be gigabytes, or deeper than any stack. */
TEST(demangle_is_bounded)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static char name[40000], out[1 << 16];
	size_t n;

	/* A pair of a pair of ...: twice the text with each substitution. */
	n = (size_t)snprintf(name, sizeof(name), "_Z1f1AIiiE");
	for (int i = 0; i < 17; i++)
		n += (size_t)snprintf(name + n, sizeof(name) - n, "1AIS%c_S%c_E", digits[2 * i], digits[2 * i]);
	CHECK(!demangle(name, DEMANGLE_FULL, out, sizeof(out)));

	/* What begins a name, what is repeated. */
	static const char *const nested[][2] = {
		{"_Z1f", "P"},  {"_Z1f", "1AI"},         {"_Z1fIX", "cv"}, {"_Z1f", "DTcv"},
		{"_", "ZZ"},    {"_ZTI", "N1AI"},        {"_Z", "TI"},     {"_Z1f", "F"},
		{"_Z", "cv"},   {"_ZN1A", "cvT_I"},      {"_R", "MC1a"},   {"_RINvC1a1b", "T"},
		{"_R", "NvNv"}, {"_RINvC1a1b", "DIC1a"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(nested); i++) {
		n = (size_t)snprintf(name, sizeof(name), "%s", nested[i][0]);
		while (n + 8 < sizeof(name))
			n += (size_t)snprintf(name + n, sizeof(name) - n, "%s", nested[i][1]);
		CHECK(!demangle(name, DEMANGLE_FULL, out, sizeof(out)));
	}
}
