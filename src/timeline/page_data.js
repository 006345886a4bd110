/*
 * page_data.js - the page's script, first part: the data unpacked, lanes as arrays of numbers when they are first
 * looked at, names and times as text.
 *
 * The parts are one script, put together when sonde is built (Makefile). roll.h and lane.h say how the data lies.
 */
"use strict";
const RUN = 0, TASK = 1, IRQ = 2, SOFTIRQ = 3, CALL = 4, MARK = 5, TASK_MARK = 6, COUNTER = 7;
const FAN = 16, OF_CPU = 2 ** 30, NO_CPU = 4096, NONE = 4294967295;
const STATES = ["preempted", "sleeps", "waits (D)", "stopped", "dead", "still runs"];
let all, pos;

const number = () => {
	let v = 0, m = 1, b;
	do {
		b = all[pos++];
		v += (b & 127) * m;
		m *= 128;
	} while (b > 127);
	return v;
};

/* Who made a text may have put into it what turns a line around. */
const odd = new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]", "g");
const plain = text => text.replace(odd, "\ufffd");

const unpack = async () => {
	const el = document.getElementById("data");
	const text = atob(el.textContent);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	el.remove();
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	all = new Uint8Array(await new Response(stream).arrayBuffer());
};

/* meta: what ROLL_ABOUT has. Pieces are where a level's bytes begin and end. */
const meta = {};
const parents = [0], frames = [0];
const readBlocks = () => {
	const pieces = [];
	pos = 0;
	for (;;) {
		const tag = number(), level = number();
		if (!tag)
			break;
		const end = number() + pos;
		if (tag === 1) {
			while (pos < end) {
				parents.push(number());
				frames.push(number());
			}
		} else {
			const levels = pieces[tag - 2] = pieces[tag - 2] || [];
			(levels[level] = levels[level] || []).push([pos, end]);
		}
		pos = end;
	}
	Object.assign(meta, JSON.parse(new TextDecoder().decode(all.subarray(pos))));
	meta.names = meta.names.map(plain);
	meta.zero = BigInt(meta.zero);
	meta.hosts = meta.hosts.map(h => ({name: meta.names[h[0]], offset: BigInt(h[1])}));
	meta.events = meta.events.map(e => ({name: plain(e[0]), n: e[1], shown: true}));
	meta.tasks = meta.tasks.map(([host, tid, pid, last, first]) => {
		const name = last === NONE ? "" : meta.names[last];
		const was = first === last || first === NONE ? "" : meta.names[first] + " \u2192 ";
		return {host, tid, pid, name: name || ":" + tid, label: was + (name || "?") + ":" + tid};
	});
	meta.lanes = meta.lanes.map(([kind, host, owner, sub, n, max], i) =>
		({kind, host, owner, sub, n, max, i, pieces: pieces[i] || [], levels: []}));
};

/* How many items are merged into one of that level, at most. */
const highest = lane => {
	let k = 0;
	for (let n = lane.n; n > 1; n = Math.ceil(n / FAN))
		k++;
	return k;
};

const columns = (lane, level, n) => {
	const c = {s: new Float64Array(n), e: new Float64Array(n), id: new Float64Array(n)};
	if (level)
		return Object.assign(c, {busy: new Float64Array(n), count: new Float64Array(n)});
	if (lane.kind === RUN)
		Object.assign(c, {state: new Uint8Array(n), delay: new Float64Array(n).fill(-1),
			waker: new Int32Array(n).fill(-1), from: new Int16Array(n).fill(-1)});
	else if (lane.kind === MARK)
		Object.assign(c, {task: new Int32Array(n), stack: new Uint32Array(n), weight: new Float64Array(n),
			at: new Uint32Array(n), long: new Uint16Array(n)});
	else if (lane.kind === TASK_MARK)
		c.cpu = new Uint16Array(n);
	return c;
};

const readMore = (lane, level, c, i) => {
	if (level) {
		c.busy[i] = number();
		c.count[i] = number();
	} else if (lane.kind === RUN) {
		c.state[i] = number();
		c.delay[i] = number() - 1;
		if (c.delay[i] >= 0) {
			c.waker[i] = number() - 1;
			c.from[i] = number() - 1;
		}
	} else if (lane.kind === MARK) {
		c.task[i] = number() - 1;
		c.stack[i] = number();
		c.weight[i] = number();
		c.long[i] = number();
		c.at[i] = pos;
		pos += c.long[i];
	} else if (lane.kind === TASK_MARK) {
		c.cpu[i] = number();
	}
};

/*
 * What a task did is in the lanes of the CPUs that it was on, in order of its going: the lowest level of its own is not
 * in the data. All tasks' of a recording are made at once.
 */
const makeTasks = host => {
	const own = kind => meta.lanes.filter(l => l.host === host && l.kind === kind);
	const runs = own(RUN).map(l => ({cpu: l.owner, c: items(l), i: 0}));
	const to = new Map();
	for (const l of own(TASK))
		to.set(l.owner, l.levels[0] = Object.assign(columns(l, 0, l.n), {n: 0}));
	const add = (c, s, e, id) => {
		c.s[c.n] = s;
		c.e[c.n] = e;
		c.id[c.n++] = id;
	};
	for (;;) {
		let next = null;
		for (const r of runs)
			if (r.i < r.c.n && (!next || r.c.e[r.i] < next.c.e[next.i]))
				next = r;
		if (!next)
			break;
		const {c, cpu} = next, i = next.i++, task = to.get(c.id[i]);
		if (task && c.delay[i] > 0)
			add(task, c.s[i] - c.delay[i], c.s[i], 2 * cpu + 1);
		if (task)
			add(task, c.s[i], c.e[i], 2 * cpu);
	}
};

/* The items of a level: s and e where they begin and end, in ns from zero. */
const items = (lane, level = 0) => {
	if (lane.levels[level])
		return lane.levels[level];
	if (lane.kind === TASK && !level) {
		makeTasks(lane.host);
		return lane.levels[0];
	}
	const n = Math.ceil(lane.n / FAN ** level);
	const c = lane.levels[level] = columns(lane, level, n);
	let end = 0, i = 0;
	c.n = n;
	for (const [from, to] of lane.pieces[level] || [])
		for (pos = from; pos < to && i < n; i++) {
			const gap = number();
			c.s[i] = end + (gap % 2 ? -(gap + 1) / 2 : gap / 2);
			end = c.e[i] = c.s[i] + number();
			c.id[i] = number();
			readMore(lane, level, c, i);
		}
	return c;
};

/* The first whose end is above t. */
const firstAfter = (c, t, lo = 0, hi = c.n) => {
	while (lo < hi) {
		const mid = lo + hi >> 1;
		if (c.e[mid] > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
};

const decoder = new TextDecoder();
const textOf = (c, i) => plain(decoder.decode(all.subarray(c.at[i], c.at[i] + c.long[i])));

/* --- numbers as text --- */

/* The recording's own time, in seconds: exact, whatever the page's doubles are. */
const clock = (t, digits = 9) => {
	let v = meta.zero + BigInt(Math.round(t));
	const sign = v < 0n ? "-" : "";
	v = v < 0n ? -v : v;
	return sign + v / 1000000000n + (digits ? "." + String(v % 1000000000n).padStart(9, "0").slice(0, digits) : "");
};

const span = ns => {
	const a = Math.abs(ns);
	const [by, unit] = a < 1e3 ? [1, "ns"] : a < 1e6 ? [1e3, "\u00b5s"] : a < 1e9 ? [1e6, "ms"] : [1e9, "s"];
	return (by === 1 ? String(Math.round(ns)) : (ns / by).toFixed(by === 1e3 ? 3 : 6)) + " " + unit;
};
const grouped = n => n.toLocaleString("en-US");
const taskLabel = i => i < 0 ? "idle" : meta.tasks[i].label;
