"""Words of 64 bits anywhere in a row of bytes, for kernels that pack, and floats from their bits.

Numba reads words only where an array of words begins; a packed row has them at any byte.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.bitcast(builder.gep(data, [args[1]]), _WORD.as_pointer())


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
def float_of(typing_context, bits):
    """The 32-bit float that has these bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.FloatType())

    return (types.float32(types.int32), generate) if isinstance(bits, types.Integer) else None
