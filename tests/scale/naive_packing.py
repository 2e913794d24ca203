"""The obvious version of packing: codes as Python integers, payloads as lists of bits."""

EIGHT = 8
MANY = 256  # hands: in rows that have so many, a block has 16


def small(code: int, signed: bool) -> int:
    """The number that is packed: 2 c or -2 c - 1 where codes have signs."""
    if not signed:
        return code
    return -2 * code - 1 if code < 0 else 2 * code


def width_of(block: list[int]) -> int:
    """Bits of the largest number, an even number above 8."""
    bits = max(number.bit_length() for number in block)
    return bits if bits <= 8 else bits + bits % 2


def blocks_of(row: list[int], K: int) -> list[list[int]]:
    """The numbers of hands that follow each other, context by context; what is missing is zero."""
    hands = 2 * EIGHT if len(row) >= MANY * K else EIGHT
    row = row + [0] * (-len(row) % (hands * K))
    return [
        [row[first + hand * K + context] for hand in range(hands)]
        for first in range(0, len(row), hands * K)
        for context in range(K)
    ]


def packed(rows: list[tuple[list[int], int]], signed: bool) -> tuple[list[int], bytes]:
    """The widths of all blocks and the payload of rows of codes, each with the number of its contexts."""
    widths, payload = [], bytearray()
    for row, K in rows:
        for block in blocks_of([small(code, signed) for code in row], K):
            width = width_of(block)
            widths.append(width)
            number = sum(value << (place * width) for place, value in enumerate(block))
            payload += number.to_bytes(len(block) * width // 8, "little")
    return widths, bytes(payload)


def paired(widths: list[int]) -> bytes:
    """Two widths to a byte: 0 to 8 as they are, then 9 for 10, up to 12 for 16."""
    written = [width if width <= 8 else 8 + (width - 8) // 2 for width in widths]
    written += [0] * (len(written) % 2)
    return bytes(low | high << 4 for low, high in zip(written[::2], written[1::2], strict=True))
