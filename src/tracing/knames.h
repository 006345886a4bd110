/* knames.h - names of the running kernel's addresses, for texts of events and for tables. */
#ifndef TRACING_KNAMES_H
#define TRACING_KNAMES_H

#include "image/kallsyms.h"
#include "sys/sys.h"
#include "tracefs/format/events.h"

struct knames {
	struct kallsyms syms;
	const struct tevents *events;   /* borrowed; NULL: no texts at addresses */
};

/* Reads /proc/kallsyms. Hidden addresses are no error: syms.hidden tells. */
int knames_init(struct knames *k, const struct sys *sys, const struct tevents *events, struct err *e);
void knames_deinit(struct knames *k);

/* Read with the first address that has to have a name: most texts have none. Zeroed but for the first two. */
struct knames_late {
	const struct sys *sys;
	const struct tevents *events;
	struct knames names;
	bool was_read, is_there;
};
void knames_late_deinit(struct knames_late *l);
struct tprint_names knames_late_print(struct knames_late *l);

/* k must outlive it. */
struct tprint_names knames_print(struct knames *k);

/* "vfs_read", "ext4_sync_file [ext4]", "0xffff..." into buf, as the kernel writes %ps. */
const char *knames_text(struct knames *k, uint64_t addr, char *buf, size_t size);

#endif
