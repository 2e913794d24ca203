"""A JSON object with a checksum of itself, by which damage to any of it is found.

{..., "crc32": 1234567890}      the CRC-32 of all the rest, written without spaces and with sorted keys
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errai.errors import ErraiError

KEY = "crc32"


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with the checksum of all the rest."""
    rest = {key: value for key, value in content.items() if key != KEY}
    return {**rest, KEY: _checksum(rest)}


def require_seal(path: Path, content: Mapping[str, Any]) -> None:
    """Refuse the content of a file whose checksum is wrong or missing."""
    if KEY not in content:
        raise ErraiError(f"{path} is damaged: {KEY!r} is missing; it must be saved again")
    wanted, found = content[KEY], sealed(content)[KEY]
    if type(wanted) is not int or found != wanted:
        shown = f"{wanted:08x}" if type(wanted) is int and 0 <= wanted < 1 << 32 else "what it says"
        raise ErraiError(f"{path} is damaged: its checksum is {found:08x} and not {shown}")


def _checksum(content: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(content, sort_keys=True, separators=(",", ":")).encode())
