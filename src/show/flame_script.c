/*
 * flame_script.c - the script of an interactive flame graph: zoom, search, status line, state in
 * the URL.
 *
 * It is JavaScript written inside a C macro: the preprocessor drops comments and line breaks and
 * makes it a string, so every statement ends with a semicolon and quotes come in pairs. The
 * document it works on is described in flame_svg.c.
 */
#include "show/flame_tree.h"

#define SCRIPT(...) #__VA_ARGS__

const char flame_script[] = SCRIPT((() => {
"use strict";
const svg = document.currentScript.closest("svg");
const PAD = 10;
const HEIGHT = +svg.getAttribute("height");
const head = svg.querySelector(".head");
const make = (parent, name, attrs, ns = svg.namespaceURI) => {
	const el = document.createElementNS(ns, name);
	for (const k in attrs)
		el.setAttribute(k, attrs[k]);
	return parent.appendChild(el);
};

/* Frames by row: x and w in weight, exact up to 2^53. */
const rows = [...svg.querySelectorAll(".row")].map((g, depth) => {
	const d = g.dataset.f.split(" ");
	let end = 0;
	return [...g.children].map((el, i) => {
		const x = end + +d[2 * i];
		const w = +d[2 * i + 1];
		end = x + w;
		const name = el.firstChild.textContent.split("\n")[0];
		const [, box, text] = el.children;
		return el.frame = {el, x, w, depth, name, box, text, hit: false};
	});
});
const root = rows[0][0];
const total = root.w || 1;
let view = root;
let pattern = "";
let width = 0;
let columnWidth = 7.3;

/* Interactive elements are created by the script: viewers without scripts show no dead buttons. */
const XHTML = "http://www.w3.org/1999/xhtml";
const tools = make(head, "foreignObject", {y: 54, width: 440, height: 32});
const bar = make(tools, "div", {class: "bar"}, XHTML);
const matched = make(bar, "span", {class: "matched"}, XHTML);
const field = make(bar, "input", {type: "search", size: 20, spellcheck: "false",
	"aria-label": "Search", placeholder: "regular expression"}, XHTML);
const find = make(bar, "button", {title: "Ctrl-F or /"}, XHTML);
const reset = make(bar, "button", {title: "Esc"}, XHTML);
const foot = make(svg, "g", {class: "foot"});
make(foot, "rect", {class: "page", width: "100%", height: 26});
const status = make(foot, "text", {x: PAD, y: 17});
find.textContent = "Search";
reset.textContent = "Reset";
make(svg, "style", {}).textContent =
	".bar{display:flex;gap:6px;justify-content:flex-end;align-items:center;padding:2px;" +
	"font:12px system-ui,sans-serif}.bar *{font:inherit}" +
	".bar button,.bar input{padding:2px 7px}" +
	".bar .matched{margin-right:4px;font-weight:600}" +
	".bar .bad{color:#d22}.row g{cursor:pointer}";

const percent = (w, of) => (100 * w / of).toFixed(2) + "%";

const describe = f => {
	if (!f) {
		status.textContent = view === root ?
			"Click a frame to zoom, Ctrl-F or / to search, Esc to reset." :
			"Zoomed: " + view.name;
		return;
	}
	const parts = [percent(f.w, total), f.w.toLocaleString("en-US") + " " + svg.dataset.unit];
	if (view !== root && f.depth > view.depth)
		parts.push(percent(f.w, view.w) + " of the view");
	status.textContent = [...parts, f.name].join("   ");
};

const label = (f, x, w) => {
	const n = Math.floor((w - 6) / columnWidth);
	if (n < 3) {
		if (f.text)
			f.text.textContent = "";
		return;
	}
	f.text = f.text || make(f.el, "text", {y: 13});
	const chars = f.name.length > n ? [...f.name] : [];
	f.text.textContent = chars.length > n ? chars.slice(0, n - 1).join("") + "\u2026" : f.name;
	f.text.setAttribute("x", x + 3);
};

const within = (f, end) => f.depth >= view.depth && f.x >= view.x && f.x + f.w <= end;

/* In each row show what overlaps the viewed interval: below the viewed frame its callers, above it its callees. */
const draw = () => {
	const inner = width - 2 * PAD;
	const scale = inner / (view.w || 1);
	const end = view.x + view.w;
	for (const row of rows)
		for (const f of row) {
			const caller = f.depth < view.depth && f.x <= view.x && f.x + f.w >= end;
			const shown = caller || within(f, end);
			f.el.style.display = shown ? "" : "none";
			if (!shown)
				continue;
			const x = caller ? PAD : PAD + (f.x - view.x) * scale;
			const w = caller || f === view ? inner : f.w * scale;
			f.box.setAttribute("x", x);
			f.box.setAttribute("width", w > 2 ? w - 0.5 : w);
			f.el.classList.toggle("up", caller);
			label(f, x, w);
		}
	count();
};

/* The share of the view covered by matching frames; a match inside a match counts once. */
const count = () => {
	const end = view.x + view.w;
	const hits = rows.flat().filter(f => f.hit && within(f, end));
	let sum = 0;
	let covered = -1;
	hits.sort((a, b) => a.x - b.x || b.w - a.w);
	for (const f of hits)
		if (f.x >= covered) {
			sum += f.w;
			covered = f.x + f.w;
		}
	if (matched.className === "matched")
		matched.textContent = pattern ?
			"matched: " + (100 * sum / (view.w || 1)).toFixed(1) + " %" : "";
	matched.title = hits.length.toLocaleString("en-US") + " frames";
};

/* Capitals in the pattern make the search case-sensitive. */
const search = text => {
	let re = null;
	pattern = text;
	matched.className = "matched";
	try {
		re = text ? new RegExp(text, /[A-Z]/.test(text) ? "" : "i") : null;
	} catch (e) {
		matched.className = "matched bad";
		matched.textContent = "not a regular expression";
	}
	svg.classList.toggle("found", !!re);
	for (const row of rows)
		for (const f of row) {
			const hit = !!re && f !== root && re.test(f.name);
			if (hit !== f.hit)
				f.el.classList.toggle("hit", f.hit = hit);
		}
	if (field.value !== text)
		field.value = text;
	count();
};

const zoom = f => {
	view = f;
	draw();
	describe(null);
};

/* The state as #x=START&y=ROW&s=PATTERN. Works also if the page may not change its address. */
const save = how => {
	const p = new URLSearchParams();
	if (view !== root) {
		p.set("x", view.x);
		p.set("y", view.depth);
	}
	if (pattern)
		p.set("s", pattern);
	try {
		if ("#" + p !== (location.hash || "#"))
			history[how](null, "", "#" + p);
	} catch (e) {
		return;
	}
};

const load = () => {
	const p = new URLSearchParams(location.hash.slice(1));
	const row = rows[+p.get("y")] || rows[0];
	const f = row.find(r => r.x === +p.get("x")) || root;
	search(p.get("s") || "");
	zoom(f);
};

const clear = () => {
	search("");
	zoom(root);
	save("pushState");
	field.blur();
};

/* Head and foot stay in sight while the rows scroll. */
const pin = () => {
	const r = svg.getBoundingClientRect();
	const top = Math.max(0, Math.min(-r.top, HEIGHT - 200));
	const bottom = Math.min(HEIGHT, Math.max(window.innerHeight - r.top, 200));
	head.setAttribute("transform", "translate(0 " + top + ")");
	foot.setAttribute("transform", "translate(0 " + (bottom - 26) + ")");
};

const resize = () => {
	const now = Math.max(300, svg.getBoundingClientRect().width);
	pin();
	if (now === width)
		return;
	width = now;
	tools.setAttribute("x", width - PAD - 440);
	draw();
};

const frameOf = e => e.target.parentNode && e.target.parentNode.frame;

svg.addEventListener("click", e => {
	const f = frameOf(e);
	if (!f)
		return;
	zoom(f);
	describe(f);
	save("pushState");
});
svg.addEventListener("mouseover", e => describe(frameOf(e)));
svg.addEventListener("mouseleave", () => describe(null));
find.addEventListener("click", () => field.select());
reset.addEventListener("click", clear);
field.addEventListener("input", () => {
	search(field.value);
	save("replaceState");
});
window.addEventListener("keydown", e => {
	const typing = document.activeElement === field;
	const slash = e.key === "/" && !e.ctrlKey;
	const find = e.key === "f" && (e.ctrlKey || e.metaKey);
	if (e.key === "Escape") {
		e.preventDefault();
		clear();
	} else if (!typing && (slash || find)) {
		e.preventDefault();
		field.select();
	}
});
window.addEventListener("popstate", load);
window.addEventListener("scroll", pin, {passive: true});
window.addEventListener("resize", resize);

svg.removeAttribute("viewBox");
svg.setAttribute("width", "100%");
const probe = make(svg, "text", {});
probe.textContent = "0".repeat(100);
columnWidth = probe.getComputedTextLength() / 100 || columnWidth;
probe.remove();
resize();
load();
if (svg.dataset.grow === "up" && document.documentElement === svg)
	window.scrollTo(0, HEIGHT);
})());
