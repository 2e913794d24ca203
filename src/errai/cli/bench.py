"""`errai bench`: what the engine computes, as a signature, and how fast."""

from __future__ import annotations

from typing import Annotated

import typer

from errai.cli.options import Json


def bench(
    json: Json = False,
    seconds: Annotated[float, typer.Option(metavar="S", help="Seconds for each number of contexts.")] = 1.0,
) -> None:
    """Print a signature of what the engine computes, and the speed of its kernels.

    The signature is a hash of the regrets after fixed iterations of Leduc, Rhode Island hold'em and a river
    spot on one thread. It is the same on every run; a change to the engine that alters it alters results.

    The speed is in information-set updates a second on one core, for a river of hold'em that is entered in so
    many ways (contexts): the best of several repeats.

    \b
    Examples:
      errai bench
      errai bench --seconds 5 --json
    """
    from errai.engine.bench import CONTEXTS, SIGNED, combined, river_throughput, signatures
    from errai.errors import ErraiError

    if not 0 < seconds < float("inf"):
        raise ErraiError(f"--seconds must be more than 0, not {seconds:g}")
    parts = signatures()
    speeds = [river_throughput(contexts, seconds) for contexts in CONTEXTS]
    if json:
        from errai.cli.output import print_json

        print_json(
            {
                "signature": combined(parts),
                "signatures": parts,
                "river_updates_per_second": {str(s.contexts): s.updates_per_second for s in speeds},
            }
        )
        return
    print(f"signature {combined(parts)}")
    for name, iterations in SIGNED:
        print(f"  {name:<14}{iterations:>6,} iterations   {parts[name]}")
    print("\nriver round, one core")
    print("  contexts   million information-set updates a second")
    for speed in speeds:
        print(f"  {speed.contexts:>8}{speed.updates_per_second / 1e6:>10.1f}")
