/* page_draw.js - the page's script, second part: rows and their pictures, from the level that the zoom asks for. */
/* What is shown: from, to in ns from zero; what of it. */
const show = {from: 0, to: 1, task: null, cpus: null, cpu: true, tasks: true, calls: true, counters: true, irqs: true,
	arrows: true};
const picked = {row: null, lane: null, i: -1};
const marker = {a: null, b: null};
let rows = [], byCpu = new Map(), height = 0, hits = [], hitAt = -1;
let canvas, ctx, view, width = 0, tall = 0, label = 170, ink = {};
const AXIS = 26;

/* --- rows --- */

const put = (map, key, make) => map.get(key) || (map.set(key, make()), map.get(key));
const taskShown = i => !show.task || (i >= 0 && show.task.test(meta.tasks[i].label));

const fresh = l => ({host: l.host, id: l.owner % OF_CPU, lanes: [], busy: 0});
const group = () => {
	const cpus = new Map(), tasks = new Map(), counters = [];
	for (const l of meta.lanes) {
		const cpu = l.kind === RUN || l.kind === IRQ || l.kind === SOFTIRQ || l.kind === MARK;
		if (l.kind === COUNTER)
			counters.push(l);
		else if (cpu || l.owner >= OF_CPU)
			put(cpus, l.host + "/" + l.owner % OF_CPU, () => fresh(l)).lanes.push(l);
		else
			put(tasks, l.owner, () => fresh(l)).lanes.push(l);
	}
	/* A lane of one item is not looked at: it would have to be made. */
	for (const t of tasks.values())
		for (const l of t.lanes) {
			const k = highest(l);
			if (k && (l.kind === TASK || l.kind === CALL))
				t.busy += items(l, k).busy[0] / (l.kind === TASK ? 1 : 1e6);
		}
	return {cpus: [...cpus.values()].sort((a, b) => a.host - b.host || a.id - b.id), counters,
		tasks: [...tasks.values()].sort((a, b) => a.host - b.host || b.busy - a.busy || a.id - b.id)};
};
let groups;

/* By kind: y and height. */
const place = [[8, 15], [8, 13], [24, 4], [29, 4], null, [2, 5], [2, 5]];
const hostName = h => meta.hosts.length > 1 ? " " + meta.hosts[h].name : "";

const rowOf = (kind, g, text) => {
	const row = {kind, text: text + hostName(g.host), parts: [], h: 16};
	const calls = [];
	for (const lane of g.lanes) {
		if (lane.kind === CALL) {
			if (show.calls)
				calls.push(lane);
			continue;
		}
		if ((lane.kind === IRQ || lane.kind === SOFTIRQ) && !show.irqs)
			continue;
		const [y, h] = place[lane.kind];
		row.parts.push({lane, y, h});
		row.h = Math.max(row.h, y + h);
	}
	for (const lane of calls) {
		row.parts.push({lane, y: row.h + 2 + 14 * Math.min(lane.sub, 512), h: 13});
	}
	for (const p of row.parts)
		row.h = Math.max(row.h, p.y + p.h);
	row.h += 5;
	return row;
};

/* Before the first and after each filter. */
const layout = () => {
	rows = [];
	byCpu = new Map();
	if (show.cpu)
		for (const g of groups.cpus)
			if (!show.cpus || show.cpus(g.id)) {
				const row = rowOf("cpu", g, g.id === NO_CPU ? "no CPU" : "CPU " + g.id);
				byCpu.set(g.host + "/" + g.id, row);
				rows.push(row);
			}
	if (show.counters)
		for (const lane of groups.counters)
			rows.push({kind: "counter", h: 34, parts: [{lane, y: 4, h: 25}],
				text: meta.names[lane.owner] + hostName(lane.host)});
	if (show.tasks)
		for (const g of groups.tasks)
			if (taskShown(g.id))
				rows.push(rowOf("task", g, meta.tasks[g.id].label));
	height = AXIS;
	for (const row of rows) {
		row.y = height;
		height += row.h;
	}
	view.lastChild.style.height = Math.max(0, height - view.clientHeight) + "px";
	draw();
};

/* --- from time to pixels --- */

const perPx = () => (show.to - show.from) / Math.max(1, width - label);
const toX = t => label + (t - show.from) / perPx();
const toT = x => show.from + (x - label) * perPx();

/* fn(columns, index, level) of what is seen; merged ones where they are narrower than two pixels. */
const visit = (lane, fn) => {
	const least = 2 * perPx();
	const go = (level, lo, hi) => {
		const c = items(lane, level);
		hi = Math.min(hi, c.n);
		for (let i = firstAfter(c, show.from - 1, lo, hi); i < hi && c.s[i] <= show.to; i++)
			if (level && c.e[i] - c.s[i] > least)
				go(level - 1, i * FAN, i * FAN + FAN);
			else
				fn(c, i, level);
	};
	go(highest(lane), 0, Infinity);
};

/* --- colours and pixels --- */

/* Boxes are written into the picture's memory: a canvas does not keep up with a hundred thousand a frame. */
const rgb = (r, g, b) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;
const fromHex = s => {
	const v = parseInt(s.length < 6 ? [...s.slice(1)].map(c => c + c).join("") : s.slice(1), 16);
	return rgb(v >> 16, v >> 8 & 255, v & 255);
};
const fromHsl = (h, s, l) => {
	const f = n => {
		const k = (n + h / 30) % 12;
		return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
	};
	return rgb(f(0), f(8), f(4));
};
const shades = [];
const shade = i => shades[i] = shades[i] ||
	fromHsl((i * 137.508 + 205) % 360, ink.dark ? 0.42 : 0.62, ink.dark ? 0.38 : 0.74);
/* CPUs have colours of their own, which the one of waiting is none of. */
const cpuShade = i => fromHsl(165 + i * 47 % 110, ink.dark ? 0.4 : 0.5, (ink.dark ? 0.36 : 0.7) + i % 3 * 0.05);
const readInk = () => {
	const css = getComputedStyle(document.documentElement);
	for (const k of ["bg", "fg", "dim", "line", "bar", "a", "b", "hit", "sel"])
		ink[k] = css.getPropertyValue("--" + k).trim();
	ink.dark = matchMedia("(prefers-color-scheme:dark)").matches;
	ink.wait = fromHex(ink.dark ? "#c98a00" : "#f0a020");
	ink.off = fromHex(ink.dark ? "#2c3038" : "#e4e7ec");
	ink.page = fromHex(ink.bg);
	ink.grid = fromHex(ink.line);
	shades.length = 0;
};

let image, pixels, scale = 1;
const makeImage = () => {
	scale = devicePixelRatio || 1;
	image = ctx.createImageData(canvas.width, canvas.height);
	pixels = new Uint32Array(image.data.buffer);
};
const fill = (x, y, w, h, colour, left = label) => {
	const all = image.width, px = v => Math.round(v * scale);
	const x0 = px(Math.max(left, x)), x1 = Math.min(all, Math.max(x0 + 1, px(x + w)));
	const y0 = px(Math.max(AXIS, y)), y1 = Math.min(image.height, px(y + h));
	for (let line = y0 * all; line < y1 * all; line += all)
		if (x1 - x0 < 8)
			for (let i = line + x0; i < line + x1; i++)
				pixels[i] = colour;
		else
			pixels.fill(colour, line + x0, line + x1);
};

/* --- pictures --- */

const texts = [];
const cut = (text, w) => {
	const n = Math.floor((w - 6) / 6.9);
	return n < 2 ? "" : text.length > n ? text.slice(0, n - 1) + "\u2026" : text;
};

const nameOf = (lane, c, i) => lane.kind === RUN ? taskLabel(c.id[i]) :
	lane.kind === TASK ? "CPU " + (c.id[i] >> 1) : meta.names[c.id[i]];

const fillOf = (lane, id) => {
	if (lane.kind === RUN)
		return taskShown(id) ? shade(id) : ink.off;
	if (lane.kind === TASK)
		return id % 2 ? ink.wait : cpuShade(id >> 1);
	return shade(id + 7);
};

const drawSlices = (p, y, arrows) => {
	const lane = p.lane;
	let last = -1;
	visit(lane, (c, i, level) => {
		const x = Math.max(label, toX(c.s[i])), end = Math.min(width, toX(c.e[i]));
		if (end < label || x >= width || (end <= last && end - x < 2))
			return;
		const w = Math.max(1, end - x), waits = lane.kind === TASK && c.id[i] % 2;
		let h = waits ? 4 : p.h;
		if (level && lane.kind !== CALL)
			h = Math.max(2, h * Math.min(1, c.busy[i] / (c.e[i] - c.s[i])));
		fill(x, y + p.y + p.h - h, w > 3 ? w - 1 : w, h, fillOf(lane, c.id[i]));
		last = x + w;
		if (w > 24 && h > 11 && !level)
			texts.push([cut(nameOf(lane, c, i), w), x + 3, y + p.y + p.h / 2]);
		if (arrows && !level && c.from[i] >= 0 && arrows.length < 400 && c.delay[i] > 3 * perPx() &&
		    taskShown(c.id[i]))
			arrows.push([lane, c, i]);
	});
};

const drawMarks = (p, y) => {
	let last = -1;
	visit(p.lane, (c, i) => {
		const x = Math.round(toX(c.s[i])), end = Math.min(width, toX(c.e[i]));
		if (end < label || x > width || (last >= 0 && end <= last) || !meta.events[c.id[i]].shown)
			return;
		last = Math.max(x + 1, end);
		fill(x, y + p.y, Math.max(2, last - x), p.h, shade(c.id[i] * 5 + 2));
	});
};

const drawCounter = (p, y) => {
	const by = p.h / (p.lane.max || 1);
	let last = -1;
	visit(p.lane, (c, i, level) => {
		const x = Math.max(label, toX(c.s[i])), end = Math.min(width, toX(c.e[i]));
		if (end <= last || x >= width)
			return;
		const h = Math.max(1, c.id[i] * by);
		fill(x, y + p.y + p.h - h, Math.max(1, end - x), h, shade(p.lane.owner));
		if (end - x > 60 && !level)
			texts.push([cut(grouped(c.id[i]), end - x), x + 3, y + p.y + p.h / 2]);
		last = end;
	});
};

const drawPart = (p, y, arrows) => {
	if (p.lane.kind === COUNTER)
		drawCounter(p, y);
	else if (p.lane.kind === MARK || p.lane.kind === TASK_MARK)
		drawMarks(p, y);
	else
		drawSlices(p, y, p.lane.kind === RUN ? arrows : null);
};

/* From who wakes, when, to where and when the other comes. */
const arrow = (lane, c, i, strong) => {
	const to = byCpu.get(lane.host + "/" + lane.owner), from = byCpu.get(lane.host + "/" + c.from[i]);
	if (!to || !from)
		return;
	const top = view.scrollTop;
	const x = toX(c.s[i] - c.delay[i]), x2 = toX(c.s[i]);
	const y = from.y - top + 23, y2 = to.y - top + (from === to ? 23 : 9);
	const turn = Math.atan2(y2 - y, x2 - x);
	ctx.strokeStyle = ctx.fillStyle = strong ? ink.sel : ink.dim;
	ctx.lineWidth = strong ? 2 : 0.8;
	ctx.beginPath();
	ctx.moveTo(x, y);
	ctx.lineTo(x2, y2);
	ctx.stroke();
	ctx.beginPath();
	ctx.moveTo(x2, y2);
	for (const side of [-0.45, 0.45])
		ctx.lineTo(x2 - 7 * Math.cos(turn + side), y2 - 7 * Math.sin(turn + side));
	ctx.fill();
};

/* A step of 1, 2 or 5 times a power of ten, at least 110 pixels. */
const axisStep = () => {
	const least = 110 * perPx();
	const ten = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(least, 1))));
	return Math.max(1, [1, 2, 5, 10].map(m => m * ten).find(s => s >= least));
};

/* Moments that are multiples of the step: of the recording's own time, not the page's. */
const ticks = step => {
	const whole = BigInt(Math.round(step)), start = meta.zero + BigInt(Math.floor(show.from)), list = [];
	for (let t = Number((start / whole) * whole - meta.zero); t <= show.to; t += step)
		if (t >= show.from)
			list.push(t);
	return list;
};

const drawAxis = () => {
	const step = axisStep();
	const digits = Math.min(9, Math.max(0, 9 - Math.floor(Math.log10(step) + 1e-9)));
	ctx.fillStyle = ink.bar;
	ctx.fillRect(0, 0, width, AXIS);
	for (const t of ticks(step)) {
		ctx.fillStyle = ink.line;
		ctx.fillRect(Math.round(toX(t)), AXIS - 7, 1, 7);
		ctx.fillStyle = ink.dim;
		ctx.fillText(clock(t, digits), toX(t) + 3, 10);
	}
	ctx.fillStyle = ink.fg;
	ctx.fillText(span(show.to - show.from), 8, 13);
};

const drawHits = () => {
	let last = -1;
	ctx.fillStyle = ink.hit;
	for (let lo = 0; lo < hits.length;) {
		const x = toX(hits[lo].t);
		if (x > width)
			break;
		if (x >= label && x > last + 1) {
			ctx.fillRect(x - 1, AXIS - 6, 2, 6);
			last = x;
		}
		let hi = hits.length;
		const next = Math.max(show.from, toT(Math.max(label, x + 1)));
		lo++;
		while (lo < hi) {
			const mid = lo + hi >> 1;
			if (hits[mid].t >= next)
				hi = mid;
			else
				lo = mid + 1;
		}
	}
};

const drawMarkers = () => {
	const [lo, hi] = [marker.a, marker.b].map(t => t === null ? null : toX(t));
	if (lo !== null && hi !== null) {
		ctx.fillStyle = ink.sel + "22";
		const x = Math.max(label, Math.min(lo, hi)), end = Math.min(width, Math.max(lo, hi));
		if (end > x)
			ctx.fillRect(x, AXIS, end - x, tall);
	}
	for (const [x, name] of [[lo, "a"], [hi, "b"]])
		if (x !== null && x >= label && x <= width) {
			ctx.fillStyle = ink[name];
			ctx.fillRect(x - 0.75, 0, 1.5, tall);
			ctx.fillRect(x - 7, AXIS - 13, 14, 13);
			ctx.fillStyle = ink.bg;
			ctx.fillText(name.toUpperCase(), x - 4, AXIS - 6);
		}
};

const drawPicked = () => {
	const {row, lane, i} = picked;
	if (!row || !rows.includes(row))
		return;
	const c = items(lane), p = row.parts.find(p => p.lane === lane);
	if (!p)
		return;
	const x = Math.max(label, toX(c.s[i])), end = Math.min(width, toX(c.e[i]));
	if (end < label || x > width)
		return;
	ctx.strokeStyle = ink.sel;
	ctx.lineWidth = 2;
	ctx.strokeRect(x - 1, row.y - view.scrollTop + p.y - 1, Math.max(3, end - x + 2), p.h + 2);
	if (c.from && c.from[i] >= 0)
		arrow(lane, c, i, true);
};

const drawLabel = (row, y) => {
	const room = label - 14, w = row.w = row.w || ctx.measureText(row.text).width;
	const n = Math.floor(row.text.length * room / w) - 1;
	ctx.fillStyle = row === picked.row ? ink.sel : row.kind === "task" ? ink.fg : ink.dim;
	ctx.fillText(w > room ? row.text.slice(0, n) + "\u2026" : row.text, 8, y + Math.min(row.h / 2, 15));
};

const paintPixels = (seen, scroll, arrows) => {
	pixels.fill(ink.page);
	for (const t of ticks(axisStep()))
		fill(toX(t), AXIS, 1, tall, ink.grid);
	for (const row of seen) {
		for (const p of row.parts)
			drawPart(p, row.y - scroll, arrows);
		fill(0, row.y - scroll + row.h - 1, width, 1, ink.grid, 0);
	}
	fill(label - 1, 0, 1, tall, ink.grid, 0);
	ctx.putImageData(image, 0, 0);
};

const paint = () => {
	const scroll = view.scrollTop, arrows = show.arrows ? [] : null;
	const seen = rows.filter(r => r.y + r.h > scroll + AXIS && r.y < scroll + tall);
	texts.length = 0;
	paintPixels(seen, scroll, arrows);
	ctx.font = "12px system-ui, DejaVu Sans, sans-serif";
	ctx.textBaseline = "middle";
	ctx.save();
	ctx.beginPath();
	ctx.rect(0, AXIS, width, tall);
	ctx.clip();
	for (const row of seen)
		drawLabel(row, row.y - scroll);
	ctx.fillStyle = ink.fg;
	for (const [text, x, y] of texts)
		ctx.fillText(text, x, y);
	ctx.beginPath();
	ctx.rect(label, AXIS, width, tall);
	ctx.clip();
	for (const a of arrows || [])
		arrow(...a, false);
	drawPicked();
	ctx.restore();
	drawAxis();
	drawHits();
	drawMarkers();
};

let due = 0, drawn = 0;
const draw = () => {
	due = due || requestAnimationFrame(() => {
		due = 0;
		drawn++;
		paint();
		if (typeof flameSoon === "function")
			flameSoon();
	});
};

/* The item of a row at a point, or near it: the first that ends behind it. */
const hitTest = (x, y) => {
	const at = y + view.scrollTop;
	const row = y < AXIS ? null : rows.find(r => at >= r.y && at < r.y + r.h);
	if (!row || x < label)
		return {row};
	const near = p => Math.max(p.y - (at - row.y), at - row.y - p.y - p.h, 0);
	const part = row.parts.slice().sort((a, b) => near(a) - near(b))[0];
	if (!part || near(part) > 4)
		return {row};
	const c = items(part.lane), by = 3 * perPx();
	let i = firstAfter(c, toT(x) - 0.5);
	if (i > 0 && (i === c.n || c.s[i] > toT(x)) && c.e[i - 1] >= toT(x) - by && toT(x) - c.e[i - 1] <
	    (i < c.n ? c.s[i] - toT(x) : Infinity))
		i--;
	return i < c.n && c.s[i] <= toT(x) + by ? {row, lane: part.lane, i} : {row};
};
