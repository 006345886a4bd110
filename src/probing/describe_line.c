/* describe_line.c - the source line of a definition. */
#include "probing/describe.h"

#include "obj/dwarf/line.h"

enum { DW_AT_DECL_FILE = 0x3a, DW_AT_DECL_LINE = 0x3b, SHOWN_PATH = 30 };

/* The last part of a path, from a slash on. */
static const char *short_path(const char *path)
{
	size_t n = strlen(path);
	const char *slash = n > SHOWN_PATH ? strchr(path + n - SHOWN_PATH, '/') : NULL;

	return n <= SHOWN_PATH ? path : slash ? slash + 1 : path + n - SHOWN_PATH;
}

bool describe_line(struct subject *s, uint64_t addr, bool at_start, struct out *o)
{
	struct dwarf *dw = subject_dwarf(s, NULL);
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	struct dwarf_value file, line;
	struct dwarf_row row;
	char path[PATH_MAX];
	int n = dw ? dwarf_functions_at(dw, addr, v, NULL) : 0;

	if (n <= 0 || die_attr_any(&v[0].die, DW_AT_DECL_FILE, &file, NULL) <= 0 ||
	    die_attr_any(&v[0].die, DW_AT_DECL_LINE, &line, NULL) <= 0)
		return false;
	dwarf_file(v[0].die.u, (uint32_t)file.u, path, sizeof(path));
	if (!at_start) {
		if (dwarf_row_at(v[0].die.u, addr, &row, NULL) <= 0 || row.addr != addr || row.line < line.u || n > 1)
			return false;
		out_printf(o, ":%llu", (unsigned long long)(row.line - line.u));
	}
	out_printf(o, "@%s", short_path(path));
	return true;
}
