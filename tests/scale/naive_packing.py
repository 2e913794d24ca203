"""The obvious version of packing: codes as Python integers, payloads as lists of bits."""

BLOCK = 8


def small(code: int, signed: bool) -> int:
    """The number that is packed: 2 c or -2 c - 1 where codes have signs."""
    if not signed:
        return code
    return -2 * code - 1 if code < 0 else 2 * code


def blocks_of(row: list[int], K: int) -> list[list[int]]:
    """The numbers of eight hands that follow each other, context by context; what is missing is zero."""
    row = row + [0] * (-len(row) % (BLOCK * K))
    return [
        [row[first + hand * K + context] for hand in range(BLOCK)]
        for first in range(0, len(row), BLOCK * K)
        for context in range(K)
    ]


def packed(rows: list[tuple[list[int], int]], signed: bool, itemsize: int) -> tuple[list[int], bytes]:
    """The widths of all blocks and the payload of rows of codes, each with the number of its contexts.

    Codes of two bytes are two rows: of their low bytes, and of their high bytes.
    """
    widths, payload = [], bytearray()
    for row, K in rows:
        numbers = [small(code, signed) for code in row]
        for byte in range(itemsize):
            for block in blocks_of([number >> 8 * byte & 255 for number in numbers], K):
                width = max(number.bit_length() for number in block)
                widths.append(width)
                number = sum(value << (place * width) for place, value in enumerate(block))
                payload += number.to_bytes(width, "little")
    return widths, bytes(payload)


def paired(widths: list[int]) -> bytes:
    """Two widths to a byte, the first one lowest."""
    widths = widths + [0] * (len(widths) % 2)
    return bytes(low | high << 4 for low, high in zip(widths[::2], widths[1::2], strict=True))
