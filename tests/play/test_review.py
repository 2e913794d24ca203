"""Logs as they are found, and what a player's decisions cost."""

import json
import string
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errai
from errai.errors import ErraiError
from errai.play.reading import read_logs
from errai.play.review import decisions_of, review, situation
from errai.views.review_page import review_page
from tests.cli.command import errai as command

GAME = errai.load_game("leduc")
HISTORIES = Path(__file__).parent / "histories"


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review") / "leduc"
    errai.solve("leduc", iterations=300, out=folder)
    return folder


@pytest.fixture(scope="module")
def log(leduc):
    path = leduc.parent / "match.log"
    errai.match("random", leduc, hands=60, seed=3, log=path, aivat=False)
    path.write_text(path.read_text().replace("leduc", "Leo"))
    return path


def test_a_log_is_read_whatever_is_around_its_hands(log, tmp_path):
    hands = [line for line in log.read_text().splitlines() if line.startswith("STATE")]
    odd = tmp_path / "odd.log"
    text = "\r\n".join(
        [
            "# a comment",
            "; another",
            "",
            *hands[:20],
            "SCORE:1|-1:a|b",
            "# name/game/hands/seed again",
            *hands[20:],
        ]
    )
    odd.write_bytes(text.encode() + b"\r\nFINISHED at 1.5\r\n\xff\xfe")
    found = read_logs([odd], GAME)
    assert found.faults == []
    plain = read_logs([log], GAME)
    assert [hand.state for hand in found.hands] == [hand.state for hand in plain.hands]
    assert [hand.players for hand in found.hands[:2]] == [("random", "Leo"), ("Leo", "random")]
    assert found.hands[0].place.line == 4
    assert len(read_logs([log, odd], GAME).hands) == 120


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("STATE:7:cc/r", "is no state of a log"),
        ("STATE:7:cc/rrrrr:Ks|Qs/Kh:1|-1:a|b", "is not allowed"),
        ("STATE:7:cc/cc:Ks|Qs/Kh:9|-9:a|b", "its betting and cards say"),
        ("STATE:7:cc/:Ks|Qs/Kh", "the hand is not over"),
        ("STATE:7:cc/cc:Ks|/Kh", "missing"),
        ("STATE:7:cc/cc:Ks|Ks/Kh", "dealt twice"),
        ("STATE:7:cc/cc:Ks|Qs/Kh:1|-1:Ali", "as many players"),
    ],
)
def test_a_bad_hand_is_named_by_file_and_line_and_skipped(log, tmp_path, line, why):
    path = tmp_path / "bad.log"
    good = log.read_text().splitlines()[1:3]
    path.write_text("\n".join([good[0], line, good[1]]))
    found = read_logs([path], GAME)
    assert len(found.hands) == 2
    assert len(found.faults) == 1
    assert found.faults[0].startswith(f"{path}, line 2: ")
    assert why in found.faults[0]
    with pytest.raises(ErraiError, match="line 2"):
        read_logs([path], GAME, strict=True)


@given(
    st.lists(st.text(string.printable, max_size=60) | st.text("STATE:0fcrKQs|/h-19", max_size=40), max_size=8)
)
@settings(max_examples=100)
def test_anything_can_be_read(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("any") / "x.log"
    path.write_text("\n".join(f"STATE:{line}" for line in lines), encoding="utf-8")
    found = read_logs([path], GAME)
    assert all(hand.state.over for hand in found.hands)


def test_every_decision_has_its_loss(leduc, log):
    strategy, hands = errai.load(leduc), read_logs([log], GAME).hands
    found = review(strategy, hands, "random")
    assert found.hands == 60
    assert len(found.decisions) == sum(
        len(decisions_of(hand.state, hand.players.index("random"))) for hand in hands
    )
    assert found.judged == len(found.decisions)
    assert all(one.judgement.loss >= 0 for one in found.decisions)
    own = review(strategy, hands, "Leo")
    # An equilibrium hardly loses by what it does itself; a random player does.
    assert own.loss_mbb < 30 < found.loss_mbb
    assert own.luck.won.mean_mbb == -found.luck.won.mean_mbb
    worst = found.worst(3)
    assert [one.judgement.loss for one in worst] == sorted(
        (one.judgement.loss for one in worst), reverse=True
    )
    values = strategy.decision(worst[0].judgement.state, values=True).values
    number = strategy.hand_number(worst[0].hand.state.hole[worst[0].seat], worst[0].judgement.state)
    best = values[number].max()
    taken = values[number][worst[0].judgement.state.legal().index(worst[0].judgement.action)]
    assert worst[0].judgement.loss == pytest.approx(best - taken)


def test_leaks_add_up(leduc, log):
    found = review(errai.load(leduc), read_logs([log], GAME).hands, "random")
    for of in (lambda one: one.judgement.state.round, lambda one: situation(one.judgement.state)):
        leaks = found.leaks(of).values()
        assert sum(leak.decisions for leak in leaks) == len(found.decisions)
        assert sum(leak.loss for leak in leaks) == pytest.approx(found.loss)


def test_the_command(capsys, leduc, log, tmp_path):
    shown = command(capsys, "review", log, "--strategy", leduc, "--player", "random", "--quiet")
    assert shown.code == 0, shown.err
    assert shown.out.startswith("random: 60 hands")
    assert "by situation" in shown.out
    assert "the costliest decisions" in shown.out
    shown = command(capsys, "review", log, "--strategy", leduc, "--player", "random", "--quiet", "--json")
    told = json.loads(shown.out)
    assert set(told) >= {"hands", "decisions", "loss_mbb", "worst"}
    assert told["worst"][0]["loss"] >= told["worst"][-1]["loss"]
    for arguments, why in (
        (["--player", "Bob"], "--player: Bob is in none of the hands; their names are Leo, random"),
        ([], "--player: say whose decisions to look at, Leo, random"),
    ):
        shown = command(capsys, "review", log, "--strategy", leduc, "--quiet", *arguments)
        assert (shown.code, shown.out) == (2, "")
        assert why in shown.err
    shown = command(capsys, "review", tmp_path / "none.log", "--strategy", leduc)
    assert shown.code == 2
    assert "cannot be read: no such file" in shown.err


def test_a_room_s_hands_against_the_shipped_strategy(capsys, tmp_path):
    """The opponent's cards are seldom known, and the strategy does without them."""
    page = tmp_path / "page.html"
    shown = command(
        capsys, "review", HISTORIES / "stars.txt", "--samples", 0, "--html", page, "--quiet", "--json"
    )
    assert shown.code == 0, shown.err
    told = json.loads(shown.out)
    # Al wrote the hands down, so that nobody has to be named.
    assert (told["player"], told["hands"], told["adjusted_by"]) == ("Al", 3, "first cards")
    assert told["decisions"] == 10
    assert told["judged"] == sum(
        leak["decisions"] for name, leak in told["leaks"]["round"].items() if name in ("turn", "river")
    )
    assert told["won_mbb"] == pytest.approx(1000 * (80 - 10 + 10) / 10 / 3)
    worst = told["worst"][0]
    assert worst["exact"]
    assert worst["loss_error_mbb"] == 0
    text = page.read_text(encoding="utf-8")
    elements = balanced(text)
    assert elements["article"] == len(told["worst"]) + min(len(told["rare"]), 5)
    assert elements["td"] >= 169 * len(told["worst"])
    assert text.count("your hand' style=") == len(told["worst"])
    # Nothing is fetched from elsewhere, and nothing has to run.
    assert not {"script", "link", "img", "iframe", "object"} & set(elements)
    assert "http" not in text
    assert "url(" not in text
    assert "prefers-color-scheme" in text


def test_the_other_player_is_judged_where_his_cards_are_known():
    hands = read_logs([HISTORIES / "stars.txt"], errai.load_game("holdem")).hands
    found = review(errai.load("always-call"), hands, "Al bets: big", samples=0)
    assert (found.hands, found.hidden) == (3, 2)
    assert {one.hand.number for one in found.decisions} == {243000000001}


def test_before_the_turn_losses_are_estimates(leduc, log, monkeypatch):
    """A strategy that cannot look ahead says what its decisions cost with an error, and near the exact loss."""
    strategy, hands = errai.load(leduc), read_logs([log], GAME).hands[:12]
    exact = review(strategy, hands, "random")
    monkeypatch.setattr(type(strategy), "looks_ahead", 0)
    found = review(strategy, hands, "random", samples=60)
    assert found.judged == len(found.decisions)
    assert found.error_mbb > 0
    assert exact.error_mbb == 0
    early = [one.judgement for one in found.decisions if one.judgement.sampled is not None]
    assert {judgement.state.round for judgement in early} == {0}
    assert abs(found.loss_mbb - exact.loss_mbb) < 4 * found.error_mbb + 5
    without = review(strategy, hands, "random", samples=0)
    assert without.judged == len(found.decisions) - len(early)
    with pytest.raises(ErraiError, match="samples must be 0, or 20 or more, not 5"):
        review(strategy, hands, "random", samples=5)


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.seen = [], Counter()

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        assert len(attrs) == len(dict(attrs)), attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def balanced(text):
    """How many elements of each kind a page has, whose tags must all be closed in order."""
    tags = _Tags()
    tags.feed(text)
    tags.close()
    assert tags.open == []
    return tags.seen


def test_names_cannot_write_the_page(leduc, log):
    strategy, hands = errai.load(leduc), read_logs([log], GAME).hands
    name = "<script>alert('x')</script>&\"'"
    renamed = [
        hand._replace(players=tuple(name if player == "random" else player for player in hand.players))
        for hand in hands
    ]
    text = review_page(review(strategy, renamed, name), strategy, "<b>", ["<i>: no hand"])
    assert not {"script", "b>"} & set(balanced(text))
    assert "&lt;script&gt;" in text
    assert "1 hands could not be read" not in text
    assert "1 hand could not be read" in text
