#include "timeline/html.h"

#include "base/packed.h"
#include "pack/pack.h"
#include "show/text.h"

static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#16181d;--dim:#5b6270;--line:#d5d9e0;--bar:#f2f4f7;"
	"--a:#0a7;--b:#c2410c;"
	"--hit:#d11bb8;--sel:#1f5fff}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#15171c;--fg:#e9ebf0;--dim:#9aa2b1;--line:#3a404b;--bar:#1e2128;"
	"--a:#3ddc97;--b:#ff9d5c;--hit:#ff7be9;--sel:#8fb2ff}}\n"
	"*{box-sizing:border-box}html,body{height:100%;margin:0}\n"
	"[hidden]{display:none!important}#page{height:100%;display:flex;flex-direction:column}\n"
	"body{background:var(--bg);color:var(--fg);"
	"font:13px system-ui,\"DejaVu Sans\",sans-serif}\n"
	"header{display:flex;flex-wrap:wrap;gap:5px 8px;align-items:center;padding:6px 10px;background:var(--bar);"
	"border-bottom:1px solid var(--line)}\n"
	"h1{font-size:14px;margin:0 6px 0 0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:28ch}\n"
	"button,input,select,summary{font:inherit;color:inherit}\n"
	"button,input,select{padding:2px 7px;border:1px solid var(--line);border-radius:4px;background:var(--bg)}\n"
	"button{cursor:pointer}button:hover{border-color:var(--dim)}\n"
	":focus-visible{outline:2px solid var(--sel);outline-offset:1px}\n"
	"#found{min-width:9ch;color:var(--dim)}#found.bad{color:var(--b)}\n"
	"details{position:relative}details>div{position:absolute;z-index:3;right:0;min-width:26ch;"
	"max-height:60vh;overflow:auto;"
	"padding:8px;background:var(--bg);border:1px solid var(--line);border-radius:4px;box-shadow:0 4px 14px #0004}\n"
	"details label{display:block;white-space:nowrap}summary{cursor:pointer}\n"
	"#view{flex:1;min-height:90px;overflow-y:auto;overflow-x:hidden;position:relative}\n"
	"#view:focus-visible{outline-width:1px;outline-offset:-1px}\n"
	"#view canvas{position:sticky;top:0;display:block;touch-action:none}\n"
	"#flame{height:38%;min-height:120px;border-top:1px solid var(--line);display:flex;flex-direction:column}\n"
	"#flame[hidden]{display:none}#flame p{margin:0;padding:4px 10px;display:flex;gap:8px;align-items:center}\n"
	"#stacks{flex:1;overflow:auto}#stacks canvas{display:block}\n"
	"footer{padding:5px 10px;background:var(--bar);border-top:1px solid var(--line);font:12px ui-monospace,"
	"\"DejaVu Sans Mono\",Menlo,Consolas,monospace;line-height:1.5}\n"
	"footer div{white-space:pre-wrap;overflow-wrap:anywhere;max-height:7.5em;overflow:auto}\n"
	"#marks{color:var(--dim)}dialog{max-width:46em;color:inherit;background:var(--bg);border:1px solid var(--line);"
	"border-radius:6px}dt{float:left;clear:left;width:13em;font-weight:600}dd{margin-left:13.5em}dialog "
	"h2{margin:0 0 8px}\n"
	"#about{color:var(--dim)}#wait{padding:2em}#notes{color:var(--b)}#fatal{padding:2em;max-width:50em}\n";

static const char body[] =
	"<noscript><p id=\"fatal\">This page draws a recording with JavaScript, which is off here: allow it "
	"for this file. "
	"Nothing is loaded from elsewhere. Without it, <b>sonde script</b> and <b>sonde sched timehist</b> "
	"show the same "
	"recording as text.</p></noscript>\n"
	"<p id=\"wait\">Reading the recording&hellip;</p>\n<div id=\"page\" hidden>\n<header><h1 id=\"title\">";

/* The HTML after the title. */
static const char rest[] =
	"</h1><span id=\"about\"></span>\n"
	"<input id=\"q\" type=\"search\" size=\"22\" spellcheck=\"false\" placeholder=\"search: task, event, text\" "
	"aria-label=\"Search\"><button id=\"prev\" title=\"N\" aria-label=\"Previous hit\">&#9664;</button>"
	"<button id=\"next\" title=\"n\" aria-label=\"Next hit\">&#9654;</button><span id=\"found\" "
	"role=\"status\"></span>\n"
	"<input id=\"task\" size=\"14\" spellcheck=\"false\" placeholder=\"only tasks\" aria-label=\"Only "
	"these tasks\">\n"
	"<input id=\"cpus\" size=\"8\" spellcheck=\"false\" placeholder=\"CPUs 0,2-5\" aria-label=\"Only "
	"these CPUs\">\n"
	"<details><summary>Show</summary><div id=\"kinds\"></div></details>\n"
	"<button id=\"out\" title=\"-\" aria-label=\"Zoom out\">&minus;</button>"
	"<button id=\"in\" title=\"+\" aria-label=\"Zoom in\">+</button><button id=\"fit\" title=\"0\">All</button>"
	"<button id=\"flameOn\" title=\"f\">Flame graph</button><button id=\"helpOn\" title=\"?\" "
	"aria-label=\"Help\">?</button>"
	"</header>\n"
	"<div id=\"view\" tabindex=\"0\" role=\"application\" aria-label=\"Timeline\"><canvas></canvas><div>"
	"</div></div>\n"
	"<section id=\"flame\" hidden aria-label=\"Flame graph\"><p><b>Flame graph</b><select id=\"event\" "
	"aria-label=\"Event\">"
	"</select><span id=\"what\"></span><button id=\"flameOff\">Close</button></p>"
	"<div id=\"stacks\"><canvas></canvas></div></section>\n"
	"<footer><div id=\"status\" role=\"status\"></div><div id=\"marks\"></div><div id=\"notes\"></div></footer>\n"
	"<dialog id=\"help\"><h2>Keys and mouse</h2><dl>"
	"<dt>wheel, + &minus;</dt><dd>zoom, down to nanoseconds; <b>0</b> or All: everything</dd>"
	"<dt>drag, &larr; &rarr;</dt><dd>move; so does shift and wheel. Home, End: first and last event</dd>"
	"<dt>&uarr; &darr;, Page</dt><dd>other rows; so does the wheel over their names</dd>"
	"<dt>click</dt><dd>what it is; then <b>,</b> and <b>.</b> go to the one before and behind it, Enter "
	"zooms to it</dd>"
	"<dt>a, b</dt><dd>markers, where the mouse is or at what is picked; their difference is below</dd>"
	"<dt>shift and drag</dt><dd>both markers: a range; <b>r</b> zooms to it</dd>"
	"<dt>f</dt><dd>flame graph of the range, or of what is seen</dd>"
	"<dt>/ then n, N</dt><dd>search (regular expression; capitals count if it has some), next and previous hit</dd>"
	"<dt>Esc</dt><dd>no markers, no search</dd></dl>"
	"<p>A CPU's row has marks of events above, below them who runs, then interrupts and soft "
	"interrupts. Where much is "
	"in one place, the height is the share of time that it takes. A task's row has its CPU, and below it the time "
	"that it waits for one. Lines are wake-ups: from who wakes to where the task comes.</p>"
	"<form method=\"dialog\"><button>Close</button></form></dialog>\n</div>\n";

void html_begin(struct out *o, const char *title)
{
	packed_need();
	out_str(o, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
		   "style-src 'unsafe-inline';script-src 'unsafe-inline';img-src data:\">\n"
		   "<link rel=\"icon\" href=\"data:,\">\n<title>");
	text_put(o, sv_from(title), TEXT_ALL, TEXT_XML);
	out_str(o, "</title>\n<style>\n");
	out_str(o, style);
	out_str(o, "</style></head><body>\n");
	out_str(o, body);
	text_put(o, sv_from(title), TEXT_ALL, TEXT_XML);
	out_str(o, rest);
	out_str(o, "<script type=\"text/plain\" id=\"data\">");
}

/* The script: all page_*.js, gzipped. */
static const uint8_t packed[] = {
#include "page_script.inc"
};

int html_end(struct out *o)
{
	/* The last four bytes are the unpacked size, RFC 1952. */
	const uint8_t *end = packed + sizeof(packed) - 4;
	size_t size = end[0] | (size_t)end[1] << 8 | (size_t)end[2] << 16, n = 0;
	char *script = malloc(size);
	int r = script ? inflate_gzip(script, size, packed, sizeof(packed), &n, NULL) : -ENOMEM;

	out_str(o, "</script>\n<script>\n");
	out_bytes(o, script, r ? 0 : n);
	out_str(o, "</script>\n</body></html>\n");
	free(script);
	return r;
}
