/* notes.h - build ids that the running kernel tells. */
#ifndef SYS_NOTES_H
#define SYS_NOTES_H

#include "obj/elf/build_id.h"
#include "sys/sys.h"

/* Of the kernel itself, or of a loaded module, by the name it has in kallsyms. false: none, and size 0. */
bool sys_kernel_build_id(const struct sys *sys, struct build_id *id);
bool sys_module_build_id(const struct sys *sys, struct sv module, struct build_id *id);

#endif
