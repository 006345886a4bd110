/* page_find.js - the page's script, third part: what an item is, as text; the search; the flame graph of a range. */
const moment = (c, i) => clock(c.s[i]) + (c.e[i] > c.s[i] ? "  for " + span(c.e[i] - c.s[i]) : "");

const describeRun = (lane, c, i) => {
	const line = [moment(c, i), "CPU " + lane.owner, taskLabel(c.id[i]) + " runs, then " + STATES[c.state[i]]];
	if (c.delay[i] >= 0)
		line.push("waited " + span(c.delay[i]) + (c.from[i] < 0 ? " after it was preempted" : " since " +
			clock(c.s[i] - c.delay[i]) + ", woken by " + taskLabel(c.waker[i]) + " on CPU " + c.from[i]));
	return line.join("   ");
};

/* The mark of a CPU that a task's one is. */
const markOf = (lane, c, i) => {
	const other = meta.lanes.find(l => l.kind === MARK && l.host === lane.host && l.owner === c.cpu[i]);
	const m = other && items(other);
	for (let k = m ? firstAfter(m, c.s[i] - 0.5) : 0; m && k < m.n && m.s[k] === c.s[i]; k++)
		if (m.task[k] === lane.owner && m.id[k] === c.id[i])
			return [other, m, k];
	return null;
};

const describeMark = (lane, c, i) => {
	if (lane.kind === TASK_MARK) {
		const m = markOf(lane, c, i);
		return m ? describeMark(...m) : clock(c.s[i]) + "   " + meta.events[c.id[i]].name;
	}
	const line = [clock(c.s[i]), lane.owner === NO_CPU ? "" : "CPU " + lane.owner, taskLabel(c.task[i]),
		meta.events[c.id[i]].name, textOf(c, i)].filter(s => s).join("   ");
	const chain = [];
	for (let s = c.stack[i]; s && chain.length < 40; s = parents[s])
		chain.push(meta.names[frames[s] >> 1]);
	return line + (chain.length ? "\n" + chain.join(" \u2190 ") : "");
};

const describe = (lane, i) => {
	const c = items(lane);
	switch (lane.kind) {
	case RUN:
		return describeRun(lane, c, i);
	case TASK: {
		const cpu = meta.lanes.find(l => l.kind === RUN && l.host === lane.host && l.owner === c.id[i] >> 1);
		const r = cpu && items(cpu), k = r && !(c.id[i] % 2) ? firstAfter(r, c.s[i]) : -1;
		return k >= 0 && r.s[k] === c.s[i] ? describeRun(cpu, r, k) : moment(c, i) + "   " +
			taskLabel(lane.owner) + (c.id[i] % 2 ? " waits for CPU " : " runs on CPU ") + (c.id[i] >> 1);
	}
	case IRQ:
		return moment(c, i) + "   CPU " + lane.owner + "   interrupt " + meta.names[c.id[i]];
	case SOFTIRQ:
		return moment(c, i) + "   CPU " + lane.owner + "   softirq " + meta.names[c.id[i]];
	case CALL:
		return moment(c, i) + "   " + (lane.owner >= OF_CPU ? "idle, CPU " + lane.owner % OF_CPU :
			taskLabel(lane.owner)) + "   " + meta.names[c.id[i]] + "()   depth " + lane.sub;
	case COUNTER:
		return moment(c, i) + "   " + meta.names[lane.owner] + " = " + grouped(c.id[i]);
	default:
		return describeMark(lane, c, i);
	}
};

/* --- search --- */

/* Which ids of a lane fit, looked up once for each; texts one by one. */
const matcher = re => {
	const tasks = meta.tasks.map(t => re.test(t.label));
	const names = meta.names.map(n => re.test(n));
	const events = meta.events.map(e => re.test(e.name));
	return lane => {
		const c = items(lane);
		if (lane.kind === RUN)
			return i => tasks[c.id[i]];
		if (lane.kind === IRQ || lane.kind === SOFTIRQ || lane.kind === CALL)
			return i => names[c.id[i]];
		return i => meta.events[c.id[i]].shown && (events[c.id[i]] || (c.task[i] >= 0 && tasks[c.task[i]]) ||
			(c.long[i] && re.test(textOf(c, i))));
	};
};

/* Some at a time, so that the page goes on: then(done) after each. A new search ends the one before. */
let searching = 0;
const search = async (text, then) => {
	const mine = ++searching;
	const found = [];
	let till = performance.now() + 12;
	hits = [];
	hitAt = -1;
	const fits = text ? matcher(new RegExp(text, /[A-Z]/.test(text) ? "" : "i")) : null;
	for (const lane of fits ? meta.lanes : []) {
		if (lane.kind === TASK || lane.kind === TASK_MARK || lane.kind === COUNTER)
			continue;
		const c = items(lane), fit = fits(lane);
		for (let i = 0; i < c.n; i++) {
			if (fit(i))
				found.push({t: c.s[i], lane, i});
			if (i % 256 || performance.now() < till)
				continue;
			await new Promise(r => setTimeout(r));
			if (mine !== searching)
				return;
			then(found.length, false);
			till = performance.now() + 12;
		}
	}
	found.sort((a, b) => a.t - b.t || a.lane.i - b.lane.i || a.i - b.i);
	hits = found;
	then(found.length, true);
};

/* --- flame graph --- */

const flame = {event: -1, root: 0, boxes: [], total: 0, n: 0, key: "", open: false};
const range = () => marker.a !== null && marker.b !== null && marker.a !== marker.b ?
	[Math.min(marker.a, marker.b), Math.max(marker.a, marker.b)] : [show.from, show.to];

/* Weights of chains in the range, of what the filters leave. */
const weigh = () => {
	const [from, to] = range(), own = new Map();
	flame.n = flame.total = 0;
	for (const lane of meta.lanes) {
		if (lane.kind !== MARK || (show.cpus && !show.cpus(lane.owner)))
			continue;
		const c = items(lane);
		for (let i = firstAfter(c, from - 0.5); i < c.n && c.s[i] <= to; i++)
			if (c.stack[i] && c.id[i] === flame.event && (!show.task || taskShown(c.task[i]))) {
				own.set(c.stack[i], (own.get(c.stack[i]) || 0) + c.weight[i]);
				flame.n++;
				flame.total += c.weight[i];
			}
	}
	return own;
};

/* Children by name: the same function of two recordings, or at two addresses, is one box. */
const tree = own => {
	const root = {name: "all", w: flame.total, kids: new Map()}, at = new Map([[0, root]]);
	const find = s => {
		const way = [];
		while (!at.has(s)) {
			way.push(s);
			s = parents[s];
		}
		let node = at.get(s);
		while (way.length) {
			s = way.pop();
			const up = node, name = meta.names[frames[s] >> 1];
			const add = {name, up, w: 0, kids: new Map(), kernel: frames[s] & 1};
			node = put(up.kids, frames[s], () => add);
			at.set(s, node);
		}
		return node;
	};
	for (const [s, w] of own)
		for (let n = find(s); n !== root; n = n.up)
			n.w += w;
	return root;
};

/* Which boxes there are: x and w are parts of the whole. */
const boxes = root => {
	const list = [], todo = [[root, 0, 1, 0]];
	while (todo.length) {
		const [node, x, w, depth] = todo.pop();
		list.push({node, x, w, depth});
		let at = x;
		for (const kid of [...node.kids.values()].sort((a, b) => a.name < b.name ? -1 : 1)) {
			const part = w * kid.w / (node.w || 1);
			if (part > 0.0004)
				todo.push([kid, at, part, depth + 1]);
			at += part;
		}
	}
	return list;
};
