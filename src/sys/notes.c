#include "sys/notes.h"

static bool notes_build_id(const struct sys *sys, const char *path, struct build_id *id)
{
	char buf[4096];
	ssize_t n = sys_read_text(sys, path, buf, sizeof(buf));

	*id = (struct build_id){ 0 };
	return n > 0 && build_id_of_notes(cur_from(buf, (size_t)n), id);
}

bool sys_kernel_build_id(const struct sys *sys, struct build_id *id)
{
	return notes_build_id(sys, "/sys/kernel/notes", id);
}

bool sys_module_build_id(const struct sys *sys, struct sv module, struct build_id *id)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%.*s/notes/.note.gnu.build-id", (int)MIN(module.n, 100u), module.s);
	return notes_build_id(sys, path, id);
}
