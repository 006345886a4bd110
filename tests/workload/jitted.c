/*
 * jitted.c - a program that makes its code while it runs and writes it down (jit-PID.dump):
 *
 *   jitted FOLDER MS    spins about MS each in "first", "second(int, long)", "third" where "first" was, and "second"
 *                       once it has moved; prints the dump's path, and the address of each
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { LOAD, MOVE, LINES, CLOSE, PLACE = 0x100 };

static int fd;
static uint32_t pid;
static unsigned char *room;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A loop, a million times. */
static const struct made {
	const char *name;
	uint32_t machine, loop;    /* loop: where it begins */
	uint32_t n;
	unsigned char v[16];
} all[] = {
	{ "x86_64", 62, 5, 10, { 0xb8, 0, 0, 0x10, 0, 0xff, 0xc8, 0x75, 0xfc, 0xc3 } },
	{ "aarch64", 183, 4, 16,
	  { 0, 2, 0xa0, 0x52, 0, 4, 0, 0x71, 0xe1, 0xff, 0xff, 0x54, 0xc0, 3, 0x5f, 0xd6 } },
};
static const struct made *code;

static void choose(void)
{
	struct utsname u;

	uname(&u);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, u.machine))
			code = &all[i];
}

static void put(const void *p, size_t n)
{
	if (write(fd, p, n) != (ssize_t)n)
		_exit(1);
}

static void put_head(uint32_t type, size_t body)
{
	struct { uint32_t type, size; uint64_t time; } h = { type, (uint32_t)(16 + body), now() };

	put(&h, sizeof(h));
}

static void put_load(const char *name, const void *at, uint64_t index)
{
	struct { uint32_t pid, tid; uint64_t vma, addr, size, index; } l = {
		pid, pid, (uintptr_t)at, (uintptr_t)at, code->n, index,
	};

	put_head(LOAD, sizeof(l) + strlen(name) + 1 + code->n);
	put(&l, sizeof(l));
	put(name, strlen(name) + 1);
	put(code->v, code->n);
}

static void put_move(const void *from, const void *to, uint64_t index)
{
	struct { uint32_t pid, tid; uint64_t vma, from, to, size, index; } m = {
		pid, pid, (uintptr_t)to, (uintptr_t)from, (uintptr_t)to, code->n, index,
	};

	put_head(MOVE, sizeof(m));
	put(&m, sizeof(m));
}

/* The loop is one line, what stands before it another. */
static void put_lines(const unsigned char *at)
{
	static const char file[] = "/src/first.js", again[] = "\xff";
	struct { uint64_t addr; uint32_t line, discriminator; } a = { (uintptr_t)at, 10, 0 }, b = a;
	uint64_t n[2] = { (uintptr_t)at, 2 };

	b.addr += code->loop;
	b.line = 12;
	put_head(LINES, sizeof(n) + 2 * sizeof(a) + sizeof(file) + sizeof(again));
	put(n, sizeof(n));
	put(&a, sizeof(a));
	put(file, sizeof(file));
	put(&b, sizeof(b));
	put(again, sizeof(again));
}

static unsigned char *place(unsigned i)
{
	unsigned char *at = room + i * PLACE;

	memcpy(at, code->v, code->n);
	__builtin___clear_cache((char *)at, (char *)at + code->n);
	return at;
}

static void spin(const unsigned char *at, const char *name, uint64_t ms)
{
	uint64_t end = now() + ms * 1000000;
	void (*f)(void);

	memcpy(&f, &at, sizeof(f));
	while (now() < end)
		f();
	printf("%#llx %s\n", (unsigned long long)(uintptr_t)at, name);
}

static void begin(const char *folder)
{
	struct { uint32_t magic, version, size, machine, pad, pid; uint64_t time, flags; } h = {
		0x4a695444, 1, sizeof(h), code->machine, 0, pid, now(), 0,
	};
	char path[4096];

	snprintf(path, sizeof(path), "%s/jit-%u.dump", folder, pid);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	put(&h, sizeof(h));
	printf("%s\n", path);
	/* So that the recording tells of it. */
	if (fd < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		_exit(1);
}

int main(int argc, char **argv)
{
	uint64_t ms = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;

	choose();
	if (argc < 2 || !code)
		return 2;
	pid = (uint32_t)getpid();
	begin(argv[1]);
	room = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return 1;
	put_lines(place(0));
	put_load("first", place(0), 0);
	spin(place(0), "first", ms);
	put_load("second(int, long)", place(1), 1);
	spin(place(1), "second(int, long)", ms);
	put_load("third", place(0), 2);
	spin(place(0), "third", ms);
	put_move(place(1), place(2), 1);
	spin(place(2), "second(int, long)", ms);
	put_head(CLOSE, 0);
	return 0;
}
