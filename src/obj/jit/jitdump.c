/* jitdump.c - see jitdump.h. */
#include "obj/jit/jitdump.h"

#include "base/str.h"

enum { HEAD = 40, RECORD = 16, IN_TICKS = 1 };

#define MAGIC UINT32_C(0x4a695444)

int jitdump_init(struct jitdump *d, const uint8_t *bytes, size_t n, struct err *e)
{
	struct cursor c = cur_from(bytes, n);
	uint32_t magic = cur_u32(&c), version, size;

	c.swap = magic == __builtin_bswap32(MAGIC);
	if (magic != MAGIC && !c.swap)
		return err_at(e, EBADMSG, 0, "no dump of code made at run time");
	version = cur_u32(&c);
	size = cur_u32(&c);
	*d = (struct jitdump){ .machine = cur_u32(&c) };
	cur_u32(&c);
	d->pid = cur_u32(&c);
	cur_u64(&c);
	d->in_ticks = cur_u64(&c) & IN_TICKS;
	cur_seek(&c, size);
	if (c.bad || version != 1 || size < HEAD)
		return err_at(e, EBADMSG, 4, "version %u, a header of %u bytes", version, size);
	d->c = c;
	return 0;
}

/* Read pid, tid and the address, which is stored twice. */
static void read_owner(struct cursor *c, struct jitdump_rec *r)
{
	r->pid = cur_u32(c);
	r->tid = cur_u32(c);
	cur_u64(c);
}

static void read_load(struct cursor *c, struct jitdump_rec *r)
{
	read_owner(c, r);
	r->addr = cur_u64(c);
	r->size = cur_u64(c);
	r->index = cur_u64(c);
	r->name = cur_str(c);
	if (r->size > cur_left(c))
		c->bad = true;
	else
		r->code = c->end - r->size;
}

static void read_move(struct cursor *c, struct jitdump_rec *r)
{
	read_owner(c, r);
	r->old_addr = cur_u64(c);
	r->addr = cur_u64(c);
	r->size = cur_u64(c);
	r->index = cur_u64(c);
}

static void read_unwinding(struct cursor *c, struct jitdump_rec *r)
{
	uint64_t size = cur_u64(c);

	r->header_size = cur_u64(c);
	r->mapped_size = cur_u64(c);
	r->unwinding = cur_sub(c, cur_off(c), size);
	c->bad |= r->unwinding.bad || r->header_size > size;
}

static void read_body(struct cursor *c, struct jitdump_rec *r)
{
	switch (r->type) {
	case JITDUMP_LOAD:
		read_load(c, r);
		break;
	case JITDUMP_MOVE:
		read_move(c, r);
		break;
	case JITDUMP_LINES:
		r->addr = cur_u64(c);
		r->lines.n = cur_u64(c);
		r->lines.c = *c;
		break;
	case JITDUMP_UNWINDING:
		read_unwinding(c, r);
		break;
	}
}

int jitdump_next(struct jitdump *d, struct jitdump_rec *r, struct err *e)
{
	struct cursor c = d->c, body;
	uint32_t size;

	if (!cur_left(&c))
		return 0;
	*r = (struct jitdump_rec){ .type = cur_u32(&c) };
	size = cur_u32(&c);
	r->time = cur_u64(&c);
	body = cur_sub(&c, cur_off(&c), size < RECORD ? UINT64_MAX : size - RECORD);
	if (!c.bad && !body.bad)
		read_body(&body, r);
	if (c.bad || body.bad)
		return err_at(e, EBADMSG, cur_off(&d->c), "a record of type %u with %u bytes", r->type, size);
	cur_skip(&d->c, size);
	return 1;
}

bool jitdump_line(struct jitdump_lines *l, struct jitdump_line *v)
{
	if (!l->n)
		return false;
	l->n--;
	v->addr = cur_u64(&l->c);
	v->line = cur_u32(&l->c);
	cur_u32(&l->c);
	v->file = cur_str(&l->c);
	return !l->c.bad;
}

bool jitdump_is_name(const char *path, uint32_t *pid)
{
	const char *slash = strrchr(path, '/');
	struct sv name = sv_from(slash ? slash + 1 : path), number;
	uint64_t v;

	if (!sv_starts(name, "jit-"))
		return false;
	name = (struct sv){ name.s + 4, name.n - 4 };
	if (!sv_cut(&name, '.', &number) || !name.s || !sv_eq(name, "dump") || !str_u64(number, 10, &v) ||
	    v > INT32_MAX)
		return false;
	*pid = (uint32_t)v;
	return true;
}
