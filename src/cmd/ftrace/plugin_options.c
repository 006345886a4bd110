/* plugin_options.c - the options of report's built-in plugins. */
#include "cmd/ftrace/plugin_options.h"

void plugin_options_out(struct out *o)
{
	static const struct {
		const char *plugin, *option, *text;
		int set;
	} list[] = {
		{ "ftrace", "parent", "Show the caller of a function, too", 0 },
		{ "ftrace", "indent", "Indent functions below their callers", 1 },
		{ "ftrace", "offset", "Show functions with their offsets", 0 },
		{ "fgraph", "tailprint", "Show the name of a function also where it ends", 0 },
		{ "fgraph", "depth", "Show how deep an entry is", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		if (i)
			out_str(o, strcmp(list[i].plugin, list[i - 1].plugin) ? "============\n" : "------------\n");
		out_printf(o, "  plugin:\t%s\n  option:\t%s\n    desc:\t%s\n     set:\t%d\n", list[i].plugin,
			   list[i].option, list[i].text, list[i].set);
	}
}
