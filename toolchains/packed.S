/* The packed constants, and whether they were unpacked: base/packed.h. */
	.section .packed_bytes, "a", %progbits
	.global packed_bytes, packed_bytes_end
packed_bytes:
	.incbin PACKED_BYTES
packed_bytes_end:

	.section .packed_done, "aw", %nobits
	.global packed_done
packed_done:
	.skip 1

	.section .note.GNU-stack, "", %progbits
