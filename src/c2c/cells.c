/* cells.c - columns, their heads and their numbers are perf's. */
#include "c2c/cells.h"

#define COUNT(group, span, head, key, width, of) { group, head, key, of, CELL_COUNT, span, width, false }
#define PERCENT(group, span, head, key, of) { group, head, key, of, CELL_PERCENT, span, 7, false }

void c2c_cells_init(struct c2c_cells *c, struct c2c_lines *lines, const struct c2c_view *w)
{
	*c = (struct c2c_cells){ .lines = lines, .view = w };
	mem_out_init(&c->text);
}

void c2c_cells_deinit(struct c2c_cells *c)
{
	map_deinit(&c->sources);
	mem_out_deinit(&c->text);
}

static void add(struct c2c_cells *c, const struct c2c_col *v, size_t n)
{
	for (size_t i = 0; i < n && c->n < C2C_COLS_MAX; i++)
		c->v[c->n++] = v[i];
}

#define ADD(c, v) add(c, v, ARRAY_SIZE(v))

static bool by_peers(const struct c2c_cells *c)
{
	return c->lines->want.by == C2C_BY_PEER;
}

void c2c_cols_of_lines(struct c2c_cells *c)
{
	static const char *const groups[] = { "Tot", "Lcl", "Rmt", "Peer" };
	static const struct c2c_col first[] = {
		{ NULL, "Index", "index", 0, CELL_INDEX, 0, 5, false },
		{ "Cacheline", "Address", "address", 0, CELL_ADDRESS, 2, 18, false },
		{ NULL, "Node", "nodes", 0, CELL_NODES, 0, 4, false },
		{ NULL, "PA cnt", "pa_changes", 0, CELL_CHANGES, 0, 6, false },
	};
	static const struct c2c_col hitm[] = {
		COUNT("------- Load Hitm -------", 2, "Total", "hitm", 7, C2C_HITM),
		COUNT(NULL, 0, "LclHitm", "lcl_hitm", 7, C2C_SET(LCL_HITM)),
		COUNT(NULL, 0, "RmtHitm", "rmt_hitm", 7, C2C_SET(RMT_HITM)),
	};
	static const struct c2c_col peer[] = {
		COUNT("------- Load Peer -------", 2, "Total", "peer", 7, C2C_PEER),
		COUNT(NULL, 0, "Local", "lcl_peer", 7, C2C_SET(LCL_PEER)),
		COUNT(NULL, 0, "Remote", "rmt_peer", 7, C2C_SET(RMT_PEER)),
	};
	static const struct c2c_col rest[] = {
		COUNT("Total", 0, "records", "records", 7, C2C_LOADED | C2C_STORED),
		COUNT("Total", 0, "Loads", "loads", 7, C2C_LOADED),
		COUNT("Total", 0, "Stores", "stores", 7, C2C_SET(STORES)),
		COUNT("--------- Stores --------", 2, "L1Hit", "st_l1_hit", 7, C2C_SET(ST_L1_HIT)),
		COUNT(NULL, 0, "L1Miss", "st_l1_miss", 7, C2C_SET(ST_L1_MISS)),
		COUNT(NULL, 0, "N/A", "st_na", 7, C2C_SET(ST_NA)),
		COUNT("----- Core Load Hit -----", 2, "FB", "ld_fb", 7, C2C_SET(LD_FB)),
		COUNT(NULL, 0, "L1", "ld_l1", 7, C2C_SET(LD_L1)),
		COUNT(NULL, 0, "L2", "ld_l2", 7, C2C_SET(LD_L2)),
		COUNT("- LLC Load Hit --", 1, "LclHit", "ld_llc", 8, C2C_SET(LD_LLC)),
		COUNT(NULL, 0, "LclHitm", NULL, 7, C2C_SET(LCL_HITM)),
		COUNT("- RMT Load Hit --", 1, "RmtHit", "rmt_hit", 8, C2C_SET(RMT_HIT)),
		COUNT(NULL, 0, "RmtHitm", NULL, 7, C2C_SET(RMT_HITM)),
		COUNT("--- Load Dram ----", 1, "Lcl", "lcl_dram", 8, C2C_SET(LCL_DRAM)),
		COUNT(NULL, 0, "Rmt", "rmt_dram", 8, C2C_SET(RMT_DRAM)),
	};
	enum c2c_by by = c->lines->want.by;
	const struct c2c_col share = PERCENT(groups[by], 0, by_peers(c) ? "Snoop" : "Hitm", "percent", c2c_by_set(by));

	ADD(c, first);
	add(c, &share, 1);
	add(c, by_peers(c) ? peer : hitm, ARRAY_SIZE(hitm));
	ADD(c, rest);
}

void c2c_cols_of_sums(struct c2c_cells *c)
{
	static const struct c2c_col number = { NULL, "Num", NULL, 0, CELL_INDEX, 0, 5, false };
	static const struct c2c_col hitm[] = {
		COUNT(NULL, 0, "", NULL, 7, C2C_SET(RMT_HITM)), COUNT(NULL, 0, "", NULL, 7, C2C_SET(LCL_HITM)),
	};
	static const struct c2c_col peer[] = {
		COUNT(NULL, 0, "", NULL, 7, C2C_SET(RMT_PEER)), COUNT(NULL, 0, "", NULL, 7, C2C_SET(LCL_PEER)),
	};
	static const struct c2c_col rest[] = {
		COUNT(NULL, 0, "", NULL, 7, C2C_SET(ST_L1_HIT)), COUNT(NULL, 0, "", NULL, 7, C2C_SET(ST_L1_MISS)),
		COUNT(NULL, 0, "", NULL, 7, C2C_SET(ST_NA)), { NULL, "", NULL, 0, CELL_ADDRESS, 0, 18, false },
	};

	add(c, &number, 1);
	add(c, by_peers(c) ? peer : hitm, ARRAY_SIZE(hitm));
	ADD(c, rest);
}

static void add_who(struct c2c_cells *c)
{
	static const struct c2c_col pid[] = { { NULL, "Pid", "pid", 0, CELL_PID, 0, 7, false } };
	static const struct c2c_col tid[] = {
		{ NULL, "Tid", "tid", 0, CELL_TID, 0, 15, true }, { NULL, NULL, "comm", 0, CELL_COMM, 0, 0, true },
	};
	static const struct c2c_col code[] = {
		{ NULL, "Code address", "code_address", 0, CELL_CODE, 0, 18, false },
	};

	if (c->lines->want.keys & C2C_PID)
		ADD(c, pid);
	if (c->lines->want.keys & C2C_TID)
		ADD(c, tid);
	if (c->lines->want.keys & C2C_CODE)
		ADD(c, code);
}

static void add_names(struct c2c_cells *c)
{
	static const char *const heads[][2] = {
		{ "Node", "Node" },
		{ "Node{cpus %hitms %stores}", "Node{cpus %peers %stores}" },
		{ "Node{cpu list}", "Node{cpu list}" },
	};
	static const struct c2c_col symbol[] = { { NULL, "Symbol", "symbol", 0, CELL_SYMBOL, 0, 6, true } };
	static const struct c2c_col dso[] = { { "Shared", "Object", "dso", 0, CELL_DSO, 0, 6, true } };
	static const struct c2c_col source[] = { { NULL, "Source:Line", "srcline", 0, CELL_SOURCE, 0, 11, true } };
	const struct c2c_col who = {
		NULL, heads[MIN(c->view->node_info, 2u)][by_peers(c)], "cpu_nodes", 0, CELL_WHO, 0, 4, true,
	};

	if (c->lines->want.keys & C2C_CODE)
		ADD(c, symbol);
	if (c->lines->want.keys & (C2C_CODE | C2C_DSO))
		ADD(c, dso);
	if (c->lines->want.keys & C2C_CODE && !c->view->no_source)
		ADD(c, source);
	add(c, &who, 1);
}

void c2c_cols_of_rows(struct c2c_cells *c)
{
	static const struct c2c_col number = { NULL, "Num", "index", 0, CELL_NUMBER, 0, 5, false };
	static const struct c2c_col hitm[] = {
		PERCENT("----- HITM -----", 1, "RmtHitm", "rmt_hitm_percent", C2C_SET(RMT_HITM)),
		PERCENT(NULL, 0, "LclHitm", "lcl_hitm_percent", C2C_SET(LCL_HITM)),
	};
	static const struct c2c_col peer[] = {
		PERCENT("-- Peer Snoop --", 1, "Rmt", "rmt_peer_percent", C2C_SET(RMT_PEER)),
		PERCENT(NULL, 0, "Lcl", "lcl_peer_percent", C2C_SET(LCL_PEER)),
	};
	static const struct c2c_col where[] = {
		PERCENT("------- Store Refs ------", 2, "L1 Hit", "st_l1_hit_percent", C2C_SET(ST_L1_HIT)),
		PERCENT(NULL, 0, "L1 Miss", "st_l1_miss_percent", C2C_SET(ST_L1_MISS)),
		PERCENT(NULL, 0, "N/A", "st_na_percent", C2C_SET(ST_NA)),
		{ "Data address", "Offset", "offset", 0, CELL_ADDRESS, 2, 18, false },
		{ NULL, "Node", "nodes", 0, CELL_NODES, 0, 4, false },
		{ NULL, "PA cnt", "pa_changes", 0, CELL_CHANGES, 0, 6, false },
	};
	const struct c2c_col how[] = {
		{ "---------- cycles ----------", by_peers(c) ? "rmt peer" : "rmt hitm", "rmt_cycles",
		  C2C_CYCLES_REMOTE, CELL_CYCLES, 2, 8, false },
		{ NULL, by_peers(c) ? "lcl peer" : "lcl hitm", "lcl_cycles", C2C_CYCLES_LOCAL, CELL_CYCLES, 0, 8,
		  false },
		{ NULL, "load", "load_cycles", C2C_CYCLES_LOAD, CELL_CYCLES, 0, 8, false },
		COUNT("Total", 0, "records", "records", 7, C2C_LOADED | C2C_STORED),
		{ "cpu", "cnt", "cpus", 0, CELL_CPUS, 0, 8, false },
	};

	add(c, &number, 1);
	add(c, by_peers(c) ? peer : hitm, ARRAY_SIZE(hitm));
	ADD(c, where);
	add_who(c);
	ADD(c, how);
	add_names(c);
}

void c2c_at_line(struct c2c_cells *c, size_t index)
{
	c->index = index;
	c->row = NULL;
	c->entry = &c->lines->shown.v[index].line->at;
	c->whole = &c->lines->total;
}

void c2c_at_row(struct c2c_cells *c, size_t row)
{
	const struct c2c_shown_row *r = &c->lines->shown_rows.v[row];

	c->index = r->line;
	c->row = r->row;
	c->entry = &r->row->at;
	c->whole = &c->lines->shown.v[r->line].line->at.counts;
}

/* --- what stands in them ----------------------------------------------------------------------------------------- */

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void put_percent(const struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who, struct out *o)
{
	out_fixed(o, percent_of(c2c_sum(&c->entry->counts, col->of), c2c_sum(c->whole, col->of)), 0, 2);
	if (who == C2C_FOR_PEOPLE)
		out_char(o, '%');
}

static void put_cycles(const struct c2c_row *row, uint64_t which, struct out *o)
{
	uint64_t n = row->n_cycles[which];

	out_fixed(o, n ? (double)row->cycles[which] / (double)n : 0, 0, 0);
}

static void put_hex(uint64_t v, struct out *o)
{
	out_str(o, "0x");
	out_hex(o, v);
}

static void put_set(const struct cpus *set, struct out *o)
{
	enum { TEXT = 4096 };
	char text[TEXT];

	out_str(o, cpus_text(set, text, sizeof(text)));
}

static void put_nodes(const struct c2c_cells *c, struct out *o)
{
	struct cpus set = { 0 };

	for (size_t i = 0; i < c->lines->nodes.n; i++)
		if (c->entry->nodes >> i & 1 && c->lines->nodes.number[i] < CPUS_MAX)
			cpus_set(&set, c->lines->nodes.number[i]);
	if (c->entry->nodes)
		put_set(&set, o);
	else
		out_str(o, "N/A");
}

static unsigned count_cpus(const struct c2c_cells *c)
{
	unsigned n = 0;

	for (size_t i = 0; i < c->lines->cpu_words; i++)
		n += (unsigned)__builtin_popcountll(c->row->cpus[i]);
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
	enum { SHORT = 30 - 4 };         /* "[.] " is part of it */
	const struct sym_loc *l = c->row->loc;

	out_str(o, l->kernel ? "[k] " : "[.] ");
	if (!l->sym)
		out_printf(o, "0x%016llx", (unsigned long long)l->addr);
	else if (c->view->full_symbols || who == C2C_FOR_PROGRAMS)
		out_str(o, l->sym);
	else
		out_bytes(o, l->sym, strnlen(l->sym, SHORT));
}

/* "main.c:12", or where it is in the file. */
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
	out_fixed(o, percent_of(part, whole), 5, 1);
	out_char(o, '%');
}

/* Its CPUs among those of the row. False: none. */
static bool cpus_of_node(const struct c2c_cells *c, size_t node, struct cpus *set)
{
	uint64_t some = 0;

	*set = (struct cpus){ 0 };
	for (size_t i = 0; i < c->lines->cpu_words; i++) {
		set->w[i] = c->row->cpus[i] & c->lines->nodes.cpus[node].w[i];
		some |= set->w[i];
	}
	return some;
}

/* " 0", and "{ 1  50.0% 100.0%}": how many of its CPUs, what part of those loads, and of the stores; or "{0,2-3}". */
static void put_node(const struct c2c_cells *c, size_t node, const struct cpus *set, struct out *o)
{
	const struct c2c_counts *n = &c->entry->counts;

	out_u64w(o, c->lines->nodes.number[node], 2);
	if (!c->view->node_info)
		return;
	out_char(o, '{');
	if (c->view->node_info > 1) {
		put_set(set, o);
	} else {
		out_u64w(o, cpus_count(set), 2);
		out_char(o, ' ');
		put_share(c->row->share[node].snoops, c2c_sum(n, c2c_by_set(c->lines->want.by)), o);
		out_char(o, ' ');
		put_share(c->row->share[node].stores, n->n[C2C_STORES], o);
	}
	out_char(o, '}');
}

static void put_who(const struct c2c_cells *c, struct out *o)
{
	enum { NODE = 21 };      /* columns of one with its shares */
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
		out_str(o, c->row->dso);
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
		out_u64(o, c2c_sum(&c->entry->counts, col->of));
		break;
	case CELL_PERCENT:
		put_percent(c, col, who, o);
		break;
	case CELL_CHANGES:
		out_u64(o, c->entry->changes);
		break;
	case CELL_ADDRESS:
		put_hex(c->entry->addr, o);
		break;
	case CELL_NODES:
		put_nodes(c, o);
		break;
	default:
		return put_rows_cell(c, col, who, o);
	}
	return 0;
}

const char *c2c_cell(struct c2c_cells *c, const struct c2c_col *col, enum c2c_for who)
{
	c->text.n = 0;
	c->text.out.total = 0;
	return put_cell(c, col, who, &c->text.out) ? NULL : mem_out_str(&c->text);
}
