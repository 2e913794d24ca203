"""`errai dealer` and `errai agent`: both sides of the ACPC protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json, Quiet, ThinkTime, Threads


def dealer(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A built-in game or a .game file.")],
    players: Annotated[
        list[str], typer.Option(metavar="NAME", help="The names of both players: give it twice.")
    ],
    hands: Annotated[int, typer.Option(metavar="N", help="Hands of the match.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the cards.")] = 0,
    ports: Annotated[
        str, typer.Option(metavar="P,Q", help="The ports of the players, 0 for any that is free.")
    ] = "0,0",
    host: Annotated[str, typer.Option(metavar="HOST", help="Where to listen.")] = "127.0.0.1",
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The log of the match.  [default: none]")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the log that is there.")] = False,
    t_response: Annotated[float, typer.Option(metavar="S", help="Seconds for one action.")] = 600.0,
    t_hand: Annotated[float, typer.Option(metavar="S", help="Seconds for the actions of a hand.")] = 600.0,
    t_per_hand: Annotated[float, typer.Option(metavar="S", help="Seconds a hand, on average.")] = 7.0,
    start_timeout: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds to wait for a player.  [default: for ever]")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Deal a match to two players who connect, by the ACPC match protocol 2.0.0.

    The ports are printed first, in the order of the players. A player that is lost folds from then on, and the match
    goes on.

    \b
    Examples:
      errai dealer holdem --hands 1000 --players Alice --players Bob --ports 20000,20001 --log match.log
      errai agent holdem 127.0.0.1 20000
      errai agent always-call 127.0.0.1 20001
    """
    from errai.cli.output import print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game
    from errai.play.acpc.dealer import deal_match, open_ports
    from errai.play.acpc.remote import Times
    from errai.play.log import MatchLog
    from errai.views.matches import estimate_text

    if len(players) != 2:
        raise ErraiError(f"players must be two names, not {len(players)}", parameter="players")
    if any(not name.isprintable() or set(name) & set(":|") or not name for name in players):
        raise ErraiError("players: a name has no ':' and no '|'", parameter="players")
    rules = load_game(game)
    times = Times(t_response, t_hand, t_per_hand)
    if min(t_response, t_hand, t_per_hand) <= 0 or hands < 1:
        raise ErraiError("hands and times must be more than 0")
    with MatchLog(log, overwrite) as written, Terminal(quiet) as terminal:
        sockets = open_ports(_ports(ports), host)
        if not json:
            print(" ".join(str(sock.getsockname()[1]) for sock in sockets), flush=True)
        else:
            terminal.say("ports " + " ".join(str(sock.getsockname()[1]) for sock in sockets))
        score, sat = deal_match(
            rules, sockets, players, hands, seed=seed, times=times, to_connect=start_timeout, log=written,
            title=log.stem if log else "match", monitor=terminal,
        )  # fmt: skip
    played, chips = score.hands.samples, int(score.hands.total)
    if json:
        print_json(
            {
                "game": rules.name,
                "players": players,
                "hands": played,
                "chips": [chips, -chips],
                "mean_mbb": score.best.mean_mbb,
                "ci95_mbb": score.best.ci95_mbb,
                "lost": {player.name: player.lost for player in sat if player.lost is not None},
                "invalid_actions": {player.name: player.invalid for player in sat},
            }
        )
    else:
        print(f"SCORE:{chips}|{-chips}:{'|'.join(players)}")
        rows = [("hands", f"{played:,}"), (f"{players[0]} wins", estimate_text(score.best))]
        for player in sat:
            faults = [f"{player.invalid:,} actions that were not allowed"] if player.invalid else []
            faults += [f"{player.ignored:,} lines that were ignored"] if player.ignored else []
            faults += [player.lost] if player.lost is not None else []
            rows += [(player.name, "; ".join(faults))] if faults else []
        print_rows(rows)
    if played < hands:
        raise typer.Exit(130)


def agent(
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="A saved strategy, holdem, always-call, win-rate, ...")
    ],
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where the dealer is.")],
    port: Annotated[int, typer.Argument(metavar="PORT", help="The port of this player.")],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="What players without a game of their own play.  [default: holdem; jam-or-fold nolimit]",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the choices between actions.")] = 0,
    think: ThinkTime = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Sit down at a dealer that speaks the ACPC match protocol 2.0.0, and play until it ends the match.

    \b
    Examples:
      errai agent holdem 127.0.0.1 20000
      errai agent out/leduc localhost 20001
      errai agent holdem+resolve localhost 20000 --think 2s
      errai agent jam-or-fold localhost 20001 --game nolimit-10
    """
    from errai.api.parameters import thread_count
    from errai.cli.progress import Terminal
    from errai.play.acpc.client import sit
    from errai.play.opening import Table, open_agents
    from errai.play.subgame import parse_think

    table = Table(think=parse_think(think), threads=thread_count(threads))
    opened = open_agents([player], game, table)[0]
    with Terminal(quiet) as terminal:
        sitting = sit(opened, host, port, seed=seed, monitor=terminal)
    print(f"{sitting.hands:,} hands, {sitting.chips:+,} chips")


def _ports(text: str) -> list[int]:
    from errai.errors import ErraiError

    parts = text.replace(" ", ",").split(",")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) <= 5 for part in parts):
        raise ErraiError(f"ports must be two numbers such as 20000,20001, not {text!a}", parameter="ports")
    return [int(part) for part in parts]
