/* Protobuf's texts are UTF-8, whatever a recording's are; bytes stay as they are. */
#include "show/pb.h"
#include "t.h"

static bool has(const struct pb *p, const char *want, size_t n)
{
	return !p->error && p->bytes.n == n && !memcmp(p->bytes.v, want, n);
}

#define HAS(p, want) CHECK(has(p, want, sizeof(want) - 1))

TEST(a_text_that_is_no_utf8_gets_replacements)
{
	struct pb p = { 0 };

	pb_str(&p, 1, SV("a\xff\xc3\xa4\xe2\x82"));
	HAS(&p, "\x0a\x0c" "a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd");
	p.bytes.n = 0;
	pb_str(&p, 1, SV("\x80\x80"));
	HAS(&p, "\x0a\x06\xef\xbf\xbd\xef\xbf\xbd");
	p.bytes.n = 0;
	pb_str(&p, 1, SV("\xf0\x9f\x98\x80"));
	HAS(&p, "\x0a\x04\xf0\x9f\x98\x80");
	pb_deinit(&p);
}

TEST(bytes_stay_as_they_are)
{
	struct pb p = { 0 };

	pb_bytes(&p, 2, SV("\xff\x80"));
	HAS(&p, "\x12\x02\xff\x80");
	pb_deinit(&p);
}
