/* page_user.js - the page's script, last part: keys, pointer, filters, what stands below; and its beginning. */
const $ = id => document.getElementById(id);
const button = (id, act) => $(id).addEventListener("click", () => {
	act();
	view.focus();
});

/* --- where one is --- */

const LEAST = 20;
const setRange = (from, to) => {
	const whole = Math.max(LEAST, meta.last - meta.first);
	const w = Math.min(Math.max(to - from, LEAST), whole * 1.1);
	const middle = Math.min(Math.max((from + to) / 2, meta.first), meta.last);
	show.from = middle - w / 2;
	show.to = middle + w / 2;
	draw();
};
const all_of_it = () => {
	const by = Math.max(LEAST, meta.last - meta.first) * 0.01;
	setRange(meta.first - by, meta.last + by);
};
const zoom = (by, t = (show.from + show.to) / 2) => setRange(t - (t - show.from) * by, t + (show.to - t) * by);
const pan = by => setRange(show.from + by, show.to + by);

/* --- what is below --- */

let mouse = null;
const tell = text => {
	if ($("status").textContent !== text)
		$("status").textContent = text;
};
const tellPicked = () => tell(picked.lane ? describe(picked.lane, picked.i) :
	"Wheel or + - zooms, dragging or arrow keys move, shift and dragging marks a range, ? helps.");
const tellMarkers = () => {
	const {a, b} = marker, parts = [];
	if (a !== null)
		parts.push("A " + clock(a));
	if (b !== null)
		parts.push("B " + clock(b));
	if (parts.length === 2)
		parts.push("B \u2212 A = " + span(b - a) + "  (" + grouped(b - a) + " ns)");
	$("marks").textContent = parts.join("   ");
	draw();
};

const pick = (row, lane, i) => {
	Object.assign(picked, {row, lane, i});
	tellPicked();
	draw();
};
const intoView = () => {
	const {row, lane, i} = picked, c = items(lane);
	if (c.s[i] < show.from || c.s[i] > show.to) {
		const w = show.to - show.from;
		setRange(c.s[i] - w / 2, c.s[i] + w / 2);
	}
	if (row.y < view.scrollTop + AXIS || row.y + row.h > view.scrollTop + tall)
		view.scrollTop = row.y - tall / 3;
};
const pickLane = (lane, i) => {
	const row = rows.find(r => r.parts.some(p => p.lane === lane));
	if (row) {
		pick(row, lane, i);
		intoView();
	} else {
		tell("Its row is filtered out: " + describe(lane, i));
	}
};

/* The next item of the row that something is picked of, or of the first that is seen. */
const step = by => {
	if (picked.lane) {
		const i = picked.i + by;
		if (i >= 0 && i < picked.lane.n)
			pickLane(picked.lane, i);
		return;
	}
	const row = rows.find(r => r.y >= view.scrollTop && r.parts.some(p => p.lane.n));
	const part = row && (row.parts.find(p => p.lane.kind <= TASK) || row.parts[0]);
	if (part)
		pickLane(part.lane, Math.min(part.lane.n - 1, firstAfter(items(part.lane), show.from)));
};

/* --- search --- */

const tellFound = done => {
	$("found").className = "";
	$("found").textContent = !$("q").value ? "" : (hitAt >= 0 ? grouped(hitAt + 1) + " of " : "") +
		grouped(hits.length) + (done ? "" : "\u2026");
};
let late = 0;
const startSearch = () => {
	clearTimeout(late);
	late = setTimeout(() => search($("q").value, (n, done) => {
		tellFound(done);
		if (!done)
			$("found").textContent = grouped(n) + "\u2026";
		draw();
	}).catch(() => {
		$("found").className = "bad";
		$("found").textContent = "no pattern";
		draw();
	}), 150);
};
const nextHit = by => {
	if (!hits.length)
		return;
	if (hitAt < 0) {
		const t = picked.lane ? items(picked.lane).s[picked.i] : show.from;
		const k = hits.findIndex(h => h.t >= t);
		hitAt = by > 0 ? (k < 0 ? 0 : k) : (k < 0 ? hits.length : k) - 1;
	} else {
		hitAt += by;
	}
	hitAt = (hitAt + hits.length) % hits.length;
	tellFound(true);
	pickLane(hits[hitAt].lane, hits[hitAt].i);
};

/* --- filters --- */

/* 0,2-5 */
const cpuList = text => {
	const parts = text.split(",").filter(p => p.trim()).map(p => p.trim().split("-").map(Number));
	if (!parts.length)
		return null;
	if (parts.some(p => p.length > 2 || p.some(n => !Number.isInteger(n))))
		throw new Error("no list");
	return n => parts.some(([lo, hi = lo]) => n >= lo && n <= hi);
};
const filter = (id, make) => $(id).addEventListener("input", () => {
	try {
		make($(id).value);
		$(id).setAttribute("aria-invalid", "false");
		$(id).style.borderColor = "";
	} catch (e) {
		$(id).setAttribute("aria-invalid", "true");
		$(id).style.borderColor = ink.b;
		return;
	}
	layout();
});
const box = (text, on, act) => {
	const l = document.createElement("label"), i = document.createElement("input");
	i.type = "checkbox";
	i.checked = on;
	i.addEventListener("change", () => {
		act(i.checked);
		layout();
		if ($("q").value)
			startSearch();
	});
	l.append(i, " " + text);
	$("kinds").append(l);
};
const makeBoxes = () => {
	for (const [k, text] of [["cpu", "CPUs"], ["tasks", "Tasks"], ["calls", "Calls"], ["counters", "Counters"],
		["irqs", "Interrupts"], ["arrows", "Wake-ups"]])
		box(text, true, on => { show[k] = on; });
	$("kinds").append(document.createElement("hr"));
	for (const e of meta.events)
		box(e.name + " (" + grouped(e.n) + ")", true, on => { e.shown = on; });
};

/* --- flame graph --- */

let paper, flameDue = 0;
const flameKey = () => [flame.event, ...range(), $("task").value, $("cpus").value].join();
const flameMake = () => {
	flame.key = flameKey();
	flame.root = tree(weigh());
	flameDraw();
};
const flameSoon = () => {
	if (!flame.open || flame.key === flameKey())
		return;
	clearTimeout(flameDue);
	flameDue = setTimeout(flameMake, 100);
};
const flameDraw = () => {
	const w = $("stacks").clientWidth, dpr = devicePixelRatio || 1;
	flame.boxes = boxes(flame.root);
	const deep = flame.boxes.reduce((m, b) => Math.max(m, b.depth), 0) + 1;
	const c = paper.getContext("2d");
	paper.width = w * dpr;
	paper.height = Math.min(deep, 1500) * 17 * dpr;
	paper.style.width = w + "px";
	paper.style.height = Math.min(deep, 1500) * 17 + "px";
	c.scale(dpr, dpr);
	c.font = "12px ui-monospace, DejaVu Sans Mono, Menlo, monospace";
	c.textBaseline = "middle";
	for (const b of flame.boxes) {
		const hue = (b.node.kernel ? 8 : 128) + (b.node.name.length * 7 + b.depth * 3) % 24;
		c.fillStyle = b.node.up ? "hsl(" + hue + (ink.dark ? " 38% 33%)" : " 62% 74%)") : ink.line;
		c.fillRect(b.x * w, b.depth * 17, Math.max(0.5, b.w * w - 0.5), 16);
		const text = cut(b.node.name, b.w * w * 0.88);
		c.fillStyle = ink.fg;
		if (text)
			c.fillText(text, b.x * w + 3, b.depth * 17 + 8.5);
	}
	const [from, to] = range();
	$("what").textContent = grouped(flame.n) + " samples in " + span(to - from) +
		(marker.a !== null && marker.b !== null ? " from A to B" : " of the view");
};
const flameAt = e => {
	const x = e.offsetX / $("stacks").clientWidth, depth = Math.floor(e.offsetY / 17);
	return flame.boxes.find(b => b.depth === depth && x >= b.x && x < b.x + b.w);
};
const flameOpen = () => {
	if (!$("event").options.length) {
		tell("No event of this recording has call chains: record with -g.");
		return;
	}
	flame.open = $("flame").hidden;
	$("flame").hidden = !flame.open;
	if (flame.open)
		flameMake();
	resize();
};
/* Events that have chains: first those that are no tracepoints, then by how many. */
const flameEvents = () => {
	const n = new Map(), point = i => meta.events[i].name.includes(":") ? 1 : 0;
	for (const lane of parents.length > 1 ? meta.lanes : [])
		if (lane.kind === MARK) {
			const c = items(lane);
			for (let i = 0; i < c.n; i++)
				if (c.stack[i])
					n.set(c.id[i], (n.get(c.id[i]) || 0) + 1);
		}
	for (const [id] of [...n].sort((a, b) => point(a[0]) - point(b[0]) || b[1] - a[1]))
		$("event").append(new Option(meta.events[id].name, id));
	flame.event = +$("event").value;
};

/* --- pointer and keys --- */

const resize = () => {
	const dpr = devicePixelRatio || 1;
	if (!view.clientWidth || !view.clientHeight)
		return;
	width = view.clientWidth;
	tall = view.clientHeight;
	label = width < 640 ? 96 : 190;
	canvas.width = Math.round(width * dpr);
	canvas.height = Math.round(tall * dpr);
	canvas.style.width = width + "px";
	canvas.style.height = tall + "px";
	ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
	makeImage();
	view.lastChild.style.height = Math.max(0, height - tall) + "px";
	draw();
	if (flame.open)
		flameDraw();
};

const watchPointer = () => {
	let held = null;
	canvas.addEventListener("pointerdown", e => {
		held = {x: e.offsetX, y: e.clientY, from: show.from, to: show.to, scroll: view.scrollTop, moved: false,
			range: e.shiftKey && e.offsetX >= label};
		canvas.setPointerCapture(e.pointerId);
	});
	canvas.addEventListener("pointermove", e => {
		mouse = e.offsetX;
		if (!held) {
			const h = hitTest(e.offsetX, e.offsetY);
			if (h.lane)
				tell(describe(h.lane, h.i));
			else
				tellPicked();
			return;
		}
		held.moved = held.moved || Math.abs(e.offsetX - held.x) + Math.abs(e.clientY - held.y) > 3;
		if (!held.moved)
			return;
		if (held.range) {
			marker.a = Math.round(toT(held.x));
			marker.b = Math.round(toT(Math.max(label, e.offsetX)));
			tellMarkers();
		} else {
			const by = (held.x - e.offsetX) * (held.to - held.from) / (width - label);
			setRange(held.from + by, held.to + by);
			view.scrollTop = held.scroll + held.y - e.clientY;
		}
	});
	canvas.addEventListener("pointerup", e => {
		if (held && !held.moved) {
			const h = hitTest(e.offsetX, e.offsetY);
			pick(h.lane ? h.row : null, h.lane || null, h.lane ? h.i : -1);
		}
		held = null;
		view.focus();
	});
	canvas.addEventListener("pointercancel", () => { held = null; });
	canvas.addEventListener("pointerleave", () => { mouse = null; });
	canvas.addEventListener("dblclick", zoomPicked);
	canvas.addEventListener("wheel", e => {
		if (e.offsetX < label)
			return;
		e.preventDefault();
		const lines = e.deltaMode ? 30 : 1;
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
			pan((e.deltaX || e.deltaY) * lines * perPx());
		else
			zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY * lines / 300))), toT(e.offsetX));
	}, {passive: false});
};

const zoomPicked = () => {
	if (!picked.lane)
		return;
	const c = items(picked.lane), w = Math.max(LEAST, c.e[picked.i] - c.s[picked.i]);
	setRange(c.s[picked.i] - w * 0.2, c.s[picked.i] + w * 1.2);
};
const mark = name => {
	const t = mouse !== null && mouse >= label ? toT(mouse) : picked.lane ? items(picked.lane).s[picked.i] :
		(show.from + show.to) / 2;
	marker[name] = Math.round(t);
	tellMarkers();
};
const clear = () => {
	marker.a = marker.b = null;
	$("q").value = "";
	search("", tellFound);
	pick(null, null, -1);
	tellMarkers();
};

const keys = {
	"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "_": () => zoom(2),
	"ArrowLeft": () => pan((show.from - show.to) / 8), "ArrowRight": () => pan((show.to - show.from) / 8),
	"ArrowUp": () => { view.scrollTop -= 40; }, "ArrowDown": () => { view.scrollTop += 40; },
	"PageUp": () => { view.scrollTop -= tall * 0.8; }, "PageDown": () => { view.scrollTop += tall * 0.8; },
	"Home": () => setRange(meta.first, meta.first + show.to - show.from),
	"End": () => setRange(meta.last - show.to + show.from, meta.last),
	"0": () => all_of_it(), "a": () => mark("a"), "b": () => mark("b"), "f": () => flameOpen(), ",": () => step(-1),
	".": () => step(1), "n": () => nextHit(1), "N": () => nextHit(-1), "Enter": () => zoomPicked(),
	"/": () => $("q").select(), "?": () => $("help").showModal(), "Escape": clear,
	"r": () => marker.a !== null && marker.b !== null && setRange(...range()),
};
const watchKeys = () => window.addEventListener("keydown", e => {
	const at = document.activeElement, typing = at && at.matches("input:not([type=checkbox]),select");
	if ((e.ctrlKey || e.metaKey) && e.key === "f") {
		e.preventDefault();
		$("q").select();
	} else if ($("help").open || e.ctrlKey || e.metaKey || e.altKey) {
		return;
	} else if (typing) {
		if (e.key === "Escape") {
			e.preventDefault();
			view.focus();
		} else if (e.key === "Enter" && at === $("q"))
			nextHit(e.shiftKey ? -1 : 1);
	} else if (keys[e.key] && !(e.key === "Enter" && at && at !== view && at !== document.body)) {
		e.preventDefault();
		keys[e.key]();
	}
});

const watch = () => {
	watchPointer();
	watchKeys();
	button("in", () => zoom(0.5));
	button("out", () => zoom(2));
	button("fit", all_of_it);
	button("prev", () => nextHit(-1));
	button("next", () => nextHit(1));
	button("flameOn", flameOpen);
	button("flameOff", flameOpen);
	$("helpOn").addEventListener("click", () => $("help").showModal());
	$("q").addEventListener("input", startSearch);
	$("event").addEventListener("change", () => {
		flame.event = +$("event").value;
		flameMake();
	});
	filter("task", text => { show.task = text ? new RegExp(text, /[A-Z]/.test(text) ? "" : "i") : null; });
	filter("cpus", text => { show.cpus = cpuList(text); });
	paper.addEventListener("click", e => {
		const b = flameAt(e);
		flame.root = b && b.node !== flame.root ? b.node : tree(weigh());
		flameDraw();
	});
	paper.addEventListener("pointermove", e => {
		const b = flameAt(e);
		if (b)
			tell(b.node.name + "   " + grouped(b.node.w) + "   " +
				(100 * b.node.w / (flame.total || 1)).toFixed(2) + " %");
	});
	view.addEventListener("scroll", draw, {passive: true});
	new ResizeObserver(resize).observe(view);
	matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => {
		readInk();
		resize();
	});
};

const begin = async () => {
	await unpack();
	readBlocks();
	$("page").hidden = false;
	$("wait").remove();
	view = $("view");
	canvas = view.firstChild;
	paper = $("stacks").firstChild;
	ctx = canvas.getContext("2d", {alpha: false});
	readInk();
	groups = group();
	makeBoxes();
	resize();
	all_of_it();
	layout();
	watch();
	tellPicked();
	const n = meta.events.reduce((sum, e) => sum + e.n, 0);
	const about = grouped(n) + (n === 1 ? " event in " : " events in ") + span(meta.last - meta.first);
	$("about").textContent = n ? about : "There are no events in this recording.";
	$("notes").textContent = meta.notes.map(i => meta.names[i]).join("\n");
	view.focus();
	setTimeout(flameEvents, 0);
};
begin().catch(e => {
	const p = $("wait") || document.body.appendChild(document.createElement("p"));
	p.id = "fatal";
	p.textContent = typeof DecompressionStream === "undefined" ?
		"This browser is too old for this page: it takes Chromium 80, Firefox 113, Safari 16.4 or later." :
		"The page cannot be shown: " + e;
});
