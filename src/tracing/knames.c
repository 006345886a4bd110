/* knames.c - see knames.h. */
#include "tracing/knames.h"

int knames_take(struct knames *k, char *text, size_t n, const struct tevents *events, struct err *e)
{
	*k = (struct knames){ .events = events };
	return kallsyms_init(&k->syms, text, n, e);
}

int knames_init(struct knames *k, const struct sys *sys, const struct tevents *events, struct err *e)
{
	char *text;
	size_t n;
	int r = sys_read_all(sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &n, e);

	return r ? r : knames_take(k, text, n, events, e);
}

void knames_deinit(struct knames *k)
{
	kallsyms_deinit(&k->syms);
}

static bool symbol_at(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	struct knames *k = arg;
	const struct sym *sym = kallsyms_find_any(&k->syms, addr);

	if (!sym)
		return false;
	*s = (struct tprint_symbol){
		.name = kallsyms_name(&k->syms, sym),
		.module = kallsyms_module(&k->syms, sym),
		.offset = addr - sym->addr,
		.size = sym->size,
	};
	return true;
}

static const char *string_at(void *arg, uint64_t addr)
{
	const struct knames *k = arg;

	return k->events ? tevents_string((void *)(uintptr_t)k->events, addr) : NULL;
}

struct tprint_names knames_print(struct knames *k)
{
	return (struct tprint_names){ .arg = k, .symbol = symbol_at, .string = string_at };
}

const char *knames_text(struct knames *k, uint64_t addr, char *buf, size_t size)
{
	struct tprint_symbol s;

	if (!symbol_at(k, addr, &s))
		snprintf(buf, size, "0x%llx", (unsigned long long)addr);
	else if (s.module)
		snprintf(buf, size, "%s [%s]", s.name, s.module);
	else
		snprintf(buf, size, "%s", s.name);
	return buf;
}
