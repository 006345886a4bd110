/* demangle_parts.h - shared by the files of the demangler: the bounded output, and the tree of a C++ name. */
#ifndef OBJ_DEMANGLE_PARTS_H
#define OBJ_DEMANGLE_PARTS_H

#include "obj/demangle/demangle.h"

/*
 * Output to the caller's buffer; there is always room for the NUL. If the text does not fit, `bad` is set and
 * demangling fails.
 */
struct dem_out {
	char *buf;
	size_t n, cap;
	bool bad;
};

void dem_put(struct dem_out *o, const char *s, size_t n);
void dem_str(struct dem_out *o, const char *s);
void dem_char(struct dem_out *o, char c);
void dem_num(struct dem_out *o, uint64_t v);

/* Print a clone suffix, ".isra.0" and the like, or nothing. False: not a suffix. DEMANGLE_SHORT prints none. */
bool dem_clones(struct dem_out *o, const char *s, enum demangle_style style);

/* The same for Rust, without the suffix that link-time optimisation adds to every name of a unit (.llvm.N). */
bool dem_rust_clones(struct dem_out *o, const char *s, enum demangle_style style);

/* Value of a digit 0-9 a-f, or -1. */
int dem_hex(char ch);

bool demangle_cxx(struct dem_out *o, const char *name, enum demangle_style style);
bool demangle_rust_legacy(struct dem_out *o, const char *name, enum demangle_style style);
bool demangle_rust_v0(struct dem_out *o, const char *name, enum demangle_style style);

/*
 * The tree of a C++ name. Nodes are referred to by index, 0 is none; a and b are nodes unless the kind says otherwise.
 * One tree, its substitutions and the deepest recursion fit into 64 KB of stack.
 */
enum {
	CXX_NODES = 3072,
	CXX_SUBS = 1024,
	CXX_DEPTH = 96,       /* of types, expressions and functions inside each other */
	CXX_PRINT_DEPTH = 160,
	CXX_STEPS = 1 << 16,  /* nodes visited while printing: each substitution may double the text */
};

enum cxx_kind {
	CXX_NONE,
	CXX_NAME,       /* a: offset in the mangled name, b: length */
	CXX_TEXT,       /* op: offset in cxx_std */
	CXX_BUILTIN,    /* op: offset in cxx_builtins */
	CXX_QUAL,       /* a::b */
	CXX_LOCAL,      /* a::b, a is a function */
	CXX_TEMPLATE,   /* a<list b> */
	CXX_TAG,        /* a[abi:b] */
	CXX_LIST,       /* a, then list b */
	CXX_PACK,       /* list a, an argument pack */
	CXX_TPARAM,     /* a: index, b: argument */
	CXX_CTOR,       /* a */
	CXX_DTOR,       /* ~a */
	CXX_BIND,       /* [list a] */
	CXX_THIS,       /* a with bits of enum cxx_bits behind the function's parameters */
	CXX_FN,         /* a function a of type b */
	CXX_FUNC,       /* type: returns a (0: unknown), takes list b; bits; op: exceptions' expression or types */
	CXX_SPECIAL,    /* op: offset in cxx_specials; a, and b of "-in-" or the number */
	CXX_OPERATOR,   /* op: offset in cxx_operators */
	CXX_CONVERT,    /* operator a */
	CXX_LITOP,      /* operator"" a */
	CXX_VENDOROP,   /* operator a */
	CXX_LAMBDA,     /* list a, b: number */
	CXX_UNNAMED,    /* b: number */
	CXX_DEFARG,     /* a in default argument number b */
	/* Types around a type. */
	CXX_CV,         /* bits, a */
	CXX_PTR,
	CXX_REF,
	CXX_RREF,
	CXX_VENDORQ,    /* a, b: its name */
	CXX_PTRMEM,     /* member of a with type b */
	CXX_ARRAY,      /* of a, b: expression or none */
	CXX_VECTOR,     /* of a, b: expression */
	CXX_EXPAND,     /* pack expansion of a */
	CXX_DECLTYPE,   /* expression a */
	CXX_SIZED,      /* op: letter: F _Float, x the same with x, B _BitInt, U unsigned _BitInt; b: size */
	/* Expressions. */
	CXX_LITERAL,    /* type a, CXX_NAME b; bits 1: negative */
	CXX_PARM,       /* b: number */
	CXX_UNARY,      /* op, a (none: throw) */
	CXX_POSTFIX,    /* a, op */
	CXX_CAST,       /* (a)b */
	CXX_BINARY,     /* a op b */
	CXX_FOLD,       /* op: of cxx_operators, bits: letter of the kind, a, b */
	CXX_TRINARY,    /* a ? LIST b */
	CXX_NEW,        /* a: type, b: LIST of placement (ARGS or none) and initialiser or none */
	CXX_INIT,       /* type a (or none) { list b } */
	CXX_ARGS,       /* list a in parentheses, of a call */
	CXX_COUNT,      /* of the pack a, or of the arguments b */
	CXX_KINDS,
};

/* Offsets in cxx_std. */
enum {
	CXX_TEXT_ANONYMOUS = 0,
	CXX_TEXT_STRING = CXX_TEXT_ANONYMOUS + sizeof("(anonymous namespace)"),
	CXX_TEXT_COMPLEX = CXX_TEXT_STRING + sizeof("string literal"),
	CXX_TEXT_IMAGINARY = CXX_TEXT_COMPLEX + sizeof("_Complex"),
	CXX_TEXT_THIS = CXX_TEXT_IMAGINARY + sizeof("_Imaginary"),
	CXX_TEXT_STD = CXX_TEXT_THIS + sizeof("this"),
};

enum cxx_bits {
	CXX_CONST = 1,
	CXX_VOLATILE = 2,
	CXX_RESTRICT = 4,
	CXX_LREF = 8,
	CXX_RVAL = 16,
	CXX_SAFE = 32,      /* transaction_safe */
	CXX_NOEXCEPT = 64,
	CXX_THROW = 128,
};

struct cxx_node {
	uint8_t kind, bits;
	uint16_t op, a, b;
};

struct cxx {
	const char *s, *p, *end;   /* the name, the current position, its NUL */
	struct dem_out *o;
	unsigned nodes, subs, depth, steps;
	uint16_t args;             /* template arguments for T_; while printing: of the printed signature, or 0 */
	uint16_t last;             /* name that a constructor repeats */
	bool conversion;           /* in the type of a conversion operator: T_ refers to arguments that follow */
	bool expression;
	bool tag;                  /* reading the encoding's name: its last template arguments are those of T_ */
	bool two_forms, gcc_names; /* a name in an expression is ambiguous; read it in GCC's form */
	bool bad;
	unsigned lambda;           /* inside the parameters of a lambda: T_ is auto */
	uint8_t pending;           /* const and volatile that will be printed around this type */
	int index;                 /* index in the expanded pack, -1: the whole pack */
	struct cxx_node node[CXX_NODES];
	uint16_t sub[CXX_SUBS];
};

/* Tables as strings, in which entries are referred to by offset. Their layout is described where they are defined. */
extern const char cxx_builtins[], cxx_std[], cxx_operators[], cxx_specials[];

struct cxx_list {
	uint16_t head, tail;
};

/* Parsing functions return a node, or 0 with c->bad set, and then no input is left. */
uint16_t cxx_fail(struct cxx *c);
bool cxx_enter(struct cxx *c);                            /* increments c->depth; fails when nested too deeply */
uint16_t cxx_node(struct cxx *c, enum cxx_kind kind, unsigned a, unsigned b);
uint16_t cxx_op_node(struct cxx *c, enum cxx_kind kind, unsigned op, unsigned a, unsigned b);
void cxx_add(struct cxx *c, struct cxx_list *l, uint16_t item);
uint16_t cxx_remember(struct cxx *c, uint16_t node);      /* adds a substitution; returns the node */
static inline bool cxx_digit(char ch)
{
	return (unsigned char)(ch - '0') <= 9;
}
bool cxx_eat(struct cxx *c, char ch);
bool cxx_eats(struct cxx *c, const char *two);
unsigned cxx_number(struct cxx *c);
unsigned cxx_compact(struct cxx *c);                      /* _ is 0, 0_ is 1, ... */
uint16_t cxx_encoding(struct cxx *c, enum demangle_style style);
uint16_t cxx_name(struct cxx *c);
uint16_t cxx_unqualified(struct cxx *c);
uint16_t cxx_substitution(struct cxx *c, bool prefix);
unsigned cxx_qualifiers(struct cxx *c);                   /* r V K: bits */
uint16_t cxx_params(struct cxx *c);                       /* up to E or the end: a list, 0 for void */
uint16_t cxx_type(struct cxx *c);
uint16_t cxx_decltype(struct cxx *c);
uint16_t cxx_template_args(struct cxx *c);                /* a list */
uint16_t cxx_template_arg(struct cxx *c);
uint16_t cxx_template_param(struct cxx *c);
uint16_t cxx_argument(const struct cxx *c, uint16_t list, unsigned i);   /* or 0 */
uint16_t cxx_operator(struct cxx *c);

void cxx_print(struct cxx *c, uint16_t node);

#endif
