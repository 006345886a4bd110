/* resolver.c - apply records, look up addresses; its parts are tasks, maps, dso, kernel and locs. */
#include "sym/resolver_parts.h"

#include "abi/perf_event.h"
#include "image/module.h"
#include "obj/demangle/demangle.h"
#include "obj/dwarf/line.h"
#include "sym/jitcode.h"

/* Numbers of the first dsos, which have no file: unmapped user addresses, the kernel, guests. */
enum { OF_NOTHING, OF_KERNEL, OF_GUEST };

enum { SHOWN_SIZE = 4096, SYMBOL_SIZE = 1 << 16 };

static const char *intern(struct resolver *r, const char *s, size_t n)
{
	uint32_t id = names_add(&r->strings, s, n);

	return id == NAMES_NONE ? NULL : names_str(&r->strings, id);
}

const char *resolver_intern(struct resolver *r, const char *s, size_t n)
{
	return intern(r, s, n);
}

static struct build_id known_id(const struct resolver *r, const char *name)
{
	uint32_t i = names_find(&r->id_names, name, strlen(name));

	return i < r->ids.n ? r->ids.v[i] : (struct build_id){ 0 };
}

/* Initialise a new dso. */
static int dso_init(struct resolver *r, struct dso *d, const char *name, const struct build_id *id)
{
	char text[RESOLVER_NAME_SIZE];
	size_t n = dso_short(d->kind, name, text, sizeof(text));

	d->name = intern(r, name, strlen(name));
	d->short_name = intern(r, text, n);
	d->id = id->size ? *id : known_id(r, name);
	d->file2 = file2_find(&r->file2, name);
	if (d->file2 && !dso_is_told(d->kind, d->file2->type))
		d->file2 = NULL;
	return d->name && d->short_name ? 0 : -ENOMEM;
}

int resolver_dso(struct resolver *r, enum dso_kind kind, const char *name, const struct build_id *id, uint64_t ino)
{
	char key[1 + BUILD_ID_MAX + sizeof(ino) + RESOLVER_NAME_SIZE], *at = key;
	size_t n = MIN(strlen(name), (size_t)RESOLVER_NAME_SIZE);

	*at++ = (char)(kind + 8 * id->size);
	memcpy(at, id->v, id->size);
	at += id->size;
	memcpy(at, &ino, sizeof(ino));
	at += sizeof(ino);
	memcpy(at, name, n);

	uint32_t i = names_add(&r->dso_keys, key, (size_t)(at - key) + n);

	if (i == NAMES_NONE || i < r->dsos.n)
		return i == NAMES_NONE ? RESOLVER_NO_DSO : (int)i;

	struct dso *d = vec_add(&r->dsos);

	if (!d)
		return RESOLVER_NO_DSO;
	d->kind = kind;
	d->ino = ino;
	return dso_init(r, d, name, id) ? RESOLVER_NO_DSO : (int)i;
}

static int dso_of(struct resolver *r, enum dso_kind kind, const char *name, const struct build_id *id)
{
	return resolver_dso(r, kind, name, id, 0);
}

struct resolver *resolver_new(const struct sym_want *want, struct err *e)
{
	static const struct build_id no_id;
	struct resolver *r = calloc(1, sizeof(*r));

	if (!r)
		goto out_nomem;
	r->want = *want;
	kernel_init(&r->kernel, &r->want);
	if (file2_init(&r->file2, want->file2) ||
	    dso_of(r, DSO_UNKNOWN, "[unknown]", &no_id) != OF_NOTHING ||
	    dso_of(r, DSO_KERNEL, "[kernel.kallsyms]", &no_id) != OF_KERNEL ||
	    dso_of(r, DSO_KERNEL, "[guest.kernel.kallsyms]", &no_id) != OF_GUEST)
		goto out_nomem;
	return r;

out_nomem:
	resolver_free(r);
	err_nomem(e);
	return NULL;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->dsos.n; i++)
		dso_deinit(&r->dsos.v[i]);
	vec_free(&r->dsos);
	vec_free(&r->ids);
	kernel_deinit(&r->kernel);
	file2_deinit(&r->file2);
	maps_free(r->kernel_maps);
	tasks_deinit(&r->tasks);
	locs_deinit(&r->locs);
	names_deinit(&r->dso_keys);
	names_deinit(&r->id_names);
	names_deinit(&r->mangled);
	vec_free(&r->shown);
	map_deinit(&r->jit_of);
	vec_free(&r->jits);
	names_deinit(&r->strings);
	free(r);
}

int resolver_build_id(struct resolver *r, const char *dso, const uint8_t *id, size_t n)
{
	struct build_id new = build_id_from(id, n);
	uint32_t i = names_add(&r->id_names, dso, strlen(dso));

	if (i == NAMES_NONE || (i == r->ids.n && !vec_add(&r->ids)))
		return -ENOMEM;
	r->ids.v[i] = new;
	if (!strncmp(dso, "[kernel.", 8))
		r->kernel.id = new;
	for (size_t j = 0; j < r->dsos.n; j++) {
		struct dso *d = &r->dsos.v[j];

		if (d->state == DSO_FRESH && !d->id.size && !strcmp(d->name, dso))
			d->id = new;
	}
	return 0;
}

void resolver_only(struct resolver *r, const char *name)
{
	r->want.only = name;
}

static int set_comm(struct resolver *r, uint32_t tid, const char *comm)
{
	const char *s = intern(r, comm, strlen(comm));

	return s ? tasks_set_comm(&r->tasks, tid, s) : -ENOMEM;
}

uint64_t resolver_changes(const struct resolver *r)
{
	return r->changes;
}

int resolver_comm(struct resolver *r, uint32_t pid, uint32_t tid, const char *comm, bool exec)
{
	int err = exec && !r->want.no_spaces ? tasks_exec(&r->tasks, pid) : 0;

	r->changes++;
	return err ? err : set_comm(r, tid, comm);
}

int resolver_fork(struct resolver *r, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid)
{
	int err = r->want.no_spaces ? 0 : tasks_fork(&r->tasks, pid, ppid);

	r->changes++;
	if (!err && !r->want.no_spaces)
		err = resolver_jit_fork(r, pid, ppid);
	return err ? err : tasks_set_comm(&r->tasks, tid, tasks_comm(&r->tasks, ptid));
}

int resolver_fork_running(struct resolver *r, uint32_t pid, uint32_t tid, uint32_t ptid)
{
	int err = pid == tid && !r->want.no_spaces ? tasks_exec(&r->tasks, pid) : 0;

	r->changes++;
	return err ? err : tasks_set_comm(&r->tasks, tid, tasks_comm(&r->tasks, ptid));
}

int resolver_exit(struct resolver *r, uint32_t pid, uint32_t tid)
{
	r->changes++;
	/* The thread's name stays: late samples of it may follow this record. */
	if (pid == tid && !r->want.no_spaces)
		tasks_exit(&r->tasks, pid);
	return 0;
}

/* Invalid ranges are ignored: a recording with them stays readable. */
static int put(struct maps **space, uint64_t start, uint64_t len, uint64_t pgoff, int dso)
{
	struct maps_range range = {
		.start = start, .end = start + len, .pgoff = pgoff, .dso = (uint32_t)dso,
	};

	if (!space || dso == RESOLVER_NO_DSO)
		return -ENOMEM;
	return len > UINT64_MAX - start || maps_put(space, &range) != -ENOMEM ? 0 : -ENOMEM;
}

static int map_kernel(struct resolver *r, const struct sym_map *m, const struct build_id *id)
{
	static const struct build_id no_id;
	enum dso_kind kind = dso_kind_kernel(m->name);
	int dso = OF_KERNEL;

	if (kind == DSO_MODULE)
		dso = dso_of(r, kind, m->name, &no_id);
	else if (!strncmp(m->name, "[guest.", 7))
		return 0;
	else
		kernel_ref(&r->kernel, m->name, m->pgoff);
	if (kind == DSO_KERNEL && id->size)
		r->kernel.id = *id;
	r->kernel_generation = 0;
	return put(&r->kernel_maps, m->start, m->len, 0, dso);
}

int resolver_mmap(struct resolver *r, const struct sym_map *m)
{
	struct build_id id = build_id_from(m->build_id, MIN(m->build_id_size, sizeof(m->build_id)));
	enum dso_kind kind = dso_kind_user(m->name);
	int dso;

	r->changes++;
	if (m->kernel)
		return map_kernel(r, m, &id);
	if (resolver_jit_meet(r, m))
		return -ENOMEM;
	if (resolver_is_jit(r, m->pid, m->name)) {
		kind = DSO_JIT;
		dso = resolver_jit_dso(r, m->pid);
	} else {
		dso = resolver_dso(r, kind, m->name, &id, kind == DSO_FILE ? m->ino : 0);
	}
	if (dso != RESOLVER_NO_DSO && (kind == DSO_FILE || kind == DSO_JIT))
		r->dsos.v[dso].pid = m->pid;
	return put(tasks_space(&r->tasks, m->pid), m->start, m->len, m->pgoff, dso);
}

int resolver_ksymbol(struct resolver *r, uint64_t addr, uint32_t len, const char *name,
		     bool unregister)
{
	static const struct build_id no_id;

	r->changes++;
	r->kernel_generation = 0;
	if (unregister)
		return len > UINT64_MAX - addr ? 0 : maps_cut(&r->kernel_maps, addr, addr + len);
	return put(&r->kernel_maps, addr, len, 0, dso_of(r, DSO_BPF, name, &no_id));
}

uint32_t resolver_generation(struct resolver *r, uint32_t pid, bool kernel)
{
	if (!kernel)
		return tasks_generation(&r->tasks, pid);
	if (!r->kernel_generation)
		r->kernel_generation = tasks_next_generation(&r->tasks);
	return r->kernel_generation;
}

struct resolver_spaces resolver_spaces(struct resolver *r, uint32_t pid, uint64_t time)
{
	struct resolver_spaces s = {
		.user = { resolver_generation(r, pid, false), tasks_maps(&r->tasks, pid), .until = UINT64_MAX },
		.kernel = { resolver_generation(r, pid, true), r->kernel_maps, .until = UINT64_MAX },
	};

	if (r->jits.n)
		resolver_jit_time(r, pid, time, &s.user);
	return s;
}

struct resolver_space resolver_space_keep(struct resolver_space s)
{
	s.maps = maps_share(s.maps);
	return s;
}

void resolver_space_drop(struct resolver_space *s)
{
	maps_free(s->maps);
	s->maps = NULL;
}

const char *resolver_comm_of(struct resolver *r, uint32_t pid, uint32_t tid)
{
	const char *s = tid ? tasks_comm(&r->tasks, tid) : "swapper";
	char text[16];

	(void)pid;   /* thread ids are unique in a recording */
	if (s && tid)
		return s;
	if (!s) {
		snprintf(text, sizeof(text), ":%d", (int)tid);
		s = text;
	}
	s = intern(r, s, strlen(s));
	return s ? s : "";
}

/* Add a location, still without symbol. */
static struct sym_loc *loc_new(struct resolver *r, int dso, uint64_t addr, uint32_t key_dso)
{
	struct sym_loc *l = dso == RESOLVER_NO_DSO ? NULL : locs_add(&r->locs, key_dso, addr);

	if (!l)
		return NULL;
	l->dso = r->dsos.v[dso].name;
	l->dso_short = r->dsos.v[dso].short_name;
	l->addr = l->offset = addr;
	r->stats.distinct++;
	return l;
}

/* Bounded length of a name: in a hostile file it may be as long as the file. */
static size_t name_length(const char *sym)
{
	return strnlen(sym, SYMBOL_SIZE);
}

/* The name to show for a symbol of a file; each is demangled once. NULL without memory. */
static const char *shown(struct resolver *r, const char *sym)
{
	enum demangle_style style = r->want.names == SYM_NAMES_FULL ? DEMANGLE_FULL : DEMANGLE_SHORT;
	size_t n = name_length(sym);
	char text[SHOWN_SIZE];
	uint32_t i;

	if (n == SYMBOL_SIZE || r->want.names == SYM_NAMES_MANGLED || sym[0] != '_' || (sym[1] != 'Z' && sym[1] != 'R'))
		return intern(r, sym, n);
	i = names_add(&r->mangled, sym, n);
	if (i < r->shown.n)
		return r->shown.v[i];
	if (i > r->shown.n || !vec_add(&r->shown))   /* no memory, now or at an earlier name */
		return NULL;
	r->shown.v[i] = demangle(sym, style, text, sizeof(text)) ? intern(r, text, strlen(text)) : intern(r, sym, n);
	return r->shown.v[i];
}

static void kernel_name(struct resolver *r, struct sym_loc *l, const char *sym, uint64_t start, uint64_t len)
{
	l->sym = intern(r, sym, name_length(sym));
	l->start = start;
	l->len = len;
}

void resolver_load(struct resolver *r, struct dso *d)
{
	if (d->state != DSO_FRESH)
		return;
	d->is_local = d->kind != DSO_UNKNOWN && kernel_is_running(&r->kernel);
	dso_load(d, &r->want);
	r->stats.files += d->state == DSO_LOADED;
	r->stats.stale_files += d->state == DSO_STALE;
}

static void user_name(struct resolver *r, struct sym_loc *l, const struct symtab *t, const struct sym *s)
{
	struct known_name *k = &r->known_names[hash_u64((uintptr_t)s) % RESOLVER_NAMES];
	const char *name;

	if (k->of != s) {
		name = symtab_name(t, s);
		if (!name[0])   /* symbols have names, so the file was truncated meanwhile */
			return;
		*k = (struct known_name){ s, shown(r, name) };
	}
	l->sym = k->shown;
	l->start = s->addr;
	l->len = s->size;
}

/* The symbol by FILE2, for a function without one in the local file: that may be a stripped copy. */
static bool file2_name(struct resolver *r, struct sym_loc *l, const struct dso *d)
{
	const struct symtab *t = d->file2 && d->module ? file2_functions(d->file2) : NULL;
	uint64_t at = l->offset + (t ? d->file2->bias : 0);
	const struct sym *s = t ? symtab_find(t, at) : NULL;

	if (!s)
		return false;
	user_name(r, l, t, s);
	l->start += l->addr - at;
	return true;
}

/* Name a function without symbol after its start address, which unwinding rules have, as `probe` does. */
static void start_name(struct resolver *r, struct sym_loc *l, uint64_t addr)
{
	struct cfi_fde f;
	char name[SYMTAB_START_NAME];

	if (!l->module || !module_start(l->module, addr, &f))
		return;
	symtab_start_name(name, f.start);
	l->sym = intern(r, name, strlen(name));
	l->start = f.start;
	l->len = f.end - f.start;
}

static const struct sym_loc *new_user(struct resolver *r, uint32_t dso, uint64_t addr, uint64_t offset)
{
	struct sym_loc *l = loc_new(r, (int)dso, addr, dso);
	const struct symtab *t = dso_functions(&r->dsos.v[dso]);
	const struct sym *s = symtab_find(t, addr);

	if (!l)
		return NULL;
	l->offset = offset;
	l->module = r->dsos.v[dso].module;
	if (addr >= JITCODE_PLACES) {
		l->code = r->dsos.v[dso].code;
		l->offset = addr - JITCODE_PLACES;
	}
	if (s)
		user_name(r, l, t, s);
	else if (!r->dsos.v[dso].is_passed && !file2_name(r, l, &r->dsos.v[dso]))
		start_name(r, l, addr);
	r->stats.unmapped += dso == OF_NOTHING;
	r->stats.no_symbol += !l->sym;
	return l;
}

/*
 * The key by which user code is looked up: an address of its file, if that can be read. JIT code is the same during all
 * of the space's time, so it is looked up at the last moment of that.
 */
static struct resolver_place user_place(struct resolver *r, const struct resolver_space *in,
					const struct maps_range *range, uint64_t ip, uint64_t *offset)
{
	uint32_t dso = range ? range->dso : OF_NOTHING;
	struct dso *d = &r->dsos.v[dso];
	uint64_t place;

	resolver_load(r, d);
	*offset = ip;
	if (d->kind <= DSO_JIT) {
		place = d->code ? jitcode_place(d->code, ip, in->until - 1) : 0;
		return (struct resolver_place){ place ? place : ip, dso };
	}
	*offset = ip - range->start + range->pgoff;
	return (struct resolver_place){ dso_addr(d, *offset), dso };
}

static const struct sym_loc *find_user(struct resolver *r, const struct resolver_space *in, uint64_t ip)
{
	uint64_t offset;
	struct resolver_place at = user_place(r, in, maps_find(in->maps, ip), ip, &offset);
	const struct sym_loc *l = locs_find(&r->locs, at.dso, at.addr);

	return l ? l : new_user(r, at.dso, at.addr, offset);
}

static int module_dso(struct resolver *r, const char *module)
{
	static const struct build_id no_id;
	char name[128];

	snprintf(name, sizeof(name), "[%.120s]", module);
	return dso_of(r, DSO_MODULE, name, &no_id);
}

/* Is the module in kallsyms the one that the recording has at this address? */
static bool is_module(const struct dso *d, const char *module)
{
	size_t n = module ? strlen(module) : 0;

	return n && strlen(d->short_name) == n + 2 && !memcmp(d->short_name + 1, module, n);
}

/* The kernel symbol by FILE2, unless the user has named a vmlinux or kallsyms. */
static bool file2_kernel(const struct resolver *r, const struct dso *d, const struct maps_range *range, uint64_t ip,
			struct kernel_symbol *s)
{
	bool is_told = d->file2 && !r->want.vmlinux && !r->want.kallsyms;
	const struct symtab *t = is_told ? file2_functions(d->file2) : NULL;
	uint64_t shift = is_told && d->kind == DSO_MODULE ? range->start - d->file2->bias : 0;
	const struct sym *sym = t ? symtab_find(t, ip - shift) : NULL;

	if (sym)
		*s = (struct kernel_symbol){ symtab_name(t, sym), NULL, sym->addr + shift, sym->size };
	return sym;
}

static const struct sym_loc *new_kernel(struct resolver *r, const struct maps *maps, const struct maps_range *range,
					uint32_t key, uint64_t ip)
{
	enum dso_kind kind = r->dsos.v[key].kind;
	int dso = range || !maps ? (int)key : OF_NOTHING;
	struct kernel_symbol s = { 0 };

	if (kind == DSO_BPF)
		s = (struct kernel_symbol){ r->dsos.v[key].name, NULL, range->start,
					    range->end - range->start };
	else if (file2_kernel(r, &r->dsos.v[key], range, ip, &s))
		dso = (int)key;
	else if (!kernel_find(&r->kernel, ip, &s) ||
		 (kind == DSO_MODULE && !is_module(&r->dsos.v[key], s.module)))
		s.name = NULL;
	else if (kind == DSO_KERNEL)
		dso = s.module ? module_dso(r, s.module) : OF_KERNEL;

	struct sym_loc *l = loc_new(r, dso, ip, key);

	if (!l)
		return NULL;
	l->kernel = true;
	l->base = kind == DSO_MODULE ? range->start : 0;
	r->stats.unmapped += dso == OF_NOTHING;
	r->stats.no_symbol += !s.name;
	if (s.name)
		kernel_name(r, l, s.name, s.start, s.len);
	return l;
}

static const struct sym_loc *find_kernel(struct resolver *r, struct maps *maps, uint64_t ip)
{
	const struct maps_range *range = maps_find(maps, ip);
	uint32_t key = range ? range->dso : OF_KERNEL;
	const struct sym_loc *l = locs_find(&r->locs, key, ip);

	return l ? l : new_kernel(r, maps, range, key, ip);
}

/* The location of an address that is not mapped. */
static const struct sym_loc *find_nowhere(struct resolver *r, int dso, uint64_t ip)
{
	const struct sym_loc *old = locs_find(&r->locs, (uint32_t)dso, ip);
	struct sym_loc *l = old ? NULL : loc_new(r, dso, ip, (uint32_t)dso);

	if (!l)
		return old;
	l->kernel = dso == OF_GUEST;
	r->stats.unmapped++;
	r->stats.no_symbol++;
	return l;
}

const struct sym_loc *resolver_find_in(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode,
				       uint64_t ip)
{
	r->stats.lookups++;
	switch (cpumode & PERF_MISC_CPUMODE_MASK) {
	case 0:
		return ip >> 63 ? find_kernel(r, in->kernel.maps, ip) : find_user(r, &in->user, ip);
	case PERF_MISC_KERNEL:
		return find_kernel(r, in->kernel.maps, ip);
	case PERF_MISC_USER:
		return find_user(r, &in->user, ip);
	case PERF_MISC_GUEST_KERNEL:
		return find_nowhere(r, OF_GUEST, ip);
	default:
		return find_nowhere(r, OF_NOTHING, ip);
	}
}

static const struct maps_range *range_at(const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip, bool *kernel)
{
	unsigned mode = cpumode & PERF_MISC_CPUMODE_MASK;

	*kernel = mode == PERF_MISC_KERNEL || (!mode && ip >> 63);
	if (*kernel || !mode || mode == PERF_MISC_USER)
		return maps_find(*kernel ? in->kernel.maps : in->user.maps, ip);
	return NULL;
}

const char *resolver_file(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
			  bool *is_kernel)
{
	const struct maps_range *range = range_at(in, cpumode, ip, is_kernel);
	const struct dso *d = range ? &r->dsos.v[range->dso] : &r->dsos.v[*is_kernel ? OF_KERNEL : OF_NOTHING];

	return d->kind <= DSO_JIT ? NULL : d->kind == DSO_KERNEL ? r->dsos.v[OF_KERNEL].name : d->name;
}

bool resolver_place(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
		    struct resolver_place *at)
{
	bool kernel;
	const struct maps_range *range = range_at(in, cpumode, ip, &kernel);
	uint64_t offset;

	if (!range)
		return false;
	*at = kernel ? (struct resolver_place){ ip, range->dso } : user_place(r, &in->user, range, ip, &offset);
	return true;
}

/* See resolver_extent(): the range of the symbol, cut to the mapping in which the file's code is contiguous. */
static bool user_extent(struct resolver *r, const struct maps_range *range, uint64_t ip, struct resolver_extent *x)
{
	struct dso *d = &r->dsos.v[range->dso];
	uint64_t shift = range->pgoff - range->start, addr;

	resolver_load(r, d);
	if (d->kind <= DSO_JIT)
		return false;
	addr = dso_addr(d, ip + shift);
	x->bias = ip - addr;
	if (d->is_passed) {
		x->from = range->start;
		x->to = range->end;
		return true;
	}
	if (!symtab_extent(dso_functions(d), addr, &x->from, &x->to))
		return false;
	x->from = MAX(x->from + x->bias, range->start);
	x->to = MIN(x->to + x->bias, range->end);
	return x->from <= ip && ip < x->to && dso_addr(d, x->from + shift) == x->from - x->bias &&
	       dso_addr(d, x->to - 1 + shift) == x->to - 1 - x->bias;
}

static bool kernel_part(struct resolver *r, const struct maps_range *range, uint64_t ip, struct resolver_extent *x)
{
	const struct dso *d = &r->dsos.v[range->dso];

	if (d->kind == DSO_BPF || d->file2 || !kernel_extent(&r->kernel, ip, &x->from, &x->to))
		return false;
	x->bias = 0;
	x->from = MAX(x->from, range->start);
	x->to = MIN(x->to, range->end);
	return x->from <= ip && ip < x->to;
}

bool resolver_extent(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
		     struct resolver_extent *x)
{
	bool kernel;
	const struct maps_range *range = range_at(in, cpumode, ip, &kernel);

	return range && (kernel ? kernel_part : user_extent)(r, range, ip, x);
}

const struct sym_loc *resolver_find(struct resolver *r, uint32_t pid, uint8_t cpumode, uint64_t ip)
{
	struct resolver_spaces now = { .user.maps = tasks_maps(&r->tasks, pid), .kernel.maps = r->kernel_maps };

	return resolver_find_in(r, &now, cpumode, ip);
}

bool resolver_is_mapped(const struct resolver_space *user, uint64_t ip)
{
	return maps_find(user->maps, ip);
}

struct module *resolver_module(struct resolver *r, const struct resolver_space *user, uint64_t ip, uint64_t *bias)
{
	const struct maps_range *range = maps_find(user->maps, ip);
	struct dso *d = range ? &r->dsos.v[range->dso] : NULL;

	if (!d)
		return NULL;
	resolver_load(r, d);
	if (!d->module)
		return NULL;
	*bias = ip - dso_addr(d, ip - range->start + range->pgoff);
	return d->module;
}

/* In debug information C++ and Rust functions have a linkage name; those of C, and local ones, have a name only. */
static const char *inlined_name(struct resolver *r, const struct die *func)
{
	const char *name = die_linkage_name(func);

	return shown(r, name[0] ? name : die_name(func));
}

/* JIT dumps have lines, but no inlined functions. */
static int jit_spot(struct resolver *r, const struct sym_loc *l, bool is_call, enum sym_spots what,
		    struct sym_spot v[SYM_SPOTS_MAX])
{
	struct jitdump_line line;

	if (!jitcode_line(l->code, l->addr - is_call, &line))
		return 0;
	v[0] = (struct sym_spot){ .line = line.line };
	if (what == SYM_SPOTS_FILES && line.file[0])
		v[0].file = intern(r, line.file, strnlen(line.file, RESOLVER_NAME_SIZE));
	return 1;
}

_Static_assert((int)SYM_SPOTS_MAX == (int)DWARF_INLINE_DEPTH, "there is room for all");

int resolver_spots(struct resolver *r, const struct sym_loc *l, bool is_call, enum sym_spots what,
		   struct sym_spot v[SYM_SPOTS_MAX])
{
	enum dwarf_spots_what of = what == SYM_SPOTS_FILES ? DWARF_SPOTS_LINES : DWARF_SPOTS_FUNCTIONS;
	struct dwarf_spot spots[DWARF_INLINE_DEPTH];
	int n = l->module ? module_spots(l->module, l->addr - is_call, of, spots) : 0;

	if (l->code)
		return jit_spot(r, l, is_call, what, v);
	for (int i = 0; i < n; i++) {
		char path[RESOLVER_NAME_SIZE];

		v[i] = (struct sym_spot){ .line = spots[i].line };
		if (what == SYM_SPOTS_FILES && spots[i].line &&
		    dwarf_file(spots[i].u, spots[i].file, path, sizeof(path))[0])
			v[i].file = intern(r, path, strlen(path));
		if (spots[i].is_inlined && spots[i].func.u)
			v[i].name = inlined_name(r, &spots[i].func);
	}
	/* An inlined function may lack a name in the debug information; NULL would mean "not inlined". */
	for (int i = n - 1; i-- > 0; )
		if (!v[i].name || !v[i].name[0])
			v[i].name = "[inlined]";
	return n;
}

bool resolver_kernel_thing(struct resolver *r, uint64_t addr, struct kernel_symbol *s)
{
	const struct maps_range *range = maps_find(r->kernel_maps, addr);

	/* Addresses in BPF programs and modules are looked up as code, by resolver_find(). */
	if (range && r->dsos.v[range->dso].kind != DSO_KERNEL)
		return false;
	return kernel_find_any(&r->kernel, addr, s);
}

int resolver_kernel_waits_at(struct resolver *r, uint64_t addr)
{
	return kernel_waits_at(&r->kernel, addr);
}

uint64_t resolver_kernel_address(struct resolver *r, const char *name)
{
	return kernel_address(&r->kernel, name);
}

struct module *resolver_kernel_file(struct resolver *r, uint64_t *shift)
{
	*shift = r->kernel.shift;
	return r->kernel.state == KERNEL_VMLINUX ? &r->kernel.vmlinux : NULL;
}

void resolver_settle(struct resolver *r)
{
	locs_deinit(&r->locs);
	for (size_t i = 0; i < r->dsos.n; i++)
		if (r->dsos.v[i].module)
			module_settle(r->dsos.v[i].module);
}

void resolver_clear(struct resolver *r)
{
	locs_clear(&r->locs);
}

void resolver_passed(struct resolver *r)
{
	for (size_t i = 0; i < r->dsos.n; i++)
		if (r->dsos.v[i].module)
			module_passed(r->dsos.v[i].module);
}

const struct sym_stats *resolver_stats(const struct resolver *r)
{
	return &r->stats;
}
