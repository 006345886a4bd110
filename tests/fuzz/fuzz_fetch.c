/* What kind of place it is, then arguments; and the same text as the operands of a marker. */
#include "probe/fetch.h"

#include "../unit/fetch_env.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* A variable for each letter, of each type and kind of place. */
static int variable(void *arg, struct sv name, struct fetch_var *v, struct err *e)
{
	static const struct loc places[] = {
		{ .kind = LOC_REG, .reg = 1 }, { .kind = LOC_MEM, .reg = 2, .off = -16 },
		{ .kind = LOC_ADDR, .off = 4096 }, { .kind = LOC_VALUE, .reg = 3, .off = 8 },
		{ .kind = LOC_CONST, .off = INT64_MIN }, { .kind = LOC_GONE },
		{ .kind = LOC_MEM, .reg = 31, .off = INT64_MIN, .n_derefs = LOC_DEREFS,
		  .deref = { 8, -8, INT64_MAX, 0 } },
		{ .kind = LOC_REG, .reg = 99 }, { .kind = LOC_VALUE, .reg = 3, .shift = 24 },
		{ .kind = LOC_PIECES, .n_pieces = 3, .piece = {
			{ .size = 8, .kind = LOC_REG, .reg = 1 },
			{ .at = 8, .size = 6, .kind = LOC_VALUE, .reg = 2, .shift = 16 },
			{ .at = 14, .size = UINT32_MAX, .kind = LOC_MEM, .reg = 3, .off = INT64_MIN },
		} },
		{ .kind = LOC_PIECES, .n_pieces = LOC_PIECES_MAX, .piece = {
			{ .size = 4, .kind = LOC_GONE }, { .at = 4, .size = 4, .kind = LOC_CONST, .off = -1 },
			{ .at = 8, .size = 0, .kind = LOC_REG }, { .at = 8, .size = 8, .kind = LOC_ADDR, .off = 64 },
			{ .at = 16, .size = 8, .kind = LOC_REG, .reg = 99 },
			{ .at = 24, .size = 8, .kind = LOC_REG, .reg = 4, .shift = UINT32_MAX },
		} },
	};
	unsigned c = (unsigned char)name.s[0], k = name.n > 1 ? (unsigned char)name.s[1] : 0;

	(void)arg;
	if (c == 'q')
		return err_set(e, ENODATA, "nothing to ask");
	*v = (struct fetch_var){ .type = { &fetch_type_source, c % T_TYPES }, .name = name };
	v->loc = places[k % ARRAY_SIZE(places)];
	if (!v->type.id)
		v->type.src = NULL;
	return 0;
}

static int nth(void *arg, unsigned i, bool *is_param, struct fetch_var *v, struct err *e)
{
	char name[2] = { (char)('A' + i % 60), (char)i };

	*is_param = i & 1;
	if (i >= 3 * T_TYPES || variable(arg, (struct sv){ name, 2 }, v, e))
		return 0;
	v->name = SV("some");
	return 1;
}

static struct ctype returns(void *arg)
{
	const uint8_t *how = arg;

	return (struct ctype){ *how & 1 ? &fetch_type_source : NULL, 1 + *how % (T_TYPES - 1) };
}

static int no_more(void *arg, const char *bytes, size_t n)
{
	(void)arg;
	(void)bytes;
	(void)n;
	return -E2BIG;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t how = n ? data[0] : 0, features = n > 1 ? data[1] : 0;
	struct fetch_env env = {
		.arch = how & 2 ? &arch_aarch64 : &arch_x86_64, .is_user = how & 4, .is_return = how & 8,
		.at_entry = how & 16, .at_ret_insn = how & 32, .features = features * 257u,
		.variable = how & 64 ? NULL : variable, .nth = how & 64 ? NULL : nth,
		.returns = returns, .address = how & 128 ? NULL : fetch_test_address, .arg = &how,
	};
	static char text[32768];
	struct out o = { .write = no_more, .buf = text, .cap = sizeof(text) };
	struct arena a = { 0 };
	struct point p = { 0 };
	struct err e = { 0 };
	const char *args;
	unsigned skipped;

	if (n < 2)
		return 0;
	args = arena_dup(&a, (const char *)data + 2, n - 2);
	if (!point_parse_args(&p, &a, args, &e)) {
		int r = fetch_put(&env, &p, &o, &e);

		assert(!r || (e.code == -r && e.text[0]));
		assert(!o.error && !memchr(text, '\0', o.n));
	}
	o.n = 0;
	fetch_put_usdt(&env, args, &o, &skipped);
	point_deinit(&p);
	arena_deinit(&a);
	return 0;
}
