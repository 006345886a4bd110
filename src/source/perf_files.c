/*
 * perf_files.c - see perf_files.h.
 *
 * Mapped pages stay resident after they were read, though nothing needs them: they are released (MADV_DONTNEED) from
 * time to time, but for the newest ones, whose records still wait for their turn. If an older page is needed again,
 * it comes back from the page cache.
 */
#include "source/perf_files.h"

#include "perf/runs.h"
#include "source/unpacker.h"

enum {
	SMALL_MAX = 8 << 20,       /* bytes of a file whose pages are never released */
	FORGET_STEP = 512 << 10,   /* bytes to release at a time: the system call costs as much as many pages */
	FORGET_KEEP = 256 << 10,   /* bytes of the newest pages to keep */
	ORDER_KEEP = 16 << 20,     /* bytes to keep at most when released pages are needed again, because large rings */
	ORDER_SHARE = 20,          /* are read in turns; and at most 1/20 of the recording */
	FORGET_AGAIN = 2 << 20,    /* bytes before those to release again: another thread may have brought pages back */
	FORGET_UNIT = 64 << 10,
	FILES_MAX = 1 << 14,
};

static int add_file(struct perf_files *f, struct perf_part file, struct err *e)
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

	int r = sys_map_file(f->sys, path, &file.in.all.p, &file.in.all.n, e);

	if (r)
		return r;
	r = add_file(f, file, e);
	if (r)
		sys_unmap_recording(f->sys, file.in.all.p, file.in.all.n);
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
		.in.all = { file->bytes.p, (size_t)file->data_end }, .off = file->data_off, .borrowed = true,
	};
	int r;

	f->sys = sys;
	f->found = found;
	f->keep = f->most = FORGET_KEEP;
	f->is_small = !found->dir && own.in.all.n <= SMALL_MAX;
	r = add_file(f, own, e);
	return r || !found->dir ? r : add_directory(f, e);
}

void perf_files_close(struct perf_files *f)
{
	for (size_t i = 0; i < f->v.n; i++) {
		struct perf_part *file = &f->v.v[i];

		unpacker_free(file->unpacker);
		if (!file->borrowed)
			sys_unmap_recording(f->sys, file->in.all.p, file->in.all.n);
		free(file->reading.v);
	}
	vec_free(&f->v);
}

/* Can pages of the file be released? Not of malloc'ed memory, of a file read through panes, or of a small one. */
static bool is_mapped(const struct perf_files *f, const struct perf_part *of)
{
	return !f->is_small && !(of->borrowed && f->found->owned) && !of->in.read;
}

static void forget(const struct perf_files *f, const struct perf_part *of, uint64_t from, uint64_t upto)
{
	if (upto > from && is_mapped(f, of) && f->sys->forget)
		f->sys->forget(f->sys, (void *)(uintptr_t)(of->in.all.p + from), (size_t)(upto - from));
}

void perf_files_fetch(const struct perf_files *f, struct perf_part *of)
{
	uint64_t from = MAX(of->fetched, of->off & ~(uint64_t)(FORGET_UNIT - 1)), upto = from + PERF_RUNS_STEP;

	if (of->fetched >= of->off + PERF_RUNS_STEP || upto > of->in.all.n || !is_mapped(f, of) || !f->sys->fetch)
		return;
	f->sys->fetch(f->sys, (void *)(uintptr_t)(of->in.all.p + from), PERF_RUNS_STEP);
	of->fetched = upto;
}

void perf_files_touch(struct perf_files *f, struct perf_part *of, uint64_t off, size_t n)
{
	if (off < of->forgotten) {
		f->keep = MIN(f->most, MAX(f->keep, (size_t)(of->off - off)));
		of->touched += n;
		if (of->touched < FORGET_STEP)
			return;
		forget(f, of, 0, of->forgotten);
		of->touched = 0;
	} else if (off - of->forgotten > FORGET_STEP + f->keep) {
		uint64_t upto = (off - f->keep) & ~(uint64_t)(FORGET_UNIT - 1);

		forget(f, of, of->forgotten - MIN(of->forgotten, f->again), upto);
		of->forgotten = upto;
	}
}

void perf_files_forget(const struct perf_files *f)
{
	for (size_t i = 0; i < f->v.n; i++) {
		const struct perf_part *of = &f->v.v[i];

		forget(f, of, 0, of->borrowed ? f->found->bytes.n : of->in.all.n);
	}
}

void perf_files_shared(struct perf_files *f)
{
	f->again = FORGET_AGAIN;
}

void perf_files_in_order(struct perf_files *f)
{
	f->most = MAX((size_t)FORGET_KEEP, MIN((size_t)ORDER_KEEP, f->found->bytes.n / ORDER_SHARE));
}

/* In whole units of 64 KiB, the largest base page of arm64: touching a rest later would bring a whole page back. */
void perf_files_passed(void *arg, uint64_t from, uint64_t upto)
{
	const struct perf_files *f = arg;
	const struct perf_part all = { .in.all = f->found->bytes, .borrowed = true };
	const uint64_t unit = ~(uint64_t)(FORGET_UNIT - 1);

	forget(f, &all, from & unit, upto & unit);
}
