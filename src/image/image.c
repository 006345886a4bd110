/* image.c - map an ELF file, and translate between its addresses and offsets. */
#include "image/image.h"

#include "obj/elf/symbols.h"

static int map(const struct image *img, const struct image_inside *in, const uint8_t **p, size_t *n)
{
	const struct image_files *f = img->files;

	if (in)
		return f->map_inside ? f->map_inside(f->arg, in, img->path, p, n) : -ENOENT;
	return f->map ? f->map(f->arg, img->path, p, n) : -ENOENT;
}

int image_open(struct image *img, const struct image_files *files, const struct image_inside *in, const char *path,
	       struct err *e)
{
	const uint8_t *bytes;
	int r;

	*img = (struct image){ .files = files, .path = strdup(path) };
	if (!img->path)
		return err_nomem(e);
	r = map(img, in, &bytes, &img->n);
	if (r < 0) {
		err_set(e, -r, "cannot open %s: %s", path, err_name(-r));
		image_close(img);
		return r;
	}
	img->bytes = bytes;
	r = elf_init_mapped(&img->elf, img->bytes, img->n, mapped_find(files->mapped, img->bytes), e);
	if (r) {
		err_wrap(e, "%s", path);
		image_close(img);
	}
	return r;
}

int image_borrow(struct image *img, const uint8_t *bytes, size_t n, struct err *e)
{
	*img = (struct image){ .bytes = bytes, .n = n };

	int r = elf_init(&img->elf, bytes, n, e);

	if (r)
		image_close(img);
	return r;
}

int image_take(struct image *img, uint8_t *bytes, size_t n, const char *path, struct err *e)
{
	int r = image_borrow(img, bytes, n, e);

	img->own = bytes;
	if (!r && !(img->path = strdup(path)))
		r = err_nomem(e);
	if (r)
		image_close(img);
	return r;
}

void image_close(struct image *img)
{
	if (img->bytes && img->files && img->files->unmap)
		img->files->unmap(img->files->arg, img->bytes, img->n);
	img->bytes = NULL;
	free(img->own);
	free(img->path);
	img->own = NULL;
	img->path = NULL;
}

void image_passed(void *arg, const void *bytes, size_t n)
{
	const struct image_files *files = arg;

	if (files && files->forget)
		files->forget(files->arg, bytes, n);
}

bool image_was_cut(const struct image *img)
{
	return img->files && mapped_was_cut(mapped_find(img->files->mapped, img->bytes));
}

bool image_has_symbols(const struct image *img)
{
	struct elf_symbols t;

	return elf_symbols_static(&img->elf, &t);
}

bool image_has_debug(const struct image *img)
{
	struct elf_section s;

	return elf_section_find(&img->elf, ".debug_info", &s) || elf_section_find(&img->elf, ".zdebug_info", &s);
}

bool image_offset(const struct image *img, uint64_t addr, uint64_t *offset)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(&img->elf, i, &s); i++) {
		if (s.type != ELF_PT_LOAD || addr < s.vaddr || addr - s.vaddr >= s.filesz)
			continue;
		*offset = addr - s.vaddr + s.offset;
		return true;
	}
	return false;
}

bool image_addr(const struct image *img, uint64_t offset, uint64_t *addr)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(&img->elf, i, &s); i++) {
		if (s.type != ELF_PT_LOAD || !(s.flags & ELF_PF_X) || offset < s.offset ||
		    offset - s.offset >= s.filesz)
			continue;
		*addr = offset - s.offset + s.vaddr;
		return true;
	}
	return false;
}

bool image_is_code(const struct image *img, uint64_t addr)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(&img->elf, i, &s); i++)
		if (s.type == ELF_PT_LOAD && s.flags & ELF_PF_X && addr >= s.vaddr && addr - s.vaddr < s.filesz)
			return true;
	return false;
}
