/* cells.c - columns with the headings and values that perf c2c report has. */
#include "c2c/cells.h"

enum {
	HITM = 1 << C2C_BY_TOTAL | 1 << C2C_BY_LOCAL | 1 << C2C_BY_REMOTE, PEER = 1 << C2C_BY_PEER, ANY = HITM | PEER,
	LINES = C2C_LINES, ROWS = C2C_ROWS, SUMS = C2C_SUMS,
};

#define COUNT(group, span, head, key, of, width, tables, by) \
	{ group, head, key, of, CELL_COUNT, span, width, tables, by, 0, 0 }
#define PERCENT(group, span, head, key, of, tables, by) \
	{ group, head, key, of, CELL_PERCENT, span, 7, tables, by, 0, 0 }
#define CYCLES(group, span, head, key, of, by) { group, head, key, of, CELL_CYCLES, span, 8, ROWS, by, 0, 0 }
#define CELL(group, span, head, key, kind, width, tables) { group, head, key, 0, kind, span, width, tables, ANY, 0, 0 }
#define ROW_CELL(group, head, key, kind, width, keys, info) \
	{ group, head, key, 0, kind, 0, width, ROWS, ANY, keys, info }

/* From left to right. A column is used in the tables, reports and modes that its masks name. */
static const struct c2c_col cols[] = {
	CELL(NULL, 0, "Index", "index", CELL_INDEX, 5, LINES),
	CELL(NULL, 0, "Num", NULL, CELL_INDEX, 5, SUMS),
	CELL(NULL, 0, "Num", "index", CELL_NUMBER, 5, ROWS),
	CELL("Cacheline", 2, "Address", "address", CELL_ADDRESS, 18, LINES),
	CELL(NULL, 0, "Node", "nodes", CELL_NODES, 4, LINES),
	CELL(NULL, 0, "PA cnt", "pa_changes", CELL_CHANGES, 6, LINES),
	PERCENT("Tot", 0, "Hitm", "percent", C2C_HITM, LINES, 1 << C2C_BY_TOTAL),
	PERCENT("Lcl", 0, "Hitm", "percent", C2C_SET(LCL_HITM), LINES, 1 << C2C_BY_LOCAL),
	PERCENT("Rmt", 0, "Hitm", "percent", C2C_SET(RMT_HITM), LINES, 1 << C2C_BY_REMOTE),
	PERCENT("Peer", 0, "Snoop", "percent", C2C_PEER, LINES, PEER),
	COUNT("------- Load Hitm -------", 2, "Total", "hitm", C2C_HITM, 7, LINES, HITM),
	COUNT(NULL, 0, "LclHitm", "lcl_hitm", C2C_SET(LCL_HITM), 7, LINES, HITM),
	COUNT(NULL, 0, "RmtHitm", "rmt_hitm", C2C_SET(RMT_HITM), 7, LINES | SUMS, HITM),
	COUNT(NULL, 0, "", NULL, C2C_SET(LCL_HITM), 7, SUMS, HITM),
	COUNT("------- Load Peer -------", 2, "Total", "peer", C2C_PEER, 7, LINES, PEER),
	COUNT(NULL, 0, "Local", "lcl_peer", C2C_SET(LCL_PEER), 7, LINES, PEER),
	COUNT(NULL, 0, "Remote", "rmt_peer", C2C_SET(RMT_PEER), 7, LINES | SUMS, PEER),
	COUNT(NULL, 0, "", NULL, C2C_SET(LCL_PEER), 7, SUMS, PEER),
	COUNT("Total", 0, "records", "records", C2C_ACCESSED, 7, LINES, ANY),
	COUNT("Total", 0, "Loads", "loads", C2C_LOADED, 7, LINES, ANY),
	COUNT("Total", 0, "Stores", "stores", C2C_SET(STORES), 7, LINES, ANY),
	COUNT("--------- Stores --------", 2, "L1Hit", "st_l1_hit", C2C_SET(ST_L1_HIT), 7, LINES | SUMS, ANY),
	COUNT(NULL, 0, "L1Miss", "st_l1_miss", C2C_SET(ST_L1_MISS), 7, LINES | SUMS, ANY),
	COUNT(NULL, 0, "N/A", "st_na", C2C_SET(ST_NA), 7, LINES | SUMS, ANY),
	COUNT("----- Core Load Hit -----", 2, "FB", "ld_fb", C2C_SET(LD_FB), 7, LINES, ANY),
	COUNT(NULL, 0, "L1", "ld_l1", C2C_SET(LD_L1), 7, LINES, ANY),
	COUNT(NULL, 0, "L2", "ld_l2", C2C_SET(LD_L2), 7, LINES, ANY),
	COUNT("- LLC Load Hit --", 1, "LclHit", "ld_llc", C2C_SET(LD_LLC), 8, LINES, ANY),
	COUNT(NULL, 0, "LclHitm", NULL, C2C_SET(LCL_HITM), 7, LINES, ANY),
	COUNT("- RMT Load Hit --", 1, "RmtHit", "rmt_hit", C2C_SET(RMT_HIT), 8, LINES, ANY),
	COUNT(NULL, 0, "RmtHitm", NULL, C2C_SET(RMT_HITM), 7, LINES, ANY),
	COUNT("--- Load Dram ----", 1, "Lcl", "lcl_dram", C2C_SET(LCL_DRAM), 8, LINES, ANY),
	COUNT(NULL, 0, "Rmt", "rmt_dram", C2C_SET(RMT_DRAM), 8, LINES, ANY),
	PERCENT("----- HITM -----", 1, "RmtHitm", "rmt_hitm_percent", C2C_SET(RMT_HITM), ROWS, HITM),
	PERCENT(NULL, 0, "LclHitm", "lcl_hitm_percent", C2C_SET(LCL_HITM), ROWS, HITM),
	PERCENT("-- Peer Snoop --", 1, "Rmt", "rmt_peer_percent", C2C_SET(RMT_PEER), ROWS, PEER),
	PERCENT(NULL, 0, "Lcl", "lcl_peer_percent", C2C_SET(LCL_PEER), ROWS, PEER),
	PERCENT("------- Store Refs ------", 2, "L1 Hit", "st_l1_hit_percent", C2C_SET(ST_L1_HIT), ROWS, ANY),
	PERCENT(NULL, 0, "L1 Miss", "st_l1_miss_percent", C2C_SET(ST_L1_MISS), ROWS, ANY),
	PERCENT(NULL, 0, "N/A", "st_na_percent", C2C_SET(ST_NA), ROWS, ANY),
	CELL("Data address", 2, "Offset", "offset", CELL_ADDRESS, 18, ROWS | SUMS),
	CELL(NULL, 0, "Node", "nodes", CELL_NODES, 4, ROWS),
	CELL(NULL, 0, "PA cnt", "pa_changes", CELL_CHANGES, 6, ROWS),
	ROW_CELL(NULL, "Pid", "pid", CELL_PID, 7, C2C_PID, 0),
	ROW_CELL(NULL, "Tid", "tid", CELL_TID, 15, C2C_TID, 0),
	ROW_CELL(NULL, NULL, "comm", CELL_COMM, 0, C2C_TID, 0),
	ROW_CELL(NULL, "Code address", "code_address", CELL_CODE, 18, C2C_CODE, 0),
	CYCLES("---------- cycles ----------", 2, "rmt hitm", "rmt_cycles", C2C_CYCLES_REMOTE, HITM),
	CYCLES(NULL, 0, "lcl hitm", "lcl_cycles", C2C_CYCLES_LOCAL, HITM),
	CYCLES("---------- cycles ----------", 2, "rmt peer", "rmt_cycles", C2C_CYCLES_REMOTE, PEER),
	CYCLES(NULL, 0, "lcl peer", "lcl_cycles", C2C_CYCLES_LOCAL, PEER),
	CYCLES(NULL, 0, "load", "load_cycles", C2C_CYCLES_LOAD, ANY),
	COUNT("Total", 0, "records", "records", C2C_ACCESSED, 7, ROWS, ANY),
	CELL("cpu", 0, "cnt", "cpus", CELL_CPUS, 8, ROWS),
	ROW_CELL(NULL, "Symbol", "symbol", CELL_SYMBOL, 6, C2C_CODE, 0),
	ROW_CELL("Shared", "Object", "dso", CELL_DSO, 6, C2C_CODE | C2C_DSO, 0),
	ROW_CELL(NULL, "Source:Line", "srcline", CELL_SOURCE, 11, C2C_CODE, C2C_SOURCE),
	ROW_CELL(NULL, "Node", "cpu_nodes", CELL_WHO, 4, 0, C2C_WHICH_NODES),
	{ NULL, "Node{cpus %hitms %stores}", "cpu_nodes", 0, CELL_WHO, 0, 4, ROWS, HITM, 0, C2C_SHARES },
	{ NULL, "Node{cpus %peers %stores}", "cpu_nodes", 0, CELL_WHO, 0, 4, ROWS, PEER, 0, C2C_SHARES },
	ROW_CELL(NULL, "Node{cpu list}", "cpu_nodes", CELL_WHO, 4, 0, C2C_WHICH_CPUS),
};

/* The view's options as bits of enum c2c_info. */
static unsigned info_of(const struct c2c_view *w)
{
	return 1u << MIN(w->node_info, 2u) | (w->no_source ? 0 : C2C_SOURCE);
}

void c2c_cells_init(struct c2c_cells *c, struct c2c_lines *lines, const struct c2c_view *w, enum c2c_table table)
{
	*c = (struct c2c_cells){ .lines = lines, .view = w };
	mem_out_init(&c->text);
	for (size_t i = 0; i < ARRAY_SIZE(cols) && c->n < C2C_COLS_MAX; i++) {
		const struct c2c_col *col = &cols[i];

		if (col->tables & table && col->by >> lines->want.by & 1 &&
		    (!col->keys || col->keys & lines->want.keys) && (!col->info || col->info & info_of(w)))
			c->v[c->n++] = *col;
	}
}

void c2c_cells_deinit(struct c2c_cells *c)
{
	map_deinit(&c->sources);
	mem_out_deinit(&c->text);
}

void c2c_at_line(struct c2c_cells *c, size_t index)
{
	c->index = index;
	c->row = NULL;
	c->line = c->lines->shown.v[index].line;
	c->whole = &c->lines->total;
}

void c2c_at_row(struct c2c_cells *c, size_t row)
{
	const struct c2c_row *r = &c->lines->rows.v[c->lines->shown_rows.v[row]];
	const struct c2c_line *line = &c->lines->lines.v[r->line];

	c->index = line->shown - 1;
	c->row = r;
	c->line = line;
	c->whole = &line->counts;
}

/* --- cells ------------------------------------------------------------------------------------------------------- */

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t sum_of(const struct c2c_cells *c, uint32_t set)
{
	return c->row ? c2c_row_sum(&c->row->counts, set) : c2c_sum(&c->line->counts, set);
}

static void put_percent(const struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who, struct out *o)
{
	out_near(o, percent_of(sum_of(c, col->of), c2c_sum(c->whole, col->of)), 0, 2);
	if (who == C2C_FOR_PEOPLE)
		out_char(o, '%');
}

static void put_cycles(const struct c2c_row *row, uint64_t which, struct out *o)
{
	uint64_t n = row->n_cycles[which];

	out_near(o, n ? (double)row->cycles[which] / (double)n : 0, 0, 0);
}

static void put_hex(uint64_t v, struct out *o)
{
	out_str(o, "0x");
	out_hex(o, v);
}

static void put_address(uint64_t v, struct out *o)
{
	out_str(o, "0x");
	out_zero_hex(o, v, 16);
}

static void put_set(const struct cpus *set, struct out *o)
{
	enum { TEXT = 4096 };
	char text[TEXT];

	out_str(o, cpus_text(set, text, sizeof(text)));
}

static const char *nodes_text(const struct c2c_cells *c, uint64_t nodes)
{
	enum { TEXT = 4096 };
	struct cpus set = { 0 };
	char text[TEXT];

	for (size_t i = 0; i < c->lines->nodes.n; i++)
		if (nodes >> i & 1 && c->lines->nodes.number[i] < CPUS_MAX)
			cpus_set(&set, c->lines->nodes.number[i]);
	cpus_text(&set, text, sizeof(text));
	return resolver_intern(c->lines->session->resolver, text, strlen(text));
}

/* Only a few different sets of nodes occur, so their texts are cached. */
static int put_nodes(struct c2c_cells *c, struct out *o)
{
	uint64_t nodes = c->row ? c->row->memory.nodes : c->line->memory.nodes;
	struct c2c_nodes_text *t = &c->texts[hash_u64(nodes) % C2C_TEXTS];

	if (!nodes) {
		out_str(o, "N/A");
		return 0;
	}
	if (t->nodes != nodes) {
		t->text = nodes_text(c, nodes);
		t->nodes = t->text ? nodes : 0;
	}
	if (!t->text)
		return -ENOMEM;
	out_str(o, t->text);
	return 0;
}

static unsigned count_cpus(const struct c2c_cells *c)
{
	const uint64_t *cpus = c2c_cpus(c->lines, c->row);
	unsigned n = 0;

	for (size_t i = 0; i < c->lines->cpu_words; i++)
		n += (unsigned)__builtin_popcountll(cpus[i]);
	return n;
}

static void put_tid(const struct c2c_row *row, enum c2c_for who, struct out *o)
{
	if (who == C2C_FOR_PROGRAMS) {
		out_u64(o, row->tid);
		return;
	}
	out_u64w(o, row->tid, 7);
	out_char(o, ':');
	out_str(o, row->comm);
}

static void put_symbol(const struct c2c_cells *c, enum c2c_for who, struct out *o)
{
	enum { SHORT = 30 - 4 };         /* perf's 30 columns include "[.] " */
	const struct sym_loc *l = c->row->loc;

	out_str(o, l->kernel ? "[k] " : "[.] ");
	if (!l->sym)
		put_address(l->addr, o);
	else if (c->view->full_symbols || who == C2C_FOR_PROGRAMS)
		out_str(o, l->sym);
	else
		out_bytes(o, l->sym, strnlen(l->sym, SHORT));
}

/* "main.c:12"; without line information "function+OFFSET", "??:0" for the kernel, or "file[ADDRESS]". */
static const char *source_of(struct c2c_cells *c, const struct sym_loc *l)
{
	struct resolver *r = c->lines->session->resolver;
	struct sym_spot v[SYM_SPOTS_MAX];
	const char *file = NULL, *slash;
	char text[160];
	int n = l->module || l->code ? resolver_spots(r, l, false, SYM_SPOTS_FILES, v) : 0;

	if (n < 0)
		return NULL;
	if (n)
		file = v[0].file;
	slash = file ? strrchr(file, '/') : NULL;
	if (file)
		snprintf(text, sizeof(text), "%.120s:%u", slash ? slash + 1 : file, v[0].line);
	else if (l->sym)
		snprintf(text, sizeof(text), "%.120s+%llu", l->sym, (unsigned long long)(l->addr - l->start));
	else if (l->dso_short[0] == '[')
		return "??:0";
	else
		snprintf(text, sizeof(text), "%.120s[%llx]", l->dso_short, (unsigned long long)l->addr);
	return resolver_intern(r, text, strlen(text));
}

static int put_source(struct c2c_cells *c, enum c2c_for who, struct out *o)
{
	enum { SHORT = 30 };
	uint64_t *text = map_add(&c->sources, (uintptr_t)c->row->loc, NULL);
	const char *s;

	if (!text)
		return -ENOMEM;
	if (!*text)
		*text = (uintptr_t)source_of(c, c->row->loc);
	s = (const char *)(uintptr_t)*text;
	if (!s)
		return -ENOMEM;
	out_bytes(o, s, c->view->full_symbols || who == C2C_FOR_PROGRAMS ? strlen(s) : strnlen(s, SHORT));
	return 0;
}

static void put_share(uint64_t part, uint64_t whole, struct out *o)
{
	if (!whole) {
		out_str(o, "   n/a");
		return;
	}
	out_near(o, percent_of(part, whole), 5, 1);
	out_char(o, '%');
}

/* The node's CPUs on which the row was sampled. False: none. */
static bool cpus_of_node(const struct c2c_cells *c, size_t node, struct cpus *set)
{
	const uint64_t *cpus = c2c_cpus(c->lines, c->row);
	uint64_t some = 0;

	*set = (struct cpus){ 0 };
	for (size_t i = 0; i < c->lines->cpu_words; i++) {
		set->w[i] = cpus[i] & c->lines->nodes.cpus[node].w[i];
		some |= set->w[i];
	}
	return some;
}

/*
 * " 0"; with node_info 1 also "{ 1  50.0% 100.0%}": number of CPUs, share of the row's HITM (or peer) loads, and of its
 * stores; with node_info 2 "{0,2-3}": the CPUs.
 */
static void put_node(const struct c2c_cells *c, size_t node, const struct cpus *set, struct out *o)
{
	const struct c2c_row_counts *n = &c->row->counts;

	out_u64w(o, c->lines->nodes.number[node], 2);
	if (!c->view->node_info)
		return;
	out_char(o, '{');
	if (c->view->node_info > 1) {
		put_set(set, o);
	} else {
		out_u64w(o, cpus_count(set), 2);
		out_char(o, ' ');
		put_share(c->row->share[node].snoops, c2c_row_sum(n, c2c_by_set(c->lines->want.by)), o);
		out_char(o, ' ');
		put_share(c->row->share[node].stores, c2c_row_sum(n, C2C_SET(STORES)), o);
	}
	out_char(o, '}');
}

static void put_who(const struct c2c_cells *c, struct out *o)
{
	enum { NODE = 21 };      /* width of a node with its shares */
	bool some = false;
	struct cpus set;

	for (size_t i = 0; i < c->lines->nodes.n; i++) {
		if (!cpus_of_node(c, i, &set)) {
			out_fill(o, ' ', c->view->node_info == 1 ? NODE : 0);
			continue;
		}
		if (some)
			out_char(o, ' ');
		put_node(c, i, &set, o);
		some = true;
	}
}

static int put_rows_cell(struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who, struct out *o)
{
	switch ((enum c2c_kind)col->kind) {
	case CELL_PID:
		out_i64(o, (int32_t)c->row->pid);
		break;
	case CELL_TID:
		put_tid(c->row, who, o);
		break;
	case CELL_COMM:
		out_str(o, c->row->comm);
		break;
	case CELL_CODE:
		put_hex(c->row->ip, o);
		break;
	case CELL_CYCLES:
		put_cycles(c->row, col->of, o);
		break;
	case CELL_CPUS:
		out_u64(o, count_cpus(c));
		break;
	case CELL_SYMBOL:
		put_symbol(c, who, o);
		break;
	case CELL_DSO:
		out_str(o, c->row->loc->dso_short);
		break;
	case CELL_SOURCE:
		return put_source(c, who, o);
	case CELL_WHO:
		put_who(c, o);
		break;
	default:
		break;
	}
	return 0;
}

static int put_cell(struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who, struct out *o)
{
	switch ((enum c2c_kind)col->kind) {
	case CELL_NUMBER:
		if (who == C2C_FOR_PROGRAMS)
			out_u64(o, c->index);
		break;
	case CELL_INDEX:
		out_u64(o, c->index);
		break;
	case CELL_COUNT:
		out_u64(o, sum_of(c, col->of));
		break;
	case CELL_PERCENT:
		put_percent(c, col, who, o);
		break;
	case CELL_CHANGES:
		out_u64(o, c->row ? c->row->changes : c->line->changes);
		break;
	case CELL_ADDRESS:
		put_hex(c->row ? c->row->offset : c->line->addr, o);
		break;
	case CELL_NODES:
		return put_nodes(c, o);
	default:
		return put_rows_cell(c, col, who, o);
	}
	return 0;
}

const char *c2c_cell(struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who)
{
	struct mem_out *m = &c->text;
	struct out *o = &m->out;
	const char *text;

	m->n = o->n = 0;
	o->total = 0;
	if (put_cell(c, col, who, o))
		return NULL;
	c->length = (size_t)o->total;
	/* Nearly all cells fit into the buffer: return that instead of a copy. */
	if (c->length == o->n && o->n < o->cap) {
		o->buf[o->n] = '\0';
		return o->buf;
	}
	text = mem_out_str(m);
	return o->error ? NULL : text;
}
