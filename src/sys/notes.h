/* notes.h - build-ids of the running kernel and its modules. */
#ifndef SYS_NOTES_H
#define SYS_NOTES_H

#include "obj/elf/build_id.h"
#include "sys/sys.h"

/* Build-id of the kernel, or of a loaded module by its name in kallsyms. False: none, and size 0. */
bool sys_kernel_build_id(const struct sys *sys, struct build_id *id);
bool sys_module_build_id(const struct sys *sys, struct sv module, struct build_id *id);

#endif
