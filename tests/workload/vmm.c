/*
 * vmm.c - a virtual machine of one processor whose program leaves it a known number of times (arm64, KVM).
 *
 *   vmm STORES PAGES CALLS
 *
 * It writes STORES times to a device that is not there (each is emulated here), touches PAGES pages for the first time
 * (each is mapped by KVM), makes CALLS calls of firmware that does not know them (PSCI, answered by KVM), and switches
 * itself off. Each number at least 1. Exit status 77: no KVM here, with the reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <linux/kvm.h>

#define DEVICE UINT64_C(0x10000000)
#define CODE   UINT64_C(0x40000000)
#define PAGES_AT UINT64_C(0x40100000)
enum { PAGE = 4096, CODE_SIZE = 0x100000, PAGES_MAX = 4096 };

static void leave(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(77);
}

/* movz, movk: the 64-bit register becomes a number below 2^32. */
static uint32_t *put_number(uint32_t *p, unsigned reg, uint32_t value)
{
	*p++ = 0xd2800000 | (value & 0xffff) << 5 | reg;
	*p++ = 0xf2a00000 | (value >> 16) << 5 | reg;
	return p;
}

/* subs x9, x9, #1; b.ne to. Calls of firmware leave their results in x0 to x3. */
static uint32_t *put_loop(uint32_t *p, const uint32_t *to)
{
	*p++ = 0xf1000529;
	*p = 0x54000001 | (uint32_t)((to - p) & 0x7ffff) << 5;
	return p + 1;
}

#define STORE     0xb9000020u            /* str w0, [x1] */
#define NEXT_PAGE 0x91400421u            /* add x1, x1, #4096 */
#define HVC       0xd4000002u

static void put_program(uint32_t *p, uint32_t stores, uint32_t pages, uint32_t calls)
{
	uint32_t *loop;

	p = put_number(p, 1, DEVICE);
	p = put_number(p, 9, stores);
	loop = p;
	*p++ = STORE;
	p = put_loop(p, loop);
	p = put_number(p, 1, PAGES_AT);
	p = put_number(p, 9, pages);
	loop = p;
	*p++ = STORE;
	*p++ = NEXT_PAGE;
	p = put_loop(p, loop);
	p = put_number(p, 9, calls);
	loop = p;
	p = put_number(p, 0, 0x8400ffff);        /* no function of PSCI */
	*p++ = HVC;
	p = put_loop(p, loop);
	p = put_number(p, 0, 0x84000008);        /* SYSTEM_OFF */
	*p++ = HVC;
}

static void set_memory(int vm, uint32_t slot, uint64_t at, size_t n, void **memory)
{
	struct kvm_userspace_memory_region region = { .slot = slot, .guest_phys_addr = at, .memory_size = n };

	*memory = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*memory == MAP_FAILED)
		leave("mmap");
	madvise(*memory, n, MADV_NOHUGEPAGE);
	region.userspace_addr = (uintptr_t)*memory;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		leave("KVM_SET_USER_MEMORY_REGION");
}

static int make_processor(int vm)
{
	struct kvm_vcpu_init init;
	uint64_t pc = CODE;
	struct kvm_one_reg reg = {
		.id = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | KVM_REG_ARM_CORE_REG(regs.pc),
		.addr = (uintptr_t)&pc,
	};
	int cpu = ioctl(vm, KVM_CREATE_VCPU, 0);

	if (cpu < 0 || ioctl(vm, KVM_ARM_PREFERRED_TARGET, &init))
		leave("KVM_CREATE_VCPU");
	init.features[0] |= 1u << KVM_ARM_VCPU_PSCI_0_2;
	if (ioctl(cpu, KVM_ARM_VCPU_INIT, &init) || ioctl(cpu, KVM_SET_ONE_REG, &reg))
		leave("KVM_ARM_VCPU_INIT");
	return cpu;
}

/* How often it wrote to the device until it was off. */
static uint64_t run(int cpu, const struct kvm_run *state)
{
	uint64_t stores = 0;

	for (;;) {
		if (ioctl(cpu, KVM_RUN, 0) && errno != EINTR)
			leave("KVM_RUN");
		if (state->exit_reason == KVM_EXIT_SYSTEM_EVENT)
			return stores;
		if (state->exit_reason == KVM_EXIT_MMIO && state->mmio.phys_addr == DEVICE)
			stores++;
		else if (state->exit_reason != KVM_EXIT_INTR)
			exit(3);
	}
}

int main(int argc, char **argv)
{
	uint32_t number[3] = { 0 };
	void *code, *pages;
	struct kvm_run *state;
	int kvm, vm, cpu, size;

	for (int i = 0; i < 3 && i + 1 < argc; i++)
		number[i] = (uint32_t)strtoul(argv[i + 1], NULL, 10);
	if (!number[0] || !number[1] || !number[2] || number[1] > PAGES_MAX)
		return fprintf(stderr, "vmm STORES PAGES CALLS\n"), 2;
	kvm = open("/dev/kvm", O_RDWR);
	vm = kvm < 0 ? -1 : ioctl(kvm, KVM_CREATE_VM, 0);
	if (vm < 0)
		leave("/dev/kvm");
	set_memory(vm, 0, CODE, CODE_SIZE, &code);
	set_memory(vm, 1, PAGES_AT, (size_t)PAGES_MAX * PAGE, &pages);
	put_program(code, number[0], number[1], number[2]);
	cpu = make_processor(vm);
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	state = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (state == MAP_FAILED)
		leave("mmap");
	printf("%lu\n", (unsigned long)run(cpu, state));
	return 0;
}
