#include "arch/arch.h"

static const struct arch_core cores[] = {
#define CORE(impl_nr, part_nr, vendor_name, core_name, events, width) \
	{ impl_nr, width, part_nr, vendor_name, core_name, events },
#include "arch/aarch64/cores.def"
#undef CORE
};

/* 31:24 implementer, 23:20 variant, 19:16 architecture (0xf: not told), 15:4 part, 3:0 revision */
struct midr midr_parse(uint64_t midr_el1)
{
	return (struct midr){
		.impl = midr_el1 >> 24 & 0xff,
		.variant = midr_el1 >> 20 & 0xf,
		.arch = midr_el1 >> 16 & 0xf,
		.rev = midr_el1 & 0xf,
		.part = midr_el1 >> 4 & 0xfff,
	};
}

const struct arch_core *arch_core_find(uint8_t impl, uint16_t part)
{
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		if (cores[i].impl == impl && cores[i].part == part)
			return &cores[i];
	}
	return NULL;
}

const struct arch_core *arch_core_at(size_t i)
{
	return i < ARRAY_SIZE(cores) ? &cores[i] : NULL;
}

const char *arch_vendor_name(uint8_t impl)
{
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		if (cores[i].impl == impl)
			return cores[i].vendor;
	}
	return NULL;
}
