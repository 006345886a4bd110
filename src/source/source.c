/* source.c - what kinds of sources have in common. */
#include "source/source.h"

#include "tracefs/dat/blob.h"

int source_read_formats(struct source *s)
{
	struct perf_head *h = s->head;
	struct tblob blob;
	struct err why;

	tevents_init(&s->trace, (struct tmachine){ .long_size = 8, .swap = h->swap });
	if (!h->tracing.p)
		return 0;
	if (tblob_init(&blob, h->tracing.p, h->tracing.n, &why)) {
		struct err *note = vec_add(&h->notes);

		h->incomplete = true;
		if (note) {
			*note = why;
			err_wrap(note, "formats of the tracepoints");
		}
	}

	int r = tevents_add_blob(&s->trace, &blob, NULL);

	tblob_deinit(&blob);
	return r == -ENOMEM ? r : 0;
}
