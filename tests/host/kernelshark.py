#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""kernelshark.py FILE: count the colours in a picture in the format XWD.

Shades of grey are not counted. Nor are colours that few pixels have, such as those of icons.
"""
import collections
import struct
import sys

DEPTH_24, BITS_32 = 24, 32
MANY = 60   # pixels


def colours(data):
    header = struct.unpack(">25I", data[:100])
    size, depth, width, height = header[0], header[3], header[4], header[5]
    bits, line, entries = header[11], header[12], header[19]
    if depth != DEPTH_24 or bits != BITS_32:
        sys.exit("the picture has %d bits per pixel" % bits)
    start = size + 12 * entries
    found = collections.Counter()
    for y in range(height):
        row = data[start + y * line:start + y * line + 4 * width]
        found.update(row[i:i + 3] for i in range(0, len(row), 4))
    return sum(1 for pixel, number in found.items()
               if number >= MANY and max(pixel) - min(pixel) > 64)


with open(sys.argv[1], "rb") as file:
    print(colours(file.read()))
