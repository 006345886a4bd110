/* features.c - what `version --build-options` of perf 6.1 lists, and `check feature` of those since. */
#include "cmd/features.h"

#include <strings.h>

/* "true" where sonde does the same with its own code: scripts ask what can be done, not which library does it. */
const struct feature_here features_here[] = {
	{ "aio", "HAVE_AIO_SUPPORT", false },
	{ "auxtrace", "HAVE_AUXTRACE_SUPPORT", false },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", false },
	{ "bpf_skeletons", "HAVE_BPF_SKEL", false },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", false },
	{ "dwarf", "HAVE_DWARF_SUPPORT", true },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", true },
	{ "dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", true },
	{ "get_cpuid", "HAVE_AUXTRACE_SUPPORT", false },
	{ "glibc", "HAVE_GLIBC_SUPPORT", false },
	{ "libaudit", "HAVE_LIBAUDIT_SUPPORT", false },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", false },
	{ "libbpf-strings", "HAVE_LIBBPF_STRINGS_SUPPORT", false },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", false },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", false },
	{ "libdw", "HAVE_LIBDW_SUPPORT", true },
	{ "libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", true },
	{ "libelf", "HAVE_LIBELF_SUPPORT", true },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", false },
	{ "libopencsd", "HAVE_CSTRACE_SUPPORT", false },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", false },
	{ "libpfm4", "HAVE_LIBPFM", false },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", false },
	{ "libslang", "HAVE_SLANG_SUPPORT", false },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", true },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", true },
	{ "lzma", "HAVE_LZMA_SUPPORT", true },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", false },
	{ "sanitizer", "HAVE_SANITIZER", false },
	{ "sanitizer_address", "HAVE_SANITIZER_ADDRESS", false },
	{ "sanitizer_leak", "HAVE_SANITIZER_LEAK", false },
	{ "sanitizer_memory", "HAVE_SANITIZER_MEMORY", false },
	{ "sanitizer_thread", "HAVE_SANITIZER_THREAD", false },
	{ "syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", false },
	{ "zlib", "HAVE_ZLIB_SUPPORT", true },
	{ "zstd", "HAVE_ZSTD_SUPPORT", true },
	{ NULL, NULL, false },
};

static bool is(struct sv name, const char *known)
{
	return strlen(known) == name.n && !strncasecmp(known, name.s, name.n);
}

const struct feature_here *feature_find(struct sv name)
{
	for (const struct feature_here *f = features_here; f->name; f++)
		if (is(name, f->name) || is(name, f->macro))
			return f;
	return NULL;
}

void feature_print(const struct feature_here *f, struct out *o)
{
	out_printf(o, "%22s: [ %-3s ]  # %s\n", f->name, f->is_here ? "on" : "OFF", f->macro);
}
