/* events.c - tables of events and what their texts refer to. */
#include "tracefs/format/events.h"

void tevents_init(struct tevents *t, struct tmachine m)
{
	*t = (struct tevents){ .machine = m };
}

void tevents_deinit(struct tevents *t)
{
	vec_free(&t->list);
	vec_free(&t->index);
	vec_free(&t->by_id);
	map_deinit(&t->printk);
	map_deinit(&t->comms);
	names_deinit(&t->names);
	arena_deinit(&t->arena);
	*t = (struct tevents){ 0 };
}

enum { KEY_MAX = 256 };

/* Write "system:name" to key; returns the length, 0 when it is too long for any kernel's event. */
static size_t name_key(char key[KEY_MAX], struct sv system, struct sv name)
{
	if (system.n >= KEY_MAX || name.n >= KEY_MAX - system.n)
		return 0;
	if (system.n)
		memcpy(key, system.s, system.n);
	key[system.n] = ':';
	if (name.n)
		memcpy(key + system.n + 1, name.s, name.n);
	return system.n + 1 + name.n;
}

static int index_id(struct tevents *t, struct tevent *ev)
{
	uint32_t id = ev->fmt.id;

	/* common_type of a record is a u16: a larger id can never occur. */
	if (id > UINT16_MAX)
		return 0;
	while (t->by_id.n <= id)
		if (!vec_add(&t->by_id))
			return -ENOMEM;
	t->by_id.v[id] = ev;
	return 0;
}

static int index_event(struct tevents *t, struct tevent *ev, uint32_t at)
{
	char key[KEY_MAX];
	size_t n = name_key(key, sv_from(ev->fmt.system), sv_from(ev->fmt.name));
	uint32_t id;

	if (index_id(t, ev))
		return -ENOMEM;
	if (!n)
		return 0;   /* found only by its id */
	id = names_add(&t->names, key, n);
	if (id == NAMES_NONE)
		return -ENOMEM;
	if (id == t->index.n && !vec_add(&t->index))
		return -ENOMEM;
	t->index.v[id] = at;
	return 0;
}

static int set_kind(struct tevents *t, struct tevent *ev)
{
	ev->kind = tkind_of(&ev->fmt);
	ev->field = tkind_fields(&ev->fmt, ev->kind, &t->arena);
	tkind_common(&ev->fmt, ev->common);
	return ev->field ? 0 : -ENOMEM;
}

int tevents_add(struct tevents *t, struct sv system, struct sv text, struct err *e)
{
	struct tevent *ev = arena_alloc(&t->arena, sizeof(*ev)), **at;
	int r;

	if (!ev)
		return err_nomem(e);
	r = tfmt_parse(&ev->fmt, &t->arena, text, t->machine, e);
	if (r)
		return r;
	ev->fmt.system = arena_dup(&t->arena, system.s ? system.s : "", system.n);
	at = ev->fmt.system && !set_kind(t, ev) ? vec_add(&t->list) : NULL;
	if (!at)
		return err_nomem(e);
	*at = ev;
	return index_event(t, ev, (uint32_t)(t->list.n - 1)) ? err_nomem(e) : 0;
}

int tevents_add_blob(struct tevents *t, const struct tblob *b, struct err *e)
{
	t->machine = b->machine;
	t->page_size = b->page_size;
	for (size_t i = 0; i < b->formats.n; i++) {
		const struct tblob_format *f = &b->formats.v[i];
		struct err bad;
		int r = tevents_add(t, f->system, f->text, &bad);

		if (r == -ENOMEM)
			return err_nomem(e);
		if (r && !t->bad++)
			t->first_bad = bad;
	}
	if (tevents_add_printk(t, b->printk_formats) || tevents_add_comms(t, b->cmdlines))
		return err_nomem(e);
	return 0;
}

/* Store a copy of text under a key. */
static int add_text(struct tevents *t, struct map *m, uint64_t key, struct sv text)
{
	char *copy = arena_dup(&t->arena, text.s, text.n);
	uint64_t *slot = copy ? map_add(m, key, NULL) : NULL;

	if (!slot)
		return -ENOMEM;
	*slot = (uintptr_t)copy;
	return 0;
}

/* Undo in place the escapes of newlines and the like in printk_formats. */
static struct sv unescape(char *s, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\\' && i + 1 < n && strchr("nt\"\\", s[i + 1])) {
			i++;
			s[at++] = s[i] == 'n' ? '\n' : s[i] == 't' ? '\t' : s[i];
		} else {
			s[at++] = s[i];
		}
	}
	s[at] = '\0';
	return (struct sv){ s, at };
}

int tevents_add_printk(struct tevents *t, struct sv text)
{
	struct sv line, addr;
	uint64_t key;

	while (sv_cut(&text, '\n', &line)) {
		if (!sv_cut(&line, ':', &addr) || !str_u64(sv_trim(addr), 16, &key))
			continue;
		line = sv_trim(line);
		if (line.n < 2 || line.s[0] != '"' || line.s[line.n - 1] != '"')
			continue;

		char *copy = arena_dup(&t->arena, line.s + 1, line.n - 2);
		uint64_t *slot = copy ? map_add(&t->printk, key, NULL) : NULL;

		if (!slot)
			return -ENOMEM;
		*slot = (uintptr_t)unescape(copy, line.n - 2).s;
	}
	return 0;
}

int tevents_add_comms(struct tevents *t, struct sv text)
{
	struct sv line, pid;
	uint64_t key;

	while (sv_cut(&text, '\n', &line)) {
		if (!sv_cut(&line, ' ', &pid) || !line.n || !str_u64(pid, 10, &key))
			continue;
		if (add_text(t, &t->comms, key, line))
			return -ENOMEM;
	}
	return 0;
}

struct tevent *tevents_by_id(const struct tevents *t, uint64_t id)
{
	return id < t->by_id.n ? t->by_id.v[id] : NULL;
}

struct tevent *tevents_by_name(const struct tevents *t, struct sv system, struct sv name)
{
	char key[KEY_MAX];
	size_t n = name_key(key, system, name);
	uint32_t id = n ? names_find(&t->names, key, n) : NAMES_NONE;

	return id == NAMES_NONE ? NULL : t->list.v[t->index.v[id]];
}

struct tevent *tevents_by_kind(const struct tevents *t, enum tkind kind)
{
	return tevents_by_name(t, sv_from(tkind_system(kind)), sv_from(tkind_name(kind)));
}

struct tevent *tevents_of(const struct tevents *t, const void *raw, size_t n)
{
	return n < 2 ? NULL : tevents_by_id(t, traw_load(raw, 2, t->machine.swap));
}

const struct tprint *tevents_print(struct tevents *t, struct tevent *ev)
{
	if (!ev->print)
		ev->print = tprint_new(&ev->fmt, &t->arena);
	return ev->print;
}

const char *tevents_string(void *t, uint64_t addr)
{
	const uint64_t *s = map_get(&((const struct tevents *)t)->printk, addr);

	return s ? (const char *)(uintptr_t)*s : NULL;
}

const char *tevents_comm(const struct tevents *t, uint32_t pid)
{
	const uint64_t *s = map_get(&t->comms, pid);

	return s ? (const char *)(uintptr_t)*s : NULL;
}
