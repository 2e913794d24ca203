"""How the kernels are compiled.

The same bits on every CPU: nothing here lets LLVM reorder or fuse arithmetic, so the order of additions is that of
the source, and a multiplication and an addition are always rounded one after the other.
"""

from typing import Any

KERNEL: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}

# Kernels that are only called by other kernels: the wrappers that unpack their tuples of arrays from Python
# objects would be most of what is compiled.
INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **KERNEL}

# Parts of one large kernel, put into it as they are. Compiled on their own, all that they call would be optimised
# once more for each of them.
INLINED: dict[str, Any] = {"inline": "always", **KERNEL}
