"""What a perf.data tells of the functions that it hit (simpleperf's FILE2, feature 132), read by its description alone.

file2.py FILE         lines "type path address length name", addresses in hex
file2.py checks FILE  what readers take for granted: one line for each thing that is not so
file2.py strict FILE  the same of a reader that goes through the file once, from its start to its end (Perfetto's trace processor,
                     src/trace_processor/importers/perf: perf_data_tokenizer.cc, perf_session.cc, attrs_section_reader.cc)
file2.py damage FILE OUT SEED   a copy whose section is damaged, but not the rest
"""
import random
import struct
import sys

from convert import message, one

FILE2 = 132
TYPES = ["kernel", "module", "elf", "dex", "map"]


def features(b):
    bits = int.from_bytes(b[72:104], "little")
    table = sum(struct.unpack_from("<QQ", b, 40))
    numbers = [i for i in range(256) if bits >> i & 1]
    return {n: struct.unpack_from("<QQ", b, table + 16 * i) for i, n in enumerate(numbers)}


def files(b):
    at, n = features(b).get(FILE2, (0, 0))
    end = at + n
    while at < end:
        size = struct.unpack_from("<I", b, at)[0]
        assert at + 4 + size <= end, "a message goes beyond its section"
        yield message(b[at + 4:at + 4 + size])
        at += 4 + size


def symbols(m):
    for s in map(message, m[4]):
        yield one(s, 1), one(s, 2), one(s, 3, b"").decode()


def maps(b):
    """The names of the records of mappings."""
    at, n = struct.unpack_from("<QQ", b, 40)
    end = at + n
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", b, at)
        if kind in (1, 10):
            yield b[at + 8 + (32 if kind == 1 else 64):at + size].split(b"\0")[0]
        at += size


def checks(b):
    of = features(b)
    if FILE2 not in of:
        yield "there is no such feature"
        return
    table = sum(struct.unpack_from("<QQ", b, 40))
    if min(o for o, n in of.values()) != table + 16 * len(of):
        yield "the first feature is not behind the table"
    if max(o + n for o, n in of.values()) != len(b):
        yield "there is something behind the last feature"
    if 129 in of:
        yield "META_INFO would make it simpleperf's own"
    names, seen = set(maps(b)), set()
    for m in files(b):
        path = m[1][0]
        if path in seen:
            yield f"{path} is told twice"
        seen.add(path)
        if one(m, 2) == 2 and path not in names:
            yield f"{path} is the name of no mapping"
        last = 0
        for addr, size, name in symbols(m):
            if not name or not size or addr < last:
                yield f"{path}: {name} at {addr:x}, {size} bytes"
            if one(m, 2) == 2 and addr >> 32:
                yield f"{path}: {name} at {addr:x} is above 4 GiB"
            last = addr


SAMPLE, USER = 9, 64
SAMPLE_IP, SAMPLE_TID, SAMPLE_TIME, SAMPLE_ADDR, SAMPLE_ID, SAMPLE_CPU, SAMPLE_STREAM, SAMPLE_IDENTIFIER = (
    1 << n for n in (0, 1, 2, 3, 6, 7, 9, 16))


def id_from_start(sample_type):
    """Where an event's id is in a sample's body; None: nowhere."""
    if sample_type & SAMPLE_IDENTIFIER:
        return 0
    if not sample_type & SAMPLE_ID:
        return None
    return 8 * bin(sample_type & (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR)).count("1")


def id_from_end(sample_type):
    """The same in what stands behind all other records."""
    if sample_type & SAMPLE_IDENTIFIER:
        return 8
    if not sample_type & SAMPLE_ID:
        return None
    return 8 + 8 * bin(sample_type & (SAMPLE_CPU | SAMPLE_STREAM)).count("1")


def attrs(b, data_at):
    """Each event as (sample type, sample_id_all, ids)."""
    attr_size, at, n = struct.unpack_from("<QQQ", b, 16)
    assert attr_size and n % attr_size == 0, "events are cut"
    assert 104 <= at and at + n <= data_at, "events are not in front of the records"
    for e in range(at, at + n, attr_size):
        ids_at, ids_n = struct.unpack_from("<QQ", b, e + attr_size - 16)
        assert ids_n % 8 == 0 and 104 <= ids_at and ids_at + ids_n <= data_at, "ids are not in front of the records"
        yield (struct.unpack_from("<Q", b, e + 24)[0], struct.unpack_from("<Q", b, e + 40)[0] >> 18 & 1,
               struct.unpack_from(f"<{ids_n // 8}Q", b, ids_at))


def strict(b):
    assert b[:8] == b"PERFILE2" and struct.unpack_from("<Q", b, 8)[0] == 104, "another header"
    data_at, data_n = struct.unpack_from("<QQ", b, 40)
    events = list(attrs(b, data_at))
    ids = [i for _, _, some in events for i in some]
    assert ids, "no event has an id"
    assert len(ids) == len(set(ids)), "two events have one id"
    assert len({a for _, a, _ in events}) == 1, "sample_id_all of some events only"
    starts, ends = {id_from_start(t) for t, _, _ in events}, {id_from_end(t) for t, _, _ in events}
    all_have_it = events[0][1]
    assert len(starts) == 1 and (not all_have_it or len(ends) == 1), "ids at different places"
    start, end = starts.pop(), ends.pop()
    assert len(events) == 1 or (start is not None and (not all_have_it or end is not None)), "no ids in the records"
    at, n = data_at, 0
    while at < data_at + data_n:
        kind, _, size = struct.unpack_from("<IHH", b, at)
        assert size >= 8 and at + size <= data_at + data_n, f"a record of {size} bytes at {at}"
        if len(events) > 1 and kind < USER and (kind == SAMPLE or all_have_it):
            place = at + 8 + start if kind == SAMPLE else at + size - end
            number = struct.unpack_from("<Q", b, place)[0]
            assert not number or number in ids, f"a record of type {kind} of no event, at {at}"
        at += size
        n += 1
    at += 16 * sum(bin(x).count("1") for x in b[72:104])
    for o, size in sorted(features(b).values()):
        assert o >= at, f"a feature at {o}, which is before {at}"
        at = o + size
    assert at == len(b), f"{len(b) - at} bytes behind all"
    return n


def damage(b, seed):
    r, (at, n) = random.Random(seed), features(b)[FILE2]
    b = bytearray(b)
    for _ in range(r.choice((1, 3, 30))):
        b[at + r.randrange(n)] = r.choice((0, 0x22, 0x7f, 0x80, 0xff, r.randrange(256)))
    return b


def main(args):
    if args[0] == "damage":
        with open(args[2], "wb") as f:
            f.write(damage(open(args[1], "rb").read(), int(args[3])))
    elif args[0] == "strict":
        try:
            print(strict(open(args[1], "rb").read()), "records")
        except (AssertionError, struct.error) as e:
            sys.exit(f"{args[1]}: {e}")
    elif args[0] == "checks":
        for line in checks(open(args[1], "rb").read()):
            print(line)
    else:
        for m in files(open(args[0], "rb").read()):
            for addr, size, name in symbols(m):
                print(TYPES[one(m, 2)], m[1][0].decode(), f"{addr:x} {size:x} {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
