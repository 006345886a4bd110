/*
 * hourlong.c - a busy machine's samples, as perf record writes them: of two CPUs 4000 a second each, at many
 * addresses, of processes that come and go, of files that nobody has. 28,800,000 are an hour's.
 *
 *   hourlong SAMPLES > FILE
 *   hourlong SAMPLES pipe | ...    as into a pipe
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	TASKS = 64,              /* at a time */
	LIVES = 800,             /* samples from one that comes to the next */
	FILES = 400,             /* that they may have mapped */
	HOT = 2000,              /* places of each file that most samples are in */
	FILE_BYTES = 1 << 25,
	ROUND = 8000,
	NS = 125000,             /* from one sample to the next */
};

#define BASE UINT64_C(0x400000)

struct task {
	uint32_t pid, file;
};

struct hour {
	uint64_t time, random;
	uint32_t last_pid;
	struct task task[TASKS];
	size_t n;
	uint8_t bytes[1 << 16];
};

static uint64_t draw(struct hour *h)
{
	h->random ^= h->random << 13;
	h->random ^= h->random >> 7;
	return h->random ^= h->random << 17;
}

static void flush(struct hour *h)
{
	size_t done = 0;

	while (done < h->n) {
		ssize_t n = write(1, h->bytes + done, h->n - done);

		if (n <= 0)
			exit(1);
		done += (size_t)n;
	}
	h->n = 0;
}

static void put(struct hour *h, const void *p, size_t n)
{
	if (h->n + n > sizeof(h->bytes))
		flush(h);
	memcpy(h->bytes + h->n, p, n);
	h->n += n;
}

static void put_head(struct hour *h, uint32_t type, uint16_t misc, size_t body)
{
	struct perf_event_header head = { type, misc, (uint16_t)(sizeof(head) + body) };

	put(h, &head, sizeof(head));
}

/* As perf record writes it into a file; no features. */
struct file_head {
	uint64_t magic, size, attr_size, attrs[2], data[2], types[2], features[4];
};

enum { DATA_AT = sizeof(struct file_head) + sizeof(struct perf_event_attr) + 16 };

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .sample_freq = 4000, .freq = 1, .mmap = 1, .mmap2 = 1,
	.comm = 1, .task = 1, .sample_id_all = 1, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
	PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
};

static void put_attr(struct hour *h, uint64_t bytes)
{
	struct file_head head = {
		.magic = UINT64_C(0x32454c4946524550), .size = sizeof(head),
		.attr_size = sizeof(struct perf_event_attr) + 16,
		.attrs = { sizeof(head), sizeof(struct perf_event_attr) + 16 }, .data = { DATA_AT, bytes },
	};
	const uint64_t no_ids[2] = { 0 };

	put(h, &head, sizeof(head));
	put(h, &attr, sizeof(attr));
	put(h, no_ids, sizeof(no_ids));
}

static void put_pipe_head(struct hour *h)
{
	enum { HEADER_ATTR = 64 };
	const uint64_t head[2] = { UINT64_C(0x32454c4946524550), sizeof(head) };

	put(h, head, sizeof(head));
	put_head(h, HEADER_ATTR, 0, sizeof(attr));
	put(h, &attr, sizeof(attr));
}

/* What stands behind a record that is no sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, zero;
};

static void put_trailer(struct hour *h, uint32_t pid)
{
	struct trailer t = { pid, pid, h->time, 0, 0 };

	put(h, &t, sizeof(t));
}

static void begin(struct hour *h, struct task *t)
{
	struct { uint32_t pid, tid; char name[16]; } comm = { 0 };
	struct { uint32_t pid, ppid, tid, ptid; uint64_t time; } fork = { 0 };
	struct {
		uint32_t pid, tid;
		uint64_t addr, len, off;
		uint32_t maj, min;
		uint64_t ino, generation;
		uint32_t prot, flags;
		char name[32];
	} map = { .addr = BASE, .len = FILE_BYTES, .maj = 8, .prot = 5, .flags = 2 };

	t->pid = h->last_pid = h->last_pid % 32000 + 100;
	t->file = (uint32_t)(draw(h) % FILES);
	fork.pid = fork.tid = comm.pid = comm.tid = map.pid = map.tid = t->pid;
	fork.ppid = fork.ptid = 1;
	fork.time = h->time;
	snprintf(comm.name, sizeof(comm.name), "job%u", t->file);
	snprintf(map.name, sizeof(map.name), "/opt/hour/lib%u.so", t->file);
	map.ino = t->file + 1;
	put_head(h, PERF_RECORD_FORK, 0, sizeof(fork) + sizeof(struct trailer));
	put(h, &fork, sizeof(fork));
	put_trailer(h, t->pid);
	put_head(h, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(comm) + sizeof(struct trailer));
	put(h, &comm, sizeof(comm));
	put_trailer(h, t->pid);
	put_head(h, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(map) + sizeof(struct trailer));
	put(h, &map, sizeof(map));
	put_trailer(h, t->pid);
}

static void end(struct hour *h, const struct task *t)
{
	struct { uint32_t pid, ppid, tid, ptid; uint64_t time; } gone = { t->pid, 1, t->pid, 1, h->time };

	put_head(h, PERF_RECORD_EXIT, 0, sizeof(gone) + sizeof(struct trailer));
	put(h, &gone, sizeof(gone));
	put_trailer(h, t->pid);
}

static void put_sample(struct hour *h)
{
	struct { uint64_t ip; uint32_t pid, tid; uint64_t time; uint32_t cpu, zero; uint64_t period; } s = { 0 };
	const struct task *t = &h->task[draw(h) % TASKS];
	uint64_t r = draw(h), at = r % 10 < 7 ? r / 16 % HOT * 4096 : r / 16 % FILE_BYTES;

	s.ip = BASE + at;
	s.pid = s.tid = t->pid;
	s.time = h->time;
	s.cpu = (uint32_t)r >> 4 & 1;
	s.period = 250000;
	put_head(h, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s));
	put(h, &s, sizeof(s));
	h->time += NS;
}

static void put_samples(struct hour *h, uint64_t n)
{
	enum { FINISHED_ROUND = 68 };

	for (uint64_t i = 0; i < n; i++) {
		struct task *t = &h->task[i / LIVES % TASKS];

		if (i % LIVES == 0) {
			end(h, t);
			begin(h, t);
		}
		put_sample(h);
		if (i % ROUND == 0)
			put_head(h, FINISHED_ROUND, 0, 0);
	}
	flush(h);
}

/* How much came is told in the head. */
static int end_file(struct hour *h)
{
	off_t all = lseek(1, 0, SEEK_END);

	if (all < DATA_AT || lseek(1, 0, SEEK_SET))
		return 1;
	put_attr(h, (uint64_t)all - DATA_AT);
	flush(h);
	return 0;
}

int main(int argc, char **argv)
{
	static struct hour h = { .random = 88172645463325252u, .time = 1000000000, .last_pid = 100 };

	bool is_pipe = argc > 2 && !strcmp(argv[2], "pipe");

	if (is_pipe)
		put_pipe_head(&h);
	else
		put_attr(&h, 0);
	for (size_t i = 0; i < TASKS; i++)
		begin(&h, &h.task[i]);
	put_samples(&h, argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
	return is_pipe ? 0 : end_file(&h);
}
