"""What every solution says about itself: how it was found, and the proof of how good it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from errai.engine.progress import Measurement
from errai.figure import draw_convergence
from errai.files.manifest import Saving
from errai.files.writing import write_json

RESULT, FIGURE = "result.json", "convergence.png"


@dataclass(frozen=True)
class Summary:
    """A solution but for its strategy. Values are per game, in the order of the seats, of what is saved."""

    game: str
    method: str
    iterations: int
    seconds: float
    information_sets: int
    value: tuple[float, float]  # of the strategy played against itself
    bounds: tuple[float, float]  # proven bounds of the game's value for seat 0
    best_response: tuple[float, float]  # what each seat wins with a best response to the other
    exploitability: float  # mean of the best responses
    exploitability_mbb: float  # in thousandths of a big blind
    target: float | None  # mbb/g
    converged: bool  # a best response has shown that the target is reached; never without a target
    finished: bool  # a limit was reached; not when the monitor stopped it
    history: tuple[Measurement, ...] = field(repr=False)
    folder: Path | None = field(default=None, kw_only=True)  # where it was saved
    saved: bool = field(default=True, kw_only=True)  # all that was to be; not when the disk was full

    def to_json(self) -> dict[str, Any]:
        """All but the strategy, as JSON holds it."""
        return {
            "game": self.game,
            "method": self.method,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "information_sets": self.information_sets,
            "value": list(self.value),
            "bounds": list(self.bounds),
            "best_response": list(self.best_response),
            "exploitability": self.exploitability,
            "exploitability_mbb": self.exploitability_mbb,
            "target": self.target,
            "converged": self.converged,
            "finished": self.finished,
            "history": [asdict(measured) for measured in self.history],
        }

    def save_summary(self, new: Saving) -> None:
        """Write result.json, and convergence.png where there is something to see, beside a strategy that is saved."""
        with new.beside(RESULT) as path:
            write_json(path, self.to_json())
        if any(measured.iteration > 0 and measured.exploitability_mbb > 0 for measured in self.history):
            with new.beside(FIGURE) as path:
                self.plot(path)

    @property
    def unit(self) -> str:
        """What `exploitability_mbb` and the target are counted in."""
        return "mbb/g"

    def plot(self, path: str | Path) -> None:
        """Draw exploitability against iterations to a .png, .svg or .pdf file."""
        title = (
            f"{self.game}, {self.method}: {self.exploitability_mbb:.3g} {self.unit} "
            f"after {self.iterations:,} iterations in {self.seconds:,.1f} s"
        )
        draw_convergence(Path(path), title, self.history, self.target, self.unit)
