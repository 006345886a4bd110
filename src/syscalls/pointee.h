/* pointee.h - the memory that system call arguments point to: which arguments to read, and its text. */
#ifndef SYSCALLS_POINTEE_H
#define SYSCALLS_POINTEE_H

#include "base/fmt.h"
#include "bpf/argmem.h"

enum pointee_form {
	POINTEE_PATH, POINTEE_DATA, POINTEE_SOCKADDR, POINTEE_TIMESPEC, POINTEE_TIMEVAL, POINTEE_ITIMERSPEC,
	POINTEE_RLIMIT, POINTEE_FDS, POINTEE_STATUS, POINTEE_STAT, POINTEE_STATX, POINTEE_SIGSET, POINTEE_SIGACTION,
	POINTEE_TIMES, POINTEE_POLLFDS, POINTEE_REVENTS, POINTEE_EPOLL, POINTEE_EPOLLS, POINTEE_FDSET, POINTEE_CPUSET,
	POINTEE_INT, POINTEE_SIGPACK,
	/* Lists of struct argmem_item, whose counts were checked: */
	POINTEE_STRINGS, POINTEE_IOVEC, POINTEE_MSGHDR,
};

struct pointee {
	struct argmem_what what;
	enum pointee_form form;
};

/* What to read at the beginning or end of a call; returns the number. */
unsigned pointees_of(const char *call, bool at_end, struct pointee v[ARGMEM_MOST]);
struct pointee_show {
	const struct arch *arch;
	uint32_t most;                   /* bytes of data and strings to show */
};

/* Print n bytes at p that were read of `whole`. False: too few bytes for this form. */
bool pointee_put(const struct pointee_show *s, enum pointee_form form, const uint8_t *p, size_t n, uint64_t whole,
		 struct out *o);

/* Print a string with C's escapes and octal numbers, as strace does. */
void pointee_put_escaped(const uint8_t *p, size_t n, struct out *o);

#endif
