/* bpf/kenums: names of enums' values, of types that are made here. */
#include "bpf/kenums.h"
#include "btf_build.h"

TEST(kenums_have_names_of_values_and_values_of_names)
{
	struct btf_build b = { .n_strings = 1 };
	struct sys sys = { 0 };
	struct kenums k = { .sys = &sys, .was_read = true };
	struct nearest near;
	char text[80];
	uint64_t v = 0;

	btf_type(&b, BTF_ENUM | BTF_FLAG, "mode", 2, 4);
	btf_part(&b, "MODE_REL", 1);
	btf_part(&b, "MODE_NONE", UINT32_MAX);
	k.types.btf = btf_built(&b, NULL);
	CHECK(sv_eq(kenums_name(&k, "enum mode", 1), "MODE_REL"));
	CHECK(sv_eq(kenums_name(&k, "enum mode", UINT64_MAX), "MODE_NONE"));
	CHECK(sv_eq(kenums_name(&k, "enum mode", UINT32_MAX), "MODE_NONE"));
	CHECK(!kenums_name(&k, "enum mode", 2).n);
	CHECK(!kenums_name(&k, "enum other", 1).n);
	CHECK(!kenums_name(&k, "unsigned int", 1).n);
	CHECK_EQ(kenums_value(&k, "enum mode", SV("MODE_NONE"), &v, &near), 0);
	CHECK_EQ(v, UINT64_MAX);
	CHECK_EQ(kenums_value(&k, "enum mode", SV("MODE_RE"), &v, &near), -ENOENT);
	CHECK_STR(nearest_text(&near, text, sizeof(text)), ", did you mean 'MODE_REL'?");
	CHECK_EQ(kenums_value(&k, "enum other", SV("MODE_REL"), &v, &near), -EOPNOTSUPP);
	/* Each is looked for once. */
	CHECK_EQ(k.of.n, 2);
	kenums_deinit(&k);
	k.sys = NULL;
	CHECK(!kenums_name(&k, "enum mode", 1).n);
}

TEST(kenums_of_a_kernel_without_types_are_none)
{
	struct kenums k = { .sys = &(struct sys){ 0 }, .was_read = true };
	struct nearest near;
	uint64_t v;

	CHECK(!kenums_name(&k, "enum mode", 1).n);
	CHECK_EQ(kenums_value(&k, "enum mode", SV("MODE_REL"), &v, &near), -EOPNOTSUPP);
	kenums_deinit(&k);
}
