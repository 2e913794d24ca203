"""What the kinds of strategies say about themselves, in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from errai.engine.evaluation import Evaluation
from errai.files.manifest import MANIFEST
from errai.files.reading import understood
from errai.formatting import duration, figure
from errai.strategy.strategy import Rows, Strategy


def described(strategy: Strategy) -> Rows:
    """What a strategy says about itself; a manifest that lacks what it needs for that is damaged."""
    if strategy.saved is None:
        return strategy.info()
    with understood(strategy.saved.folder / MANIFEST):
        return strategy.info()


def made_by(about: Mapping[str, Any]) -> Rows:
    """How it was found, if that was saved."""
    if "iterations" not in about:
        return []
    method = about.get("algorithm") or about["method"]
    return [("found by", f"{about['iterations']:,} iterations of {method} in {duration(about['seconds'])}")]


def measured_text(figures: Mapping[str, Any] | None) -> str:
    """Its exploitability, with the interval of an estimate."""
    if not figures or figures.get("exploitability_mbb") is None:
        return "not measured"
    mbb = f"{figure(figures['exploitability_mbb'])} mbb/g"
    if (interval := figures.get("interval")) is None:
        return mbb
    low, high = interval
    return f"{mbb}, from a sample of {figures['flops']} flops; 95%: {figure(low)} to {figure(high)}"


def not_below_value(found: Evaluation) -> Evaluation:
    """The same, with best responses that rounding does not take below the value of the strategy itself."""
    best = (max(found.best_response[0], found.value[0]), max(found.best_response[1], found.value[1]))
    return replace(found, best_response=best)


def megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
