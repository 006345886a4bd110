/* format.c - parses `format` files, reads fields of records. */
#include "tracefs/format/format.h"

enum {
	TEXT_MAX = 1 << 20,      /* the largest ones of kernels have some 8 KiB */
	FIELDS_MAX = 4096,
	RECORD_MAX = 1 << 20,    /* limit of a field's offset and size: a record fits in a sub-buffer */
};

/* Cut the first line off *rest, without its line feed. */
static bool line_cut(struct sv *rest, struct sv *line)
{
	if (!rest->n)
		return false;
	return sv_cut(rest, '\n', line);
}

static bool is_ident(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool word_in(struct sv text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; n <= text.n && i <= text.n - n; i++)
		if (!memcmp(text.s + i, word, n))
			return true;
	return false;
}

struct type_size {
	const char *name;
	uint8_t size;   /* 0: the size of long */
};

static uint32_t type_word_size(struct sv word, uint8_t long_size)
{
	static const struct type_size types[] = {
		{ "char", 1 }, { "bool", 1 }, { "_Bool", 1 }, { "u8", 1 }, { "s8", 1 }, { "uint8_t", 1 },
		{ "int8_t", 1 },
		{ "short", 2 }, { "u16", 2 }, { "s16", 2 }, { "uint16_t", 2 }, { "int16_t", 2 }, { "le16", 2 },
		{ "be16", 2 }, { "umode_t", 2 }, { "sa_family_t", 2 },
		{ "int", 4 }, { "unsigned", 4 }, { "signed", 4 }, { "u32", 4 }, { "s32", 4 }, { "uint32_t", 4 },
		{ "int32_t", 4 }, { "le32", 4 }, { "be32", 4 }, { "pid_t", 4 }, { "gfp_t", 4 }, { "dev_t", 4 },
		{ "enum", 4 }, { "uid_t", 4 }, { "gid_t", 4 },
		{ "u64", 8 }, { "s64", 8 }, { "uint64_t", 8 }, { "int64_t", 8 }, { "le64", 8 }, { "be64", 8 },
		{ "sector_t", 8 }, { "loff_t", 8 }, { "ktime_t", 8 },
		{ "long", 0 }, { "size_t", 0 }, { "ssize_t", 0 }, { "uintptr_t", 0 }, { "ino_t", 0 }, { "intptr_t", 0 },
	};

	if (word.n > 2 && word.s[0] == '_' && word.s[1] == '_') {
		word.s += 2;
		word.n -= 2;
	}
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (sv_eq(word, types[i].name))
			return types[i].size ? types[i].size : long_size;
	return 0;
}

uint32_t tfmt_type_size(struct sv type, uint8_t long_size)
{
	struct sv word;
	uint32_t size = 0;
	unsigned longs = 0;

	if (memchr(type.s ? type.s : "", '*', type.n))
		return long_size;
	while (sv_cut(&type, ' ', &word)) {
		uint32_t s = type_word_size(word, long_size);

		if (sv_eq(word, "struct") || sv_eq(word, "union"))
			return 0;
		longs += sv_eq(word, "long");
		/* "unsigned char", "short int": the size is that of char, short or long, not of int or unsigned. */
		if (s && (!size || size == 4))
			size = s;
	}
	return longs > 1 ? 8 : size;
}

/* Cut "[...]" out of the declaration: true when there is one; *count is its number or 0. */
static bool decl_brackets(struct sv *decl, char *copy, uint64_t *count)
{
	const char *open = memchr(decl->s, '[', decl->n), *close;
	size_t at, len;

	*count = 0;
	if (!open || !(close = memchr(open, ']', decl->n - (size_t)(open - decl->s))))
		return false;
	at = (size_t)(open - decl->s);
	len = (size_t)(close + 1 - open);
	if (!str_u64((struct sv){ open + 1, len - 2 }, 0, count))
		*count = 0;
	memmove(copy + at, close + 1, decl->n - at - len);
	decl->n -= len;
	return true;
}

static bool decl_prefix(struct sv *decl, const char *prefix)
{
	if (!sv_starts(*decl, prefix))
		return false;
	decl->s += strlen(prefix);
	decl->n -= strlen(prefix);
	*decl = sv_trim(*decl);
	return true;
}

/* Split "unsigned char name" in place. `copy` is the writable text of decl. */
static void decl_names(struct tfield *f, struct sv decl, char *copy)
{
	size_t end, at;

	decl = sv_trim(decl);
	copy += decl.s - copy;
	for (end = decl.n; end && !is_ident(decl.s[end - 1]); end--)
		;
	for (at = end; at && is_ident(decl.s[at - 1]); at--)
		;

	/* Move the name one byte up, so that a NUL fits between "*" and the name; the copy has room for that. */
	memmove(copy + at + 1, copy + at, end - at);
	copy[end + 1] = '\0';
	copy[at] = '\0';
	f->name = copy + at + 1;
	while (at && copy[at - 1] == ' ')
		copy[--at] = '\0';
	f->type = copy;
}

static bool type_is_string(struct sv type)
{
	return word_in(type, "char") || word_in(type, "u8") || word_in(type, "s8");
}

static int field_decl(struct tfield *f, struct arena *a, struct sv decl, uint64_t *count)
{
	char *copy = arena_dup(a, decl.s, decl.n + 1);
	bool data, rel, array;

	if (!copy)
		return -ENOMEM;
	decl.s = copy;
	data = decl_prefix(&decl, "__data_loc ");
	rel = decl_prefix(&decl, "__rel_loc ");
	copy += decl.s - copy;
	array = decl_brackets(&decl, copy, count);
	while (array && decl_brackets(&decl, copy, &(uint64_t){ 0 }))
		*count = 0;   /* a matrix: the element size follows from the type */
	decl_names(f, decl, copy);

	struct sv type = sv_from(f->type);
	bool pointer = memchr(type.s, '*', type.n) != NULL;

	f->kind = data ? TFIELD_DATA_LOC : rel ? TFIELD_REL_LOC : array ? TFIELD_ARRAY :
		  pointer ? TFIELD_POINTER : TFIELD_SCALAR;
	f->is_string = (array || data || rel) && !pointer && type_is_string(type);
	f->is_long = word_in(type, "long");
	return 0;
}

/* "key:value;" pairs after the declaration; unknown keys come from newer kernels. */
static bool field_numbers(struct tfield *f, struct sv rest)
{
	struct sv pair, key;
	bool have_offset = false, have_size = false;

	while (sv_cut(&rest, ';', &pair)) {
		uint64_t v;

		pair = sv_trim(pair);
		if (!pair.n || !sv_cut(&pair, ':', &key) || !str_u64(sv_trim(pair), 10, &v) || v > RECORD_MAX)
			continue;
		if (sv_eq(key, "offset")) {
			f->offset = (uint32_t)v;
			have_offset = true;
		} else if (sv_eq(key, "size")) {
			f->size = (uint32_t)v;
			have_size = true;
		} else if (sv_eq(key, "signed")) {
			f->is_signed = v != 0;
		}
	}
	return have_offset && have_size;
}

static void field_finish(struct tfield *f, uint64_t count, struct tmachine m)
{
	uint32_t by_type = tfmt_type_size(sv_from(f->type), m.long_size);

	if (f->kind == TFIELD_ARRAY && !f->size)
		f->kind = TFIELD_TRAILING;
	f->elem = by_type ? by_type : 1;
	if (f->kind == TFIELD_SCALAR || f->kind == TFIELD_POINTER)
		f->elem = f->size;
	else if (f->kind == TFIELD_ARRAY && count && f->size % count == 0)
		f->elem = (uint32_t)(f->size / count);
	f->long_size = m.long_size;
	f->swap = m.swap;
	if ((f->kind == TFIELD_SCALAR || f->kind == TFIELD_POINTER) && !m.swap && (f->size == 4 || f->size == 8))
		f->plain = (uint8_t)f->size;
}

/* Parse one "field:DECL; offset:N; ..." line. 1: a field, 0: another line, or -errno. */
static int field_line(struct tfield *f, struct arena *a, struct sv line, struct tmachine m)
{
	struct sv decl;
	uint64_t count;
	int r;

	line = sv_trim(line);
	if (!decl_prefix(&line, "field:") && !decl_prefix(&line, "field special:"))
		return 0;
	if (!memchr(line.s, ';', line.n))
		return -EBADMSG;
	sv_cut(&line, ';', &decl);
	*f = (struct tfield){ 0 };
	r = field_decl(f, a, sv_trim(decl), &count);
	if (r)
		return r;
	if (!f->name[0] || !field_numbers(f, line))
		return -EBADMSG;
	field_finish(f, count, m);
	return 1;
}

/* Number of lines before the print fmt: at least as many as there are fields. */
static size_t count_lines(struct sv text)
{
	struct sv line;
	size_t n = 0;

	while (line_cut(&text, &line) && !sv_starts(line, "print fmt:"))
		n++;
	return n;
}

/* The `format:` section: lines up to the print fmt. */
static int parse_fields(struct tfmt *f, struct arena *a, struct sv text, struct tmachine m, struct err *e)
{
	const char *start = text.s;
	size_t max = count_lines(text);
	struct sv line;

	if (max > FIELDS_MAX)
		return err_set(e, EBADMSG, "format of %zu lines", max);
	f->fields = arena_alloc(a, MAX(max, 1u) * sizeof(*f->fields));
	if (!f->fields)
		return err_nomem(e);
	while (line_cut(&text, &line) && !sv_starts(line, "print fmt:")) {
		int r = field_line(&f->fields[f->n_fields], a, line, m);

		if (r == -ENOMEM)
			return err_nomem(e);
		if (r < 0)
			return err_at(e, EBADMSG, (uint64_t)(line.s - start), "bad field line '%.*s'",
				      (int)MIN(line.n, 100u), line.s);
		f->n_fields += (uint32_t)r;
	}
	return 0;
}

/* Find the common fields by their names: not every format has the blank line behind them. */
static void find_common(struct tfmt *f)
{
	uint32_t n = 0;

	while (n < f->n_fields && !strncmp(f->fields[n].name, "common_", 7))
		n++;
	f->n_common = n;
}

static int parse_head(struct tfmt *f, struct arena *a, struct sv text, struct err *e)
{
	bool have_id = false;
	struct sv line;

	while (line_cut(&text, &line) && !sv_starts(line, "format:")) {
		uint64_t id;

		if (sv_starts(line, "name:")) {
			struct sv name = sv_trim((struct sv){ line.s + 5, line.n - 5 });

			f->name = arena_dup(a, name.s, name.n);
			if (!f->name)
				return err_nomem(e);
		} else if (sv_starts(line, "ID:")) {
			if (!str_u64(sv_trim((struct sv){ line.s + 3, line.n - 3 }), 10, &id) || id > UINT32_MAX)
				return err_set(e, EBADMSG, "bad event id '%.*s'", (int)MIN(line.n, 40u), line.s);
			f->id = (uint32_t)id;
			have_id = true;
		}
	}
	if (!f->name || !f->name[0] || !have_id)
		return err_set(e, EBADMSG, "not an event format: no name or no id");
	return 0;
}

int tfmt_parse(struct tfmt *f, struct arena *a, struct sv text, struct tmachine m, struct err *e)
{
	static const char mark[] = "print fmt:";
	int r;

	*f = (struct tfmt){ .system = "", .print = "", .long_size = m.long_size, .swap = m.swap };
	if (text.n > TEXT_MAX)
		return err_set(e, EBADMSG, "event format of %zu bytes", text.n);
	if (memchr(text.s ? text.s : "", '\0', text.n))
		text.n = strlen(text.s);
	r = parse_head(f, a, text, e);
	if (!r)
		r = parse_fields(f, a, text, m, e);
	if (r)
		return r;
	find_common(f);

	const char *print = memmem(text.s, text.n, mark, sizeof(mark) - 1);

	if (print) {
		size_t at = (size_t)(print - text.s) + sizeof(mark) - 1;
		struct sv rest = sv_trim((struct sv){ text.s + at, text.n - at });

		f->print = arena_dup(a, rest.s, rest.n);
		if (!f->print)
			return err_nomem(e);
	}
	return 0;
}

const struct tfield *tfmt_field(const struct tfmt *f, const char *name)
{
	for (uint32_t i = 0; i < f->n_fields; i++)
		if (!strcmp(f->fields[i].name, name))
			return &f->fields[i];
	return NULL;
}

int tfmt_page(struct tpage_layout *p, struct sv text, struct err *e)
{
	struct arena a = { 0 };
	struct tfmt f = { 0 };
	const struct tfield *commit, *data;
	int r = parse_fields(&f, &a, text, (struct tmachine){ .long_size = 8 }, e);

	commit = r ? NULL : tfmt_field(&f, "commit");
	data = r ? NULL : tfmt_field(&f, "data");
	if (!r && (!commit || !data || (commit->size != 4 && commit->size != 8) ||
		   data->offset < commit->offset + commit->size))
		r = err_set(e, EBADMSG, "header_page without a usable commit and data field");
	if (!r)
		*p = (struct tpage_layout){ commit->offset, commit->size, data->offset, data->size };
	arena_deinit(&a);
	return r;
}

uint64_t traw_load(const uint8_t *p, uint32_t size, bool swap)
{
	uint16_t half;
	uint32_t word;
	uint64_t whole;

	switch (size) {
	case 1:
		return *p;
	case 2:
		memcpy(&half, p, sizeof(half));
		return swap ? __builtin_bswap16(half) : half;
	case 4:
		memcpy(&word, p, sizeof(word));
		return swap ? __builtin_bswap32(word) : word;
	case 8:
		memcpy(&whole, p, sizeof(whole));
		return swap ? __builtin_bswap64(whole) : whole;
	default:
		return 0;
	}
}

int64_t traw_sext(uint64_t v, uint32_t size)
{
	switch (size) {
	case 1: return (int8_t)v;
	case 2: return (int16_t)v;
	case 4: return (int32_t)v;
	default: return (int64_t)v;
	}
}

bool tfmt_u64(const struct tfield *f, const void *raw, size_t n, uint64_t *v)
{
	uint32_t size = f->kind == TFIELD_ARRAY || f->kind == TFIELD_TRAILING ? f->elem : f->size;

	if (f->offset > n || size > n - f->offset || (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	*v = traw_load((const uint8_t *)raw + f->offset, size, f->swap);
	if (f->is_signed)
		*v = (uint64_t)traw_sext(*v, size);
	return true;
}

struct traw tfmt_bytes(const struct tfield *f, const void *raw, size_t n)
{
	struct traw all = { raw, n }, none = { raw, 0 };
	size_t at = f->offset, len = f->size;

	if (f->kind == TFIELD_DATA_LOC || f->kind == TFIELD_REL_LOC) {
		if (at > n || n - at < 4)
			return none;

		uint32_t loc = (uint32_t)traw_load(all.p + at, 4, f->swap);

		at = (f->kind == TFIELD_REL_LOC ? at + 4 : 0) + (loc & 0xffff);
		len = loc >> 16;
	} else if (f->kind == TFIELD_TRAILING) {
		len = n;
	}
	if (at > n)
		return none;
	return (struct traw){ all.p + at, MIN(len, n - at) };
}

struct sv tfmt_str(const struct tfield *f, const void *raw, size_t n)
{
	struct traw b = tfmt_bytes(f, raw, n);
	const uint8_t *nul = b.n ? memchr(b.p, 0, b.n) : NULL;

	return (struct sv){ (const char *)b.p, nul ? (size_t)(nul - b.p) : b.n };
}
