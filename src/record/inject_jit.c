/*
 * inject_jit.c - write JIT code to ELF files, jitted-PID-NUMBER.so beside its dump, and add MMAP2 records for them to
 * the recording.
 */
#include "record/inject_parts.h"

#include "obj/jit/jitelf.h"
#include "sys/output.h"

#include <fcntl.h>
#include <time.h>

enum { FUNCTIONS_MAX = 1 << 19, PROT_READ_EXEC = 5, MAP_OF_FILE = 2 };

struct dump {
	struct inject *j;
	const char *path;
	uint32_t pid, tid;           /* of the task that mapped the dump, in the recorder's pid namespace */
	struct jitdump in;
	struct cursor unwinding;     /* unwinding data for the next load */
	uint64_t header_size, mapped_size;
	struct map sizes;            /* index of a load -> mapped bytes of its file */
};

/* --- files --------------------------------------------------------------------------------------------------- */

/* The path of the ELF file; NULL: too long. */
static const char *file_name(const struct dump *d, uint64_t index, char buf[PATH_MAX])
{
	const char *slash = strrchr(d->path, '/');
	int folder = slash ? (int)(slash - d->path) : 0;
	int n = snprintf(buf, PATH_MAX, "%.*s/jitted-%u-%llu.so", folder, d->path, d->in.pid,
			 (unsigned long long)index);

	return n < PATH_MAX ? buf : NULL;
}

static int write_file(const struct dump *d, const struct jitelf *elf, const char *path, struct err *e)
{
	const struct sys *sys = d->j->w.session->sys;
	struct output file;
	char buf[16384];
	struct out o;
	int r = output_open(&file, sys, path, OUTPUT_BESIDE, OUTPUT_PUBLIC, O_WRONLY, e);

	if (r)
		return r;
	o = (struct out){ .write = output_write, .arg = &file, .buf = buf, .cap = sizeof(buf) };
	jitelf_write(elf, &o);
	out_flush(&o);
	if (!o.error) {
		output_close(&file);
		return 0;
	}
	output_discard(&file);
	return err_set(e, -o.error, "cannot write %s: %s", path, err_name(-o.error));
}

static int add_map(struct dump *d, const struct jitdump_rec *r, uint64_t len, const char *path)
{
	struct inject *j = d->j;
	uint32_t file = names_add(&j->files, path, strlen(path));
	struct inject_map *new = file == NAMES_NONE ? NULL : vec_add(&j->maps);

	if (!new)
		return -ENOMEM;
	*new = (struct inject_map){
		.time = r->time, .addr = r->addr, .len = len, .pid = d->pid, .tid = r->pid == d->pid ? r->tid : d->tid,
		.file = file,
	};
	return 0;
}

static int add_id(struct dump *d, const struct jitelf *elf, const char *path)
{
	struct build_id id = jitelf_id(elf);
	struct perf_build_id b = { .pid = -1, .cpumode = PERF_MISC_USER, .size = id.size, .name = path };

	memcpy(b.id, id.v, id.size);
	return rewrite_build_id(&d->j->w, &b);
}

/* --- records of the dump ------------------------------------------------------------------------------------- */

static int take_load(struct dump *d, const struct jitdump_rec *r, struct err *e)
{
	struct jitelf elf = {
		.load = r, .unwinding = d->unwinding, .header_size = d->header_size, .machine = d->in.machine,
	};
	uint64_t len = r->size, *size;
	char path[PATH_MAX];
	int err;

	if (d->mapped_size)
		len = ALIGN_UP(r->size, (uint64_t)8) + MIN(d->mapped_size, cur_left(&d->unwinding));
	d->unwinding = (struct cursor){ 0 };
	d->header_size = d->mapped_size = 0;
	if (!r->size || !r->addr || len > UINT64_MAX - r->addr || !file_name(d, r->index, path))
		return 0;
	err = write_file(d, &elf, path, e);
	if (err)
		return err;
	d->j->stats->functions++;
	size = map_add(&d->sizes, r->index, NULL);
	if (!size || add_map(d, r, len, path) || add_id(d, &elf, path) < 0)
		return err_nomem(e);
	*size = len;
	return 0;
}

/* A move of code; ignored if it was never loaded. */
static int take_move(struct dump *d, const struct jitdump_rec *r, struct err *e)
{
	const uint64_t *size = map_get(&d->sizes, r->index);
	char path[PATH_MAX];

	if (!size || !r->addr || *size > UINT64_MAX - r->addr || !file_name(d, r->index, path))
		return 0;
	return add_map(d, r, *size, path) ? err_nomem(e) : 0;
}

static int read_dump(struct dump *d, struct err *e)
{
	struct jitdump_rec r;
	int err = 0, got = 1;

	while (!err && d->j->maps.n < FUNCTIONS_MAX && (got = jitdump_next(&d->in, &r, NULL)) == 1 &&
	       r.type != JITDUMP_CLOSE) {
		if (r.type == JITDUMP_LOAD) {
			err = take_load(d, &r, e);
		} else if (r.type == JITDUMP_MOVE) {
			err = take_move(d, &r, e);
		} else if (r.type == JITDUMP_UNWINDING) {
			d->unwinding = r.unwinding;
			d->header_size = r.header_size;
			d->mapped_size = r.mapped_size;
		}
	}
	/* The dump is truncated, or exceeds the limit. */
	d->j->stats->bad_dumps += !err && (got < 0 || d->j->maps.n >= FUNCTIONS_MAX);
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct inject_map *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static int take_dump(struct inject *j, const struct side *m, struct err *e)
{
	struct dump d = { .j = j, .path = m->map.name, .pid = m->pid, .tid = m->tid };
	const struct sys *sys = j->w.session->sys;
	const uint8_t *p;
	uint32_t own;
	size_t n;
	int r = sys_map_file(sys, d.path, &p, &n, NULL);

	if (r) {
		j->stats->bad_dumps++;
		return 0;
	}
	if (jitdump_init(&d.in, p, n, NULL) || !jitdump_is_name(d.path, &own) || own != d.in.pid) {
		j->stats->bad_dumps++;
	} else if (d.in.in_ticks) {
		r = err_set(e, EINVAL, "%s has times of the processor's own clock, which no recording has", d.path);
	} else {
		j->stats->dumps++;
		r = read_dump(&d, e);
		if (!r && !map_add(&j->makers, d.pid, NULL))
			r = err_nomem(e);
	}
	sys_unmap_file(sys, p, n);
	map_deinit(&d.sizes);
	if (j->maps.n > j->next)
		qsort(j->maps.v + j->next, j->maps.n - j->next, sizeof(*j->maps.v), by_time);
	return r;
}

/* --- the recording ------------------------------------------------------------------------------------------- */

/* Is it the name of memory that may hold JIT code? Mappings of the ELF files replace those of that memory. */
static bool is_memory(const char *name)
{
	return !strncmp(name, "//anon", 6) || !strncmp(name, "[anon:", 6) || !strncmp(name, "/memfd:", 7);
}

static int check_clock(const struct inject *j, struct err *e)
{
	if (perf_head_has_clock(j->w.session->head, CLOCK_MONOTONIC))
		return 0;
	err_set(e, EINVAL, "%s has another clock than dumps of code made at run time", j->w.session->path);
	return err_hint(e, "record with -k mono");
}

int inject_jit_map(struct inject *j, const struct side *d, struct err *e)
{
	uint32_t pid;
	int r;

	if (!jitdump_is_name(d->map.name, &pid))
		return is_memory(d->map.name) && map_get(&j->makers, d->pid);
	/* The dump may be mapped several times, by other threads. */
	if (map_get(&j->makers, d->pid))
		return 1;
	r = check_clock(j, e);
	r = r ? r : take_dump(j, d, e);
	return r ? r : map_get(&j->makers, d->pid) != NULL;
}

static struct perf_write_id trailer(const struct inject *j, uint64_t time)
{
	const struct perf_write_event *ev = &j->w.events[0];
	bool has_one = ev->attr.flags & PERF_ATTR_SAMPLE_ID_ALL;

	return (struct perf_write_id){
		.sample_type = has_one ? ev->attr.sample_type : 0, .time = time, .id = ev->n_ids ? ev->ids[0] : 0,
	};
}

void inject_jit_until(struct inject *j, uint64_t time)
{
	for (; j->next < j->maps.n && j->maps.v[j->next].time <= time; j->next++) {
		const struct inject_map *m = &j->maps.v[j->next];
		struct perf_write_id id = trailer(j, m->time);
		struct perf_write_map map = {
			.pid = m->pid, .tid = m->tid, .misc = PERF_MISC_USER, .addr = m->addr, .len = m->len,
			.pgoff = JITELF_TEXT, .prot = PROT_READ_EXEC, .flags = MAP_OF_FILE,
			.name = names_str(&j->files, m->file),
		};

		perf_write_mmap2(&j->w.out, &id, &map);
		rewrite_count(&j->w);
	}
}

void inject_jit_deinit(struct inject *j)
{
	vec_free(&j->maps);
	names_deinit(&j->files);
	map_deinit(&j->makers);
}
