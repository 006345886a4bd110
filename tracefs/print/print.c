/* print.c - compiles print fmts and renders records. */
#include "tracefs/print/pointer.h"
#include "tracefs/print/text.h"

enum { PIECES_MAX = 512, PRINT_MAX = 65536 };

/* Literal text, then one conversion (conv 0: none). */
struct piece {
	struct sv text;
	struct tspec spec;
	const struct texpr *arg, *width, *prec;
	unsigned sign_bits;                   /* width of a signed number that the kernel prints as unsigned, else 0 */
	const struct tfield *counted, *len;   /* in place of arg: a text, and the field with its length */
};

struct tprint {
	const struct tfmt *fmt;
	struct piece *pieces;
	size_t n;
	enum tprint_state state;
	const char *reason;
};

/* Parse the "%..." at the start of text into p: characters taken, 0 on failure. */
static size_t conversion(struct texpr_ctx *c, struct piece *p, struct sv text)
{
	size_t n = tspec_parse(&p->spec, (struct sv){ text.s + 1, text.n - 1 }, c->fmt->long_size);

	if (!n) {
		texpr_fail(c, "conversion", (struct sv){ text.s, MIN(text.n, 8u) });
		return 0;
	}
	return n + 1;
}

static const struct texpr *next_arg(struct texpr_ctx *c)
{
	if (c->lex.kind == TLEX_END)
		return texpr_fail(c, "fewer arguments than conversions", (struct sv){ 0 });
	return texpr_want(c, ',') ? texpr_parse(c) : NULL;
}

static bool arguments(struct texpr_ctx *c, struct piece *p)
{
	if (p->spec.star_width && !(p->width = next_arg(c)))
		return false;
	if (p->spec.star_prec && !(p->prec = next_arg(c)))
		return false;
	return (p->arg = next_arg(c)) != NULL;
}

static size_t count_conversions(struct sv text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.s[i] == '%';
	return n;
}

/* Parse literal text up to the next conversion that takes an argument; of "%%" one '%' is kept. */
static bool next_piece(struct texpr_ctx *c, struct sv *rest, struct piece *p)
{
	const char *percent = rest->n ? memchr(rest->s, '%', rest->n) : NULL;
	size_t lead = percent ? (size_t)(percent - rest->s) : rest->n, taken;

	p->text = (struct sv){ rest->s, lead };
	rest->s += lead;
	rest->n -= lead;
	if (!rest->n)
		return true;
	taken = conversion(c, p, *rest);
	if (!taken)
		return false;
	rest->s += taken;
	rest->n -= taken;
	if (p->spec.conv != '%')
		return arguments(c, p);
	p->text.n++;
	p->spec.conv = 0;
	return true;
}

static bool compile(struct texpr_ctx *c, struct tprint *p)
{
	struct sv text;
	size_t max;

	if (c->lex.kind != TLEX_STR) {
		texpr_fail(c, c->fmt->print[0] ? "print fmt does not start with a string" : "no print fmt",
			   (struct sv){ 0 });
		return false;
	}
	if (!texpr_string(c, &text))
		return false;
	max = count_conversions(text) + 1;
	if (max > PIECES_MAX) {
		texpr_fail(c, "too many conversions", (struct sv){ 0 });
		return false;
	}
	p->pieces = arena_alloc(c->arena, max * sizeof(*p->pieces));
	if (!p->pieces) {
		c->no_memory = true;
		return false;
	}
	while (text.n)
		if (!next_piece(c, &text, &p->pieces[p->n++]))
			return false;
	return true;
}

static bool is_probe(const struct tprint *p)
{
	return tfmt_field(p->fmt, "__probe_ip") || tfmt_field(p->fmt, "__probe_func");
}

/* The name at the end of a text before `behind`: NAME of "(%lx) NAME={". */
static struct sv name_before(struct sv text, const char *behind)
{
	size_t n = strlen(behind);
	struct sv name = { text.s, 0 };

	if (text.n <= n || memcmp(text.s + text.n - n, behind, n))
		return name;
	name.s = text.s + text.n - n;
	while (name.s > text.s && name.s[-1] != ' ') {
		name.s--;
		name.n++;
	}
	return name;
}

/* NAME_s9: sonde gives this suffix to a signed field of 9 bits, which the kernel prints as unsigned. */
static void find_sign(const struct tprint *p, struct piece *c)
{
	struct sv name = name_before(c->text, "=");
	size_t digits = name.n;
	char text[64];
	uint64_t bits;

	while (digits && name.s[digits - 1] >= '0' && name.s[digits - 1] <= '9')
		digits--;
	if (digits < 3 || memcmp(name.s + digits - 2, "_s", 2) ||
	    !str_u64((struct sv){ name.s + digits, name.n - digits }, 10, &bits) || !bits || bits > 64)
		return;
	str_copy(text, sizeof(text), name);

	const struct tfield *f = tfmt_field(p->fmt, text);

	if (!f || f->kind != TFIELD_SCALAR || f->is_signed || bits > 8 * f->size)
		return;
	c->sign_bits = (unsigned)bits;
	c->spec.conv = 'd';
}

/*
 * Texts without a NUL (Go's, Rust's) as sonde defines probes for them: the array NAME has the first bytes, NAME_len the
 * number of valid ones. The kernel prints the bytes one by one, NAME={'a','b',...}.
 */
static bool is_counted(const struct tprint *p, size_t i)
{
	struct piece *c = &p->pieces[i];
	struct sv text = c->text, name;
	char last = text.n ? text.s[text.n - 1] : '\0';
	const char *end = last == '\'' ? "={'" : last == 'x' ? "={0x" : "={";
	const size_t n = strlen(end);
	char len[64];

	name = name_before(text, end);
	if (!name.n)
		return false;
	snprintf(len, sizeof(len), "%.*s_len", (int)MIN(name.n, 50u), name.s);
	c->len = tfmt_field(p->fmt, len);
	str_copy(len, sizeof(len), name);
	c->counted = tfmt_field(p->fmt, len);
	if (!c->len || !c->counted || c->counted->kind != TFIELD_ARRAY || c->counted->elem != 1 ||
	    c->counted->size < 2 || c->counted->size >= p->n - i) {
		c->len = c->counted = NULL;
		return false;
	}
	c->text.n -= n - 1;
	c->spec.conv = 's';
	return true;
}

/* Apply what the argument names of sonde's own probes say. */
static void read_names(struct tprint *p)
{
	size_t to = 0;

	for (size_t i = 0; i < p->n; i++) {
		bool joined = p->pieces[i].spec.conv && is_counted(p, i);
		size_t bytes = joined ? p->pieces[i].counted->size : 0;

		if (p->pieces[i].spec.conv == 'u')
			find_sign(p, &p->pieces[i]);
		p->pieces[to++] = p->pieces[i];
		if (!joined)
			continue;

		struct sv *rest = &p->pieces[i + bytes].text;
		size_t n = sv_starts(*rest, "'}") ? 2 : 1;

		i += bytes - 1;
		if (rest->n >= n)
			*rest = (struct sv){ rest->s + n, rest->n - n };
	}
	p->n = to;
}

struct tprint *tprint_new(const struct tfmt *f, struct arena *a)
{
	struct texpr_ctx c = { .fmt = f, .arena = a };
	struct tprint *p = arena_alloc(a, sizeof(*p));
	struct sv text = sv_from(f->print);

	if (!p)
		return NULL;
	p->fmt = f;
	p->reason = "";
	if (text.n > PRINT_MAX) {
		texpr_fail(&c, "print fmt is too long", (struct sv){ 0 });
	} else {
		tlex_init(&c.lex, text);
		if (compile(&c, p) && is_probe(p))
			read_names(p);
	}
	if (c.no_memory)
		return NULL;
	if (c.why[0]) {
		p->state = TPRINT_FIELDS;
		p->reason = arena_dup(a, c.why, strlen(c.why));
	} else if (c.unknown) {
		p->state = TPRINT_PARTLY;
		p->reason = c.unknown;
	}
	return p->reason ? p : NULL;
}

enum tprint_state tprint_state(const struct tprint *p)
{
	return p->state;
}

const char *tprint_reason(const struct tprint *p)
{
	return p->reason;
}

static bool names_function(const struct tspec *s)
{
	return s->conv == 'p' && s->ext[0] && strchr("sSfFB", s->ext[0]);
}

bool tprint_asks_names(const struct tprint *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (names_function(&p->pieces[i].spec))
			return true;
	return false;
}

/* A number for %s: the address of a string in the kernel. */
static void kernel_string(const struct tprint_names *names, const struct tspec *s, uint64_t addr, struct out *o)
{
	const char *text = addr && names && names->string ? names->string(names->arg, addr) : NULL;
	struct ttext_buf b;

	if (text || !addr) {
		tspec_text(s, sv_from(text ? text : "(null)"), o);
		return;
	}
	ttext_buf_init(&b);
	tptr_symbol(NULL, addr, 's', &b.out);
	tspec_text(s, ttext_buf_sv(&b), o);
}

static struct sv up_to_nul(struct traw b)
{
	const uint8_t *nul = b.n ? memchr(b.p, 0, b.n) : NULL;

	return (struct sv){ (const char *)b.p, nul ? (size_t)(nul - b.p) : b.n };
}

static void string(const struct teval *ev, const struct tspec *s, struct tval v, struct out *o)
{
	struct ttext_buf b;

	switch (v.kind) {
	case TVAL_NONE:
		tspec_text(s, SV("?"), o);
		break;
	case TVAL_NUM:
		kernel_string(ev->names, s, v.v, o);
		break;
	case TVAL_BYTES:
		tspec_text(s, up_to_nul(v.bytes), o);
		break;
	case TVAL_TEXT:
		if (!s->width && s->prec < 0) {
			ttext_node(ev, v.node, o);
			break;
		}
		ttext_buf_init(&b);
		ttext_node(ev, v.node, &b.out);
		tspec_text(s, ttext_buf_sv(&b), o);
		break;
	}
}

/* Print "text", with ... behind it when it was longer than its room in the record. */
static void counted(const struct teval *ev, const struct piece *p, struct out *o)
{
	struct traw b = tfmt_bytes(p->counted, ev->raw, ev->n);
	uint64_t len = 0;

	tfmt_u64(p->len, ev->raw, ev->n, &len);
	out_char(o, '"');
	out_bytes(o, (const char *)b.p, (size_t)MIN(len, (uint64_t)b.n));
	out_str(o, len > b.n ? "\"..." : "\"");
}

static void render(const struct teval *ev, const struct piece *p, struct out *o)
{
	if (p->counted) {
		counted(ev, p, o);
		return;
	}

	struct tspec s = p->spec;
	struct tval v = tval_of(ev, p->arg);
	int64_t count = p->width ? (int32_t)tval_num(ev, p->width, 0) : s.width ? s.width : -1;

	if (p->prec)
		tspec_prec(&s, (int32_t)tval_num(ev, p->prec, 0));
	if (p->width && !tptr_takes_length(&s))
		tspec_width(&s, count);
	if (s.conv == 'p')
		tptr_write(ev, &s, v, count, o);
	else if (s.conv == 's')
		string(ev, &s, v, o);
	else if (v.kind == TVAL_NUM && p->sign_bits)
		tspec_number(&s, (uint64_t)((int64_t)(v.v << (64 - p->sign_bits)) >> (64 - p->sign_bits)), o);
	else if (v.kind == TVAL_NUM)
		tspec_number(&s, v.v, o);
	else
		tspec_text(&(struct tspec){ .width = s.width, .left = s.left, .prec = -1 }, SV("?"), o);
}

void tprint_record(const struct tprint *p, const struct tprint_names *names, const void *raw, size_t n, struct out *o)
{
	struct teval ev = {
		.raw = raw, .n = n, .long_size = p->fmt->long_size, .swap = p->fmt->swap, .names = names,
	};

	if (p->state == TPRINT_FIELDS) {
		tprint_fields(p->fmt, raw, n, o);
		return;
	}
	for (size_t i = 0; i < p->n; i++) {
		out_sv(o, p->pieces[i].text);
		if (p->pieces[i].spec.conv)
			render(&ev, &p->pieces[i], o);
	}
}

/* Offset behind "name=" where that starts a word of the text; 0: not found. */
static uint32_t behind_name(struct sv text, const char *name, char before)
{
	size_t n = strlen(name);

	for (size_t i = 0; i + n < text.n; before = text.s[i++])
		if (before == ' ' && !memcmp(text.s + i, name, n) && text.s[i + n] == '=')
			return (uint32_t)(i + n + 1);
	return 0;
}

struct tprint_part tprint_part_of(const struct tprint *p, const char *field)
{
	for (size_t i = 0; i < p->n && p->state != TPRINT_FIELDS; i++) {
		const struct piece *c = &p->pieces[i];
		uint32_t at = behind_name(c->text, field, i ? '%' : ' ');

		if (at)
			return (struct tprint_part){ (uint32_t)i, at, at == c->text.n ? c->spec.conv : '\0' };
	}
	return (struct tprint_part){ 0, 0, '\0' };
}

void tprint_part_record(const struct tprint *p, struct tprint_part at, const struct tprint_names *names,
			const void *raw, size_t n, struct out *o)
{
	struct teval ev = {
		.raw = raw, .n = n, .long_size = p->fmt->long_size, .swap = p->fmt->swap, .names = names,
	};

	for (const struct piece *c = &p->pieces[at.piece]; c < p->pieces + p->n; c++, at.at = 0) {
		struct sv text = { c->text.s + at.at, c->text.n - at.at };
		const char *space = text.n ? memchr(text.s, ' ', text.n) : NULL;

		if (space)
			text.n = (size_t)(space - text.s);
		if (space && text.n && text.s[text.n - 1] == ',')
			text.n--;
		out_sv(o, text);
		if (space)
			return;
		if (c->spec.conv)
			render(&ev, c, o);
	}
}

static bool printable(struct sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.s[i] < 0x20 || s.s[i] > 0x7e) && !(s.s[i] >= '\t' && s.s[i] <= '\r'))
			return false;
	return true;
}

static void array_field(const struct tfield *f, const void *raw, size_t n, struct out *o)
{
	struct traw b = tfmt_bytes(f, raw, n);
	struct sv s = up_to_nul(b);

	if (f->is_string && printable(s)) {
		out_sv(o, s);
		return;
	}
	out_str(o, "ARRAY[");
	for (size_t i = 0; i < b.n; i++)
		out_printf(o, "%s%02x", i ? ", " : "", b.p[i]);
	out_char(o, ']');
}

void tprint_field(const struct tfield *f, const void *raw, size_t n, struct out *o)
{
	uint64_t v;

	if ((f->kind != TFIELD_SCALAR && f->kind != TFIELD_POINTER) || !tfmt_u64(f, raw, n, &v)) {
		array_field(f, raw, n, o);
	} else if (f->kind == TFIELD_SCALAR && f->is_signed && f->size == 8) {
		out_i64(o, (int64_t)v);
	} else if (f->kind == TFIELD_POINTER || f->is_long) {
		out_str(o, "0x");
		out_hex(o, f->size < 8 ? v & ((UINT64_C(1) << f->size * 8) - 1) : v);
	} else if (f->is_signed) {
		out_i64(o, (int64_t)v);
	} else {
		out_u64(o, v);
	}
}

/*
 * The conversion whose argument is just this field, maybe cast; libtraceevent's raw output prints the number in its
 * format. The search starts at *from and wraps around, since two conversions may print one field; once *from is behind
 * the last piece nothing is found any more.
 */
static const struct piece *piece_of(const struct tprint *p, const struct tfield *f, size_t *from)
{
	if (p->state == TPRINT_FIELDS || *from >= p->n || f->is_string ||
	    (f->kind != TFIELD_SCALAR && f->kind != TFIELD_POINTER))
		return NULL;
	for (size_t k = 0; k < p->n; k++) {
		size_t i = (*from + k) % p->n;
		const struct piece *c = &p->pieces[i];
		const struct texpr *arg = c->spec.conv ? c->arg : NULL;

		while (arg && arg->op == TEXPR_CAST)
			arg = arg->a;
		if (!arg || arg->op != TEXPR_FIELD || arg->field != f)
			continue;
		*from = i + 1;
		return c;
	}
	return NULL;
}

/* libtraceevent 1.8 prints a function's address behind its name, 1.7 does not. */
static void function_address(const struct teval *ev, const struct piece *c, struct out *o)
{
	const struct tprint_names *names = ev->names;
	uint64_t v = tval_num(ev, c->arg, 0);
	struct tprint_symbol s = { 0 };

	if (!names_function(&c->spec) || !names || !names->symbol)
		return;
	if (v && names->symbol(names->arg, v, &s) && s.name)
		out_printf(o, " (0x%llx)", (unsigned long long)v);
}

void tprint_raw(const struct tprint *p, const struct tprint_names *names, const void *raw, size_t n, struct out *o)
{
	struct teval ev = {
		.raw = raw, .n = n, .long_size = p->fmt->long_size, .swap = p->fmt->swap, .names = names,
	};
	size_t from = 0;

	for (uint32_t i = p->fmt->n_common; i < p->fmt->n_fields; i++) {
		const struct tfield *f = &p->fmt->fields[i];
		const struct piece *c = piece_of(p, f, &from);

		out_printf(o, " %s=", f->name);
		if (!c) {
			tprint_field(f, raw, n, o);
			continue;
		}
		if (c->text.n > 1 && !memcmp(c->text.s + c->text.n - 2, "0x", 2))
			out_str(o, "0x");
		render(&ev, c, o);
		function_address(&ev, c, o);
	}
}

void tprint_fields(const struct tfmt *f, const void *raw, size_t n, struct out *o)
{
	for (uint32_t i = f->n_common; i < f->n_fields; i++) {
		if (i > f->n_common)
			out_char(o, ' ');
		out_str(o, f->fields[i].name);
		out_char(o, '=');
		tprint_field(&f->fields[i], raw, n, o);
	}
}
