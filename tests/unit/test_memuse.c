/* Memory by the places that took it. */
#include "analyse/memuse.h"
#include "t.h"

TEST(memuse_counts_what_is_held)
{
	struct memuse m = { 0 };

	CHECK_EQ(memuse_take(&m, 7, 0x1000, (struct memuse_sum){ 64, 60 }), 0);
	memuse_take(&m, 7, 0x2000, (struct memuse_sum){ 32, 20 });
	memuse_take(&m, 9, 0x3000, (struct memuse_sum){ 8, 8 });
	memuse_give(&m, 0x1000);
	memuse_give(&m, 0x1000);
	memuse_give(&m, 0x9999);
	memuse_take(&m, 9, 0x1000, (struct memuse_sum){ 16, 16 });
	CHECK_EQ(m.places.n, 2);
	CHECK_EQ(m.places.v[0].place, 7);
	CHECK_EQ(m.places.v[0].now.alloc, 32);
	CHECK_EQ(m.places.v[0].now.req, 20);
	CHECK_EQ(m.places.v[0].total.alloc, 96);
	CHECK_EQ(m.places.v[0].most.req, 80);
	CHECK_EQ(m.places.v[1].now.alloc, 24);
	CHECK_EQ(m.pieces.n, 3);
	memuse_deinit(&m);
}
