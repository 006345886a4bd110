#include "report/touched.h"

#include "base/find.h"
#include "image/module.h"
#include "obj/types/btf.h"
#include "report/globals.h"
#include "sym/kernel.h"
#include "types/places.h"

/* KEPT_MAX: bytes of results before all are dropped. BTF_MAX: bytes of the kernel's BTF. */
enum { KEPT_MAX = 64 << 20, BTF_MAX = 256 << 20, MODULES_MAX = 256, MODULE_NAME = 64 };

struct function {
	uint64_t shift;              /* added to the file's addresses in samples */
	struct type_touch *v;
	size_t n;
	bool has_types;              /* its file has types, in DWARF or BTF */
};

/* BTF of a kernel module. */
struct module_types {
	const char *dso;             /* interned */
	char *text;
	struct btf *btf;             /* NULL: it has none */
};

struct touched {
	struct session *session;
	struct types types;
	struct map known;            /* (file, start) -> index of the function, + 1 */
	VEC(struct function) functions;
	size_t kept;                 /* bytes of results */
	char *btf_text;
	struct btf *btf;             /* of the kernel */
	bool has_looked;             /* it was searched for */
	VEC(struct module_types) modules;
	struct globals globals;
};

struct touched *touched_new(struct session *s)
{
	struct touched *t = calloc(1, sizeof(*t));

	if (t)
		t->session = s;
	return t;
}

static void forget(struct touched *t)
{
	for (size_t i = 0; i < t->functions.n; i++)
		free(t->functions.v[i].v);
	vec_free(&t->functions);
	map_deinit(&t->known);
	t->known = (struct map){ 0 };
	t->kept = 0;
}

void touched_free(struct touched *t)
{
	if (!t)
		return;
	forget(t);
	globals_deinit(&t->globals);
	types_deinit(&t->types);
	for (size_t i = 0; i < t->modules.n; i++) {
		btf_free(t->modules.v[i].btf);
		free(t->modules.v[i].text);
	}
	vec_free(&t->modules);
	btf_free(t->btf);
	free(t->btf_text);
	free(t);
}

const struct type_entry *touched_type(const struct touched *t, uint32_t id)
{
	return types_at(&t->types, id);
}

/* --- one function --- */

/* BTF of the kernel: from its vmlinux, else from the running kernel, if that is the recorded one. */
static const struct btf *kernel_types(struct touched *t, const struct module *file)
{
	struct elf_section s;
	size_t n;

	if (t->has_looked)
		return t->btf;
	t->has_looked = true;
	if (file && elf_section_find(&file->code.elf, ".BTF", &s)) {
		struct cursor bytes = elf_section_data(&file->code.elf, &s);

		t->btf = bytes.bad ? NULL : btf_new(bytes.pos, cur_left(&bytes), NULL, NULL);
	}
	if (!t->btf && t->session->running &&
	    !sys_read_all(t->session->sys, "/sys/kernel/btf/vmlinux", BTF_MAX, &t->btf_text, &n, NULL))
		t->btf = btf_new(t->btf_text, n, NULL, NULL);
	return t->btf;
}

/* "ext4" of "[ext4]", a name from the recording, so not trusted. False: not the name of a module. */
static bool module_name(const char *dso, char name[MODULE_NAME])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t n = *dso == '[' ? strcspn(dso + 1, "]") : 0;

	if (!n || n >= MODULE_NAME || strspn(dso + 1, letters) != n)
		return false;
	memcpy(name, dso + 1, n);
	name[n] = '\0';
	return true;
}

/* Split BTF of a module, whose type ids continue those of the kernel; NULL: none. */
static const struct btf *module_types(struct touched *t, const char *dso)
{
	char name[MODULE_NAME], path[MODULE_NAME + 32];
	struct module_types *new;
	size_t n;

	for (size_t i = 0; i < t->modules.n; i++)
		if (t->modules.v[i].dso == dso)
			return t->modules.v[i].btf;
	if (!module_name(dso, name) || t->modules.n == MODULES_MAX)
		return NULL;
	new = vec_add(&t->modules);
	if (!new)
		return NULL;
	new->dso = dso;
	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	if (!sys_read_all(t->session->sys, path, BTF_MAX, &new->text, &n, NULL))
		new->btf = btf_new(new->text, n, t->btf, NULL);
	return new->btf;
}

/* Select the types of a function's file; false: it has none. */
static bool find_types(struct touched *t, const struct func_code *c)
{
	struct globals_want w = { .session = t->session, .types = &t->types, .module = c->module, .shift = c->shift };

	if (c->module)
		w.dwarf = module_dwarf(c->module, NULL);
	if (!w.dwarf && c->at.kernel)
		w.btf = kernel_types(t, c->module);
	if (w.btf) {
		const struct btf *own = module_types(t, c->at.dso_short);

		w.base = own ? w.btf : NULL;
		w.btf = own ? own : w.btf;
	}
	if (!w.dwarf && !w.btf)
		return false;
	return !globals_of(&t->globals, &w, c->start - c->shift);
}

static int find_places(struct touched *t, const struct func_code *c, struct type_places *p)
{
	struct globals *g = &t->globals;
	int r;

	*p = (struct type_places){ .types = &t->types, .scope = g->scope, .arch = t->session->arch };
	if (g->want.dwarf)
		r = places_dwarf(p, g->want.dwarf, c->start - c->shift);
	else
		r = places_btf(p, g->want.btf, globals_function(g, c->at.sym), c->start - c->shift);
	return r ? r : places_sort(p);
}

static int look_through(struct touched *t, struct func_code *c, struct function *f)
{
	struct type_places places;
	struct flow_want w = {
		.arch = t->session->arch, .addr = c->start - c->shift, .code = c->bytes, .types = &t->types,
		.marks = code_marks(c), .variable = globals_variable, .is_canary = globals_is_canary,
		.linked = globals_linked, .returns = globals_returned, .arg = &t->globals,
	};
	int64_t n;
	int r;

	f->has_types = find_types(t, c);
	if (!f->has_types)
		return 0;
	r = find_places(t, c, &places);
	w.scope = t->globals.scope;
	w.places = places.v.v;
	w.n_places = places.v.n;
	w.is_whole = places.is_whole;
	w.task = c->at.kernel ? globals_task(&t->globals) : TYPES_NONE;
	n = r ? r : flow_run(&w, &f->v);
	places_deinit(&places);
	if (n == -ENOMEM)
		return -ENOMEM;
	f->n = n > 0 ? (size_t)n : 0;
	return 0;
}

static uint64_t key_of(const struct sym_loc *l)
{
	return hash_u64((uintptr_t)l->dso) ^ l->start;
}

static int add_function(struct touched *t, const struct sym_loc *l, struct function *f)
{
	struct hits_func at = { .at = *l, .last = l->addr };
	struct func_code code;
	int r = code_of(&code, t->session, &at, NULL);

	if (r)
		return r == -ENOMEM ? r : 0;
	f->shift = code.shift;
	r = look_through(t, &code, f);
	code_deinit(&code);
	return r;
}

/* The results for the function of l, which is analysed if it is new. NULL: no memory. */
static const struct function *function_of(struct touched *t, const struct sym_loc *l)
{
	struct function new = { 0 }, *f;
	uint64_t *at = map_get(&t->known, key_of(l));

	if (at && *at)
		return &t->functions.v[*at - 1];
	if (t->kept > KEPT_MAX)
		forget(t);
	if (add_function(t, l, &new))
		return NULL;
	f = vec_add(&t->functions);
	at = f ? map_add(&t->known, key_of(l), NULL) : NULL;
	if (!at) {
		free(new.v);
		return NULL;
	}
	*f = new;
	*at = t->functions.n;
	t->kept += sizeof(*f) + new.n * sizeof(*new.v);
	return f;
}

/* --- one address --- */

static const struct type_touch *touch_at(const struct function *f, uint64_t addr)
{
	size_t n = find_upto(f->v, f->n, addr, addr);

	return n && addr - f->v[n - 1].addr < f->v[n - 1].len ? &f->v[n - 1] : NULL;
}

static enum touched_why why_not(const struct type_touch *t)
{
	static const uint8_t why[] = {
		[TYPE_NO_ACCESS] = TOUCHED_NO_ACCESS, [TYPE_NO_CODE] = TOUCHED_NO_CODE,
		[TYPE_NO_VARIABLE] = TOUCHED_NO_VARIABLE, [TYPE_NO_SIZE] = TOUCHED_NO_SIZE,
		[TYPE_OUTSIDE] = TOUCHED_OUTSIDE,
	};

	return t->found < ARRAY_SIZE(why) ? why[t->found] : TOUCHED_OK;
}

static void tell(const struct touched *t, const struct type_touch *touch, struct touched_at *at)
{
	*at = (struct touched_at){
		.why = why_not(touch), .type = "(unknown)", .off = touch->off, .size = touch->size, .id = touch->type,
		.access = touch->access, .is_followed = touch->is_followed,
	};
	if (touch->found == TYPE_STACK)
		at->type = "(stack operation)";
	else if (touch->found == TYPE_CANARY)
		at->type = "(stack canary)";
	else if (touch->found == TYPE_FOUND)
		at->type = types_at(&t->types, touch->type)->name;
}

int touched_find(struct touched *t, const struct sym_loc *l, struct touched_at *at)
{
	const struct type_touch *touch;
	const struct function *f;

	*at = (struct touched_at){ .why = TOUCHED_NO_SYMBOL, .type = "(unknown)" };
	if (!l->sym || !arch_touch_of(t->session->arch))
		return 0;
	f = function_of(t, l);
	if (!f)
		return -ENOMEM;
	at->why = f->has_types ? TOUCHED_NO_CODE : TOUCHED_NO_TYPES;
	touch = touch_at(f, l->addr - f->shift);
	if (touch)
		tell(t, touch, at);
	return 0;
}

const char *touched_place(const struct touched *t, const struct touched_at *at, char buf[TOUCHED_TEXT])
{
	struct shape s;
	const char *field = "no field";

	if (at->id && shape_find(types_at(&t->types, at->id)->type, at->off, at->size, SHAPE_ANY, &s) && s.path[0])
		field = s.path;
	snprintf(buf, TOUCHED_TEXT, at->off ? "+0x%llx (%s)" : "+%llu (%s)", (unsigned long long)at->off, field);
	return buf;
}
