/*
 * jitelf.c - writes the header, segments, .text, .eh_frame, .eh_frame_hdr, note, .symtab, .strtab, .shstrtab, section
 * headers.
 */
#include "obj/jit/jitelf.h"

#include "base/map.h"

#include <elf.h>

enum { NOTE = 12 + 4 + BUILD_ID_MAX, SYMBOLS = 2 * sizeof(Elf64_Sym) };
enum { TEXT = 1, EH_FRAME, EH_FRAME_HDR, ID, SYMTAB, STRTAB, SHSTRTAB, SECTIONS };

static const char names[] = "\0.text\0.eh_frame\0.eh_frame_hdr\0.note.gnu.build-id\0.symtab\0.strtab\0.shstrtab";

struct layout {
	Elf64_Shdr s[SECTIONS];
	uint64_t table;              /* offset of the section headers */
};

struct build_id jitelf_id(const struct jitelf *j)
{
	struct build_id id = { .size = BUILD_ID_MAX };
	uint64_t h[3] = { 1, 2, 3 };

	for (unsigned k = 0; k < ARRAY_SIZE(h); k++) {
		h[k] = hash_u64(h[k] ^ hash_u64(j->load->addr));
		for (uint64_t i = 0; i < j->load->size; i++)
			h[k] = (h[k] ^ j->load->code[i]) * UINT64_C(0x100000001b3);
		for (const char *c = j->load->name; *c; c++)
			h[k] = (h[k] ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
		h[k] = hash_u64(h[k]);
	}
	memcpy(id.v, h, sizeof(id.v));
	return id;
}

/* Offset of the name, which must exist. */
static uint32_t name_of(const char *name)
{
	uint32_t at = 1;

	while (strcmp(names + at, name) != 0)
		at += (uint32_t)strlen(names + at) + 1;
	return at;
}

/* Append a section; empty ones get no space. */
static void put_section(struct layout *l, unsigned i, const char *name, Elf64_Shdr s)
{
	uint64_t before = i > TEXT ? l->s[i - 1].sh_offset + l->s[i - 1].sh_size : JITELF_TEXT;

	s.sh_name = name_of(name);
	s.sh_offset = ALIGN_UP(before, s.sh_addralign);
	if (s.sh_flags & SHF_ALLOC)
		s.sh_addr = s.sh_offset;
	l->s[i] = s;
}

static struct layout lay_out(const struct jitelf *j)
{
	uint64_t rules = cur_left(&j->unwinding) - j->header_size;
	struct layout l = { 0 };

	put_section(&l, TEXT, ".text", (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
						      .sh_size = j->load->size, .sh_addralign = 16 });
	put_section(&l, EH_FRAME, ".eh_frame", (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
							      .sh_size = rules, .sh_addralign = 8 });
	/* Directly behind .eh_frame, as in memory. */
	put_section(&l, EH_FRAME_HDR, ".eh_frame_hdr", (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
								      .sh_size = j->header_size, .sh_addralign = 1 });
	put_section(&l, ID, ".note.gnu.build-id", (Elf64_Shdr){ .sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC,
								 .sh_size = NOTE, .sh_addralign = 4 });
	put_section(&l, SYMTAB, ".symtab", (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_size = SYMBOLS, .sh_link = STRTAB,
							  .sh_info = 2, .sh_entsize = sizeof(Elf64_Sym),
							  .sh_addralign = 8 });
	put_section(&l, STRTAB, ".strtab", (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1,
							  .sh_size = strlen(j->load->name) + 2 });
	put_section(&l, SHSTRTAB, ".shstrtab", (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_size = sizeof(names),
							      .sh_addralign = 1 });
	l.table = ALIGN_UP(l.s[SHSTRTAB].sh_offset + l.s[SHSTRTAB].sh_size, (uint64_t)8);
	return l;
}

static void put_head(const struct jitelf *j, const struct layout *l, struct out *o)
{
	const uint16_t one = 1;
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     *(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = (uint16_t)j->machine, .e_version = EV_CURRENT, .e_entry = JITELF_TEXT,
		.e_phoff = sizeof(h), .e_shoff = l->table, .e_ehsize = sizeof(h), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 3, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS, .e_shstrndx = SHSTRTAB,
	};

	out_bytes(o, &h, sizeof(h));
}

static void put_segment(struct out *o, uint32_t type, uint32_t flags, const Elf64_Shdr *from, const Elf64_Shdr *to)
{
	Elf64_Phdr p = {
		.p_type = type, .p_flags = flags, .p_offset = from->sh_offset, .p_vaddr = from->sh_addr,
		.p_paddr = from->sh_addr, .p_align = from->sh_addralign,
	};

	p.p_filesz = p.p_memsz = to->sh_offset + to->sh_size - from->sh_offset;
	out_bytes(o, &p, sizeof(p));
}

static void put_segments(const struct layout *l, struct out *o)
{
	put_segment(o, PT_LOAD, PF_R | PF_X, &l->s[TEXT], &l->s[ID]);
	put_segment(o, PT_NOTE, PF_R, &l->s[ID], &l->s[ID]);
	put_segment(o, l->s[EH_FRAME_HDR].sh_size ? PT_GNU_EH_FRAME : PT_NULL, PF_R, &l->s[EH_FRAME_HDR],
		    &l->s[EH_FRAME_HDR]);
}

static void fill_to(struct out *o, uint64_t start, uint64_t at)
{
	uint64_t done = o->total - start;

	if (at > done)
		out_fill(o, '\0', (size_t)(at - done));
}

static void put_note(const struct jitelf *j, struct out *o)
{
	struct build_id id = jitelf_id(j);
	uint32_t note[] = { 4, BUILD_ID_MAX, NT_GNU_BUILD_ID };

	out_bytes(o, note, sizeof(note));
	out_bytes(o, "GNU", 4);
	out_bytes(o, id.v, BUILD_ID_MAX);
}

static void put_symbols(const struct jitelf *j, struct out *o)
{
	Elf64_Sym s[2] = { 0 };

	s[1] = (Elf64_Sym){
		.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = TEXT, .st_value = JITELF_TEXT,
		.st_size = j->load->size,
	};
	out_bytes(o, s, sizeof(s));
}

void jitelf_write(const struct jitelf *j, struct out *o)
{
	struct layout l = lay_out(j);
	uint64_t start = o->total;

	put_head(j, &l, o);
	put_segments(&l, o);
	fill_to(o, start, l.s[TEXT].sh_offset);
	out_bytes(o, j->load->code, j->load->size);
	fill_to(o, start, l.s[EH_FRAME].sh_offset);
	out_bytes(o, j->unwinding.pos, cur_left(&j->unwinding));
	fill_to(o, start, l.s[ID].sh_offset);
	put_note(j, o);
	fill_to(o, start, l.s[SYMTAB].sh_offset);
	put_symbols(j, o);
	out_char(o, '\0');
	out_bytes(o, j->load->name, strlen(j->load->name) + 1);
	out_bytes(o, names, sizeof(names));
	fill_to(o, start, l.table);
	out_bytes(o, l.s, sizeof(l.s));
}
