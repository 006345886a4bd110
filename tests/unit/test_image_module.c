/* image/module, kernel_file: a program and its debug file, each opened when it is asked for; files by a table. */
#include "image/kernel_file.h"

#include "base/crc.h"
#include "obj_build.h"

#define DEBUG_OF(id) "/usr/lib/debug/.build-id/" id "/0102030405060708090a0b0c0d0e0f10111213.debug"

struct disk {
	struct {
		const char *path;
		const uint8_t *p;
		size_t n;
	} file[8];
	size_t n;
	unsigned asked, maps, unmaps;
};

static int map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	struct disk *d = arg;

	d->asked++;
	for (size_t i = 0; i < d->n; i++) {
		if (strcmp(d->file[i].path, path))
			continue;
		*p = d->file[i].p;
		*n = d->file[i].n;
		d->maps++;
		return 0;
	}
	return -ENOENT;
}

static void unmap(void *arg, const uint8_t *p UNUSED, size_t n UNUSED)
{
	struct disk *d = arg;

	d->unmaps++;
}

/* One function at 0x400, or no symbols; a build id that begins with that byte. */
static void add(struct disk *d, const char *path, const char *name, uint8_t id)
{
	static struct build b;
	uint8_t note[36] = { 4, [4] = 20, [8] = 3, [12] = 'G', 'N', 'U', 0, id };

	for (uint8_t i = 1; i < 20; i++)
		note[16 + i] = i;
	b = (struct build)BUILD_AARCH64;
	build_section(&b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = 0x400, .size = 64,
	}, (uint8_t[64]){ 0 });
	build_section(&b, ".note", (struct elf_section){ .type = ELF_NOTE, .size = 36 }, note);
	if (name) {
		build_symbol(&b, name, (struct elf_symbol){
			.type = ELF_FUNC, .bind = ELF_GLOBAL, .section = 1, .value = 0x400, .size = 32,
		});
		build_symbols(&b, ELF_SYMTAB);
	}
	build_finish(&b);
	d->file[d->n].path = path;
	d->file[d->n].p = guard_dup(b.v, b.n);
	d->file[d->n++].n = b.n;
}

static struct build_id id_of(uint8_t first)
{
	struct build_id id = { .v = { first }, .size = 20 };

	for (uint8_t i = 1; i < 20; i++)
		id.v[i] = i;
	return id;
}

static const char *name_at(const struct module *m, uint64_t addr)
{
	const struct sym *s = symtab_find(&m->functions, addr);

	return s ? symtab_name(&m->functions, s) : "none";
}

TEST(module_reads_a_part_when_it_is_asked_for)
{
	struct disk d = { 0 };
	struct image_files files = { .arg = &d, .map = map, .unmap = unmap };
	struct module m;
	struct err why = { 0 };

	add(&d, "/bin/p", NULL, 0xaa);
	add(&d, DEBUG_OF("aa"), "debug", 0xaa);
	CHECK_EQ(module_open(&m, &files, &(struct module_want){ .path = "/bin/p" }, NULL), 0);
	CHECK_EQ(d.asked, 1);
	CHECK_EQ(module_functions(&m, FUNCTIONS_ALL, NULL), 0);
	CHECK_STR(name_at(&m, 0x41f), "debug");
	CHECK_EQ(d.maps, 2);
	CHECK(module_debug(&m) == &m.debug.elf);
	CHECK(!module_dwarf(&m, &why));
	CHECK_STR(why.text, DEBUG_OF("aa") " has no debug information");
	CHECK(!module_dwarf(&m, NULL));
	CHECK_EQ(d.asked, 2);
	module_close(&m);
	CHECK_EQ(d.unmaps, 2);
}

static size_t put_crc(uint8_t *to, const uint8_t *p, size_t n)
{
	uint32_t crc = crc32_of(0, p, n);

	memcpy(to, &crc, 4);
	return 4;
}

/* n bytes as an xz file that leaves them as they are: one block, one chunk, no check. Returns its length. */
static size_t xz_of(uint8_t *to, const uint8_t *p, size_t n)
{
	static const uint8_t head[] = { 0xfd, '7', 'z', 'X', 'Z', 0, 0, 0 };
	static const uint8_t block[] = { 2, 0, 0x21, 1, 0, 0, 0, 0 };
	const uint8_t chunk[] = { 1, (uint8_t)((n - 1) >> 8), (uint8_t)(n - 1) };
	size_t at = sizeof(head), room = 12 + sizeof(chunk) + n + 1, index;

	memcpy(to, head, at);
	at += put_crc(to + at, to + 6, 2);
	memcpy(to + at, block, sizeof(block));
	at += 8 + put_crc(to + at + 8, to + at, 8);
	memcpy(to + at, chunk, sizeof(chunk));
	memcpy(to + at + 3, p, n);
	at += 3 + n;
	memset(to + at, 0, 4);
	at = (at + 1 + 3) & ~(size_t)3;
	index = at;
	to[at++] = 0;
	to[at++] = 1;
	to[at++] = (uint8_t)(0x80 | room);
	to[at++] = (uint8_t)(room >> 7);
	to[at++] = (uint8_t)(0x80 | n);
	to[at++] = (uint8_t)(n >> 7);
	for (; (at - index) % 4; at++)
		to[at] = 0;
	at += put_crc(to + at, to + index, at - index);
	to[at + 4] = (uint8_t)((at - index) / 4 - 1);
	memset(to + at + 5, 0, 5);
	put_crc(to + at, to + at + 4, 6);
	memcpy(to + at + 10, "YZ", 2);
	return at + 12;
}

TEST(module_has_the_symbols_that_are_packed_into_it)
{
	static uint8_t packed[40000];
	struct disk d = { 0 };
	struct image_files files = { .arg = &d, .map = map, .unmap = unmap };
	struct module m;
	size_t n;

	add(&d, "mini", "packed", 0xaa);
	n = xz_of(packed, d.file[0].p, d.file[0].n);
	for (int damaged = 0; damaged < 2; damaged++) {
		struct build b = BUILD_AARCH64;

		packed[n - 13] ^= damaged;   /* the last byte of the index */
		build_section(&b, ".text", (struct elf_section){
			.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = 0x400, .size = 64,
		}, (uint8_t[64]){ 0 });
		build_section(&b, ".gnu_debugdata", (struct elf_section){ .type = 1, .size = n }, packed);
		build_finish(&b);
		d.file[1].path = "/bin/p";
		d.file[1].p = guard_dup(b.v, b.n);
		d.file[1].n = b.n;
		d.n = 2;
		CHECK_EQ(module_open(&m, &files, &(struct module_want){ .path = "/bin/p" }, NULL), 0);
		CHECK_EQ(module_functions(&m, FUNCTIONS_BEST, NULL), 0);
		CHECK_STR(name_at(&m, 0x41f), damaged ? "none" : "packed");
		CHECK(!module_dwarf(&m, NULL));
		module_close(&m);
	}
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(module_takes_no_debug_file_of_another_build)
{
	struct disk d = { 0 };
	struct image_files files = { .arg = &d, .map = map, .unmap = unmap };
	struct module_want named = { .path = "/bin/p", .debug = "/other" };
	struct module m;
	struct err e = { 0 };

	add(&d, "/bin/p", NULL, 0xbb);
	add(&d, DEBUG_OF("bb"), "wrong", 0xaa);
	add(&d, "/other", "other", 0xcc);
	CHECK_EQ(module_open(&m, &files, &(struct module_want){ .path = "/bin/p" }, NULL), 0);
	CHECK(!module_debug(&m));
	CHECK(!module_debug(&m));
	CHECK_EQ(d.asked, 2);
	module_close(&m);
	CHECK_EQ(module_open(&m, &files, &named, &e), -ESTALE);
	CHECK_STR(e.text, "/other is not of /bin/p: its build id is another one");
	named.debug = "/none";
	CHECK_EQ(module_open(&m, &files, &named, &e), -ENOENT);
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(module_that_was_another_build_is_told)
{
	struct disk d = { 0 };
	struct image_files files = { .arg = &d, .map = map, .unmap = unmap };
	struct module_want foreign = { .path = "/bin/p", .arch = &arch_x86_64 };
	struct module m;

	add(&d, "/bin/p", "p", 0xaa);
	add(&d, "/bin/q", "q", 0xbb);
	CHECK_EQ(module_open(&m, &files, &(struct module_want){ .path = "/bin/p", .id = id_of(0xaa) }, NULL), 0);
	module_close(&m);
	CHECK_EQ(module_open(&m, &files, &(struct module_want){ .path = "/bin/q", .id = id_of(0xaa) }, NULL), -ESTALE);
	CHECK_EQ(module_open(&m, &files, &foreign, NULL), -ESTALE);
	CHECK_EQ(d.maps, d.unmaps);
}

TEST(kernel_modules_have_one_name)
{
	char buf[16];

	CHECK_EQ(kernel_module_name("/lib/modules/6.1/kernel/sound/snd-pcm.ko.xz", buf, sizeof(buf)), 7);
	CHECK_STR(buf, "snd_pcm");
	CHECK_EQ(kernel_module_name("a-name-that-does-not-fit", buf, sizeof(buf)), 15);
	CHECK_STR(buf, "a_name_that_doe");
	CHECK(kernel_module_is("snd-pcm", SV("snd_pcm")));
	CHECK(kernel_module_is("/x/snd_pcm.ko", SV("snd-pcm")));
	CHECK(!kernel_module_is("snd", SV("snd_pcm")));
	CHECK(!kernel_module_is("snd_pcm_oss", SV("snd_pcm")));
	CHECK(!kernel_module_is("ext4", SV("")));
}

TEST(kernel_files_are_found_where_they_are_put)
{
	static const char dep[] = "kernel/drivers/x.ko.xz: kernel/fs/y.ko.xz\nkernel/sound/snd-pcm.ko.xz:\n";
	static const struct {
		const char *path, *symfs, *module;
		uint8_t id, wanted;
		bool found;
	} all[] = {
		{ "vmlinux", NULL, NULL, 0xaa, 0xaa, true },
		{ "/boot/vmlinux-6.1", NULL, NULL, 0xaa, 0xaa, true },
		{ "/boot/vmlinux-6.1", NULL, NULL, 0xaa, 0xbb, false },
		{ "/boot/vmlinux-6.1", NULL, NULL, 0xaa, 0, true },
		{ "/fs/usr/lib/debug/boot/vmlinux-6.1.debug", "/fs", NULL, 0xaa, 0xaa, true },
		{ "/lib/modules/6.1/build/vmlinux", NULL, NULL, 0xaa, 0xaa, true },
		{ "/lib/modules/6.1/vmlinux", "/fs", NULL, 0xaa, 0xaa, false },
		{ DEBUG_OF("aa"), NULL, NULL, 0xaa, 0xaa, true },
		{ DEBUG_OF("aa"), NULL, "snd_pcm", 0xaa, 0xaa, true },
		{ "/usr/lib/debug/lib/modules/6.1/kernel/sound/snd-pcm.ko", NULL, "snd_pcm", 0xaa, 0xaa, true },
		{ "/lib/modules/6.1/kernel/sound/snd-pcm.ko", NULL, "snd-pcm", 0xaa, 0xaa, true },
		{ "/lib/modules/6.1/kernel/sound/snd-pcm.ko", NULL, "snd_pcm", 0xaa, 0xbb, false },
		{ "/lib/modules/6.1/kernel/fs/y.ko", NULL, "y", 0xaa, 0xaa, false },
		{ "/opt/y.ko", NULL, "/opt/y.ko", 0xaa, 0xaa, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct disk d = { 0 };
		struct image_files files = { .arg = &d, .map = map, .unmap = unmap };
		struct kernel_file_want w = {
			.module = all[i].module, .symfs = all[i].symfs, .release = "6.1",
			.is_useful = image_has_symbols,
		};
		struct module m;

		if (all[i].wanted)
			w.id = id_of(all[i].wanted);
		add(&d, all[i].path, "start", all[i].id);
		d.file[d.n].path = "/lib/modules/6.1/modules.dep";
		d.file[d.n].p = guard_dup(dep, sizeof(dep) - 1);
		d.file[d.n++].n = sizeof(dep) - 1;
		if (!all[i].found) {
			CHECK(!kernel_file_find(&m, &files, &w));
		} else {
			CHECK(kernel_file_find(&m, &files, &w));
			CHECK_STR(m.code.path, all[i].path);
			CHECK_EQ(kernel_file_shift(&m, "start", 0x10400), 0x10000);
			CHECK_EQ(kernel_file_shift(&m, "none", 0x10400), 0);
			CHECK_EQ(kernel_file_shift(&m, "start", 0), 0);
			module_close(&m);
		}
		w.is_useful = image_has_debug;
		CHECK(!kernel_file_find(&m, &files, &w));
		CHECK_EQ(d.maps, d.unmaps);
	}
}
