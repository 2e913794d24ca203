"""How the kernels are compiled."""

from typing import Any

KERNEL: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}

# Arithmetic may be reordered and fused; no kernel makes infinities or NaNs.
FAST: dict[str, Any] = {"fastmath": True, **KERNEL}

# Kernels that are only called by other kernels: the wrappers that unpack their tuples of arrays from Python
# objects would be most of what is compiled.
INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **KERNEL}

# Parts of one large kernel, put into it as they are. Compiled on their own, all that they call would be optimised
# once more for each of them.
PART: dict[str, Any] = {"inline": "always", **KERNEL}
