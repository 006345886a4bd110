/* prefix.c - lengths of prefix codes by Huffman's algorithm. */
#include "pack/prefix.h"

#include "base/sort.h"

static int by_count(const void *arg, uint32_t a, uint32_t b)
{
	const uint32_t *count = arg;

	return count[a] < count[b] ? -1 : count[a] > count[b];
}

/* Depths of n > 1 leaves, rarest first, in the tree that joins the two rarest nodes (leaves or joints) each time. */
static void depths(uint8_t *depth, const uint32_t *leaf, unsigned n)
{
	uint32_t weight[2 * PREFIX_SYMBOLS_MAX];
	uint16_t parent[2 * PREFIX_SYMBOLS_MAX];
	uint8_t deep[2 * PREFIX_SYMBOLS_MAX];
	unsigned next_leaf = 0, next_joint = n;

	memcpy(weight, leaf, n * sizeof(*leaf));
	for (unsigned made = n; made < 2 * n - 1; made++) {
		weight[made] = 0;
		for (int i = 0; i < 2; i++) {
			bool is_leaf = next_leaf < n && (next_joint == made || weight[next_leaf] <= weight[next_joint]);
			unsigned child = is_leaf ? next_leaf++ : next_joint++;

			weight[made] += weight[child];
			parent[child] = made;
		}
	}
	deep[2 * n - 2] = 0;
	for (unsigned i = 2 * n - 2; i--;)
		deep[i] = deep[parent[i]] + 1;
	memcpy(depth, deep, n);
}

/*
 * Limit depths to `most`. Raising deeper leaves to there exceeds the code space (Kraft's sum is above 1). Each step
 * moves a leaf one level down and makes one of the deepest leaves its sibling, which frees one code of `most` bits.
 */
static void shorten(uint8_t *depth, unsigned n, unsigned most)
{
	unsigned count[PREFIX_BITS_MAX + 1] = { 0 }, space = 0;

	for (unsigned i = 0; i < n; i++)
		count[MIN(depth[i], most)]++;
	for (unsigned b = 1; b <= most; b++)
		space += count[b] << (most - b);
	for (; space > 1u << most; space--) {
		unsigned b = most - 1;

		while (!count[b])
			b--;
		count[most]--;
		count[b]--;
		count[b + 1] += 2;
	}
	for (unsigned b = most, i = 0; b; b--)
		for (; count[b]; count[b]--)
			depth[i++] = b;
}

unsigned prefix_lengths(uint8_t *length, const uint32_t *count, unsigned n, unsigned most)
{
	uint32_t order[PREFIX_SYMBOLS_MAX], spare[PREFIX_SYMBOLS_MAX];
	uint8_t depth[PREFIX_SYMBOLS_MAX];
	unsigned leaves = 0;

	memset(length, 0, n);
	for (unsigned s = 0; s < n; s++)
		if (count[s])
			order[leaves++] = s;
	if (leaves < 2)
		return 0;
	sort_u32(order, spare, leaves, by_count, count);
	for (unsigned i = 0; i < leaves; i++)
		spare[i] = count[order[i]];
	depths(depth, spare, leaves);
	shorten(depth, leaves, most);
	for (unsigned i = 0; i < leaves; i++)
		length[order[i]] = depth[i];
	return depth[0];
}
