# A packed recording as newer perf has it, whose COMPRESSED2 records have their length in front: counted under their own name, and read.
d=$(mktemp -p tests)
python3 -c '
import struct, sys
b = open("tests/data/perf/zstd.data", "rb").read()
off, size = struct.unpack_from("<QQ", b, 40)
out, at = b"", off
while at < off + size:
    kind, misc, n = struct.unpack_from("<IHH", b, at)
    body = b[at + 8:at + n]
    if kind == 81:
        kind, body = 83, struct.pack("<Q", len(body)) + body + bytes(-len(body) % 8)
    out += struct.pack("<IHH", kind, misc, 8 + len(body)) + body
    at += n
tail, head = bytearray(b[off + size:]), bytearray(b[:off])
for i in range(sum(bin(x).count("1") for x in b[72:104])):
    struct.pack_into("<Q", tail, 16 * i, struct.unpack_from("<Q", tail, 16 * i)[0] + len(out) - size)
struct.pack_into("<Q", head, 48, len(out))
sys.stdout.buffer.write(head + out + tail)' >$d
$SONDE report -i $d --stats | grep -E 'TOTAL|COMPRESSED|SAMPLE'
$SONDE --sysroot tests/none report -i $d -s comm -q 2>/dev/null | head -n 3; rm $d
