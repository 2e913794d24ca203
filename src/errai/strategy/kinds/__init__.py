"""The kinds of strategies, each in a file of its own, and how a saved one finds its kind.

A kind is a subclass of `errai.strategy.strategy.Strategy` with a class method `open(folder, content)`. To add one,
write its file and name it in `KINDS`; a best response that walks the real game is named in errai.measure.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from errai.errors import ErraiError

KINDS = {
    "exact": "errai.strategy.kinds.exact:ExactStrategy",
    "subgames": "errai.strategy.kinds.subgames:SubgameStrategy",
    "buckets": "errai.strategy.kinds.buckets:BucketStrategy",
    "sequence": "errai.strategy.kinds.sequence:SequenceStrategy",
    "jamfold": "errai.strategy.kinds.jamfold:JamFoldStrategy",
    "tournament": "errai.strategy.kinds.tournament:TournamentStrategy",
    "chart": "errai.strategy.kinds.chart:ChartStrategy",
    "rule": "errai.strategy.kinds.rule:RuleStrategy",
}


def kind_of(name: object) -> Any:
    """The class of a kind, loaded when it is first needed."""
    if name not in KINDS:
        raise ErraiError(f"unknown kind of strategy {name!a}: this Errai opens {', '.join(KINDS)}")
    module, _, attribute = KINDS[str(name)].partition(":")
    return getattr(import_module(module), attribute)
