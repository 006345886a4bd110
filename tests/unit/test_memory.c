/* How much memory there is: the machine's, or the least that a control group above us allows. */
#include "sys/memory.h"
#include "t.h"

#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/sonde-memory-XXXXXX";

static void remove_all(void)
{
	char cmd[100];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", root);
	CHECK(!system(cmd));
}

static void put(const char *path, const char *text)
{
	char full[200];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(full, 0700);
	}
	f = fopen(full, "w");
	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

TEST(memory_is_the_least_of_machine_and_groups)
{
	struct sys s;

	CHECK(mkdtemp(root) != NULL);
	t_at_end(remove_all);
	s = sys_with_root(root);
	CHECK_EQ(sys_memory_available(&s), UINT64_MAX);
	put("/proc/meminfo", "MemTotal:  90000 kB\nMemFree:  100 kB\nMemAvailable:   51200 kB\nBuffers: 7 kB\n");
	CHECK_EQ(sys_memory_available(&s), 50 << 20);

	put("/proc/self/cgroup", "0::/a/b\n");
	put("/sys/fs/cgroup/a/b/memory.max", "max\n");
	CHECK_EQ(sys_memory_available(&s), 50 << 20);
	put("/sys/fs/cgroup/a/memory.max", "33554432\n");
	CHECK_EQ(sys_memory_available(&s), 32 << 20);
	put("/sys/fs/cgroup/a/b/memory.max", "99999999999\n");
	CHECK_EQ(sys_memory_available(&s), 32 << 20);

	put("/proc/self/cgroup", "3:cpu:/a\n2:memory:/old\n1:name=systemd:/x\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	CHECK_EQ(sys_memory_available(&s), 50 << 20);
	put("/sys/fs/cgroup/memory/old/memory.limit_in_bytes", "16777216\n");
	CHECK_EQ(sys_memory_available(&s), 16 << 20);
}
