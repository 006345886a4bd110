#include "source/perf_files.h"

#include "source/unpacker.h"

enum {
	FORGET_AFTER = 1 << 19,
	FORGET_KEEP = 1 << 18,
	FORGET_UNIT = 1 << 16,
	FILES_MAX = 1 << 14,
};

static int add(struct perf_files *f, struct perf_part file, struct err *e)
{
	struct perf_part *new = f->v.n < FILES_MAX ? vec_add(&f->v) : NULL;

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

static int add_numbered(struct perf_files *f, uint32_t number, struct err *e)
{
	struct perf_part file = { 0 };
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/data.%u", f->found->dir, number);

	int r = sys_map_file(f->sys, path, &file.bytes.p, &file.bytes.n, e);

	if (r)
		return r;
	r = add(f, file, e);
	if (r)
		sys_unmap_recording(f->sys, file.bytes.p, file.bytes.n);
	return r;
}

static int add_directory(struct perf_files *f, struct err *e)
{
	struct numbers l = { 0 };
	int r = f->sys->each_entry(f->sys, f->found->dir, add_number, &l);

	if (r < 0)
		err_set(e, -r, "cannot read %s: %s", f->found->dir, err_name(-r));
	else if (l.failed)
		r = err_nomem(e);
	if (l.v.n)
		qsort(l.v.v, l.v.n, sizeof(*l.v.v), by_number);
	for (size_t i = 0; r >= 0 && i < l.v.n; i++)
		r = add_numbered(f, l.v.v[i], e);
	vec_free(&l.v);
	return r < 0 ? r : 0;
}

int perf_files_open(struct perf_files *f, const struct sys *sys, const struct found *found,
		    const struct perf_file *file, struct err *e)
{
	struct perf_part own = {
		.bytes = { file->bytes.p, (size_t)file->data_end }, .off = file->data_off, .borrowed = true,
	};
	int r;

	f->sys = sys;
	f->found = found;
	r = add(f, own, e);
	return r || !found->dir ? r : add_directory(f, e);
}

void perf_files_close(struct perf_files *f)
{
	for (size_t i = 0; i < f->v.n; i++) {
		struct perf_part *file = &f->v.v[i];

		unpacker_free(file->unpacker);
		if (!file->borrowed)
			sys_unmap_recording(f->sys, file->bytes.p, file->bytes.n);
	}
	vec_free(&f->v);
}

static void forget(const struct perf_files *f, const struct perf_part *of, uint64_t from, uint64_t upto)
{
	if (upto > from && !(of->borrowed && f->found->owned) && f->sys->forget)
		f->sys->forget(f->sys, (void *)(uintptr_t)(of->bytes.p + from), (size_t)(upto - from));
}

void perf_files_touch(const struct perf_files *f, struct perf_part *of, const struct perf_record *r)
{
	if (r->off < of->forgotten) {
		of->touched += r->body.n;
		if (of->touched < FORGET_AFTER)
			return;
		forget(f, of, 0, of->forgotten);
		of->touched = 0;
	} else if (r->off - of->forgotten > FORGET_AFTER + FORGET_KEEP) {
		uint64_t upto = (r->off - FORGET_KEEP) & ~(uint64_t)(FORGET_UNIT - 1);

		forget(f, of, of->forgotten, upto);
		of->forgotten = upto;
	}
}

void perf_files_forget(const struct perf_files *f)
{
	for (size_t i = 0; i < f->v.n; i++)
		forget(f, &f->v.v[i], 0, f->v.v[i].bytes.n);
}
