"""The obvious version of packing: codes as Python integers, payloads as lists of bits."""

from math import isqrt

BLOCK, SEGMENT = 8, 512


def small(code: int, signed: bool, squares: bool) -> int:
    """The number that is packed: the root of a square, and 2 c or -2 c - 1 where codes have signs."""
    size = isqrt(abs(code)) if squares else abs(code)
    if not signed:
        return size
    return 2 * size - 1 if code < 0 else 2 * size


def width_of(block: list[int]) -> int:
    """Bits of the largest number, an even number above 8."""
    bits = max(number.bit_length() for number in block)
    return bits if bits <= 8 else bits + bits % 2


def blocks_of(row: list[int]) -> list[list[int]]:
    """Eight numbers each, an eighth of a segment apart; what is missing is zero."""
    found = []
    for start in range(0, len(row), SEGMENT):
        segment = row[start : start + SEGMENT]
        count = -(-len(segment) // BLOCK)
        segment += [0] * (count * BLOCK - len(segment))
        found += [segment[block::count] for block in range(count)]
    return found


def packed(rows: list[tuple[list[int], bool]], signed: bool) -> tuple[list[int], bytes]:
    """The widths of all blocks and the payload of rows of codes, each with whether its codes are squares."""
    widths, payload = [], bytearray()
    for row, squares in rows:
        for block in blocks_of([small(code, signed, squares) for code in row]):
            width = width_of(block)
            widths.append(width)
            number = sum(value << (place * width) for place, value in enumerate(block))
            payload += number.to_bytes(width, "little")
    return widths, bytes(payload)


def paired(widths: list[int]) -> bytes:
    """Two widths to a byte: 0 to 8 as they are, then 9 for 10, up to 12 for 16."""
    written = [width if width <= 8 else 8 + (width - 8) // 2 for width in widths]
    written += [0] * (len(written) % 2)
    return bytes(low | high << 4 for low, high in zip(written[::2], written[1::2], strict=True))
