#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damages an image of memory, and tells what must be left of the log in it.

damage.py headers IMAGE first|second     overwrite that copy of each header
damage.py pages IMAGE zero|noise PERCENT SEED
damage.py kept IMAGE ALL LEFT            are LEFT's records those of ALL that are still in IMAGE?
damage.py subset ALL LEFT                are LEFT's records some of ALL?

ALL and LEFT are what "lkstbuf print -r --json" shows of the whole image and of the damaged one.
"""

import collections
import json
import mmap
import random
import struct
import sys

from log import ETYPE, MASK, whole

PAGE = 4096
MAGIC = b"LKSTimg\0"
COPY_AT = 88  # struct lkst_image_header.copy


def headers(path, which):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        at = memory.find(MAGIC)
        gone = 0
        while at >= 0:
            copy = struct.unpack_from("<I", memory, at + COPY_AT)[0]
            if at % PAGE == 0 and copy == (which == "second"):
                memory[at : at + PAGE] = bytes(PAGE)
                gone += 1
            at = memory.find(MAGIC, at + 1)
    return 0 if gone else "there are no headers"


def pages(path, kind, percent, seed):
    rng = random.Random(int(seed))
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        num = len(memory) // PAGE
        for page in rng.sample(range(num), num * int(percent) // 100):
            memory[page * PAGE : (page + 1) * PAGE] = bytes(PAGE) if kind == "zero" else rng.randbytes(PAGE)
    return 0


def lines_of(path):
    with open(path) as file:
        return file.read().splitlines()


def strange(everything, left):
    """Records that were not there, or not so often. Names of processes and symbols may be lost."""

    def bare(line):
        record = json.loads(line)
        return tuple(map(str, (record[key] for key in ("cpu", "buffer", "recid", "time_ns", "event_type", "arg"))))

    count = collections.Counter(map(bare, lines_of(left)))
    count.subtract(map(bare, lines_of(everything)))
    return [record for record, num in count.items() if num > 0]


def numbered(path):
    """The records of the module death, by their first argument."""
    return {record["arg"][0] for record in map(json.loads, lines_of(path)) if record["event_type"] == ETYPE}


def intact(path):
    """Those that lie somewhere in the image, by themselves, as 64 bytes."""
    found = set()
    kind = struct.pack("<H", ETYPE)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as memory:
        at = memory.find(kind)
        while at >= 0:
            if at % 64 == 8 and at + 56 <= len(memory):
                args = struct.unpack_from("<4Q", memory, at + 24)
                if whole(args):
                    found.add(args[0] & MASK)
            at = memory.find(kind, at + 1)
    return found


def subset(everything, left):
    return [f"was not there: {record}" for record in strange(everything, left)[:5]] or 0


def kept(image, everything, left):
    lost = (numbered(everything) & intact(image)) - numbered(left)
    wrong = subset(everything, left) or []
    if lost:
        wrong.append(f"{len(lost)} undamaged records of {len(numbered(everything))} are not shown: {min(lost):#x}")
    return wrong or 0


def main():
    command, *args = sys.argv[1:]
    result = {"headers": headers, "pages": pages, "kept": kept, "subset": subset}[command](*args)
    sys.exit("\n".join(result) if isinstance(result, list) else result)


if __name__ == "__main__":
    main()
