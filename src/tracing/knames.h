/* knames.h - symbols of the running kernel, for texts of events and for tables. */
#ifndef TRACING_KNAMES_H
#define TRACING_KNAMES_H

#include "image/kallsyms.h"
#include "sys/sys.h"
#include "tracefs/format/events.h"

struct knames {
	struct kallsyms syms;
	const struct tevents *events;   /* borrowed; NULL: addresses of strings have no text */
};

/* Read /proc/kallsyms. Hidden addresses are no error: see syms.hidden. */
int knames_init(struct knames *k, const struct sys *sys, const struct tevents *events, struct err *e);
void knames_deinit(struct knames *k);

/* Symbols that are read at the first lookup: most texts need none. Zero it, but for sys and events. */
struct knames_late {
	const struct sys *sys;
	const struct tevents *events;
	struct knames names;
	bool was_read, is_there;
};
void knames_late_deinit(struct knames_late *l);
struct tprint_names knames_late_print(struct knames_late *l);

/* Callbacks for print.h. k must outlive them. */
struct tprint_names knames_print(struct knames *k);

/* Write "vfs_read", "ext4_sync_file [ext4]", "0xffff..." to buf, as the kernel prints %ps. */
const char *knames_text(struct knames *k, uint64_t addr, char *buf, size_t size);

#endif
