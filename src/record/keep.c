/* keep.c - see keep.h. */
#include "record/keep.h"

#include "image/kallsyms_text.h"
#include "machine/facts.h"
#include "sym/buildid_cache.h"
#include "sys/link.h"
#include "sys/notes.h"
#include "sys/output.h"

#include <ctype.h>
#include <fcntl.h>

#define KERNEL "[kernel.kallsyms]"
#define VDSO "[vdso]"

enum { ID_TEXT = 2 * BUILD_ID_MAX + 1 };

static const char *const parts[] = { "elf", "debug", "kallsyms", "vdso", "probes" };

/* --- now ----------------------------------------------------------------------------------------------------- */

static bool vdso_id(struct build_id *id)
{
	const uint8_t *p;
	struct elf f;
	size_t n;

	return !sys_vdso(&p, &n) && !elf_init(&f, p, n, NULL) && build_id_of(&f, id);
}

bool keep_id_now(const struct sys *sys, const char *name, struct build_id *id)
{
	*id = (struct build_id){ 0 };
	if (!strcmp(name, KERNEL))
		return sys_kernel_build_id(sys, id);
	if (!strcmp(name, VDSO))
		return vdso_id(id);
	if (name[0] == '[')
		return facts_module_build_id(sys, name, id);
	return name[0] == '/' && facts_file_build_id(sys, name, id);
}

/* --- find ---------------------------------------------------------------------------------------------------- */

static void add_part(struct keep_found *f, struct keep_part part)
{
	f->part[f->n++] = part;
}

static int map_part(const struct keep *k, struct keep_found *f, const char *what, const char *path, struct err *e)
{
	struct keep_part part = { .what = what, .is_mapped = true };
	int r = sys_map_file(k->sys, path, &part.bytes, &part.n, e);

	if (!r)
		add_part(f, part);
	return r;
}

static int kept_parts(const struct keep *k, const char *what, struct keep_found *f, struct err *e)
{
	char path[PATH_MAX];
	int r = map_part(k, f, what, buildid_cache_path(k->dir, &f->id, what, path, sizeof(path)), e);

	buildid_cache_path(k->dir, &f->id, "debug", path, sizeof(path));
	if (!r && !strcmp(what, "elf") && sys_exists(k->sys, path))
		map_part(k, f, "debug", path, NULL);
	return r;
}

static void add_debug(const struct keep *k, struct keep_found *f)
{
	char path[PATH_MAX];
	struct build_id id;

	build_id_path(&f->id, NULL, path, sizeof(path));
	if (facts_file_build_id(k->sys, path, &id) && build_id_same(&id, &f->id))
		map_part(k, f, "debug", path, NULL);
}

/* Is `now`, the file's present build-id, the wanted one (size 0: any)? Sets f->id. 0 or -ESTALE. */
static int is_meant(struct keep_found *f, const struct build_id *now, const struct build_id *id, const char *name,
		    struct err *e)
{
	if (id->size && !build_id_same(now, id))
		return err_set(e, ESTALE, "%s is another build by now", name);
	f->id = *now;
	return 0;
}

static int find_file(const struct keep *k, const char *name, const struct build_id *id, struct keep_found *f,
		     struct err *e)
{
	struct build_id now;
	char real[PATH_MAX];
	int r = link_real(k->sys, name, real);

	if (r)
		return err_set(e, -r, "cannot read %s: %s", name, err_name(-r));
	if (!facts_file_build_id(k->sys, real, &now))
		return err_set(e, ENODATA, "%s has no build id: it is no program, or was linked without --build-id",
			       name);
	r = is_meant(f, &now, id, name, e);
	if (!r)
		r = map_part(k, f, "elf", real, e);
	if (r)
		return r;
	str_copy(f->place, sizeof(f->place), sv_from(real + 1));
	add_debug(k, f);
	return 0;
}

static int find_kernel(const struct keep *k, const struct build_id *id, struct keep_found *f, struct err *e)
{
	struct keep_part part = { .what = "kallsyms" };
	struct build_id now;
	char *text;
	int r;

	if (!sys_kernel_build_id(k->sys, &now))
		return err_set(e, ENODATA, "this kernel does not tell its build id");
	r = is_meant(f, &now, id, "the kernel", e);
	if (r)
		return r;
	r = sys_read_all(k->sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &part.n, e);
	if (r)
		return r;
	if (!kallsyms_address((struct sv){ text, part.n }, SV("_text"))) {
		free(text);
		return err_set(e, EACCES, "the kernel hides its addresses (kptr_restrict): be root");
	}
	part.own = text;
	part.bytes = part.own;
	add_part(f, part);
	return 0;
}

static int find_vdso(const struct build_id *id, struct keep_found *f, struct err *e)
{
	struct keep_part part = { .what = "vdso" };
	struct build_id now;
	int r;

	if (!vdso_id(&now) || sys_vdso(&part.bytes, &part.n))
		return err_set(e, ENOENT, "there is no vDSO here");
	r = is_meant(f, &now, id, "the vDSO", e);
	if (!r)
		add_part(f, part);
	return r;
}

int keep_find(const struct keep *k, const char *name, const struct build_id *id, struct keep_found *f, struct err *e)
{
	bool is_kernel = !strcmp(name, KERNEL), is_vdso = !strcmp(name, VDSO);
	const char *what = is_kernel ? "kallsyms" : is_vdso ? "vdso" : "elf";
	int r;

	*f = (struct keep_found){ 0 };
	str_copy(f->place, sizeof(f->place), sv_from(name + (name[0] == '/')));
	if (is_kernel)
		r = find_kernel(k, id, f, e);
	else if (is_vdso)
		r = find_vdso(id, f, e);
	else if (name[0] == '[')
		r = err_set(e, ENOENT, "%s has no file of its own", name);
	else
		r = find_file(k, name, id, f, e);
	if (!r || !id->size || k->is_fresh)
		return r;
	f->id = *id;
	return kept_parts(k, what, f, NULL) ? r : 0;
}

void keep_drop(const struct keep *k, struct keep_found *f)
{
	for (unsigned i = 0; i < f->n; i++) {
		if (f->part[i].is_mapped)
			sys_unmap_file(k->sys, f->part[i].bytes, f->part[i].n);
		free(f->part[i].own);
	}
	f->n = 0;
}

/* --- add ----------------------------------------------------------------------------------------------------- */

void keep_target(const struct keep_found *f, char *buf, size_t size)
{
	char id[ID_TEXT];

	snprintf(buf, size, "../../%s/%s", f->place, build_id_text(&f->id, id, sizeof(id)));
}

/* The path of an id's link, which need not exist. */
static const char *link_of(const struct keep *k, const char *id, char buf[PATH_MAX])
{
	snprintf(buf, PATH_MAX, "%s/.build-id/%.2s/%s", k->dir, id, strlen(id) > 2 ? id + 2 : "");
	return buf;
}

static int put_part(const struct keep *k, const char *folder, const struct keep_part *p, struct err *e)
{
	char path[PATH_MAX];
	struct output file;
	int r;

	if (snprintf(path, sizeof(path), "%s/%s", folder, p->what) >= PATH_MAX)
		return err_set(e, ENAMETOOLONG, "%s is too long a name", folder);
	r = output_open(&file, k->sys, path, OUTPUT_BESIDE, 0755, O_WRONLY, e);
	if (r)
		return r;
	r = output_write(&file, (const char *)p->bytes, p->n);
	if (r) {
		output_discard(&file);
		return err_set(e, -r, "cannot write %s: %s", path, err_name(-r));
	}
	output_close(&file);
	return 0;
}

static int put_link(const struct keep *k, const struct keep_found *f, const char *id, struct err *e)
{
	char path[PATH_MAX], target[PATH_MAX];
	char *slash;
	int r;

	link_of(k, id, path);
	slash = strrchr(path, '/');
	*slash = '\0';
	r = link_folders(k->sys, path);
	*slash = '/';
	keep_target(f, target, sizeof(target));
	r = r ? r : link_make(k->sys, target, path);
	return r && r != -EEXIST ? err_set(e, -r, "cannot make %s: %s", path, err_name(-r)) : 0;
}

int keep_add(const struct keep *k, const struct keep_found *f, struct err *e)
{
	char folder[PATH_MAX], id[ID_TEXT];
	int r;

	build_id_text(&f->id, id, sizeof(id));
	if (keep_has(k, id))
		return err_set(e, EEXIST, "%s is there already", f->place);
	if (snprintf(folder, sizeof(folder), "%s/%s/%s", k->dir, f->place, id) >= PATH_MAX)
		return err_set(e, ENAMETOOLONG, "%s is too long a name", f->place);
	r = link_folders(k->sys, folder);
	if (r)
		return err_set(e, -r, "cannot make %s: %s", folder, err_name(-r));
	for (unsigned i = 0; i < f->n && !r; i++)
		r = put_part(k, folder, &f->part[i], e);
	return r ? r : put_link(k, f, id, e);
}

/* --- lists --------------------------------------------------------------------------------------------------- */

bool keep_has(const struct keep *k, const char *id)
{
	char path[PATH_MAX];

	return sys_exists(k->sys, link_of(k, id, path));
}

/* The cache's contents are not trusted: a link must not lead out of its directory. */
static bool stays_inside(struct sv target)
{
	struct sv part;

	while (sv_cut(&target, '/', &part) && target.s)
		if (sv_eq(part, "..") || sv_eq(part, ""))
			return false;
	return true;
}

/* "usr/bin/ls/ab12...": the target of the link, relative to the cache's directory. */
static bool read_target(const struct keep *k, const char *id, char target[PATH_MAX])
{
	char path[PATH_MAX], text[PATH_MAX];
	const char *last;

	if (link_read(k->sys, link_of(k, id, path), text, sizeof(text)) || strncmp(text, "../../", 6) != 0)
		return false;
	last = strrchr(text, '/');
	if (strcmp(last + 1, id) != 0 || !stays_inside(sv_from(text + 6)))
		return false;
	str_copy(target, PATH_MAX, sv_from(text + 6));
	return true;
}

bool keep_name(const struct keep *k, const char *id, char *name, size_t size)
{
	char target[PATH_MAX];

	if (!read_target(k, id, target))
		return false;
	*strrchr(target, '/') = '\0';
	snprintf(name, size, "%s%s", target[0] == '[' ? "" : "/", target);
	return true;
}

int keep_remove(const struct keep *k, const char *id, struct err *e)
{
	char target[PATH_MAX], path[PATH_MAX], part[PATH_MAX];
	int r;

	if (link_read(k->sys, link_of(k, id, path), part, sizeof(part)) == -ENOENT)
		return err_set(e, ENOENT, "%s is not kept", id);
	if (!read_target(k, id, target))
		return err_set(e, EINVAL, "the link of %s leads out of %s", id, k->dir);
	snprintf(path, sizeof(path), "%s/%s", k->dir, target);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (snprintf(part, sizeof(part), "%s/%s", path, parts[i]) < PATH_MAX)
			k->sys->unlink(k->sys, part);
	r = k->sys->rmdir(k->sys, path);
	if (r && r != -ENOENT)
		return err_set(e, -r, "cannot remove %s: %s", path, err_name(-r));
	r = k->sys->unlink(k->sys, link_of(k, id, path));
	return r ? err_set(e, -r, "cannot remove %s: %s", path, err_name(-r)) : 0;
}

static bool is_hex(const char *s)
{
	while (isxdigit((unsigned char)*s))
		s++;
	return !*s;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* List a directory, sorted as plain text: digits in build-ids are no numbers. */
static int list_ids(const struct keep *k, const char *path, struct sys_list *l)
{
	int r = sys_list_dir(k->sys, path, l);

	if (!r && l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_text);
	return r;
}

static int each_below(const struct keep *k, const char *head, int (*each)(void *arg, const char *id), void *arg)
{
	char path[PATH_MAX], id[ID_TEXT];
	struct sys_list l;
	int r = 0;

	snprintf(path, sizeof(path), "%s/.build-id/%s", k->dir, head);
	if (list_ids(k, path, &l))
		return 0;
	for (size_t i = 0; i < l.n && !r; i++) {
		if (!is_hex(l.v[i]) || strlen(l.v[i]) > ID_TEXT - 3)
			continue;
		snprintf(id, sizeof(id), "%s%s", head, l.v[i]);
		r = each(arg, id);
	}
	sys_list_free(&l);
	return r;
}

int keep_each(const struct keep *k, int (*each)(void *arg, const char *id), void *arg)
{
	char path[PATH_MAX];
	struct sys_list l;
	int r = 0;

	snprintf(path, sizeof(path), "%s/.build-id", k->dir);
	if (list_ids(k, path, &l))
		return 0;
	for (size_t i = 0; i < l.n && !r; i++)
		if (strlen(l.v[i]) == 2 && is_hex(l.v[i]))
			r = each_below(k, l.v[i], each, arg);
	sys_list_free(&l);
	return r;
}

int keep_each_of(const struct keep *k, const char *path, int (*each)(void *arg, const char *id), void *arg)
{
	char folder[PATH_MAX];
	struct sys_list l;
	int r;

	snprintf(folder, sizeof(folder), "%s/%s", k->dir, path);
	r = list_ids(k, folder, &l);
	if (r)
		return r;
	for (size_t i = 0; i < l.n && !r; i++)
		if (is_hex(l.v[i]) && keep_has(k, l.v[i]))
			r = each(arg, l.v[i]);
	sys_list_free(&l);
	return r;
}
