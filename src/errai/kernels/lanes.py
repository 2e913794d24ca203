"""W numbers side by side in vector registers, as a Numba type.

Numba has no vector type and leaves vectorising to LLVM, which gives up where two rows might overlap: in a
sweep over hands it cannot know that the accumulators of two cards are apart. `Lanes` says it outright:
`load`, `store`, `splat` and + - * on W = 16 floats or doubles compile to plain vector instructions.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

W = 16


class Lanes(types.Type):  # type: ignore[misc]
    """W numbers of one floating type."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype}, {W})")


def _vector(dtype: Any) -> ir.VectorType:
    return ir.VectorType(ir.FloatType() if dtype == types.float32 else ir.DoubleType(), W)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, _vector(lanes.dtype))


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    pointer = builder.gep(array.data, [args[1]])
    return builder.bitcast(pointer, _vector(signature.args[0].dtype).as_pointer())


def _alignment(array_type: Any) -> int:
    return 4 if array_type.dtype == types.float32 else 8


@intrinsic
def load(typing_context, array, offset):
    """array[offset : offset + W] of a flat array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature, args)
        return builder.load(address, align=_alignment(signature.args[0]))

    return Lanes(array.dtype)(array, types.intp), generate


@intrinsic
def load_as(typing_context, array, offset, like):
    """array[offset : offset + W] of a flat array of float32 or uint8, as numbers of the array `like`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held, wanted = signature.args[0].dtype, signature.args[2].dtype
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        one = ir.IntType(8) if held == types.uint8 else ir.FloatType()
        pointer = builder.bitcast(builder.gep(data, [args[1]]), ir.VectorType(one, W).as_pointer())
        lanes = builder.load(pointer, align=1 if held == types.uint8 else 4)
        if held == types.uint8:
            return builder.uitofp(lanes, _vector(wanted))
        return lanes if held == wanted else builder.fpext(lanes, _vector(wanted))

    if array.dtype not in (types.uint8, types.float32):
        return None
    return Lanes(like.dtype)(array, types.intp, like), generate


@intrinsic
def store(typing_context, array, offset, lanes):
    """array[offset : offset + W] = lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature, args)
        builder.store(args[2], address, align=_alignment(signature.args[0]))
        return context.get_dummy_value()

    return types.none(array, types.intp, lanes), generate


@intrinsic
def splat(typing_context, number):
    """The same number in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = ir.VectorType(args[0].type, W)
        nothing = ir.Constant(vector, ir.Undefined)
        zero = ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(nothing, args[0], zero)
        mask = ir.Constant(ir.VectorType(ir.IntType(32), W), [0] * W)
        return builder.shuffle_vector(one, nothing, mask)

    return Lanes(number)(number), generate


def _arithmetic(instruction: str) -> Any:
    @intrinsic
    def apply(typing_context, left, right):
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, instruction)(*args)

        return left(left, right), generate

    return apply


_add, _subtract, _multiply = _arithmetic("fadd"), _arithmetic("fsub"), _arithmetic("fmul")


@overload(operator.add)
def _lanes_add(left, right):
    return (lambda left, right: _add(left, right)) if isinstance(left, Lanes) else None


@overload(operator.sub)
def _lanes_subtract(left, right):
    return (lambda left, right: _subtract(left, right)) if isinstance(left, Lanes) else None


@overload(operator.mul)
def _lanes_multiply(left, right):
    return (lambda left, right: _multiply(left, right)) if isinstance(left, Lanes) else None
