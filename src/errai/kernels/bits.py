"""Words of 64 bits anywhere in a row of bytes, for kernels that pack, and floats from their bits.

Numba reads words only where an array of words begins; a packed row has them at any byte. Eight words are a square of
8 x 8 bytes, which is turned by one or a few shuffles of vector registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)


def _address(context: Any, builder: Any, signature: Any, args: Any, first: int = 0) -> Any:
    data = context.make_array(signature.args[first])(context, builder, args[first]).data
    return builder.bitcast(builder.gep(data, [args[first + 1]]), _WORD.as_pointer())


@intrinsic
def load_word(typing_context, row, offset):
    """The eight bytes of a row from `offset` on, the first of them lowest."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, signature, args), align=1)

    return (types.uint64(row, types.intp), generate) if row.dtype == types.uint8 else None


@intrinsic
def store_word(typing_context, row, offset, word):
    """Eight bytes of a row from `offset` on."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, signature, args), align=1)
        return context.get_dummy_value()

    return (types.none(row, types.intp, types.uint64), generate) if row.dtype == types.uint8 else None


@intrinsic
def transpose(typing_context, source, start, step, target, to, stride):
    """Eight words of a row of bytes, `step` bytes apart, to eight of another: byte j of word i is byte i of word j.

    All are read before the first is written, and they are written one after the other.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number, eight = ir.IntType(32), range(8)
        words, bytes_ = ir.VectorType(_WORD, 8), ir.VectorType(ir.IntType(8), 64)
        lanes = ir.Constant(words, ir.Undefined)
        for i in eight:
            at = builder.add(args[1], builder.mul(args[2], ir.Constant(args[2].type, i)))
            word = builder.load(_address(context, builder, signature, [args[0], at]), align=1)
            lanes = builder.insert_element(lanes, word, ir.Constant(number, i))
        flat = builder.bitcast(lanes, bytes_)
        turned = ir.Constant(ir.VectorType(number, 64), [8 * j + i for i in eight for j in eight])
        lanes = builder.bitcast(builder.shuffle_vector(flat, flat, turned), words)
        for i in eight:
            at = builder.add(args[4], builder.mul(args[5], ir.Constant(args[5].type, i)))
            word = builder.extract_element(lanes, ir.Constant(number, i))
            builder.store(word, _address(context, builder, signature, [*args[:4], at], 3), align=1)
        return context.get_dummy_value()

    if source.dtype != types.uint8 or target.dtype != types.uint8:
        return None
    return types.none(source, types.intp, types.intp, target, types.intp, types.intp), generate


@intrinsic
def float_of(typing_context, bits):
    """The 32-bit float that has these bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.FloatType())

    return (types.float32(types.int32), generate) if isinstance(bits, types.Integer) else None
