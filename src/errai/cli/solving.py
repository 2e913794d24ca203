"""What `solve` and `endgame` share: the options as they were given, and how they are called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errai.errors import ErraiError


@dataclass(frozen=True)
class Given:
    """The options of `solve` and `endgame`; None where they were not given."""

    method: str | None
    iterations: int | None
    target: float | None
    seconds: float | None
    threads: int | None
    precision: str | None
    strategy: str | None
    out: Path | None
    overwrite: bool
    resume: Path | None
    no_isomorphism: bool
    quiet: bool
    scratch: Path | None = None
    memory: str | None = None
    cluster: str | None = None
    flops: str | None = None
    sample_flops: int | None = None

    def limits(self) -> dict[str, Any]:
        """When to stop."""
        return self.named("iterations", "target", "seconds")

    def settings(self) -> dict[str, Any]:
        """For a new solution of the engine."""
        return {
            **self.limits(),
            **self.named("method", "precision", "strategy", "threads"),
            **self.named("scratch", "memory", "cluster", "flops", "sample_flops"),
            "isomorphism": not self.no_isomorphism,
            "out": self.out,
            "overwrite": self.overwrite,
        }

    def changes(self) -> dict[str, Any]:
        """For a solution of the engine that is resumed."""
        changed = self.named("threads", "memory", "cluster")
        return {**self.limits(), **changed, "out": self.out, "overwrite": self.overwrite}

    def named(self, *names: str) -> dict[str, Any]:
        """Those of these options that were given."""
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def refuse_with_resume(self, **others: object) -> None:
        """Refuse what a checkpoint brings along: `others`, and these options."""
        fixed = {
            **others,
            "--method": self.method,
            "--precision": self.precision,
            "--strategy": self.strategy,
            "--no-isomorphism": self.no_isomorphism or None,
            "--scratch": self.scratch,
            "--flops": self.flops,
            "--sample-flops": self.sample_flops,
        }
        for name, given in fixed.items():
            if given is not None:
                raise ErraiError(f"{name} comes from the checkpoint; leave it out with --resume")
