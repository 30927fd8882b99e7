"""Files as accidents and attackers leave them: copies of a good one with something wrong. Never the same twice."""

from __future__ import annotations

import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable

Mutation = Callable[[bytes, random.Random], bytes]

_NUMBERS = (
    *(b"0", b"-1", b"1e308", b"-1e308", b"nan", b"inf", b"2147483648", b"-9223372036854775809"),
    *(
        b"9" * 400,
        b"0." + b"0" * 300 + b"1",
        b"",
        b"PT99999999999H0M0S",
        b"9999-12-31T23:59:59",
        b"0001-01-01T00:00:00",
    ),
    *(b"99999-13-45", "٣".encode(), b"1_000", b"0x10"),
)
_BITS = (
    b"\0",
    b"\0" * 64,
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\xed\xa0\x80",
    b"&#0;",
    b"]]>",
    b"\x1a",
    b'"',
    b"\t\t",
)
_ELEMENT = re.compile(rb"<(\w+)\b[^<>]*>[^<]*</\1>|<\w+\b[^<>]*/>")
_NUMBER = re.compile(rb"-?\d+(\.\d+)?")


def flip(data: bytes, numbers: random.Random) -> bytes:
    """A few bytes are others."""
    changed = bytearray(data)
    for _ in range(numbers.randint(1, 12)):
        changed[numbers.randrange(len(changed))] = numbers.randrange(256)
    return bytes(changed)


def cut(data: bytes, numbers: random.Random) -> bytes:
    """The end is missing."""
    return data[: numbers.randrange(len(data))]


def drop(data: bytes, numbers: random.Random) -> bytes:
    """A stretch is missing."""
    start = numbers.randrange(len(data))
    return data[:start] + data[start + numbers.randint(1, 200) :]


def repeat(data: bytes, numbers: random.Random) -> bytes:
    """A stretch is there several times."""
    start = numbers.randrange(len(data))
    stretch = data[start : start + numbers.randint(1, 2000)]
    return data[:start] + stretch * numbers.randint(2, 20) + data[start:]


def swap_lines(data: bytes, numbers: random.Random) -> bytes:
    """Lines are in another order, some of them twice or gone."""
    lines = data.splitlines(keepends=True)
    for _ in range(numbers.randint(1, 5)):
        at = numbers.randrange(len(lines))
        lines[at] = numbers.choice((b"", lines[at] * 2, lines[numbers.randrange(len(lines))]))
    return b"".join(lines)


def change_elements(data: bytes, numbers: random.Random) -> bytes:
    """Elements of XML are missing, doubled, or stand in another's place."""
    found = list(_ELEMENT.finditer(data))
    if not found:
        return swap_lines(data, numbers)
    for chosen in sorted(numbers.sample(found, min(len(found), numbers.randint(1, 5))), key=lambda m: -m.start()):
        other = numbers.choice((b"", chosen[0] * 2, numbers.choice(found)[0]))
        data = data[: chosen.start()] + other + data[chosen.end() :]
    return data


def change_numbers(data: bytes, numbers: random.Random) -> bytes:
    """Numbers are huge, negative, or none at all."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return flip(data, numbers)
    for chosen in sorted(numbers.sample(found, min(len(found), numbers.randint(1, 4))), key=lambda m: -m.start()):
        data = data[: chosen.start()] + numbers.choice(_NUMBERS) + data[chosen.end() :]
    return data


def put_in(data: bytes, numbers: random.Random) -> bytes:
    """Bytes that mean something to readers stand where nobody wrote them."""
    for _ in range(numbers.randint(1, 4)):
        at = numbers.randrange(len(data) + 1)
        data = data[:at] + numbers.choice(_BITS) + data[at:]
    return data


def recode(data: bytes, numbers: random.Random) -> bytes:
    """The text is in another encoding than it says."""
    text = data.decode("utf-8", "replace")
    return text.encode(numbers.choice(("utf-16", "utf-16-be", "utf-32", "cp1252", "cp037", "utf-7")), "replace")


def nest(data: bytes, numbers: random.Random) -> bytes:
    """An element holds another, which holds another, and so on; without elements, a cell of brackets."""
    depth = numbers.choice((50, 300, 5_000, 100_000))
    found = list(_ELEMENT.finditer(data))
    if not found:
        at = numbers.randrange(len(data))
        return data[:at] + b"(" * depth + data[at:]
    chosen = numbers.choice(found)
    tag = re.match(rb"<(\w+)", chosen[0])[1]
    deep = b"<%s>" % tag * depth + b"</%s>" % tag * depth
    return data[: chosen.start()] + deep + data[chosen.end() :]


def bomb(data: bytes, numbers: random.Random) -> bytes:
    """Entities that name each other are declared and used; without XML, one line is very long."""
    if b"<" not in data[:200]:
        at = numbers.randrange(len(data))
        return data[:at] + numbers.choice((b"a", b",", b'""', b"1FS+1d,", b"\t")) * 500_000 + data[at:]
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol"}">' for n in range(12))
    start = data.find(b"?>") + 2 if data.lstrip()[:2] == b"<?" else 0
    return data[:start] + f"<!DOCTYPE a [{entities}]>".encode() + data[start:].replace(b"</", b"&e11;</", 1)


MUTATIONS: tuple[Mutation, ...] = (
    *(flip, cut, drop, repeat, swap_lines, change_elements, change_numbers, put_in, recode, nest, bomb),
)


def mutate(data: bytes, numbers: random.Random) -> bytes:
    """A file with something wrong; of a workbook, in one of its parts or in the zip itself."""
    if data[:4] == b"PK\x03\x04" and numbers.random() < 0.8:
        return _repacked(data, numbers)
    for _ in range(numbers.choice((1, 1, 1, 2, 3))):
        if data:
            data = numbers.choice(MUTATIONS)(data, numbers)
    return data


def _repacked(data: bytes, numbers: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    chosen = numbers.choice(list(members))
    if numbers.random() < 0.1:
        members[chosen] = members[chosen][:200] + b" " * numbers.choice((1 << 22, 1 << 25)) + members[chosen][200:]
    else:
        members[chosen] = numbers.choice(MUTATIONS)(members[chosen] or b" ", numbers)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=zlib.Z_BEST_SPEED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()
