/* kernel_image.c - reads what the kernel tells about itself. */
#include "probing/kernel_image.h"

#include "image/kernel_file.h"
#include "obj/elf/symbols.h"
#include "sys/image_files.h"
#include "sys/notes.h"

enum { BTF_MAX = 64 << 20, LIST_MAX = 16 << 20, NEAR = 3 };

static void close_btf(struct kernel_image *k)
{
	btf_free(k->module_btf.btf);
	free(k->module_btf.text);
	btf_free(k->btf.btf);
	free(k->btf.text);
}

void kernel_image_close(struct kernel_image *k)
{
	close_btf(k);
	module_close(&k->file);
	free(k->text);
}

/* --- functions --- */

static bool is_wanted(const struct kernel_image *k, struct sv module)
{
	return !k->want->module || kernel_module_is(k->want->module, module);
}

static bool is_meant(const struct kernel_image *k, const struct kallsyms_line *l)
{
	return kallsyms_is_function(l) && !sv_eq(l->module, "bpf") && is_wanted(k, l->module);
}

int kernel_image_each(const struct kernel_image *k, int (*each)(void *arg, const struct kallsyms_line *f), void *arg)
{
	struct sv rest = { k->text, k->n };
	struct kallsyms_line f;
	int r = 0;

	while (!r && kallsyms_next(&rest, &f))
		if (is_meant(k, &f))
			r = each(arg, &f);
	return r;
}

int kernel_image_named(const struct kernel_image *k, const char *name,
		       int (*each)(void *arg, const struct kallsyms_line *f), void *arg)
{
	struct sv rest = { k->text, k->n };
	struct kallsyms_line f;
	int r = 0;

	while (!r && kallsyms_next_named(&rest, sv_from(name), &f))
		if (is_meant(k, &f))
			r = each(arg, &f);
	return r;
}

bool kernel_image_at(const struct kernel_image *k, uint64_t addr, struct kallsyms_line *f, uint64_t *size)
{
	return kallsyms_function_at((struct sv){ k->text, k->n }, addr, f, size) && is_meant(k, f);
}

struct module_near {
	struct sv want, last;
	char name[64];
	unsigned dist;
};

static int near_module(void *arg, const struct kallsyms_line *f)
{
	struct module_near *n = arg;
	unsigned dist;

	/* Functions of one module are adjacent in kallsyms. */
	if (f->module.n == n->last.n && !memcmp(f->module.s, n->last.s, n->last.n))
		return 0;
	n->last = f->module;
	dist = f->module.n ? str_distance(n->want, f->module, NEAR) : UINT_MAX;
	if (dist < n->dist) {
		n->dist = dist;
		str_copy(n->name, sizeof(n->name), f->module);
	}
	return 0;
}

static int any(void *arg UNUSED, const struct kallsyms_line *f UNUSED)
{
	return 1;
}

int kernel_image_check_module(const struct kernel_image *k, struct err *e)
{
	struct kernel_image all = *k;
	struct module_near n = { .last = { "", 0 }, .dist = NEAR + 1 };

	if (!k->want->module || kernel_image_each(k, any, NULL))
		return 0;
	all.want = &(struct kernel_want){ 0 };
	n.want = sv_from(k->want->module);
	kernel_image_each(&all, near_module, &n);
	err_set(e, ENOENT, "module %s is not loaded, or has no functions", k->want->module);
	return n.name[0] ? err_hint(e, "did you mean '%s'?", n.name)
			 : err_hint(e, "load it first, with modprobe or insmod");
}

/* --- a vmlinux given by the user --- */

struct build_id kernel_image_id(const struct kernel_image *k)
{
	struct build_id id;
	char name[128];

	if (!k->want->module) {
		sys_kernel_build_id(k->sys, &id);
		return id;
	}
	kernel_module_name(k->want->module, name, sizeof(name));
	sys_module_build_id(k->sys, sv_from(name), &id);
	return id;
}

/* Report an unusable vmlinux at once, and not only at a later lookup. */
static int check_vmlinux(struct kernel_image *k, struct err *e)
{
	const struct image *img = &k->file.code;
	struct build_id mine = kernel_image_id(k), its;
	struct elf_symbol text;

	if (!elf_symbol_named(&img->elf, k->base, &text)) {
		err_set(e, EINVAL, "%s is not a kernel: it has no symbol %s", img->path, k->base);
		return err_hint(e, "-k takes the vmlinux of the running kernel, as it was linked");
	}
	if (k->want->module || !mine.size || !build_id_of(&img->elf, &its) || build_id_same(&mine, &its))
		return 0;
	return err_set(e, ESTALE, "%s is not the running kernel's: its build id is another one", img->path);
}

static int open_vmlinux(struct kernel_image *k, struct err *e)
{
	int r = module_open(&k->file, &k->files, &(struct module_want){ .path = k->want->vmlinux }, e);

	r = r ? r : check_vmlinux(k, e);
	if (!r && k->want->module)
		module_close(&k->file);
	return r;
}

int kernel_image_open(struct kernel_image *k, const struct sys *sys, const struct kernel_want *w, struct err *e)
{
	memset(k, 0, sizeof(*k));
	k->sys = sys;
	k->files = sys_image_files(sys);
	k->want = w;

	int r = sys_read_all(sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &k->text, &k->n, e);

	if (r)
		return err_hint(e, "the kernel needs CONFIG_KALLSYMS");
	k->base = "_text";
	k->base_addr = kallsyms_address((struct sv){ k->text, k->n }, SV("_text"));
	if (!k->base_addr) {
		k->base = "_stext";
		k->base_addr = kallsyms_address((struct sv){ k->text, k->n }, SV("_stext"));
	}
	r = w->vmlinux ? open_vmlinux(k, e) : 0;
	if (r)
		kernel_image_close(k);
	return r;
}

/* --- types --- */

static struct btf *read_btf(struct kernel_image *k, const char *name, const struct btf *base, char **text)
{
	char path[128];
	size_t n;

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	if (sys_read_all(k->sys, path, BTF_MAX, text, &n, &k->no_btf))
		return NULL;
	return btf_new(*text, n, base, &k->no_btf);
}

const struct btf *kernel_image_btf(struct kernel_image *k, struct sv module)
{
	char name[64];

	if (!k->btf.btf && !k->no_btf.code) {
		k->btf.btf = read_btf(k, "vmlinux", NULL, &k->btf.text);
		if (!k->btf.btf)
			err_hint(&k->no_btf, "the kernel needs CONFIG_DEBUG_INFO_BTF");
	}
	if (!k->btf.btf || !module.n)
		return k->btf.btf;
	str_copy(name, sizeof(name), module);
	if (!strcmp(name, k->module))
		return k->module_btf.btf;
	btf_free(k->module_btf.btf);
	free(k->module_btf.text);
	k->module_btf.text = NULL;
	str_copy(k->module, sizeof(k->module), module);
	k->no_btf.code = 0;
	k->module_btf.btf = read_btf(k, name, k->btf.btf, &k->module_btf.text);
	return k->module_btf.btf;
}

/* --- what must not be probed --- */

/* Does the file list the name as a word: behind `before`, and in front of a line's end, blank or dot? */
static bool lists(const struct sys *sys, const char *path, struct sv func, char before, bool *known)
{
	char *text;
	size_t n;
	bool found = false;

	if (!func.n || sys_read_all(sys, path, LIST_MAX, &text, &n, NULL))
		return false;
	*known = true;
	for (char *at = text; !found && (at = memmem(at, n - (size_t)(at - text), func.s, func.n)); at++) {
		char end = at[func.n];

		found = (at == text || at[-1] == before) && (!end || end == '\n' || end == ' ' || end == '\t');
	}
	free(text);
	return found;
}

const char *kernel_image_refusal(const struct kernel_image *k, struct sv func, uint64_t addr)
{
	const char *root = sys_tracefs(k->sys);
	char path[128], hex[24];
	bool known = false;

	if (lists(k->sys, "/sys/kernel/debug/kprobes/blacklist", func, '\t', &known))
		return "it is on the kernel's list of what must not be probed (NOKPROBE; "
		       "/sys/kernel/debug/kprobes/blacklist): it is "
		       "used while a probe is handled";
	known = false;
	if (!root)
		return "";
	snprintf(path, sizeof(path), "%s/available_filter_functions", root);
	if (!lists(k->sys, path, func, '\n', &known) && known)
		return "it is not in the tracing file system's available_filter_functions: it is compiled not to be "
		       "traced (notrace), "
		       "and this kernel probes only what is";
	snprintf(path, sizeof(path), "%s/available_filter_functions_addrs", root);
	snprintf(hex, sizeof(hex), "%llx", (unsigned long long)addr);
	return addr && lists(k->sys, path, sv_from(hex), '\n', &known) ?
		       "the kernel patches this instruction for its tracers; +0 can be probed" : "";
}
