#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damages an image of memory, and checks which records lkstbuf still finds in it.

damage.py headers IMAGE first|second     overwrite that copy of each header
damage.py pages IMAGE zero|noise PERCENT SEED
                                         overwrite pages, except the second copies of headers
damage.py cut IMAGE                      cut IMAGE off in the middle of a buffer's largest extent
damage.py kept IMAGE ALL LEFT            check that LEFT has those records of ALL that are still in
                                         IMAGE, and that LEFT.errors has the number of the others

ALL and LEFT are the output of "lkstbuf print --parts -r --json" for the whole image and for the damaged
one. ALL.errors and LEFT.errors are the messages of lkstbuf. The whole image may have records that
were being written.
"""

import collections
import json
import mmap
import random
import re
import struct
import sys
import zlib

from log import ETYPE, MASK, whole

PAGE = 4096
MAGIC = b"LKSTimg\0"
KIND_AT, LENGTH_AT, COPY_AT = 20, 72, 88  # of struct lkst_image_header
KIND_BUFFER = 1
FLAT = b"makedumpfile\0"


def headers_in(memory):
    """Yield the offset of each header, and which copy it is."""
    at = memory.find(MAGIC)
    while at >= 0:
        if at % PAGE == 0:
            yield at, struct.unpack_from("<I", memory, at + COPY_AT)[0]
        at = memory.find(MAGIC, at + 1)


def headers(path, which):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        gone = [at for at, copy in headers_in(memory) if copy == (which == "second")]
        for at in gone:
            memory[at : at + PAGE] = bytes(PAGE)
    return 0 if gone else "there are no headers"


def pages(path, kind, percent, seed):
    rng = random.Random(int(seed))
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        num = len(memory) // PAGE
        stay = {at // PAGE for at, copy in headers_in(memory) if copy}
        for page in set(rng.sample(range(num), num * int(percent) // 100)) - stay:
            memory[page * PAGE : (page + 1) * PAGE] = bytes(PAGE) if kind == "zero" else rng.randbytes(PAGE)
    return 0


def cut(path):
    with open(path, "r+b") as file:
        with mmap.mmap(file.fileno(), 0) as memory:
            length, at = max(
                (struct.unpack_from("<Q", memory, at + LENGTH_AT)[0], at)
                for at, copy in headers_in(memory)
                if not copy and struct.unpack_from("<I", memory, at + KIND_AT)[0] == KIND_BUFFER
            )
        file.truncate(at + PAGE + length // 2)
    return 0


def records(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def strange(everything, left):
    """Return the records that occur more often in left than in everything.

    Names are not compared, because they may differ. Nor are recids, which may differ if the
    metadata of a buffer is lost.
    """

    def bare(record):
        return tuple(map(str, (record[key] for key in ("cpu", "buffer", "clock", "event_type", "arg"))))

    count = collections.Counter(map(bare, left))
    count.subtract(map(bare, everything))
    return [record for record, num in count.items() if num > 0]


def numbered(those):
    """Return the first arguments of the records of the module death."""
    return {record["arg"][0] for record in those if record["event_type"] == ETYPE}


def unflattened(flat):
    """Return the kdump-compressed file that was written to flat in pieces with offsets."""
    dump = bytearray()
    at = PAGE
    while at + 16 <= len(flat):
        offset, size = struct.unpack_from(">qq", flat, at)
        if offset < 0:
            break
        piece = flat[at + 16 : at + 16 + size]
        dump.extend(bytes(max(0, offset + len(piece) - len(dump))))
        dump[offset : offset + len(piece)] = piece
        at += 16 + size
    return bytes(dump)


def kdump_pages(dump):
    """Yield the contents of each page whose descriptor and data are in the dump."""
    block, sub_header, bitmap = struct.unpack_from("<3i", dump, 428)
    at = (1 + sub_header + bitmap) * block
    first_data = len(dump)
    while at + 24 <= first_data:
        offset, size, flags = struct.unpack_from("<QII", dump, at)
        if size:
            first_data = min(first_data, offset)
        if 0 < size <= len(dump) - offset:
            data = dump[offset : offset + size]
            try:
                yield zlib.decompress(data) if flags & 1 else data
            except zlib.error:
                pass  # a hole, because the dump ends before this piece
        at += 24


def intact(path):
    """Return the first arguments of the module's records that are anywhere in the image.

    Each record is recognized by its own 64 bytes.
    """
    found = set()
    kind = struct.pack("<H", ETYPE)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as image:
        is_kdump = image[: len(FLAT)] == FLAT
        # In an ELF core, page offsets are not multiples of 64, but have the same remainder modulo
        # 64.
        askew = 0 if is_kdump else max(image.find(MAGIC), 0) % 64
        for memory in kdump_pages(unflattened(image)) if is_kdump else [image]:
            at = memory.find(kind)
            while at >= 0:
                if (at - askew) % 64 == 8 and at + 56 <= len(memory):
                    args = struct.unpack_from("<4Q", memory, at + 24)
                    if whole(args):
                        found.add(args[0] & MASK)
                at = memory.find(kind, at + 1)
    return found


def reported(path):
    """Return how many records are missing according to lkstbuf, or None if it cannot know."""
    with open(path) as file:
        text = file.read()
    if "session headers are lost" in text or "no LKST data" in text:
        return None
    return sum(map(int, re.findall(r"(\d+) records (?:are missing|were left out|had not been finished)", text)))


def kept(image, everything_path, left_path):
    everything, left = records(everything_path), records(left_path)
    there = numbered(everything) & intact(image)
    lost = there - numbered(left)
    missing = reported(left_path + ".errors")
    print(f"{len(left)} of {len(everything)} records, {len(there)} of {len(numbered(everything))} of the module")
    wrong = [f"was not there: {record}" for record in strange(everything, left)[:5]]
    if lost:
        wrong.append(f"{len(lost)} undamaged records are not shown: {min(lost):#x}")
    # lkstbuf does not know of a buffer that is missing altogether, so do not count its records.
    cpus = {record["cpu"] for record in left}
    ought = sum(record["cpu"] in cpus for record in everything)
    unfinished = reported(everything_path + ".errors")
    if missing is not None and not ought <= len(left) + missing <= ought + unfinished:
        wrong.append(f"{missing} are said to be missing or left out")
    return wrong or 0


def main():
    command, *args = sys.argv[1:]
    result = {"headers": headers, "pages": pages, "cut": cut, "kept": kept}[command](*args)
    sys.exit("\n".join(result) if isinstance(result, list) else result)


if __name__ == "__main__":
    main()
