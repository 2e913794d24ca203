"""The bars of play: lookup agents, AIVAT, and the dealer over TCP; and how fast bots that know their cards are.

    python benchmarks/play.py [lookup] [aivat] [dealer] [bots]

Hands are of hold'em. The agents play the strategy that comes with Errai on hands that are put into its buckets at
random: tables of the real size, without the minutes that the real ones take to make.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import sys
import time

import numpy as np

from errai.abstraction.abstraction import Abstraction, RoundBuckets, lossless_round
from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK
from errai.games.catalogue import load_game
from errai.play.acpc.dealer import deal_match, open_ports
from errai.play.aivat import Estimator
from errai.play.batch import play_batch
from errai.play.lookup import LookupAgent, from_blocks
from errai.play.match import BLOCK, Deals, play_match
from errai.play.opening import open_agents
from errai.play.values import learn_values
from errai.strategy.files import open_strategy

CORES = os.cpu_count() or 1
REPEATS = 5


def agent() -> LookupAgent:
    """The shipped strategy, its buckets at random."""
    strategy = open_strategy("holdem")
    rng, rounds = np.random.default_rng(1), [lossless_round(FULL_DECK, 2, ())]
    for count, public in zip(strategy.counts[1:], (3, 4, 5), strict=True):
        boards = canonical_boards(FULL_DECK, 2, (public,))
        cells = rng.integers(0, count, (len(boards.cards), 1326), dtype=np.uint16)
        rounds.append(RoundBuckets(count, boards, cells))
    abstraction = Abstraction(strategy.game, "random", tuple(rounds))
    return LookupAgent("holdem", strategy, abstraction, from_blocks(strategy), np.uint8)


def lookup() -> None:
    """Hands a second between two lookup agents, one core, after warm-up."""
    player, game = agent(), load_game("holdem")
    deals = Deals(game, 1, False)
    first = np.arange(BLOCK) % 2
    for _ in range(30):  # until nearly all contexts have been read
        play_batch((player, player), deals.next(BLOCK), first, 1)
    rates = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        for _ in range(10):
            play_batch((player, player), deals.next(BLOCK), first, 1).won.sum()
        rates.append(10 * BLOCK / (time.perf_counter() - began))
    show("lookup agents, one core, hands a second", max(rates), 20_000)


def aivat() -> None:
    """Hands a second that AIVAT takes the luck out of, all cores."""
    player, game = agent(), load_game("holdem")
    guess = learn_values(player, hands=10_000, threads=CORES)
    for threads in (1, CORES):
        estimator = Estimator(game, (player, player), (guess, guess), threads)
        deals = Deals(game, 2, False)
        first, rates = np.arange(1000) % 2, []
        estimator.of(play_batch((player, player), deals.next(1000), first, 2))  # first deals of all lines
        for _ in range(REPEATS):
            played = play_batch((player, player), deals.next(1000), first, 2)
            began = time.perf_counter()
            estimator.of(played)
            rates.append(1000 / (time.perf_counter() - began))
        show(f"AIVAT, {threads} thread{'s' if threads > 1 else ''}, hands a second", max(rates), 2_000)


def bot(port: int, action: str) -> None:
    """Answers whatever it is sent with one action, where it is to act: a player of trivial speed."""
    with socket.create_connection(("127.0.0.1", port)) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.sendall(b"VERSION:2.0.0\r\n")
        for line in sock.makefile("rb"):
            _, seat, _, betting, _ = line.split(b":", 4)
            rounds = betting.split(b"/")
            here = rounds[-1]
            if b"f" in betting or (len(rounds) == 4 and here in (b"cc", b"rc", b"crc")):
                continue
            turn = len(here) % 2 ^ (1 if len(rounds) == 1 else 0)
            if int(seat) == turn:
                sock.sendall(line.rstrip() + b":" + action.encode() + b"\r\n")


def dealer() -> None:
    """Hands a second over TCP between two local bots: both fold, both call."""
    game = load_game("holdem")
    for action, hands in (("f", 10_000), ("c", 2_000)):
        rates = []
        for _ in range(3):
            sockets = open_ports((0, 0), "127.0.0.1")
            bots = [
                multiprocessing.get_context("fork").Process(target=bot, args=(sock.getsockname()[1], action))
                for sock in sockets
            ]
            for process in bots:
                process.start()
            time.sleep(0.2)
            began = time.perf_counter()
            deal_match(game, sockets, ("a", "b"), hands)
            rates.append(hands / (time.perf_counter() - began))
            for process in bots:
                process.join(5)
                process.kill()
        words = {"f": "fold", "c": "call"}[action]
        show(f"dealer over TCP, two bots that {words}, hands a second", max(rates), 5_000)


def bots() -> None:
    """Hands a second of two bots that know their chances to win: with what they work out first, and after that."""
    game = load_game("holdem")
    for which in ("the first", "again"):
        agents = open_agents(["pot-odds", "win-rate"], game)
        began = time.perf_counter()
        play_match(game, agents, 10_000, seed=1)
        rate = 10_000 / (time.perf_counter() - began)
        show(f"two bots that know chances, {which} 10,000 hands", rate)


def show(what: str, measured: float, bar: float | None = None) -> None:
    against = "" if bar is None else f"   bar {bar:,.0f}   {'met' if measured >= bar else 'MISSED'}"
    print(f"{what:<58} {measured:>12,.0f}{against}", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or ("lookup", "aivat", "dealer", "bots"):
        {"lookup": lookup, "aivat": aivat, "dealer": dealer, "bots": bots}[name]()
