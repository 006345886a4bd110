/* image.c - map an ELF file, and translate between its addresses and offsets. */
#include "probing/image.h"

int image_open(struct image *img, const struct sys *sys, const char *path, struct err *e)
{
	int r;

	*img = (struct image){ .sys = sys };
	str_copy(img->path, sizeof(img->path), sv_from(path));
	r = sys_map_file(sys, path, &img->bytes, &img->n, e);
	if (r)
		return r;
	r = elf_init_mapped(&img->elf, img->bytes, img->n, mapped_find(sys->mapped, img->bytes), e);
	if (r) {
		err_wrap(e, "%s", path);
		image_close(img);
	}
	return r;
}

void image_close(struct image *img)
{
	if (img->bytes)
		sys_unmap_file(img->sys, img->bytes, img->n);
	img->bytes = NULL;
}

void image_forget(const struct sys *sys, const void *bytes, size_t n)
{
	uintptr_t page = (uintptr_t)sys->page_size(sys), start = ((uintptr_t)bytes + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)bytes + n) & ~(page - 1);

	if (sys->forget && end > start)
		sys->forget(sys, (void *)start, end - start);
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
