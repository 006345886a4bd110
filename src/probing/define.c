/* define.c - builds definitions. */
#include "probing/define.h"

#include "obj/demangle/demangle.h"
#include "probe/place.h"
#include "probe/probe_name.h"
#include "probing/reach.h"
#include "probing/vars.h"

enum { RETURNS_MAX = 512, PLACES_MAX = 128 };

void definer_init(struct definer *d, struct subject *s, const struct define_want *w, const char *readme)
{
	*d = (struct definer){ .s = s, .want = w, .features = fetch_features(readme) };
	d->many_places = !readme[0] || strstr(readme, "Create/append/");
}

void definer_deinit(struct definer *d)
{
	for (size_t i = 0; i < d->v.n; i++) {
		free(d->v.v[i].line);
		free(d->v.v[i].fetch);
	}
	vec_free(&d->v);
	vec_free(&d->newest);
	names_deinit(&d->taken);
	names_deinit(&d->wanted);
}

const char *definer_note(const struct definer *d, size_t i)
{
	const char *const notes[] = { d->note.prologue, d->note.returns, d->note.skipped, d->note.loop,
				      d->note.sign, d->note.missing, d->note.refused };

	return i < ARRAY_SIZE(notes) ? notes[i] : NULL;
}

/* --- is the place safe? --- */

static bool is_data(const void *arg, uint64_t addr)
{
	return marks_is_data(arg, addr);
}

static void code_of(const struct definer *d, const struct spot *s, struct place_code *c)
{
	*c = (struct place_code){
		.arch = d->s->arch, .start = s->addr - (s->usdt_args ? 0 : s->offset), .grows_stack = d->is_go,
	};
	c->is_data = is_data;
	c->arg = subject_marks(d->s);
	c->bytes = module_code(&d->s->program, c->start);
	if (s->size && s->size < cur_left(&c->bytes))
		c->bytes.end = c->bytes.pos + s->size;
}

/*
 * The code of the whole function with the spot, whatever the spot is called. If the function is unknown, the bytes in
 * front of the spot: false where instructions cannot be decoded backwards.
 */
static bool around(const struct definer *d, const struct spot *s, struct place_code *c)
{
	enum { BEFORE = 512 };
	const struct sym *f = subject_function_at(d->s, s->addr);
	unsigned step = d->s->arch->insn_size;
	struct spot whole = *s;

	if (!f && !s->usdt_args && !s->offset && !s->func[0]) {
		if (!step || s->addr % step)
			return false;
		for (whole.offset = BEFORE; whole.offset; whole.offset -= step)
			if (s->addr >= whole.offset && !module_code(&d->s->program, s->addr - whole.offset).bad)
				break;
	}
	if (f) {
		whole.offset = s->addr - f->addr;
		whole.size = f->size;
		whole.usdt_args = NULL;
	}
	code_of(d, &whole, c);
	return true;
}

static int misaligned(uint64_t addr, unsigned step, struct err *e)
{
	struct place p = { .verdict = PLACE_UNALIGNED, .near = addr - addr % step };

	return place_explain(&p, addr, e);
}

/* For the kernel, check with the file's code: the running code was patched. Other refusals are left to the kernel. */
static int check_kernel_place(const struct definer *d, const struct spot *s, struct err *e)
{
	const struct kernel_image *k = &d->s->kernel;
	unsigned step = d->s->arch->insn_size;
	struct place_code c = { .arch = d->s->arch, .start = s->addr - s->offset, .is_kernel = true };
	struct place p;

	if (step)
		return s->offset % step ? misaligned(s->addr ? s->addr : s->offset, step, e) : 0;
	if (!s->offset || !s->addr || s->module[0] || !k->file.code.bytes || k->file.code.elf.type == ELF_REL)
		return 0;
	c.bytes = module_code(&k->file, c.start - k->shift);
	if (s->size && s->size < cur_left(&c.bytes))
		c.bytes.end = c.bytes.pos + s->size;
	if (c.bytes.bad)
		return 0;
	place_check(&c, s->addr, &p);
	return p.verdict == PLACE_UNALIGNED ? place_explain(&p, s->addr, e) : 0;
}

static int check_place(struct definer *d, struct spot *s, struct defined *to, struct err *e)
{
	struct place_code c;
	struct place p;

	if (d->s->is_kernel)
		return check_kernel_place(d, s, e);
	if (!around(d, s, &c)) {
		if (d->s->arch->insn_size)
			return misaligned(s->addr, d->s->arch->insn_size, e);
		if (d->want->unsafe)
			return 0;
		err_set(e, EINVAL, "no function is known at 0x%llx: whether an instruction begins there cannot be told",
			(unsigned long long)s->addr);
		return err_hint(
			e, "--unsafe probes it all the same; in the middle of an instruction it breaks the program");
	}
	if (c.bytes.bad)
		return err_set(e, EINVAL, "there is no code at 0x%llx in %s", (unsigned long long)s->addr,
			       d->s->program.code.path);
	place_check(&c, s->addr, &p);
	to->in_loop = p.in_loop;
	if (p.verdict == PLACE_EXCLUSIVE && d->want->unsafe)
		return 0;
	if (!p.is_simulated && p.cheaper && d->want->prefer_cheap && !to->is_return &&
	    !reach_is_target(d->s, MIN(s->addr, p.cheaper) + 1, MAX(s->addr, p.cheaper) + 1)) {
		s->offset += p.cheaper - s->addr;
		s->pc += p.cheaper - s->addr;
		s->addr = p.cheaper;
		return 0;
	}
	return place_explain(&p, s->addr, e);
}

/* --- names --- */

struct naming {
	struct definer *d;
	struct sv group;
};

enum { WHOLE_NAME = 2 * PROBE_NAME_SIZE };

static size_t whole_name(char buf[WHOLE_NAME], struct sv group, const char *name)
{
	return (size_t)snprintf(buf, WHOLE_NAME, "%.*s:%s", (int)group.n, group.s, name);
}

static bool is_taken(void *arg, const char *name)
{
	const struct naming *n = arg;
	char whole[WHOLE_NAME];

	if (n->d->there && kernel_list_has(n->d->there, n->group, sv_from(name)))
		return true;
	return names_find(&n->d->taken, whole, whole_name(whole, n->group, name)) != NAMES_NONE;
}

/* Keep the names of the last definition. There may be as many as the kernel has functions. */
static int keep_names(struct definer *d, struct defined *x, struct err *e)
{
	char whole[WHOLE_NAME];
	uint32_t id = names_add(&d->taken, whole, whole_name(whole, sv_from(x->group), x->event));

	if (id != NAMES_NONE)
		id = names_add(&d->wanted, whole, whole_name(whole, sv_from(x->group), x->wanted));
	if (id == NAMES_NONE || (id == d->newest.n && !vec_add(&d->newest)))
		return err_nomem(e);
	x->before = d->newest.v[id];
	d->newest.v[id] = d->v.n;
	return 0;
}

static void choose_group(const struct definer *d, const struct point *p, const struct spot *s,
			 char group[PROBE_NAME_SIZE])
{
	if (p->group.n)
		str_copy(group, PROBE_NAME_SIZE, p->group);
	else if (d->want->group)
		str_copy(group, PROBE_NAME_SIZE, sv_from(d->want->group));
	else if (s->provider)
		snprintf(group, PROBE_NAME_SIZE, "sdt_%.50s", s->provider);
	else
		probe_group(sv_from(d->s->is_kernel ? "" : d->s->program.code.path), group);
}

static void choose_event(const struct point *p, const struct spot *s, char event[PROBE_NAME_SIZE])
{
	char with_line[600], plain[1024];
	const char *own = s->func, *func;

	if (p->event.n) {
		str_copy(event, PROBE_NAME_SIZE, p->event);
		return;
	}
	/* An inlined copy has its own name, unless the point is an offset in the function around it. */
	if (s->inlined[0] && p->kind != POINT_USDT && !p->offset)
		own = s->inlined_symbol;
	/* A mangled name is used as it was typed. */
	func = (p->kind != POINT_FUNC || !sv_eq(p->func, own)) && demangle(own, DEMANGLE_SHORT, plain, sizeof(plain)) ?
		       plain :
		       own;
	if (p->kind == POINT_FUNC && p->has_line && p->line) {
		snprintf(with_line, sizeof(with_line), "%.*s_L%u", (int)MIN(p->func.n, 500u), p->func.s, p->line);
		func = with_line;
	} else if (p->kind == POINT_ADDR) {
		snprintf(with_line, sizeof(with_line), "abs_%llx", (unsigned long long)p->offset);
		func = with_line;
	} else if (!func[0]) {
		snprintf(with_line, sizeof(with_line), "at_%llx", (unsigned long long)s->addr);
		func = with_line;
	}
	probe_event(sv_from(func), p->is_return, event);
}

/* Do names and types of the arguments agree, as the places of one event need it? */
static bool same_args(const char *a, const char *b)
{
	struct sv x = sv_from(a), y = sv_from(b);
	struct dynevent_arg p, q;

	for (;;) {
		bool more = dynevent_next(DYNEVENT_UPROBE, &x, &p);

		if (more != dynevent_next(DYNEVENT_UPROBE, &y, &q))
			return false;
		if (!more)
			return true;
		if (p.name.n != q.name.n || memcmp(p.name.s, q.name.s, p.name.n) || p.type.n != q.type.n ||
		    memcmp(p.type.s, q.type.s, p.type.n))
			return false;
	}
}

/*
 * The first spot of a function gets an unused name; its other spots share it if the kernel supports that and the types
 * of the arguments agree (those of overloaded functions do not).
 */
static int choose_names(struct definer *d, const struct point *p, const struct spot *s, size_t first,
			struct defined *to, const char *args, struct err *e)
{
	struct naming n = { .d = d };
	const char *wanted = to->wanted;
	char whole[WHOLE_NAME];
	uint32_t id;

	choose_group(d, p, s, to->group);
	choose_event(p, s, to->event);
	memcpy(to->wanted, to->event, sizeof(to->wanted));
	n.group = sv_from(to->group);
	if (!is_taken(&n, to->event))
		return 0;
	id = names_find(&d->wanted, whole, whole_name(whole, n.group, wanted));
	for (size_t i = d->many_places && id != NAMES_NONE ? d->newest.v[id] : 0; i > first; i = d->v.v[i - 1].before) {
		const struct defined *x = &d->v.v[i - 1];

		if (same_args(x->fetch, args)) {
			memcpy(to->event, x->event, sizeof(to->event));
			return 0;
		}
	}
	if (d->v.n == first && !d->want->force && d->there && kernel_list_has(d->there, n.group, sv_from(wanted))) {
		err_set(e, EEXIST, "there is already a probe '%s:%s'", to->group, to->event);
		return err_hint(e, "remove it (-d %s:%s), give another name (NAME=...), or -f", to->group, to->event);
	}
	if (!probe_unique(to->event, is_taken, &n))
		return err_set(e, EEXIST, "names like '%s' are all taken", wanted);
	return 0;
}

static bool is_go(const struct definer *d)
{
	return !d->s->is_kernel && !module_functions(&d->s->program, FUNCTIONS_ALL, NULL) &&
	       functions_has_go(&d->s->program.functions);
}

/* --- the line --- */

static int put_args(struct definer *d, const struct point *p, const struct spot *s, bool at_return, struct out *o,
		    struct err *e)
{
	struct vars v = { .s = d->s, .spot = s, .is_return = p->is_return && !at_return };
	struct fetch_env env = { .features = d->features };
	unsigned skipped = 0, signless = 0;
	int r;

	vars_env(&v, &env);
	if (s->usdt_args && !p->args.n) {
		fetch_put_usdt(&env, s->usdt_args, o, &skipped);
		if (skipped)
			snprintf(d->note.skipped, sizeof(d->note.skipped),
				 "%u arguments of %s are held in a way that cannot be fetched", skipped, s->func);
		return 0;
	}
	env.usdt_args = s->usdt_args;
	env.at_ret_insn = at_return;
	if (d->s->arch->n_go_arg_regs && d->is_go) {
		env.arg_regs = d->s->arch->go_arg_regs;
		env.n_arg_regs = d->s->arch->n_go_arg_regs;
	}
	env.skipped = &skipped;
	env.signless = &signless;
	r = fetch_put(&env, p, o, e);
	if (!r && signless)
		snprintf(d->note.sign, sizeof(d->note.sign),
			 "the kernel shows a part of a register or a bit-field without its sign: without a name of "
			 "your own it gets one by which sonde knows");
	if (!r && skipped)
		snprintf(d->note.skipped, sizeof(d->note.skipped),
			 "%u of the variables of %s cannot be fetched: left out", skipped, s->func);
	return r;
}

static void put_symbol(const struct definer *d, const struct spot *s, struct dynevent *x, char base[64])
{
	x->kind = DYNEVENT_KPROBE;
	x->module = sv_from(s->module);
	x->target = sv_from(s->func);
	x->offset = s->offset;
	if (s->is_unique || !s->addr)
		return;
	x->module = (struct sv){ "", 0 };
	if (d->s->kernel.base_addr && !s->module[0] && s->addr > d->s->kernel.base_addr) {
		x->target = sv_from(d->s->kernel.base);
		x->offset = s->addr - d->s->kernel.base_addr;
	} else {
		snprintf(base, 64, "0x%llx", (unsigned long long)s->addr);
		x->target = sv_from(base);
		x->offset = 0;
	}
}

static int no_runtime_address(const struct definer *d, struct err *e)
{
	const char *module = d->s->kernel.want->module;

	if (module) {
		err_set(e, ENOENT, "where that is in memory is not known: module %s is not loaded", module);
		return err_hint(e, "load it first, with modprobe or insmod");
	}
	err_set(e, EPERM, "where that is in memory is not known: the kernel hides its addresses");
	return err_hint(e, "run as root, with sysctl kernel.kptr_restrict=1");
}

static int put_line(struct definer *d, const struct spot *s, struct defined *to, const char *args, struct err *e)
{
	struct dynevent x = { .is_return = to->is_return, .group = sv_from(to->group), .event = sv_from(to->event) };
	struct mem_out line;
	char base[64];

	x.args = sv_trim(sv_from(args));
	if (d->s->is_kernel && s->has_debug && !s->func[0])
		return no_runtime_address(d, e);
	if (d->s->is_kernel) {
		put_symbol(d, s, &x, base);
	} else {
		x.kind = DYNEVENT_UPROBE;
		x.target = sv_from(d->s->program.code.path);
		if (strpbrk(d->s->program.code.path, " \t\n")) {
			err_set(e, EINVAL, "the kernel takes no path with a blank in it: %s", d->s->program.code.path);
			return err_hint(e, "a hard link to the file, with another name, can be probed");
		}
		image_offset(&d->s->program.code, s->addr, &x.offset);
		x.refcount = d->features & FETCH_REFCOUNT ? s->semaphore : 0;
	}
	to->file = dynevent_file(&x);
	mem_out_init(&line);
	dynevent_put(&x, &line.out);
	to->line = strdup(mem_out_str(&line));
	mem_out_deinit(&line);

	to->fetch = strdup(args);
	return to->line && to->fetch ? 0 : err_nomem(e);
}

static int add(struct definer *d, const struct point *p, struct spot *s, size_t first, bool at_return, struct err *e)
{
	struct defined to = { .func = s->func, .module = s->module, .is_return = p->is_return && !at_return };
	struct defined *at;
	struct mem_out args;
	int r;

	if (p->kind == POINT_ADDR && to.is_return && s->offset)
		return err_set(e, EINVAL, "0x%llx is in the middle of %s: %%return needs its start",
			       (unsigned long long)s->addr, s->func);
	r = check_place(d, s, &to, e);
	if (s->inlined[0] && p->kind == POINT_FUNC)
		to.inlined = s->inlined;
	to.addr = s->addr;
	to.offset = s->offset;
	to.semaphore = s->semaphore;
	if (!d->s->is_kernel)
		image_offset(&d->s->program.code, s->addr, &to.file_offset);
	mem_out_init(&args);
	if (!r)
		r = put_args(d, p, s, at_return, &args.out, e);
	if (!r)
		r = choose_names(d, p, s, first, &to, mem_out_str(&args), e);
	if (!r)
		r = put_line(d, s, &to, mem_out_str(&args), e);
	mem_out_deinit(&args);
	at = r ? NULL : vec_add(&d->v);
	if (!at) {
		free(to.line);
		free(to.fetch);
		return r ? r : err_nomem(e);
	}
	*at = to;
	r = keep_names(d, at, e);
	if (to.in_loop && !d->note.loop[0])
		snprintf(d->note.loop, sizeof(d->note.loop),
			 "%s+%llu is in a loop: it may be hit often; --cost measures what that takes", s->func,
			 (unsigned long long)s->offset);
	return r;
}

/* --- returns --- */

static int add_returns(struct definer *d, const struct point *p, const struct spot *s, size_t first, struct err *e)
{
	struct place_code c;
	uint64_t v[RETURNS_MAX];
	size_t n;
	int r = 0;

	code_of(d, s, &c);
	if (!s->size)
		return err_set(e, EINVAL, "where %s ends is not known, and so neither its return instructions",
			       s->func);
	n = place_returns(&c, v, RETURNS_MAX);
	if (!n || n > RETURNS_MAX)
		return err_set(e, EINVAL, "%s has %s return instructions", s->func, n ? "too many" : "no");
	for (size_t i = 0; !r && i < n; i++) {
		struct spot at = *s;

		at.addr = v[i];
		at.offset = v[i] - c.start;
		at.pc += at.offset - s->offset;
		r = add(d, p, &at, first, true, e);
	}
	return r;
}

/* Probe the return address; if an argument cannot be read there, the return instructions. */
static int add_return(struct definer *d, const struct point *p, struct spot *s, size_t first, struct err *e)
{
	int r = add(d, p, s, first, false, e);

	if (r != -EXDEV)
		return r;
	*e = (struct err){ 0 };
	snprintf(d->note.returns, sizeof(d->note.returns),
		 "a global variable is read at the return instructions of %.60s: leaving it by a jump is not seen",
		 s->func);
	return add_returns(d, p, s, first, e);
}

/* --- points --- */

/* Does an argument name a variable? Registers, memory and the kernel's own names need no debug information. */
static bool asks_variables(const struct point *p)
{
	for (size_t i = 0; i < p->args.n; i++) {
		struct sv x = p->args.v[i].expr;

		if (sv_eq(x, "$vars") || sv_eq(x, "$params") || sv_eq(x, "$locals"))
			return true;
		if (x.n && !strchr("%@+-\\$", x.s[0]))
			return true;
	}
	return false;
}

static int check_point(const struct definer *d, const struct point *p, struct err *e)
{
	if (p->group.n && !probe_name_is_legal(p->group))
		return err_set(e, EINVAL, "'%.*s' is no name for a group: letters, digits and _", (int)p->group.n,
			       p->group.s);
	if (p->event.n && !probe_name_is_legal(p->event))
		return err_set(e, EINVAL, "'%.*s' is no name for an event: letters, digits and _", (int)p->event.n,
			       p->event.s);
	if (d->s->is_kernel && d->want->at_returns)
		return err_set(e, EINVAL, "--at ret is for programs");
	if (d->want->at_returns && !p->is_return)
		return err_set(e, EINVAL, "--at ret says where FUNC%%return is, and this is no %%return");
	return 0;
}

int define_point(struct definer *d, const struct point *p, struct err *e)
{
	enum resolve_for what = asks_variables(p) ? RESOLVE_VARIABLES : RESOLVE_PLACE;
	unsigned max = d->want->max_probes ? d->want->max_probes : point_is_pattern(p) ? UINT_MAX : PLACES_MAX;
	struct spots to = { 0 };
	struct err first_error = { 0 };
	size_t first = d->v.n, refused = 0;
	int r = check_point(d, p, e);

	d->points++;
	r = r ? r : resolve(d->s, p, what, &to, e);
	d->is_go = !r && is_go(d);
	if (!r && to.v.n > max) {
		err_set(e, E2BIG, "that is in %zu places, more than %u", to.v.n, max);
		r = err_hint(e, "--max-probes allows more; --no-inlines leaves inlined copies out");
	}

	bool rets = p->is_return && (d->want->at_returns || d->is_go);

	if (rets && !d->want->at_returns)
		snprintf(d->note.returns, sizeof(d->note.returns),
			 "a Go program moves its stacks: its return instructions are probed, not its return addresses");
	for (size_t i = 0; !r && i < to.v.n; i++) {
		struct err one = { 0 };
		int k = rets           ? add_returns(d, p, &to.v.v[i], first, &one)
			: p->is_return ? add_return(d, p, &to.v.v[i], first, &one)
				       : add(d, p, &to.v.v[i], first, false, &one);

		if (!k)
			continue;
		if (k == -ENOMEM || to.v.n == 1 || k == -EEXIST) {
			*e = one;
			r = k;
			break;
		}
		if (!refused++)
			first_error = one;
	}
	if (!r && refused && d->v.n == first) {
		*e = first_error;
		r = -e->code;
	} else if (!r && refused) {
		snprintf(d->note.skipped, sizeof(d->note.skipped), "%zu of %zu places are left out: %.*s", refused,
			 to.v.n, (int)MIN(strcspn(first_error.text, "\n"), (size_t)150), first_error.text);
	}
	if (!r && to.skipped_prologue)
		snprintf(d->note.prologue, sizeof(d->note.prologue),
			 "%.*s is not optimised: the probe is behind its prologue, where its variables are",
			 (int)MIN(p->func.n, 60u), p->func.s);
	if (subject_missing(d->s, d->note.missing, sizeof(d->note.missing)) && r && e && !e->hint[0])
		err_hint(e, "%s", d->note.missing);
	spots_deinit(&to);
	return r;
}
