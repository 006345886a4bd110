/* pointee.h - which arguments of system calls point to data that are shown, and the text of these data. */
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

/* Data to read at entry, or at exit. Returns their number. */
unsigned pointees_of(const char *call, bool at_end, struct pointee v[ARGMEM_MOST]);
struct pointee_show {
	const struct arch *arch;
	uint32_t most;                   /* bytes of data and strings to show */
};

/* p: n bytes read, of `whole` bytes. False: too few to show. */
bool pointee_put(const struct pointee_show *s, enum pointee_form form, const uint8_t *p, size_t n, uint64_t whole,
		 struct out *o);

/* With C's escapes and octal digits, as in strace. */
void pointee_put_escaped(const uint8_t *p, size_t n, struct out *o);

#endif
