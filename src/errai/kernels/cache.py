"""Keeps compiled kernels true to their sources.

Numba caches a kernel next to its file and compiles again when that file changes, but not when a kernel that it
calls in another file does. So a package of kernels carries a stamp of all its sources: when the stamp is not
theirs, its cache is emptied.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

_STAMP = "kernels.stamp"


def discard_stale(package: Path, *others: Path) -> None:
    """Empty the package's cache of kernels if its sources, or those of other packages it calls, have changed."""
    digest = hashlib.sha256()
    for folder in (package, *others):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.read_bytes())
    stamp = digest.hexdigest()
    cache = package / "__pycache__"
    with contextlib.suppress(OSError):
        known = cache / _STAMP
        if known.exists() and known.read_text() == stamp:
            return
        for pattern in ("*.nbi", "*.nbc"):
            for old in cache.glob(pattern):
                old.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        known.write_text(stamp)
