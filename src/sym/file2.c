/* file2.c - see file2.h for the layout. */
#include "sym/file2.h"

/* --- protobuf ------------------------------------------------------------------------------------------------ */

struct field {
	uint64_t number;
	uint64_t value;              /* of a number field */
	struct cursor bytes;         /* of a text or message field; else bad */
};

enum wire { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* The next field of a message. false: no more, or the message is damaged, and m is bad. */
static bool next_field(struct cursor *m, struct field *f)
{
	uint64_t tag = m->bad || !cur_left(m) ? 0 : cur_uleb(m), n;

	*f = (struct field){ .number = tag >> 3, .bytes.bad = true };
	if (!f->number)
		return false;
	switch (tag & 7) {
	case WIRE_NUMBER:
		f->value = cur_uleb(m);
		break;
	case WIRE_FIXED64:
		cur_skip(m, 8);
		break;
	case WIRE_BYTES:
		n = cur_uleb(m);
		f->bytes = cur_sub(m, cur_off(m), n);
		cur_skip(m, (size_t)n);
		break;
	case WIRE_FIXED32:
		cur_skip(m, 4);
		break;
	default:
		m->bad = true;
	}
	return !m->bad;
}

static struct sv text_of(const struct field *f)
{
	return f->bytes.bad ? (struct sv){ 0 } : (struct sv){ (const char *)f->bytes.pos, cur_left(&f->bytes) };
}

static uint64_t number_in(struct cursor message, uint64_t number)
{
	struct field f;

	while (next_field(&message, &f))
		if (f.number == number)
			return f.value;
	return 0;
}

/* --- files --------------------------------------------------------------------------------------------------- */

static void take_field(struct file2_file *t, const struct field *f)
{
	switch (f->number) {
	case FILE2_PATH:
		t->path = text_of(f);
		break;
	case FILE2_TYPE:
		t->type = f->value;
		break;
	case FILE2_MIN_VADDR:
		t->bias += f->value;
		break;
	case FILE2_OF_ELF:
	case FILE2_OF_MODULE:
		t->bias -= number_in(f->bytes, FILE2_PLACE);
		break;
	}
}

/* Is this the end? In a pipe the section is padded to 8 bytes: up to three zeros are padding, not a cut message. */
static bool is_over(const struct cursor *section)
{
	static const uint8_t zeros[sizeof(uint32_t)];
	size_t left = cur_left(section);

	return !left || (left < sizeof(zeros) && !memcmp(section->pos, zeros, left));
}

int file2_next(struct cursor *section, struct file2_file *f)
{
	struct cursor message;
	struct field field;
	uint32_t n;

	*f = (struct file2_file){ 0 };
	if (section->bad || is_over(section))
		return section->bad ? -EBADMSG : 0;
	n = cur_u32(section);
	message = f->message = cur_sub(section, cur_off(section), n);
	cur_skip(section, n);
	while (!section->bad && next_field(&message, &field))
		take_field(f, &field);
	section->bad |= message.bad;
	return section->bad ? -EBADMSG : 1;
}

static int add_file(struct file2 *t, const struct file2_file *f)
{
	uint32_t i = names_add(&t->paths, f->path.s, f->path.n);
	struct file2_file *new = i == t->files.n ? vec_add(&t->files) : NULL;

	if (new)
		*new = *f;
	return new || i < t->files.n ? 0 : -ENOMEM;
}

int file2_init(struct file2 *t, struct cursor section)
{
	struct file2_file f;
	int r = 0;

	while (!r && t->files.n < FILE2_FILES_MAX && file2_next(&section, &f) > 0)
		r = f.path.n ? add_file(t, &f) : 0;
	return r;
}

void file2_deinit(struct file2 *t)
{
	for (size_t i = 0; i < t->files.n; i++)
		symtab_deinit(&t->files.v[i].table);
	vec_free(&t->files);
	names_deinit(&t->paths);
}

struct file2_file *file2_find(const struct file2 *t, const char *path)
{
	uint32_t i = names_find(&t->paths, path, strlen(path));

	return i < t->files.n ? &t->files.v[i] : NULL;
}

/* --- functions ----------------------------------------------------------------------------------------------- */

static int add_function(struct symtab *to, struct cursor symbol)
{
	struct sv name = { 0 };
	uint64_t addr = 0, len = 0;
	struct field f;

	while (next_field(&symbol, &f)) {
		if (f.number == FILE2_VADDR)
			addr = f.value;
		else if (f.number == FILE2_LEN)
			len = f.value;
		else if (f.number == FILE2_NAME)
			name = text_of(&f);
	}
	return symbol.bad || !name.n || to->syms.n >= SYMTAB_MAX ? 0 : symtab_add_own(to, addr, len, name);
}

const struct symtab *file2_functions(struct file2_file *t)
{
	struct cursor message = t->message;
	struct field f;
	int r = 0;

	if (t->was_read)
		return &t->table;
	t->was_read = true;
	while (!r && next_field(&message, &f))
		if (f.number == FILE2_SYMBOL)
			r = add_function(&t->table, f.bytes);
	symtab_finish(&t->table, NULL);
	return &t->table;
}

bool file2_lacks(const struct file2_file *f, const char *name)
{
	return !memmem(f->message.pos, cur_left(&f->message), name, strlen(name));
}

bool file2_agrees(struct file2_file *t, const struct symtab *other)
{
	const struct symtab *own = file2_functions(t);

	for (size_t i = 0; i < own->syms.n; i++) {
		const struct sym *s = &own->syms.v[i];
		const char *name = symtab_name(own, s);
		char start[SYMTAB_START_NAME];

		symtab_start_name(start, s->addr);
		if (strcmp(name, start) && !symtab_named(other, s->addr, name))
			return false;
	}
	return true;
}
