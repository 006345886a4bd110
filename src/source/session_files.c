#include "source/session_files.h"

#include "source/unpacker.h"

enum {
	FORGET_AFTER = 2 << 20,
	FORGET_KEEP = 3 << 20,
	FORGET_UNIT = 1 << 16,
	FILES_MAX = 1 << 14,
};

static int add(struct session_files *f, struct session_file file, struct err *e)
{
	struct session_file *new = f->v.n < FILES_MAX ? vec_add(&f->v) : NULL;

	if (!new)
		return err_nomem(e);
	*new = file;
	return 0;
}

struct numbers {
	VEC(uint32_t) v;
	bool failed;
};

static int add_number(void *arg, const char *name)
{
	struct numbers *l = arg;
	uint64_t n;
	uint32_t *new;

	if (strncmp(name, "data.", 5) || !str_u64(sv_from(name + 5), 10, &n) || n >= FILES_MAX)
		return 0;
	new = vec_add(&l->v);
	l->failed |= !new;
	if (new)
		*new = (uint32_t)n;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int add_numbered(struct session_files *f, struct session *s, uint32_t number, struct err *e)
{
	struct session_file file = { 0 };
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/data.%u", s->dir, number);

	int r = sys_map_file(s->sys, path, &file.bytes.p, &file.bytes.n, e);

	if (r)
		return r;
	r = add(f, file, e);
	if (r)
		sys_unmap_recording(s->sys, file.bytes.p, file.bytes.n);
	return r;
}

static int add_directory(struct session_files *f, struct session *s, struct err *e)
{
	struct numbers l = { 0 };
	int r = s->sys->each_entry(s->sys, s->dir, add_number, &l);

	if (r < 0)
		err_set(e, -r, "cannot read %s: %s", s->dir, err_name(-r));
	else if (l.failed)
		r = err_nomem(e);
	if (l.v.n)
		qsort(l.v.v, l.v.n, sizeof(*l.v.v), by_number);
	for (size_t i = 0; r >= 0 && i < l.v.n; i++)
		r = add_numbered(f, s, l.v.v[i], e);
	vec_free(&l.v);
	return r < 0 ? r : 0;
}

int session_files_open(struct session_files *f, struct session *s, struct err *e)
{
	struct session_file own = {
		.bytes = { s->file.bytes.p, (size_t)s->file.data_end }, .off = s->file.data_off, .borrowed = true,
	};
	int r = add(f, own, e);

	return r || !s->dir ? r : add_directory(f, s, e);
}

void session_files_close(struct session_files *f, const struct session *s)
{
	for (size_t i = 0; i < f->v.n; i++) {
		struct session_file *file = &f->v.v[i];

		unpacker_free(file->unpacker);
		if (!file->borrowed)
			sys_unmap_recording(s->sys, file->bytes.p, file->bytes.n);
	}
	vec_free(&f->v);
}

static void forget(const struct session *s, const struct session_file *f, uint64_t from, uint64_t upto)
{
	if (upto > from && !(f->borrowed && s->owned) && s->sys->forget)
		s->sys->forget(s->sys, (void *)(uintptr_t)(f->bytes.p + from), (size_t)(upto - from));
}

void session_file_touch(struct session_file *f, const struct session *s, const struct perf_record *r)
{
	if (r->off < f->forgotten) {
		f->touched += r->body.n;
		if (f->touched < FORGET_AFTER)
			return;
		forget(s, f, 0, f->forgotten);
		f->touched = 0;
	} else if (r->off - f->forgotten > FORGET_AFTER + FORGET_KEEP) {
		uint64_t upto = (r->off - FORGET_KEEP) & ~(uint64_t)(FORGET_UNIT - 1);

		forget(s, f, f->forgotten, upto);
		f->forgotten = upto;
	}
}

void session_files_forget(const struct session_files *f, const struct session *s)
{
	for (size_t i = 0; i < f->v.n; i++)
		forget(s, &f->v.v[i], 0, f->v.v[i].bytes.n);
}
