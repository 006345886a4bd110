/*
 * ringsave.c - a buffer of the running kernel kept as files, from which `ringtext` prints it on any machine.
 *
 *   ringsave BUFFER DIR
 *
 * BUFFER is a folder of the tracing file system: its top, or an instance. DIR gets the files of that name which say how
 * its records are to be printed, `cpuN.stats`, `cpuN.raw` (the ring's pages one behind the other, of the size that
 * header_page tells; the rings are empty afterwards), and `machine`, lines of "what value". Formats of all events and
 * the kernel's symbols, large and slow to read under emulation, are kept in `formats` and `symbols` of the working
 * folder, and taken from there the next time; DIR gets links to them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { RINGS = 64, PATH = 1024, PIECE = 1 << 16, PAGE_MAX = 1 << 20 };

static const char *dir;

static void die(const char *what)
{
	fprintf(stderr, "ringsave: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Puts a path together; its parts are too long for no kernel. */
__attribute__((format(printf, 2, 3)))
static void path_of(char path[PATH], const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(path, PATH, format, ap);
	va_end(ap);
	if (n < 0 || n >= PATH)
		die(path);
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die(path);
	return f;
}

static void finish(FILE *f, const char *path)
{
	if (ferror(f) | fclose(f))
		die(path);
}

/* All of that file behind what `to` has; false when it cannot be opened. */
static bool append(FILE *to, const char *path)
{
	static char piece[PIECE];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	while ((got = read(fd, piece, sizeof(piece))) > 0)
		fwrite(piece, 1, (size_t)got, to);
	if (got < 0)
		die(path);
	close(fd);
	return true;
}

/* FROM/NAME as DIR/AS; nothing where this kernel has no such file. */
static void copy(const char *from, const char *name, const char *as)
{
	char path[PATH], out[PATH];
	FILE *f;

	path_of(path, "%s/%s", from, name);
	path_of(out, "%s/%s", dir, as);
	if (access(path, R_OK))
		return;
	f = create(out);
	append(f, path);
	finish(f, out);
}

/* "# system\n", a format, '\0': those of one system. */
static void system_formats(FILE *f, const char *events, const char *system)
{
	char path[PATH];
	struct dirent *e;
	DIR *d;

	path_of(path, "%s/%s", events, system);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		path_of(path, "%s/%s/%s/format", events, system, e->d_name);
		if (e->d_name[0] == '.' || access(path, R_OK))
			continue;
		fprintf(f, "# %s\n", system);
		append(f, path);
		fputc('\0', f);
	}
	if (d)
		closedir(d);
}

static void all_formats(const char *root)
{
	char events[PATH];
	struct dirent *e;
	DIR *d;
	FILE *f;

	path_of(events, "%s/events", root);
	d = opendir(events);
	if (!d)
		die(events);
	f = create("formats");
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			system_formats(f, events, e->d_name);
	closedir(d);
	finish(f, "formats");
}

static void symbols(void)
{
	FILE *f = create("symbols");

	append(f, "/proc/kallsyms");
	finish(f, "symbols");
}

static void linked(const char *name)
{
	char path[PATH];

	path_of(path, "%s/%s", dir, name);
	if (link(name, path))
		die(path);
}

/* header_page: the offset of the data, and the size of the rest, are a page's. */
static size_t page_size(const char *root)
{
	char path[PATH], line[256];
	unsigned offset, size;
	size_t whole = 0;
	FILE *f;

	path_of(path, "%s/events/header_page", root);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " field: char data; offset:%u; size:%u;", &offset, &size) == 2)
			whole = (size_t)offset + size;
	if (!whole || whole > PAGE_MAX)
		die(path);
	fclose(f);
	return whole;
}

/* Whole pages, until there is none. */
static void ring(const char *buffer, unsigned cpu, size_t size)
{
	char path[PATH], name[PATH];
	char *page = malloc(size);
	ssize_t got;
	FILE *f;
	int fd;

	path_of(path, "%s/per_cpu/cpu%u/trace_pipe_raw", buffer, cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	path_of(name, "cpu%u.stats", cpu);
	path_of(path, "per_cpu/cpu%u/stats", cpu);
	copy(buffer, path, name);
	path_of(path, "%s/cpu%u.raw", dir, cpu);
	f = create(path);
	while (page && (got = read(fd, page, size)) > 0) {
		if ((size_t)got != size)
			die("part of a page");
		fwrite(page, 1, size, f);
	}
	finish(f, path);
	close(fd);
	free(page);
}

static void machine(void)
{
	char path[PATH];
	struct utsname u;
	FILE *f;

	uname(&u);
	path_of(path, "%s/machine", dir);
	f = create(path);
	fprintf(f, "release %s\npage %ld\npossible ", u.release, sysconf(_SC_PAGESIZE));
	append(f, "/sys/devices/system/cpu/possible");
	fprintf(f, "online ");
	append(f, "/sys/devices/system/cpu/online");
	finish(f, path);
}

int main(int argc, char **argv)
{
	static const char *const tops[] = { "printk_formats", "saved_cmdlines", "saved_tgids" };
	static const char *const own[] = { "current_tracer", "trace_clock", "trace_options" };
	char root[PATH], *at;

	if (argc != 3)
		return 2;
	dir = argv[2];
	if (mkdir(dir, 0755) && errno != EEXIST)
		die(dir);
	path_of(root, "%s", argv[1]);
	at = strstr(root, "/instances/");
	if (at)
		*at = '\0';
	if (access("formats", F_OK))
		all_formats(root);
	if (access("symbols", F_OK))
		symbols();
	linked("formats");
	linked("symbols");
	for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++)
		copy(root, tops[i], tops[i]);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		copy(argv[1], own[i], own[i]);
	copy(root, "events/header_page", "header_page");
	machine();
	for (unsigned cpu = 0; cpu < RINGS; cpu++)
		ring(argv[1], cpu, page_size(root));
	return 0;
}
