#include "prof/guest_exit.h"

#include "arch/arch.h"

uint64_t guest_exit_of(const struct hit *h, uint64_t isa)
{
	uint64_t reason = own_field(h, KVM_EXIT_REASON, UINT32_MAX) & UINT32_MAX;
	uint64_t ret = own_field(h, KVM_RET, UINT64_MAX);

	if (ret != UINT64_MAX) {
		isa = ARCH_EXITS_ARM;
		/* The highest bit marks an additional SError. */
		ret &= INT32_MAX;
		if (ret != ARCH_EXITS_ARM_TRAP)
			reason = ARCH_EXITS_ARM_CODE | ret;
	}
	return isa << GUEST_EXIT_ISA | reason;
}

bool guest_exit_is_halt(uint64_t of)
{
	static const uint32_t halts[] = { [ARCH_EXITS_VMX] = 12, [ARCH_EXITS_SVM] = 0x78, [ARCH_EXITS_ARM] = 1 };
	uint64_t isa = of >> GUEST_EXIT_ISA;

	return isa && isa < ARRAY_SIZE(halts) && (of & UINT32_MAX) == halts[isa];
}

const char *guest_exit_name(uint64_t of, char buf[GUEST_EXIT_NAME])
{
	const char *name = arch_exit_name(of >> GUEST_EXIT_ISA, of & UINT32_MAX);

	if (name)
		return name;
	snprintf(buf, GUEST_EXIT_NAME, "0x%llx", (unsigned long long)(of & UINT32_MAX));
	return buf;
}
