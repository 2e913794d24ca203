"""Everything that reads what a user types or gives as a file, fed with inputs that are nearly right.

An input is understood, or it is an ErraiError of one line. Nothing else may come out of a parser, and a text of
100 kB must not take it more than a moment. Command lines end with one of the documented exit codes, one line on
standard error where that is 2, and then leave nothing behind.
"""

from __future__ import annotations

import io
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy as np

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from tests.hostile.mutations import lengthened, mutated, mutated_json
from tests.hostile.row import Row

SLOW = 5.0  # seconds of the processor for one input; a machine may be slow, but not that slow
HANGS = 60  # seconds after which an input is given up
LONG_SHARE = 0.002  # of the inputs are long
MOST_FAILURES = 20  # of one parser that are listed


class HangsError(Exception):
    """An input took longer than HANGS."""


@dataclass(frozen=True)
class Parser:
    """Something that reads text."""

    name: str
    read: Callable[[str], object]
    valid: Sequence[str]
    times: int  # at scale 1
    long: bool = True  # whether long inputs make sense


def run(scale: float = 1.0, seed: int = 0) -> list[Row]:
    """All parsers, JSON files and command lines; 200,000 inputs at scale 1."""
    with TemporaryDirectory(prefix="errai-fuzz-") as place, _alarm():
        rows = [_fuzz(parser, scale, seed) for parser in parsers(Path(place))]
        rows.append(_fuzz_spots(Path(place) / "spot.json", scale, seed))
        rows.append(_fuzz_files(Path(place), scale, seed))
        rows.append(_fuzz_commands(Path(place), scale, seed))
    return rows


def _fuzz(parser: Parser, scale: float, seed: int) -> Row:
    draw = random.Random(f"{seed} {parser.name}")
    times = max(int(parser.times * scale), 20)
    outcome: Counter[str] = Counter()
    failures: list[str] = []
    for valid in parser.valid:
        if (fault := _fault(parser, valid, outcome)) or outcome.pop("refused", 0):
            failures.append(f"{parser.name}: the valid {shown(valid)} is refused {fault or ''}")
    for place in range(times):
        text = draw.choice(parser.valid)
        is_long = parser.long and (draw.random() < LONG_SHARE or place == 0)
        text = lengthened(text, draw) if is_long else mutated(text, parser.valid, draw)
        if fault := _fault(parser, text, outcome):
            failures.append(f"{parser.name}: {shown(text)}: {fault}")
    return Row(f"fuzz: {parser.name}", times, dict(outcome), failures[:MOST_FAILURES])


def _fault(parser: Parser, text: str, outcome: Counter[str]) -> str | None:
    """What is wrong with how an input ended; None if all is well."""
    began = time.process_time()
    signal.alarm(HANGS)
    try:
        parser.read(text)
        ended = "understood"
    except ErraiError as error:
        ended = "refused"
        if not str(error).strip() or "\n" in str(error):
            return f"an error that is not one line: {shown(str(error))}"
        if len(str(error)) > 2000:
            return f"an error of {len(str(error)):,} characters"
    except HangsError:
        return f"takes more than {HANGS} s"
    except Exception as error:
        return f"{type(error).__name__}: {shown(str(error))}"
    finally:
        signal.alarm(0)
    spent = time.process_time() - began
    outcome[ended] += 1
    return f"took {spent:.1f} s for {len(text):,} characters" if spent > SLOW else None


def shown(text: str) -> str:
    """An input as it can be typed again, its middle left out where it is long."""
    return ascii(text) if len(text) <= 400 else f"{text[:200]!a} ..{len(text):,} characters.. {text[-100:]!a}"


@contextmanager
def _alarm() -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise HangsError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# Parsers


def _histories() -> list[str]:
    """Hands as rooms write them, and as PHH."""
    folder = Path(__file__).parents[1] / "play" / "histories"
    return [file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())]


def _files_of_hands(path: Path, game: GameDefinition) -> Callable[[str], object]:
    """Read a file of hands, stopping at the first that is damaged."""
    from errai.play.reading import read_logs

    def read(text: str) -> object:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read_logs([path], game, strict=True)

    return read


def parsers(place: Path) -> list[Parser]:
    """Everything that reads text."""
    from errai.abstraction.presets import NAMED
    from errai.cards.notation import FULL_DECK
    from errai.cards.ranges import parse_range
    from errai.cli.train import parse_time
    from errai.games.catalogue import builtin_names, load_game
    from errai.games.definition import parse_game
    from errai.games.state import from_log_line, from_match_state, parse_state
    from errai.jamfold.equities import class_number
    from errai.jamfold.hand import Hand
    from errai.jamfold.strategy_csv import read_chart
    from errai.jamfold.tree import hand_rules, parse_hand_rules
    from errai.sequence.builder import number
    from errai.sequence.efg import parse_efg
    from errai.strategy.choosing import chosen_hands, seat_of
    from errai.strategy.files import open_strategy
    from errai.strategy.kinds.rule import RuleStrategy
    from tests.games.nolimit import DEEP, SHORT

    holdem, leduc = load_game("holdem"), load_game("leduc")
    games = {name: load_game(name).text() for name in builtin_names()}
    called, river = RuleStrategy("always-call", holdem), parse_state(holdem, "cc/cc/cc/", "Ks7h2d5c9h")
    efg = Path(__file__).parents[1] / "sequence" / "efg"
    trees = [file.read_text() for file in sorted(efg.glob("*.efg")) if file.stat().st_size < 3000]
    hands = [Hand((one, two), *blinds) for one, two, *blinds in _HANDS]  # type: ignore[arg-type]
    return [
        Parser("cards", _again(FULL_DECK.parse, FULL_DECK.format_cards), _CARDS, 24_000),
        Parser(
            "ranges",
            _again(lambda text: parse_range(text).round(9).tolist(), _written_range),
            _RANGES,
            24_000,
        ),
        Parser("hands of jam or fold", class_number, ["AKs", "72o", "TT", "aks", "5As"], 5_000),
        Parser("numbers", number, ["3", "0.5", "1/3", "-2.25", "1e3", "10"], 15_000),
        Parser("times", parse_time, ["90s", "60m", "2h", "3600", "1.5h"], 5_000),
        Parser("betting of hold'em", _betting(holdem), _BETTING, 20_000),
        Parser("betting of leduc", _betting(leduc), ["", "cc/", "crc/r", "rc/rr"], 5_000),
        Parser("betting without a limit", _betting(DEEP), _NOLIMIT, 10_000),
        Parser("betting with short stacks", _betting(SHORT), ["c", "r6c/", "cr4c/c"], 5_000),
        Parser("hands to look at", lambda text: chosen_hands(called, river, text), _HANDS_ASKED, 5_000),
        Parser("seats", lambda text: seat_of(called, text), ["button", "big blind", "oop", "ip"], 3_000),
        *(
            Parser(f"betting of {name}", _betting(load_game(name)), ["", "c", "rc", "cr", "crc"], 1_000)
            for name in builtin_names()
            if name not in ("holdem", "leduc")
        ),
        Parser("boards", lambda text: parse_state(holdem, "cc/cc/", text), ["Ks7h2d 5c", "2c3c4c5c"], 10_000),
        Parser("lines of the ACPC dealer", lambda text: from_match_state(holdem, text), _MATCH, 15_000),
        Parser("lines of ACPC logs", lambda text: from_log_line(holdem, text), _LOG, 15_000),
        Parser("files of hands", _files_of_hands(place / "hands", holdem), _histories(), 4_000),
        Parser(
            "definitions of games", _again(parse_game, lambda game: game.text()), list(games.values()), 15_000
        ),
        Parser("Gambit files", parse_efg, trees, 8_000),
        Parser("presets of buckets", _again(_rounds, _written_preset), [*NAMED, *NAMED.values()], 10_000),
        Parser("rules of jam or fold", parse_hand_rules, [hand_rules(hand) for hand in hands], 4_000),
        Parser(
            "names of strategies",
            lambda text: open_strategy(text, "leduc"),
            ["always-call", "uniform"],
            4_000,
        ),
        Parser("charts in CSV", _in_file(place / "chart.csv", read_chart), _charts(), 4_000),
    ]


def _in_file(path: Path, read: Callable[[Path], object]) -> Callable[[str], object]:
    def reading(text: str) -> object:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read(path)

    return reading


def _betting(game: GameDefinition) -> Callable[[str], object]:
    from errai.games.state import parse_state

    return _again(lambda text: parse_state(game, text), lambda state: state.betting)


def _again(read: Callable[[str], Any], write: Callable[[Any], str]) -> Callable[[str], object]:
    """What is understood means the same when it is written as Errai writes it and read again."""

    def reading(text: str) -> object:
        found = read(text)
        if read(write(found)) != found:
            raise AssertionError(f"is read as {write(found)}, which is read as something else")
        return found

    return reading


def _written_range(weights: list[float]) -> str:
    from errai.cards.ranges import format_range

    return format_range(np.array(weights))


def _rounds(text: str) -> Sequence[Any]:
    from errai.abstraction.presets import parse_preset

    return parse_preset(text).rounds


def _written_preset(rounds: Sequence[Any]) -> str:
    return "/".join(plan.text for plan in rounds)


def _charts() -> list[str]:
    from errai.jamfold.equities import HANDS

    return [
        "hand,jam,call\n" + "".join(f"{hand},0.5,{place % 2}\n" for place, hand in enumerate(HANDS)),
        "hand,jam_up_to,call_up_to\n"
        + "".join(f"{hand},20+,{place / 10}\n" for place, hand in enumerate(HANDS)),
    ]


_CARDS = ["AsKh", "10h, 9♠", "Qs Jd 2c/3h", "ks7h2d5c9h", "2c"]
_RANGES = ["22+,A2s+,KTo+", "AKs:0.5, QQ-99", "AhKh, AdKd:0.25", "T9s-65s", "all", "A5s-A2s:0.1", "AKs:50%"]
_BETTING = ["", "rc/rc", "crc/cc/", "rrrc/rrrrc/cc/r", "cc/cc/cc/rf", "rf", "Rc/Kb", "raise call / bet"]
_BETTING += ["limp, raise, call / check check / bet fold"]
_NOLIMIT = ["", "r300c/", "r300r900r20000c///", "cc/r200f", "r20000c///", "cr400c/cc/"]
_MATCH = ["MATCHSTATE:0:7:cc/:5d5c|/8dAs8s", "MATCHSTATE:1:0:c:|9hQd", "MATCHSTATE:0:30::5d5c|"]
_LOG = ["STATE:0:rf:5d5c|9hQd:-10|10:alice|bob", "STATE:12:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:10|-10:a|b"]
_HANDS_ASKED = ["AKs", "A5o", "77", "AhKd", "QQ+, A5s", "AhKd, 7c7h"]
_HANDS = [(3000, 5000, 300, 600, 25), (10, 10, 1, 2, 0)]


def _fuzz_spots(path: Path, scale: float, seed: int) -> Row:
    """Spots as JSON, changed in their structure, as solutions save them."""
    from errai.files.reading import read_json, understood
    from errai.games.catalogue import load_game
    from errai.games.spot import spot, whole_game
    from errai.games.spot_json import load_spot, spot_to_json

    holdem, leduc = load_game("holdem"), load_game("leduc")
    spots = [spot(holdem, "Ks7h2d 5c 9h", "rc/rc/rc"), spot(leduc, "2c", "cc/r"), whole_game(leduc)]
    contents = [spot_to_json(where)[0] for where in spots]

    def read(text: str) -> object:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        content = read_json(path)
        with understood(path):
            return load_spot(path.parent, content, None)

    draw = random.Random(f"{seed} spots")
    parser = Parser("spots as JSON", read, [], 0)
    times = max(int(8_000 * scale), 20)
    outcome: Counter[str] = Counter()
    failures = []
    for _ in range(times):
        text = mutated_json(draw.choice(contents), draw)
        if fault := _fault(parser, text, outcome):
            failures.append(f"{parser.name}: {shown(text)}: {fault}")
    return Row(f"fuzz: {parser.name}", times, dict(outcome), failures[:MOST_FAILURES])


# Files of JSON, through the command that checks them


def _fuzz_files(place: Path, scale: float, seed: int) -> Row:
    import json

    draw = random.Random(f"{seed} files")
    folder = place / "saved"
    contents = {}
    for name, arguments in {
        "certificate": ["solve", "kuhn", "--method", "exact", "--out"],
        "proof": [
            "tournament",
            "--chips",
            "800",
            "--sb",
            "100",
            "--bb",
            "200",
            "--step",
            "100",
            "--exact",
            "--out",
        ],
        "hand": ["jamfold", "--stack", "3", "--out"],
        "solution": ["solve", "kuhn", "--iterations", "20", "--threads", "1", "--out"],
    }.items():
        assert _command([*arguments, str(folder / name), "--quiet"], stop=600.0).code == 0
    for path in sorted(folder.glob("*/*.json")):
        if path.name != "table.json":
            contents[path] = json.loads(path.read_text())
    times = max(int(2_500 * scale), 20)
    outcome: Counter[str] = Counter()
    failures: list[str] = []
    for _ in range(times):
        path = draw.choice(list(contents))
        text = mutated_json(contents[path], draw)
        if draw.random() < 0.7:
            text = _sealed(text)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        command = (
            ["verify", str(path)] if path.name in ("certificate.json", "proof.json") else ["strategy", "info"]
        )
        command = command if command[0] == "verify" else [*command, str(path.parent), "--check"]
        ended = _command(command)
        outcome[ended.name] += 1
        if ended.fault:
            failures.append(
                f"{' '.join(command[:2])} {path.parent.name}/{path.name}: {shown(text)}: {ended.fault}"
            )
        path.write_text(json.dumps(contents[path]))
    return Row("fuzz: proofs, certificates and manifests", times, dict(outcome), failures[:MOST_FAILURES])


def _sealed(text: str) -> str:
    """The same with a checksum that is right, as somebody writes who wants it to be believed."""
    import json

    from errai.files.seal import sealed

    try:
        content = json.loads(text)
        return json.dumps(sealed(content)) if isinstance(content, dict) else text
    except (ValueError, RecursionError):
        return text


# Command lines

_COMMANDS: list[list[str]] = [
    ["games"],
    ["games", "--json"],
    ["solve", "kuhn", "--iterations", "5", "--threads", "1"],
    ["solve", "kuhn", "--method", "cfr+", "--iterations", "9", "--threads", "1", "--json"],
    [
        "solve",
        "leduc",
        "--method",
        "dcfr",
        "--iterations",
        "3",
        "--threads",
        "1",
        "--out",
        "leduc",
        "--quiet",
    ],
    ["solve", "kuhn", "--method", "lp"],
    ["solve", "kuhn", "--method", "exact", "--out", "exact", "--overwrite"],
    ["solve", "kuhn", "--seconds", "0.1", "--precision", "float64", "--strategy", "current"],
    ["query", "always-call", "--game", "leduc", "--betting", "c"],
    ["query", "holdem", "--betting", "r", "--hand", "AhKd"],
    ["query", "holdem", "--betting", "r", "--json"],
    ["query", "uniform", "--game", "kuhn", "--betting", "cr", "--hand", "3c"],
    ["strategy", "info", "always-raise", "--game", "kuhn"],
    ["strategy", "info", "holdem", "--json"],
    ["strategy", "check", "uniform"],
    ["strategy", "export", "uniform", "table.csv", "--game", "kuhn"],
    ["strategy", "export", "always-call", "table.json", "--game", "leduc", "--betting", "c"],
    ["strategy", "pack", "nowhere", "--out", "packed", "--levels", "15"],
    ["jamfold", "--stack", "10"],
    ["jamfold", "--stack", "2.5", "--ante", "0.1", "--json"],
    ["jamfold", "--stack", "4", "--hand", "A5s"],
    ["jamfold", "--stacks", "3000", "5000", "--sb", "300", "--bb", "600", "--ante", "25", "--big-blind"],
    ["jamfold", "--stack", "3", "--csv", "hand.csv"],
    ["jamfold", "--stack", "3", "--out", "hand"],
    ["jamfold", "--chart", "--from", "1", "--to", "1.2", "--step", "0.1"],
    ["tournament", "--chips", "800", "--sb", "100", "--bb", "200", "--step", "100", "--threads", "1"],
    ["tournament", "--chips", "800", "--sb", "100", "--bb", "200", "--ante", "100", "--json", "--quiet"],
    ["verify", "exact"],
    ["verify", "nothing.json", "--game", "kuhn"],
    ["export", "kuhn", "kuhn.efg"],
    ["export", "kuhn", "kuhn.efg", "--json"],
    ["exploit", "uniform", "--game", "kuhn"],
    ["exploit", "always-call", "--game", "kuhn", "--threads", "1"],
    ["exploit", "nowhere", "--flops", "4", "--seed", "1"],
    ["endgame", "--board", "Ks7h2d 5c 9h", "--betting", "rc/rc"],
    ["endgame", "--board", "Ks7h2d", "--betting", "rc/rc/rc", "--oop", "QQ+", "--ip", "AKs:0.5"],
    ["abstract", "ehs:2/ehs:2/ehs:2", "--out", "buckets"],
    ["train", "holdem", "nowhere", "--time", "10s", "--out", "trained"],
    ["--version"],
    ["--help"],
    ["solve", "--help"],
]
# What a user may type in the place of a value.
_PLAUSIBLE = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "0.5",
    "1.5",
    "7/3",
    "-1",
    "kuhn",
    "leduc",
    "cfr",
    "dcfr+",
    "AKs",
    "77",
    "c",
    "rc",
    "r",
]
_PLAUSIBLE += [
    "2c",
    "AhKd",
    "uniform",
    "always-fold",
    "holdem",
    "out",
    "table.csv",
    "1s",
    "all",
    "average",
    "current",
]
_EXIT_CODES = {0: "answered", 2: "refused", 130: "stopped"}
_STOP = 3.0  # seconds after which a long command is stopped as by Ctrl-C


@dataclass(frozen=True)
class Ended:
    """How a command line ended."""

    code: object
    fault: str | None

    @property
    def name(self) -> str:
        return _EXIT_CODES.get(self.code, "failed") if isinstance(self.code, int) else "failed"


def _fuzz_commands(place: Path, scale: float, seed: int) -> Row:
    draw = random.Random(f"{seed} commands")
    times = max(int(4_000 * scale), 30)
    outcome: Counter[str] = Counter()
    failures: list[str] = []
    words = sorted({word for command in _COMMANDS for word in command})
    for _ in range(times):
        with TemporaryDirectory(dir=place) as folder, chdir(folder):
            command = mutated_command(draw.choice(_COMMANDS), words, draw)
            ended = _command(command)
            left = sorted(os.listdir(folder))
            outcome[ended.name] += 1
            if ended.fault:
                failures.append(f"errai {command!a}: {ended.fault}")
            elif ended.code == 2 and left:
                failures.append(f"errai {command!a}: is refused and leaves {', '.join(left)}")
    return Row("fuzz: command lines", times, dict(outcome), failures[:MOST_FAILURES])


def mutated_command(command: Sequence[str], words: Sequence[str], draw: random.Random) -> list[str]:
    """A command line with a word too few, too many, or changed."""
    changed = list(command)
    for _ in range(draw.choice((1, 1, 2))):
        at = draw.randrange(len(changed) + 1)
        way = draw.randrange(12)
        if way == 0 and changed:
            del changed[min(at, len(changed) - 1)]
        elif way == 1:
            changed.insert(at, draw.choice(words))
        elif way == 2 and len(changed) > 1:
            other = draw.randrange(len(changed))
            at = min(at, len(changed) - 1)
            changed[at], changed[other] = changed[other], changed[at]
        elif way < 8 and changed:
            at = min(at, len(changed) - 1)
            changed[at] = mutated(changed[at], words, draw)
        elif changed:
            places = [place for place, word in enumerate(changed) if place and not word.startswith("--")]
            if places:
                changed[draw.choice(places)] = draw.choice(_PLAUSIBLE)
    # A process cannot be given these.
    return [word.replace("\0", "")[:60_000] for word in changed]


def _command(command: Sequence[str], stop: float = _STOP) -> Ended:
    """Run a command line in this process; its output must be text that a terminal can show."""
    from errai.cli.main import run as errai

    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors, write_through=True)
        for errors in ("strict", "backslashreplace")
    )
    deadline = time.monotonic() + stop

    def stopping(self: object) -> bool:
        return time.monotonic() > deadline

    code: Any = None
    fault = None
    with (
        mock.patch("errai.cli.progress.Terminal.should_stop", stopping),
        mock.patch("errai.jamfold.chart.MOST_STACKS", 50),
        mock.patch("errai.jamfold.recursive_game.MOST_CHIPS", 20_000),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        signal.alarm(HANGS)
        try:
            code = errai(list(command))
        except HangsError:
            fault = f"takes more than {HANGS} s"
        except SystemExit as error:
            fault = f"leaves by itself with {error.code}"
        except BaseException as error:
            fault = f"{type(error).__name__}: {shown(str(error))}"
        finally:
            signal.alarm(0)
    lines = [line for line in _text(err).splitlines() if line.strip()]
    if fault is None and code not in _EXIT_CODES:
        fault = f"ends with the exit code {code}"
    if fault is None and code == 2 and [line for line in lines if not line.startswith("errai: ")]:
        lines = [line for line in lines if line.startswith("errai: ")] if _is_progress(lines) else lines
    if fault is None and code == 2 and (len(lines) != 1 or not lines[0].startswith("errai: ")):
        fault = f"says {shown(_text(err))}"
    if fault is None and "\x1b" in _text(err) + _text(out):
        fault = "writes an escape character"
    return Ended(code, fault)


def _is_progress(lines: Sequence[str]) -> bool:
    """Whether all lines but the last are of a run that had begun: an estimate, progress."""
    return all(not line.startswith(("Traceback", "  File", "errai: ")) for line in lines[:-1])


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written: io.BytesIO = stream.buffer  # type: ignore[assignment]
    return written.getvalue().decode("utf-8", "replace")


def main() -> None:
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for row in run(scale):
        print(f"{row.what:<45} {row.times:>7,}  {row.outcome}", flush=True)
        for failure in row.failures:
            print("    " + failure)


if __name__ == "__main__":
    main()
