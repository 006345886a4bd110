/* ktypes.c - find members of the kernel's structs by name. */
#include "bpf/ktypes.h"

enum { TYPES_MAX = 256 << 20 };

int ktypes_open(struct ktypes *k, const struct sys *sys, struct err *e)
{
	size_t n;
	int r;

	*k = (struct ktypes){ 0 };
	r = sys_read_all(sys, "/sys/kernel/btf/vmlinux", TYPES_MAX, &k->text, &n, e);
	if (r == -ENOENT) {
		err_set(e, ENOENT, "the kernel does not tell its types: there is no /sys/kernel/btf/vmlinux");
		return err_hint(e, "build it with CONFIG_DEBUG_INFO_BTF (Linux 5.2)");
	}
	if (r)
		return r;
	k->btf = btf_new(k->text, n, NULL, e);
	if (k->btf)
		return 0;
	ktypes_close(k);
	return err_wrap(e, "/sys/kernel/btf/vmlinux");
}

void ktypes_close(struct ktypes *k)
{
	btf_free(k->btf);
	free(k->text);
	*k = (struct ktypes){ 0 };
}

int ktypes_member(const struct ktypes *k, const char *of, const char *path, struct kmember *m, struct err *e)
{
	struct ctype t = btf_find_type(k->btf, sv_from(of));
	struct sv rest = sv_from(path), name;
	struct ctype_info info;
	uint64_t off = 0;
	int r = t.src ? 0 : err_set(e, ENOENT, "the kernel has no struct %s", of);

	while (!r && sv_cut(&rest, '.', &name)) {
		struct ctype_member c;

		r = ctype_member(t, name, &c, e);
		if (!r && (c.bits || c.bit_offset % 8))
			r = err_set(e, EINVAL, "%s.%s is a bit-field", of, path);
		if (r)
			return r;
		off += c.bit_offset / 8;
		t = c.type;
	}
	r = r ? r : ctype_info(t, &info, e);
	if (r)
		return r;
	if (off + info.size > INT32_MAX)
		return err_set(e, EINVAL, "%s.%s lies too far behind", of, path);
	*m = (struct kmember){ (uint32_t)off, (uint32_t)info.size };
	return 0;
}

uint32_t ktypes_type(const struct ktypes *k, const char *name)
{
	return (uint32_t)btf_find_type(k->btf, sv_from(name)).id;
}

uint32_t ktypes_function(const struct ktypes *k, const char *name)
{
	int64_t id = btf_find_func(k->btf, sv_from(name));

	return id > 0 ? (uint32_t)id : 0;
}
