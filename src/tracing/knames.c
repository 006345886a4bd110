/* knames.c - see knames.h. */
#include "tracing/knames.h"

#include "sys/kallsyms.h"

int knames_init(struct knames *k, const struct sys *sys, const struct tevents *events, struct err *e)
{
	*k = (struct knames){ .events = events };
	return sys_kallsyms(sys, SYS_KALLSYMS, &k->syms, e);
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

static bool late_symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	struct knames_late *l = arg;

	if (!l->was_read)
		l->is_there = !knames_init(&l->names, l->sys, NULL, NULL);
	l->was_read = true;
	return l->is_there && symbol_at(&l->names, addr, s);
}

static const char *late_string(void *arg, uint64_t addr)
{
	const struct knames_late *l = arg;

	return tevents_string((void *)(uintptr_t)l->events, addr);
}

struct tprint_names knames_late_print(struct knames_late *l)
{
	return (struct tprint_names){ .arg = l, .symbol = late_symbol, .string = late_string };
}

void knames_late_deinit(struct knames_late *l)
{
	if (l->is_there)
		knames_deinit(&l->names);
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
